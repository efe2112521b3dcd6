//! Pronouns and names in quotations.

use super::{assert_links, assert_nothing};

#[test]
fn quoted_pronoun_is_not_the_speaker() {
    assert_nothing(&["Peter Halloran was glad.", "\"I saw that he was ill,\" the nurse said."]);
    assert_nothing(&["Peter Halloran smiled: “I know that he was ill.”"]);
    assert_nothing(&["Peter Halloran smiled: 'I know that he was ill.'"]);
}

#[test]
fn pronouns_within_one_quotation() {
    assert_links(
        &["\"Peter Halloran was a friend.", "We all knew that he was ill.\""],
        &["Peter Halloran | he"],
    );
}

#[test]
fn quoted_name_is_not_an_antecedent_outside() {
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
fn apostrophes_do_not_open_quotations() {
    assert_links(
        &["Peter Halloran liked the players' mood in the '90s.", "There he was at home."],
        &["Peter Halloran | he"],
    );
}

#[test]
fn quotation_over_several_paragraphs() {
    assert_nothing(&["Peter Halloran smiled.", "\"It was late.", "\"I saw that he was ill.\""]);
}
