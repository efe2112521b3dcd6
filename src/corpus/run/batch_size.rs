//! How many rows are judged together: as many as take a few seconds.

use std::time::Duration;

const FIRST_ROWS: usize = 2;
const MAX_ROWS: usize = 512;
/// Batches that take less than this are doubled.
const SHORT: Duration = Duration::from_secs(3);
/// Batches that take more than this are halved.
const LONG: Duration = Duration::from_secs(10);

/// Bytes of documents and summaries that fill a batch, however few rows they are.
pub const BATCH_BYTES: usize = 1 << 17;

/// Rows that are judged together: few at first, then doubled or halved by the time that the last batch took. A run that is
/// stopped finishes its batch; one that is killed loses it. This changes speed and memory, never a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(FIRST_ROWS)
    }
}

impl BatchSize {
    /// Rows of the next batch.
    #[must_use]
    pub fn rows(self) -> usize {
        self.0
    }

    /// Adjusts the size to the time of the last batch.
    pub fn adjust(&mut self, last: Duration) {
        if last < SHORT {
            self.0 = (self.0 * 2).min(MAX_ROWS);
        } else if last > LONG {
            self.0 = (self.0 / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_take_a_few_seconds() {
        let mut size = BatchSize::default();
        for (seconds, rows) in [(1, 4), (2, 8), (3, 8), (10, 8), (11, 4), (60, 2), (2, 4)] {
            size.adjust(Duration::from_secs(seconds));
            assert_eq!(size.rows(), rows);
        }
        (0..20).for_each(|_| size.adjust(Duration::ZERO));
        assert_eq!(size.rows(), 512);
        (0..20).for_each(|_| size.adjust(Duration::from_secs(60)));
        assert_eq!(size.rows(), 1);
    }
}
