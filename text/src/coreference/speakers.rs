//! The speaker of a sentence.
//!
//! The speaker is the name or pronoun next to the sentence's only verb of saying, and stays while the next sentences are
//! all quotation. Refuses sentences with two such verbs, and quotations that seem to have lost their closing mark.

use std::ops::Range;

use super::entity_table::EntityId;
use super::tokens::{Document, Token};
use super::words::is_speech;
use crate::token::TokenKind;

/// Tracks the speaker, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct SpeakerTracker {
    /// The speaker of the last sentence that is not all quotation.
    last: Option<EntityId>,
    /// Entities next to a verb of saying in the current sentence.
    candidates: Vec<EntityId>,
}

impl SpeakerTracker {
    /// The speaker before the current sentence, if there was exactly one.
    pub(super) fn last(&self) -> Option<EntityId> {
        self.last
    }

    /// Records a mention.
    pub(super) fn note_mention(&mut self, document: &Document, tokens: &Range<usize>, entity: EntityId) {
        let outside = document.tokens[tokens.start].quote == 0;
        if outside && (speech_after(document, tokens.end - 1) || is_named_last(document, tokens)) {
            self.candidates.push(entity);
        }
    }

    /// Ends a sentence.
    pub(super) fn end_sentence(&mut self, document: &Document, sentence: Range<usize>) {
        let words = || document.tokens[sentence.clone()].iter().filter(|token| token.is_word());
        let verbs = |token: &&Token| is_speech(&token.lower);
        let outside = words().filter(|token| token.quote == 0);
        if outside.clone().next().is_some() {
            let single = self.candidates.len() == 1 && outside.filter(verbs).count() == 1;
            self.last = self.candidates.first().copied().filter(|_| single);
        } else if words().any(|token| token.is("said")) {
            self.last = None;
        }
        self.candidates.clear();
    }
}

/// Whether a verb of saying follows a place: "Brown said", "he also said".
pub(super) fn speech_after(document: &Document, place: usize) -> bool {
    let says = |at: usize| document.near(at, place).is_some_and(|token| is_speech(&token.lower));
    let adverb =
        document.after(place).is_some_and(|token| matches!(token.lower.as_str(), "also" | "later" | "then"));
    says(place + 1) || (adverb && says(place + 2))
}

/// "said Brown." or "said Brown, 43": the name follows the verb.
fn is_named_last(document: &Document, tokens: &Range<usize>) -> bool {
    let follows_verb = document
        .before(tokens.start)
        .is_some_and(|token| matches!(token.lower.as_str(), "said" | "says" | "added"));
    follows_verb && document.after(tokens.end - 1).is_none_or(|token| token.kind == TokenKind::Mark)
}
