//! Claims that are statements: no argument is left behind, and no mark of a list or a quotation is part of one.

use super::{check, check_whole, texts};

#[test]
fn one_end_of_a_phrase_of_two_was_left_behind() {
    check(&[
        (
            "The two-year lease between Harborview Properties and Daniel Osei starts on 1 March.",
            &["The two-year lease between Harborview Properties and Daniel Osei starts on 1 March."],
        ),
        (
            "The council approved the cycle lane by seven votes to three.",
            &[
                "The council approved the cycle lane.",
                "The council approved the cycle lane by seven votes to three.",
            ],
        ),
        (
            "The firm changed its name from Acme to Zenith in 2012.",
            &[
                "The firm changed its name.",
                "The firm changed its name from Acme to Zenith.",
                "The firm changed its name in 2012.",
            ],
        ),
        (
            "The committee meets between 9 and 11 on Mondays.",
            &["The committee meets between 9 and 11.", "The committee meets on Mondays."],
        ),
    ]);
    check_whole(&["The lease runs from 1 March to 28 February.", "He divided the cake between Ann and Bob."]);
}

#[test]
fn what_must_be_done_lost_how() {
    check(&[(
        "Corvalin must be kept in a refrigerator and taken before breakfast.",
        &["Corvalin must be kept in a refrigerator.", "Corvalin must be taken before breakfast."],
    )]);
}

#[test]
fn an_argument_was_left_behind() {
    check(&[
        (
            "Tomas Reilly will succeed Mira Holm, who is retiring, as finance chief.",
            &[
                "Tomas Reilly will succeed Mira Holm.",
                "Tomas Reilly will succeed Mira Holm as finance chief.",
                "Mira Holm is retiring.",
            ],
        ),
        (
            "He was charged with and convicted of theft.",
            &["He was convicted of theft.", "He was charged with and convicted of theft."],
        ),
        (
            "The striker pulled a goal back in May.",
            &["The striker pulled a goal back.", "The striker pulled a goal back in May."],
        ),
        (
            "The mayor will retire in June and be succeeded by Ann Hall.",
            &[
                "The mayor will retire in June.",
                "The mayor will be succeeded.",
                "The mayor will be succeeded by Ann Hall.",
            ],
        ),
    ]);
}

#[test]
fn a_phrase_of_a_noun_was_said_of_the_verb() {
    check(&[(
        "India will take part despite a dispute with the board over a deal.",
        &[
            "India will take part.",
            "India will take part despite a dispute.",
            "India will take part despite a dispute with the board.",
            "India will take part despite a dispute with the board over a deal.",
        ],
    )]);
    check_whole(&["The mother and father of three victims were honoured."]);
}

#[test]
fn marks_of_lists_and_quotations_were_part_of_claims() {
    let statement = "The delay was long.";
    for mark in ["- ", "- - ", "* ", "• ", "1. ", "2) ", "(3) ", "b. ", "iv) "] {
        assert_eq!(texts(&format!("{mark}{statement}")), [statement], "{mark}");
        assert_eq!(texts(&format!("{mark}“{statement}”")), [statement], "{mark}");
    }
    assert_eq!(texts("a. It rained.\nb. It snowed."), ["It rained.", "It snowed."]);
}
