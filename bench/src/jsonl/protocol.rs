//! Figures of any labelled file: how well scores rank its rows, and balanced accuracy with a threshold that other
//! rows tuned, those of the file's own val part or one half of the documents for the other. Groups share the
//! threshold of all. A group's figure that needs rows of both labels is none without them. Intervals are
//! bootstrapped over documents, with the threshold kept; halvings, which share their rows, have none.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, Keys};
use crate::decide::{Decisions, halves, mean_accuracy, strict_accuracies};
use crate::documents::by_document;
use crate::read::{BenchError, check_scores};
use crate::sampled::Sampled;
use crate::split::Split;
use veridic_stats::{Confusion, average_precision, best_threshold, roc_auc};

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Rows that are measured.
    pub rows: usize,
    /// Those with label 1.
    pub consistent: usize,
    /// Their distinct documents.
    pub documents: usize,
    /// Area under the ROC curve.
    pub roc_auc: f64,
    /// Average precision.
    pub average_precision: f64,
    /// Balanced accuracy on rows that did not tune the threshold; with halvings, their mean.
    pub balanced_accuracy: f64,
    /// Balanced accuracy of each halving; one whose halves do not both have both labels is left out.
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

/// Lower and upper end.
pub type Interval = [f64; 2];

/// How far figures may be off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Intervals {
    /// Of the area under the ROC curve.
    pub roc_auc: Option<Interval>,
    /// Of average precision.
    pub average_precision: Option<Interval>,
    /// Of balanced accuracy.
    pub balanced_accuracy: Option<Interval>,
}

/// Rows that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What they are called.
    pub group: String,
    /// How many are measured.
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

/// Means over groups; none if a group has no figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GroupMeans {
    /// Of the areas under the ROC curve.
    pub roc_auc: Option<f64>,
    /// Of balanced accuracies.
    pub balanced_accuracy: Option<f64>,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
    Run::new(cases, scores).figures()
}

/// The protocol at work.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    labels: Vec<bool>,
    /// What is measured.
    rows: Vec<usize>,
    /// What tunes, where the file says so.
    val: Vec<usize>,
}

impl<'c> Run<'c> {
    fn new(cases: &'c [Case<Keys>], scores: &'c [f64]) -> Self {
        let labels = cases.iter().map(|case| case.keys.consistent).collect();
        let tunes = |row: &usize| cases[*row].keys.split == Some(Split::Val);
        let (val, rows) = (0..cases.len()).partition(tunes);
        Self { cases, scores, labels, rows, val }
    }

    fn figures(&self) -> Result<Figures, BenchError> {
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
                roc_auc: interval(&roc_auc),
                average_precision: interval(&average_precision),
                balanced_accuracy: tuned.and_then(|tuned| self.accuracy_interval(&documents, tuned)),
            },
            group_means: means(&groups),
            groups,
        })
    }

    /// What an error calls the rows that are measured.
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

    /// What the val part decides, where there is one.
    fn tuned<'d>(&self, decisions: &'d [Decisions]) -> Option<&'d Decisions> {
        decisions.first().filter(|_| !self.val.is_empty())
    }

    fn accuracy_interval(&self, documents: &[Vec<usize>], tuned: &Decisions) -> Option<Interval> {
        let accuracy = |rows: &[usize]| Confusion::count(tuned.pairs(rows, &self.labels)).balanced_accuracy();
        Sampled::on_groups(documents, 0, accuracy).as_ref().and_then(interval)
    }

    fn groups(&self, decisions: &[Decisions]) -> Vec<Group> {
        let mut rows_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &row in &self.rows {
            if let Some(group) = &self.cases[row].keys.group {
                rows_of.entry(group).or_default().push(row);
            }
        }
        let group = |(name, rows): (&&str, &Vec<usize>)| {
            let (scores, labels) = self.scored(rows);
            Group {
                group: (*name).to_owned(),
                rows: rows.len(),
                consistent: self.consistent(rows),
                roc_auc: roc_auc(&scores, &labels),
                average_precision: roc_auc(&scores, &labels).and(average_precision(&scores, &labels)),
                balanced_accuracy: mean_accuracy(decisions, rows, &self.labels),
            }
        };
        rows_of.iter().map(group).collect()
    }
}

fn interval(figure: &Sampled) -> Option<Interval> {
    let estimate = figure.estimate();
    Some([estimate.low?, estimate.high?])
}

/// None without groups.
fn means(groups: &[Group]) -> Option<GroupMeans> {
    let mean = |figure: fn(&Group) -> Option<f64>| {
        let figures: Option<Vec<f64>> = groups.iter().map(figure).collect();
        figures.map(|figures| figures.iter().sum::<f64>() / figures.len() as f64)
    };
    (!groups.is_empty()).then(|| GroupMeans {
        roc_auc: mean(|group| group.roc_auc),
        balanced_accuracy: mean(|group| group.balanced_accuracy),
    })
}
