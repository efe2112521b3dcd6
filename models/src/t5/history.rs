//! The histories of a decoder's rows: the row of the last step that each continues, and the key-value cache indices of
//! its tokens. Refuses rows that continue a missing one.

use candle_core::Error;

use crate::error::Result;
use crate::generation::DecoderRow;

/// The rows of a decoder's last step.
#[derive(Debug, Clone)]
pub(super) struct Histories {
    /// Spans of the encoded sequences' tokens: (first, count).
    sequences: Vec<(usize, usize)>,
    rows: Vec<History>,
    position: usize,
    cached_tokens: usize,
}

/// The history of a row.
#[derive(Debug, Clone)]
pub(super) struct History {
    pub(super) sequence: usize,
    /// The cache indices of its tokens, in order.
    pub(super) cached: Vec<u32>,
}

impl Histories {
    /// Of encoded sequences before their first token; `offsets`: the first token of each, and the end of the last.
    pub(super) fn start(offsets: &[usize]) -> Self {
        let sequences = offsets.windows(2).map(|o| (o[0], o[1] - o[0])).collect();
        Self { sequences, rows: Vec::new(), position: 0, cached_tokens: 0 }
    }

    pub(super) fn rows(&self) -> &[History] {
        &self.rows
    }

    /// Number of tokens of each row.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The span of the encoded tokens that a row reads: (first, count).
    pub(super) fn span(&self, row: &History) -> (usize, usize) {
        self.sequences[row.sequence]
    }

    /// Advances by one step with these rows.
    pub(super) fn advance(&mut self, rows: &[DecoderRow]) -> Result<()> {
        let known = if self.position == 0 { self.sequences.len() } else { self.rows.len() };
        if let Some(row) = rows.iter().find(|row| row.continues >= known) {
            let message = format!("a decoder row continues {}, there are {known}", row.continues);
            return Err(Error::Msg(message).into());
        }
        let next = |(index, row): (usize, &DecoderRow)| {
            let (sequence, before) = match self.rows.get(row.continues).filter(|_| self.position > 0) {
                Some(history) => (history.sequence, &history.cached[..]),
                None => (row.continues, &[][..]),
            };
            let mut cached = Vec::with_capacity(before.len() + 1);
            cached.extend_from_slice(before);
            cached.push((self.cached_tokens + index) as u32);
            History { sequence, cached }
        };
        self.rows = rows.iter().enumerate().map(next).collect();
        self.cached_tokens += rows.len();
        self.position += 1;
        Ok(())
    }
}
