//! Lists of nouns: "apples, pears and a bicycle".
//!
//! Decides which nouns are members of one list, and whether the list may be split. Refuses a list without "and", a last
//! member that is the subject of another verb, and appositions as members.

use super::super::tagging::Tag;
use super::super::tree::source;
use super::Parser;
use super::nouns::{Noun, noun_phrase};

/// Maximum number of members of a list.
const LONGEST: usize = 13;

impl Parser<'_, '_> {
    /// A noun and those joined to it by commas and "and".
    pub(crate) fn list(&mut self, first: Noun, end: usize, is_subject: bool) -> Vec<Noun> {
        let mut nouns = vec![first];
        let mut complete = true;
        while nouns.len() < LONGEST {
            let last = &nouns[nouns.len() - 1];
            let at = self.age_end(last, end).unwrap_or(last.end);
            let Some((next, closing)) = self.joint(at, end) else { break };
            let Some(noun) = noun_phrase(self.words, next, end) else { break };
            if self.breaks_list(&nouns, &noun, end, closing, is_subject) {
                break;
            }
            // "the son of a baker and a teacher": the last noun may belong to the "of" phrase.
            if closing && last.core_end < last.end && noun.core_end == noun.end {
                let whole = nouns.len() - 1;
                nouns[whole].end = noun.end;
                break;
            }
            if at > last.end {
                let age = source(last.end + 1..at);
                let named = last.clone();
                self.add_description(&named, age, false);
            }
            nouns.push(noun);
            complete = closing;
            if closing {
                break;
            }
        }
        if !complete {
            nouns.truncate(1);
        }
        nouns
    }

    /// The end of "Ann Low, 21" before ", and Joe Tan".
    fn age_end(&self, noun: &Noun, end: usize) -> Option<usize> {
        let comma = noun.end;
        let aged = noun.name
            && self.tag(comma, end) == Some(Tag::Comma)
            && self.tag(comma + 1, end) == Some(Tag::Number)
            && self.tag(comma + 2, end) == Some(Tag::Comma)
            && self.lower(comma + 3) == "and"
            && noun_phrase(self.words, comma + 4, end).is_some();
        aged.then_some(comma + 2)
    }

    /// Where the next member starts, after the comma or "and" at `at`, and whether it is the last one.
    fn joint(&self, at: usize, end: usize) -> Option<(usize, bool)> {
        let is_and =
            |place: usize| self.tag(place, end) == Some(Tag::Coordinator) && self.lower(place) == "and";
        match self.tag(at, end)? {
            Tag::Comma if is_and(at + 1) => Some((at + 2, true)),
            Tag::Comma => Some((at + 1, false)),
            Tag::Coordinator if is_and(at) => Some((at + 1, true)),
            _ => None,
        }
    }

    /// Whether `noun` is not another member after `nouns`.
    fn breaks_list(&self, nouns: &[Noun], noun: &Noun, end: usize, closing: bool, is_subject: bool) -> bool {
        let last = &nouns[nouns.len() - 1];
        if self.words[noun.start].is(Tag::That) {
            return true;
        }
        let of_its_own = || self.has_own_clause(noun.start, end);
        let after_comma = closing && nouns.len() == 1 && last.end + 2 == noun.start;
        if last.is_time(self.words) != noun.is_time(self.words) {
            return true;
        }
        if (!is_subject || after_comma) && of_its_own() {
            return true;
        }
        // "X, the mayor, and Y": an apposition is not a member.
        !closing && !self.comes_to_and(noun.end, end)
    }

    /// Whether the list that continues at `place` reaches an "and" before a verb.
    fn comes_to_and(&self, place: usize, end: usize) -> bool {
        let mut at = place;
        for _ in 0..LONGEST {
            let Some(tag) = self.tag(at, end) else { return false };
            if tag == Tag::Coordinator || self.tag(at + 1, end) == Some(Tag::Coordinator) {
                let and = if tag == Tag::Coordinator { at } else { at + 1 };
                let joins = tag == Tag::Coordinator || tag == Tag::Comma;
                return joins && self.lower(and) == "and" && noun_phrase(self.words, and + 1, end).is_some();
            }
            if tag != Tag::Comma {
                return false;
            }
            let Some(noun) = noun_phrase(self.words, at + 1, end) else { return false };
            at = noun.end;
        }
        false
    }

    /// Whether the members share a possession: "Ann and Bob's house".
    pub(crate) fn owns_later(&self, nouns: &[Noun]) -> bool {
        let owns = |noun: &Noun| self.words[noun.range()].iter().any(|word| word.is(Tag::Possessive));
        let [first, rest @ ..] = nouns else { return false };
        first.name && !owns(first) && rest.iter().any(owns)
    }

    /// Whether the members share a determiner or a head: "the Victoria and Albert Museum", "the former Leeds and Derby
    /// striker", "the cost of milk, bread and meat".
    pub(crate) fn shares_head(&self, nouns: &[Noun]) -> bool {
        let [first, rest @ ..] = nouns else { return false };
        let bare = |noun: &Noun| !noun.determined && noun.core_end == noun.end && !noun.pronoun;
        let of = first.core_end < first.end;
        let last = &nouns[nouns.len() - 1];
        let counted = self.words[last.start].is(Tag::Number);
        let longer = last.end - last.start > 1 && (!last.plural || self.is_modifier(first)) && !counted;
        // "head, spinal and chest injuries"
        let modifiers = !first.determined && !first.name && !first.plural && last.plural;
        // "a husband and wife", "police, fire and rescue staff"
        let single = |noun: &Noun| {
            !noun.determined
                && noun.core_end == noun.start + 1
                && !noun.plural
                && !noun.name
                && !noun.number
                && !noun.pronoun
        };
        let opener = first.determined && !of && rest.iter().all(single);
        let inner = longer && nouns[..nouns.len() - 1].iter().any(single);
        // "East Sussex and West Sussex services", "former Leeds and Derby striker Ann Hall"
        let head = first.name && !first.determined && self.words[last.start].is(Tag::Name);
        let named = head
            && (self.words[first.start].is(Tag::Adjective) && last.end > last.start + 1
                || last.plural && self.words[last.head].is(Tag::Noun));
        // "an oil and milk range of coffee"
        let long = |noun: &Noun| noun.core_end > noun.start + 1 && noun.core_end < noun.end;
        let ranged =
            matches!(rest, [_]) && !last.determined && !last.plural && !last.name && !counted && long(last);
        opener
            || first.determined && !of && !first.plural && ranged
            || rest.iter().all(bare)
                && (inner
                    || named
                    || of
                    || (first.determined && longer)
                    || (modifiers && last.end - last.start > 1))
    }

    /// Whether the phrase is a determiner and an adjective whose head follows later: "its environmental".
    fn is_modifier(&self, noun: &Noun) -> bool {
        noun.end == noun.start + 2
            && ["al", "ic", "ive"].iter().any(|ending| self.lower(noun.head).ends_with(ending))
    }

    /// Whether a list of objects may be split.
    pub(crate) fn divides(&self, nouns: &[Noun]) -> bool {
        let [first, .., last] = nouns else { return false };
        let before = first.start.checked_sub(1).map_or("", |place| self.lower(place));
        let names = nouns.len() == 2 && first.is_single_name() && last.is_single_name();
        let places = matches!(before, "in" | "to" | "from" | "over" | "against" | "across");
        let is_number = |noun: &Noun| self.words[noun.start].is(Tag::Number);
        let counted = is_number(first) && !is_number(last) && first.end > first.start + 1;
        before != "between"
            && !self.is_pair(first)
            && !self.owns_later(nouns)
            && !self.shares_head(nouns)
            && (!names || places)
            && !counted
    }
}
