//! Resolves "he" and "she" to the nearest name that fits.
//!
//! A name fits if it is the only person of the pronoun's gender in its sentence, up to the pronoun, and in the sentence
//! before. Refuses a pronoun where somebody else may be meant, with or without a name; a pronoun inside a quotation and a
//! name outside of it; an object that would be its own subject; a pronoun before a comma that a name follows; "it",
//! "they" and reflexives.

use std::collections::HashMap;
use std::ops::Range;

use super::entities::{Entity, EntityId, EntityTable};
use super::kinds::Kind;
use super::lists::{self, Gender, introduces_person, is_function_word, person_noun};
use super::mentions::{EntityMention, MentionKind};
use super::tokens::Document;
use crate::text::token::TokenKind;
use crate::text::word_list::WordList;

/// Maximum number of words between a name and the noun that describes it: "Brown, 61, a retired teacher".
const LONGEST_DESCRIPTION: usize = 6;

/// With more people than this in two sentences, it is unclear whom a pronoun refers to.
const MAX_PEOPLE: usize = 12;

/// Maximum number of words between a clause's first word and its object.
const LONGEST_CLAUSE: usize = 40;

/// Words that open a clause, which may have its own subject.
static CLAUSE_OPENERS: WordList = WordList::new("that when after because if while as who which but before");

/// Nouns whose possessor is not the subject: "Brown announced his death".
static FATES: WordList =
    WordList::new("death killing murder body funeral disappearance remains arrest capture");

/// The pronouns of a document that have an antecedent, each with its entity. The table learns genders from them.
pub(super) fn resolved(document: &Document, table: &mut EntityTable) -> Vec<(EntityMention, EntityId)> {
    let names = table.names.iter().map(|(name, entity)| (name.tokens.start, (name.tokens.end, *entity)));
    let names = names.collect();
    let entities = &mut table.entities;
    let mut reader = Reader { document, names, entities, people: Vec::new(), found: Vec::new() };
    for sentence in 0..document.sentences.len() {
        reader.read(sentence);
    }
    reader.found
}

/// The last mention of a person in a sentence.
#[derive(PartialEq)]
struct Person {
    sentence: usize,
    /// `None` without a name.
    entity: Option<EntityId>,
    /// The gender of a person without a name.
    gender: Gender,
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    /// The end and the entity of the name that starts at a token.
    names: HashMap<usize, (usize, EntityId)>,
    entities: &'d mut [Entity],
    /// The people of this sentence and of the sentence before, each with the token that mentions them.
    people: Vec<(Person, usize)>,
    found: Vec<(EntityMention, EntityId)>,
}

impl Reader<'_, '_> {
    fn read(&mut self, sentence: usize) {
        let tokens = self.document.sentences[sentence].clone();
        self.people.retain(|(person, _)| person.sentence + 1 >= sentence);
        if !self.document.trusted[sentence] {
            self.add(None, Gender::Unknown, tokens.start);
        }
        // "In his speech, Brown ...": the name after the comma may be meant.
        let comma = tokens.clone().find(|&place| self.document.tokens[place].is(",")).unwrap_or(tokens.start);
        let opening_end = if self.has_person(comma..tokens.end) { comma } else { tokens.start };
        let (mut place, mut last_name) = (tokens.start, None);
        while place < tokens.end {
            if let Some(&(end, entity)) = self.names.get(&place) {
                match self.entities[entity.0].kind {
                    Kind::Person => self.add(Some(entity), Gender::Unknown, place),
                    Kind::Unknown => self.add(None, Gender::Unknown, place),
                    Kind::Organisation | Kind::Thing => {}
                }
                last_name = Some(end);
                place = end;
            } else {
                self.read_token(place, opening_end, last_name);
                place += 1;
            }
        }
    }

    fn add(&mut self, entity: Option<EntityId>, gender: Gender, place: usize) {
        let entity = entity.filter(|_| self.people.len() < MAX_PEOPLE);
        let Some(token) = self.document.tokens.get(place) else { return };
        let person = Person { sentence: token.sentence, entity, gender };
        self.people.retain(|(other, _)| *other != person);
        self.people.push((person, place));
    }

    fn has_person(&self, mut tokens: Range<usize>) -> bool {
        tokens.any(|place| {
            let kind = self.names.get(&place).map(|(_, entity)| self.entities[entity.0].kind);
            matches!(kind, Some(Kind::Person | Kind::Unknown))
        })
    }

    fn read_token(&mut self, place: usize, opening_end: usize, last_name: Option<usize>) {
        if let Some((gender, kind)) = pronoun(self.document, place) {
            let entity = self.antecedent(place, gender, kind).filter(|_| place >= opening_end);
            if let Some(entity) = entity {
                let known = &mut self.entities[entity.0].gender;
                *known = known.or(gender);
                let span = self.document.span(&(place..place + 1));
                self.found.push((EntityMention { span, kind }, entity));
            }
            self.add(entity, if entity.is_some() { Gender::Unknown } else { gender }, place);
        } else if let Some(gender) = unnamed_person(self.document, place)
            && !self.is_description(place, last_name)
        {
            self.add(None, gender, place);
        }
    }

    /// The only person that fits; one of unknown gender must be the only one at all.
    fn antecedent(&self, place: usize, gender: Gender, kind: MentionKind) -> Option<EntityId> {
        let gender_of =
            |person: &Person| person.entity.map_or(person.gender, |entity| self.entities[entity.0].gender);
        let fitting = || self.people.iter().filter(|(person, _)| gender_of(person).agrees(gender));
        let found = fitting().next()?.0.entity?;
        let is_found = |(person, _): &(Person, usize)| person.entity == Some(found);
        let is_known = self.entities[found.0].gender == gender;
        if !fitting().all(is_found) || !(is_known || self.people.iter().all(is_found)) {
            return None;
        }
        let token = |place: usize| &self.document.tokens[place];
        let mentions = || self.people.iter().filter(|person| is_found(person)).map(|(_, place)| *place);
        let is_reached = mentions().any(|last| token(last).quote == token(place).quote);
        let is_other = mentions()
            .any(|last| token(last).sentence == token(place).sentence && self.is_other(last, place, kind));
        (is_reached && !is_other).then_some(found)
    }

    /// Whether the pronoun cannot be the subject of its clause, whose last mention is at `last`: "Brown praised him",
    /// "Brown announced his death".
    fn is_other(&self, last: usize, place: usize, kind: MentionKind) -> bool {
        let mut between = self.document.tokens[last + 1..place].iter().rev().take(LONGEST_CLAUSE);
        if kind == MentionKind::PossessivePronoun {
            return self.document.after(place).is_some_and(|next| FATES.contains(&next.lower));
        }
        let is_object = matches!(self.document.tokens[place].lower.as_ref(), "him" | "her");
        is_object && !between.any(|token| CLAUSE_OPENERS.contains(&token.lower))
    }

    /// Whether the noun at a place describes a name beside it: "the teacher Brown", "Brown, 61, a teacher", "Brown is a
    /// teacher".
    fn is_description(&self, place: usize, last_name: Option<usize>) -> bool {
        let comma = usize::from(self.document.after(place).is_some_and(|next| next.is(",")));
        let before_name = self.has_person(place + 1 + comma..place + 2 + comma);
        let after_name = last_name.is_some_and(|end| {
            let link = &self.document.tokens[end];
            (end + 1..=end + LONGEST_DESCRIPTION).contains(&place)
                && (link.is(",") || lists::COPULAS.contains(&link.lower))
        });
        before_name || after_name
    }
}

/// The gender of the person without a name that the token at a place means.
fn unnamed_person(document: &Document, place: usize) -> Option<Gender> {
    let word = document.tokens[place].lower.as_ref();
    let is_determined =
        document.before(place).is_some_and(|before| lists::DETERMINERS.contains(&before.lower));
    introduces_person(word).or_else(|| person_noun(word).filter(|_| is_determined))
}

/// The gender and the kind of the pronoun at a place.
fn pronoun(document: &Document, place: usize) -> Option<(Gender, MentionKind)> {
    let token = &document.tokens[place];
    if !token.is_word() || (token.is_all_capitals() && !token.opens) {
        return None;
    }
    Some(match token.lower.as_ref() {
        "he" | "him" => (Gender::Male, MentionKind::Pronoun),
        "his" => (Gender::Male, MentionKind::PossessivePronoun),
        "she" => (Gender::Female, MentionKind::Pronoun),
        "her" if opens_phrase(document, place) => (Gender::Female, MentionKind::PossessivePronoun),
        "her" => (Gender::Female, MentionKind::Pronoun),
        _ => return None,
    })
}

/// Whether a noun phrase can follow "her", which is possessive then.
fn opens_phrase(document: &Document, place: usize) -> bool {
    document.after(place).is_some_and(|next| match next.kind {
        TokenKind::Word => next.is("own") || !is_function_word(&next.lower),
        kind => matches!(kind, TokenKind::Number | TokenKind::OpenQuote),
    })
}
