//! Decisions among any number of classes. Balanced accuracy averages over the classes that occur in the truth, as
//! `sklearn.metrics.balanced_accuracy_score` does; classes that were only predicted are listed.

use std::collections::BTreeMap;

use super::undefined::{Undefined, at_least, same_length};

/// The recall of each class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassRecalls<T> {
    /// The classes that occur in the truth, in order, each with the share of its rows that were predicted correctly.
    pub recalls: Vec<(T, f64)>,
    /// The classes that were predicted but do not occur in the truth: they have no recall and are not in the mean.
    pub absent: Vec<T>,
}

impl<T> ClassRecalls<T> {
    /// Balanced accuracy: the mean of the recalls. With one class in the truth it is that class's recall.
    #[must_use]
    pub fn balanced_accuracy(&self) -> f64 {
        self.recalls.iter().map(|(_, recall)| recall).sum::<f64>() / self.recalls.len() as f64
    }
}

/// The share of rows that were predicted correctly.
///
/// # Errors
/// When the lists differ in length or are empty.
pub fn accuracy<T: PartialEq>(truth: &[T], predicted: &[T]) -> Result<f64, Undefined> {
    same_length(truth.len(), predicted.len())?;
    at_least(1, truth.len())?;
    let right = truth.iter().zip(predicted).filter(|(truth, predicted)| truth == predicted).count();
    Ok(right as f64 / truth.len() as f64)
}

/// The recall of each class, which gives balanced accuracy.
///
/// # Errors
/// When the lists differ in length or are empty.
pub fn class_recalls<T: Ord + Clone>(truth: &[T], predicted: &[T]) -> Result<ClassRecalls<T>, Undefined> {
    same_length(truth.len(), predicted.len())?;
    at_least(1, truth.len())?;
    let mut counts: BTreeMap<&T, (usize, usize)> = BTreeMap::new();
    for (class, guess) in truth.iter().zip(predicted) {
        let (right, all) = counts.entry(class).or_default();
        *right += usize::from(class == guess);
        *all += 1;
        counts.entry(guess).or_default();
    }
    let (present, absent): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, (_, all))| *all > 0);
    Ok(ClassRecalls {
        recalls: present
            .into_iter()
            .map(|(class, (right, all))| (class.clone(), right as f64 / all as f64))
            .collect(),
        absent: absent.into_iter().map(|(class, _)| class.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_that_is_only_predicted_is_listed() {
        let recalls = class_recalls(&["a", "a", "b"], &["a", "c", "b"]).unwrap();
        assert_eq!(recalls.recalls, [("a", 0.5), ("b", 1.0)]);
        assert_eq!(recalls.absent, ["c"]);
        assert_eq!(recalls.balanced_accuracy(), 0.75);
        assert_eq!(accuracy(&["a", "a", "b"], &["a", "c", "b"]), Ok(2.0 / 3.0));
    }

    #[test]
    fn bad_lists_are_errors() {
        assert_eq!(accuracy::<u8>(&[], &[]), Err(Undefined::TooFew { rows: 0, needed: 1 }));
        assert!(class_recalls::<u8>(&[], &[]).is_err());
        assert!(class_recalls(&[1], &[]).is_err());
    }
}
