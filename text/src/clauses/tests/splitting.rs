//! Invented sentences and the claims they make.

use super::super::super::span::Span;
use super::{all, check, check_whole};

#[test]
fn optional_phrases_are_split_off() {
    check(&[
        (
            "The man was arrested in Paris on Monday.",
            &["The man was arrested.", "The man was arrested in Paris.", "The man was arrested on Monday."],
        ),
        (
            "The painting was sold for $5 million to a collector from Japan.",
            &[
                "The painting was sold.",
                "The painting was sold for $5 million.",
                "The painting was sold to a collector.",
                "The painting was sold to a collector from Japan.",
            ],
        ),
        (
            "Prices rose by 3 percent in March and fell by 2 percent in April.",
            &[
                "Prices rose by 3 percent.",
                "Prices rose in March.",
                "Prices fell by 2 percent.",
                "Prices fell in April.",
            ],
        ),
        (
            "Workers at the plant have been on strike since Tuesday.",
            &[
                "Workers at the plant have been on strike.",
                "Workers at the plant have been on strike since Tuesday.",
            ],
        ),
        ("The cat sat on the mat.", &["The cat sat on the mat."]),
        (
            "In 2003, the couple moved to Oslo, where they opened a cafe.",
            &["The couple moved to Oslo.", "In 2003, the couple moved to Oslo.", "They opened a cafe."],
        ),
    ]);
}

#[test]
fn coordinated_verbs_get_their_subject() {
    check(&[
        (
            "He unlocked the door, walked in and turned on the light.",
            &["He unlocked the door.", "He walked in.", "He turned on the light."],
        ),
        (
            "The suspect was found and taken to a clinic.",
            &["The suspect was found.", "The suspect was taken to a clinic."],
        ),
        (
            "The senator voted for the bill, but the House rejected it.",
            &["The senator voted for the bill.", "The House rejected it."],
        ),
        (
            "Officials in Tulsa said the bridge was unsafe and ordered repairs.",
            &["Officials in Tulsa said the bridge was unsafe.", "Officials in Tulsa ordered repairs."],
        ),
        (
            "She is expected to resign and return to Canada.",
            &["She is expected to resign.", "She is expected to return to Canada."],
        ),
        (
            "- The council approved the budget and raised taxes.",
            &["The council approved the budget.", "The council raised taxes."],
        ),
    ]);
}

#[test]
fn sentence_without_a_subject_gets_the_previous_one() {
    check(&[(
        "The bakery closed in March. Reopened in June under a new owner.",
        &[
            "The bakery closed in March.",
            "The bakery reopened in June.",
            "The bakery reopened under a new owner.",
        ],
    )]);
    let text = "The bakery closed in March. Reopened in June.";
    let claims = all(text);
    assert_eq!(claims[1].spans, [Span { start: 0, end: 10 }, Span { start: 28, end: 44 }]);
}

#[test]
fn relative_clauses_and_participles() {
    check(&[
        (
            "Maria Lopez, who founded the bakery in 1990, sold it to her son last year.",
            &[
                "Maria Lopez sold it.",
                "Maria Lopez sold it to her son.",
                "Maria Lopez sold it last year.",
                "Maria Lopez founded the bakery.",
                "Maria Lopez founded the bakery in 1990.",
            ],
        ),
        (
            "The man arrested in Madrid was released on bail.",
            &["The man was released.", "The man was released on bail.", "The man was arrested in Madrid."],
        ),
        (
            "Carlos Ruiz, born in Quito, won the race and thanked his coach.",
            &[
                "Carlos Ruiz won the race.",
                "Carlos Ruiz thanked his coach.",
                "Carlos Ruiz was born in Quito.",
            ],
        ),
        (
            "The company, based in Oslo, makes boats.",
            &["The company makes boats.", "The company is based in Oslo."],
        ),
        ("The dog that bit the boy was put down.", &["The dog was put down.", "The dog bit the boy."]),
        (
            "The report, published on Friday, criticised the bank and its managers.",
            &[
                "The report criticised the bank.",
                "The report criticised its managers.",
                "The report was published on Friday.",
            ],
        ),
        (
            "The boy who stole the bike and the girl who sold it were caught.",
            &[
                "The boy who stole the bike and the girl who sold it were caught.",
                "The boy stole the bike.",
                "The girl sold it.",
            ],
        ),
    ]);
}

#[test]
fn appositions_roles_and_ages() {
    check(&[
        (
            "Ellen Park, the mayor of Springfield, said that the bridge would reopen in May.",
            &[
                "Ellen Park said that the bridge would reopen in May.",
                "Ellen Park is the mayor of Springfield.",
            ],
        ),
        (
            "The film, a comedy about a plumber, opens on Friday.",
            &["The film opens on Friday.", "The film is a comedy about a plumber."],
        ),
        (
            "Her brother, a sailor from Malta, drowned in 1999.",
            &["Her brother drowned in 1999.", "Her brother was a sailor from Malta."],
        ),
        (
            "Lena Voss, 41, from Bonn, opened a school.",
            &["Lena Voss opened a school.", "Lena Voss is 41.", "Lena Voss is from Bonn."],
        ),
        (
            "City planner Omar Bell drew the map.",
            &["Omar Bell drew the map.", "Omar Bell is a City planner."],
        ),
        (
            "Ann Low, 21, and Joe Tan, 29, were locked out.",
            &["Ann Low was locked out.", "Joe Tan was locked out.", "Ann Low is 21.", "Joe Tan is 29."],
        ),
    ]);
}

#[test]
fn reported_speech_keeps_its_speaker() {
    check(&[
        (
            "Police believe the suspect fled to Spain and changed his name.",
            &["Police believe the suspect fled to Spain.", "Police believe the suspect changed his name."],
        ),
        (
            "She told reporters that she had lost her job and would move to Leeds.",
            &[
                "She told reporters that she had lost her job.",
                "She told reporters that she would move to Leeds.",
            ],
        ),
        (
            "The tower will be closed in May, a spokesman said.",
            &[
                "The tower will be closed, a spokesman said.",
                "The tower will be closed in May, a spokesman said.",
            ],
        ),
    ]);
    check_whole(&[
        "\"We will never give up and we will win,\" the coach said.",
        "Mr. Brown said the \"best and brightest\" had left the country.",
        "The company denied that it had dumped waste in the river.",
    ]);
}

#[test]
fn clauses_with_a_subject_of_their_own() {
    check(&[
        (
            "Engineers found cracks in the dam after the storm passed.",
            &[
                "Engineers found cracks.",
                "Engineers found cracks in the dam.",
                "Engineers found cracks after the storm passed.",
                "The storm passed.",
            ],
        ),
        (
            "While his wife slept, the guard stole the diamonds.",
            &[
                "The guard stole the diamonds.",
                "While his wife slept, the guard stole the diamonds.",
                "His wife slept.",
            ],
        ),
        (
            "The rocket exploded after it hit the tower, and two engineers were hurt.",
            &["The rocket exploded after it hit the tower.", "Two engineers were hurt.", "It hit the tower."],
        ),
        (
            "They did not win because they were lazy.",
            &["They did not win because they were lazy.", "They were lazy."],
        ),
    ]);
}

#[test]
fn lists_of_objects_and_of_subjects() {
    check(&[
        (
            "The thief stole apples, pears and a bicycle.",
            &["The thief stole apples.", "The thief stole pears.", "The thief stole a bicycle."],
        ),
        (
            "Chef Luis Ortega and writer Mona Field have published a book.",
            &["Chef Luis Ortega has published a book.", "Writer Mona Field has published a book."],
        ),
        (
            "Louise Hart and Emma Dean try the soup.",
            &["Louise Hart tries the soup.", "Emma Dean tries the soup."],
        ),
        (
            "Anna and Bob met in Paris on Tuesday.",
            &["Anna and Bob met in Paris.", "Anna and Bob met on Tuesday."],
        ),
        (
            "Smith and Wesson made revolvers in Springfield.",
            &["Smith and Wesson made revolvers.", "Smith and Wesson made revolvers in Springfield."],
        ),
        (
            "Marks & Spencer opened a store and sold hats.",
            &["Marks & Spencer opened a store.", "Marks & Spencer sold hats."],
        ),
        (
            "Both the father and the son were arrested in Rome.",
            &[
                "Both the father and the son were arrested.",
                "Both the father and the son were arrested in Rome.",
            ],
        ),
    ]);
    check_whole(&[
        "Smith and Wesson makes revolvers.",
        "Tom and his brother Jim are rivals.",
        "He is the son of a baker and a teacher.",
        "The orchestra will play Mozart in Vienna on May 5 and Brahms in Graz.",
    ]);
}

#[test]
fn names_dates_and_places_are_not_split() {
    check(&[
        (
            "He was born on June 5, 2014 in Paris, Texas.",
            &["He was born on June 5, 2014.", "He was born in Paris, Texas."],
        ),
        (
            "Raymond van Dalen, 75, of Akron, New Hampshire, went home.",
            &[
                "Raymond van Dalen went home.",
                "Raymond van Dalen is 75.",
                "Raymond van Dalen is of Akron, New Hampshire.",
            ],
        ),
    ]);
}

#[test]
fn both_after_the_verb_says_it_of_each() {
    check(&[
        (
            "The heart and the lungs are both normal when the patient rests.",
            &[
                "The heart is normal.",
                "The heart is normal when the patient rests.",
                "The lungs are normal.",
                "The lungs are normal when the patient rests.",
            ],
        ),
        ("Sodium and potassium were both low.", &["Sodium was low.", "Potassium was low."]),
        (
            "The liver and the spleen were both removed in May.",
            &[
                "The liver was removed.",
                "The liver was removed in May.",
                "The spleen was removed.",
                "The spleen was removed in May.",
            ],
        ),
        (
            "A and B are both normal when C happens.",
            &["A is normal.", "A is normal when C happens.", "B is normal.", "B is normal when C happens."],
        ),
        (
            "A and B are both normal if C happens.",
            &["A is normal if C happens.", "B is normal if C happens."],
        ),
    ]);
    check_whole(&[
        "They are both normal.",
        "The man and the boy are both brothers.",
        "The liver and the spleen are not both normal.",
        "The man and the boy are both fond of each other.",
        "The man or the boy is normal.",
    ]);
}
