//! Look-ahead without side effects.
//!
//! Decides whether a clause or a phrase probably starts at a place. Refuses certainty: `clause` may still find none.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, verb_kinds};
use super::super::tagging::Tag;
use super::super::tagging::ahead::finite_ahead;
use super::Parser;
use super::groups::{finite_at, verb_group};
use super::nouns::{between_end, noun_phrase};

impl Parser<'_, '_> {
    /// Whether a subject and a finite verb start at `from`.
    pub(crate) fn has_clause(&self, from: usize, end: usize) -> bool {
        let mut place = from;
        while self.tag(place, end) == Some(Tag::Adverb) && noun_phrase(self.words, place, end).is_none() {
            place += 1;
        }
        let Some(noun) = noun_phrase(self.words, place, end) else {
            return self.has_gerund_subject(place, end);
        };
        if noun.pronoun && classes::OBJECT_PRONOUNS.contains(self.lower(noun.head)) {
            return false;
        }
        place = noun.end;
        let mut behind_phrase = false;
        for _ in 0..8 {
            match self.tag(place, end) {
                Some(tag @ (Tag::Preposition | Tag::Coordinator)) => {
                    let Some(next) = noun_phrase(self.words, place + 1, end) else { return false };
                    behind_phrase |= tag == Tag::Preposition;
                    place = next.end;
                }
                // "the drive to attract tourists to Rome worked"
                Some(Tag::To) => {
                    let infinitive = self.infinitive_end(place, end);
                    let Some(next) = infinitive.or_else(|| self.prepositional(place, end)) else {
                        return false;
                    };
                    place = next;
                }
                // "and Ann Hall during a visit aimed at"
                Some(Tag::Verb) if behind_phrase && self.may_be_reduced(place, end) => return false,
                Some(Tag::Relative | Tag::That) => return self.two_verbs(place + 1, end),
                Some(Tag::Comma) => return self.finite_behind_aside(place, end),
                _ => return finite_at(self.words, place, end),
            }
        }
        false
    }

    /// As `has_clause` after "and", but false for a noun with a participle: "and another dish made with milk".
    pub(crate) fn has_own_clause(&self, from: usize, end: usize) -> bool {
        let participle = || {
            let verb = noun_phrase(self.words, from, end)?.end;
            let group = verb_group(self.words, verb, end)?;
            let phrase = matches!(self.tag(group.end, end), None | Some(Tag::Preposition | Tag::Stop));
            Some(group.ambiguous && phrase && verb_kinds::TRANSITIVE.contains(&self.words[group.main].base))
        };
        self.has_clause(from, end) && participle() != Some(true)
    }

    /// Whether the verb at `place` may be a participle with a phrase after it.
    fn may_be_reduced(&self, place: usize, end: usize) -> bool {
        let forms = self.words[place].forms;
        forms.has(Forms::PARTICIPLE) && self.tag(place + 1, end) == Some(Tag::Preposition)
    }

    /// Whether a finite verb follows the modifier between the comma at `comma` and the next one.
    fn finite_behind_aside(&self, comma: usize, end: usize) -> bool {
        let closing = if self.tag(comma + 1, end) == Some(Tag::Relative) {
            (comma + 1..end.min(comma + 18)).find(|&at| self.words[at].is(Tag::Comma))
        } else {
            noun_phrase(self.words, comma + 1, end)
                .map(|noun| noun.end)
                .filter(|&at| self.tag(at, end) == Some(Tag::Comma))
        };
        closing.is_some_and(|closing| finite_at(self.words, closing + 1, end))
    }

    /// Whether the relative clause from `from` on has a verb and another verb follows.
    fn two_verbs(&self, from: usize, end: usize) -> bool {
        let stop = end.min(from + 14);
        let verb = |at: usize| verb_group(self.words, at, stop).filter(|group| group.finite);
        let first = (from..stop).find_map(verb);
        first.is_some_and(|group| finite_ahead(&self.words[..stop], group.end, 14))
    }

    /// Whether a gerund is the subject: "Being alone can hurt."
    fn has_gerund_subject(&self, from: usize, end: usize) -> bool {
        let auxiliary = |at: usize| {
            matches!(self.words[at].tag, Tag::Be | Tag::Have | Tag::Modal)
                && !self.words[at].forms.has(Forms::ING)
        };
        from < end
            && self.words.get(from).is_some_and(|word| word.forms.has(Forms::ING))
            && (from + 1..end.min(from + 8)).any(auxiliary)
            && finite_ahead(self.words, from + 1, 8)
    }

    /// The end of the phrase that the preposition at `place` opens.
    pub(crate) fn prepositional(&self, place: usize, end: usize) -> Option<usize> {
        if let Some(stop) = between_end(self.words, place, end) {
            return Some(stop);
        }
        let mut from = place + 1;
        while matches!(self.tag(from, end), Some(Tag::Preposition | Tag::To)) && from < place + 3 {
            from += 1;
        }
        noun_phrase(self.words, from, end).map(|noun| noun.end)
    }
}
