//! The figures of both files and their differences. Intervals of a figure and of a difference come from the same
//! bootstrap samples of rows, with the thresholds fixed. McNemar's test needs one decision for each row: that of the
//! first halving that did not tune on it.

use serde::Serialize;

use super::matching::Matched;
use crate::decide::{Decisions, Threshold, halves, mean_accuracy};
use crate::documents::one_by_one;
use crate::estimate::{Estimate, LEVEL, RESAMPLES, Sampled};
use veridic_stats::{
    Discordant, Undefined, average_precision, mcnemar_chi_square, mcnemar_exact, paired_bootstrap, roc_auc,
};

/// With fewer discordant rows McNemar's test is exact.
const EXACT_BELOW: u64 = 25;

/// A figure of scores against labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Area under the ROC curve.
    RocAuc,
    /// Average precision.
    AveragePrecision,
    /// Balanced accuracy of the decisions.
    BalancedAccuracy,
}

/// A figure of both files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasureComparison {
    /// The measure.
    pub measure: Measure,
    /// The first file's figure.
    pub first: Estimate,
    /// The second file's figure.
    pub second: Estimate,
    /// The second file's figure minus the first's.
    pub difference: Estimate,
    /// The two-sided p value of the paired bootstrap.
    pub p_value: f64,
    /// Bootstrap samples with rows of one label only, which are left out.
    pub undefined_samples: usize,
}

/// McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestOfDecisions {
    /// From the binomial distribution.
    Exact,
    /// From chi-square with continuity correction.
    ChiSquare,
}

/// The decisions of both files.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decided {
    /// Whether thresholds were tuned on halves of the rows; else one threshold was given.
    pub tuned: bool,
    /// The first file's thresholds, one for each halving.
    pub first_thresholds: Vec<f64>,
    /// The second file's thresholds.
    pub second_thresholds: Vec<f64>,
    /// Rows with a decision under a threshold that they did not tune.
    pub rows: usize,
    /// Rows on which only the first is right.
    pub only_first_right: u64,
    /// Rows on which only the second is right.
    pub only_second_right: u64,
    /// How the p value was computed: exactly if discordant rows are few.
    pub test: TestOfDecisions,
    /// The two-sided p value of McNemar's test.
    pub p_value: f64,
}

/// One file's scores and decisions.
struct Scored {
    scores: Vec<f64>,
    /// Rows, the highest score first.
    descending: Vec<usize>,
    decisions: Vec<Decisions>,
}

/// Both files' scores and decisions about the same rows.
pub(super) struct Sides<'l> {
    labels: &'l [bool],
    tuned: bool,
    first: Scored,
    second: Scored,
}

impl<'l> Sides<'l> {
    pub(super) fn new(matched: &Matched<'_>, labels: &'l [bool], threshold: Threshold) -> Self {
        let (first, second) = matched.pairs.iter().map(|(first, second)| (first.score, second.score)).unzip();
        let side = |scores| Scored::new(scores, labels, threshold);
        Self { labels, tuned: threshold == Threshold::Halves, first: side(first), second: side(second) }
    }

    /// The measures; balanced accuracy is left out where there are no decisions.
    pub(super) fn measures(&self, seed: u64) -> Result<Vec<MeasureComparison>, Undefined> {
        let all: Vec<usize> = (0..self.labels.len()).collect();
        let mut measures = vec![Measure::RocAuc, Measure::AveragePrecision];
        if self.first.value(Measure::BalancedAccuracy, &all, self.labels).is_some() {
            measures.push(Measure::BalancedAccuracy);
        }
        measures.into_iter().map(|measure| self.compare(measure, seed)).collect()
    }

    fn compare(&self, measure: Measure, seed: u64) -> Result<MeasureComparison, Undefined> {
        let (rows, labels) = (self.labels.len(), self.labels);
        let groups = one_by_one(rows);
        let estimate = |side: &Scored| {
            let sampled = Sampled::on_groups(&groups, seed, |rows| side.value(measure, rows, labels));
            let undefined = Undefined::Degenerate("a figure has no value for these rows");
            sampled.map(|sampled| sampled.estimate()).ok_or(undefined)
        };
        let found = paired_bootstrap(
            rows,
            RESAMPLES,
            seed,
            LEVEL,
            |rows| self.second.value(measure, rows, labels),
            |rows| self.first.value(measure, rows, labels),
        )?;
        Ok(MeasureComparison {
            measure,
            first: estimate(&self.first)?,
            second: estimate(&self.second)?,
            difference: found.into(),
            p_value: found.p_value,
            undefined_samples: found.undefined,
        })
    }

    pub(super) fn decided(&self) -> Result<Option<Decided>, Undefined> {
        let is_right = |side: &Scored, row: usize| {
            let decision = side.decisions.iter().find_map(|half| half.about(row));
            decision.map(|decision| decision == self.labels[row])
        };
        let both = |row| Some((is_right(&self.first, row)?, is_right(&self.second, row)?));
        let (first, second): (Vec<bool>, Vec<bool>) = (0..self.labels.len()).filter_map(both).unzip();
        if first.is_empty() {
            return Ok(None);
        }
        let counts = Discordant::count(&first, &second)?;
        let many = counts.only_first + counts.only_second >= EXACT_BELOW;
        let (test, found) = match mcnemar_chi_square(counts).filter(|_| many) {
            Some(found) => (TestOfDecisions::ChiSquare, found),
            None => (TestOfDecisions::Exact, mcnemar_exact(counts)),
        };
        Ok(Some(Decided {
            tuned: self.tuned,
            first_thresholds: self.first.thresholds(),
            second_thresholds: self.second.thresholds(),
            rows: first.len(),
            only_first_right: counts.only_first,
            only_second_right: counts.only_second,
            test,
            p_value: found.p_value,
        }))
    }
}

impl Scored {
    fn new(scores: Vec<f64>, labels: &[bool], threshold: Threshold) -> Self {
        let mut descending: Vec<usize> = (0..scores.len()).collect();
        descending.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let decisions = match threshold {
            Threshold::Fixed(threshold) => vec![Decisions::new(threshold, &scores, |_| true)],
            Threshold::Halves => halves(&one_by_one(scores.len()), &scores, labels),
        };
        Self { scores, descending, decisions }
    }

    fn value(&self, measure: Measure, rows: &[usize], labels: &[bool]) -> Option<f64> {
        if measure == Measure::BalancedAccuracy {
            return mean_accuracy(&self.decisions, rows, labels);
        }
        let (scores, labels) = self.drawn(rows, labels);
        match measure {
            Measure::RocAuc => roc_auc(&scores, &labels),
            _ => average_precision(&scores, &labels).filter(|_| labels.contains(&false)),
        }
    }

    /// The sample, the highest score first: the statistics sort, and sorted input takes a tenth of the time.
    fn drawn(&self, sample: &[usize], labels: &[bool]) -> (Vec<f64>, Vec<bool>) {
        let mut times = vec![0; self.scores.len()];
        sample.iter().for_each(|row| times[*row] += 1);
        let rows = self.descending.iter().flat_map(|&row| std::iter::repeat_n(row, times[row]));
        rows.map(|row| (self.scores[row], labels[row])).unzip()
    }

    fn thresholds(&self) -> Vec<f64> {
        self.decisions.iter().map(|half| half.threshold).collect()
    }
}
