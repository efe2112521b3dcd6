//! Modifiers of a noun between commas, brackets or dashes.
//!
//! Decides which of them make a claim about the noun ("X, the mayor," makes "X is the mayor"). Refuses a modifier whose
//! end is not found.

use super::super::lexicon::names;
use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::Tag;
use super::super::tree::source;
use super::Parser;
use super::nouns::{Noun, noun_phrase};
use super::participles::ParticipleClause;

impl Parser<'_, '_> {
    /// Reads the modifier of `noun` between the comma at `comma` and the next one; returns the place after that comma, or
    /// the end.
    pub(crate) fn aside(&mut self, noun: &Noun, comma: usize, end: usize) -> Option<usize> {
        let kept = self.asides.len();
        let after = self.aside_end(noun, comma + 1, end).map(|after| self.before_comma(after));
        let Some(after) = after.filter(|after| self.closes(*after, end)) else {
            self.asides.truncate(kept);
            return None;
        };
        // Another modifier may begin at the comma that closes this one.
        let further = self.aside_follows(after, end);
        Some(if after < end && !further { after + 1 } else { after })
    }

    /// Adds the claim of the modifier that starts at `from`, and returns its end.
    fn aside_end(&mut self, noun: &Noun, from: usize, end: usize) -> Option<usize> {
        match self.tag(from, end)? {
            Tag::Relative => self.relative(noun, from, end, true),
            Tag::Number if self.closes(from + 1, end) => {
                self.add_description(noun, source(from..from + 1), false);
                Some(from + 1)
            }
            Tag::Verb if self.words[from].forms.has(Forms::ING.with(Forms::PARTICIPLE)) => {
                let stop = self.next_comma(from, end)?;
                self.add_participle(noun, ParticipleClause { verb: from, end: stop });
                Some(stop)
            }
            Tag::Preposition => {
                let phrase = self.prepositional(from, end).map(|stop| self.before_comma(stop));
                let short = phrase.filter(|stop| self.closes(*stop, end));
                let stop = short.or_else(|| self.next_comma(from, end).filter(|stop| *stop < from + 9))?;
                if noun.name && matches!(self.lower(from), "from" | "of") {
                    self.add_description(noun, source(from..stop), false);
                }
                Some(stop)
            }
            _ => self.apposition(noun, from, end),
        }
    }

    /// `place`, or one less if the noun phrase before it includes the comma: "of Paris, Texas,".
    fn before_comma(&self, place: usize) -> usize {
        if self.words[place - 1].is(Tag::Comma) { place - 1 } else { place }
    }

    fn closes(&self, place: usize, end: usize) -> bool {
        matches!(self.tag(place, end), None | Some(Tag::Comma | Tag::Stop | Tag::Break))
    }

    /// Whether the comma at `place` opens another modifier, rather than closing one before a verb.
    fn aside_follows(&self, place: usize, end: usize) -> bool {
        if self.tag(place, end) != Some(Tag::Comma) {
            return false;
        }
        match self.tag(place + 1, end) {
            Some(Tag::Relative) => true,
            Some(Tag::Preposition | Tag::Determiner) => {
                self.next_comma(place + 1, end).is_some_and(|stop| stop < place + 18)
            }
            _ => false,
        }
    }

    fn next_comma(&self, from: usize, end: usize) -> Option<usize> {
        (from..end.min(from + 30)).find(|&at| matches!(self.words[at].tag, Tag::Comma | Tag::Break))
    }

    /// Reads an apposition and its modifiers: ", the mayor of Paris,".
    fn apposition(&mut self, noun: &Noun, from: usize, end: usize) -> Option<usize> {
        let other = noun_phrase(self.words, from, end)?;
        if other.pronoun || noun.number || other.is_time(self.words) || (noun.pronoun && !other.name) {
            return None;
        }
        let stop = self.apposition_end(&other, end)?;
        let stop = self.before_comma(stop);
        if !self.closes(stop, end) {
            return None;
        }
        // "in Omsk, southern Russia", "in handsworth, birmingham": the region of a town
        let bare = |noun: &Noun| !noun.determined && !noun.name && noun.end == noun.start + 1 && !noun.plural;
        let region = noun.name && names::REGIONS.contains(self.lower(other.head)) && !other.determined;
        if region || bare(noun) && bare(&other) {
            return Some(stop);
        }
        let Some(noun) = self.renamed(noun, &other) else { return Some(stop) };
        let has_noun =
            |place: usize, end: usize| self.words[place..end].iter().any(|word| word.is(Tag::Noun));
        let is_role =
            !noun.name || !self.words[noun.start].is(Tag::Name) || has_noun(noun.start, noun.core_end);
        let is_bare_name = other.name && !other.determined;
        if other.number || (other.plural && !noun.plural && !noun.name && !other.determined) {
            return Some(stop);
        }
        if is_bare_name && is_role {
            self.add_name(&other, &noun, stop);
        } else if is_bare_name && noun.name && !has_noun(from, other.core_end) {
            return None;
        } else {
            self.add_description(&noun, source(from..stop), other.plural || noun.plural);
        }
        Some(stop)
    }

    /// The end of the apposition whose noun is `other`, with the phrases after it.
    fn apposition_end(&mut self, other: &Noun, end: usize) -> Option<usize> {
        let mut stop = other.end;
        for _ in 0..6 {
            stop = match self.tag(stop, end) {
                Some(Tag::Preposition) => self.prepositional(stop, end)?,
                Some(Tag::Relative) => self.relative(other, stop, end, true)?,
                Some(Tag::Coordinator) => noun_phrase(self.words, stop + 1, end)?.end,
                _ => return Some(stop),
            };
        }
        Some(stop)
    }

    /// The place after the bracket that closes the one at `place`.
    pub(crate) fn bracket(&self, place: usize, end: usize) -> Option<usize> {
        (place + 1..end).find(|&at| matches!(self.lower(at), ")" | "]")).map(|close| close + 1)
    }

    /// The place after the dash that closes a parenthesis opened at `place`.
    pub(crate) fn dashes(&self, place: usize, end: usize) -> Option<usize> {
        if !matches!(self.lower(place), "-" | "–" | "—") {
            return None;
        }
        (place + 1..end.min(place + 20))
            .find(|&at| self.words[at].is(Tag::Break) && self.lower(at) == self.lower(place))
            .map(|close| close + 1)
    }
}
