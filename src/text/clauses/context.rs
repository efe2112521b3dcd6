//! Tags settled by neighbours.
//!
//! Decides what a word is where its lists leave a choice: "after" before a noun or a clause, "'s"
//! that owns or is. Refuses verbs, which `verb_context` settles.

use super::ahead::{finite_ahead, is_plural_noun, is_subject_pronoun};
use super::tagger::{Tag, Word};
use super::verb_context::{resolve_verb, unknown_verb};
use super::verbs::Forms;

/// Settles the tag at `place`, whose left neighbours are settled.
pub(super) fn resolve(words: &mut [Word], place: usize, has_finite: &mut bool, capitals: bool) {
    let before = neighbour(words, place);
    match words[place].tag {
        Tag::Verb => resolve_verb(words, place, before, *has_finite, capitals),
        Tag::Noun if matches!(before, Some(Tag::Modal | Tag::To)) => unknown_verb(words, place, before),
        Tag::Possessive => resolve_possessive(words, place),
        Tag::That => resolve_that(words, place, before),
        _ => {
            let found = by_word(words, place, before).or_else(|| by_class(words, place, before, capitals));
            words[place].tag = found.unwrap_or(words[place].tag);
        }
    }
    note_finite(words, place, has_finite);
}

/// The tag of a word that a rule names.
fn by_word(words: &[Word], place: usize, before: Option<Tag>) -> Option<Tag> {
    let next = words.get(place + 1);
    let last = place.checked_sub(1).and_then(|last| words.get(last));
    let next_is = |tags: &[Tag]| next.is_some_and(|next| tags.contains(&next.tag));
    let next_reads = |text: &str| next.is_some_and(|next| next.lower() == text);
    match (words[place].lower(), words[place].tag) {
        ("instead" | "because", _) if next_reads("of") => Some(Tag::Preposition),
        ("such", Tag::Determiner) if next_reads("as") => Some(Tag::Preposition),
        ("as", _) if last.is_some_and(|last| last.lower() == "such") => Some(Tag::Preposition),
        ("so", Tag::Adverb) if place > 2 && next_is(&[Tag::Pronoun, Tag::Determiner, Tag::Name]) => {
            Some(Tag::Coordinator)
        }
        ("her", Tag::Owner) if !next.is_some_and(opens_nominal) => Some(Tag::Pronoun),
        ("first" | "last" | "late", Tag::Adjective) if next.is_some_and(is_plain_verb) => Some(Tag::Adverb),
        ("back", _)
            if last.is_some_and(|last| matches!(last.tag, Tag::Adjective | Tag::Owner | Tag::Determiner)) =>
        {
            Some(Tag::Noun)
        }
        ("since", Tag::Subordinator) if before == Some(Tag::Have) => Some(Tag::Adverb),
        _ => None,
    }
}

/// The tag that a word of a class has beside others.
fn by_class(words: &[Word], place: usize, before: Option<Tag>, capitals: bool) -> Option<Tag> {
    let word = &words[place];
    let next = words.get(place + 1);
    let determined = before == Some(Tag::Determiner);
    match word.tag {
        Tag::Name if place == 0 && is_plural_noun(word.lower()) && next.is_some_and(follows_noun) => {
            Some(Tag::Noun)
        }
        Tag::Name if place == 0 && word.lower().ends_with("ly") && word.lower().len() > 7 => {
            Some(Tag::Adverb)
        }
        Tag::Subordinator if is_preposition_here(words, place) => Some(Tag::Preposition),
        Tag::Do | Tag::Have if determined => Some(Tag::Noun),
        Tag::Modal if determined || before == Some(Tag::Owner) => Some(Tag::Noun),
        Tag::Adjective if place > 0 && !capitals && word.token.text.starts_with(char::is_uppercase) => {
            Some(Tag::Name)
        }
        _ => None,
    }
}

/// Whether a word is a verb and no noun: "first broke".
fn is_plain_verb(word: &Word) -> bool {
    word.is(Tag::Verb) && word.forms.has(Forms::PAST.with(Forms::THIRD)) && !word.forms.has(Forms::NOUN)
}

/// Whether a word may follow a plural noun that opens a sentence, rather than a name.
fn follows_noun(word: &Word) -> bool {
    !matches!(word.tag, Tag::Name | Tag::Possessive | Tag::Comma) && !word.forms.has(Forms::THIRD)
}

/// Keeps whether the clause has its finite verb.
fn note_finite(words: &[Word], place: usize, has_finite: &mut bool) {
    let word = &words[place];
    match word.tag {
        Tag::Comma
        | Tag::Coordinator
        | Tag::Subordinator
        | Tag::That
        | Tag::Relative
        | Tag::Break
        | Tag::Quote => *has_finite = false,
        Tag::Be | Tag::Have | Tag::Modal | Tag::Do if !word.forms.has(Forms::ING) => *has_finite = true,
        Tag::Verb if word.forms.has(Forms::THIRD.with(Forms::BASE).with(Forms::PAST)) => {
            let reduced = word.forms.has(Forms::PARTICIPLE)
                && words.get(place + 1).is_some_and(|next| next.lower() == "by");
            *has_finite |= !reduced;
        }
        _ => {}
    }
}

/// The tag left of `place`, adverbs and quotes looked through.
fn neighbour(words: &[Word], place: usize) -> Option<Tag> {
    words[..place]
        .iter()
        .rev()
        .map(|word| word.tag)
        .find(|tag| !matches!(tag, Tag::Adverb | Tag::Not | Tag::Quote))
}

/// "'s" is a verb behind a pronoun and before a determiner or "not".
fn resolve_possessive(words: &mut [Word], place: usize) {
    if words[place].token.text.chars().count() < 2 {
        return;
    }
    let after_pronoun =
        place > 0 && matches!(words[place - 1].tag, Tag::Pronoun | Tag::Relative | Tag::That | Tag::Adverb);
    let verbal = words.get(place + 1).is_some_and(|next| matches!(next.tag, Tag::Determiner | Tag::Not));
    if after_pronoun || verbal {
        words[place].tag = Tag::Be;
        words[place].forms = Forms::THIRD;
        words[place].base = "be".into();
    }
}

/// "that" is a determiner before a noun that no verb follows, a pronoun before a verb at the start.
fn resolve_that(words: &mut [Word], place: usize, before: Option<Tag>) {
    let next_tag = words.get(place + 1).map(|next| next.tag);
    let at_start = before.is_none_or(|tag| matches!(tag, Tag::Break | Tag::Stop));
    let verbal =
        next_tag.is_some_and(|tag| matches!(tag, Tag::Be | Tag::Modal | Tag::Have | Tag::Do | Tag::Verb));
    if at_start && verbal {
        words[place].tag = Tag::Pronoun;
    } else if before == Some(Tag::Preposition) || at_start {
        words[place].tag = Tag::Determiner;
    }
}

/// "after the match" has a noun and no verb behind it; "after he won" has both.
fn is_preposition_here(words: &[Word], place: usize) -> bool {
    if !matches!(words[place].lower(), "after" | "before" | "since" | "until" | "as" | "than" | "till") {
        return false;
    }
    let next = words.get(place + 1);
    if next.is_some_and(|next| {
        next.forms.has(Forms::ING) || (next.is(Tag::Pronoun) && !is_subject_pronoun(next))
    }) {
        return true;
    }
    !finite_ahead(words, place + 1, 14)
}

fn opens_nominal(word: &Word) -> bool {
    matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number | Tag::Verb | Tag::Quote)
        || (word.is(Tag::Adverb) && word.lower().ends_with("ly"))
}
