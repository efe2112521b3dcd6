//! Claims are complete statements: they keep every argument, and have no marks of lists or quotations.

use super::{check, check_whole, texts};

#[test]
fn phrases_with_two_ends_are_not_split() {
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
fn orders_keep_their_phrases() {
    check(&[(
        "Corvalin must be kept in a refrigerator and taken before breakfast.",
        &["Corvalin must be kept in a refrigerator.", "Corvalin must be taken before breakfast."],
    )]);
}

#[test]
fn arguments_are_kept() {
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
fn phrase_of_a_noun_stays_with_the_noun() {
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
fn marks_of_lists_and_quotations_are_removed() {
    let statement = "The delay was long.";
    for mark in ["- ", "- - ", "* ", "• ", "1. ", "2) ", "(3) ", "b. ", "iv) "] {
        assert_eq!(texts(&format!("{mark}{statement}")), [statement], "{mark}");
        assert_eq!(texts(&format!("{mark}“{statement}”")), [statement], "{mark}");
    }
    assert_eq!(texts("a. It rained.\nb. It snowed."), ["It rained.", "It snowed."]);
}

#[test]
fn roles_with_as_are_kept() {
    check(&[
        (
            "Mira Holm has emerged as a star player for Harborview this season.",
            &[
                "Mira Holm has emerged as a star player.",
                "Mira Holm has emerged as a star player for Harborview.",
                "Mira Holm has emerged as a star player this season.",
            ],
        ),
        (
            "The jury named him as a suspect in June.",
            &["The jury named him as a suspect.", "The jury named him as a suspect in June."],
        ),
        (
            "Holm will be confirmed as Harborview coach on Friday.",
            &[
                "Holm will be confirmed as Harborview coach.",
                "Holm will be confirmed as Harborview coach on Friday.",
            ],
        ),
        ("He ran the race as a child.", &["He ran the race.", "He ran the race as a child."]),
        ("He worked as a cook in Rome.", &["He worked as a cook.", "He worked in Rome."]),
    ]);
    check_whole(&["The judge ordered her against returning.", "The crisis exposed his plan to mockery."]);
}

#[test]
fn role_in_loose_quotation_marks_is_kept() {
    check(&[(
        "The baker described the shop as' a kind of a theatre' He believes it will recover.",
        &["The baker described the shop as' a kind of a theatre'.", "He believes it will recover."],
    )]);
}

#[test]
fn sentence_after_a_quotation_is_separate() {
    check(&[(
        "He described himself as a \" gentle satirist \" The Harborview Times praised him.",
        &["He described himself as a \" gentle satirist \".", "The Harborview Times praised him."],
    )]);
}

#[test]
fn negated_infinitive_is_kept() {
    check_whole(&["The firm stands by its promise not to close two branches."]);
}

#[test]
fn noun_in_ing_before_to_is_not_a_verb() {
    check(&[(
        "The bank would undertake emergency bond purchasing to limit yields.",
        &[
            "The bank would undertake emergency bond purchasing.",
            "The bank would undertake emergency bond purchasing to limit yields.",
        ],
    )]);
}

#[test]
fn verb_after_to_and_an_adverb_is_not_a_noun() {
    check(&[(
        "We extended the method to efficiently discount baseline activity.",
        &["We extended the method.", "We extended the method to efficiently discount baseline activity."],
    )]);
    check(&[(
        "The firm sold its fleet in an attempt to curtail elevated costs.",
        &["The firm sold its fleet.", "The firm sold its fleet in an attempt to curtail elevated costs."],
    )]);
}

#[test]
fn participle_after_and_is_not_a_finite_verb() {
    check(&[(
        "The cook boasted that she sold the soup and another dish made with milk.",
        &[
            "The cook boasted that she sold the soup.",
            "The cook boasted that she sold another dish.",
            "Another dish was made with milk.",
        ],
    )]);
}

#[test]
fn since_after_an_ordinal_stays_with_the_noun() {
    check(&[(
        "The batsman scored 170 in his first innings since June 2013.",
        &["The batsman scored 170.", "The batsman scored 170 in his first innings since June 2013."],
    )]);
    check_whole(&["This is the biggest fall in prices since records began."]);
}

#[test]
fn clause_about_a_noun_is_not_attached_to_its_place() {
    check(&[(
        "A girl escaped unhurt in a crash in Belgium in which a driver was hurt.",
        &[
            "A girl escaped unhurt.",
            "A girl escaped unhurt in a crash.",
            "A girl escaped unhurt in a crash in Belgium in which a driver was hurt.",
        ],
    )]);
}

#[test]
fn passive_purpose_is_not_a_fact() {
    check(&[(
        "A mill is to be repaired and turned into a school.",
        &["A mill is to be repaired.", "A mill is to be turned into a school."],
    )]);
}

#[test]
fn claims_do_not_end_with_a_leading_word() {
    check_whole(&[
        "A train derailed due to flooding.",
        "She has described the moment he was struck by lightning.",
        "He is partial to buying cars.",
        "She felt like she wanted to leave.",
    ]);
    check(&[
        (
            "The work took two years for the firm to finish.",
            &["The work took two years.", "The work took two years for the firm to finish."],
        ),
        (
            "The girl is still missing after a boat she was on exploded.",
            &["The girl is still missing.", "The girl is still missing after a boat she was on exploded."],
        ),
        (
            "Holm performed the risky stunt Wednesday to win.",
            &[
                "Holm performed the risky stunt.",
                "Holm performed the risky stunt Wednesday.",
                "Holm performed the risky stunt to win.",
            ],
        ),
    ]);
}

#[test]
fn ambiguous_modifiers_stay_together() {
    check_whole(&["The chain sells an oil and milk range of coffee."]);
    check(&[(
        "He was killed after an ISIS - like attack in June.",
        &["He was killed.", "He was killed after an ISIS - like attack.", "He was killed in June."],
    )]);
    check(&[(
        "She wrote a series of racist and anti-semitic remarks in June.",
        &[
            "She wrote a series of racist and anti-semitic remarks.",
            "She wrote a series of racist and anti-semitic remarks in June.",
        ],
    )]);
}

#[test]
fn region_of_a_town_is_not_an_apposition() {
    check(&[(
        "She bought a phone in Omsk, southern Russia.",
        &[
            "She bought a phone.",
            "She bought a phone in Omsk.",
            "She bought a phone in Omsk, southern Russia.",
        ],
    )]);
}

#[test]
fn hyphens_with_spaces_do_not_split_a_compound() {
    check_whole(&[
        "It will be a down - to - earth guest list.",
        "The champions have also monitored vice - Captain Jordan Hall.",
    ]);
}

#[test]
fn verbs_of_motion_keep_their_goal() {
    check_whole(&["A man has been taken to hospital."]);
    check(&[(
        "She is treated like a star at home.",
        &["She is treated like a star.", "She is treated like a star at home."],
    )]);
}

#[test]
fn source_does_not_add_a_second_comma() {
    for claim in texts("A man, known as \"Pink\", may have left Rome after a fall, the mayor has said.") {
        assert!(!claim.contains(",,") && !claim.contains(",  "), "{claim}");
    }
}

#[test]
fn apposition_is_not_a_clause() {
    let claims = texts("Tuesday is Equal Pay Day, a feast marked by few people.");
    assert!(claims.iter().all(|claim| claim.starts_with("Tuesday is")), "{claims:?}");
}

#[test]
fn resulting_place_is_kept() {
    check_whole(&["Their defeat left them in the bottom three."]);
    check(&[(
        "He was seen along with his wife on Monday.",
        &["He was seen.", "He was seen along with his wife.", "He was seen on Monday."],
    )]);
    check_whole(&["The vote was the first since the city changed its rules."]);
}
