//! Invented sentences and the claims they make, and what holds for any text.

use proptest::prelude::*;

use super::super::sentences::sentences;
use super::super::span::Span;
use super::{Clause, clauses};

fn all(text: &str) -> Vec<Clause> {
    sentences(text).into_iter().flat_map(|span| clauses(text, span.start..span.end)).collect()
}

fn texts(text: &str) -> Vec<String> {
    all(text).into_iter().map(|claim| claim.text).collect()
}

/// Checks sentences, each with the claims it makes, one a line.
fn check(cases: &[(&str, &[&str])]) {
    for (sentence, claims) in cases {
        assert_eq!(&texts(sentence), claims, "{sentence}");
    }
}

/// Checks sentences that make one claim: themselves.
fn check_whole(sentences: &[&str]) {
    for sentence in sentences {
        assert_eq!(texts(sentence), [*sentence]);
    }
}

#[test]
fn phrases_split_off() {
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
fn verbs_get_their_subject_back() {
    check(&[
        (
            "He unlocked the door, walked in and turned on the light.",
            &["He unlocked the door.", "He walked in.", "He turned on the light."],
        ),
        (
            "The suspect was found and taken to a clinic.",
            &["The suspect was found.", "The suspect was taken.", "The suspect was taken to a clinic."],
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
fn a_sentence_without_a_subject_takes_the_one_before() {
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
fn what_is_said_keeps_who_says_it() {
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
fn names_dates_and_places_stay_together() {
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
fn denial_condition_and_quantity_are_not_taken_apart() {
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
fn what_is_no_sentence_stays_as_it_is() {
    check_whole(&[
        "Hello",
        "Ünter die Räder",
        "🦀🦀🦀",
        "Sehr geehrte Damen und Herren, wir haben das Haus verkauft.",
        "2014",
        "A night to remember",
        "Read more here",
    ]);
    assert!(texts("").is_empty());
    assert!(clauses("short", 90..99).is_empty());
}

#[test]
fn long_and_odd_texts_end() {
    for piece in [
        "and ",
        "that he said ",
        "who was ",
        "\"",
        "' ",
        "if ",
        ", ",
        "of the man ",
        "because he ran ",
        "( ",
        "to be ",
    ] {
        let text = piece.repeat(5_000);
        let claims = all(&text);
        assert!(!claims.is_empty() || text.trim().is_empty());
    }
}

proptest! {
    #[test]
    fn claims_hold_their_promises(text in any_text()) {
        for sentence in sentences(&text) {
            let claims = clauses(&text, sentence.start..sentence.end);
            prop_assert!(!claims.is_empty());
            for claim in &claims {
                prop_assert!(!claim.text.trim().is_empty() && !claim.spans.is_empty());
                for span in &claim.spans {
                    prop_assert!(!span.is_empty() && span.end <= text.chars().count());
                    prop_assert!(!span.slice(&text).trim().is_empty());
                }
            }
            prop_assert_eq!(&claims, &clauses(&text, sentence.start..sentence.end));
        }
    }
}

/// Words that rules look at in any order, between arbitrary text.
fn any_text() -> impl Strategy<Value = String> {
    let words = "The man was arrested in Paris, who said that and or not if 'quote' \"x\" ( ) - : ; Ann Hall, 41, the mayor of Rome told him to win \
        because it is 3,000 £5m Zoë’s 🦀 does n't seen by Smith & Co. May 5, 2014 both neither nor 's while running has been is.";
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let sentence =
        prop::collection::vec(prop::sample::select(words), 0..40).prop_map(|words| words.join(" "));
    prop_oneof![3 => sentence, 1 => ".{0,200}"]
}
