//! Names that match and names that do not; properties of any text.

use proptest::prelude::*;

use super::*;

/// The parts of the claim's names that the document lacks.
fn missing(claim: &str, document: &str) -> Vec<String> {
    let known = Names::of(document);
    let pieces = names(claim).into_iter().flat_map(|name| known.missing(claim, &name));
    pieces.map(|span| claim[span].to_owned()).collect()
}

#[test]
fn names_are_found_in_their_forms_and_missing_parts_are_reported() {
    for line in include_str!("tests/names.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [claim, document, expected] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        assert_eq!(missing(claim, document).join("‖"), expected, "{claim} / {document}");
    }
}

#[test]
fn capitals_of_a_headline_are_not_names() {
    assert!(names("Pool Closes After Inspectors Find Rust").is_empty());
    assert!(names("He said that he was the one").is_empty());
}

proptest! {
    #[test]
    fn any_text_contains_its_own_names(text in any::<String>(), words in prop::collection::vec("[A-Zİß][a-zé.'’-]{0,4}|the|of|U\\.S\\.", 0..8)) {
        for text in [text, words.join(" ")] {
            let known = Names::of(&text);
            for name in names(&text) {
                prop_assert!(!text[name.span()].is_empty());
                prop_assert!(known.missing(&text, &name).is_empty());
            }
        }
    }
}
