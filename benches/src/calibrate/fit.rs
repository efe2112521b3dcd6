//! Fits the limit by a goal, and measures it on documents that it was not fitted to.

use veridic_stats::{balanced_accuracy, best_threshold, bootstrap, percentile_interval, roc_auc};

use super::limit::{FittedLimit, Goal};
use super::rows::CalibrationRows;
use super::rules_file;
use crate::protocol::{Estimate, LEVEL, RESAMPLES, drawn};

const FEWEST_ROWS: usize = 50;
const FEWEST_OF_A_LABEL: usize = 15;
/// Limits are written with four decimals.
const DECIMALS: f64 = 10_000.0;
/// The number of cross-validation folds over documents.
const FOLDS: usize = 5;

/// Why there is no limit.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    #[error(
        "{rows} rows, {consistent} with label 1: at least {FEWEST_ROWS} are needed, {FEWEST_OF_A_LABEL} of each label"
    )]
    TooFew { rows: usize, consistent: usize },
    /// Too few documents: the limit is measured on other documents than those it is fitted to.
    #[error("all rows are of {0} documents: at least {FOLDS} are needed to measure a limit")]
    FewDocuments(usize),
    /// The scores do not rank rows by label, or rank them in the opposite order.
    #[error(
        "the scores do not rank rows with label 1 above the others (ROC AUC {:.1}%): does label 1 mean consistent?",
        100.0 * .0
    )]
    NoRanking(f64),
    #[error("no limit has a precision of {wanted}: the highest is {highest:.3}")]
    NoPrecision { wanted: f64, highest: f64 },
}

impl CalibrationRows {
    /// Fits the limit, and measures it on documents that it was not fitted to.
    pub fn fit(&self, goal: Goal, seed: u64) -> Result<FittedLimit, CalibrateError> {
        let (rows, labels) = (self.rows.len(), self.rows.iter().map(|row| row.is_consistent));
        let labels: Vec<bool> = labels.collect();
        let consistent = labels.iter().filter(|label| **label).count();
        if rows < FEWEST_ROWS || consistent.min(rows - consistent) < FEWEST_OF_A_LABEL {
            return Err(CalibrateError::TooFew { rows, consistent });
        }
        let documents = self.documents();
        if documents.len() < FOLDS {
            return Err(CalibrateError::FewDocuments(documents.len()));
        }
        let roc_auc = self.ranking(&documents);
        if roc_auc.value <= 0.5 {
            return Err(CalibrateError::NoRanking(roc_auc.value));
        }
        let supported = self.supported(&documents, goal, seed)?;
        let is_supported = self.verdicts_of_folds(&documents, goal, supported.value);
        let before: Vec<bool> = self.rows.iter().map(|row| row.score >= self.scored_by.limit()).collect();
        let called = is_supported.iter().filter(|supported| **supported).count();
        let right =
            is_supported.iter().zip(&labels).filter(|(supported, label)| **supported && **label).count();
        let mut fitted = FittedLimit {
            rows,
            consistent,
            documents: documents.len(),
            roc_auc,
            supported,
            balanced_accuracy: accuracy_of(&is_supported, &labels),
            balanced_accuracy_before: accuracy_of(&before, &labels),
            precision: (called > 0).then(|| right as f64 / called as f64),
            coverage: called as f64 / rows as f64,
            file: String::new(),
        };
        fitted.file = rules_file::text(&self.files, &self.scored_by, &fitted, goal);
        Ok(fitted)
    }

    /// Returns ROC AUC of the scores; 0.5 if it has no value.
    fn ranking(&self, documents: &[Vec<usize>]) -> Estimate {
        let auc = |rows: &[usize]| {
            let (scores, labels) = self.scores(rows);
            roc_auc(&scores, &labels)
        };
        Estimate::on_groups(documents, auc).unwrap_or(Estimate::within(0.5, None))
    }

    /// Returns the limit that fits all rows, with its interval over documents.
    fn supported(&self, documents: &[Vec<usize>], goal: Goal, seed: u64) -> Result<Estimate, CalibrateError> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let limit = self.limit(&all, goal)?;
        let samples = bootstrap(documents.len(), RESAMPLES, seed, |sample| {
            self.limit(&drawn(documents, sample), goal).ok()
        });
        let interval = percentile_interval(&samples.values, LEVEL).ok();
        Ok(Estimate::within(limit, interval.map(|interval| [interval.low, interval.high])))
    }

    /// Whether each row is supported under the limit fitted to the documents of other folds.
    fn verdicts_of_folds(&self, documents: &[Vec<usize>], goal: Goal, usual: f64) -> Vec<bool> {
        let mut is_supported = vec![false; self.rows.len()];
        for fold in 0..FOLDS {
            let numbered = documents.iter().enumerate();
            let (own, others): (Vec<_>, Vec<_>) = numbered.partition(|(number, _)| number % FOLDS == fold);
            let others: Vec<usize> = others.into_iter().flat_map(|(_, rows)| rows.clone()).collect();
            let limit = self.limit(&others, goal).unwrap_or(usual);
            for row in own.into_iter().flat_map(|(_, rows)| rows) {
                is_supported[*row] = self.rows[*row].score >= limit;
            }
        }
        is_supported
    }

    fn limit(&self, rows: &[usize], goal: Goal) -> Result<f64, CalibrateError> {
        let (scores, labels) = self.scores(rows);
        let limit = match goal {
            Goal::BalancedAccuracy => best_threshold(&scores, &labels)
                .ok_or(CalibrateError::TooFew { rows: rows.len(), consistent: 0 }),
            Goal::Precision(wanted) => limit_of_precision(&scores, &labels, wanted),
        };
        // Rounded as in the file.
        limit.map(|limit| (limit * DECIMALS).round() / DECIMALS)
    }

    fn scores(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.rows[row].score, self.rows[row].is_consistent)).unzip()
    }
}

fn accuracy_of(is_supported: &[bool], labels: &[bool]) -> f64 {
    let scores: Vec<f64> = is_supported.iter().map(|supported| f64::from(u8::from(*supported))).collect();
    balanced_accuracy(&scores, labels, 0.5).unwrap_or(0.5)
}

/// Returns the lowest limit with at least this share of positives among the scores that reach it.
fn limit_of_precision(scores: &[f64], labels: &[bool], wanted: f64) -> Result<f64, CalibrateError> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let (mut right, mut highest, mut limit) = (0usize, 0.0f64, None);
    for (place, &row) in order.iter().enumerate() {
        right += usize::from(labels[row]);
        // Equal scores are supported together.
        if order.get(place + 1).is_some_and(|next| scores[*next] == scores[row]) {
            continue;
        }
        let precision = right as f64 / (place + 1) as f64;
        highest = highest.max(precision);
        if precision >= wanted {
            let below = order.get(place + 1).map_or(scores[row], |next| scores[*next]);
            limit = Some(f64::midpoint(scores[row], below));
        }
    }
    limit.ok_or(CalibrateError::NoPrecision { wanted, highest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_with_a_precision_is_chosen_and_ties_stay_together() {
        let scores = [0.9, 0.8, 0.7, 0.7, 0.2];
        let labels = [true, true, true, false, false];
        // Down to 0.8 all are right; including both of 0.7, three of four are.
        assert_eq!(limit_of_precision(&scores, &labels, 0.9).unwrap(), 0.75);
        assert!((limit_of_precision(&scores, &labels, 0.75).unwrap() - 0.45).abs() < 1e-9);
        assert_eq!(limit_of_precision(&scores, &labels, 0.5).unwrap(), 0.2);
        let error = limit_of_precision(&[0.9, 0.8], &[false, true], 0.8).unwrap_err().to_string();
        assert!(error.contains("precision of 0.8") && error.contains("0.500"), "{error}");
    }
}
