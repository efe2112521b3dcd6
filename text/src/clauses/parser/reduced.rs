//! Participles between a subject and its verb: "The man arrested in Madrid was released."
//!
//! Decides whether a verb after a noun modifies it, which requires another verb for the noun, and where that verb is.
//! Refuses the claim that the participle makes, which `participles` adds.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::verb_kinds;
use super::super::tagging::ahead::finite_ahead;
use super::super::tagging::{Tag, Word};
use super::Parser;
use super::groups::{Group, finite_at, verb_group};
use super::nouns::Noun;

impl Parser<'_, '_> {
    /// Whether the verb at `place` modifies `noun` before it.
    pub(crate) fn is_reduced(&self, noun: &Noun, place: usize, end: usize) -> bool {
        let word = &self.words[place];
        let Some(group) = verb_group(self.words, place, end) else { return false };
        if word.forms.has(Forms::ING) {
            return true;
        }
        // "Ann Hall sent a letter"
        if noun.name && !noun.determined && noun.end == noun.core_end && place == noun.end {
            return false;
        }
        if word.base == "say" {
            return false;
        }
        let says = word.forms.has(Forms::PAST)
            && verb_kinds::CLAUSAL.contains(&word.base)
            && self.has_clause(group.end, end);
        let bare = group.end == place + 1 && self.tag(place + 1, end).is_some_and(follows_bare_participle);
        let stop = self.behind_twin(&group, end);
        let bare = bare || stop > group.end;
        !says
            && (bare || finite_strictly(&self.words[..end], group.end, 10))
            && word.forms.has(Forms::PARTICIPLE)
            && group.first == group.main
            && self.has_verb_of_its_own(stop, self.before_clause(group.end, end))
    }

    /// The place after two joined participles: "killed and injured".
    fn behind_twin(&self, group: &Group, end: usize) -> usize {
        let twin =
            (self.lower(group.end) == "and").then(|| verb_group(self.words, group.end + 1, end)).flatten();
        twin.filter(|twin| twin.ambiguous).map_or(group.end, |twin| twin.end)
    }

    /// Whether the noun's verb follows, and not another participle: "during a trip aimed at".
    fn has_verb_of_its_own(&self, place: usize, end: usize) -> bool {
        let finite = |at: usize| verb_group(self.words, at, end).filter(|group| group.finite);
        let first = (place..end).find_map(finite);
        let is_participle = first.is_some_and(|group| {
            let word = &self.words[group.main];
            group.ambiguous
                && self.tag(group.end, end) == Some(Tag::Preposition)
                && !verb_kinds::INTRANSITIVE.contains(&word.base)
        });
        !is_participle && finite_ahead(&self.words[..end], place, 10)
    }

    /// The start of a clause inside the reduced one ("forced to admit it was"), or `end`.
    fn before_clause(&self, place: usize, end: usize) -> usize {
        let starts = |at: &usize| {
            let word = &self.words[*at];
            let infinite = word.forms.has(Forms::ING) || self.words[at - 1].is(Tag::To);
            let says = infinite && word.is(Tag::Verb) && verb_kinds::CLAUSAL.contains(&word.base);
            let it = word.lower() == "it" && finite_at(self.words, at + 1, end);
            says || it || matches!(word.lower(), "i" | "he" | "she" | "we" | "they")
        };
        (place..end).find(starts).unwrap_or(end)
    }

    /// The end of a reduced clause: before the finite verb.
    pub(crate) fn reduced_end(&self, place: usize, end: usize) -> usize {
        let ends = |at: usize| {
            let finite = || verb_group(self.words, at, end).is_some_and(|group| group.finite);
            matches!(self.words[at].tag, Tag::Comma | Tag::Break)
                || (!matches!(self.words[at - 1].tag, Tag::To | Tag::Preposition) && finite())
        };
        let stop = end.min(place + 14);
        (place + 1..stop).find(|&at| ends(at)).unwrap_or(stop.max(place + 1))
    }
}

/// Whether the tag can follow a participle without an object.
fn follows_bare_participle(tag: Tag) -> bool {
    let verb = matches!(tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Modal);
    verb || matches!(tag, Tag::Preposition | Tag::To | Tag::Adverb)
}

/// Whether a verb that can only be finite follows.
fn finite_strictly(words: &[Word], from: usize, reach: usize) -> bool {
    let stop = words.len().min(from + reach);
    let ends = |tag: Tag| {
        matches!(tag, Tag::Comma | Tag::Break | Tag::Coordinator)
            || matches!(tag, Tag::Subordinator | Tag::Relative | Tag::That)
    };
    let finite = |word: &Word| match word.tag {
        Tag::Modal => true,
        Tag::Be | Tag::Have | Tag::Do => !word.forms.has(Forms::ING),
        Tag::Verb => word.forms == Forms::THIRD || word.forms == Forms::PAST,
        _ => false,
    };
    words[from.min(stop)..stop].iter().take_while(|word| !ends(word.tag)).any(finite)
}
