//! Tags decided by neighbours.
//!
//! Decides the tag where the lists leave a choice: "after" before a noun or a clause, "'s" as a possessive or as "is".
//! Refuses verbs, which `verb_context` decides.

use super::ahead::{finite_ahead, is_plural_noun, is_subject_pronoun};
use super::left::Left;
use super::lexicon::verb_forms::Forms;
use super::verb_context::{settle_unknown, settle_verb};
use super::word::{Tag, Word};
use crate::text::token::TokenKind;

/// Decides all tags, from left to right.
pub(super) fn settle(words: &mut [Word]) {
    let mut left = Left::start(words);
    for place in 0..words.len() {
        settle_one(words, place, &left);
        left.note(words, place);
    }
}

fn settle_one(words: &mut [Word], place: usize, left: &Left) {
    match words[place].tag {
        Tag::Verb if is_following(words, place, left) => words[place].set(Tag::Preposition),
        Tag::Verb => settle_verb(words, place, left),
        Tag::Noun if matches!(left.before, Some(Tag::Modal | Tag::To)) => settle_unknown(words, place, left),
        Tag::Possessive => settle_possessive(words, place),
        Tag::That => settle_that(words, place, left),
        _ => {
            let found = by_word(words, place, left).or_else(|| by_class(words, place, left));
            words[place].tag = found.unwrap_or(words[place].tag);
            if words[place].is(Tag::Verb) {
                words[place].forms = Forms::BASE;
                words[place].base = words[place].lower().to_owned();
            }
        }
    }
}

/// Whether "following" is a preposition: "..., following the news".
fn is_following(words: &[Word], place: usize, left: &Left) -> bool {
    let verbal =
        matches!(left.before, Some(Tag::Be | Tag::Have | Tag::Modal | Tag::Do | Tag::To | Tag::Preposition));
    let modifier = matches!(left.before, Some(Tag::Determiner | Tag::PossessiveDeterminer | Tag::Adjective));
    words[place].lower() == "following" && !verbal && !modifier && place > 0
}

/// The tag of a word that has its own rule.
fn by_word(words: &[Word], place: usize, left: &Left) -> Option<Tag> {
    let next = words.get(place + 1);
    let last = place.checked_sub(1).and_then(|last| words.get(last));
    let next_is = |tags: &[Tag]| next.is_some_and(|next| tags.contains(&next.tag));
    let last_is = |tags: &[Tag]| last.is_some_and(|last| tags.contains(&last.tag));
    let next_reads = |text: &str| next.is_some_and(|next| next.lower() == text);
    match (words[place].lower(), words[place].tag) {
        ("ahead" | "instead" | "because", _) if next_reads("of") => Some(Tag::Preposition),
        ("due", Tag::Adjective) if next_reads("to") && left.before != Some(Tag::Be) => Some(Tag::Preposition),
        ("such", Tag::Determiner) if next_reads("as") => Some(Tag::Preposition),
        ("as", _) if last.is_some_and(|last| last.lower() == "such") => Some(Tag::Preposition),
        ("so", Tag::Adverb) if place > 2 && next_is(&[Tag::Pronoun, Tag::Determiner, Tag::Name]) => {
            Some(Tag::Coordinator)
        }
        ("her", Tag::PossessiveDeterminer) if !next.is_some_and(opens_nominal) => Some(Tag::Pronoun),
        ("first" | "last" | "late", Tag::Adjective) if next.is_some_and(is_plain_verb) => Some(Tag::Adverb),
        ("back", _) if last_is(&[Tag::Adjective, Tag::PossessiveDeterminer, Tag::Determiner]) => {
            Some(Tag::Noun)
        }
        ("may", Tag::Modal) if last.is_some_and(opens_month) => Some(Tag::Name),
        ("per", _) if last_is(&[Tag::Number]) && next_reads("cent") => Some(Tag::Noun),
        // A placeholder: "A and B", "A is".
        ("a", Tag::Determiner)
            if words[place].is_capital()
                && (next_is(&[Tag::Coordinator])
                    || ["is", "are", "was", "were"].into_iter().any(next_reads)) =>
        {
            Some(Tag::Name)
        }
        ("both" | "all" | "each", Tag::Determiner)
            if left.before == Some(Tag::Be)
                && next_is(&[Tag::Verb, Tag::Adjective, Tag::Adverb, Tag::Preposition]) =>
        {
            Some(Tag::Adverb)
        }
        ("back", _) if left.before == Some(Tag::To) && next.is_some_and(opens_nominal) => Some(Tag::Verb),
        ("all", Tag::Determiner) if next_is(&[Tag::Preposition]) && !next_reads("of") => Some(Tag::Adverb),
        // "the past few weeks"
        ("past", Tag::Preposition) if last_is(&[Tag::Determiner]) => Some(Tag::Adjective),
        ("few" | "several", Tag::Determiner) if last_is(&[Tag::Adjective]) => Some(Tag::Adjective),
        ("since", Tag::Subordinator) if left.before == Some(Tag::Have) => Some(Tag::Adverb),
        _ => None,
    }
}

/// The tag of a word whose class has a rule.
fn by_class(words: &[Word], place: usize, left: &Left) -> Option<Tag> {
    let word = &words[place];
    let next = words.get(place + 1);
    let determined = left.before == Some(Tag::Determiner);
    let plural_first = place == 0 && is_plural_noun(word.lower()) && next.is_some_and(follows_noun);
    let adverb_first = place == 0 && word.lower().ends_with("ly") && word.lower().len() > 7;
    match word.tag {
        Tag::Name if plural_first => Some(Tag::Noun),
        Tag::Name if adverb_first => Some(Tag::Adverb),
        Tag::Subordinator if is_preposition_here(words, place) => Some(Tag::Preposition),
        Tag::Do | Tag::Have if determined => Some(Tag::Noun),
        Tag::Modal if determined || left.before == Some(Tag::PossessiveDeterminer) => Some(Tag::Noun),
        Tag::Adjective if place > 0 && !left.all_capitals && word.is_capital() => Some(Tag::Name),
        _ => None,
    }
}

/// Whether "may" after the word is the month: "last may", "in may".
fn opens_month(word: &Word) -> bool {
    matches!(word.lower(), "last" | "next" | "in" | "since" | "until" | "of")
}

/// Whether a word is a verb and not also a noun: "first broke".
fn is_plain_verb(word: &Word) -> bool {
    word.is(Tag::Verb) && word.forms.has(Forms::PAST.with(Forms::THIRD)) && !word.forms.has(Forms::NOUN)
}

/// Whether the word before it, which opens the sentence, is a plural noun rather than a name.
fn follows_noun(word: &Word) -> bool {
    !matches!(word.tag, Tag::Name | Tag::Possessive | Tag::Comma) && !word.forms.has(Forms::THIRD)
}

/// Tags "'s" as a verb after a pronoun and before a determiner or "not".
fn settle_possessive(words: &mut [Word], place: usize) {
    if words[place].token.text.chars().count() < 2 {
        return;
    }
    let after_pronoun =
        place > 0 && matches!(words[place - 1].tag, Tag::Pronoun | Tag::Relative | Tag::That | Tag::Adverb);
    let opens = |next: &Word| next.is(Tag::Not) || (next.is(Tag::Determiner) && next.lower() != "most");
    let verbal = words.get(place + 1).is_some_and(opens);
    if after_pronoun || verbal {
        words[place].tag = Tag::Be;
        words[place].forms = Forms::THIRD;
        words[place].base = "be".into();
    }
}

/// Tags "that" at the start as a pronoun before a verb, and else as a determiner, as after a preposition.
fn settle_that(words: &mut [Word], place: usize, left: &Left) {
    let verb = |next: &Word| matches!(next.tag, Tag::Be | Tag::Modal | Tag::Have | Tag::Do | Tag::Verb);
    let at_start = left.before.is_none_or(|tag| matches!(tag, Tag::Break | Tag::Stop));
    if at_start && words.get(place + 1).is_some_and(verb) {
        words[place].tag = Tag::Pronoun;
    } else if at_start || left.before == Some(Tag::Preposition) {
        words[place].tag = Tag::Determiner;
    }
}

/// Whether the subordinator at `place` is a preposition: a noun without a verb follows ("after the match", but "after he
/// won").
fn is_preposition_here(words: &[Word], place: usize) -> bool {
    if !matches!(words[place].lower(), "after" | "before" | "since" | "until" | "as" | "than" | "till") {
        return false;
    }
    let object =
        |next: &Word| next.forms.has(Forms::ING) || (next.is(Tag::Pronoun) && !is_subject_pronoun(next));
    let verb_behind = |from: usize| finite_ahead(words, from, 14);
    // "as a "star" the paper praised"
    let quoted = |word: &Word| word.token.kind == TokenKind::OpenQuote;
    let role = words[place].lower() == "as"
        && (words.get(place + 1).is_some_and(quoted)
            || words.get(place + 1).is_some_and(|next| next.is(Tag::Determiner))
                && words.get(place + 2).is_some_and(quoted));
    role || words.get(place + 1).is_some_and(object) || !(verb_behind(place + 1) || is_aged(words, place))
}

/// Whether "Ann Hall, 46, came" or "Ann Hall, the mayor, came" follows the word at `place`.
fn is_aged(words: &[Word], place: usize) -> bool {
    let tag = |at: usize| words.get(at).map(|word| word.tag);
    let comma = (place + 1..place + 8).find(|&at| tag(at) == Some(Tag::Comma));
    comma.is_some_and(|comma| {
        let past = |at: usize| words.get(at).is_some_and(|word| word.forms.has(Forms::PAST));
        let aged = tag(comma + 1) == Some(Tag::Number) && tag(comma + 2) == Some(Tag::Comma);
        // "after Jo Hall, its manager, boasted"
        let role = matches!(tag(comma + 1), Some(Tag::PossessiveDeterminer | Tag::Determiner))
            && (comma + 2..comma + 7)
                .find(|&at| !matches!(tag(at), Some(Tag::Noun | Tag::Name | Tag::Adjective)))
                .is_some_and(|at| tag(at) == Some(Tag::Comma) && past(at + 1));
        aged && past(comma + 3) || role
    })
}

fn opens_nominal(word: &Word) -> bool {
    matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number | Tag::Verb | Tag::Quote)
        || (word.is(Tag::Adverb) && word.lower().ends_with("ly"))
}
