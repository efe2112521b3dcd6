//! A document in sentences, with their token counts.

use veridic::text::{TextIndex, sentences};
use veridic::{Pair, Span};

/// A document and its summary.
pub(super) struct Document<'t> {
    pub(super) index: TextIndex<'t>,
    pub(super) summary: &'t str,
    /// The summary's sentences, if given.
    pub(super) summary_sentences: Option<&'t [String]>,
    pub(super) spans: Vec<Span>,
    /// The number of tokens of each sentence.
    pub(super) costs: Vec<usize>,
}

impl<'t> Document<'t> {
    /// Splits the document and counts the tokens of its sentences with `count`.
    ///
    /// # Errors
    /// Those of `count`.
    pub(super) fn read<E>(pair: &Pair<'t>, count: impl Fn(&str) -> Result<usize, E>) -> Result<Self, E> {
        let (index, spans) = (TextIndex::new(pair.document), sentences(pair.document));
        let costs = spans.iter().map(|span| count(index.slice(*span))).collect::<Result<_, E>>()?;
        let Pair { summary, summary_sentences, .. } = *pair;
        Ok(Self { index, summary, summary_sentences, spans, costs })
    }

    /// Returns the texts of its sentences.
    pub(super) fn sentences(&self) -> Vec<&'t str> {
        self.spans.iter().map(|span| self.index.slice(*span)).collect()
    }
}
