//! A small seeded generator (SplitMix64, Steele, Lea, Flood 2014), so that splits and samples are the same on every
//! machine. Not for cryptography.

/// The generator's state.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that gives the same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, uniform to within 2^-64 of `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Puts a slice into a random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `size` numbers below `rows`, drawn with replacement; none if `rows` is 0.
    pub fn sample_with_replacement(&mut self, rows: usize, size: usize) -> Vec<usize> {
        let size = if rows == 0 { 0 } else { size };
        (0..size).map(|_| self.below(rows)).collect()
    }

    /// `size` different numbers below `rows`, in random order; all of them if `size` is larger.
    pub fn sample_without_replacement(&mut self, rows: usize, size: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..rows).collect();
        let size = size.min(rows);
        for place in 0..size {
            items.swap(place, place + self.below(rows - place));
        }
        items.truncate(size);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_matches_the_published_one() {
        let mut generator = SplitMix64::new(1_234_567);
        assert_eq!(generator.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(generator.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix64::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn sample_without_replacement_has_no_repeats() {
        let mut sample = SplitMix64::new(4).sample_without_replacement(50, 20);
        sample.sort_unstable();
        sample.dedup();
        assert_eq!(sample.len(), 20);
        assert!(sample.iter().all(|row| *row < 50));
        assert_eq!(SplitMix64::new(4).sample_without_replacement(3, 9).len(), 3);
    }

    #[test]
    fn samples_are_uniform() {
        let mut generator = SplitMix64::new(8);
        let mut drawn = [[0_u32; 5]; 2];
        for _ in 0..10_000 {
            generator.sample_with_replacement(5, 2).into_iter().for_each(|row| drawn[0][row] += 1);
            generator.sample_without_replacement(5, 2).into_iter().for_each(|row| drawn[1][row] += 1);
        }
        // 4,000 expected, with a standard deviation below 60.
        assert!(drawn.as_flattened().iter().all(|count| count.abs_diff(4_000) < 300), "{drawn:?}");
    }

    #[test]
    fn sample_of_no_rows_is_empty() {
        let mut generator = SplitMix64::new(1);
        assert!(generator.sample_with_replacement(0, 3).is_empty());
        assert!(generator.sample_without_replacement(0, 3).is_empty());
        assert_eq!(generator.below(0), 0);
    }
}
