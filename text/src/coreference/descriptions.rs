//! "the company", "the prime minister", "the 24-year-old".
//!
//! Decides that such a phrase means whom the text has described by that noun before: in an
//! apposition ("Acme, a company"), with "is", in front of the name, in its title or in the name
//! itself. An apposition with "the" is a mention too. Refuses a noun that the document uses of
//! two, in the plural or with other words before it, and of organisations all but the last named.

use std::collections::{HashMap, HashSet};

use super::MentionKind;
use super::cast::{Cast, EntityId, Reference};
use super::facts::{Fact, Hold, facts};
use super::kinds::Kind;
use super::noun_phrases::is_alone;
use super::tokens::Document;
use crate::token::TokenKind;

/// Adds the descriptions to the cast.
pub(super) fn add(document: &Document, cast: &mut Cast) {
    let facts = facts(document, cast);
    let named: HashMap<usize, EntityId> =
        cast.names.iter().zip(&cast.bearers).map(|(name, &bearer)| (name.tokens.start, bearer)).collect();
    // "the son of Brown" tells of two people, "the Acme branch of Acme" twice of one.
    let names_others = |apposition: &Reference| {
        apposition
            .tokens
            .clone()
            .filter_map(|place| named.get(&place))
            .all(|bearer| *bearer != apposition.entity && !cast.entities[bearer.0].kind.may_be_person())
    };
    let appositions = facts.iter().filter_map(|fact| fact.apposition.clone());
    let mut found: Vec<Reference> = appositions.filter(names_others).collect();
    let owners = owners(document, cast, &facts);
    found.extend(mentions(document, cast, &owners));
    found.sort_by_key(|reference| reference.tokens.start);
    let mut end = 0;
    found.retain(|reference| {
        let is_free = reference.tokens.start >= end;
        end = end.max(reference.tokens.end);
        is_free
    });
    cast.others.extend(found);
}

/// Whom a noun describes.
#[derive(Clone, Copy, Debug)]
struct Owner {
    entity: EntityId,
    /// Token after which the noun is known.
    since: usize,
    hold: Hold,
}

/// The nouns that describe one entity only, and are not used otherwise.
fn owners(document: &Document, cast: &Cast, facts: &[Fact]) -> HashMap<String, Owner> {
    let mut owners: HashMap<String, Option<Owner>> = HashMap::new();
    for fact in facts {
        let new = Owner { entity: fact.entity, since: fact.since, hold: fact.hold };
        let owner = owners.entry(fact.noun.clone()).or_insert(Some(new));
        match owner {
            Some(known) if known.entity == fact.entity => {
                known.since = known.since.min(fact.since);
                known.hold = known.hold.max(fact.hold);
            }
            _ => *owner = None,
        }
    }
    let mut owners: HashMap<String, Owner> =
        owners.into_iter().filter_map(|(noun, owner)| Some((noun, owner?))).collect();
    let told: HashSet<usize> = facts.iter().map(|fact| fact.place).collect();
    let named: HashSet<usize> = cast.names.iter().flat_map(|name| name.tokens.clone()).collect();
    for place in (0..document.tokens.len()).filter(|place| !told.contains(place) && !named.contains(place)) {
        let plural = singular(&document.tokens[place].lower).filter(|noun| owners.contains_key(noun));
        if let Some(noun) = plural {
            owners.remove(&noun);
        } else if is_alone(document, place) || named.contains(&(place + 1)) {
            let (noun, words) = noun_at(document, place);
            if definite(document, place, words).is_none() {
                owners.remove(&noun);
            }
        }
    }
    owners
}

/// The singular of a plural noun.
fn singular(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 3)?;
    Some(stem.strip_suffix("ie").map_or_else(|| stem.to_owned(), |stem| format!("{stem}y")))
}

/// The noun at a place, with the word before it in "prime minister", and its number of words.
pub(super) fn noun_at(document: &Document, place: usize) -> (String, usize) {
    let noun = document.tokens[place].lower.as_str();
    let before = document.before(place).map_or("", |token| token.lower.as_str());
    let double = matches!(
        (before, noun),
        ("prime", "minister")
            | ("chief", "executive")
            | ("head", "teacher")
            | ("vice", "president")
            | ("chief", "constable")
    );
    if double { (format!("{before} {noun}"), 2) } else { (noun.to_owned(), 1) }
}

/// Where a noun that has an owner stands with "the" and nothing else.
fn mentions(document: &Document, cast: &Cast, owners: &HashMap<String, Owner>) -> Vec<Reference> {
    let mut found = Vec::new();
    let (mut last_person, mut last_other) = (None, None);
    let mut names = cast.names.iter().zip(&cast.bearers).peekable();
    for place in 0..document.tokens.len() {
        while let Some((_, &bearer)) = names.next_if(|(name, _)| name.tokens.start <= place) {
            let kind = cast.entities[bearer.0].kind;
            if kind != Kind::Thing {
                *(if kind == Kind::Person { &mut last_person } else { &mut last_other }) = Some(bearer);
            }
        }
        let (noun, words) = noun_at(document, place);
        let Some(owner) = owners.get(&noun).filter(|owner| owner.since < place) else { continue };
        let is_person = cast.entities[owner.entity.0].kind == Kind::Person;
        let last = if is_person { last_person } else { last_other };
        // Who is quoted may have an office or a council of their own.
        let is_told = owner.hold == Hold::Firm && (is_person || document.tokens[place].quote == 0);
        let holds = is_told || last == Some(owner.entity);
        // "the butcher's shop" is a sort of shop.
        let is_sort = is_person
            && owner.hold == Hold::Loose
            && document.after(place).is_some_and(|next| next.kind == TokenKind::Clitic);
        if let Some(the) =
            definite(document, place, words).filter(|_| holds && !is_sort && is_alone(document, place))
        {
            found.push(Reference {
                tokens: the..place + 1,
                kind: MentionKind::Description,
                entity: owner.entity,
            });
        }
    }
    found
}

/// The place of "the" before a noun of so many words.
fn definite(document: &Document, noun: usize, words: usize) -> Option<usize> {
    let place = noun.checked_sub(words)?;
    document.near(place, noun).filter(|token| token.is("the")).map(|_| place)
}
