//! The antecedents of "he" and "she".
//!
//! Four rules are tried in order: the only person in this sentence and the one before; the speaker of the sentence before,
//! if the pronoun speaks too; the subject of this sentence; the subject of the sentence before. Refused are a pronoun
//! inside a quotation with an antecedent outside, an object that would be its own subject, and a possessive of words
//! like "killing" and "funeral".

use super::MentionKind;
use super::entity_table::{Entity, EntityId};
use super::gender::Gender;
use super::sentence_context::{SentenceContext, only_match};
use super::speakers::speech_after;
use super::tokens::{Document, Token};
use super::words::{is_function, is_speech};
use crate::token::TokenKind;

/// A pronoun with more tokens before it in its sentence is not resolved.
const MOST_TOKENS_BEFORE: usize = 150;

/// Words that open a clause, which may have its own subject.
const CLAUSE_OPENERS: [&str; 11] =
    ["that", "when", "after", "because", "if", "while", "as", "who", "which", "but", "before"];

/// Nouns whose possessor is not the subject: "Brown announced his death".
const FATES: [&str; 9] =
    ["death", "killing", "murder", "body", "funeral", "disappearance", "remains", "arrest", "capture"];

/// A pronoun to resolve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pronoun {
    pub(super) place: usize,
    pub(super) gender: Gender,
    pub(super) kind: MentionKind,
}

/// The context of a pronoun.
pub(super) struct PronounContext<'s> {
    pub(super) document: &'s Document<'s>,
    pub(super) entities: &'s [Entity],
    /// The sentence before.
    pub(super) before: &'s SentenceContext,
    /// The pronoun's sentence, up to the pronoun.
    pub(super) now: &'s SentenceContext,
    /// The speaker of the sentence before, if it has exactly one.
    pub(super) speaker: Option<EntityId>,
}

impl PronounContext<'_> {
    /// The person that a pronoun refers to.
    pub(super) fn antecedent(&self, pronoun: Pronoun) -> Option<EntityId> {
        if self.sentence_before(pronoun.place).len() > MOST_TOKENS_BEFORE {
            return None;
        }
        let found = self
            .only_person(pronoun)
            .or_else(|| self.speaker_again(pronoun))
            .or_else(|| self.own_subject(pronoun))
            .or_else(|| self.last_subject(pronoun))?;
        let excluded = self.is_own_object(found, pronoun) || self.is_own_fate(found, pronoun);
        (!excluded).then_some(found)
    }

    fn token(&self, place: usize) -> &Token<'_> {
        &self.document.tokens[place]
    }

    fn sentence_before(&self, place: usize) -> &[Token<'_>] {
        &self.document.tokens[self.document.sentences[self.token(place).sentence].start..place]
    }

    fn agrees(&self, entity: EntityId, pronoun: Pronoun) -> bool {
        self.entities[entity.0].gender.agrees(pronoun.gender)
    }

    fn only_person(&self, pronoun: Pronoun) -> Option<EntityId> {
        let found = only_match(self.before, self.now, pronoun.gender, self.entities)?;
        let quote = self.token(pronoun.place).quote;
        let contexts = [self.now, self.before];
        let reached =
            contexts.iter().any(|context| context.find(found).is_some_and(|person| person.quote == quote));
        reached.then_some(found)
    }

    /// "Brown said it was over. He added ..."
    fn speaker_again(&self, pronoun: Pronoun) -> Option<EntityId> {
        let speaker = self.speaker?;
        let outside = self.token(pronoun.place).quote == 0;
        let first = self.sentence_before(pronoun.place).iter().all(|token| {
            token.quote != 0 || !token.is_word() || matches!(token.lower.as_str(), "but" | "and" | "however")
        });
        let speaks = is_subject_form(self.token(pronoun.place)) && speech_after(self.document, pronoun.place);
        (outside && first && speaks && self.agrees(speaker, pronoun)).then_some(speaker)
    }

    /// "Brown lost the vote when he ...": nobody else is mentioned in the sentence, and nobody speaks.
    fn own_subject(&self, pronoun: Pronoun) -> Option<EntityId> {
        let subject = self.now.subject?;
        let quote = self.token(pronoun.place).quote;
        let plain = |token: &Token| !is_speech(&token.lower) && token.quote == quote;
        let alone = !self.now.has_unnamed_match(pronoun.gender)
            && !self.now.has_other_match(subject, pronoun.gender, self.entities)
            && self.sentence_before(pronoun.place).iter().all(plain);
        (alone && self.agrees(subject, pronoun)).then_some(subject)
    }

    /// "Brown met the mayor. He ...": the subject stays if nobody else was named, unless it has reported something about
    /// somebody.
    fn last_subject(&self, pronoun: Pronoun) -> Option<EntityId> {
        let subject = self.before.subject?;
        let place = pronoun.place;
        let person = self.before.find(subject)?;
        let reached = person.quote == self.token(place).quote && !self.before.is_unclear();
        let reported = self.before.has_speech && !speech_after(self.document, place);
        let opens = is_subject_form(self.token(place)) && opens_sentence(self.document, self.now, place);
        let alone = self.now.people.is_empty()
            && !self.now.has_unnamed_match(pronoun.gender)
            && !self.before.has_unknown_name
            && !self.before.has_other_match(subject, pronoun.gender, self.entities);
        (reached && opens && alone && !reported && self.agrees(subject, pronoun)).then_some(subject)
    }

    /// "Brown praised him": the object is not the subject of its clause.
    fn is_own_object(&self, entity: EntityId, pronoun: Pronoun) -> bool {
        let token = self.token(pronoun.place);
        let object = token.is("him") || (token.is("her") && pronoun.kind == MentionKind::Pronoun);
        object
            && self.now.find(entity).is_some_and(|person| {
                let between = &self.document.tokens[person.last + 1..pronoun.place];
                !between.iter().rev().take(40).any(|token| CLAUSE_OPENERS.contains(&token.lower.as_str()))
            })
    }

    /// "Brown announced his death": somebody else's.
    fn is_own_fate(&self, entity: EntityId, pronoun: Pronoun) -> bool {
        let is_end = |token: &Token| FATES.contains(&token.lower.as_str());
        pronoun.kind == MentionKind::PossessivePronoun
            && self.now.find(entity).is_some()
            && self.document.after(pronoun.place).is_some_and(is_end)
    }
}

/// Whether the token at a place is where a subject opens the sentence: after a few words of its own phrase ("The former
/// striker Brown") or after the comma of an opening phrase without people ("After the match, Brown").
pub(super) fn opens_sentence(document: &Document, now: &SentenceContext, place: usize) -> bool {
    let first = document.sentences[document.tokens[place].sentence].start;
    let before = &document.tokens[first..place];
    let quote = document.tokens[place].quote;
    let belongs = |token: &Token| {
        let joins = matches!(token.lower.as_str(), "but" | "and" | "however" | "the" | "a" | "an" | "former");
        token.quote == quote
            && token.is_word()
            && !is_speech(&token.lower)
            && (joins || !is_function(&token.lower))
    };
    if before.len() <= 5 && before.iter().all(belongs) {
        return true;
    }
    let is_comma = |token: &Token| token.kind == TokenKind::Mark;
    let [opening @ .., comma] = before else { return false };
    comma.is(",")
        && now.is_empty()
        && before.len() <= 12
        && !opening.iter().any(is_comma)
        && opening.iter().all(|token| token.quote == quote)
}

/// Whether the pronoun can only be a subject.
fn is_subject_form(token: &Token) -> bool {
    token.is("he") || token.is("she")
}
