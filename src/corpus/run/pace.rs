//! How many rows are judged together: as many as take some seconds.

use std::time::Duration;

const FIRST: usize = 2;
const MOST: usize = 512;
const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(10);

/// Bytes of documents and summaries from which rows are enough to be judged together.
pub const ENOUGH_BYTES: usize = 1 << 17;

/// Rows that are judged together: few at first; then twice as many while they take a short time, half as many when they
/// take a long one. A run that is ended finishes what it has in hand; one that is killed loses it. Changes speed and
/// memory, never a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(usize);

impl Default for Pace {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Pace {
    /// How many rows to judge together next.
    #[must_use]
    pub fn rows(self) -> usize {
        self.0
    }

    /// Rows were judged together in this time.
    pub fn took(&mut self, time: Duration) {
        if time < SHORT {
            self.0 = (self.0 * 2).min(MOST);
        } else if time > LONG {
            self.0 = (self.0 / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_together_take_some_seconds() {
        let mut pace = Pace::default();
        for (seconds, rows) in [(1, 4), (2, 8), (3, 8), (10, 8), (11, 4), (60, 2), (2, 4)] {
            pace.took(Duration::from_secs(seconds));
            assert_eq!(pace.rows(), rows);
        }
        (0..20).for_each(|_| pace.took(Duration::ZERO));
        assert_eq!(pace.rows(), 512);
        (0..20).for_each(|_| pace.took(Duration::from_secs(60)));
        assert_eq!(pace.rows(), 1);
    }
}
