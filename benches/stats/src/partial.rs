//! Partial correlation: the correlation of the residuals of both lists after a linear regression on covariates.

use std::collections::BTreeMap;

use super::correlation::{Correlation, centred, cosine, dot};
use super::ranks::average_ranks;
use super::undefined::{Undefined, all_finite, at_least, same_length};

/// A residual that is smaller, relative to its list, is rounding error.
const NEGLIGIBLE: f64 = 1e-10;

/// Pearson's r of the residuals given the covariates. The p value has n - 2 - (independent covariates) degrees of
/// freedom, as in `pingouin.partial_corr`. Without covariates it is [`pearson`](super::pearson).
///
/// The FRANK benchmark (Pagnoni et al., NAACL 2021) correlates deviations from the mean of each system with n - 2 degrees
/// of freedom, which is `pearson` or `spearman` of [`group_deviations`].
///
/// # Errors
/// When the lists differ in length, there are too few rows for the covariates, a value is not finite, all
/// values of a list are equal, or the covariates explain a list entirely.
pub fn partial_pearson(
    first: &[f64],
    second: &[f64],
    covariates: &[impl AsRef<[f64]>],
) -> Result<Correlation, Undefined> {
    same_length(first.len(), second.len())?;
    let directions = directions(covariates, first.len())?;
    at_least(2 + directions.len(), first.len())?;
    let [first_left, second_left] = [first, second].map(|values| unexplained(values, &directions));
    let coefficient = cosine(&first_left?, &second_left?);
    Ok(Correlation::new(coefficient, first.len() - 2 - directions.len()))
}

/// Spearman's partial rho: [`partial_pearson`] of the average ranks of all lists, covariates included.
///
/// # Errors
/// As [`partial_pearson`], except that infinite values are ranked.
pub fn partial_spearman(
    first: &[f64],
    second: &[f64],
    covariates: &[impl AsRef<[f64]>],
) -> Result<Correlation, Undefined> {
    let covariates: Result<Vec<_>, _> =
        covariates.iter().map(|values| average_ranks(values.as_ref())).collect();
    partial_pearson(&average_ranks(first)?, &average_ranks(second)?, &covariates?)
}

/// A list minus the mean of each row's group.
///
/// # Errors
/// When the lists differ in length or a value is not finite.
pub fn group_deviations<T: Ord>(values: &[f64], groups: &[T]) -> Result<Vec<f64>, Undefined> {
    same_length(values.len(), groups.len())?;
    all_finite(values)?;
    let mut sums: BTreeMap<&T, (f64, f64)> = BTreeMap::new();
    for (value, group) in values.iter().zip(groups) {
        let (sum, rows) = sums.entry(group).or_default();
        *sum += value;
        *rows += 1.0;
    }
    let mean = |group| sums.get(group).map_or(0.0, |(sum, rows)| sum / rows);
    Ok(values.iter().zip(groups).map(|(value, group)| value - mean(group)).collect())
}

/// Orthonormal centred lists that span the covariates (Gram-Schmidt). Covariates that depend on earlier ones, such as
/// constants, are left out.
fn directions(covariates: &[impl AsRef<[f64]>], rows: usize) -> Result<Vec<Vec<f64>>, Undefined> {
    let mut directions: Vec<Vec<f64>> = Vec::new();
    for covariate in covariates {
        same_length(rows, covariate.as_ref().len())?;
        let left = match centred(covariate.as_ref()) {
            Ok(centred) => without(centred, &directions),
            Err(Undefined::Constant) => None,
            Err(error) => return Err(error),
        };
        if let Some(left) = left {
            let length = dot(&left, &left).sqrt();
            directions.push(left.into_iter().map(|value| value / length).collect());
        }
    }
    Ok(directions)
}

/// The residual of a list after its mean and the directions, up to a power of two.
fn unexplained(values: &[f64], directions: &[Vec<f64>]) -> Result<Vec<f64>, Undefined> {
    without(centred(values)?, directions).ok_or(Undefined::Explained)
}

/// A list minus its projection on the directions; None if only rounding error is left.
fn without(mut values: Vec<f64>, directions: &[Vec<f64>]) -> Option<Vec<f64>> {
    let before = dot(&values, &values).sqrt();
    // Twice, since the first pass leaves the rounding errors of large projections.
    for direction in directions.iter().chain(directions) {
        let part = dot(&values, direction);
        values.iter_mut().zip(direction).for_each(|(value, along)| *value -= part * along);
    }
    (dot(&values, &values).sqrt() > NEGLIGIBLE * before).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pearson;

    const FIRST: [f64; 6] = [1.0, 3.0, 2.0, 5.0, 4.0, 7.0];
    const SECOND: [f64; 6] = [2.0, 1.0, 4.0, 3.0, 6.0, 5.0];
    const THIRD: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0];

    /// (r12 - r13 r23) / sqrt((1 - r13^2) (1 - r23^2))
    #[test]
    fn one_covariate_matches_the_textbook_formula() {
        let r = |a, b| pearson(a, b).unwrap().coefficient;
        let (r12, r13, r23) = (r(&FIRST, &SECOND), r(&FIRST, &THIRD), r(&SECOND, &THIRD));
        let expected = (r12 - r13 * r23) / ((1.0 - r13 * r13) * (1.0 - r23 * r23)).sqrt();
        let ours = partial_pearson(&FIRST, &SECOND, &[THIRD]).unwrap();
        assert!((ours.coefficient - expected).abs() < 1e-12);
    }

    #[test]
    fn dependent_covariates_change_nothing() {
        let doubled = THIRD.map(|value| 2.0 * value + 1.0);
        let once = partial_pearson(&FIRST, &SECOND, &[THIRD]).unwrap();
        assert_eq!(partial_pearson(&FIRST, &SECOND, &[THIRD, [3.0; 6], doubled]), Ok(once));
        assert_eq!(partial_pearson(&FIRST, &SECOND, &[[0.0; 6]]), pearson(&FIRST, &SECOND));
    }

    #[test]
    fn deviations_are_from_the_mean_of_their_group() {
        let groups = ["a", "b", "a", "c", "b", "a"];
        // Means: a (1 + 2 + 7) / 3, b (3 + 4) / 2, c 5.
        let expected = [-7.0 / 3.0, -0.5, -4.0 / 3.0, 0.0, 0.5, 11.0 / 3.0];
        for (ours, expected) in group_deviations(&FIRST, &groups).unwrap().iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn bad_lists_are_errors() {
        assert_eq!(partial_pearson(&FIRST, &SECOND, &[FIRST]), Err(Undefined::Explained));
        assert!(partial_pearson(&FIRST, &SECOND, &[&FIRST[1..]]).is_err());
        assert!(partial_pearson(&FIRST, &SECOND, &[[f64::NAN; 6]]).is_err());
        let few = partial_pearson(&FIRST[..3], &SECOND[..3], &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(few, Err(Undefined::TooFew { rows: 3, needed: 4 }));
        assert!(group_deviations(&[1.0], &["a", "b"]).is_err());
    }
}
