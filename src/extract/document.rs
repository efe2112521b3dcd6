//! A document in sentences, with the tokens of each.

use veridic_text::{Span, TextIndex, sentences};

/// A document and its summary.
pub(super) struct Document<'t> {
    pub(super) index: TextIndex<'t>,
    pub(super) summary: &'t str,
    pub(super) spans: Vec<Span>,
    /// Tokens of each sentence.
    pub(super) costs: Vec<usize>,
}

impl<'t> Document<'t> {
    /// Splits the document and counts the tokens of its sentences with `count`.
    ///
    /// # Errors
    /// Those of `count`.
    pub(super) fn read<E>(
        document: &'t str,
        summary: &'t str,
        count: impl Fn(&str) -> Result<usize, E>,
    ) -> Result<Self, E> {
        let (index, spans) = (TextIndex::new(document), sentences(document));
        let costs = spans.iter().map(|span| count(index.slice(*span))).collect::<Result<_, E>>()?;
        Ok(Self { index, summary, spans, costs })
    }

    /// The texts of its sentences.
    pub(super) fn sentences(&self) -> Vec<&'t str> {
        self.spans.iter().map(|span| self.index.slice(*span)).collect()
    }
}
