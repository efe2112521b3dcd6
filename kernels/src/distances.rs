//! Maps distances between tokens to slots of the relative-position projections.

use candle_core::{Error, Result};

/// The slot of each distance (query position minus key position) within a sequence.
#[derive(Debug, Clone, Default)]
pub struct DistanceTable {
    slots: Vec<u32>,
    /// The slots in reverse order.
    reversed: Vec<u32>,
}

impl DistanceTable {
    /// `slots[i]` is the slot of distance `i - (longest - 1)`, for sequences of up to `longest` tokens. Models without
    /// relative positions use an empty table.
    ///
    /// # Errors
    /// When the number of distances is even, or slots decrease with increasing distance.
    pub fn new(slots: Vec<u32>) -> Result<Self> {
        if slots.is_empty() {
            return Ok(Self::default());
        }
        if slots.len().is_multiple_of(2) || !slots.is_sorted() {
            return Err(Error::Msg("a distance table must have an odd length and must not decrease".into()));
        }
        let reversed = slots.iter().rev().copied().collect();
        Ok(Self { slots, reversed })
    }

    /// The longest sequence that the table covers.
    pub(crate) fn longest(&self) -> usize {
        self.slots.len().div_ceil(2)
    }

    /// One more than the highest slot.
    pub(crate) fn slots(&self) -> usize {
        self.slots.last().map_or(0, |slot| *slot as usize + 1)
    }

    /// The slot of a distance within the table.
    pub(crate) fn slot(&self, distance: i64) -> usize {
        self.slots[(distance + self.longest() as i64 - 1) as usize] as usize
    }

    /// The slots of query `i` with each key of a sequence, in key order.
    pub(crate) fn slots_in_key_order(&self, i: usize, length: usize) -> &[u32] {
        &self.reversed[self.longest() - 1 - i..][..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_a_query_are_in_key_order() {
        let slots = vec![0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 7, 8, 8];
        let table = DistanceTable::new(slots).unwrap();
        assert_eq!(table.longest(), 7);
        for (query, length) in [(0, 1), (0, 7), (6, 7), (3, 5)] {
            let expected: Vec<usize> = (0..length).map(|key| table.slot(query as i64 - key as i64)).collect();
            let found: Vec<usize> =
                table.slots_in_key_order(query, length).iter().map(|slot| *slot as usize).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn decreasing_or_even_tables_are_errors() {
        assert!(DistanceTable::new(vec![1, 0, 0]).is_err());
        assert!(DistanceTable::new(vec![0, 1]).is_err());
        assert_eq!(DistanceTable::new(Vec::new()).unwrap().longest(), 0);
    }
}
