//! Orders the premises of a claim: those that share its rarest tokens come first, so that a supported claim is decided
//! after a few premises and the others are skipped. Pure: token ids in, order out.

use std::collections::HashMap;

use super::premise::{PremiseId, Waves};

/// Number of premises in a level's first wave; each later wave is twice as large.
const FIRST_WAVE: usize = 2;

/// The number of premises of a document that contain each token.
#[derive(Debug)]
pub struct TokenCounts {
    /// Token ids in order.
    ids: Vec<u32>,
    premises: Vec<u32>,
}

/// Counts in how many premises each token is.
#[derive(Default)]
pub struct TokenCounter {
    premises: u32,
    /// By token id: the number of premises, and the number, from 1, of the last of them.
    tokens: Vec<(u32, u32)>,
}

impl TokenCounter {
    /// Counts the tokens of a further premise.
    pub fn add<'t>(&mut self, premise: impl IntoIterator<Item = &'t u32>) {
        self.premises += 1;
        for id in premise {
            let id = *id as usize;
            if id >= self.tokens.len() {
                self.tokens.resize(id + 1, (0, 0));
            }
            let (premises, last) = &mut self.tokens[id];
            *premises += u32::from(*last < self.premises);
            *last = self.premises;
        }
    }

    /// The counts of the tokens that occur, in less memory.
    pub fn counts(&self) -> TokenCounts {
        let counts = self.tokens.iter().map(|(premises, _)| *premises);
        let (ids, premises) = (0..).zip(counts).filter(|(_, premises)| *premises > 0).unzip();
        TokenCounts { ids, premises }
    }
}

impl TokenCounts {
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
        let places = shared.iter().filter_map(|id| self.ids.binary_search(id).ok());
        places.map(|place| 1.0 / f64::from(self.premises[place])).sum()
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
        let mut counter = TokenCounter::default();
        premises.iter().for_each(|premise| counter.add(premise));
        let counts = counter.counts();
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
