//! The sentence of a summary that a claim came from: the one that shares the most words with it; ties go to the first.
//! Words are runs of letters and digits, lower-cased.

use std::collections::HashMap;

use super::claim::{Claim, has_words};
use crate::error::Result;
use crate::input::Summary;
use crate::input::summary_sentences;
use crate::text::{Span, TextIndex, is_only_marks};

/// A summary's sentences that have words.
pub(super) struct Sentences<'t> {
    index: TextIndex<'t>,
    spans: Vec<Span>,
    words: Vec<HashMap<String, usize>>,
}

impl<'t> Sentences<'t> {
    /// The given sentences, else those found by rules.
    ///
    /// # Errors
    /// When the summary does not contain the given sentences one after another.
    pub(super) fn of(summary: &Summary<'t>) -> Result<Self> {
        let index = TextIndex::new(summary.text);
        let has_text = |span: &Span| {
            let sentence = index.slice(*span);
            has_words(sentence) && !is_only_marks(sentence)
        };
        let mut spans = summary_sentences(&index, summary.sentences)?;
        spans.retain(has_text);
        let words = spans.iter().map(|span| words(index.slice(*span))).collect();
        Ok(Self { index, spans, words })
    }

    pub(super) fn index(&self) -> &TextIndex<'t> {
        &self.index
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// A sentence as a claim.
    pub(super) fn whole(&self, span: Span) -> Claim {
        Claim { text: self.index.slice(span).to_owned(), spans: vec![span], sentence: span }
    }

    /// A claim whose words need not be the summary's; it covers the sentence that it came from.
    pub(super) fn claim(&self, text: String) -> Claim {
        let own = words(&text);
        let shared = |place: usize| -> usize {
            own.iter().map(|(word, count)| self.words[place].get(word).map_or(0, |n| *n.min(count))).sum()
        };
        let places = (0..self.spans.len()).rev();
        let sentence = places.max_by_key(|place| shared(*place)).map(|place| self.spans[place]);
        let sentence = sentence.unwrap_or(Span { start: 0, end: self.index.characters() });
        Claim { text, spans: vec![sentence], sentence }
    }
}

fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts
}
