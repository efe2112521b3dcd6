//! SummEdits' figure: the plain mean of the domains' balanced accuracies. The authors judge with language models that
//! answer yes or no. Scores need a threshold: it is given, or tuned on one half of a domain's documents and measured on
//! the other, over several random halvings. Intervals are bootstrapped over a domain's documents under a given threshold
//! only: halvings share their rows, so resampling one of them does not measure the error of their mean.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, Keys, Threshold};
use crate::decide::{
    Decisions, accuracy_as_scikit_learn, halves, is_one_label, mean_accuracy, one_label_warning,
};
use crate::documents::{by_document, by_name};
use crate::estimate::{Estimate, Sampled};
use crate::read::BenchError;
use veridic_stats::roc_auc;

/// The domains behind the published means.
const DOMAINS: usize = 10;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The domains, by name.
    pub domains: Vec<Domain>,
    /// The plain mean of their balanced accuracies; `None` if a domain has none.
    pub mean: Option<Estimate>,
    /// The share of inconsistent summaries that are found, by type of edit.
    pub edit_types: Vec<EditType>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// A domain's figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Domain {
    /// Its name.
    pub domain: String,
    /// Number of rows.
    pub rows: usize,
    /// Rows with label 1.
    pub consistent: usize,
    /// Number of distinct documents.
    pub documents: usize,
    /// A summary is called consistent above the threshold; one for each halving.
    pub thresholds: Vec<f64>,
    /// From 0 to 1; with halvings their mean, without an interval; `None` if no halving has both labels.
    pub balanced_accuracy: Option<Estimate>,
    /// Area under the ROC curve, which needs no threshold; `None` with one label.
    pub roc_auc: Option<f64>,
}

/// Inconsistent summaries with one type of edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditType {
    /// Its name.
    pub edit_type: String,
    /// Number of these summaries.
    pub rows: usize,
    /// The share that is called inconsistent, over all halvings; `None` if no halving decides about one.
    pub found: Option<f64>,
}

/// The protocol applied to a run.
pub(super) struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    labels: Vec<bool>,
    threshold: Threshold,
    warnings: Vec<String>,
    /// For each edit type: rows, decisions, and decisions that found the edit.
    edit_types: BTreeMap<&'c str, [usize; 3]>,
}

impl<'c> Run<'c> {
    pub(super) fn new(cases: &'c [Case<Keys>], scores: &'c [f64], threshold: Threshold) -> Self {
        let labels = cases.iter().map(|case| case.keys.consistent).collect();
        Self { cases, scores, labels, threshold, warnings: Vec::new(), edit_types: BTreeMap::new() }
    }

    pub(super) fn figures(mut self) -> Result<Figures, BenchError> {
        let cases = self.cases;
        let rows_of = by_name(cases.iter().map(|case| case.keys.domain.as_str()).zip(0..));
        if rows_of.is_empty() {
            return Err(BenchError::Data("holds no rows to measure".into()));
        }
        let (mut domains, mut sampled) = (Vec::new(), Vec::new());
        for (seed, (name, rows)) in (0..).zip(&rows_of) {
            let (domain, figure) = self.domain(name, rows, seed);
            domains.push(domain);
            sampled.push(figure);
        }
        if domains.len() != DOMAINS {
            let found = domains.len();
            self.warnings
                .push(format!("the published means are over {DOMAINS} domains, this one is over {found}"));
        }
        let complete: Option<Vec<&Sampled>> = sampled.iter().map(Option::as_ref).collect();
        let mean = complete.and_then(Sampled::plain_mean).map(|mean| mean.estimate());
        let edit_types = self.edit_types.iter().map(|(name, [rows, decided, found])| EditType {
            edit_type: (*name).to_owned(),
            rows: *rows,
            found: (*decided > 0).then(|| *found as f64 / *decided as f64),
        });
        Ok(Figures { domains, mean, edit_types: edit_types.collect(), warnings: self.warnings })
    }

    fn domain(&mut self, name: &str, rows: &[usize], seed: u64) -> (Domain, Option<Sampled>) {
        let documents = by_document(self.cases, rows);
        let (scores, labels): (Vec<f64>, Vec<bool>) =
            rows.iter().map(|&row| (self.scores[row], self.labels[row])).unzip();
        if is_one_label(&labels) {
            self.warnings.push(one_label_warning(name, "measured", &labels));
        }
        let decisions = match self.threshold {
            Threshold::Fixed(threshold) => vec![Decisions::new(threshold, self.scores, |_| true)],
            Threshold::Halves => halves(&documents, self.scores, &self.labels),
        };
        let figure = self.accuracy(&documents, rows, &decisions, seed);
        if figure.is_none() {
            self.warnings
                .push(format!("{name}: no half of its documents has both labels, so there is no mean"));
        }
        self.count_edits(rows, &decisions);
        let domain = Domain {
            domain: name.to_owned(),
            rows: rows.len(),
            consistent: labels.iter().filter(|label| **label).count(),
            documents: documents.len(),
            thresholds: decisions.iter().map(|decisions| decisions.threshold).collect(),
            balanced_accuracy: figure.as_ref().map(Sampled::estimate),
            roc_auc: roc_auc(&scores, &labels),
        };
        (domain, figure)
    }

    fn accuracy(
        &self,
        documents: &[Vec<usize>],
        rows: &[usize],
        decisions: &[Decisions],
        seed: u64,
    ) -> Option<Sampled> {
        match (self.threshold, decisions) {
            (Threshold::Fixed(_), [decisions]) => Sampled::on_groups(documents, seed, |rows| {
                accuracy_as_scikit_learn(decisions.pairs(rows, &self.labels))
            }),
            _ => mean_accuracy(decisions, rows, &self.labels).map(Sampled::alone),
        }
    }

    fn count_edits(&mut self, rows: &[usize], decisions: &[Decisions]) {
        for &row in rows.iter().filter(|row| !self.labels[**row]) {
            let called: Vec<bool> = decisions.iter().filter_map(|decisions| decisions.about(row)).collect();
            let found = called.iter().filter(|called| !**called).count();
            for name in &self.cases[row].keys.edit_types {
                let counts = self.edit_types.entry(name).or_default();
                *counts = [counts[0] + 1, counts[1] + called.len(), counts[2] + found];
            }
        }
    }
}
