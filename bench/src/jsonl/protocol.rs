//! Figures of any labelled file: how well scores rank its rows, and balanced accuracy with a threshold that other rows
//! tuned, those of the file's own val part or one half of the documents for the other. Groups share the threshold of all.
//! A group's figure that needs rows of both labels is `None` without them. Intervals are bootstrapped over documents with
//! the threshold fixed; halvings, which share their rows, have none.

use serde::Serialize;

use super::{Case, Keys};
use crate::decide::{Decisions, halves, mean_accuracy, strict_accuracies};
use crate::documents::{by_document, by_name};
use crate::estimate::{Estimate, Interval, Sampled, complete_mean};
use crate::read::BenchError;
use crate::split::Split;
use veridic_stats::{Confusion, average_precision, best_threshold, roc_auc};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Rows that are measured.
    pub rows: usize,
    /// Those with label 1.
    pub consistent: usize,
    /// Number of distinct documents.
    pub documents: usize,
    /// Area under the ROC curve.
    pub roc_auc: f64,
    /// Average precision.
    pub average_precision: f64,
    /// Balanced accuracy on rows that did not tune the threshold; with halvings, their mean.
    pub balanced_accuracy: f64,
    /// Balanced accuracy of each halving; those whose halves do not both have both labels are left out.
    pub splits: Vec<f64>,
    /// Rows of the file's val part, which tuned the threshold.
    pub val_rows: usize,
    /// The threshold that they tuned.
    pub threshold: Option<f64>,
    /// The middle 95% of figures on bootstrap samples of documents.
    pub intervals: Intervals,
    /// The groups, by name.
    pub groups: Vec<Group>,
    /// The plain means over the groups.
    pub group_means: Option<GroupMeans>,
}

/// The intervals of figures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Intervals {
    /// Of the area under the ROC curve.
    pub roc_auc: Option<Interval>,
    /// Of average precision.
    pub average_precision: Option<Interval>,
    /// Of balanced accuracy.
    pub balanced_accuracy: Option<Interval>,
}

/// The figures of a group of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub group: String,
    /// Rows that are measured.
    pub rows: usize,
    /// Those with label 1.
    pub consistent: usize,
    /// Area under the ROC curve.
    pub roc_auc: Option<f64>,
    /// Average precision.
    pub average_precision: Option<f64>,
    /// Balanced accuracy under the threshold of all groups.
    pub balanced_accuracy: Option<f64>,
}

/// Means over groups; `None` if a group has no figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GroupMeans {
    /// Of the areas under the ROC curve.
    pub roc_auc: Option<f64>,
    /// Of balanced accuracies.
    pub balanced_accuracy: Option<f64>,
}

/// The protocol applied to a run.
pub(super) struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    labels: Vec<bool>,
    /// The rows that are measured.
    rows: Vec<usize>,
    /// The rows that tune, where the file says so.
    val: Vec<usize>,
}

impl<'c> Run<'c> {
    pub(super) fn new(cases: &'c [Case<Keys>], scores: &'c [f64]) -> Self {
        let labels = cases.iter().map(|case| case.keys.consistent).collect();
        let tunes = |row: &usize| cases[*row].keys.split == Some(Split::Val);
        let (val, rows) = (0..cases.len()).partition(tunes);
        Self { cases, scores, labels, rows, val }
    }

    pub(super) fn figures(&self) -> Result<Figures, BenchError> {
        let documents = by_document(self.cases, &self.rows);
        let roc_auc = self.sampled(&documents, roc_auc);
        let average_precision = self.sampled(&documents, average_precision);
        let (Some(roc_auc), Some(average_precision)) = (roc_auc, average_precision) else {
            return Err(BenchError::Data(format!("{}rows of both labels are needed, 1 and 0", self.part())));
        };
        let decisions = self.decisions(&documents)?;
        let splits = strict_accuracies(&decisions, &self.rows, &self.labels);
        let Some(balanced_accuracy) = mean_accuracy(&decisions, &self.rows, &self.labels) else {
            let reason = "no half of the documents has rows of both labels: more documents are needed";
            return Err(BenchError::Data(reason.into()));
        };
        let groups = self.groups(&decisions);
        let tuned = self.tuned(&decisions);
        Ok(Figures {
            rows: self.rows.len(),
            consistent: self.consistent(&self.rows),
            documents: documents.len(),
            roc_auc: roc_auc.value,
            average_precision: average_precision.value,
            balanced_accuracy,
            splits: if tuned.is_none() { splits } else { Vec::new() },
            val_rows: self.val.len(),
            threshold: tuned.map(|tuned| tuned.threshold),
            intervals: Intervals {
                roc_auc: roc_auc.estimate().interval(),
                average_precision: average_precision.estimate().interval(),
                balanced_accuracy: tuned.and_then(|tuned| self.accuracy_interval(&documents, tuned)),
            },
            group_means: means(&groups),
            groups,
        })
    }

    /// The measured part as the beginning of an error.
    fn part(&self) -> &'static str {
        if self.cases.iter().any(|case| case.keys.split.is_some()) { "test: " } else { "" }
    }

    fn consistent(&self, rows: &[usize]) -> usize {
        rows.iter().filter(|row| self.labels[**row]).count()
    }

    fn scored(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.scores[row], self.labels[row])).unzip()
    }

    fn sampled(
        &self,
        documents: &[Vec<usize>],
        statistic: impl Fn(&[f64], &[bool]) -> Option<f64>,
    ) -> Option<Sampled> {
        Sampled::on_groups(documents, 0, |rows| {
            let (scores, labels) = self.scored(rows);
            statistic(&scores, &labels)
        })
    }

    /// Under the threshold of the val part, or of each half for the other.
    fn decisions(&self, documents: &[Vec<usize>]) -> Result<Vec<Decisions>, BenchError> {
        if self.val.is_empty() {
            return match self.part() {
                "" => Ok(halves(documents, self.scores, &self.labels)),
                _ => Err(BenchError::Data("has no val rows to tune a threshold on".into())),
            };
        }
        let (scores, labels) = self.scored(&self.val);
        let threshold = best_threshold(&scores, &labels)
            .ok_or_else(|| BenchError::Data("val: rows of both labels are needed, 1 and 0".into()))?;
        let measures = |row: usize| self.cases[row].keys.split == Some(Split::Test);
        Ok(vec![Decisions::new(threshold, self.scores, measures)])
    }

    /// The decisions by the threshold of the val part, if there is one.
    fn tuned<'d>(&self, decisions: &'d [Decisions]) -> Option<&'d Decisions> {
        decisions.first().filter(|_| !self.val.is_empty())
    }

    fn accuracy_interval(&self, documents: &[Vec<usize>], tuned: &Decisions) -> Option<Interval> {
        let accuracy = |rows: &[usize]| Confusion::count(tuned.pairs(rows, &self.labels)).balanced_accuracy();
        Estimate::on_groups(documents, accuracy)?.interval()
    }

    fn groups(&self, decisions: &[Decisions]) -> Vec<Group> {
        let grouped = |&row: &usize| Some((self.cases[row].keys.group.as_deref()?, row));
        let group = |(name, rows): (&str, Vec<usize>)| {
            let (scores, labels) = self.scored(&rows);
            Group {
                group: name.to_owned(),
                rows: rows.len(),
                consistent: self.consistent(&rows),
                roc_auc: roc_auc(&scores, &labels),
                average_precision: roc_auc(&scores, &labels).and(average_precision(&scores, &labels)),
                balanced_accuracy: mean_accuracy(decisions, &rows, &self.labels),
            }
        };
        by_name(self.rows.iter().filter_map(grouped)).into_iter().map(group).collect()
    }
}

/// None without groups.
fn means(groups: &[Group]) -> Option<GroupMeans> {
    (!groups.is_empty()).then(|| GroupMeans {
        roc_auc: complete_mean(groups.iter().map(|group| group.roc_auc)),
        balanced_accuracy: complete_mean(groups.iter().map(|group| group.balanced_accuracy)),
    })
}
