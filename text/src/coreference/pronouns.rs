//! Where pronouns stand, and who is around.
//!
//! Decides which pronouns are linked by reading the document from left to right with the people
//! of two sentences in mind; `antecedents` and `neuters` have the rules. Refuses "they",
//! reflexives, and a pronoun before a comma that a name follows.

use std::collections::HashMap;
use std::ops::Range;

use super::MentionKind;
use super::antecedents::{Pronoun, Stage, opens_sentence};
use super::cast::{Cast, EntityId, Reference};
use super::gender::Gender;
use super::kinds::Kind;
use super::neuters;
use super::noun_phrases::{Neighbours, stranger};
use super::scene::Scene;
use super::speakers::Speakers;
use super::tokens::Document;
use super::words::{is_auxiliary, is_function, is_speech};
use crate::token::TokenKind;

/// Adds the pronouns to the cast.
pub(super) fn add(document: &Document, cast: &mut Cast) {
    let mut reader = Reader::new(document, cast);
    for sentence in 0..document.sentences.len() {
        reader.read(sentence);
    }
    let found = reader.found;
    cast.others.extend(found);
}

struct Reader<'d, 't, 'c> {
    document: &'d Document<'t>,
    cast: &'c mut Cast,
    /// Names and descriptions by the token they start with: their end and entity.
    starts: HashMap<usize, (usize, EntityId)>,
    /// Names and descriptions by the token after them: their start and entity.
    ends: HashMap<usize, (usize, EntityId)>,
    before: Scene,
    now: Scene,
    speakers: Speakers,
    found: Vec<Reference>,
}

impl<'d, 't, 'c> Reader<'d, 't, 'c> {
    fn new(document: &'d Document<'t>, cast: &'c mut Cast) -> Self {
        let named = cast.names.iter().zip(&cast.bearers).map(|(name, &entity)| (name.tokens.clone(), entity));
        let others = cast.others.iter().map(|other| (other.tokens.clone(), other.entity));
        let (mut starts, mut ends) = (HashMap::new(), HashMap::new());
        for (tokens, entity) in named.chain(others) {
            starts.insert(tokens.start, (tokens.end, entity));
            ends.insert(tokens.end, (tokens.start, entity));
        }
        Reader {
            document,
            cast,
            starts,
            ends,
            before: Scene::default(),
            now: Scene::default(),
            speakers: Speakers::default(),
            found: Vec::new(),
        }
    }

    fn read(&mut self, sentence: usize) {
        let tokens = self.document.sentences[sentence].clone();
        let next = Scene::new(self.document.trusted[sentence]);
        self.before = std::mem::replace(&mut self.now, next);
        let opening_end =
            tokens.clone().find(|&place| self.document.tokens[place].is(",")).unwrap_or(tokens.start);
        let mut place = tokens.start;
        while place < tokens.end {
            place = match self.starts.get(&place) {
                Some(&(end, entity)) => {
                    self.meet(place..end, entity);
                    end
                }
                None => {
                    self.read_token(place, opening_end);
                    place + 1
                }
            };
        }
        self.speakers.close(self.document, tokens);
    }

    fn read_token(&mut self, place: usize, opening_end: usize) {
        let token = &self.document.tokens[place];
        self.now.has_speech |= is_speech(&token.lower);
        if let Some(pronoun) = pronoun(self.document, place) {
            self.resolve(pronoun, opening_end);
        } else if let Some(kind) = neuters::pronoun(token) {
            self.resolve_neuter(place, kind);
        } else if matches!(token.kind, TokenKind::Word | TokenKind::Number) {
            self.meet_stranger(place);
        }
    }

    /// A name or a description.
    fn meet(&mut self, tokens: Range<usize>, entity: EntityId) {
        match self.cast.entities[entity.0].kind {
            Kind::Person => self.enter(tokens, entity, true),
            Kind::Unknown => {
                self.now.enter_stranger(Gender::Unknown);
                self.now.has_unknown_name |= tokens.len() == 1;
            }
            Kind::Organisation | Kind::Thing => self.speakers.hear(self.document, &tokens, entity),
        }
    }

    fn enter(&mut self, tokens: Range<usize>, entity: EntityId, is_free: bool) {
        let next = self.document.after(tokens.end - 1);
        let is_whole = next.is_none_or(|next| next.kind != TokenKind::Clitic && !next.is("and"));
        if is_free
            && is_whole
            && self.now.subject.is_none()
            && opens_sentence(self.document, &self.now, tokens.start)
        {
            self.now.subject = Some(entity);
        }
        self.now.enter(entity, tokens.start, self.document.tokens[tokens.start].quote);
        self.speakers.hear(self.document, &tokens, entity);
    }

    fn meet_stranger(&mut self, place: usize) {
        let is_person = |(_, entity): &(usize, EntityId)| self.cast.entities[entity.0].kind.may_be_person();
        let neighbours = Neighbours {
            starts: &|at| self.starts.get(&at).is_some_and(is_person),
            ends: &|at| self.ends.get(&at).is_some_and(is_person),
        };
        if let Some(gender) = stranger(self.document, place, &neighbours) {
            self.now.enter_stranger(gender);
        }
    }

    fn resolve(&mut self, pronoun: Pronoun, opening_end: usize) {
        let stage = Stage {
            document: self.document,
            entities: &self.cast.entities,
            before: &self.before,
            now: &self.now,
            speaker: self.speakers.last(),
        };
        let forward = pronoun.place < opening_end && self.name_follows(opening_end);
        let Some(entity) = stage.antecedent(pronoun).filter(|_| !forward) else {
            self.now.enter_stranger(pronoun.gender);
            return;
        };
        let known = &mut self.cast.entities[entity.0].gender;
        *known = known.or(pronoun.gender);
        let tokens = pronoun.place..pronoun.place + 1;
        self.enter(tokens.clone(), entity, pronoun.kind == MentionKind::Pronoun);
        self.found.push(Reference { tokens, kind: pronoun.kind, entity });
    }

    /// "In his speech, Brown ...": a name soon after the comma may be the one that is meant.
    fn name_follows(&self, comma: usize) -> bool {
        (comma + 1..comma + 7).any(|at| {
            let same = self.document.near(at, comma).is_some();
            let name = self.starts.get(&at).filter(|_| same);
            name.is_some_and(|(_, entity)| self.cast.entities[entity.0].kind.may_be_person())
        })
    }

    fn resolve_neuter(&mut self, place: usize, kind: MentionKind) {
        let subject_before = |end: usize| {
            self.ends
                .get(&end)
                .filter(|(start, _)| neuters::may_be_subject(self.document, *start))
                .map(|(_, entity)| *entity)
        };
        let found = neuters::antecedent(self.document, place, kind, self.speakers.last(), subject_before);
        let is_neuter =
            |entity: &EntityId| matches!(self.cast.entities[entity.0].kind, Kind::Organisation | Kind::Thing);
        if let Some(entity) = found.filter(is_neuter) {
            let tokens = place..place + 1;
            self.speakers.hear(self.document, &tokens, entity);
            self.found.push(Reference { tokens, kind, entity });
        }
    }
}

/// The personal pronoun at a place.
fn pronoun(document: &Document, place: usize) -> Option<Pronoun> {
    let token = &document.tokens[place];
    if !token.is_word() || (token.is_all_capitals() && !token.opens) {
        return None;
    }
    let (gender, kind) = match token.lower.as_str() {
        "he" | "him" => (Gender::Male, MentionKind::Pronoun),
        "his" => (Gender::Male, MentionKind::PossessivePronoun),
        "she" => (Gender::Female, MentionKind::Pronoun),
        "hers" => (Gender::Female, MentionKind::PossessivePronoun),
        "her" if owns(document, place) => (Gender::Female, MentionKind::PossessivePronoun),
        "her" => (Gender::Female, MentionKind::Pronoun),
        _ => return None,
    };
    Some(Pronoun { place, gender, kind })
}

/// Whether "her" is followed by what she has.
fn owns(document: &Document, place: usize) -> bool {
    document.after(place).is_some_and(|next| match next.kind {
        TokenKind::Word => {
            let ordinal = matches!(
                next.lower.as_str(),
                "own"
                    | "former"
                    | "first"
                    | "second"
                    | "third"
                    | "last"
                    | "next"
                    | "two"
                    | "three"
                    | "four"
                    | "other"
                    | "many"
            );
            ordinal || !(is_function(&next.lower) || is_auxiliary(&next.lower))
        }
        TokenKind::Number => true,
        TokenKind::Clitic => false,
        TokenKind::Mark | TokenKind::OpenQuote | TokenKind::CloseQuote => {
            matches!(next.text, "\"" | "“" | "'" | "‘" | "`")
        }
    })
}
