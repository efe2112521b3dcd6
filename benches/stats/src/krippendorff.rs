//! Krippendorff's alpha: agreement of any number of raters, with missing ratings, on any scale.

use std::collections::BTreeMap;

use super::correlation::{centred, dot};
use super::ranks::average_ranks;
use super::undefined::{Undefined, all_finite, at_least};

/// The scale of ratings, which defines the distance between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Ratings are equal or not.
    Nominal,
    /// Only the order of ratings counts.
    Ordinal,
    /// The difference of the numbers counts.
    Interval,
}

/// Krippendorff's alpha: 1 - (disagreement within items) / (disagreement among all ratings), as the package
/// `krippendorff` computes it. Each item has its ratings by any raters in any order; missing
/// ones are left out, and items with fewer than two are not used.
///
/// Disagreement is the mean of a squared distance over pairs of ratings (Krippendorff, Computing
/// Krippendorff's Alpha-Reliability, 2011). His ordinal distance is the difference of average ranks, so that
/// no table of all pairs of values is needed.
///
/// # Errors
/// When a rating is not finite, no item has two ratings, or all usable ratings are equal.
pub fn krippendorff_alpha(items: &[impl AsRef<[f64]>], scale: Scale) -> Result<f64, Undefined> {
    items.iter().try_for_each(|item| all_finite(item.as_ref()))?;
    let items: Vec<&[f64]> = items.iter().map(AsRef::as_ref).filter(|item| item.len() > 1).collect();
    let ratings = items.concat();
    at_least(2, ratings.len())?;
    let ratings = match scale {
        Scale::Nominal if ratings.iter().all(|rating| *rating == ratings[0]) => {
            return Err(Undefined::Constant);
        }
        Scale::Nominal => ratings,
        Scale::Ordinal => centred(&average_ranks(&ratings)?)?,
        Scale::Interval => centred(&ratings)?,
    };
    let mut rest = &ratings[..];
    let mut within = 0.0;
    for item in &items {
        let (ours, others) = rest.split_at(item.len());
        within += disagreement(ours, scale) / (item.len() - 1) as f64;
        rest = others;
    }
    Ok(1.0 - within * (ratings.len() - 1) as f64 / disagreement(&ratings, scale))
}

/// The sum of squared distances over all ordered pairs of these ratings.
fn disagreement(ratings: &[f64], scale: Scale) -> f64 {
    let rows = ratings.len() as f64;
    if scale == Scale::Nominal {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        // Adding zero makes both zeros equal.
        ratings.iter().for_each(|rating| *counts.entry((rating + 0.0).to_bits()).or_default() += 1.0);
        return rows * rows - counts.values().map(|count| count * count).sum::<f64>();
    }
    let mean = ratings.iter().sum::<f64>() / rows;
    let deviations: Vec<f64> = ratings.iter().map(|rating| rating - mean).collect();
    2.0 * rows * dot(&deviations, &deviations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: [Scale; 3] = [Scale::Nominal, Scale::Ordinal, Scale::Interval];

    #[test]
    fn perfect_agreement_is_one_on_every_scale() {
        for scale in SCALES {
            let alpha = krippendorff_alpha(&[vec![1.0, 1.0], vec![2.0, 2.0, 2.0], vec![7.0]], scale).unwrap();
            assert!((alpha - 1.0).abs() < 1e-12, "{scale:?}");
        }
    }

    #[test]
    fn order_of_raters_and_items_does_not_matter() {
        let items = [vec![1.0, 2.0], vec![3.0, 3.0, 4.0], vec![2.0, 1.0, 2.0]];
        let mixed = [vec![2.0, 2.0, 1.0], vec![9.0], vec![2.0, 1.0], vec![3.0, 4.0, 3.0]];
        for scale in SCALES {
            let [one, other] = [krippendorff_alpha(&items, scale), krippendorff_alpha(&mixed, scale)];
            assert!((one.unwrap() - other.unwrap()).abs() < 1e-12, "{scale:?}");
        }
    }

    #[test]
    fn ordinal_alpha_depends_on_order_only() {
        let items = [[1.0, 2.0], [3.0, 3.0], [2.0, 5.0]];
        let bent = items.map(|item| item.map(f64::exp));
        let [one, other] =
            [krippendorff_alpha(&items, Scale::Ordinal), krippendorff_alpha(&bent, Scale::Ordinal)];
        assert_eq!(one, other);
    }

    #[test]
    fn bad_items_are_errors() {
        for scale in SCALES {
            assert!(krippendorff_alpha(&[] as &[[f64; 2]], scale).is_err());
            assert!(krippendorff_alpha(&[[1.0], [2.0]], scale).is_err());
            assert_eq!(krippendorff_alpha(&[[1.0, 1.0], [1.0, 1.0]], scale), Err(Undefined::Constant));
            assert!(krippendorff_alpha(&[[1.0, f64::NAN]], scale).is_err());
        }
    }
}
