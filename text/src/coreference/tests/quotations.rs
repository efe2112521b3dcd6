//! What others say.

use super::{assert_links, assert_nothing};

#[test]
fn a_quoted_pronoun_is_not_the_speaker() {
    assert_nothing(&["Peter Halloran was glad.", "\"I saw that he was ill,\" the nurse said."]);
    assert_nothing(&["Peter Halloran smiled: “I know that he was ill.”"]);
    assert_nothing(&["Peter Halloran smiled: 'I know that he was ill.'"]);
}

#[test]
fn a_quotation_by_itself() {
    assert_links(
        &["\"Peter Halloran was a friend.", "We all knew that he was ill.\""],
        &["Peter Halloran | he"],
    );
}

#[test]
fn a_name_in_a_quotation_is_not_outside() {
    assert_nothing(&["\"We all knew Peter Halloran well.\"", "That night he left the house."]);
}

#[test]
fn names_link_across_quotations() {
    assert_links(
        &["\"We all knew Peter Halloran,\" one said.", "Then Halloran came."],
        &["Peter Halloran | Halloran"],
    );
}

#[test]
fn apostrophes_open_no_quotation() {
    assert_links(
        &["Peter Halloran liked the players' mood in the '90s.", "There he was at home."],
        &["Peter Halloran | he"],
    );
}

#[test]
fn a_plural_inside_single_quotes() {
    assert_nothing(&["Peter Halloran smiled: 'In the players' mood I saw that he was ill.'"]);
}

#[test]
fn a_quotation_over_paragraphs() {
    assert_nothing(&["Peter Halloran smiled.", "\"It was late.", "\"I saw that he was ill.\""]);
}

#[test]
fn the_quoted_may_have_a_council_of_their_own() {
    assert_nothing(&[
        "The Quendon Council met.",
        "In Zentrix people laugh.",
        "A guide from Marlop said: \"Here the council sleeps.\"",
    ]);
}
