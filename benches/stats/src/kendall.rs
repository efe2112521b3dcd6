//! Kendall's tau-b, which compares how two lists order pairs of rows.

use super::ranks::dense_ranks;
use super::undefined::{Undefined, at_least, same_length};

/// Kendall's tau-b: (concordant - discordant pairs) / sqrt((pairs - ties in first)(pairs - ties in second)),
/// counted in n log n (Knight 1966), as in `scipy.stats.kendalltau`.
///
/// # Errors
/// When the lists differ in length, have fewer than two rows, a value is NaN, or all values of a list are
/// equal.
pub fn kendall(first: &[f64], second: &[f64]) -> Result<f64, Undefined> {
    same_length(first.len(), second.len())?;
    at_least(2, first.len())?;
    let mut rows: Vec<(usize, usize)> = dense_ranks(first)?.into_iter().zip(dense_ranks(second)?).collect();
    let pairs = pairs_among(rows.len());
    let ties = [tied_pairs(rows.iter().map(|row| row.0)), tied_pairs(rows.iter().map(|row| row.1))];
    if ties.contains(&pairs) {
        return Err(Undefined::Constant);
    }
    // Sorted by the first list, then the second: pairs out of order in the second are discordant.
    rows.sort_unstable();
    let tied_in_both: f64 = rows.chunk_by(|a, b| a == b).map(|rows| pairs_among(rows.len())).sum();
    let discordant = inversions(&mut rows.iter().map(|row| row.1).collect::<Vec<_>>()) as f64;
    let surplus = pairs - ties[0] - ties[1] + tied_in_both - 2.0 * discordant;
    let coefficient = surplus / (pairs - ties[0]).sqrt() / (pairs - ties[1]).sqrt();
    Ok(coefficient.clamp(-1.0, 1.0))
}

/// The number of pairs of rows with equal ranks.
fn tied_pairs(ranks: impl Iterator<Item = usize>) -> f64 {
    let mut sizes: Vec<usize> = Vec::new();
    for rank in ranks {
        if sizes.len() <= rank {
            sizes.resize(rank + 1, 0);
        }
        sizes[rank] += 1;
    }
    sizes.into_iter().map(pairs_among).sum()
}

fn pairs_among(rows: usize) -> f64 {
    rows as f64 * (rows as f64 - 1.0) / 2.0
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
                    assert!((tau - expected).abs() < 1e-12);
                }
                Err(error) => assert_eq!((error, untied[0] * untied[1]), (Undefined::Constant, 0.0)),
            }
        }
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
