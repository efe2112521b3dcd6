//! Verb groups: auxiliaries, negation, adverbs and the main verb.
//!
//! Decides where a group ends and its properties: finite, passive, negated. Refuses objects.

use super::super::lexicon::classes;
use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::{Tag, Word};

/// A verb group: words `start..end`, the main verb at `main`.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The first verb, which agrees with the subject.
    pub(crate) first: usize,
    pub(crate) main: usize,
    pub(crate) finite: bool,
    /// The group is one verb that may be a past form or a participle.
    pub(crate) ambiguous: bool,
    pub(crate) passive: bool,
    pub(crate) negated: bool,
}

/// The verb group at `from`, adverbs before it included.
pub(crate) fn verb_group(words: &[Word], from: usize, end: usize) -> Option<Group> {
    let (first, main, passive) = verbs(words, from, end)?;
    let stop = behind(words, main, end);
    let negates = |word: &Word| {
        word.is(Tag::Not) || word.lower().ends_with("n't") || classes::NEGATING_ADVERBS.contains(word.lower())
    };
    let negated = words[from..stop].iter().any(negates) || words[first].lower() == "cannot";
    let forms = words[first].forms;
    let finite = words[first].is(Tag::Modal) || forms.has(Forms::THIRD.with(Forms::PAST).with(Forms::BASE));
    let ambiguous = first == main && forms.has(Forms::PAST) && forms.has(Forms::PARTICIPLE);
    Some(Group { start: from, end: stop, first, main, finite, ambiguous, passive, negated })
}

/// The first and the last verb of the group at `from`, and whether it is passive.
fn verbs(words: &[Word], from: usize, end: usize) -> Option<(usize, usize, bool)> {
    let mut found: Option<(usize, usize, bool)> = None;
    let mut place = from;
    while place < end {
        let word = &words[place];
        match (word.tag, found) {
            (Tag::Adverb | Tag::Not, Some((_, main, _))) if !is_auxiliary(words, main) => break,
            (Tag::Adverb | Tag::Not, _) => {}
            (Tag::Modal | Tag::Be | Tag::Have | Tag::Do | Tag::Verb, None) => {
                found = Some((place, place, false));
            }
            (Tag::Be | Tag::Have | Tag::Do | Tag::Verb, Some((first, main, passive)))
                if continues(words, main, place) =>
            {
                let by_be = words[main].is(Tag::Be) && word.is(Tag::Verb);
                found = Some((first, place, passive || by_be && word.forms.has(Forms::PARTICIPLE)));
            }
            (Tag::Quote, Some((first, main, passive))) if is_quoted_verb(words, place, end) => {
                found = Some((first, place + 1, passive || words[main].is(Tag::Be)));
                place += 2;
            }
            _ => break,
        }
        place += 1;
    }
    found
}

/// The end of a group whose last verb is at `main`: after its quotation mark, "not" and particle.
fn behind(words: &[Word], main: usize, end: usize) -> usize {
    let mut stop = main + 1;
    if main > 0 && words[main - 1].is(Tag::Quote) && stop < end && words[stop].is(Tag::Quote) {
        stop += 1;
    }
    while stop < end && words[stop].is(Tag::Not) {
        stop += 1;
    }
    if has_particle(words, main, stop, end) { stop + 1 } else { stop }
}

pub(crate) fn is_auxiliary(words: &[Word], place: usize) -> bool {
    matches!(words[place].tag, Tag::Modal | Tag::Be | Tag::Have | Tag::Do)
}

/// Whether the verb at `place` belongs to the group whose last verb is at `before`.
fn continues(words: &[Word], before: usize, place: usize) -> bool {
    let forms = words[place].forms;
    match words[before].tag {
        Tag::Modal | Tag::Do => forms.has(Forms::BASE),
        Tag::Be => forms.has(Forms::PARTICIPLE.with(Forms::ING)),
        Tag::Have => forms.has(Forms::PARTICIPLE) || words[place].lower() == "had",
        _ => false,
    }
}

/// A single quoted verb: "has 'slammed' it".
fn is_quoted_verb(words: &[Word], place: usize, end: usize) -> bool {
    place + 2 < end && words[place + 1].is(Tag::Verb) && words[place + 2].is(Tag::Quote)
}

/// Whether the word at `stop` is a particle of the verb at `main`: "up", "out".
fn has_particle(words: &[Word], main: usize, stop: usize, end: usize) -> bool {
    if stop >= end || is_auxiliary(words, main) || !classes::PARTICLES.contains(words[stop].lower()) {
        return false;
    }
    // "was seen along with his wife"
    if words[stop].lower() == "along" && words.get(stop + 1).is_some_and(|next| next.lower() == "with") {
        return false;
    }
    let opens_object = |word: &Word| {
        matches!(word.tag, Tag::Noun | Tag::Name | Tag::Pronoun | Tag::Number | Tag::Quote | Tag::Verb)
            || matches!(word.tag, Tag::Determiner | Tag::PossessiveDeterminer | Tag::Adjective)
    };
    let noun_follows = stop + 1 < end && opens_object(&words[stop + 1]);
    !noun_follows || classes::FREE_PARTICLES.contains(words[stop].lower())
}

/// Whether a finite verb group, with any adverbs before it, starts at `from`.
pub(crate) fn finite_at(words: &[Word], from: usize, end: usize) -> bool {
    verb_group(words, from, end).is_some_and(|group| group.finite)
}
