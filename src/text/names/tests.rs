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
fn two_forms_of_a_name_match() {
    for (claim, document) in [
        ("They met John Smith.", "A man called J. Smith came."),
        ("They met J. Smith.", "A man called John Smith came."),
        ("It joined NATO.", "It is in the North Atlantic Treaty Organization."),
        ("It joined the North Atlantic Treaty Organization.", "It is in NATO."),
        ("It is in the US.", "It is in the United States."),
        ("It is in the U.S. now.", "It is in the United States."),
        ("It is in the United States.", "It is in the U.S. now."),
        ("It is in the United States.", "The American people."),
        ("It is in São Paulo.", "It is in Sao Paulo."),
        ("It is in Sao Paulo.", "It is in SÃO PAULO."),
        ("He is from Italy.", "He is an Italian."),
        ("He is an Italian.", "Italians like it."),
        ("He is from Japan.", "The Japanese word."),
        ("He is Dutch.", "He is from the Netherlands."),
        ("He is French.", "They live in France."),
        ("It is in Britain.", "It is in the UK."),
        ("They saw Mike Ashley.", "They saw Michael Ashley."),
        ("They saw Dr Ashley.", "They saw Ashley."),
        ("They saw President Ashley.", "They saw Ashley."),
        ("It was Harwell's pool.", "It was in Harwell."),
        ("The Kardashians came.", "Kim Kardashian came."),
        ("It was in Newcastle.", "It was in New Castle."),
        ("It was in New Castle.", "It was in Newcastle."),
        ("They met Anglo-French teams.", "The Anglo French team."),
        ("It was in Xi'an today.", "It was in Xian."),
        ("They train GANs.", "Generative adversarial networks are trained."),
        ("It is from the Institute of Directors.", "An IoD report."),
        ("The British Boxing Board of Control said so.", "The BBBofC said so."),
        ("The head of HM Revenue and Customs left.", "The head of HMRC left."),
        ("So said the Rugby Players' Association.", "The RPA has said so."),
        ("It is Sussex's Police and Crime Commissioner.", "The Sussex PCC said so."),
        ("The World Anti-Doping Agency said so.", "So said Wada."),
        ("I think I'm in Rome.", "We are in Rome."),
    ] {
        assert_eq!(missing(claim, document), [""; 0], "{claim} / {document}");
    }
}

#[test]
fn missing_parts_of_names_are_reported() {
    for (claim, document, expected) in [
        ("They met John Smith.", "A man called P. Smith came.", &["John"][..]),
        ("They met Daniel Osei.", "They met Lena Okafor.", &["Daniel Osei"]),
        ("It joined NATO.", "It is in the European Union.", &["NATO"]),
        ("He is from Spain.", "He is an Italian.", &["Spain"]),
        ("He is from Iran.", "He is from Iraq.", &["Iran"]),
        ("They met Kristen Lee in Paris.", "They met Kristen Li in Lyon.", &["Lee", "Paris"]),
    ] {
        assert_eq!(missing(claim, document), expected, "{claim} / {document}");
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
