//! LLM-AggreFact's figure: the plain mean of the datasets' balanced accuracies, with one given threshold for all,
//! as on the authors' leaderboard, or with one a dataset, tuned on its dev rows as AggreFact tunes. Without test
//! rows dev is measured, and a warning says so. Intervals are bootstrapped over a dataset's documents.

use serde::Serialize;

use super::{Case, Keys, Tuning};
use crate::decide::{accuracy_as_scikit_learn, is_one_label, one_label_warning, tuned_threshold};
use crate::documents::{by_document, by_name};
use crate::estimate::{Estimate, Sampled};
use crate::read::BenchError;
use crate::split::Split;

/// The datasets behind the published means.
const DATASETS: usize = 11;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The datasets, by name.
    pub datasets: Vec<Dataset>,
    /// The plain mean of their balanced accuracies.
    pub mean: Estimate,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// A dataset's figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dataset {
    /// Its name.
    pub dataset: String,
    /// Rows that were measured.
    pub rows: usize,
    /// Rows with label 1 among them.
    pub supported: usize,
    /// A claim is called supported above it.
    pub threshold: f64,
    /// Balanced accuracy, from 0 to 1.
    pub balanced_accuracy: Estimate,
}

/// The protocol applied to a run.
pub(super) struct Run<'c> {
    pub(super) cases: &'c [Case<Keys>],
    pub(super) scores: &'c [f64],
    pub(super) tuning: Tuning,
}

impl Run<'_> {
    pub(super) fn figures(&self) -> Result<Figures, BenchError> {
        let mut warnings = Vec::new();
        let measured = self.measured(&mut warnings)?;
        let named = |row: usize| (self.cases[row].keys.dataset.as_str(), row);
        let rows_of = by_name(self.rows_of(measured).map(named));
        let (mut datasets, mut sampled) = (Vec::new(), Vec::new());
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            let (dataset, figure) = self.dataset(name, rows, seed, &mut warnings)?;
            datasets.push(dataset);
            sampled.push(figure);
        }
        if datasets.len() != DATASETS {
            let found = datasets.len();
            warnings
                .push(format!("the published means are over {DATASETS} datasets, this one is over {found}"));
        }
        let mean = Sampled::plain_mean(&sampled)
            .ok_or_else(|| BenchError::Data("holds no rows to measure".into()))?;
        Ok(Figures { datasets, mean: mean.estimate(), warnings })
    }

    /// The part that is measured.
    fn measured(&self, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
        let has = |split| self.cases.iter().any(|case| case.keys.split == split);
        match (self.tuning, has(Split::Val), has(Split::Test)) {
            (Tuning::Dev, false, _) => Err(BenchError::Data("has no dev rows to tune on".into())),
            (Tuning::Dev, _, false) => Err(BenchError::Data("has no test rows to measure".into())),
            (Tuning::Fixed(_), true, false) => {
                warnings.push("there are no test rows: these figures are of dev".into());
                Ok(Split::Val)
            }
            _ => Ok(Split::Test),
        }
    }

    fn rows_of(&self, split: Split) -> impl Iterator<Item = usize> {
        (0..self.cases.len()).filter(move |row| self.cases[*row].keys.split == split)
    }

    fn dataset(
        &self,
        name: &str,
        rows: &[usize],
        seed: u64,
        warnings: &mut Vec<String>,
    ) -> Result<(Dataset, Sampled), BenchError> {
        let threshold = self.threshold(name, warnings)?;
        let labels: Vec<bool> = rows.iter().map(|row| self.cases[*row].keys.supported).collect();
        if is_one_label(&labels) {
            warnings.push(one_label_warning(name, "measured", &labels));
        }
        let accuracy = |rows: &[usize]| {
            let pair = |row: &usize| (self.scores[*row] > threshold, self.cases[*row].keys.supported);
            accuracy_as_scikit_learn(rows.iter().map(pair))
        };
        let figure = Sampled::on_groups(&by_document(self.cases, rows), seed, accuracy)
            .expect("a dataset is named by a row of it");
        let dataset = Dataset {
            dataset: name.to_owned(),
            rows: rows.len(),
            supported: labels.iter().filter(|label| **label).count(),
            threshold,
            balanced_accuracy: figure.estimate(),
        };
        Ok((dataset, figure))
    }

    fn threshold(&self, name: &str, warnings: &mut Vec<String>) -> Result<f64, BenchError> {
        if let Tuning::Fixed(threshold) = self.tuning {
            return Ok(threshold);
        }
        let of_dataset = |row: &usize| self.cases[*row].keys.dataset == name;
        let scored = |row: usize| (self.scores[row], self.cases[row].keys.supported);
        let (scores, labels): (Vec<f64>, Vec<bool>) =
            self.rows_of(Split::Val).filter(of_dataset).map(scored).unzip();
        if scores.is_empty() {
            return Err(BenchError::Data(format!("dataset {name} has test rows but no dev rows to tune on")));
        }
        if is_one_label(&labels) {
            warnings.push(one_label_warning(name, "dev", &labels));
        }
        Ok(tuned_threshold(&scores, &labels)?)
    }
}
