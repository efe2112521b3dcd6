//! Deviations from the means of groups: the residuals of a regression on a categorical variable.

use std::collections::BTreeMap;

use super::undefined::{Undefined, all_finite, same_length};

/// A list minus the mean of each row's group. The FRANK benchmark (Pagnoni et al., NAACL 2021) correlates deviations from the
/// mean of each system, by [`pearson`](super::pearson) and [`spearman`](super::spearman).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_from_the_mean_of_their_group() {
        let values = [1.0, 3.0, 2.0, 5.0, 4.0, 7.0];
        let groups = ["a", "b", "a", "c", "b", "a"];
        // Means: a (1 + 2 + 7) / 3, b (3 + 4) / 2, c 5.
        let expected = [-7.0 / 3.0, -0.5, -4.0 / 3.0, 0.0, 0.5, 11.0 / 3.0];
        for (ours, expected) in group_deviations(&values, &groups).unwrap().iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12);
        }
        assert!(group_deviations(&[1.0], &["a", "b"]).is_err());
    }
}
