//! Verb groups: auxiliaries, negation, adverbs and the main verb.
//!
//! Decides where a group ends and what it says of itself: finite or not, passive, denied, a
//! copula. Refuses objects.

use super::nouns::in_list;
use super::tagger::{Tag, Word};
use super::verbs::Forms;
use super::words;

/// A verb group: words `start..end`, the main verb at `main`.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub start: usize,
    pub end: usize,
    /// The first verb: the one that agrees with the subject.
    pub first: usize,
    pub main: usize,
    pub finite: bool,
    /// The only verb form is one that may be past or participle.
    pub ambiguous: bool,
    pub passive: bool,
    pub denied: bool,
}

/// The verb group at `from`, adverbs before it included.
pub(super) fn verb_group(words: &[Word], from: usize, end: usize) -> Option<Group> {
    let mut place = from;
    let (mut first, mut main) = (None, None);
    let mut passive = false;
    while place < end {
        let word = &words[place];
        match word.tag {
            Tag::Adverb | Tag::Not => {
                if main.is_some_and(|main: usize| !is_auxiliary(words, main)) {
                    break;
                }
            }
            Tag::Modal => {
                if main.is_some() {
                    break;
                }
                (first, main) = (Some(place), Some(place));
            }
            Tag::Be | Tag::Have | Tag::Do | Tag::Verb => {
                if let Some(main) = main
                    && !continues(words, main, place)
                {
                    break;
                }
                passive |= word.is(Tag::Verb)
                    && word.forms.has(Forms::PARTICIPLE)
                    && main.is_some_and(|main| words[main].is(Tag::Be));
                first = first.or(Some(place));
                main = Some(place);
            }
            Tag::Quote if quoted_verb(words, place, end) && main.is_some() => {
                passive |= main.is_some_and(|main| words[main].is(Tag::Be));
                main = Some(place + 1);
                place += 2;
            }
            _ => break,
        }
        place += 1;
    }
    let (first, main) = (first?, main?);
    let mut stop = main + 1;
    if words.get(stop).is_some_and(|word| word.is(Tag::Quote)) && words[main - 1.min(main)].is(Tag::Quote) {
        stop += 1;
    }
    // "not" behind a copula belongs to it.
    while stop < end && words[stop].is(Tag::Not) {
        stop += 1;
    }
    stop = particle(words, main, stop, end);
    let denied = words[from..stop].iter().any(|word| {
        word.is(Tag::Not)
            || word.lower().ends_with("n't")
            || in_list("hardly barely scarcely rarely seldom only", word.lower())
    }) || words[first].lower() == "cannot";
    let forms = words[first].forms;
    let finite = words[first].is(Tag::Modal) || forms.has(Forms::THIRD.with(Forms::PAST).with(Forms::BASE));
    let ambiguous = first == main && forms.has(Forms::PAST) && forms.has(Forms::PARTICIPLE);
    Some(Group { start: from, end: stop, first, main, finite, ambiguous, passive, denied })
}

pub(super) fn is_auxiliary(words: &[Word], place: usize) -> bool {
    matches!(words[place].tag, Tag::Modal | Tag::Be | Tag::Have | Tag::Do)
}

/// Whether the verb at `place` goes on with the group whose last verb is at `before`.
fn continues(words: &[Word], before: usize, place: usize) -> bool {
    let forms = words[place].forms;
    match words[before].tag {
        Tag::Modal | Tag::Do => forms.has(Forms::BASE),
        Tag::Be => forms.has(Forms::PARTICIPLE.with(Forms::ING)),
        Tag::Have => forms.has(Forms::PARTICIPLE),
        _ => false,
    }
}

/// A single quoted verb: "has 'slammed' it".
fn quoted_verb(words: &[Word], place: usize, end: usize) -> bool {
    place + 2 < end && words[place + 1].is(Tag::Verb) && words[place + 2].is(Tag::Quote)
}

/// "up", "out" behind a verb belong to it.
fn particle(words: &[Word], main: usize, stop: usize, end: usize) -> usize {
    if stop >= end || is_auxiliary(words, main) || !in_list(words::PARTICLES, words[stop].lower()) {
        return stop;
    }
    let lower = words[stop].lower();
    let always = in_list("up down out off away back apart aside ahead together forward", lower);
    let noun_next = words.get(stop + 1).is_some_and(|next| {
        stop + 1 < end
            && matches!(
                next.tag,
                Tag::Noun
                    | Tag::Name
                    | Tag::Determiner
                    | Tag::Owner
                    | Tag::Adjective
                    | Tag::Pronoun
                    | Tag::Number
                    | Tag::Quote
                    | Tag::Verb
            )
    });
    if always || !noun_next { stop + 1 } else { stop }
}

/// Whether a finite verb group starts at `from`, adverbs before it looked through.
pub(super) fn finite_at(words: &[Word], from: usize, end: usize) -> bool {
    verb_group(words, from, end).is_some_and(|group| group.finite)
}
