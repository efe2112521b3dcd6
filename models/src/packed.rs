//! A packed batch: the tokens of many sequences end to end, and each sequence's first token. No padding.

use crate::error::{ModelError, Result};

/// Token and type ids of several sequences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBatch {
    ids: Vec<u32>,
    types: Vec<u32>,
    offsets: Vec<usize>,
}

impl Default for PackedBatch {
    fn default() -> Self {
        Self { ids: Vec::new(), types: Vec::new(), offsets: vec![0] }
    }
}

impl PackedBatch {
    /// A batch of `(ids, types)` sequences.
    pub fn from_sequences<'a>(sequences: impl IntoIterator<Item = (&'a [u32], &'a [u32])>) -> Self {
        let mut batch = Self::default();
        for (ids, types) in sequences {
            batch.push(ids, types);
        }
        batch
    }

    /// A batch of sequences whose tokens all have type 0.
    pub fn of_one_type<'a>(sequences: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut batch = Self::default();
        for ids in sequences {
            batch.push(ids, &vec![0; ids.len()]);
        }
        batch
    }

    /// Adds a sequence; `types` holds 0 for the premise and 1 for the hypothesis.
    ///
    /// # Panics
    /// When the numbers of types and ids differ.
    pub fn push(&mut self, ids: &[u32], types: &[u32]) {
        assert_eq!(ids.len(), types.len(), "one type id a token");
        self.ids.extend_from_slice(ids);
        self.types.extend_from_slice(types);
        self.offsets.push(self.ids.len());
    }

    /// Number of sequences.
    #[must_use]
    pub fn sequences(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of tokens in all sequences.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.ids.len()
    }

    /// Length of the longest sequence.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.offsets.windows(2).map(|o| o[1] - o[0]).max().unwrap_or(0)
    }

    /// Token ids, `(tokens)`.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Token type ids, `(tokens)`.
    #[must_use]
    pub fn types(&self) -> &[u32] {
        &self.types
    }

    /// Where each sequence begins, and the number of tokens at the end: `(sequences + 1)`.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Position of each token in its own sequence, `(tokens)`.
    #[must_use]
    pub fn positions(&self) -> Vec<u32> {
        self.offsets.windows(2).flat_map(|o| 0..(o[1] - o[0]) as u32).collect()
    }

    /// Refuses a sequence that is empty or over the token limit, if there is a limit.
    pub(crate) fn check_lengths(&self, limit: Option<usize>) -> Result<()> {
        if let Some(sequence) = self.offsets.windows(2).position(|o| o[0] == o[1]) {
            return Err(ModelError::Empty { sequence });
        }
        match limit {
            Some(limit) if self.longest() > limit => {
                Err(ModelError::TooLong { tokens: self.longest(), limit })
            }
            _ => Ok(()),
        }
    }
}
