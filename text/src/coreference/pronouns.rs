//! Finds and resolves pronouns.
//!
//! Reads the document from left to right and keeps the people of the current and the last sentence; `antecedents` and
//! `neuters` have the rules. Refuses "they", reflexives, and a pronoun before a comma that a name follows.

use std::collections::HashMap;
use std::ops::Range;

use super::MentionKind;
use super::antecedents::{Pronoun, PronounContext, opens_sentence};
use super::entity_table::{EntityId, EntityTable, TokenMention};
use super::gender::Gender;
use super::kinds::Kind;
use super::neuters;
use super::noun_phrases::{Neighbours, unnamed_person};
use super::sentence_context::SentenceContext;
use super::speakers::SpeakerTracker;
use super::tokens::Document;
use super::words::{is_auxiliary, is_function, is_speech};
use crate::token::TokenKind;

/// Adds the resolved pronouns of a document to its table.
pub(super) fn add(document: &Document, table: &mut EntityTable) {
    let mut reader = Reader::new(document, table);
    for sentence in 0..document.sentences.len() {
        reader.read(sentence);
    }
    let found = reader.found;
    table.other_mentions.extend(found);
}

struct Reader<'d, 't, 'c> {
    document: &'d Document<'t>,
    table: &'c mut EntityTable,
    /// Names and descriptions by their first token: their end and entity.
    starts: HashMap<usize, (usize, EntityId)>,
    /// Names and descriptions by the token after them: their start and entity.
    ends: HashMap<usize, (usize, EntityId)>,
    before: SentenceContext,
    now: SentenceContext,
    speakers: SpeakerTracker,
    found: Vec<TokenMention>,
}

impl<'d, 't, 'c> Reader<'d, 't, 'c> {
    fn new(document: &'d Document<'t>, table: &'c mut EntityTable) -> Self {
        let named = table.names_with_entities().map(|(name, entity)| (name.tokens.clone(), entity));
        let others = table.other_mentions.iter().map(|other| (other.tokens.clone(), other.entity));
        let (mut starts, mut ends) = (HashMap::new(), HashMap::new());
        for (tokens, entity) in named.chain(others) {
            starts.insert(tokens.start, (tokens.end, entity));
            ends.insert(tokens.end, (tokens.start, entity));
        }
        Reader {
            document,
            table,
            starts,
            ends,
            before: SentenceContext::default(),
            now: SentenceContext::default(),
            speakers: SpeakerTracker::default(),
            found: Vec::new(),
        }
    }

    fn read(&mut self, sentence: usize) {
        let tokens = self.document.sentences[sentence].clone();
        let next = SentenceContext::new(self.document.trusted[sentence]);
        self.before = std::mem::replace(&mut self.now, next);
        let opening_end =
            tokens.clone().find(|&place| self.document.tokens[place].is(",")).unwrap_or(tokens.start);
        let mut place = tokens.start;
        while place < tokens.end {
            place = match self.starts.get(&place) {
                Some(&(end, entity)) => {
                    self.read_mention(place..end, entity);
                    end
                }
                None => {
                    self.read_token(place, opening_end);
                    place + 1
                }
            };
        }
        self.speakers.end_sentence(self.document, tokens);
    }

    fn read_token(&mut self, place: usize, opening_end: usize) {
        let token = &self.document.tokens[place];
        self.now.has_speech |= is_speech(&token.lower);
        if let Some(pronoun) = pronoun(self.document, place) {
            self.resolve(pronoun, opening_end);
        } else if let Some(kind) = neuters::pronoun(token) {
            self.resolve_neuter(place, kind);
        } else if matches!(token.kind, TokenKind::Word | TokenKind::Number) {
            self.read_unnamed_person(place);
        }
    }

    /// Records a name or a description.
    fn read_mention(&mut self, tokens: Range<usize>, entity: EntityId) {
        match self.table.entities[entity.0].kind {
            Kind::Person => self.add_person(tokens, entity, true),
            Kind::Unknown => {
                self.now.add_unnamed(Gender::Unknown);
                self.now.has_unknown_name |= tokens.len() == 1;
            }
            Kind::Organisation | Kind::Thing => self.speakers.note_mention(self.document, &tokens, entity),
        }
    }

    fn add_person(&mut self, tokens: Range<usize>, entity: EntityId, is_free: bool) {
        let next = self.document.after(tokens.end - 1);
        let is_whole = next.is_none_or(|next| next.kind != TokenKind::Clitic && !next.is("and"));
        if is_free
            && is_whole
            && self.now.subject.is_none()
            && opens_sentence(self.document, &self.now, tokens.start)
        {
            self.now.subject = Some(entity);
        }
        self.now.add_person(entity, tokens.start, self.document.tokens[tokens.start].quote);
        self.speakers.note_mention(self.document, &tokens, entity);
    }

    fn read_unnamed_person(&mut self, place: usize) {
        let is_person = |(_, entity): &(usize, EntityId)| self.table.entities[entity.0].kind.may_be_person();
        let neighbours = Neighbours {
            starts: &|at| self.starts.get(&at).is_some_and(is_person),
            ends: &|at| self.ends.get(&at).is_some_and(is_person),
        };
        if let Some(gender) = unnamed_person(self.document, place, &neighbours) {
            self.now.add_unnamed(gender);
        }
    }

    fn resolve(&mut self, pronoun: Pronoun, opening_end: usize) {
        let context = PronounContext {
            document: self.document,
            entities: &self.table.entities,
            before: &self.before,
            now: &self.now,
            speaker: self.speakers.last(),
        };
        let forward = pronoun.place < opening_end && self.name_follows(opening_end);
        let Some(entity) = context.antecedent(pronoun).filter(|_| !forward) else {
            self.now.add_unnamed(pronoun.gender);
            return;
        };
        let known = &mut self.table.entities[entity.0].gender;
        *known = known.or(pronoun.gender);
        let tokens = pronoun.place..pronoun.place + 1;
        self.add_person(tokens.clone(), entity, pronoun.kind == MentionKind::Pronoun);
        self.found.push(TokenMention { tokens, kind: pronoun.kind, entity });
    }

    /// "In his speech, Brown ...": a name soon after the comma may be the antecedent.
    fn name_follows(&self, comma: usize) -> bool {
        (comma + 1..comma + 7).any(|at| {
            let same = self.document.near(at, comma).is_some();
            let name = self.starts.get(&at).filter(|_| same);
            name.is_some_and(|(_, entity)| self.table.entities[entity.0].kind.may_be_person())
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
        let is_neuter = |entity: &EntityId| {
            matches!(self.table.entities[entity.0].kind, Kind::Organisation | Kind::Thing)
        };
        if let Some(entity) = found.filter(is_neuter) {
            let tokens = place..place + 1;
            self.speakers.note_mention(self.document, &tokens, entity);
            self.found.push(TokenMention { tokens, kind, entity });
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
        "her" if is_possessive(document, place) => (Gender::Female, MentionKind::PossessivePronoun),
        "her" => (Gender::Female, MentionKind::Pronoun),
        _ => return None,
    };
    Some(Pronoun { place, gender, kind })
}

/// Whether "her" is possessive.
fn is_possessive(document: &Document, place: usize) -> bool {
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
