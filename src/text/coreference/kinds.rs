//! The kind of a name: a person's, an organisation's, a thing's.
//!
//! Decides from the words of a name and the words around it, and from all its occurrences: "striker Zelenka" once makes
//! every "Zelenka" a person, and "Mr Zelenka" makes "Ondrej Zelenka" a person. A name without evidence, or with evidence for
//! two kinds, is of unknown kind: it is never an antecedent, but counts as another possible one.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

use super::lists::{self, Gender, TITLES, first_name, introduces_person, person_noun};
use super::tokens::{Document, Token};
use crate::text::token::TokenKind;

/// The kind of a named entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Person,
    Organisation,
    /// A place, an event or a work: neither a person nor an organisation that can speak.
    Thing,
    Unknown,
}

/// A name with what it shows about its entity.
pub(super) struct Name {
    /// All its tokens, title included.
    pub(super) tokens: Range<usize>,
    /// Its tokens after the title.
    pub(super) core: Range<usize>,
    pub(super) kind: Kind,
    pub(super) gender: Gender,
}

impl Name {
    /// Whether it has a title that is not part of the name: "Mr Brown", but not "Prince Harry".
    pub(super) fn is_titled(&self) -> bool {
        self.core.start > self.tokens.start
    }

    /// Whether it is only a surname or a first name.
    pub(super) fn is_bare(&self, document: &Document) -> bool {
        let first = &document.tokens[self.core.start].lower;
        self.core.len() == 1 || (lists::PARTICLES.contains(first) && first_name(first).is_none())
    }

    /// The text that is the same for equal names: "John A. Smith" is "John Smith", "Zentrix Widgets Ltd" is "Zentrix Widgets".
    pub(super) fn text(&self, document: &Document) -> String {
        let core = self.core.clone();
        match &document.tokens[core.clone()] {
            [first, .., last] if self.kind == Kind::Person => [&first.lower, " ", &last.lower].concat(),
            [_, _, .., last] if lists::LEGAL_FORMS.contains(&last.lower) => {
                document.lower(&(core.start..core.end - 1))
            }
            _ => document.lower(&core),
        }
    }
}

/// The names of the document, with their kinds.
pub(super) fn names(document: &Document) -> Vec<Name> {
    let runs = super::names::names(document).into_iter();
    let mut names: Vec<Name> = runs.map(|run| read(document, run)).collect();
    share_kinds(document, &mut names);
    recognise_surnames(document, &mut names);
    recognise_things(document, &mut names);
    names
}

/// Gives occurrences of unknown kind the kind of the other occurrences.
fn share_kinds(document: &Document, names: &mut [Name]) {
    let is_known = |name: &&Name| matches!(name.kind, Kind::Person | Kind::Organisation);
    let known = names.iter().filter(is_known).map(|name| (document.lower(&name.core), name.kind));
    let known = with_one_value(known);
    for name in names.iter_mut().filter(|name| name.kind == Kind::Unknown) {
        name.kind = known.get(&document.lower(&name.core)).copied().unwrap_or(Kind::Unknown);
    }
}

/// Makes a longer name of unknown kind a person's if its surname has a title elsewhere.
fn recognise_surnames(document: &Document, names: &mut [Name]) {
    let is_titled = |name: &&Name| name.core.len() == 1 && name.kind == Kind::Person && name.is_titled();
    let titled: HashSet<&str> =
        names.iter().filter(is_titled).map(|name| document.tokens[name.core.start].lower.as_ref()).collect();
    for name in names.iter_mut().filter(|name| name.kind == Kind::Unknown) {
        let words = &document.tokens[name.core.clone()];
        let [first, .., last] = words else { continue };
        let is_plain = words.len() <= 4 && words.iter().all(|word| word.is_word() && !word.is_all_capitals());
        if is_plain && titled.contains(last.lower.as_ref()) && !begins_as_other(&first.lower) {
            name.kind = Kind::Person;
        }
    }
}

/// Makes every occurrence of an unknown name a thing's if one of them follows "the" or "in", unless a person has one of its
/// words as a name.
fn recognise_things(document: &Document, names: &mut [Name]) {
    let words = |name: &Name| document.tokens[name.core.clone()].iter().map(|word| word.lower.as_ref());
    let people: HashSet<&str> =
        names.iter().filter(|name| name.kind == Kind::Person).flat_map(words).collect();
    let is_unknown =
        |name: &Name| name.kind == Kind::Unknown && !words(name).any(|word| people.contains(word));
    let follows_the_or_in = |name: &Name| {
        let owns = document.after(name.tokens.end - 1).is_some_and(|next| next.kind == TokenKind::Clitic);
        let before = document.before(name.tokens.start).map_or("", |before| before.lower.as_ref());
        before == "the" || (matches!(before, "in" | "at" | "near") && !owns)
    };
    let things = names.iter().filter(|name| is_unknown(name) && follows_the_or_in(name));
    let things: HashSet<String> = things.map(|name| document.lower(&name.core)).collect();
    for name in names.iter_mut().filter(|name| is_unknown(name)) {
        if things.contains(&document.lower(&name.core)) {
            name.kind = Kind::Thing;
        }
    }
}

/// The pairs whose key has one value.
pub(super) fn with_one_value<K: Hash + Eq, V: Clone + PartialEq>(
    pairs: impl Iterator<Item = (K, V)>,
) -> HashMap<K, V> {
    let mut found: HashMap<K, Option<V>> = HashMap::new();
    for (key, value) in pairs {
        let known = found.entry(key).or_insert_with(|| Some(value.clone()));
        if known.as_ref() != Some(&value) {
            *known = None;
        }
    }
    found.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

/// Reads the name at a range of tokens.
fn read(document: &Document, tokens: Range<usize>) -> Name {
    let words = &document.tokens[tokens.clone()];
    let mut name = Name { core: tokens.clone(), tokens, kind: Kind::Unknown, gender: Gender::Unknown };
    if let Some(kind) = kind_by_words(words) {
        name.kind = kind;
    } else if let Some(length) = title_length(words) {
        name.core.start += length;
        name.kind = Kind::Person;
        name.gender = gender_with_title(document, &name);
        // Without a surname, the title is part of the name.
        let is_regnal = lists::REGNAL.contains(&words[length - 1].lower);
        name.core.start -= usize::from(is_regnal && name.core.len() == 1);
    } else {
        (name.kind, name.gender) = kind_of_plain(document, &name.core);
    }
    name
}

/// The kind from the last word of a name, or from the shape of a single word.
fn kind_by_words(words: &[Token]) -> Option<Kind> {
    let (last, first) = (words.last()?, words.first()?);
    let head = last.lower.as_ref();
    if words.len() == 1 && lists::PLACES.contains(head) {
        return Some(Kind::Thing);
    }
    if words.len() == 1 {
        return last.is_all_capitals().then_some(Kind::Organisation);
    }
    let given = first_name(&first.lower).is_some_and(|gender| gender != Gender::Unknown);
    if words.len() == 2 && given && lists::SURNAME_THINGS.contains(head) {
        return None;
    }
    if lists::THING_HEADS.contains(head) {
        return Some(Kind::Thing);
    }
    let is_region = |word: &str| lists::PLACES.contains(word) || lists::PEOPLES.contains(word);
    if lists::ORGANISATION_HEADS.contains(head)
        || words.iter().any(|word| word.is("&"))
        || words.iter().all(|word| word.is_all_capitals() || is_region(&word.lower))
    {
        return Some(Kind::Organisation);
    }
    // "Bank of England" is an organisation, "Duke of York" and "Isle of Man" are not.
    let of = words.iter().position(|word| word.is("of") || word.is("for"))?;
    let is_organisation =
        words[of].is("for") || lists::ORGANISATION_HEADS.contains(&words[of.checked_sub(1)?].lower);
    Some(if is_organisation { Kind::Organisation } else { Kind::Thing })
}

/// Whether a name that begins with the word is not a person's: "Team Brown".
fn begins_as_other(word: &str) -> bool {
    let others = [&lists::ORGANISATION_HEADS, &lists::THING_HEADS, &lists::PEOPLES];
    others.iter().any(|list| list.contains(word))
}

/// The number of words up to the end of the title; `None` without a title, or if nothing follows it.
fn title_length(words: &[Token]) -> Option<usize> {
    let is_title = |word: &Token| {
        let word = word.lower.as_ref();
        let is_role = introduces_person(word).is_some() && first_name(word).is_none();
        TITLES.gender(word).is_some() || lists::RANKS.contains(word) || is_role
    };
    let given = words.iter().position(|word| first_name(&word.lower).is_some() && !is_title(word));
    let limit = given.unwrap_or(words.len() - 1).min(words.len() - 1);
    let last = words[..limit].iter().rposition(is_title)?;
    // "Major League Chess", but "Lord Bridge".
    let other = words.len() > last + 2 && begins_as_other(&words[last + 1].lower);
    (!other).then_some(last + 1)
}

/// The gender that a title shows, or else the first name after it.
fn gender_with_title(document: &Document, name: &Name) -> Gender {
    let title = &document.tokens[name.tokens.start..name.core.start];
    let shown = title.iter().rev().flat_map(|word| [TITLES.gender(&word.lower), person_noun(&word.lower)]);
    let given = first_name(&document.tokens[name.core.start].lower).filter(|_| name.core.len() > 1);
    shown.chain([given]).flatten().fold(Gender::Unknown, Gender::or)
}

/// The kind and the gender of a name without a title, from its first word and from the words around it.
fn kind_of_plain(document: &Document, name: &Range<usize>) -> (Kind, Gender) {
    let words = &document.tokens[name.clone()];
    let first = words[0].lower.as_ref();
    let particles = words.iter().filter(|word| word.is_small()).count();
    let before = document.before(name.start);
    let definite = before.is_some_and(|before| matches!(before.lower.as_ref(), "the" | "a" | "an"));
    let given = first_name(first).filter(|_| !definite);
    let role = before
        .filter(|before| before.is_small() || before.opens)
        .and_then(|before| introduces_person(&before.lower));
    let is_plain = words.iter().all(|word| word.is_word() && !word.is_all_capitals());
    let is_short = is_plain && words.len() <= 3 + particles && !lists::PEOPLES.contains(first);
    let is_named = given.is_some_and(|gender| match words.len() {
        1 => gender != Gender::Unknown,
        // "Florence Tigers": the first word may be a place.
        _ => !lists::PLACES.contains(first),
    });
    if is_short && (is_named || role.is_some()) {
        (Kind::Person, given.into_iter().chain(role).fold(Gender::Unknown, Gender::or))
    } else if before.is_some_and(|before| lists::ORGANISATION_NOUNS.contains(&before.lower)) {
        (Kind::Organisation, Gender::Unknown)
    } else {
        (Kind::Unknown, Gender::Unknown)
    }
}
