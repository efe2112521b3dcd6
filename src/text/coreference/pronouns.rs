//! Resolves "he" and "she" to the nearest name that fits.
//!
//! A name fits if it is the only person of the pronoun's gender in its sentence, up to the pronoun, and in the sentence
//! before. Refuses a pronoun where somebody else may be meant, with or without a name; a pronoun inside a quotation and a
//! name outside of it; an object that would be its own subject; a pronoun before a comma that a name follows; "it",
//! "they" and reflexives.

use std::collections::HashMap;
use std::ops::Range;

use super::MentionKind;
use super::entity_table::{Entity, EntityId, EntityTable, TokenMention};
use super::gender::Gender;
use super::kinds::Kind;
use super::roles::{introduces_person, person_noun};
use super::tokens::{Document, Token};
use super::words::{is_auxiliary, is_copula, is_determiner, is_function};
use crate::text::token::TokenKind;

/// Maximum number of words between a name and the noun that describes it: "Brown, 61, a retired teacher".
const LONGEST_DESCRIPTION: usize = 6;

/// With more people than this, it is unclear whom a pronoun refers to.
const MAX_PEOPLE: usize = 6;

/// Maximum number of words between a clause's first word and its object.
const LONGEST_CLAUSE: usize = 40;

/// Words that open a clause, which may have its own subject.
const CLAUSE_OPENERS: [&str; 11] =
    ["that", "when", "after", "because", "if", "while", "as", "who", "which", "but", "before"];

/// Nouns whose possessor is not the subject: "Brown announced his death".
const FATES: [&str; 9] =
    ["death", "killing", "murder", "body", "funeral", "disappearance", "remains", "arrest", "capture"];

/// Adds the resolved pronouns of a document to its table.
pub(super) fn add(document: &Document, table: &mut EntityTable) {
    let names =
        table.names_with_entities().map(|(name, entity)| (name.tokens.start, (name.tokens.end, entity)));
    let names: HashMap<usize, (usize, EntityId)> = names.collect();
    let mut reader = Reader {
        document,
        names,
        table,
        before: People::default(),
        now: People::default(),
        found: Vec::new(),
    };
    for sentence in 0..document.sentences.len() {
        reader.read(sentence);
    }
    let found = reader.found;
    table.pronouns = found;
}

/// The people that a sentence mentions.
#[derive(Default)]
struct People {
    /// Those with a name, each with the token of its last mention.
    named: Vec<(EntityId, usize)>,
    /// The genders of those without a name.
    unnamed: Vec<Gender>,
}

impl People {
    fn add(&mut self, entity: EntityId, place: usize) {
        self.named.retain(|(other, _)| *other != entity);
        if self.named.len() < MAX_PEOPLE {
            self.named.push((entity, place));
        } else {
            self.add_unnamed(Gender::Unknown);
        }
    }

    fn add_unnamed(&mut self, gender: Gender) {
        if !self.unnamed.contains(&gender) {
            self.unnamed.push(gender);
        }
    }
}

struct Reader<'d, 't, 'c> {
    document: &'d Document<'t>,
    /// The end and the entity of the name that starts at a token.
    names: HashMap<usize, (usize, EntityId)>,
    table: &'c mut EntityTable,
    before: People,
    now: People,
    found: Vec<TokenMention>,
}

impl Reader<'_, '_, '_> {
    fn read(&mut self, sentence: usize) {
        let tokens = self.document.sentences[sentence].clone();
        self.before = std::mem::take(&mut self.now);
        if !self.document.trusted[sentence] {
            self.now.add_unnamed(Gender::Unknown);
        }
        // "In his speech, Brown ...": the name after the comma may be meant.
        let comma = tokens.clone().find(|&place| self.document.tokens[place].is(",")).unwrap_or(tokens.start);
        let opening_end = if self.has_person(comma..tokens.end) { comma } else { tokens.start };
        let (mut place, mut last_name) = (tokens.start, None);
        while place < tokens.end {
            place = if let Some(&(end, entity)) = self.names.get(&place) {
                self.read_name(place, entity);
                last_name = Some(end);
                end
            } else {
                self.read_token(place, opening_end, last_name);
                place + 1
            };
        }
    }

    fn has_person(&self, mut tokens: Range<usize>) -> bool {
        tokens.any(|place| {
            self.names.get(&place).is_some_and(|(_, entity)| self.entity(*entity).kind.may_be_person())
        })
    }

    fn entity(&self, id: EntityId) -> &Entity {
        &self.table.entities[id.0]
    }

    fn read_name(&mut self, place: usize, entity: EntityId) {
        match self.entity(entity).kind {
            Kind::Person => self.now.add(entity, place),
            Kind::Unknown => self.now.add_unnamed(Gender::Unknown),
            Kind::Organisation | Kind::Thing => {}
        }
    }

    fn read_token(&mut self, place: usize, opening_end: usize, last_name: Option<usize>) {
        if let Some((gender, kind)) = pronoun(self.document, place) {
            match self.antecedent(place, gender, kind).filter(|_| place >= opening_end) {
                Some(entity) => self.link(place, gender, kind, entity),
                None => self.now.add_unnamed(gender),
            }
        } else if let Some(gender) = unnamed_person(self.document, place)
            && !self.is_description(place, last_name)
        {
            self.now.add_unnamed(gender);
        }
    }

    fn link(&mut self, place: usize, gender: Gender, kind: MentionKind, entity: EntityId) {
        let known = &mut self.table.entities[entity.0].gender;
        *known = known.or(gender);
        self.now.add(entity, place);
        self.found.push(TokenMention { tokens: place..place + 1, kind, entity });
    }

    /// The only person that fits; one of unknown gender must be the only one at all.
    fn antecedent(&self, place: usize, gender: Gender, kind: MentionKind) -> Option<EntityId> {
        let unnamed = || [&self.before, &self.now].into_iter().flat_map(|people| &people.unnamed);
        let named = || [&self.now, &self.before].into_iter().flat_map(|people| people.named.iter().rev());
        if unnamed().any(|other| other.agrees(gender)) {
            return None;
        }
        let fitting = || named().filter(|(entity, _)| self.entity(*entity).gender.agrees(gender));
        let found = fitting().next()?.0;
        let others = |(entity, _): &(EntityId, usize)| *entity != found;
        let is_alone = !named().any(others) && unnamed().next().is_none();
        let is_only = !fitting().any(others) && (self.entity(found).gender == gender || is_alone);
        let quote = |place: usize| self.document.tokens[place].quote;
        let reached = named().any(|(entity, last)| *entity == found && quote(*last) == quote(place));
        let is_excluded = self.now.named.iter().any(|(entity, last)| {
            *entity == found && (self.is_own_object(*last, place, kind) || self.is_own_fate(place, kind))
        });
        (is_only && reached && !is_excluded).then_some(found)
    }

    /// "Brown praised him": the object is not the subject of its clause, whose last mention is at `last`.
    fn is_own_object(&self, last: usize, place: usize, kind: MentionKind) -> bool {
        let token = &self.document.tokens[place];
        let is_object = token.is("him") || (token.is("her") && kind == MentionKind::Pronoun);
        let mut between = self.document.tokens[last + 1..place].iter().rev().take(LONGEST_CLAUSE);
        is_object && !between.any(|token| CLAUSE_OPENERS.contains(&token.lower.as_str()))
    }

    /// "Brown announced his death": somebody else's.
    fn is_own_fate(&self, place: usize, kind: MentionKind) -> bool {
        let next = self.document.after(place);
        kind == MentionKind::PossessivePronoun
            && next.is_some_and(|token| FATES.contains(&token.lower.as_str()))
    }

    /// Whether the noun at a place describes a name beside it: "the teacher Brown", "Brown, 61, a teacher", "Brown is a
    /// teacher".
    fn is_description(&self, place: usize, last_name: Option<usize>) -> bool {
        let comma = usize::from(self.document.after(place).is_some_and(|next| next.is(",")));
        let before_name = self.has_person(place + 1 + comma..place + 2 + comma);
        let links = |token: &Token<'_>| token.is(",") || is_copula(&token.lower);
        let after_name = last_name.is_some_and(|end| {
            place > end && place - end <= LONGEST_DESCRIPTION && links(&self.document.tokens[end])
        });
        before_name || after_name
    }
}

/// The gender of the person without a name that the token at a place means.
fn unnamed_person(document: &Document, place: usize) -> Option<Gender> {
    let word = document.tokens[place].lower.as_str();
    if matches!(word, "someone" | "somebody" | "anyone" | "anybody") {
        return Some(Gender::Unknown);
    }
    let is_determined = document.before(place).is_some_and(|before| is_determiner(&before.lower));
    introduces_person(word).or_else(|| person_noun(word).filter(|_| is_determined))
}

/// The gender and the kind of the pronoun at a place.
fn pronoun(document: &Document, place: usize) -> Option<(Gender, MentionKind)> {
    let token = &document.tokens[place];
    if !token.is_word() || (token.is_all_capitals() && !token.opens) {
        return None;
    }
    Some(match token.lower.as_str() {
        "he" | "him" => (Gender::Male, MentionKind::Pronoun),
        "his" => (Gender::Male, MentionKind::PossessivePronoun),
        "she" => (Gender::Female, MentionKind::Pronoun),
        "hers" => (Gender::Female, MentionKind::PossessivePronoun),
        "her" if is_possessive(document, place) => (Gender::Female, MentionKind::PossessivePronoun),
        "her" => (Gender::Female, MentionKind::Pronoun),
        _ => return None,
    })
}

/// Whether "her" is possessive: a word that can open a noun follows.
fn is_possessive(document: &Document, place: usize) -> bool {
    const MODIFIERS: [&str; 11] =
        ["own", "former", "first", "second", "third", "last", "next", "two", "three", "other", "many"];
    document.after(place).is_some_and(|next| match next.kind {
        TokenKind::Word => {
            let word = next.lower.as_str();
            MODIFIERS.contains(&word) || !(is_function(word) || is_auxiliary(word))
        }
        TokenKind::Number => true,
        TokenKind::Clitic => false,
        TokenKind::Mark | TokenKind::OpenQuote | TokenKind::CloseQuote => {
            matches!(next.text, "\"" | "“" | "'" | "‘" | "`")
        }
    })
}
