//! What stands beside a noun: appositions, ages, relative and participial clauses, brackets.
//!
//! Decides which of them say something of the noun, and says it as a clause of its own: "X, the
//! mayor," is "X is the mayor". Refuses what it cannot close.

use super::groups::verb_group;
use super::nouns::{Noun, in_list, is_time, noun_phrase};
use super::parse::{Parser, Subject, be_predicate, function_word};
use super::tagger::Tag;
use super::tree::{Clause, Phrase, Piece, Slot, source};
use super::verbs::Forms;
use super::words;

/// A participle and where its clause ends.
#[derive(Clone, Debug)]
pub(super) struct Aside {
    pub verb: usize,
    pub end: usize,
}

impl Parser<'_, '_> {
    /// What stands between the comma at `comma` and the next one, if it is about `noun`; returns
    /// the place behind that next comma, or the end.
    pub fn aside(&mut self, noun: &Noun, comma: usize, end: usize) -> Option<usize> {
        let from = comma + 1;
        let kept = self.asides.len();
        let after = match self.tag(from, end)? {
            Tag::Relative => self.relative(noun, from, end, true)?,
            Tag::Preposition if self.lower(from) == "who" => return None,
            Tag::Number if self.closes(from + 1, end) => {
                self.say(noun, source(from..from + 1), false);
                from + 1
            }
            Tag::Verb if self.words[from].forms.has(Forms::ING.with(Forms::PARTICIPLE)) => {
                let stop = self.next_comma(from, end)?;
                self.participle(noun, Aside { verb: from, end: stop }, true);
                stop
            }
            Tag::Preposition => {
                let stop = self
                    .prepositional(from, end)
                    .filter(|stop| self.closes(*stop, end))
                    .or_else(|| self.next_comma(from, end).filter(|stop| *stop < from + 9))?;
                if in_list("from of", self.lower(from)) && noun.name {
                    self.say(noun, source(from..stop), false);
                }
                stop
            }
            _ => self.apposition(noun, from, end)?,
        };
        if !self.closes(after, end) {
            self.asides.truncate(kept);
            return None;
        }
        // A further aside begins at the comma that closes this one.
        let further = self.aside_follows(after, end);
        Some(if after < end && !further { after + 1 } else { after })
    }

    fn closes(&self, place: usize, end: usize) -> bool {
        matches!(self.tag(place, end), None | Some(Tag::Comma | Tag::Stop | Tag::Break))
    }

    /// Whether the comma at `place` opens one more aside, rather than closing one before a verb.
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

    /// ", the mayor of Paris," with what belongs to it.
    fn apposition(&mut self, noun: &Noun, from: usize, end: usize) -> Option<usize> {
        let other = noun_phrase(self.words, from, end)?;
        if other.pronoun || noun.number || is_time(self.words, &other) || (noun.pronoun && !other.name) {
            return None;
        }
        let mut stop = other.end;
        for _ in 0..6 {
            match self.tag(stop, end) {
                Some(Tag::Preposition) => stop = self.prepositional(stop, end)?,
                Some(Tag::Relative) => stop = self.relative(&other, stop, end, true)?,
                Some(Tag::Coordinator) => stop = noun_phrase(self.words, stop + 1, end)?.end,
                _ => break,
            }
        }
        if !self.closes(stop, end) {
            return None;
        }
        let role = !noun.name
            || !self.words[noun.start].is(Tag::Name)
            || self.words[noun.start..noun.core_end].iter().any(|word| word.is(Tag::Noun));
        if other.name && role && !other.determined {
            self.identify(&other, noun, stop);
        } else if other.name
            && noun.name
            && !other.determined
            && !self.words[from..other.core_end].iter().any(|word| word.is(Tag::Noun))
        {
            return None;
        } else {
            self.say(noun, source(from..stop), other.plural || noun.plural);
        }
        Some(stop)
    }

    /// "the mayor, Ann Hall," is "Ann Hall is the mayor".
    fn identify(&mut self, name: &Noun, role: &Noun, stop: usize) {
        let subject = Slot::single(source(name.start..stop));
        let clause = Clause {
            subject,
            predicates: vec![be_predicate("is", source(role.range()))],
            ..Clause::default()
        };
        self.asides.push(clause);
    }

    /// Says "noun is what".
    pub fn say(&mut self, noun: &Noun, what: Phrase, plural: bool) {
        let be = match (plural, self.past && !noun.name) {
            (true, false) => "are",
            (true, true) => "were",
            (false, true) => "was",
            (false, false) => "is",
        };
        let subject = Slot::single(self.name_only(noun));
        self.asides.push(Clause { subject, predicates: vec![be_predicate(be, what)], ..Clause::default() });
    }

    /// "Arsenal manager Ann Hall" is also "Ann Hall is an Arsenal manager".
    pub fn title(&mut self, noun: &Noun) {
        let Some(split) = self.title_end(noun) else { return };
        let mut what = source(noun.start..split);
        if !noun.determined && !(noun.start..split).any(|place| self.words[place].is(Tag::Possessive)) {
            let vowel = self.lower(noun.start).starts_with(['a', 'e', 'i', 'o', 'u']);
            what.insert(0, Piece::Word(if vowel { "an" } else { "a" }));
        }
        let subject = Slot::single(source(split..noun.core_end));
        self.asides.push(Clause { subject, predicates: vec![be_predicate("is", what)], ..Clause::default() });
    }

    /// Where the name behind a role begins: small words, then capitals up to the end.
    fn title_end(&self, noun: &Noun) -> Option<usize> {
        let mut split = noun.core_end;
        while split > noun.start && self.words[split - 1].is(Tag::Name) {
            split -= 1;
        }
        let role = split.checked_sub(1).filter(|role| *role >= noun.start)?;
        let small =
            self.words[role].is(Tag::Noun) && self.words[role].token.text.starts_with(char::is_lowercase);
        let describes = ["al", "ic", "ive", "ern", "west", "east", "ese"]
            .iter()
            .any(|end| self.lower(role).ends_with(end));
        let region = in_list(words::REGIONS, self.lower(split));
        let time = in_list(words::TIME_NOUNS, self.lower(role)) || describes || region;
        let name = split < noun.core_end && !is_time(self.words, noun) && noun.end == noun.core_end;
        (small && name && !time && !super::ahead::is_plural_noun(self.lower(role))).then_some(split)
    }

    /// The noun as a later claim calls it: without its role.
    pub fn name_only(&self, noun: &Noun) -> Phrase {
        match self.title_end(noun) {
            Some(split) => source(split..noun.core_end),
            None => source(noun.range()),
        }
    }

    /// A subject of one noun goes by its name.
    pub fn short_name(&self, mut subject: Subject, nouns: &[Noun]) -> Subject {
        if let ([noun], [Piece::Source(range)]) = (nouns, subject.slot.whole.as_slice())
            && *range == noun.range()
            && self.title_end(noun).is_some()
        {
            subject.slot = Slot::single(self.name_only(noun));
        }
        subject
    }

    /// The relative clause at `place`; says it of `noun`, and returns its end.
    pub fn relative(&mut self, noun: &Noun, place: usize, end: usize, free: bool) -> Option<usize> {
        let word = self.lower(place).to_owned();
        let kept = self.asides.len();
        let subject = Subject {
            slot: Slot::single(self.name_only(noun)),
            full: Phrase::new(),
            plural: noun.plural,
            quantified: !free && !noun.determined && !noun.name && noun.plural,
            firm: false,
        };
        if matches!(word.as_str(), "who" | "which" | "that")
            && super::groups::finite_at(self.words, place + 1, end)
        {
            let (predicates, next) = self.predicates(place + 1, end, &subject);
            if predicates.is_empty() {
                return None;
            }
            let mismatch = !noun.plural
                && self.words[place + 1].is(Tag::Verb)
                && self.words[place + 1].forms == Forms::BASE;
            if (free || noun.determined || noun.name || !noun.plural) && !mismatch {
                self.asides.push(Clause { subject: subject.slot, predicates, ..Clause::default() });
            } else {
                self.asides.truncate(kept);
            }
            return Some(next);
        }
        // "where he lives", "whose son died", "which he bought": passed over, not said.
        let (inner, next) = self.sequence(place + 1, end);
        if inner.is_empty() {
            self.asides.truncate(kept);
            return None;
        }
        if free && word == "where" {
            self.asides.extend(inner);
        } else {
            self.asides.truncate(kept);
        }
        Some(next)
    }

    /// "arrested in Paris" said of `noun`: "The man was arrested in Paris."
    pub fn participle(&mut self, noun: &Noun, aside: Aside, simple: bool) {
        let subject = Subject {
            slot: Slot::single(self.name_only(noun)),
            full: Phrase::new(),
            plural: noun.plural,
            quantified: false,
            firm: false,
        };
        if simple && !noun.determined && !noun.name && noun.plural {
            return;
        }
        self.finish_pending(vec![aside], &subject);
    }

    /// Says participles of a subject.
    pub fn finish_pending(&mut self, pending: Vec<Aside>, subject: &Subject) {
        for aside in pending {
            let Some(group) = verb_group(self.words, aside.verb, aside.end) else { continue };
            // "He fled, sparking a search": the event does that, not he.
            let event = self.words[aside.verb..aside.end].iter().any(|word| {
                word.is(Tag::Verb) && word.forms.has(Forms::ING) && in_list("spark cause lead force prompt make leave kill raise mean result trigger allow let bring injure", &word.base)
            });
            if group.denied || subject.quantified || event {
                continue;
            }
            let (predicates, next) = self.predicates(aside.verb, aside.end, subject);
            if predicates.is_empty() || next < aside.end {
                continue;
            }
            let lasting = in_list("call name base know locate involve", &self.words[group.main].base);
            let be = match (subject.plural, self.past && !lasting) {
                (true, true) => "were",
                (true, false) => "are",
                (false, true) => "was",
                (false, false) => "is",
            };
            let auxiliary = matches!(self.lower(group.first), "having" | "being");
            if auxiliary {
                continue;
            }
            let with_be = predicates.into_iter().map(|mut predicate| {
                predicate.verb.splice(0..0, function_word(be));
                predicate.singular = predicate.verb.clone();
                predicate.indivisible = false;
                predicate
            });
            let clause =
                Clause { subject: subject.slot.clone(), predicates: with_be.collect(), ..Clause::default() };
            self.asides.push(clause);
        }
    }

    /// The place behind the bracket that closes the one at `place`.
    pub fn bracket(&self, place: usize, end: usize) -> Option<usize> {
        (place + 1..end).find(|&at| matches!(self.lower(at), ")" | "]")).map(|close| close + 1)
    }

    /// A parenthesis between dashes.
    pub fn dashes(&self, place: usize, end: usize) -> Option<usize> {
        if !matches!(self.lower(place), "-" | "–" | "—") {
            return None;
        }
        (place + 1..end.min(place + 20))
            .find(|&at| self.words[at].is(Tag::Break) && self.lower(at) == self.lower(place))
            .map(|close| close + 1)
    }

    /// The end of "to build a house" inside a subject: before the finite verb.
    pub fn infinitive_end(&self, place: usize, end: usize) -> Option<usize> {
        let group = verb_group(self.words, place + 1, end)?;
        let mut next = group.end;
        if let Some(noun) = noun_phrase(self.words, next, end) {
            next = noun.end;
        }
        Some(next)
    }

    /// "of building a house" inside a subject.
    pub fn gerund_phrase(&self, place: usize, end: usize) -> Option<usize> {
        let gerund = self.words.get(place + 1).is_some_and(|word| word.forms.has(Forms::ING));
        if gerund { self.infinitive_end(place, end) } else { None }
    }
}
