//! "he" and "she".

use super::{MentionKind, assert_links, assert_nothing, kinds};

#[test]
fn only_person_of_two_sentences() {
    assert_links(
        &["Peter Halloran resigned on Friday.", "He had led the firm for years.", "Shares fell."],
        &["Peter Halloran | He"],
    );
    assert_links(&["Critics praised Peter Halloran when he retired."], &["Peter Halloran | he"]);
}

#[test]
fn kinds_of_pronouns() {
    assert_eq!(
        kinds(&["Martha Dunmore sold her car.", "A thief had followed her.", "The car was hers."]),
        [MentionKind::Name, MentionKind::PossessivePronoun]
    );
    assert_eq!(
        kinds(&["Martha Dunmore was ill.", "Doctors helped her at once.", "She thanked her nurses."]),
        [MentionKind::Name, MentionKind::Pronoun, MentionKind::Pronoun, MentionKind::PossessivePronoun]
    );
}

#[test]
fn chain_of_pronouns() {
    assert_links(
        &["Peter Halloran resigned.", "He had been ill.", "In June he moved to Spain.", "There he died."],
        &["Peter Halloran | He | he | he"],
    );
}

#[test]
fn two_people_of_one_gender_are_ambiguous() {
    assert_nothing(&["Peter Halloran met Simon Oakes.", "Everybody knew that he was ill."]);
    assert_nothing(&["Peter Halloran met Simon Oakes, and everybody knew that he was ill."]);
}

#[test]
fn gender_resolves_two_people() {
    assert_links(
        &["Peter Halloran met Martha Dunmore in town.", "Everybody knew that she was ill."],
        &["Martha Dunmore | she"],
    );
    assert_links(
        &["The novel is by actress Zelda Wrexley and Peter Halloran.", "Everybody knew that she was ill."],
        &["Zelda Wrexley | she"],
    );
}

#[test]
fn person_of_unknown_gender_must_be_the_only_one() {
    assert_links(
        &["Critics praised singer Bisko Ramande.", "At home she is a star."],
        &["Bisko Ramande | she"],
    );
    assert_nothing(&["Peter Halloran met singer Bisko Ramande.", "At home she is a star."]);
}

#[test]
fn titles_give_gender() {
    assert_links(&["Shares of Mr Ramande fell.", "At home he is a star."], &["Mr Ramande | he"]);
    assert_nothing(&["Critics praised Mrs Ramande.", "At home he is a star."]);
}

#[test]
fn unnamed_people_make_pronouns_ambiguous() {
    assert_nothing(&["A teacher saw Peter Halloran.", "Everybody knew that he was ill."]);
    assert_nothing(&["Peter Halloran called the doctor, and everybody knew that he was ill."]);
    assert_nothing(&["Someone saw Peter Halloran.", "Everybody knew that he was ill."]);
    assert_nothing(&["Peter Halloran met a 40-year-old.", "Everybody knew that he was ill."]);
    assert_nothing(&["Peter Halloran met the Frenchman.", "Everybody knew that he was ill."]);
    assert_links(
        &["Peter Halloran met an actress.", "Everybody knew that he was ill."],
        &["Peter Halloran | he"],
    );
}

#[test]
fn descriptions_of_the_same_person_are_not_ambiguous() {
    assert_links(
        &["Peter Halloran, 61, a retired teacher, lives in Kent.", "In June he moved."],
        &["Peter Halloran | he"],
    );
    assert_links(&["Peter Halloran is a retired teacher.", "In June he moved."], &["Peter Halloran | he"]);
    assert_links(
        &["The retired teacher Peter Halloran lives in Kent.", "In June he moved."],
        &["Peter Halloran | he"],
    );
    assert_nothing(&["At dusk Peter Halloran slept.", "There was a teacher next door, and he moved."]);
}

#[test]
fn names_of_unknown_kind_make_pronouns_ambiguous() {
    assert_nothing(&["Peter Halloran wrote to Ramande.", "Everybody knew that he was ill."]);
    assert_links(
        &["Peter Halloran wrote to the Ramande.", "Everybody knew that he was ill."],
        &["Peter Halloran | he"],
    );
}

#[test]
fn unresolved_pronouns_make_pronouns_ambiguous() {
    assert_nothing(&[
        "Peter Halloran met Simon Oakes.",
        "Everybody knew that he was ill.",
        "In June he died.",
    ]);
}

#[test]
fn antecedents_two_sentences_back_are_refused() {
    assert_nothing(&["Peter Halloran resigned.", "Shares fell.", "In June he moved to Spain."]);
}

#[test]
fn later_names_are_refused() {
    assert_nothing(&["Simon Oakes spoke on Monday.", "In his speech, Peter Halloran attacked the plan."]);
    assert_nothing(&["When he was ten, Peter Halloran moved."]);
}

#[test]
fn object_is_not_its_own_subject() {
    assert_nothing(&["Peter Halloran admired him."]);
    assert_nothing(&["Martha Dunmore told her the truth."]);
    assert_links(&["Peter Halloran left because nobody liked him."], &["Peter Halloran | him"]);
}

#[test]
fn possessor_of_a_death_is_not_the_subject() {
    assert_nothing(&["President Alan Tregarth announced his death."]);
}

#[test]
fn two_speakers_are_ambiguous() {
    assert_nothing(&[
        "Peter Halloran said it was late, but Simon Oakes said it was early.",
        "He added that the club was sad.",
    ]);
    assert_nothing(&["The coach said Peter Halloran was ill.", "He added that the club was sad."]);
}

#[test]
fn an_unnamed_person_in_the_sentence_before_is_refused() {
    assert_nothing(&["Peter Halloran moved to the home of a teacher.", "He lives there still."]);
    assert_nothing(&["Peter Halloran said that a teacher was ill.", "He added that it was late."]);
}

#[test]
fn groups_and_reflexives_are_refused() {
    assert_nothing(&["Peter Halloran resigned.", "They were glad, and themselves to blame."]);
    assert_nothing(&["Peter Halloran hurt himself."]);
}
