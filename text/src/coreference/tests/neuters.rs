//! "it" and "its".

use super::{MentionKind, assert_links, assert_nothing, kinds};

#[test]
fn it_in_what_an_organisation_says() {
    assert_links(&["Zentrix Widgets Ltd said it had cut jobs."], &["Zentrix Widgets Ltd | it"]);
    assert_links(
        &["Zentrix Widgets Ltd said on Monday that its plant was shut."],
        &["Zentrix Widgets Ltd | its"],
    );
    assert_links(&["The Quendon Council insists it will appeal."], &["Quendon Council | it"]);
    assert_links(&["France said it would appeal."], &["France | it"]);
}

#[test]
fn its_after_a_verb_of_the_organisation() {
    assert_links(&["Zentrix Widgets Ltd has quietly cut its forecast."], &["Zentrix Widgets Ltd | its"]);
    assert_eq!(
        kinds(&["Zentrix Widgets Ltd doubled its profit."]),
        [MentionKind::Name, MentionKind::PossessivePronoun]
    );
}

#[test]
fn it_as_the_continuing_speaker() {
    assert_links(
        &["Zentrix Widgets Ltd said the plant was shut.", "It added that jobs were safe."],
        &["Zentrix Widgets Ltd | It"],
    );
}

#[test]
fn expletive_it_is_refused() {
    assert_nothing(&["Zentrix Widgets Ltd said it was clear that jobs were safe."]);
    assert_nothing(&["Zentrix Widgets Ltd said it was important to wait."]);
    assert_nothing(&["Zentrix Widgets Ltd said it would rain."]);
    assert_nothing(&["Zentrix Widgets Ltd said it emerged that jobs were safe."]);
    assert_nothing(&["Zentrix Widgets Ltd said it is."]);
}

#[test]
fn ambiguous_it_is_refused() {
    assert_nothing(&["Zentrix Widgets Ltd bought the plant and its garden."]);
    assert_nothing(&["Zentrix Widgets Ltd closed.", "It was cold."]);
    assert_nothing(&["People in France said it would help."]);
    assert_nothing(&["Peter Halloran said it would help."]);
    assert_nothing(&["Zentrix Widgets Ltd was glad: \"Fans said it would help.\""]);
}
