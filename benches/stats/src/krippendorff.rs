//! Krippendorff's alpha: agreement of any number of raters, with missing ratings.

use std::collections::BTreeMap;

use super::undefined::{Undefined, all_finite, at_least};

/// Krippendorff's alpha on the nominal scale, where ratings are equal or not: 1 - (disagreement within items) /
/// (disagreement among all ratings), as the package `krippendorff` computes it. Each item has its ratings by any raters in
/// any order; missing ones are left out, and items with fewer than two are not used (Krippendorff, Computing
/// Krippendorff's Alpha-Reliability, 2011).
///
/// # Errors
/// When a rating is not finite, no item has two ratings, or all usable ratings are equal.
pub fn krippendorff_alpha(items: &[impl AsRef<[f64]>]) -> Result<f64, Undefined> {
    items.iter().try_for_each(|item| all_finite(item.as_ref()))?;
    let items: Vec<&[f64]> = items.iter().map(AsRef::as_ref).filter(|item| item.len() > 1).collect();
    let ratings = items.concat();
    at_least(2, ratings.len())?;
    if ratings.iter().all(|rating| *rating == ratings[0]) {
        return Err(Undefined::Constant);
    }
    let within: f64 = items.iter().map(|item| disagreement(item) / (item.len() - 1) as f64).sum();
    Ok(1.0 - within * (ratings.len() - 1) as f64 / disagreement(&ratings))
}

/// The number of ordered pairs of different ratings.
fn disagreement(ratings: &[f64]) -> f64 {
    let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
    // Adding zero makes both zeros equal.
    ratings.iter().for_each(|rating| *counts.entry((rating + 0.0).to_bits()).or_default() += 1.0);
    let rows = ratings.len() as f64;
    rows * rows - counts.values().map(|count| count * count).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_one_and_does_not_depend_on_order() {
        let alpha = krippendorff_alpha(&[vec![1.0, 1.0], vec![2.0, 2.0, 2.0], vec![7.0]]).unwrap();
        assert!((alpha - 1.0).abs() < 1e-12);
        let items = [vec![1.0, 2.0], vec![3.0, 3.0, 4.0], vec![2.0, 1.0, 2.0]];
        let mixed = [vec![2.0, 2.0, 1.0], vec![9.0], vec![2.0, 1.0], vec![3.0, 4.0, 3.0]];
        let [one, other] = [krippendorff_alpha(&items), krippendorff_alpha(&mixed)];
        assert!((one.unwrap() - other.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn bad_items_are_errors() {
        assert!(krippendorff_alpha(&[] as &[[f64; 2]]).is_err());
        assert!(krippendorff_alpha(&[[1.0], [2.0]]).is_err());
        assert_eq!(krippendorff_alpha(&[[1.0, 1.0], [1.0, 1.0]]), Err(Undefined::Constant));
        assert!(krippendorff_alpha(&[[1.0, f64::NAN]]).is_err());
    }
}
