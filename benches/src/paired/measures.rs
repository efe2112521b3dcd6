//! The figures of both files and their differences. Intervals of a figure and of a difference come from the same bootstrap
//! samples of rows, with the thresholds fixed. McNemar's test needs one decision per row: that of the first halving that did
//! not tune on it.

use super::matching::Matched;
use crate::protocol::{
    Decisions, Estimate, Figures, LEVEL, RESAMPLES, Sampled, figures, halves, mean_accuracy, one_by_one,
};
use veridic_stats::{
    Discordant, Undefined, average_precision, mcnemar_chi_square, mcnemar_exact, paired_bootstrap, roc_auc,
};

/// McNemar's test is exact with fewer discordant rows than this.
const EXACT_BELOW: u64 = 25;

const BALANCED_ACCURACY: &str = "balanced_accuracy";

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
    pub(super) fn new(matched: &Matched<'_>, labels: &'l [bool], threshold: Option<f64>) -> Self {
        let (first, second) = matched.pairs.iter().map(|pair| (pair.first_score, pair.second_score)).unzip();
        let side = |scores| Scored::new(scores, labels, threshold);
        Self { labels, tuned: threshold.is_none(), first: side(first), second: side(second) }
    }

    /// Returns ROC AUC, average precision and, if there are decisions, balanced accuracy.
    pub(super) fn measures(&self, seed: u64) -> Result<Vec<Figures>, Undefined> {
        let all: Vec<usize> = (0..self.labels.len()).collect();
        let mut measures = vec!["roc_auc", "average_precision"];
        if self.first.value(BALANCED_ACCURACY, &all, self.labels).is_some() {
            measures.push(BALANCED_ACCURACY);
        }
        measures.into_iter().map(|measure| self.compare(measure, seed)).collect()
    }

    /// Returns a measure of both files, with the two-sided p value of the paired bootstrap and the number of samples with
    /// rows of one label only, which are skipped.
    fn compare(&self, measure: &'static str, seed: u64) -> Result<Figures, Undefined> {
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
        Ok(figures! {
            "measure": measure,
            "first": estimate(&self.first)?,
            "second": estimate(&self.second)?,
            "difference": Estimate::from(found),
            "p_value": found.p_value,
            "undefined_samples": found.undefined,
        })
    }

    /// Returns the decisions of both files, and McNemar's test on the rows that did not tune; `None` without decisions.
    pub(super) fn decided(&self) -> Result<Option<Figures>, Undefined> {
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
        let (test, p_value) = match mcnemar_chi_square(counts).filter(|_| many) {
            Some(p_value) => ("chi_square", p_value),
            None => ("exact", mcnemar_exact(counts)),
        };
        Ok(Some(figures! {
            "tuned": self.tuned,
            "first_thresholds": self.first.thresholds(),
            "second_thresholds": self.second.thresholds(),
            "rows": first.len(),
            "only_first_right": counts.only_first as usize,
            "only_second_right": counts.only_second as usize,
            "test": test,
            "p_value": p_value,
        }))
    }
}

impl Scored {
    fn new(scores: Vec<f64>, labels: &[bool], threshold: Option<f64>) -> Self {
        let mut descending: Vec<usize> = (0..scores.len()).collect();
        descending.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let decisions = match threshold {
            Some(threshold) => vec![Decisions::new(threshold, &scores, |_| true)],
            None => halves(&one_by_one(scores.len()), &scores, labels),
        };
        Self { scores, descending, decisions }
    }

    fn value(&self, measure: &str, rows: &[usize], labels: &[bool]) -> Option<f64> {
        if measure == BALANCED_ACCURACY {
            return mean_accuracy(&self.decisions, rows, labels);
        }
        let (scores, labels) = self.drawn(rows, labels);
        match measure {
            "roc_auc" => roc_auc(&scores, &labels),
            _ => average_precision(&scores, &labels).filter(|_| labels.contains(&false)),
        }
    }

    /// Returns the sample by descending score: the statistics sort, and sorted input takes a tenth of the time.
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
