//! Kendall's tau-b, which compares how two lists order pairs of rows, with its p value, exact for few rows.

use super::correlation::Correlation;
use super::ranks::dense_ranks;
use super::special::normal_two_sided;
use super::undefined::{Undefined, at_least, same_length};

/// Up to this many rows the p value is exact if there are no ties, as in scipy.
const MOST_EXACT_ROWS: usize = 33;

/// Kendall's tau-b: (concordant - discordant pairs) / sqrt((pairs - ties in first)(pairs - ties in second)),
/// counted in n log n (Knight 1966). Its two-sided p value is that of `scipy.stats.kendalltau`: exact if
/// there are no ties and either at most 33 rows or at most one pair out of order, else normal with the
/// variance corrected for ties (Kendall, Rank Correlation Methods, 1970).
///
/// # Errors
/// When the lists differ in length, have fewer than two rows, a value is NaN, or all values of a list are
/// equal.
pub fn kendall(first: &[f64], second: &[f64]) -> Result<Correlation, Undefined> {
    same_length(first.len(), second.len())?;
    at_least(2, first.len())?;
    let mut rows: Vec<(usize, usize)> = dense_ranks(first)?.into_iter().zip(dense_ranks(second)?).collect();
    let pairs = pairs_among(rows.len());
    let ties = [Ties::of(rows.iter().map(|row| row.0)), Ties::of(rows.iter().map(|row| row.1))];
    if ties.iter().any(|ties| ties.pairs == pairs) {
        return Err(Undefined::Constant);
    }
    // Sorted by the first list, then the second: pairs out of order in the second are discordant.
    rows.sort_unstable();
    let tied_in_both: f64 = rows.chunk_by(|a, b| a == b).map(|rows| pairs_among(rows.len())).sum();
    let discordant = inversions(&mut rows.iter().map(|row| row.1).collect::<Vec<_>>()) as f64;
    let surplus = pairs - ties[0].pairs - ties[1].pairs + tied_in_both - 2.0 * discordant;
    let coefficient = surplus / (pairs - ties[0].pairs).sqrt() / (pairs - ties[1].pairs).sqrt();
    let fewer = discordant.min(pairs - discordant);
    let untied = ties.iter().all(|ties| ties.pairs == 0.0);
    let p_value = if untied && (rows.len() <= MOST_EXACT_ROWS || fewer <= 1.0) {
        exact_two_sided(rows.len(), fewer as usize)
    } else {
        normal_two_sided(surplus / variance(rows.len() as f64, &ties).sqrt())
    };
    Ok(Correlation { coefficient: coefficient.clamp(-1.0, 1.0), p_value })
}

/// Sums over the ties of one list, of t rows each.
struct Ties {
    /// t (t - 1) / 2
    pairs: f64,
    /// t (t - 1) (t - 2)
    triples: f64,
    /// t (t - 1) (2 t + 5)
    spread: f64,
}

impl Ties {
    fn of(ranks: impl Iterator<Item = usize>) -> Self {
        let mut sizes: Vec<f64> = Vec::new();
        for rank in ranks {
            if sizes.len() <= rank {
                sizes.resize(rank + 1, 0.0);
            }
            sizes[rank] += 1.0;
        }
        let sum = |term: fn(f64) -> f64| sizes.iter().map(|size| size * (size - 1.0) * term(*size)).sum();
        Self { pairs: sum(|_| 0.5), triples: sum(|t| t - 2.0), spread: sum(|t| 2.0 * t + 5.0) }
    }
}

fn pairs_among(rows: usize) -> f64 {
    rows as f64 * (rows as f64 - 1.0) / 2.0
}

/// The variance of concordant minus discordant pairs of unrelated lists with these ties, n > 2.
fn variance(n: f64, [first, second]: &[Ties; 2]) -> f64 {
    let m = n * (n - 1.0);
    (m * (2.0 * n + 5.0) - first.spread - second.spread) / 18.0
        + 2.0 * first.pairs * second.pairs / m
        + first.triples * second.triples / (9.0 * m * (n - 2.0))
}

/// Twice the probability that a random order of `rows` rows has at most `discordant` pairs out of order.
fn exact_two_sided(rows: usize, discordant: usize) -> f64 {
    // chance[k]: the probability that k pairs are out of order; the next row is inserted before 0, 1, ... of the previous
    // rows.
    let mut chance = vec![0.0; discordant + 1];
    chance[0] = 1.0;
    for placed in 1..rows {
        let before = chance.clone();
        for (k, chance) in chance.iter_mut().enumerate() {
            *chance = before[k.saturating_sub(placed)..=k].iter().sum::<f64>() / (placed + 1) as f64;
        }
    }
    (2.0 * chance.iter().sum::<f64>()).min(1.0)
}

/// The number of pairs out of order, by merge sort; equal values are in order.
fn inversions(values: &mut [usize]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let mut found = inversions(left) + inversions(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let mut rest = &left[..];
    for value in right.iter() {
        let taken = rest.partition_point(|other| other <= value);
        merged.extend_from_slice(&rest[..taken]);
        merged.push(*value);
        rest = &rest[taken..];
        found += rest.len() as u64;
    }
    merged.extend_from_slice(rest);
    values.copy_from_slice(&merged);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn tau_matches_a_count_of_pairs() {
        let mut generator = SplitMix64::new(9);
        for rows in 3..80 {
            let [first, second] =
                [0, 1].map(|_| (0..rows).map(|_| generator.below(rows) as f64).collect::<Vec<_>>());
            let (mut surplus, mut untied) = (0.0, [0.0, 0.0]);
            for a in 0..rows {
                for b in 0..a {
                    let signs = [&first, &second].map(|values| (values[a] - values[b]).clamp(-1.0, 1.0));
                    surplus += signs[0] * signs[1];
                    untied = [untied[0] + signs[0].abs(), untied[1] + signs[1].abs()];
                }
            }
            match kendall(&first, &second) {
                Ok(tau) => {
                    let expected: f64 = surplus / (untied[0] * untied[1]).sqrt();
                    assert!((tau.coefficient - expected).abs() < 1e-12);
                }
                Err(error) => assert_eq!((error, untied[0] * untied[1]), (Undefined::Constant, 0.0)),
            }
        }
    }

    #[test]
    fn few_rows_have_exact_p_values() {
        // Of the six orders of three rows, one has no pair out of order and two have one.
        assert_eq!(exact_two_sided(3, 0), 1.0 / 3.0);
        assert_eq!(exact_two_sided(3, 1), 1.0);
        assert_eq!(kendall(&[1.0, 2.0], &[1.0, 2.0]).unwrap().p_value, 1.0);
    }

    #[test]
    fn zeros_of_both_signs_are_equal() {
        assert_eq!(kendall(&[0.0, -0.0, 1.0], &[2.0, 1.0, 3.0]), kendall(&[0.0, 0.0, 1.0], &[2.0, 1.0, 3.0]));
    }

    #[test]
    fn bad_lists_are_errors() {
        assert_eq!(kendall(&[1.0], &[1.0]), Err(Undefined::TooFew { rows: 1, needed: 2 }));
        assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]), Err(Undefined::Constant));
        assert_eq!(kendall(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Undefined::NotFinite { index: 1 }));
        assert!(kendall(&[1.0], &[]).is_err());
    }
}
