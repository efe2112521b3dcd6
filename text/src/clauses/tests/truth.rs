//! Claims must not state more than their sentence.

use super::{check, check_whole};

#[test]
fn negation_condition_and_quantity_are_not_split() {
    check_whole(&[
        "The minister did not resign on Monday because of the scandal.",
        "Neither the mayor nor her deputy attended the meeting in Lyon.",
        "He neither smokes nor drinks.",
        "The firm will close the plant or sell it to a rival.",
        "The club may sign Diaz or keep Moreno.",
        "Unless it rains, the match will start at noon.",
        "The bill would ban guns in schools if it passes.",
        "She refused to answer questions in court.",
        "The team has failed to win a game since March.",
        "All students who passed the exam received a certificate.",
        "Few residents left the town during the flood.",
        "Nobody saw the driver leave the scene.",
        "Hardly anyone came to the fair on Monday.",
        "Only two of the ten climbers reached the summit.",
        "The city has no plans to build a stadium in the park.",
        "There were no survivors among the crew.",
        "The law bans smoking in bars and restaurants.",
        "He allegedly stole the car.",
        "She was unable to swim in the sea.",
    ]);
    check(&[(
        "If the vote fails, the company will leave London and move to Dublin.",
        &[
            "If the vote fails, the company will leave London.",
            "If the vote fails, the company will move to Dublin.",
        ],
    )]);
}

#[test]
fn conditions_hold_for_joined_clauses() {
    check(&[
        (
            "The company will leave London and cut jobs if the vote fails.",
            &[
                "The company will leave London if the vote fails.",
                "The company will cut jobs if the vote fails.",
            ],
        ),
        (
            "If he had won, he would have been rich and he would have retired.",
            &["If he had won, he would have been rich.", "If he had won, he would have retired."],
        ),
        (
            "The bill would raise taxes and cut benefits unless it is changed.",
            &[
                "The bill would raise taxes unless it is changed.",
                "The bill would cut benefits unless it is changed.",
            ],
        ),
    ]);
    check_whole(&[
        "Without her help, the team would have lost the match.",
        "Even if he wins, he will retire in May.",
    ]);
}

#[test]
fn sources_are_kept() {
    check(&[
        (
            "According to the report, the bank lost money and the chairman resigned.",
            &[
                "According to the report, the bank lost money.",
                "According to the report, the chairman resigned.",
            ],
        ),
        (
            "The king is dead, a newspaper reported, but his son denied it.",
            &["The king is dead, a newspaper reported.", "His son denied it."],
        ),
        (
            "The bank lost money, the mayor of Paris, Texas, said, and cut jobs.",
            &["The bank lost money, the mayor of Paris, Texas, said.", "The bank cut jobs."],
        ),
        ("He fled, police said.", &["He fled, police said."]),
        (
            "The army said it killed 20 rebels, but the rebels said only two died.",
            &["The army said it killed 20 rebels.", "The rebels said only two died."],
        ),
        (
            "He said that the firm was broke and that it owed millions.",
            &["He said that the firm was broke.", "He said that it owed millions."],
        ),
    ]);
}

#[test]
fn future_reported_and_negated_clauses_are_not_facts() {
    check(&[(
        "When he dies, his son will inherit the farm.",
        &["His son will inherit the farm.", "When he dies, his son will inherit the farm."],
    )]);
    check_whole(&[
        "He said he left because he was ill.",
        "He denied he fled after he shot her.",
        "He wants a wife who cooks.",
    ]);
}

#[test]
fn hedges_and_negations_hold_for_the_second_verb() {
    check(&[(
        "He allegedly stole the car and hid it in a barn.",
        &["He allegedly stole the car.", "He allegedly hid it.", "He allegedly hid it in a barn."],
    )]);
    check_whole(&["The driver did not stop and help the boy."]);
}

#[test]
fn relative_clause_of_a_quantifier_is_kept() {
    check_whole(&[
        "No one who attended the party was hurt.",
        "Only Ann Hall and Bob Dean survived the crash in May.",
    ]);
}

#[test]
fn modifiers_of_a_superlative_are_kept() {
    check_whole(&[
        "She is the best player in the team and in the league.",
        "The trip was the first visit to Rome since the war.",
        "He lost for the third time in five games.",
        "He made a better offer than his rival.",
        "The airline flies to all cities except Rome.",
    ]);
}

#[test]
fn relative_clause_is_attached_to_the_right_noun() {
    check(&[
        (
            "The film tells the story of a boy who finds a dragon.",
            &["The film tells the story of a boy.", "A boy finds a dragon."],
        ),
        (
            "A video of them fighting in a school was posted.",
            &["A video of them was posted.", "A video of them fighting in a school was posted."],
        ),
        (
            "Lena Voss is a nurse who has worked in Bonn.",
            &["Lena Voss is a nurse.", "Lena Voss has worked in Bonn."],
        ),
        (
            "It was Ann Hall who stole the car.",
            &["It was Ann Hall who stole the car.", "Ann Hall stole the car."],
        ),
    ]);
}

#[test]
fn main_verbs_are_not_participles() {
    check(&[
        (
            "Barlow sent the bride a note saying he could not come.",
            &["Barlow sent the bride a note.", "Barlow sent the bride a note saying he could not come."],
        ),
        (
            "The sides met during a trip aimed at peace.",
            &["The sides met during a trip.", "The sides met during a trip aimed at peace."],
        ),
        (
            "The suspect was found in Rome and moved to Leeds.",
            &["The suspect was found.", "The suspect was found in Rome.", "The suspect moved to Leeds."],
        ),
        ("A Chinese mining accident killed two people.", &["A Chinese mining accident killed two people."]),
    ]);
    check_whole(&[
        "The Bank of Spain said on Monday it would raise rates.",
        "The village had not had a school.",
    ]);
}

#[test]
fn phrase_is_not_separated_from_its_noun() {
    check(&[
        (
            "The man was arrested as part of a plan to rob a bank.",
            &[
                "The man was arrested.",
                "The man was arrested as part of a plan.",
                "The man was arrested as part of a plan to rob a bank.",
            ],
        ),
        (
            "The team scored twice in a win over Derby.",
            &["The team scored twice in a win.", "The team scored twice in a win over Derby."],
        ),
        (
            "A man has appeared in court in Limerick charged with theft.",
            &[
                "A man has appeared in court.",
                "A man has appeared in court in Limerick.",
                "A man has appeared in court in Limerick charged with theft.",
            ],
        ),
        (
            "The firm is opening its doors to rivals, including Acme.",
            &["The firm is opening its doors.", "The firm is opening its doors to rivals, including Acme."],
        ),
    ]);
    check_whole(&["Polls have two parties locked on 35 per cent."]);
}

#[test]
fn participle_of_an_event_is_not_about_a_person() {
    check(&[(
        "She carried a bag, suggesting that she had shopped.",
        &["She carried a bag.", "She carried a bag, suggesting that she had shopped."],
    )]);
    check_whole(&["Police said he fled, adding that he was armed."]);
}

#[test]
fn verbs_keep_a_shared_object() {
    check(&[
        ("Police caught and arrested the thief.", &["Police caught and arrested the thief."]),
        ("He sat and ate the soup.", &["He sat.", "He ate the soup."]),
        (
            "The paper was told to apologise and pay damages.",
            &["The paper was told to apologise.", "The paper was told to pay damages."],
        ),
    ]);
}

#[test]
fn lists_with_a_shared_part_are_not_split() {
    check(&[(
        "The woman, her two sons and a dog were rescued.",
        &["The woman was rescued.", "Her two sons were rescued.", "A dog was rescued."],
    )]);
    check_whole(&[
        "They visited the Victoria and Albert Museum.",
        "The shop cut the cost of milk, bread and meat.",
        "He suffered serious head, spinal and chest injuries.",
        "The film stars Ann Hall as the queen and Bob Dean as the king.",
    ]);
}

#[test]
fn numbers_dates_and_compounds_are_not_split() {
    check(&[
        (
            "The striker scored a hat - trick in a 4 - 1 win.",
            &["The striker scored a hat - trick.", "The striker scored a hat - trick in a 4 - 1 win."],
        ),
        (
            "The dog was right in 98 per cent of cases.",
            &["The dog was right.", "The dog was right in 98 per cent of cases."],
        ),
        (
            "She will marry her partner later this month.",
            &["She will marry her partner.", "She will marry her partner later this month."],
        ),
        (
            "The treaty was signed on Feb. 3 in Oslo.",
            &["The treaty was signed.", "The treaty was signed on Feb. 3.", "The treaty was signed in Oslo."],
        ),
        (
            "Dogs were shot in norfolk, virginia.",
            &["Dogs were shot.", "Dogs were shot in norfolk, virginia."],
        ),
    ]);
    check_whole(&["The bakery opened three weeks ago."]);
}

#[test]
fn verbs_are_not_roles() {
    check_whole(&["Workers were told to uninstall Zappo."]);
}
