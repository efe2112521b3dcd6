//! Fillings by example, and properties of all fillings.

use proptest::prelude::*;

use super::*;

#[test]
fn claims_have_their_fillings() {
    let rows = include_str!("tests/fillings.tsv").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 46);
    for row in rows {
        let [change, claim, evidence, expected @ ..] = &row[..] else { panic!("{row:?}") };
        let found = fillings(claim, evidence).into_iter();
        let found = found.filter(|filling| format!("{:?}", filling.change) == *change);
        assert_eq!(found.map(|filling| filling.claim).collect::<Vec<_>>(), expected, "{claim} | {evidence}");
    }
}

#[test]
fn what_the_evidence_lacks_comes_first_and_the_nearest_sentence_before_others() {
    let evidence = "The mine opened in 1974 and employs 300 people. A collapse at the mine killed 50 miners on Monday. \\
                    Another collapse killed 12 miners in 2001.";
    let found = fillings("A collapse at the mine killed 40 miners on Monday.", evidence);
    let first: Vec<(Presence, &str)> =
        found.iter().map(|filling| (filling.presence, filling.text.as_str())).take(2).collect();
    assert_eq!(first, [(Presence::Nowhere, "50"), (Presence::Nowhere, "12")]);
    let elsewhere = fillings("A collapse at the mine killed 12 miners on Monday.", evidence);
    assert_eq!((elsewhere[0].presence, elsewhere[0].text.as_str()), (Presence::Elsewhere, "50"));
    let own = fillings("A collapse at the mine killed 50 miners on Monday.", evidence);
    assert_eq!(own[0].presence, Presence::Sentence);
    assert_eq!(own.last().map(|filling| filling.change), Some(Change::Denial));
}

#[test]
fn nothing_is_offered_by_nothing() {
    assert_eq!(fillings("The pool is open.", ""), []);
    assert_eq!(fillings("", "The pool is open."), []);
}

proptest! {
    #[test]
    fn fillings_change_one_part_and_are_few(
        claim in sentence_strategy(),
        evidence in proptest::collection::vec(sentence_strategy(), 0..4),
    ) {
        let evidence = evidence.join(" ");
        let found = fillings(&claim, &evidence);
        prop_assert!(found.len() <= MAX_FILLINGS);
        for filling in &found {
            prop_assert_ne!(&filling.claim, &claim);
            let Filling { span, text, source, claim: changed, .. } = filling;
            let rest = [&claim[..span.start], text, &claim[span.end..]].concat();
            prop_assert_eq!(&rest, changed);
            prop_assert!(!evidence[source.clone()].is_empty());
            let of_part = found.iter().filter(|other| other.span == *span && other.change == filling.change);
            prop_assert!(of_part.count() <= MAX_PER_PART);
        }
        prop_assert_eq!(&found, &fillings(&claim, &evidence));
    }

    #[test]
    fn any_text_has_fillings_or_none(claim in "\\PC{0,60}", evidence in "\\PC{0,80}") {
        for filling in fillings(&claim, &evidence) {
            prop_assert_ne!(&filling.claim, &claim);
        }
    }
}

/// Pieces of sentences.
const PIECES: &str = "John Smith|Mary Jones|Paris|Berlin|Acme Ltd|NATO|the mine|40 miners|50 miners|\
    2.4 million euros|9%|in 1974|on Friday|on 3 May 2024|at 4 pm|was|closed|sued|\
    did not leave|can’t|says|and|,|çä|東京|“It|is”";

fn sentence_strategy() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        proptest::sample::select(PIECES.split('|').collect::<Vec<_>>()).prop_map(str::to_owned),
        "[A-Za-z]{1,8}",
    ];
    proptest::collection::vec(part, 1..12).prop_map(|parts| parts.join(" ") + ".")
}
