//! Agreement of raters on categories beyond chance: Cohen's kappa for two raters, Fleiss' for any
//! number. Both need complete ratings; with missing ones see [`krippendorff_alpha`](super::krippendorff_alpha).

use std::collections::BTreeMap;

use super::undefined::{Undefined, at_least, same_length};

/// Cohen's kappa of two raters: 1 - (their disagreements) / (those expected if each rated at random with their own category
/// frequencies), as in `sklearn.metrics.cohen_kappa_score`.
///
/// # Errors
/// If the lists differ in length, are empty, or contain only one category.
pub fn cohen_kappa<T: Ord>(first: &[T], second: &[T]) -> Result<f64, Undefined> {
    same_length(first.len(), second.len())?;
    at_least(1, first.len())?;
    let rows = first.len() as f64;
    let mut counts: BTreeMap<&T, [f64; 2]> = BTreeMap::new();
    for (ours, theirs) in first.iter().zip(second) {
        counts.entry(ours).or_default()[0] += 1.0;
        counts.entry(theirs).or_default()[1] += 1.0;
    }
    let observed = first.iter().zip(second).filter(|(ours, theirs)| ours != theirs).count() as f64;
    let expected: f64 = counts.values().map(|[ours, theirs]| ours * (rows - theirs) / rows).sum();
    if expected > 0.0 { Ok(1.0 - observed / expected) } else { Err(Undefined::Constant) }
}

/// Fleiss' kappa: (P - Pe) / (1 - Pe), with P the share of agreeing pairs of ratings of an item and Pe the
/// sum of the squared shares of the categories (Fleiss 1971; `statsmodels.stats.inter_rater.fleiss_kappa`).
/// An item is how many raters chose each category, and how often such an item occurs.
///
/// # Errors
/// Without items, with fewer than two ratings of an item, with different numbers of ratings or categories, or
/// when all ratings are of one category.
pub fn fleiss_kappa<'c, C: AsRef<[u32]> + 'c>(
    items: impl Iterator<Item = (&'c C, f64)> + Clone,
) -> Result<f64, Undefined> {
    let total = |item: &[u32]| item.iter().map(|count| f64::from(*count)).sum::<f64>();
    at_least(1, items.clone().count())?;
    let first = items.clone().map(|(counts, _)| counts.as_ref()).next().unwrap_or_default();
    let (categories, raters) = (first.len(), total(first));
    at_least(2, raters as usize)?;
    let all: f64 = items.clone().map(|(_, times)| times).sum();
    let (mut agreement, mut shares) = (0.0, vec![0.0; categories]);
    for (item, times) in items {
        let item = item.as_ref();
        same_length(categories, item.len())?;
        if total(item) != raters {
            return Err(Undefined::Setting("every item needs the same number of ratings"));
        }
        for (share, count) in shares.iter_mut().zip(item.iter().copied().map(f64::from)) {
            *share += times * count / (raters * all);
            agreement += times * count * (count - 1.0) / (raters * (raters - 1.0) * all);
        }
    }
    if shares.iter().filter(|share| **share > 0.0).count() < 2 {
        return Err(Undefined::Constant);
    }
    let by_chance: f64 = shares.iter().map(|share| share * share).sum();
    Ok((agreement - by_chance) / (1.0 - by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_agreement_is_one() {
        let ratings = ["yes", "no", "no", "maybe"];
        assert_eq!(cohen_kappa(&ratings, &ratings), Ok(1.0));
        assert_eq!(cohen_kappa(&[3, 3], &[3, 3]), Err(Undefined::Constant));
        assert_eq!(cohen_kappa(&[3, 3], &[4, 4]), Ok(0.0));
        assert!(cohen_kappa::<u8>(&[], &[]).is_err());
        assert!(cohen_kappa(&[1], &[]).is_err());
    }

    #[test]
    fn fleiss_kappa_of_small_tables() {
        let once = |counts: &[[u32; 2]]| fleiss_kappa(counts.iter().map(|counts| (counts, 1.0)));
        assert_eq!(once(&[[3, 0], [0, 3]]), Ok(1.0));
        assert_eq!(once(&[[1, 1], [1, 1]]), Ok(-1.0));
        assert_eq!(once(&[[3, 0], [3, 0]]), Err(Undefined::Constant));
        assert!(once(&[[3, 0], [1, 1]]).is_err());
        assert!(once(&[[1, 0], [0, 1]]).is_err());
        assert!(fleiss_kappa([(&vec![3, 0], 1.0), (&vec![3], 1.0)].into_iter()).is_err());
        assert!(once(&[]).is_err());
    }
}
