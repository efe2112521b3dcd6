//! Williams' test: whether one score correlates better with ratings than another on the same rows.

use super::special::student_two_sided;
use super::undefined::{Undefined, all_within, at_least};

/// The two-sided p value of Williams' test of two dependent correlations, given the coefficients of the ratings with the first score,
/// of the ratings with the second, and of the two scores, on `rows` rows:
///
/// t = (r12 - r13) sqrt((n - 1)(1 + r23)) / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3) with
/// K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23 (Williams 1959; T2 of Steiger, Psychological Bulletin 87,
/// 1980; for metrics Graham and Baldwin, EMNLP 2014).
///
/// # Errors
/// With fewer than four rows, a coefficient outside -1 to 1, equal scores, or coefficients that no data can have.
pub fn williams(
    ratings_first: f64,
    ratings_second: f64,
    first_second: f64,
    rows: usize,
) -> Result<f64, Undefined> {
    at_least(4, rows)?;
    all_within(&[ratings_first, ratings_second, first_second], -1.0, 1.0)?;
    let (r12, r13, r23, n) = (ratings_first, ratings_second, first_second, rows as f64);
    let determinant = 1.0 - r12 * r12 - r13 * r13 - r23 * r23 + 2.0 * r12 * r13 * r23;
    let mean = (r12 + r13) / 2.0;
    let variance = 2.0 * determinant * (n - 1.0) / (n - 3.0) + mean * mean * (1.0 - r23).powi(3);
    if variance <= 0.0 {
        return Err(Undefined::Degenerate("these three coefficients leave the difference no variance"));
    }
    let statistic = (r12 - r13) * ((n - 1.0) * (1.0 + r23) / variance).sqrt();
    Ok(student_two_sided(statistic, n - 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_the_scores_does_not_matter() {
        assert_eq!(williams(0.6, 0.4, 0.5, 50), williams(0.4, 0.6, 0.5, 50));
    }

    #[test]
    fn bad_coefficients_are_errors() {
        assert_eq!(williams(0.5, 0.4, 0.3, 3), Err(Undefined::TooFew { rows: 3, needed: 4 }));
        assert!(matches!(williams(0.5, 0.5, 1.0, 9), Err(Undefined::Degenerate(_))));
        assert!(matches!(williams(0.9, -0.9, 0.9, 9), Err(Undefined::Degenerate(_))));
        assert!(matches!(williams(f64::NAN, 0.5, 0.1, 9), Err(Undefined::OutOfRange { index: 0, .. })));
    }
}
