//! Values to their places in the order of all. Ties share a place; NaN has none and is refused.

use super::undefined::{Undefined, all_ordered};

/// The rank of each value, the lowest having 1; tied values share the mean of their places, as
/// `scipy.stats.rankdata` has it. Infinities are ranked like other values.
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

/// The number of each value among the distinct ones, in order, from 0.
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

/// Hands out the rows of each distinct value, the lowest first.
pub(super) fn for_each_tie(values: &[f64], visit: impl FnMut(&[usize])) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // The total order keeps -0 beside 0, so both zeros end in one tie.
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order.chunk_by(|a, b| values[*a] == values[*b]).for_each(visit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_of_their_places() {
        let ranks = average_ranks(&[0.3, 0.1, 0.3, f64::INFINITY, -0.0, 0.0]).unwrap();
        assert_eq!(ranks, [4.5, 3.0, 4.5, 6.0, 1.5, 1.5]);
        assert_eq!(dense_ranks(&[0.3, 0.1, 0.3, -0.0, 0.0]).unwrap(), [2, 1, 2, 0, 0]);
    }

    #[test]
    fn nothing_has_no_ranks_and_nan_is_refused() {
        assert_eq!(average_ranks(&[]), Ok(Vec::new()));
        assert_eq!(average_ranks(&[0.0, f64::NAN]), Err(Undefined::NotFinite { index: 1 }));
    }
}
