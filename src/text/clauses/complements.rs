//! What follows a verb: objects, phrases, infinitives, clauses.
//!
//! Decides, phrase by phrase, whether each claim needs it (an object), may go without it (a time)
//! or says it by itself (a relative clause). What no rule reads makes the predicate indivisible:
//! it is refused, not guessed at.

use super::modifiers::Aside;
use super::nouns::{Noun, in_list, is_time, noun_phrase, plain_noun};
use super::parse::{Parser, Subject};
use super::predicates::Reading;
use super::tagger::Tag;
use super::tree::{Phrase, Predicate, Slot, source};
use super::verb_lists;
use super::verbs::Forms;

impl Parser<'_, '_> {
    /// Reads one complement; false where the predicate ends.
    pub fn complement(
        &mut self,
        into: &mut Predicate,
        at: &mut Reading,
        end: usize,
        subject: &Subject,
    ) -> bool {
        let Some(tag) = self.tag(at.place, end) else { return false };
        if self.lower(at.place) == "according" {
            return self.keep_rest(into, at, end, 14);
        }
        let read = match tag {
            Tag::Preposition => self.phrase(into, at, end, subject),
            Tag::To => self.infinitive(into, at, end, subject),
            Tag::That => self.that(into, at, end),
            Tag::Relative => self.question(into, at, end),
            Tag::Subordinator => self.subordinate(into, at, end),
            Tag::Verb => self.participle_here(into, at, end, subject),
            Tag::Adverb | Tag::Not => self.adverb(into, at, end),
            Tag::Comma => return self.comma(into, at, end, subject),
            Tag::Coordinator => return self.coordinator(into, at, end),
            Tag::Bracket => {
                at.place = self.bracket(at.place, end).unwrap_or(end);
                true
            }
            Tag::Quote => self.quotation(into, at, end),
            Tag::Stop => {
                at.place += 1;
                true
            }
            Tag::Be | Tag::Have | Tag::Do | Tag::Modal => return false,
            Tag::Break => {
                let Some(next) = self.dashes(at.place, end) else { return false };
                at.place = next;
                true
            }
            _ => self.object(into, at, end),
        };
        at.after_comma = false;
        if !read {
            into.indivisible = true;
            at.place = self.boundary(at.place, end);
        }
        read
    }

    /// Where words that no rule reads end: before "and" with a clause of its own, or the end.
    pub fn boundary(&self, place: usize, end: usize) -> usize {
        (place + 1..end)
            .find(|&at| {
                self.words[at].is(Tag::Comma)
                    && self.tag(at + 1, end) == Some(Tag::Coordinator)
                    && self.has_clause(at + 2, end)
            })
            .unwrap_or(end)
    }

    pub fn base(&self, at: &Reading) -> &str {
        &self.words[at.group.main].base
    }

    pub fn is_copula(&self, at: &Reading) -> bool {
        self.words[at.group.main].is(Tag::Be) || in_list("become remain seem appear", self.base(at))
    }

    /// A noun phrase or an adjective behind the verb.
    pub fn object(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let clausal =
            in_list(verb_lists::CLAUSAL, self.base(at)) || (self.is_copula(at) && !into.slots.is_empty());
        let says = clausal && (!at.group.passive || into.slots.is_empty());
        let names = !in_list(
            "say think believe claim add admit insist suspect hope fear warn argue suggest know",
            self.base(at),
        );
        let modified = says && names && self.is_modified(at.place, end);
        if says && !modified && into.reported.is_empty() && self.has_clause(at.place, end) {
            return self.report(into, at, at.place, end);
        }
        if self.tag(at.place, end) == Some(Tag::Adjective) && plain_noun(self.words, at.place, end).is_none()
        {
            return self.adjectives(into, at, end);
        }
        let Some(noun) = noun_phrase(self.words, at.place, end) else {
            return self.adjectives(into, at, end);
        };
        let measures =
            in_list("take last spend wait serve give cost need", self.base(at)) && into.slots.is_empty();
        if is_time(self.words, &noun) && !measures && !(self.is_copula(at) && into.slots.is_empty()) {
            into.adjuncts.push(source(at.place..noun.end));
            at.place = noun.end;
            at.last = None;
            return true;
        }
        if at.last.is_some() && self.has_clause(at.place, end) {
            // "the title he won": a clause about the noun, passed over.
            let kept = self.asides.len();
            let (inner, next) = self.sequence(at.place, end);
            self.asides.truncate(kept);
            if inner.is_empty() {
                return false;
            }
            into.adjuncts.push(source(at.place..next));
            at.place = next;
            at.last = None;
            return true;
        }
        if into.slots.len() > 1 || !into.adjuncts.is_empty() && at.last.is_some() {
            into.extend(at.place, noun.end);
            at.place = noun.end;
            return true;
        }
        into.indivisible |=
            in_list("no few little neither nothing nobody none only hardly any", self.lower(noun.start));
        let slot = self.nouns(noun, end, at);
        into.slots.push(slot);
        true
    }

    /// "trucks built in 2012": a plural noun with a participle, rather than a subject and its verb.
    fn is_modified(&self, place: usize, end: usize) -> bool {
        let Some(noun) = noun_phrase(self.words, place, end) else { return false };
        let group = super::groups::verb_group(self.words, noun.end, end);
        let phrase_follows = |end_of_verb: usize| self.tag(end_of_verb, end) == Some(Tag::Preposition);
        noun.plural
            && !noun.determined
            && group.is_some_and(|group| group.ambiguous && phrase_follows(group.end))
    }

    /// A noun or a list of them as a slot; moves behind it.
    pub fn nouns(&mut self, noun: Noun, end: usize, at: &mut Reading) -> Slot {
        let start = noun.start;
        let nouns = self.list(noun, end, false);
        let mut options: Vec<Phrase> = nouns.iter().map(|noun| self.named(noun)).collect();
        let stop = nouns.last().map_or(start + 1, |noun| noun.end);
        if !self.divides(&nouns) {
            options = vec![source(start..stop)];
        }
        let whole = if options.len() == 1 { options[0].clone() } else { source(start..stop) };
        at.place = stop;
        at.last = nouns.last().cloned();
        Slot { options, whole }
    }

    /// A noun in an object: who has a role goes by the name, and the role is said aside.
    fn named(&mut self, noun: &Noun) -> Phrase {
        self.title(noun);
        source(noun.range())
    }

    /// Whether a list may be taken apart.
    pub fn divides(&self, nouns: &[Noun]) -> bool {
        let [first, .., last] = nouns else { return false };
        let before = first.start.checked_sub(1).map_or("", |place| self.lower(place));
        let single = |noun: &Noun| noun.name && noun.end == noun.start + 1;
        let firm = nouns.len() == 2 && single(first) && single(last);
        let places = in_list("in to from over against across", before);
        let counted = self.words[first.start].is(Tag::Number)
            && !self.words[last.start].is(Tag::Number)
            && first.end > first.start + 1;
        before != "between"
            && !in_list("both either neither", self.lower(first.start))
            && !self.owns_later(nouns)
            && (!firm || places)
            && !counted
    }

    /// "tall", "tall and dark", "very tall".
    pub fn adjectives(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let start = at.place;
        let mut stop = start;
        while matches!(
            self.tag(stop, end),
            Some(
                Tag::Adverb
                    | Tag::Adjective
                    | Tag::Number
                    | Tag::Determiner
                    | Tag::Owner
                    | Tag::Noun
                    | Tag::Not
            )
        ) {
            stop += 1;
        }
        if stop == start {
            return false;
        }
        into.indivisible |= (start..stop)
            .any(|place| in_list("unable unlikely impossible reluctant unwilling", self.lower(place)));
        let mut options = vec![source(start..stop)];
        if self.is_copula(at)
            && self.lower(stop) == "and"
            && self.tag(stop + 1, end) == Some(Tag::Adjective)
            && noun_phrase(self.words, stop + 1, end).is_none()
        {
            options.push(source(stop + 1..stop + 2));
            stop += 2;
        }
        let behind = into.adjuncts.last().is_some_and(|phrase| super::tree::ends_at(phrase, start));
        if into.slots.is_empty() && !behind {
            into.slots.push(Slot { options, whole: source(start..stop) });
        } else {
            into.extend(start, stop);
        }
        at.place = stop;
        true
    }

    /// A comma: what is behind it decides.
    fn comma(&mut self, into: &mut Predicate, at: &mut Reading, end: usize, subject: &Subject) -> bool {
        let next = at.place + 1;
        at.after_comma = true;
        match self.tag(next, end) {
            Some(Tag::Preposition | Tag::Subordinator | Tag::Adverb) => {
                at.place = next;
                true
            }
            Some(Tag::Relative) if at.last.is_some() => {
                at.place = next;
                true
            }
            Some(Tag::Verb) if self.words[next].forms.has(Forms::ING) && self.lower(next) != "according" => {
                let kept = self.asides.len();
                let (inner, stop) = self.predicates(next, end, subject);
                self.asides.truncate(kept);
                if inner.is_empty() {
                    return false;
                }
                self.finish_pending(vec![Aside { verb: next, end: stop }], subject);
                if self.asides.len() == kept {
                    into.adjuncts.push(source(at.place..stop));
                }
                at.place = stop;
                true
            }
            Some(_) if self.lower(next) == "according" => {
                at.place = next;
                self.keep_rest(into, at, end, 14)
            }
            Some(_)
                if into.reported.is_empty()
                    && into.slots.is_empty()
                    && in_list(verb_lists::CLAUSAL, self.base(at))
                    && self.has_clause(next, end) =>
            {
                self.report(into, at, next, end)
            }
            Some(_) => match at.last.clone().and_then(|noun| self.aside(&noun, at.place, end)) {
                Some(stop) => {
                    at.place = stop;
                    true
                }
                None => false,
            },
            None => false,
        }
    }

    /// Words that each claim keeps, up to the next comma.
    pub fn keep_rest(&mut self, into: &mut Predicate, at: &mut Reading, end: usize, reach: usize) -> bool {
        let stop = (at.place + 1..end.min(at.place + reach))
            .find(|&place| self.words[place].is(Tag::Comma))
            .unwrap_or(end);
        into.conditions.extend(source(at.place..stop));
        at.place = stop;
        true
    }

    /// "and", "or" behind a complement.
    fn coordinator(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let next = at.place + 1;
        let alternative = in_list("or nor", self.lower(at.place));
        if !alternative && (self.has_clause(next, end) || super::groups::finite_at(self.words, next, end)) {
            return false;
        }
        match self.tag(next, end) {
            Some(Tag::Preposition) if !alternative => {
                at.place = next;
                true
            }
            Some(Tag::Verb | Tag::To) if !alternative => false,
            _ => {
                let Some(noun) = noun_phrase(self.words, next, end)
                    .filter(|_| at.last.is_some() || !into.slots.is_empty())
                else {
                    if alternative {
                        into.indivisible = true;
                        at.place = self.boundary(at.place, end);
                    }
                    return false;
                };
                // "Mozart on May 5 and Brahms in Graz" leaves a verb out.
                into.indivisible |= at.last.as_ref().is_some_and(|last| is_time(self.words, last))
                    && !is_time(self.words, &noun);
                into.extend(at.place, noun.end);
                at.place = noun.end;
                at.last = Some(noun);
                true
            }
        }
    }
}
