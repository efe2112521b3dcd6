//! The kind of a name: a person's, an organisation's, a thing's.
//!
//! Decides from the words of one name and the words around it. A name without evidence is of unknown kind: it is never an
//! antecedent, but counts as another possible one.

use std::ops::Range;

use super::appositions;
use super::first_names::first_name;
use super::gender::Gender;
use super::organisations::{is_legal_form, is_organisation_head, is_organisation_noun, is_thing_head};
use super::places::{is_people, is_place};
use super::roles::{age_of, introduces_person, person_noun};
use super::titles;
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

impl Kind {
    /// Whether "he" or "she" can refer to the entity.
    pub(super) fn may_be_person(self) -> bool {
        matches!(self, Kind::Person | Kind::Unknown)
    }
}

/// The form of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Without a title, or with a role that does not identify the person.
    Plain,
    /// "Mr", "Mrs", "Dr", a rank or an office.
    Titled,
    /// "Prince Harry": a title with a given name alone.
    Regnal,
}

/// A name with what it shows about its entity.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// All its tokens, title included.
    pub(super) tokens: Range<usize>,
    /// Its tokens after the title.
    pub(super) core: Range<usize>,
    pub(super) kind: Kind,
    pub(super) gender: Gender,
    pub(super) form: Form,
    /// The years in ", 24," or "24-year-old".
    pub(super) age: Option<u8>,
}

/// Surnames that are also words for things; a first name before them makes them surnames.
const SURNAME_THINGS: [&str; 14] = [
    "hill", "lane", "rose", "day", "north", "west", "cross", "law", "church", "wall", "war", "battle",
    "park", "show",
];

/// Reads the name at a range of tokens.
pub(super) fn read(document: &Document, tokens: Range<usize>) -> Name {
    let words = &document.tokens[tokens.clone()];
    let named_thing = kind_by_head(words);
    let title = if named_thing.is_some() { None } else { title_length(words) };
    let core = tokens.start + title.unwrap_or(0)..tokens.end;
    let age = age_around(document, &core);
    let mut name =
        Name { tokens, core, kind: Kind::Unknown, gender: Gender::Unknown, form: Form::Plain, age };
    if let Some(kind) = named_thing {
        name.kind = kind;
    } else if let Some(length) = title {
        read_titled(document, &mut name, length);
    } else {
        read_plain(document, &mut name);
    }
    name
}

/// The kind from the last word of a name, or from the shape of a single word.
fn kind_by_head(words: &[Token]) -> Option<Kind> {
    let (last, first) = (words.last()?, words.first()?);
    let head = last.lower.as_str();
    if let [only] = words {
        return if is_place(head) {
            Some(Kind::Thing)
        } else {
            only.is_all_capitals().then_some(Kind::Organisation)
        };
    }
    let given = first_name(&first.lower).is_some_and(|gender| gender != Gender::Unknown);
    if words.len() == 2 && given && SURNAME_THINGS.contains(&head) {
        return None;
    }
    if is_thing_head(head) {
        return Some(Kind::Thing);
    }
    let company = words.iter().skip(1).any(|word| word.is("&") || is_legal_form(&word.lower));
    if is_organisation_head(head) || company || is_all_places(words) {
        return Some(Kind::Organisation);
    }
    let of = words.iter().position(|word| word.is("of") || word.is("for"))?;
    let before = words[of.checked_sub(1)?].lower.as_str();
    let office = titles::is_rank(before) || titles::is_regnal(before) || person_noun(before).is_some();
    Some(if office || matches!(before, "isle" | "republic" | "states") {
        Kind::Thing
    } else {
        Kind::Organisation
    })
}

/// Whether a name that begins with the word is not a person's: "Team Brown".
pub(super) fn begins_as_other(word: &str) -> bool {
    is_organisation_head(word) || is_thing_head(word) || is_people(word)
}

fn is_all_places(words: &[Token]) -> bool {
    words.iter().all(|word| is_place(&word.lower) || is_people(&word.lower) || word.is_all_capitals())
}

/// The number of words up to the end of the title; `None` without a title, or if nothing follows it.
fn title_length(words: &[Token]) -> Option<usize> {
    let is_role = |word: &str| introduces_person(word).is_some() && first_name(word).is_none();
    let is_title = |word: &Token| {
        titles::honorific(&word.lower).is_some() || titles::is_rank(&word.lower) || is_role(&word.lower)
    };
    let given = words.iter().position(|word| first_name(&word.lower).is_some() && !is_title(word));
    let limit = given.unwrap_or(words.len() - 1).min(words.len() - 1);
    let last = words[..limit].iter().rposition(is_title)?;
    // "Major League Chess", but "Lord Bridge".
    let other = words.len() > last + 2 && begins_as_other(&words[last + 1].lower);
    (!other).then_some(last + 1)
}

fn read_titled(document: &Document, name: &mut Name, length: usize) {
    let title = document.tokens[name.core.start - 1].lower.as_str();
    let honorific = (0..length).rev().find_map(|back| {
        let word = document.tokens[name.tokens.start + back].lower.as_str();
        titles::honorific(word).filter(|gender| *gender != Gender::Unknown)
    });
    let by_role = person_noun(title).unwrap_or(Gender::Unknown);
    let first = &document.tokens[name.core.start];
    let given = first_name(&first.lower).filter(|_| name.core.len() > 1 || titles::is_regnal(title));
    name.kind = Kind::Person;
    name.form = if titles::is_regnal(title) && name.core.len() == 1 { Form::Regnal } else { Form::Titled };
    name.gender = honorific.unwrap_or(Gender::Unknown).or(by_role).or(given.unwrap_or(Gender::Unknown));
    // "London Mr Smith": words before a title of address are not part of the name.
    if let Some(at) = (0..length).find(|at| {
        let word = &document.tokens[name.tokens.start + at].lower;
        matches!(word.as_str(), "mr" | "mrs" | "ms" | "miss" | "sir" | "dame" | "lord" | "lady" | "dr")
    }) {
        name.tokens.start += at;
    }
}

fn read_plain(document: &Document, name: &mut Name) {
    if !strip_origin(document, name) {
        return;
    }
    let words = &document.tokens[name.core.clone()];
    if words.iter().any(|word| word.kind != TokenKind::Word || word.is_all_capitals()) {
        return;
    }
    let first = words[0].lower.as_str();
    let definite = document.before(name.core.start).is_some_and(|before| is_article(&before.lower));
    let given = first_name(first).filter(|_| !definite);
    let apposed = appositions::after(document, name.core.end - 1, name.age.is_some())
        .map(|noun| document.tokens[noun].lower.as_str());
    let role = introduced_by(document, name.core.start).or_else(|| introduces_person(apposed?));
    let particles = words.iter().filter(|word| word.is_small()).count();
    let is_short = words.len() <= 3 + particles;
    let is_full = is_short && words.len() > 1;
    let is_named = match given {
        // "Florence Tigers": the first word may be a place.
        Some(_) if is_full => !is_place(first),
        Some(gender) => gender != Gender::Unknown && words.len() == 1,
        None => false,
    };
    if is_named || (is_short && role.is_some()) || (is_full && name.age.is_some()) {
        name.kind = Kind::Person;
        name.gender = given.unwrap_or(Gender::Unknown).or(role.unwrap_or(Gender::Unknown));
    } else if introduced_as_organisation(document, name.core.start)
        || apposed.is_some_and(is_organisation_noun)
    {
        name.kind = Kind::Organisation;
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

/// Drops a place or nationality before a first name: "Frenchman Peter Brown". Returns `false` if a nationality begins the
/// name of something else: "British Gas".
fn strip_origin(document: &Document, name: &mut Name) -> bool {
    let is_origin = |word: &&Token| {
        is_people(&word.lower) || (is_place(&word.lower) && first_name(&word.lower).is_none())
    };
    let words = &document.tokens[name.tokens.clone()];
    let origin = words.iter().take_while(is_origin).count();
    let Some(rest) = words.get(origin).filter(|_| origin > 0) else { return true };
    if first_name(&rest.lower).is_none() {
        return !is_people(&words[0].lower);
    }
    name.tokens.start += origin;
    name.core.start += origin;
    true
}

/// The gender of a noun for a person directly before the name: "striker Brown".
fn introduced_by(document: &Document, start: usize) -> Option<Gender> {
    let before = document.before(start)?;
    if before.is_word() && (before.is_small() || before.opens) {
        introduces_person(&before.lower)
    } else {
        None
    }
}

fn introduced_as_organisation(document: &Document, start: usize) -> bool {
    document.before(start).is_some_and(|before| before.is_small() && is_organisation_noun(&before.lower))
}

/// The age in "Brown, 24," or "24-year-old Brown".
fn age_around(document: &Document, core: &Range<usize>) -> Option<u8> {
    let before = core.start.checked_sub(1).and_then(|place| document.near(place, core.start));
    if let Some(years) = before.and_then(|token| age_of(&token.lower)) {
        return Some(years);
    }
    let last = core.end - 1;
    document.near(core.end, last).filter(|token| token.is(","))?;
    let years: u8 = document.near(core.end + 1, last)?.text.parse().ok()?;
    let closed =
        document.near(core.end + 2, last).is_none_or(|token| token.is(",") || token.is(".") || token.is(";"));
    (closed && years < 120).then_some(years)
}
