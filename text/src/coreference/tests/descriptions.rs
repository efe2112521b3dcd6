//! Definite descriptions: "the company".

use super::{MentionKind, assert_links, assert_nothing, kinds};

#[test]
fn apposition() {
    assert_links(
        &["Zentrix, a software company, hired staff.", "Rents rose, so the company moved."],
        &["Zentrix | the company"],
    );
    assert_eq!(
        kinds(&["Zentrix, a software company, hired staff.", "Rents rose, so the company moved."]),
        [MentionKind::Name, MentionKind::Description]
    );
}

#[test]
fn noun_after_is_or_before_the_name() {
    assert_links(
        &["In Kent, Zentrix is a charity.", "Rents rose, so the charity moved."],
        &["Zentrix | the charity"],
    );
    assert_links(
        &["Staff at the charity Zentrix left.", "Rents rose, so the charity moved."],
        &["Zentrix | the charity"],
    );
}

#[test]
fn noun_in_the_name() {
    assert_links(
        &["The Quendon Council met.", "At noon the council's roof fell."],
        &["Quendon Council | the council"],
    );
    assert_links(
        &["The University of Quendon is old.", "At noon the university closed."],
        &["University of Quendon | the university"],
    );
}

#[test]
fn age() {
    assert_links(
        &["Police found Ondrej Zelenka, 31, in Leeds.", "They say the 31-year-old fled."],
        &["Ondrej Zelenka | the 31-year-old"],
    );
    assert_nothing(&[
        "Police found Ondrej Zelenka, 31, and Peter Oakes, 31.",
        "They say the 31-year-old fled.",
    ]);
    assert_nothing(&["Police found Ondrej Zelenka, 31, in Leeds.", "They say a 31-year-old fled."]);
}

#[test]
fn office() {
    assert_links(
        &["The guests met Prime Minister Alan Tregarth.", "At noon the prime minister left."],
        &["Prime Minister Alan Tregarth | the prime minister"],
    );
    assert_nothing(&[
        "The guests met former Prime Minister Alan Tregarth.",
        "At noon the prime minister left.",
    ]);
    assert_nothing(&[
        "The guests met Prime Minister Alan Tregarth.",
        "There was an Irish prime minister too.",
        "At noon the prime minister left.",
    ]);
}

#[test]
fn role_refers_until_somebody_else_is_named() {
    assert_links(
        &["The winner was sprinter Ondrej Zelenka.", "At noon the sprinter left."],
        &["Ondrej Zelenka | the sprinter"],
    );
    assert_nothing(&[
        "The winner was sprinter Ondrej Zelenka.",
        "Next to him was Peter Oakes.",
        "At noon the sprinter left.",
    ]);
}

#[test]
fn noun_that_describes_two_is_refused() {
    assert_nothing(&[
        "Zentrix, a company, and Marlop, a company, merged.",
        "Rents rose, so the company moved.",
    ]);
    assert_nothing(&[
        "Zentrix, a company, hired staff.",
        "A rival company moved.",
        "Then the company closed.",
    ]);
    assert_nothing(&[
        "Zentrix, a company, hired staff.",
        "Most companies moved.",
        "Then the company closed.",
    ]);
}

#[test]
fn another_organisation_in_between_is_refused() {
    assert_nothing(&[
        "Zentrix, a company, hired staff.",
        "At first Marlop laughed.",
        "Then the company closed.",
    ]);
}

#[test]
fn parts_of_longer_phrases_are_refused() {
    assert_nothing(&["Zentrix, a company, hired staff.", "Then the company car broke."]);
    assert_nothing(&["Zentrix, a company, hired staff.", "Then the company of friends broke."]);
}

#[test]
fn definite_apposition_is_a_mention() {
    assert_links(
        &["Ondrej Zelenka, the captain of the home side, left."],
        &["Ondrej Zelenka | the captain of the home side"],
    );
    assert_links(
        &["Peter Oakes, the Reds number eight, left.", "So the number was free."],
        &["Peter Oakes | the Reds number eight"],
    );
    assert_nothing(&["Peter Oakes, the former captain of the side, left."]);
    assert_nothing(&["Peter Oakes, the captain, and Marlop came."]);
    assert_nothing(&["Peter Oakes, the son of Simon Oakes, left."]);
}
