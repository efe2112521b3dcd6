//! Which slot of the position projections each distance between two tokens uses.

use candle_core::{Error, Result};

/// Slots of the distances (query position minus key position) within a sequence.
#[derive(Debug, Clone, Default)]
pub struct DistanceTable {
    slots: Vec<u32>,
    /// The same from the furthest distance on.
    falling: Vec<u32>,
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
        let falling = slots.iter().rev().copied().collect();
        Ok(Self { slots, falling })
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

    /// Slots of the distances of query `i` from the keys of a sequence, in the order of keys.
    pub(crate) fn falling_slots(&self, i: usize, length: usize) -> &[u32] {
        &self.falling[self.longest() - 1 - i..][..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_a_query_are_in_the_order_of_its_keys() {
        let slots = vec![0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 7, 8, 8];
        let table = DistanceTable::new(slots).unwrap();
        assert_eq!(table.longest(), 7);
        for (query, length) in [(0, 1), (0, 7), (6, 7), (3, 5)] {
            let expected: Vec<usize> = (0..length).map(|key| table.slot(query as i64 - key as i64)).collect();
            let found: Vec<usize> =
                table.falling_slots(query, length).iter().map(|slot| *slot as usize).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn falling_or_even_tables_are_refused() {
        assert!(DistanceTable::new(vec![1, 0, 0]).is_err());
        assert!(DistanceTable::new(vec![0, 1]).is_err());
        assert_eq!(DistanceTable::new(Vec::new()).unwrap().longest(), 0);
    }
}
