//! LLM-AggreFact's figure: the plain mean of the datasets' balanced accuracies, with one given threshold for all,
//! as on the authors' leaderboard, or with one a dataset, tuned on its dev rows as AggreFact tunes. Without test
//! rows dev is measured, and a warning says so. Intervals are bootstrapped over a dataset's documents.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, Keys, Tuning};
use crate::decide::{accuracy_as_scikit_learn, is_one_label, one_label_warning, tuned_threshold};
use crate::documents::by_document;
use crate::read::{BenchError, check_scores};
use crate::sampled::{Estimate, Sampled};
use crate::split::Split;

/// The datasets behind the published means.
const DATASETS: usize = 11;

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The datasets, by name.
    pub datasets: Vec<Dataset>,
    /// The plain mean of their balanced accuracies.
    pub mean: Estimate,
    /// What a reader of the figures should know.
    pub warnings: Vec<String>,
}

/// A dataset's figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dataset {
    /// Its name.
    pub dataset: String,
    /// Rows that were measured.
    pub rows: usize,
    /// Those of them with label 1.
    pub supported: usize,
    /// A claim is called supported above it.
    pub threshold: f64,
    /// From 0 to 1.
    pub balanced_accuracy: Estimate,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64], tuning: Tuning) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
    Run { cases, scores, tuning }.figures()
}

/// The protocol at work.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    tuning: Tuning,
}

impl Run<'_> {
    fn figures(&self) -> Result<Figures, BenchError> {
        let mut warnings = Vec::new();
        let measured = self.measured(&mut warnings)?;
        let mut rows_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for row in self.rows_of(measured) {
            rows_of.entry(&self.cases[row].keys.dataset).or_default().push(row);
        }
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
        let equal: Vec<(usize, &Sampled)> = sampled.iter().map(|figure| (1, figure)).collect();
        let mean =
            Sampled::mean(&equal).ok_or_else(|| BenchError::Data("holds no rows to measure".into()))?;
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
