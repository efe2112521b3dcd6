//! Nouns that describe an entity.
//!
//! Finds them in, before and directly after a name: "Quendon Council", "striker Brown", "Brown, 24,", "Acme, a software
//! company", "Acme is a charity". Refuses what no longer holds ("the former captain").

use super::MentionKind;
use super::appositions;
use super::descriptions::noun_at;
use super::entity_table::{EntityId, EntityTable, TokenMention};
use super::kinds::{Kind, Name};
use super::organisations::{is_organisation_noun, takes_of};
use super::roles::{introduces_person, person_noun};
use super::titles;
use super::tokens::{Document, Token};
use super::words::{is_auxiliary, is_speech};
use crate::token::TokenKind;

/// How long a noun refers to its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// Until another entity of its kind is named: "striker Brown".
    UntilNextEntity,
    /// In the whole document: an age, an office, a noun of the name.
    WholeDocument,
}

/// A noun that describes an entity.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) entity: EntityId,
    pub(super) noun: String,
    /// The token of the noun; the end of the document for an age.
    pub(super) place: usize,
    /// The token after which the fact is known.
    pub(super) since: usize,
    pub(super) scope: Scope,
    /// The whole phrase, if it is a mention of the entity: "the captain of the side".
    pub(super) apposition: Option<TokenMention>,
}

/// All facts of a document, in order of the names.
pub(super) fn facts(document: &Document, table: &EntityTable) -> Vec<Fact> {
    let mut found = Vec::new();
    for (name, entity) in table.names_with_entities() {
        let kind = table.entities[entity.0].kind;
        let reader = FactReader { document, name, entity, kind };
        found.extend(reader.age());
        found.extend(reader.in_name());
        found.extend(reader.before());
        found.extend(reader.after());
    }
    found
}

struct FactReader<'d, 't> {
    document: &'d Document<'t>,
    name: &'d Name,
    entity: EntityId,
    kind: Kind,
}

impl FactReader<'_, '_> {
    fn fact(&self, place: usize, scope: Scope) -> Fact {
        let (mut noun, _) = noun_at(self.document, place);
        if let Some(next) = self.document.after(place).filter(|_| noun == "number") {
            noun = format!("number {}", next.lower);
        }
        let since = self.name.tokens.end.max(place);
        Fact { entity: self.entity, noun, place, since, scope, apposition: None }
    }

    /// Whether the word is a noun for the named entity's kind.
    fn suits(&self, word: &str) -> bool {
        match self.kind {
            Kind::Person => introduces_person(word).is_some(),
            Kind::Organisation | Kind::Unknown => is_organisation_noun(word),
            Kind::Thing => false,
        }
    }

    fn age(&self) -> Option<Fact> {
        let years = self.name.age.filter(|_| self.kind == Kind::Person)?;
        let noun = format!("{years}-year-old");
        let place = self.document.tokens.len();
        Some(Fact {
            entity: self.entity,
            noun,
            place,
            since: self.name.tokens.end,
            scope: Scope::WholeDocument,
            apposition: None,
        })
    }

    /// "Quendon Council", "Bank of England", "Prime Minister Brown".
    fn in_name(&self) -> Option<Fact> {
        let [first, last] = [self.name.tokens.start, self.name.tokens.end - 1];
        let word = |place: usize| self.document.tokens[place].lower.as_str();
        match self.kind {
            Kind::Person => {
                let title = self.name.core.start.checked_sub(1).filter(|&place| place >= first)?;
                (titles::is_rank(word(title)) && !self.is_over(title))
                    .then(|| self.fact(title, Scope::WholeDocument))
            }
            Kind::Organisation if first < last => {
                let heads = [last, first].into_iter().find(|&place| is_organisation_noun(word(place)))?;
                (heads == last || takes_of(word(first))).then(|| self.fact(heads, Scope::WholeDocument))
            }
            _ => None,
        }
    }

    /// "striker Brown", "charity Acme".
    fn before(&self) -> Option<Fact> {
        let place = self.name.tokens.start.checked_sub(1)?;
        let token = self.document.near(place, self.name.tokens.start)?;
        let fits = token.is_word() && (token.is_small() || token.opens) && self.suits(&token.lower);
        let scope = if titles::is_rank(&token.lower) { Scope::WholeDocument } else { Scope::UntilNextEntity };
        (fits && !self.is_over(place)).then(|| self.fact(place, scope))
    }

    /// "Brown, the captain of the side, ...", "Acme is a charity".
    fn after(&self) -> Option<Fact> {
        let last = self.name.tokens.end - 1;
        let found = appositions::after(self.document, last, self.name.age.is_some())?;
        let noun = self.document.tokens[found.noun].lower.as_str();
        // "Brown, the Reds number eight," is a position on the field; "the number" alone is not.
        let is_number = noun == "number" && self.kind == Kind::Person;
        if !(self.suits(noun) || is_number) || self.is_over(found.noun) {
            return None;
        }
        let definite = found.apposed && self.document.tokens[found.start].is("the");
        let alone = found.noun == found.start + 1;
        if definite
            && alone
            && self.document.after(found.noun).is_none_or(|next| next.kind == TokenKind::Mark)
        {
            // "Brown, the captain, Smith and Jones" may be a list.
            return None;
        }
        let apposition = if definite { self.apposition(found.start, last) } else { None };
        let fact = self.fact(found.noun, Scope::UntilNextEntity);
        (!is_number || apposition.is_some()).then_some(Fact { apposition, ..fact })
    }

    /// The phrase from "the" to its closing comma, if it has no verb and no second person.
    fn apposition(&self, start: usize, last: usize) -> Option<TokenMention> {
        let end = (start + 1..start + appositions::LONGEST)
            .find(|&at| self.document.near(at, last).is_none_or(|token| token.is(",") || token.is(".")))?;
        let words = &self.document.tokens[start..end];
        let plain = |token: &Token| {
            let verb = is_auxiliary(&token.lower) || is_speech(&token.lower) || token.lower.ends_with("ing");
            let clause = matches!(
                token.lower.as_str(),
                "who" | "which" | "that" | "to" | "and" | "or" | "when" | "where"
            );
            matches!(token.kind, TokenKind::Word | TokenKind::Clitic) && !verb && !clause
        };
        let people = words.iter().filter(|token| person_noun(&token.lower).is_some()).count();
        let listed = self.document.after(end).is_some_and(|next| next.is("and") || next.is("or"))
            || self
                .document
                .before(self.name.tokens.start)
                .is_some_and(|before| before.is(",") || before.is("and"));
        let fits = words.iter().all(plain) && people <= 1 && !listed;
        fits.then_some(TokenMention {
            tokens: start..end,
            kind: MentionKind::Description,
            entity: self.entity,
        })
    }

    /// "the former captain", "ex-captain".
    fn is_over(&self, noun: usize) -> bool {
        (0..5)
            .filter_map(|back| self.document.near(noun.checked_sub(back)?, noun))
            .take_while(|token| token.is_word())
            .any(|token| {
                matches!(
                    token.lower.as_str(),
                    "former" | "late" | "ex" | "then" | "acting" | "deputy" | "assistant"
                ) || token.lower.starts_with("ex-")
            })
    }
}
