//! The number of rows judged together: as many as take a few seconds.

use std::time::Duration;

const FIRST_ROWS: usize = 2;
const MAX_ROWS: usize = 512;
/// Batches that take less time than this are doubled.
const SHORT: Duration = Duration::from_secs(3);
/// Batches that take more time than this are halved.
const LONG: Duration = Duration::from_secs(10);

/// The bytes of documents and summaries that fill a batch, regardless of its number of rows.
pub const BATCH_BYTES: usize = 1 << 17;

/// The number of rows judged together: small at first, then doubled or halved depending on the time of the last batch. A
/// stopped run finishes its batch; a killed one loses it. The size affects speed and memory, never a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(FIRST_ROWS)
    }
}

impl BatchSize {
    /// Returns the number of rows in the next batch.
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
