//! Acronyms in brackets.

use super::{assert_links, assert_nothing};

#[test]
fn introduced_in_brackets() {
    assert_links(
        &["The Global Otter Society (GOS) met.", "Members of the GOS were glad."],
        &["Global Otter Society | GOS | GOS"],
    );
}

#[test]
fn link_words_may_be_skipped() {
    assert_links(
        &["The Department for Otters (DfO) met.", "Then DfO voted."],
        &["Department for Otters | DfO | DfO"],
    );
}

#[test]
fn acronyms_that_look_like_pronouns() {
    assert_links(
        &["The World Herring Office (WHO) met.", "Nobody at the WHO knew who had called."],
        &["World Herring Office | WHO | WHO"],
    );
}

#[test]
fn letters_that_do_not_match_are_refused() {
    assert_nothing(&["The Global Otter Society (GTS) met.", "Members of the GTS were glad."]);
    assert_nothing(&["He ran for the left wing (RW) here.", "The RW lost."]);
}

#[test]
fn acronyms_with_two_meanings_are_refused() {
    assert_nothing(&[
        "The Global Otter Society (GOS) met.",
        "So did the Green Orchard Scheme (GOS).",
        "Members of the GOS were glad.",
    ]);
}

#[test]
fn brackets_without_words_before_them() {
    assert_nothing(&["(GOS) met.", "The GOS and (", "GOS) left."]);
}
