//! A claim: a statement of a summary that is judged by itself.

use crate::text::{NormalizedText, Span};

/// One statement of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its text.
    pub text: String,
    /// The parts of the summary that it covers.
    pub spans: Vec<Span>,
    /// The sentence of the summary that it came from.
    pub sentence: Span,
}

impl Claim {
    /// Maps a claim of a normalised summary to the summary as given. A given claim keeps its text.
    pub(in crate::claims) fn relocate(&mut self, summary: &NormalizedText<'_>, is_given: bool) {
        if summary.is_as_given() {
            return;
        }
        let text = self.text.clone();
        summary.relocate(&mut self.spans, &mut self.text);
        self.sentence = summary.given_span(self.sentence);
        if is_given {
            self.text = text;
        }
    }
}

pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
