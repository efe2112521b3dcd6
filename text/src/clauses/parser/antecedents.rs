//! The antecedents of modifiers.
//!
//! Decides between two nouns that "of" joins ("the death of a man who ..."), whether a noun may be a person, and whether
//! its modifiers single it out ("the first man to ..."). Refuses a modifier that fits both nouns.

use super::super::lexicon::{classes, names, verb_forms};
use super::super::tagging::Tag;
use super::Parser;
use super::nouns::{Noun, noun_phrase, plain_noun};

impl Parser<'_, '_> {
    /// The antecedent of the relative word at `place`: `noun` or the noun after its "of".
    pub(crate) fn antecedent(&self, noun: &Noun, place: usize) -> Option<Noun> {
        let asks_person = self.lower(place) == "who";
        // "two of the men who": the clause is about some of them
        let part = noun.number || matches!(self.lower(noun.head), "some" | "many" | "several" | "both");
        let Some(inner) = self.noun_after_of(noun).filter(|_| !part) else {
            let may_be = !asks_person || !self.is_place(noun);
            return may_be.then(|| noun.clone());
        };
        match (asks_person, self.is_person(noun), self.is_person(&inner)) {
            (true, true, false) => Some(noun.clone()),
            (true, false, true) => Some(inner),
            _ => None,
        }
    }

    /// The noun that the apposition `other` describes: `noun` or the noun after its "of".
    pub(crate) fn renamed(&self, noun: &Noun, other: &Noun) -> Option<Noun> {
        let Some(inner) = self.noun_after_of(noun) else { return Some(noun.clone()) };
        match (self.is_person(noun), self.is_person(&inner) && !inner.name) {
            // "the head of the oil company, Petrobras"
            (true, false) if inner.name || !other.name => Some(noun.clone()),
            (false, true) if other.name => Some(inner),
            (false, false) if other.name && !other.determined => Some(noun.clone()),
            _ => None,
        }
    }

    /// The last noun that "of" joins to `noun`.
    fn noun_after_of(&self, noun: &Noun) -> Option<Noun> {
        let of = (noun.head..noun.end).rev().find(|&place| self.lower(place) == "of")?;
        plain_noun(self.words, of + 1, noun.end)
    }

    /// Whether a noun is a person or may be the name of one.
    pub(crate) fn is_person(&self, noun: &Noun) -> bool {
        let head = self.lower(noun.head);
        let plain = head.strip_suffix('s').unwrap_or(head);
        noun.pronoun
            || (noun.name && !self.is_place(noun))
            || names::PERSONS.contains(plain)
            || names::PERSONS.contains(head)
            || is_agent(plain)
    }

    /// "in Venezuela"
    fn is_place(&self, noun: &Noun) -> bool {
        let before = noun.start.checked_sub(1).map_or("", |place| self.lower(place));
        names::REGIONS.contains(self.lower(noun.head))
            || (noun.name && matches!(before, "in" | "at" | "from" | "near" | "across" | "outside"))
    }

    /// "the third time in five games", "the first time since May"
    fn counts_times(&self, noun: &Noun) -> bool {
        let counted = |place: usize| {
            self.words.get(place).is_some_and(|word| {
                (word.is(Tag::Number) && !word.lower().contains('-'))
                    || classes::QUANTITY_OPENERS.contains(word.lower())
            })
        };
        let this =
            noun_phrase(self.words, noun.end, self.words.len()).is_some_and(|next| next.is_time(self.words));
        let since =
            this || self.lower(noun.end) == "since" || self.lower(noun.end) == "in" && counted(noun.end + 1);
        self.lower(noun.head) == "time" && noun.head > noun.start + 1 && since
    }

    /// "his first innings since June", "their third win in four games"
    fn is_counted_since(&self, noun: &Noun) -> bool {
        let in_order = (noun.start..=noun.head).any(|place| classes::ORDINALS.contains(self.lower(place)));
        let span = |place: usize| {
            noun_phrase(self.words, place, self.words.len()).is_some_and(|span| {
                self.words[span.start..span.end].iter().any(|word| word.is(Tag::Number)) && span.plural
            })
        };
        let counted = match self.lower(noun.end) {
            "since" => true,
            "in" | "for" => span(noun.end + 1),
            _ => false,
        };
        in_order && counted && noun.head + 1 == noun.end
    }

    /// Whether a noun needs the modifiers after it to be singled out: "the first man", "the biggest fall". "His first goal"
    /// and "the last time" do not.
    pub(crate) fn is_picked_out(&self, noun: &Noun) -> bool {
        let owned = (noun.start..noun.head)
            .any(|place| matches!(self.words[place].tag, Tag::PossessiveDeterminer | Tag::Possessive));
        let superlative = |place: usize| {
            let word = &self.words[place];
            let in_order = matches!(word.lower(), "first" | "last");
            let ending = word.is(Tag::Adjective) && word.lower().ends_with("est") && word.lower().len() > 4;
            (classes::SUPERLATIVES.contains(word.lower()) && !(in_order && owned)) || ending
        };
        if self.is_counted_since(noun) {
            return true;
        }
        // "those who want to"
        if self.lower(noun.start) == "those" {
            return true;
        }
        if names::TIME_NOUNS.contains(self.lower(noun.head)) {
            // "the biggest fall", "the first time since May"
            let longest = (noun.start..noun.head).any(|place| self.lower(place).ends_with("est"));
            return longest || self.counts_times(noun);
        }
        (noun.start..noun.head).any(superlative)
    }
}

/// Whether the word ends like a person: "teacher", "artist".
fn is_agent(word: &str) -> bool {
    let ending = ["ist", "ian", "man", "men", "eer"].iter().any(|end| word.ends_with(end));
    let of_verb = || {
        let stem = word.strip_suffix("er").or_else(|| word.strip_suffix("or"));
        stem.is_some_and(|stem| verb_forms::verb_form(&format!("{stem}ing")).known)
    };
    !names::NO_PERSONS.contains(word) && (ending || of_verb())
}
