//! Full names and their parts.

use super::{MentionKind, assert_links, assert_nothing, kinds};

#[test]
fn surname_of_a_full_name() {
    assert_links(
        &["The prize went to Peter Halloran on Monday.", "Critics liked what Halloran wrote."],
        &["Peter Halloran | Halloran"],
    );
    assert_eq!(
        kinds(&["The prize went to Peter Halloran.", "Critics liked what Halloran wrote."]),
        [MentionKind::Name, MentionKind::Name]
    );
}

#[test]
fn first_name_of_a_full_name() {
    assert_links(
        &["Neighbours last saw Martha Dunmore at noon.", "They say Martha left in a hurry."],
        &["Martha Dunmore | Martha"],
    );
}

#[test]
fn titles_belong_to_the_mention() {
    assert_links(
        &["Angela Whitcombe spoke first.", "Then Dr Whitcombe sat down.", "Many thanked Mrs Whitcombe."],
        &["Angela Whitcombe | Dr Whitcombe | Mrs Whitcombe"],
    );
    assert_links(
        &["The guests met Prime Minister Alan Tregarth.", "Later Mr Tregarth flew home."],
        &["Prime Minister Alan Tregarth | Mr Tregarth"],
    );
    assert_links(
        &["The party honoured Sir Edmund Varley.", "Everyone likes Sir Edmund."],
        &["Sir Edmund Varley | Sir Edmund"],
    );
}

#[test]
fn possessive_is_not_part_of_the_mention() {
    assert_links(
        &["We spoke to Peter Halloran’s agent.", "The agent has read Halloran's book."],
        &["Peter Halloran | Halloran"],
    );
}

#[test]
fn shared_surname_is_refused() {
    assert_nothing(&[
        "The prize went to Peter Halloran and Simon Halloran.",
        "Critics liked what Halloran wrote.",
    ]);
    assert_nothing(&["We met Peter Halloran.", "His wife, Mrs Halloran, was away.", "Then Halloran left."]);
}

#[test]
fn title_resolves_a_shared_surname() {
    assert_links(
        &["We met Peter Halloran and Lucy Halloran.", "Then Mr Halloran left.", "Soon Ms Halloran went too."],
        &["Peter Halloran | Mr Halloran", "Lucy Halloran | Ms Halloran"],
    );
}

#[test]
fn title_of_another_gender_is_another_person() {
    assert_nothing(&["The prize went to Peter Halloran.", "It was Mrs Halloran who came."]);
}

#[test]
fn shared_first_name_is_refused() {
    assert_nothing(&["We met Martha Dunmore and Martha Quilley.", "They say Martha left."]);
}

#[test]
fn places_are_not_people() {
    assert_nothing(&["The novel by Jack London sold well.", "Few had ever been to London."]);
}

#[test]
fn surname_in_another_entitys_name_is_refused() {
    assert_nothing(&[
        "The firm of Henry Tolliver was sold.",
        "Shares of Tolliver Motors rose.",
        "At last Tolliver rose.",
    ]);
}

#[test]
fn surname_of_an_unknown_person_is_refused() {
    assert_nothing(&["We met Peter Halloran.", "Then came Zbyszko Halloran.", "At last Halloran left."]);
}

#[test]
fn foreign_names_need_evidence() {
    assert_nothing(&["We walked through Ostrava Zelenka.", "They say Zelenka is nice."]);
    assert_links(
        &["The goal was scored by striker Ondrej Zelenka.", "They say Zelenka is nice."],
        &["Ondrej Zelenka | Zelenka"],
    );
    assert_links(
        &["The suspect is Ondrej Zelenka.", "Police say Mr Zelenka fled."],
        &["Ondrej Zelenka | Mr Zelenka"],
    );
}

#[test]
fn particles_belong_to_the_surname() {
    assert_links(
        &["They hired coach Ruud van Houten.", "They like van Houten.", "Nobody asked Van Houten."],
        &["Ruud van Houten | van Houten | Van Houten"],
    );
}

#[test]
fn first_name_that_looks_like_a_particle() {
    assert_links(
        &["The prize went to Della Whitcombe.", "Critics liked what Whitcombe wrote."],
        &["Della Whitcombe | Whitcombe"],
    );
}

#[test]
fn initials_and_juniors() {
    assert_links(
        &["We met Peter J. Halloran.", "It was Peter Halloran who paid."],
        &["Peter J. Halloran | Peter Halloran"],
    );
    assert_nothing(&["We met Peter Halloran Jr and Peter Halloran.", "Then Halloran left."]);
}

#[test]
fn everyday_word_at_the_start_of_a_sentence() {
    assert_nothing(&["The prize went to Peter Snow.", "Snow fell all night."]);
    assert_links(&["The prize went to Peter Snow.", "Snow said that it was late."], &["Peter Snow | Snow"]);
}

#[test]
fn months_are_names_after_a_title() {
    assert_links(
        &["The vote pleased Theresa May.", "In May it rained.", "Nobody saw Mrs May."],
        &["Theresa May | Mrs May"],
    );
}

#[test]
fn royals_have_no_surname() {
    assert_links(&["The crowd saw Prince Oliver.", "Then Oliver waved."], &["Prince Oliver | Oliver"]);
    assert_nothing(&["The crowd saw Prince Oliver and Oliver Bates.", "Then Oliver waved."]);
}

#[test]
fn companies_without_their_legal_form() {
    assert_links(
        &["The plant belongs to Zentrix Widgets Ltd.", "Jobs at Zentrix Widgets are rare."],
        &["Zentrix Widgets Ltd | Zentrix Widgets"],
    );
}

#[test]
fn shared_first_word_of_companies_is_refused() {
    assert_nothing(&[
        "The plant belongs to Zentrix Widgets Ltd.",
        "Zentrix Cables plc built the road.",
        "In June Zentrix hired staff.",
    ]);
}

#[test]
fn places_are_not_short_names() {
    assert_nothing(&["The plant belongs to London Widgets Ltd.", "It rained in London."]);
}

#[test]
fn equal_names_of_several_words() {
    assert_links(
        &["A storm hit the Lower Quendon Valley.", "Homes in the Lower Quendon Valley were flooded."],
        &["Lower Quendon Valley | Lower Quendon Valley"],
    );
    assert_nothing(&["A storm hit Quendon.", "Homes in Quendon were flooded."]);
}

#[test]
fn longer_names_are_different_names() {
    assert_nothing(&["We met Peter Halloran.", "The Peter Halloran Hospital is new."]);
}

#[test]
fn offices_alone_are_not_names() {
    assert_nothing(&["The Prime Minister spoke.", "Then the British Prime Minister left."]);
}
