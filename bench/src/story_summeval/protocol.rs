//! Story-SummEval's figure in FENICE's paper: balanced accuracy on the test part, under a threshold that the validation
//! part tunes as AggreFact does, or one that is given. Without parts a fifth of the stories, drawn by a seed, tunes for
//! the others: the paper says 80/20 but not of what. Intervals are bootstrapped over stories.

use serde::Serialize;

use super::{Case, Keys};
use crate::decide::{accuracy_as_scikit_learn, is_one_label, one_label_warning, tuned_threshold};
use crate::documents::by_document;
use crate::estimate::Estimate;
use crate::read::BenchError;
use crate::split::Split;
use veridic_stats::{SplitMix64, roc_auc};

/// Without parts, one story in five tunes.
const TUNES: usize = 5;

/// The seed that draws these stories.
const SEED: u64 = 0;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Summaries that are measured.
    pub summaries: usize,
    /// Factual ones among them.
    pub factual: usize,
    /// Their distinct stories.
    pub stories: usize,
    /// Summaries that tuned the threshold.
    pub val: usize,
    /// A summary is called factual above it.
    pub threshold: f64,
    /// Balanced accuracy, from 0 to 1.
    pub balanced_accuracy: Estimate,
    /// How well scores rank factual summaries above the others; `None` with one label only.
    pub roc_auc: Option<Estimate>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// Applies the protocol.
pub(super) fn figures(
    cases: &[Case<Keys>],
    scores: &[f64],
    threshold: Option<f64>,
) -> Result<Figures, BenchError> {
    let mut warnings = Vec::new();
    let (val, test) = match threshold {
        Some(_) => (Vec::new(), measured(cases, &mut warnings)),
        None => parts(cases, &mut warnings)?,
    };
    let labels = |rows: &[usize]| rows.iter().map(|row| cases[*row].keys.factual).collect::<Vec<bool>>();
    let of = |rows: &[usize]| rows.iter().map(|row| scores[*row]).collect::<Vec<f64>>();
    let threshold = match threshold {
        Some(threshold) => threshold,
        None => tuned_threshold(&of(&val), &labels(&val))?,
    };
    for (part, rows) in [("val", &val), ("test", &test)] {
        let labels = labels(rows);
        if !labels.is_empty() && is_one_label(&labels) {
            warnings.push(one_label_warning("Story-SummEval", part, &labels));
        }
    }
    let stories = by_document(cases, &test);
    let accuracy = |rows: &[usize]| {
        accuracy_as_scikit_learn(rows.iter().map(|row| (scores[*row] > threshold, cases[*row].keys.factual)))
    };
    let balanced_accuracy = Estimate::on_groups(&stories, accuracy)
        .ok_or_else(|| BenchError::Data("has no test rows to measure".into()))?;
    Ok(Figures {
        summaries: test.len(),
        factual: labels(&test).into_iter().filter(|factual| *factual).count(),
        stories: stories.len(),
        val: val.len(),
        threshold,
        balanced_accuracy,
        roc_auc: Estimate::on_groups(&stories, |rows| roc_auc(&of(rows), &labels(rows))),
        warnings,
    })
}

fn of_split(cases: &[Case<Keys>], split: Split) -> Vec<usize> {
    (0..cases.len()).filter(|&row| cases[row].keys.split == Some(split)).collect()
}

/// The rows that a given threshold is measured on: the test part, or all rows without one.
fn measured(cases: &[Case<Keys>], warnings: &mut Vec<String>) -> Vec<usize> {
    match of_split(cases, Split::Test) {
        test if test.is_empty() => {
            warnings.push("there are no test rows: these figures are of all rows".into());
            (0..cases.len()).collect()
        }
        test => test,
    }
}

/// The rows that tune and the rows that are measured.
fn parts(cases: &[Case<Keys>], warnings: &mut Vec<String>) -> Result<(Vec<usize>, Vec<usize>), BenchError> {
    let [val, test] = [Split::Val, Split::Test].map(|split| of_split(cases, split));
    match (val.is_empty(), test.is_empty()) {
        (false, false) => Ok((val, test)),
        (true, false) => Err(BenchError::Data(
            "has no val rows to tune a threshold on: give val.jsonl too, or a threshold in `decide_at`"
                .into(),
        )),
        (false, true) => Err(BenchError::Data("has no test rows to measure: give test.jsonl too".into())),
        (true, true) => {
            warnings.push("the files do not say which rows tune: a fifth of the stories does".into());
            Ok(fifth(cases))
        }
    }
}

fn fifth(cases: &[Case<Keys>]) -> (Vec<usize>, Vec<usize>) {
    let rows: Vec<usize> = (0..cases.len()).collect();
    let mut stories = by_document(cases, &rows);
    SplitMix64::new(SEED).shuffle(&mut stories);
    let tuning = stories.len().div_ceil(TUNES);
    let sorted = |stories: &[Vec<usize>]| {
        let mut rows = stories.concat();
        rows.sort_unstable();
        rows
    };
    (sorted(&stories[..tuning]), sorted(&stories[tuning..]))
}
