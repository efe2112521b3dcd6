//! Orders the premises of a claim: those that share its rarest tokens come first, so that a supported claim is decided
//! after a few premises and the others are skipped. Pure: token ids in, order out.

use std::collections::HashMap;

use super::premise::{PremiseId, Waves};

/// Number of premises in a level's first wave; each later wave is twice as large.
const FIRST_WAVE: usize = 2;

/// The number of premises of a document that contain each token.
#[derive(Debug, Clone, Default)]
pub struct TokenCounts {
    premises: u32,
    /// By token id.
    tokens: Vec<TokenCount>,
}

#[derive(Debug, Clone, Copy, Default)]
struct TokenCount {
    premises: u32,
    /// The number, from 1, of the last premise that contains it.
    last: u32,
}

impl TokenCounts {
    /// Counts each token of a further premise once.
    pub fn add<'t>(&mut self, premise: impl IntoIterator<Item = &'t u32>) {
        self.premises += 1;
        for id in premise {
            let id = *id as usize;
            if id >= self.tokens.len() {
                self.tokens.resize(id + 1, TokenCount::default());
            }
            let count = &mut self.tokens[id];
            if count.last < self.premises {
                *count = TokenCount { premises: count.premises + 1, last: self.premises };
            }
        }
    }

    /// Sorts the premises of each level by overlap, highest first; ties keep their order.
    pub fn order<'t>(
        &self,
        mut levels: Waves,
        claim: &[u32],
        tokens: impl Fn(PremiseId) -> &'t [u32],
    ) -> Waves {
        for (_, premises) in &mut levels {
            let overlaps: HashMap<PremiseId, f64> =
                premises.iter().map(|&id| (id, self.overlap(claim, tokens(id)))).collect();
            premises.sort_by(|a, b| overlaps[b].total_cmp(&overlaps[a]));
        }
        levels
    }

    /// The sum of 1 / (number of premises that contain the token) over the distinct tokens that claim and premise
    /// share.
    pub fn overlap(&self, claim: &[u32], premise: &[u32]) -> f64 {
        let mut shared: Vec<u32> = premise.iter().copied().filter(|id| claim.contains(id)).collect();
        shared.sort_unstable();
        shared.dedup();
        let counts = shared.iter().filter_map(|id| self.tokens.get(*id as usize));
        let counts = counts.filter(|count| count.premises > 0);
        counts.map(|count| 1.0 / f64::from(count.premises)).sum()
    }
}

/// Splits each level into waves.
pub fn in_waves(levels: Waves) -> Waves {
    let mut waves = Waves::new();
    for (level, premises) in levels {
        let (mut rest, mut size) = (&premises[..], FIRST_WAVE);
        while !rest.is_empty() {
            let (wave, later) = rest.split_at(size.min(rest.len()));
            waves.push((level, wave.to_vec()));
            (rest, size) = (later, size * 2);
        }
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Level;

    fn ids(numbers: impl IntoIterator<Item = usize>) -> Vec<PremiseId> {
        numbers.into_iter().map(PremiseId).collect()
    }

    #[test]
    fn rare_shared_tokens_come_first_and_nothing_is_lost() {
        let premises: Vec<Vec<u32>> = vec![vec![1, 1, 1], vec![1, 2], vec![1, 7], vec![1, 2, 9], vec![8]];
        let mut counts = TokenCounts::default();
        premises.iter().for_each(|premise| counts.add(premise));
        let levels = counts.order(vec![(Level::Sentence, ids(0..5))], &[9, 2, 1], |id| &premises[id.0]);
        assert_eq!(levels, [(Level::Sentence, ids([3, 1, 0, 2, 4]))]);
    }

    #[test]
    fn waves_double_and_levels_stay_apart() {
        let levels = vec![(Level::Sentence, ids(0..20)), (Level::Document, ids([20]))];
        let sizes: Vec<(Level, usize)> =
            in_waves(levels).iter().map(|(level, wave)| (*level, wave.len())).collect();
        let sentence = Level::Sentence;
        assert_eq!(
            sizes,
            [2, 4, 8, 6]
                .map(|size| (sentence, size))
                .into_iter()
                .chain([(Level::Document, 1)])
                .collect::<Vec<_>>()
        );
    }
}
