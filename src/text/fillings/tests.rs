//! Fillings by example, and properties of all fillings.

use proptest::prelude::*;

use super::*;

/// The changed claims of one change, in order.
fn changed(change: Change, claim: &str, evidence: &str) -> Vec<String> {
    let all = fillings(claim, evidence);
    all.into_iter().filter(|filling| filling.change == change).map(|filling| filling.claim).collect()
}

fn check(change: Change, cases: &[(&str, &str, &[&str])]) {
    for (claim, evidence, expected) in cases {
        assert_eq!(changed(change, claim, evidence), *expected, "{claim} | {evidence}");
    }
}

#[test]
fn other_values_stand_for_quantities() {
    check(
        Change::Quantity,
        &[
            (
                "Repairs would cost 2.4 million euros.",
                "Engineers say that repairs would cost 4.2 million euros and take 18 months.",
                &["Repairs would cost 4.2 million euros."],
            ),
            (
                "A collapse killed 40 miners.",
                "The collapse killed 50 miners.",
                &["A collapse killed 50 miners."],
            ),
            ("Forty miners died.", "In all fifty miners died.", &["Fifty miners died."]),
            ("Sales rose by 9%.", "Sales rose by 12 per cent in May.", &["Sales rose by 12 per cent."]),
            ("It paid $5 million.", "It paid £7 million and $8 million.", &["It paid $8 million."]),
            // Rounded values, other units, other things, ends of ranges, the claim's own values.
            ("It cost 2.9 million euros.", "It cost 2,938,000 euros.", &[]),
            ("It cost 2.4 million euros.", "It took 18 months.", &[]),
            ("It killed 40 miners.", "It hit 50 towns.", &[]),
            ("It grew by 5 per cent.", "It grew by between 7 and 9 per cent.", &[]),
            ("It rose from 12% to 15%.", "It rose from 12% to 15%.", &[]),
        ],
    );
}

#[test]
fn other_days_and_times_stand_for_dates() {
    check(
        Change::Date,
        &[
            ("The pool opened in 1984.", "The pool opened in 1974.", &["The pool opened in 1974."]),
            ("He left on Friday.", "He left on Thursday night.", &["He left on Thursday."]),
            ("They met on 3 May.", "They met on 5 June at noon.", &["They met on 5 June."]),
            ("They met on 3 May 2024.", "They met in June.", &[]),
            ("They met on 3 May.", "They met on May 3.", &[]),
        ],
    );
}

#[test]
fn other_names_of_a_kind_stand_for_names() {
    check(
        Change::Name,
        &[
            (
                "Mayor John Okafor resigned on Monday.",
                "Mayor Anna Lindqvist resigned on Monday.",
                &["Mayor Anna Lindqvist resigned on Monday."],
            ),
            ("The firm moved to Paris.", "The firm moved to Berlin in May.", &["The firm moved to Berlin."]),
            // Parts, acronyms and aliases of the same name.
            ("John Smith left.", "Mr Smith left on Monday.", &[]),
            ("NATO met in Paris.", "The North Atlantic Treaty Organization met in Paris.", &[]),
            ("He moved to the United States.", "He moved to the U.S. in May.", &[]),
            ("Dutch voters went to the polls.", "Voters in the Netherlands went to the polls.", &[]),
            // A person does not replace a place.
            (
                "Mr Okafor moved to Paris.",
                "Mr Okafor was moved by Mary Jones.",
                &["Mary Jones moved to Paris."],
            ),
        ],
    );
}

#[test]
fn two_names_are_exchanged() {
    check(
        Change::Roles,
        &[
            (
                "John Smith sued Mary Jones.",
                "Mary Jones was sued by John Smith on Monday.",
                &["Mary Jones sued John Smith."],
            ),
            ("John Smith and Mary Jones met.", "John Smith and Mary Jones met on Monday.", &[]),
            ("John Smith, Mary Jones and Anna Brown met.", "John Smith, Mary Jones and Anna Brown met.", &[]),
            ("John Smith sued Mary Jones.", "John Smith sued. Mary Jones wept.", &[]),
            ("John Smith moved to Paris.", "John Smith moved to Paris in May.", &[]),
        ],
    );
}

#[test]
fn claims_are_denied_where_the_verb_is_certain() {
    for (claim, expected) in [
        ("The pool is open.", "The pool is not open."),
        ("The pool of Harwell will close in May.", "The pool of Harwell will not close in May."),
        ("The council has closed the pool.", "The council has not closed the pool."),
        ("The council can close it.", "The council cannot close it."),
        ("The council approved the plan.", "The council did not approve the plan."),
        ("She left the house at noon.", "She did not leave the house at noon."),
        ("He has a dog.", "He does not have a dog."),
        ("The pool is not open.", "The pool is open."),
        ("The council didn't approve the plan.", "The council did approve the plan."),
        ("They won't come.", "They will come."),
        ("They cannot come.", "They can come."),
    ] {
        assert_eq!(changed(Change::Denial, claim, "It is so."), [expected], "{claim}");
    }
    for claim in [
        "Some pools are closed.",
        "The pool may close.",
        "If it rains, the pool closes.",
        "Nobody came to the pool.",
        "The man arrested in May was freed.",
        "The pool never closed.",
        "Closed since May.",
        "On Monday the pool closed.",
    ] {
        assert_eq!(changed(Change::Denial, claim, "It is so."), [""; 0], "{claim}");
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

fn sentence_strategy() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        proptest::sample::select(vec![
            "John Smith",
            "Mary Jones",
            "Paris",
            "Berlin",
            "Acme Ltd",
            "NATO",
            "the mine",
            "40 miners",
            "50 miners",
            "2.4 million euros",
            "9%",
            "in 1974",
            "on Friday",
            "on 3 May 2024",
            "at 4 pm",
            "was",
            "closed",
            "sued",
            "did not leave",
            "can’t",
            "says",
            "and",
            ",",
            "çä",
            "東京",
            "“It",
            "is”",
        ])
        .prop_map(str::to_owned),
        "[A-Za-z]{1,8}",
    ];
    proptest::collection::vec(part, 1..12).prop_map(|parts| parts.join(" ") + ".")
}
