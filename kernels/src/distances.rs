//! Which slot of the position projections each distance between two tokens uses, as runs that a
//! kernel can walk: runs in which the slot rises with the distance, and runs in which it stays.

use std::ops::RangeInclusive;

use candle_core::{Error, Result};

/// Distances `first..first + count` and their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: i64,
    pub(crate) count: i64,
    /// Slot of the first distance.
    pub(crate) slot: usize,
    /// Whether each further distance has the next slot, instead of the same.
    pub(crate) rises: bool,
}

/// Slots of the distances (query position minus key position) within a sequence.
#[derive(Debug, Clone, Default)]
pub struct DistanceTable {
    slots: Vec<u32>,
    runs: Vec<Run>,
}

impl DistanceTable {
    /// `slots[i]` is the slot of distance `i - (longest - 1)`, for sequences of up to `longest` tokens;
    /// an empty table is for models without relative positions.
    ///
    /// # Errors
    /// When the number of slots is even, or slots fall as distances rise.
    pub fn new(slots: Vec<u32>) -> Result<Self> {
        if slots.is_empty() {
            return Ok(Self::default());
        }
        if slots.len().is_multiple_of(2) || !slots.is_sorted() {
            return Err(Error::Msg("a distance table must be odd in length and must not fall".into()));
        }
        let longest = slots.len().div_ceil(2) as i64;
        let mut runs: Vec<Run> = Vec::new();
        for (index, slot) in slots.iter().map(|slot| *slot as usize).enumerate() {
            match runs.last_mut() {
                Some(run) if run.count == 1 && slot <= run.slot + 1 => {
                    run.rises = slot > run.slot;
                    run.count = 2;
                }
                Some(run)
                    if run.count > 1 && slot == run.slot + if run.rises { run.count as usize } else { 0 } =>
                {
                    run.count += 1;
                }
                _ => runs.push(Run { first: index as i64 - (longest - 1), count: 1, slot, rises: false }),
            }
        }
        Ok(Self { slots, runs })
    }

    /// Longest sequence that it serves.
    pub(crate) fn longest(&self) -> usize {
        self.slots.len().div_ceil(2)
    }

    /// Number of slots that are named.
    pub(crate) fn slots(&self) -> usize {
        self.slots.last().map_or(0, |slot| *slot as usize + 1)
    }

    /// The slot of a distance within the table.
    pub(crate) fn slot(&self, distance: i64) -> usize {
        self.slots[(distance + self.longest() as i64 - 1) as usize] as usize
    }

    /// The parts of runs within a range of distances, in rising order.
    pub(crate) fn runs(&self, distances: RangeInclusive<i64>) -> impl Iterator<Item = Run> + '_ {
        let (low, high) = distances.into_inner();
        let start = self.runs.partition_point(|run| run.first + run.count <= low);
        self.runs[start..].iter().take_while(move |run| run.first <= high).map(move |run| {
            let first = run.first.max(low);
            let skipped = if run.rises { (first - run.first) as usize } else { 0 };
            let end = (run.first + run.count).min(high + 1);
            Run { first, count: end - first, slot: run.slot + skipped, rises: run.rises }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_give_back_every_slot() {
        let slots = vec![0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 7, 8, 8];
        let table = DistanceTable::new(slots).unwrap();
        assert_eq!(table.longest(), 7);
        for (low, high) in [(-6, 6), (-3, 2), (0, 0), (4, 6), (-6, -5)] {
            let mut next = low;
            for run in table.runs(low..=high) {
                assert_eq!(run.first, next);
                for i in 0..run.count {
                    let slot = run.slot + if run.rises { i as usize } else { 0 };
                    assert_eq!(slot, table.slot(run.first + i));
                }
                next += run.count;
            }
            assert_eq!(next, high + 1);
        }
    }

    #[test]
    fn falling_or_even_tables_are_refused() {
        assert!(DistanceTable::new(vec![1, 0, 0]).is_err());
        assert!(DistanceTable::new(vec![0, 1]).is_err());
        assert_eq!(DistanceTable::new(Vec::new()).unwrap().longest(), 0);
    }
}
