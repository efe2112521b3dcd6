//! Whose history a decoder's rows have: which row continues which, and at which places the keys and values of its tokens
//! are kept. Knows no numbers; refuses rows that continue none.

use candle_core::Error;

use crate::error::Result;

/// One row of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecoderRow {
    /// The token that it adds.
    pub token: u32,
    /// The row of the last step that it continues; at the first step, the encoded sequence.
    pub continues: usize,
}

/// The rows of a decoder's last step.
#[derive(Debug, Clone)]
pub(super) struct Histories {
    /// Spans of the encoded sequences' tokens: (first, count).
    sequences: Vec<(usize, usize)>,
    rows: Vec<History>,
    position: usize,
    places: usize,
}

/// What a row is made of.
#[derive(Debug, Clone)]
pub(super) struct History {
    pub(super) sequence: usize,
    /// Of its tokens, in their order.
    pub(super) places: Vec<u32>,
}

impl Histories {
    /// Of encoded sequences, before their first token; `offsets` say where each begins, and end with the last's end.
    pub(super) fn start(offsets: &[usize]) -> Self {
        let sequences = offsets.windows(2).map(|o| (o[0], o[1] - o[0])).collect();
        Self { sequences, rows: Vec::new(), position: 0, places: 0 }
    }

    pub(super) fn rows(&self) -> &[History] {
        &self.rows
    }

    /// The tokens that each row has.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The span of the encoded tokens that a row reads: (first, count).
    pub(super) fn span(&self, row: &History) -> (usize, usize) {
        self.sequences[row.sequence]
    }

    /// The rows of a step: whose sequence they are of, and the places of their histories.
    pub(super) fn advance(&mut self, rows: &[DecoderRow]) -> Result<()> {
        let known = if self.position == 0 { self.sequences.len() } else { self.rows.len() };
        if let Some(row) = rows.iter().find(|row| row.continues >= known) {
            let message = format!("a decoder row continues {}, there are {known}", row.continues);
            return Err(Error::Msg(message).into());
        }
        let next = |(index, row): (usize, &DecoderRow)| {
            let (sequence, before) = match self.rows.get(row.continues).filter(|_| self.position > 0) {
                Some(history) => (history.sequence, &history.places[..]),
                None => (row.continues, &[][..]),
            };
            let mut places = Vec::with_capacity(before.len() + 1);
            places.extend_from_slice(before);
            places.push((self.places + index) as u32);
            History { sequence, places }
        };
        self.rows = rows.iter().enumerate().map(next).collect();
        self.places += rows.len();
        self.position += 1;
        Ok(())
    }
}
