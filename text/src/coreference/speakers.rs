//! Whose words are given.
//!
//! Decides who the one speaker of a sentence is: the name or pronoun right beside its only verb
//! of saying. A speaker stays while the next sentences are all quotation. Refuses sentences with
//! two such verbs, and quotations that seem to have lost their closing mark.

use std::ops::Range;

use super::cast::EntityId;
use super::tokens::{Document, Token};
use super::words::is_speech;
use crate::token::TokenKind;

/// Keeps account of speakers, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct Speakers {
    /// The speaker of the sentences read.
    last: Option<EntityId>,
    /// Who is beside a verb of saying in the sentence at hand.
    heard: Vec<EntityId>,
}

impl Speakers {
    /// The speaker of the sentence before the one at hand, if there was exactly one.
    pub(super) fn last(&self) -> Option<EntityId> {
        self.last
    }

    /// Takes note of a mention.
    pub(super) fn hear(&mut self, document: &Document, tokens: &Range<usize>, entity: EntityId) {
        let outside = document.tokens[tokens.start].quote == 0;
        if outside && (speech_after(document, tokens.end - 1) || is_named_last(document, tokens)) {
            self.heard.push(entity);
        }
    }

    /// Ends a sentence.
    pub(super) fn close(&mut self, document: &Document, sentence: Range<usize>) {
        let words = || document.tokens[sentence.clone()].iter().filter(|token| token.is_word());
        let verbs = |token: &&Token| is_speech(&token.lower);
        let outside = words().filter(|token| token.quote == 0);
        if outside.clone().next().is_some() {
            let single = self.heard.len() == 1 && outside.filter(verbs).count() == 1;
            self.last = self.heard.first().copied().filter(|_| single);
        } else if words().any(|token| token.is("said")) {
            self.last = None;
        }
        self.heard.clear();
    }
}

/// Whether a verb of saying follows a place: "Brown said", "he also said".
pub(super) fn speech_after(document: &Document, place: usize) -> bool {
    let says = |at: usize| document.near(at, place).is_some_and(|token| is_speech(&token.lower));
    let adverb =
        document.after(place).is_some_and(|token| matches!(token.lower.as_str(), "also" | "later" | "then"));
    says(place + 1) || (adverb && says(place + 2))
}

/// "said Brown." or "said Brown, 43": the name ends what is said.
fn is_named_last(document: &Document, tokens: &Range<usize>) -> bool {
    let said = document
        .before(tokens.start)
        .is_some_and(|token| matches!(token.lower.as_str(), "said" | "says" | "added"));
    said && document.after(tokens.end - 1).is_none_or(|token| token.kind == TokenKind::Mark)
}
