//! Definite descriptions: "the company", "the prime minister", "the 24-year-old".
//!
//! A description refers to the entity that the text has described by that noun before: in an apposition ("Acme, a
//! company"), with "is", before the name, in its title or in the name itself. An apposition with "the" is a mention too.
//! Refuses a noun that the document uses of two entities, in the plural or with other words before it; for organisations,
//! the last one named must be the one that is meant.

use std::collections::{HashMap, HashSet};

use super::MentionKind;
use super::entity_table::{EntityId, EntityTable, TokenMention};
use super::facts::{Fact, Scope, facts};
use super::kinds::Kind;
use super::noun_phrases::is_alone;
use super::tokens::Document;
use crate::token::TokenKind;

/// Adds the descriptions of a document to its table.
pub(super) fn add(document: &Document, table: &mut EntityTable) {
    let facts = facts(document, table);
    let named: HashMap<usize, EntityId> =
        table.names_with_entities().map(|(name, entity)| (name.tokens.start, entity)).collect();
    // "the son of Brown" involves two people, "the Acme branch of Acme" repeats one entity.
    let names_others = |apposition: &TokenMention| {
        apposition
            .tokens
            .clone()
            .filter_map(|place| named.get(&place))
            .all(|entity| *entity != apposition.entity && !table.entities[entity.0].kind.may_be_person())
    };
    let appositions = facts.iter().filter_map(|fact| fact.apposition.clone());
    let mut found: Vec<TokenMention> = appositions.filter(names_others).collect();
    let referents = referents(document, table, &facts);
    found.extend(mentions(document, table, &referents));
    found.sort_by_key(|mention| mention.tokens.start);
    let mut end = 0;
    found.retain(|mention| {
        let is_free = mention.tokens.start >= end;
        end = end.max(mention.tokens.end);
        is_free
    });
    table.other_mentions.extend(found);
}

/// The entity that a noun refers to.
#[derive(Clone, Copy, Debug)]
struct Referent {
    entity: EntityId,
    /// The token after which the noun refers to it.
    since: usize,
    scope: Scope,
}

/// The nouns that describe one entity only and have no other use in the document.
fn referents(document: &Document, table: &EntityTable, facts: &[Fact]) -> HashMap<String, Referent> {
    let mut referents: HashMap<String, Option<Referent>> = HashMap::new();
    for fact in facts {
        let new = Referent { entity: fact.entity, since: fact.since, scope: fact.scope };
        let referent = referents.entry(fact.noun.clone()).or_insert(Some(new));
        match referent {
            Some(known) if known.entity == fact.entity => {
                known.since = known.since.min(fact.since);
                known.scope = known.scope.max(fact.scope);
            }
            _ => *referent = None,
        }
    }
    let mut referents: HashMap<String, Referent> =
        referents.into_iter().filter_map(|(noun, referent)| Some((noun, referent?))).collect();
    let fact_places: HashSet<usize> = facts.iter().map(|fact| fact.place).collect();
    let named: HashSet<usize> = table.names.iter().flat_map(|name| name.tokens.clone()).collect();
    for place in
        (0..document.tokens.len()).filter(|place| !fact_places.contains(place) && !named.contains(place))
    {
        let plural = singular(&document.tokens[place].lower).filter(|noun| referents.contains_key(noun));
        if let Some(noun) = plural {
            referents.remove(&noun);
        } else if is_alone(document, place) || named.contains(&(place + 1)) {
            let (noun, words) = noun_at(document, place);
            if definite(document, place, words).is_none() {
                referents.remove(&noun);
            }
        }
    }
    referents
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

/// The mentions that are "the" and a noun with a referent.
fn mentions(
    document: &Document,
    table: &EntityTable,
    referents: &HashMap<String, Referent>,
) -> Vec<TokenMention> {
    let mut found = Vec::new();
    let (mut last_person, mut last_other) = (None, None);
    let mut names = table.names_with_entities().peekable();
    for place in 0..document.tokens.len() {
        while let Some((_, entity)) = names.next_if(|(name, _)| name.tokens.start <= place) {
            let kind = table.entities[entity.0].kind;
            if kind != Kind::Thing {
                *(if kind == Kind::Person { &mut last_person } else { &mut last_other }) = Some(entity);
            }
        }
        let (noun, words) = noun_at(document, place);
        let Some(referent) = referents.get(&noun).filter(|referent| referent.since < place) else { continue };
        let is_person = table.entities[referent.entity.0].kind == Kind::Person;
        let last = if is_person { last_person } else { last_other };
        // Quoted people may speak of an office or a council of their own.
        let is_lasting =
            referent.scope == Scope::WholeDocument && (is_person || document.tokens[place].quote == 0);
        let in_scope = is_lasting || last == Some(referent.entity);
        // "the butcher's shop" is a kind of shop.
        let is_generic = is_person
            && referent.scope == Scope::UntilNextEntity
            && document.after(place).is_some_and(|next| next.kind == TokenKind::Clitic);
        if let Some(the) =
            definite(document, place, words).filter(|_| in_scope && !is_generic && is_alone(document, place))
        {
            found.push(TokenMention {
                tokens: the..place + 1,
                kind: MentionKind::Description,
                entity: referent.entity,
            });
        }
    }
    found
}

/// The place of "the" before a noun of this many words.
fn definite(document: &Document, noun: usize, words: usize) -> Option<usize> {
    let place = noun.checked_sub(words)?;
    document.near(place, noun).filter(|token| token.is("the")).map(|_| place)
}
