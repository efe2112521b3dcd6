//! The order in which a claim is compared with premises: those that share its rarest tokens come first, so that a
//! supported claim is decided after a few premises and the others are skipped. A screen also limits the number of
//! premises of each level. Pure: token ids in, order out.

use std::collections::HashMap;

use super::align::{PremiseId, Waves};
use super::profile::Level;

/// Premises of a level's first wave; each later wave is twice as large.
const FIRST_WAVE: usize = 4;

/// How many premises of a document hold each token.
#[derive(Debug, Clone, Default)]
pub struct TokenCounts(HashMap<u32, u32>);

impl TokenCounts {
    /// Counts each token once per premise.
    pub fn of<'t>(premises: impl Iterator<Item = &'t [u32]>) -> Self {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut distinct: Vec<u32> = Vec::new();
        for ids in premises {
            distinct.clear();
            distinct.extend_from_slice(ids);
            distinct.sort_unstable();
            distinct.dedup();
            for id in &distinct {
                *counts.entry(*id).or_default() += 1;
            }
        }
        Self(counts)
    }

    /// Cuts each level into waves, the premises with the highest overlap first, ties in their order; at most `most`
    /// premises of a level.
    pub fn order<'t>(
        &self,
        waves: Waves,
        claim: &[u32],
        most: impl Fn(Level) -> usize,
        tokens: impl Fn(PremiseId) -> &'t [u32],
    ) -> Waves {
        let mut ordered = Waves::new();
        for (level, mut premises) in waves {
            let overlaps: HashMap<PremiseId, f64> =
                premises.iter().map(|&id| (id, self.overlap(claim, tokens(id)))).collect();
            premises.sort_by(|a, b| overlaps[b].total_cmp(&overlaps[a]));
            premises.truncate(most(level));
            let (mut rest, mut size) = (&premises[..], FIRST_WAVE);
            while !rest.is_empty() {
                let (wave, later) = rest.split_at(size.min(rest.len()));
                ordered.push((level, wave.to_vec()));
                (rest, size) = (later, size * 2);
            }
        }
        ordered
    }

    /// The sum of 1 / (premises that hold the token) over the distinct tokens that claim and premise share.
    fn overlap(&self, claim: &[u32], premise: &[u32]) -> f64 {
        let mut shared: Vec<u32> = premise.iter().copied().filter(|id| claim.contains(id)).collect();
        shared.sort_unstable();
        shared.dedup();
        shared.iter().filter_map(|id| self.0.get(id)).map(|count| 1.0 / f64::from(*count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: impl IntoIterator<Item = usize>) -> Vec<PremiseId> {
        numbers.into_iter().map(PremiseId).collect()
    }

    #[test]
    fn rare_shared_tokens_come_first_and_nothing_is_lost() {
        let premises: Vec<Vec<u32>> = vec![vec![1, 1, 1], vec![1, 2], vec![1, 7], vec![1, 2, 9], vec![8]];
        let counts = TokenCounts::of(premises.iter().map(Vec::as_slice));
        let waves = counts.order(vec![(Level::Sentence, ids(0..5))], &[9, 2, 1], |_| 9, |id| &premises[id.0]);
        assert_eq!(waves, [(Level::Sentence, ids([3, 1, 0, 2])), (Level::Sentence, ids([4]))]);
    }

    #[test]
    fn a_screen_keeps_the_premises_with_the_highest_overlap_of_each_level() {
        let premises: Vec<Vec<u32>> = vec![vec![7], vec![1, 2], vec![1], vec![2, 9], vec![9]];
        let counts = TokenCounts::of(premises.iter().map(Vec::as_slice));
        let waves = vec![(Level::Sentence, ids(0..4)), (Level::Document, ids([4]))];
        let most = |level| if level == Level::Sentence { 2 } else { 1 };
        let waves = counts.order(waves, &[9, 2, 1], most, |id| &premises[id.0]);
        assert_eq!(waves, [(Level::Sentence, ids([1, 3])), (Level::Document, ids([4]))]);
    }

    #[test]
    fn waves_double_and_levels_stay_apart() {
        let counts = TokenCounts::default();
        let waves = vec![(Level::Sentence, ids(0..20)), (Level::Document, ids([20]))];
        let sizes: Vec<(Level, usize)> = counts
            .order(waves, &[1], |_| usize::MAX, |_| &[])
            .iter()
            .map(|(level, wave)| (*level, wave.len()))
            .collect();
        let sentence = Level::Sentence;
        assert_eq!(sizes, [(sentence, 4), (sentence, 8), (sentence, 8), (Level::Document, 1)]);
    }
}
