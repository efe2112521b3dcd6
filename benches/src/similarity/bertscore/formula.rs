//! Greedy matching (Zhang et al. 2020, section 3): every token is matched with the most similar token of the other text, by the
//! cosine of their vectors. The weighted mean of the similarities over the candidate is the precision, over the reference the
//! recall.
//!
//! As in the package `bert-score`, a token of weight 0 does not count itself, but others may be matched with it.

use veridic_models::TokenVectors;

/// Partial sums of a dot product; the order of additions is the same on every machine.
const LANES: usize = 16;

/// The vectors and weights of a text's tokens.
pub(super) struct WeightedTokens {
    /// (tokens, hidden)
    pub(super) vectors: TokenVectors,
    /// One per token, none negative.
    pub(super) weights: Vec<f64>,
}

/// BERTScore of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Overlap {
    /// The mean similarity over the candidate's tokens.
    pub precision: f64,
    /// The mean similarity over the reference's tokens.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

/// The normalized vectors of a text's tokens; a zero vector stays zero.
pub(crate) struct UnitVectors(Vec<Vec<f32>>);

impl UnitVectors {
    /// Divides the vectors of a text by their lengths.
    pub(crate) fn of(vectors: &TokenVectors) -> Self {
        let scaled = |vector: &[f32]| {
            let length = product(vector, vector).sqrt();
            let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
            vector.iter().map(|x| x * scale).collect()
        };
        Self(vectors.rows().map(scaled).collect())
    }

    /// For each token the highest cosine with a token of `text`; negative infinity if `text` has no tokens.
    pub(crate) fn most_similar(&self, text: &Self) -> Vec<f32> {
        let highest = |ours: &Vec<f32>| {
            text.0.iter().map(|theirs| product(ours, theirs)).fold(f32::NEG_INFINITY, f32::max)
        };
        self.0.iter().map(highest).collect()
    }
}

/// Matches two texts. All scores are 0 if one of them has no token with a weight.
pub(super) fn match_greedily(candidate: &WeightedTokens, reference: &WeightedTokens) -> Overlap {
    let (ours, theirs) = (UnitVectors::of(&candidate.vectors), UnitVectors::of(&reference.vectors));
    let (best_of_ours, best_of_theirs) = (ours.most_similar(&theirs), theirs.most_similar(&ours));
    let precision = weighted_mean(&best_of_ours, &candidate.weights);
    let recall = weighted_mean(&best_of_theirs, &reference.weights);
    match (precision, recall) {
        (Some(precision), Some(recall)) => {
            Overlap { precision, recall, f1: harmonic_mean(precision, recall) }
        }
        _ => Overlap::default(),
    }
}

/// Returns `None` if all weights are 0.
fn weighted_mean(values: &[f32], weights: &[f64]) -> Option<f64> {
    let whole: f64 = weights.iter().sum();
    let sum: f64 =
        values.iter().zip(weights).filter(|(_, w)| **w > 0.0).map(|(v, w)| f64::from(*v) * w).sum();
    (whole > 0.0).then(|| sum / whole)
}

fn harmonic_mean(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum }
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(vectors: &[[f32; 2]], weights: &[f64]) -> WeightedTokens {
        WeightedTokens { vectors: TokenVectors::new(vectors.concat(), 2), weights: weights.to_vec() }
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let candidate = tokens(&[[2.0, 0.0], [0.0, 3.0]], &[1.0, 3.0]);
        let reference = tokens(&[[1.0, 0.0], [3.0, 4.0]], &[1.0, 1.0]);
        // Cosines: 1 and 0.6; 0 and 0.8.
        let Overlap { precision, recall, f1 } = match_greedily(&candidate, &reference);
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        near(precision, (1.0 + 3.0 * 0.8) / 4.0);
        near(recall, (1.0 + 0.8) / 2.0);
        near(f1, 2.0 * 0.85 * 0.9 / 1.75);
    }

    #[test]
    fn every_token_is_matched_with_the_most_similar_one() {
        let [ours, theirs, nothing] = [&[[2.0, 0.0], [0.0, 3.0]][..], &[[1.0, 0.0], [3.0, 4.0]], &[]]
            .map(|vectors| UnitVectors::of(&tokens(vectors, &[]).vectors));
        let near = |found: &[f32], expected: [f32; 2]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        };
        near(&ours.most_similar(&theirs), [1.0, 0.8]);
        near(&theirs.most_similar(&ours), [1.0, 0.8]);
        assert_eq!(ours.most_similar(&nothing), [f32::NEG_INFINITY; 2]);
    }

    #[test]
    fn tokens_without_weight_count_only_as_matches_of_others() {
        let candidate = tokens(&[[1.0, 0.0]], &[1.0]);
        let reference = tokens(&[[1.0, 0.0], [0.0, 1.0]], &[0.0, 1.0]);
        let Overlap { precision, recall, f1 } = match_greedily(&candidate, &reference);
        assert_eq!((precision, recall, f1), (1.0, 0.0, 0.0));
    }

    #[test]
    fn texts_without_weights_score_0() {
        let some = tokens(&[[1.0, 0.0]], &[1.0]);
        for nothing in [tokens(&[[1.0, 0.0]], &[0.0]), tokens(&[], &[])] {
            assert_eq!(match_greedily(&some, &nothing), Overlap::default());
            assert_eq!(match_greedily(&nothing, &some), Overlap::default());
        }
        let zero = match_greedily(&tokens(&[[0.0, 0.0]], &[1.0]), &some);
        assert_eq!(zero, Overlap::default());
    }

    #[test]
    fn products_of_awkward_lengths_are_plain_sums() {
        for length in [0, 1, 15, 16, 17, 33, 100] {
            let a: Vec<f32> = (0..length).map(|i| (i % 7) as f32 - 3.0).collect();
            let b: Vec<f32> = (0..length).map(|i| (i % 5) as f32).collect();
            let plain: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert!((product(&a, &b) - plain).abs() < 1e-4, "{length}");
        }
    }
}
