//! Ranks of values. Ties share a rank; NaN is refused.

use super::undefined::{Undefined, all_ordered};

/// The rank of each value, 1 for the lowest; tied values share the mean of their ranks (`scipy.stats.rankdata`).
/// Infinities are ranked like other values.
///
/// # Errors
/// When a value is NaN.
pub fn average_ranks(values: &[f64]) -> Result<Vec<f64>, Undefined> {
    all_ordered(values)?;
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for_each_tie(values, |rows| {
        let rank = before as f64 + (rows.len() + 1) as f64 / 2.0;
        rows.iter().for_each(|row| ranks[*row] = rank);
        before += rows.len();
    });
    Ok(ranks)
}

/// The index of each value among the sorted distinct values.
pub(super) fn dense_ranks(values: &[f64]) -> Result<Vec<usize>, Undefined> {
    all_ordered(values)?;
    let mut ranks = vec![0; values.len()];
    let mut place = 0;
    for_each_tie(values, |rows| {
        rows.iter().for_each(|row| ranks[*row] = place);
        place += 1;
    });
    Ok(ranks)
}

/// Calls `visit` with the rows of each distinct value, the lowest first.
pub(super) fn for_each_tie(values: &[f64], visit: impl FnMut(&[usize])) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // The total order puts -0 beside 0, so both zeros are one tie.
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order.chunk_by(|a, b| values[*a] == values[*b]).for_each(visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_rank() {
        let ranks = average_ranks(&[0.3, 0.1, 0.3, f64::INFINITY, -0.0, 0.0]).unwrap();
        assert_eq!(ranks, [4.5, 3.0, 4.5, 6.0, 1.5, 1.5]);
        assert_eq!(dense_ranks(&[0.3, 0.1, 0.3, -0.0, 0.0]).unwrap(), [2, 1, 2, 0, 0]);
    }

    #[test]
    fn nan_is_an_error() {
        assert_eq!(average_ranks(&[]), Ok(Vec::new()));
        assert_eq!(average_ranks(&[0.0, f64::NAN]), Err(Undefined::NotFinite { index: 1 }));
    }
}
