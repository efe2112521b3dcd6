//! Claims about roles: roles before names, names before roles.
//!
//! Decides where a role ends and the name begins ("Arsenal manager Ann Hall"), and adds the claim that joins the two.
//! Refuses roles with a capital letter, which may be part of the name.

use super::super::lexicon::names;
use super::super::tagging::Tag;
use super::super::tagging::ahead::is_plural_noun;
use super::super::tree::{Clause, Phrase, Piece, Predicate, Slot, source};
use super::nouns::Noun;
use super::participles::be;
use super::{Parser, Subject};

impl Parser<'_, '_> {
    /// Adds the claim "noun is what".
    pub(crate) fn add_description(&mut self, noun: &Noun, what: Phrase, plural: bool) {
        let be = be(plural, self.past && !noun.name);
        let subject = self.name_only(noun);
        self.add_equation(subject, be, what);
    }

    /// Adds the claim of a name in apposition: "the mayor, Ann Hall," makes "Ann Hall is the mayor".
    pub(crate) fn add_name(&mut self, name: &Noun, role: &Noun, stop: usize) {
        self.add_equation(source(name.start..stop), "is", source(role.range()));
    }

    /// Adds the claim of a role before a name: "Arsenal manager Ann Hall" makes "Ann Hall is an Arsenal manager".
    pub(crate) fn add_role(&mut self, noun: &Noun) {
        let Some(split) = self.title_end(noun) else { return };
        // "to retire Ann Hall", "all - rounder Ann Hall"
        if self.lower(noun.start) == "all" || noun.start > 0 && self.words[noun.start - 1].is(Tag::To) {
            return;
        }
        let mut what = source(noun.start..split);
        if !noun.determined && !(noun.start..split).any(|place| self.words[place].is(Tag::Possessive)) {
            let vowel = self.lower(noun.start).starts_with(['a', 'e', 'i', 'o', 'u']);
            what.insert(0, Piece::Word(if vowel { "an" } else { "a" }));
        }
        self.add_equation(source(split..noun.core_end), "is", what);
    }

    fn add_equation(&mut self, subject: Phrase, be: &'static str, what: Phrase) {
        let verb = vec![Piece::Word(be)];
        let slots = vec![Slot::single(what)];
        let predicate = Predicate { singular: verb.clone(), verb, slots, ..Predicate::default() };
        let subject = Slot::single(subject);
        self.asides.push(Clause { subject, predicates: vec![predicate], ..Clause::default() });
    }

    /// Where the name after a role begins: lower-case words, then capitalised words up to the end.
    fn title_end(&self, noun: &Noun) -> Option<usize> {
        if noun.end != noun.core_end || noun.is_time(self.words) {
            return None;
        }
        let capitals =
            self.words[noun.start..noun.core_end].iter().rev().take_while(|word| word.is(Tag::Name));
        let split = noun.core_end - capitals.count();
        if split == noun.start || split == noun.core_end {
            return None;
        }
        let role = &self.words[split - 1];
        let small = role.is(Tag::Noun) && role.token.text.starts_with(char::is_lowercase);
        let endings = ["al", "ic", "ive", "ern", "west", "east", "ese"];
        let no_role = endings.iter().any(|end| role.lower().ends_with(end))
            || names::TIME_NOUNS.contains(role.lower())
            || names::REGIONS.contains(self.lower(split))
            || split > noun.start + 1 && self.words[split - 2].is(Tag::Number)
            || is_plural_noun(role.lower());
        (small && !no_role).then_some(split)
    }

    /// The noun without its role, for later claims.
    pub(crate) fn name_only(&self, noun: &Noun) -> Phrase {
        source(self.title_end(noun).map_or(noun.range(), |split| split..noun.core_end))
    }

    /// Replaces a subject of one noun by its name.
    pub(crate) fn short_name(&self, mut subject: Subject, nouns: &[Noun]) -> Subject {
        if let ([noun], [Piece::Source(range)]) = (nouns, subject.slot.whole.as_slice())
            && *range == noun.range()
        {
            subject.slot = Slot::single(self.name_only(noun));
        }
        subject
    }
}
