//! AggreFact's two protocols. Multi-threshold: each (origin, category, dataset) with val and test rows has its own
//! threshold; a cell (origin, category) is the mean of its datasets' balanced accuracies, weighted by test rows, and the
//! average is the plain mean of the six cells. Single threshold: one for each origin, tuned on all SOTA rows of val and
//! measured on those of test. Half-widths are the authors' for the single threshold: the score minus the 2.5th
//! percentile on 1,000 subsamples of 80% of the test rows, with the threshold fixed. For cells, which have none in the
//! papers, the same is done in each dataset and carried through the means.

use serde::Serialize;

use super::names::{Category, Origin};
use super::{Case, Keys};
use crate::decide::{accuracy_as_scikit_learn, is_one_label, one_label_warning, tuned_threshold};
use crate::estimate::Sampled;
use crate::read::BenchError;
use crate::split::Split;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// A threshold for each dataset.
    pub multi_threshold: MultiThreshold,
    /// A threshold for each origin.
    pub single_threshold: SingleThreshold,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// A balanced accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// From 0 to 1.
    pub balanced_accuracy: f64,
    /// How far it lies above the 2.5th percentile on subsamples; `None` where a part has fewer than two rows.
    pub half_width: Option<f64>,
}

/// Figures with a threshold for each (origin, category, dataset).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MultiThreshold {
    /// The cells that have rows, of the six.
    pub cells: Vec<Cell>,
    /// The plain mean of the six cells; `None` if one is missing.
    pub average: Option<Score>,
    /// Combinations without val or without test rows.
    pub skipped: Vec<Skipped>,
}

/// The figure of an origin and a category.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The corpus of the articles.
    pub origin: Origin,
    /// The category of the summarizers.
    pub category: Category,
    /// The mean over datasets, weighted by test rows.
    #[serde(flatten)]
    pub score: Score,
    /// The datasets, by name.
    pub datasets: Vec<Combination>,
}

/// A threshold, and its figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combination {
    /// The dataset; `None` for all SOTA rows of an origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The corpus of the articles.
    pub origin: Origin,
    /// Rows that tuned the threshold.
    pub val_rows: usize,
    /// Rows that were measured.
    pub test_rows: usize,
    /// A row is called consistent above it.
    pub threshold: f64,
    /// The figure.
    #[serde(flatten)]
    pub score: Score,
}

/// A combination that the protocol skips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The corpus of the articles.
    pub origin: Origin,
    /// The category of the summarizers.
    pub category: Category,
    /// The dataset.
    pub dataset: String,
    /// Its rows of val.
    pub val_rows: usize,
    /// Its rows of test.
    pub test_rows: usize,
}

/// Figures with a threshold for each origin, on SOTA rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SingleThreshold {
    /// The origins that have rows.
    pub origins: Vec<Combination>,
    /// The plain mean of both; `None` if one is missing.
    pub average: Option<Score>,
}

/// Applies both protocols.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    let mut run = Run { cases, scores, combinations: 0, warnings: Vec::new() };
    let (multi_threshold, single_threshold) = (run.multi_threshold()?, run.single_threshold()?);
    if multi_threshold.cells.is_empty() && single_threshold.origins.is_empty() {
        let reason = "no dataset has rows of both cuts, val and test, for one origin and category";
        return Err(BenchError::Data(reason.into()));
    }
    Ok(Figures { multi_threshold, single_threshold, warnings: run.warnings })
}

/// The protocols applied to a run.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    /// The number of combinations so far: the seed of the next subsamples.
    combinations: u64,
    warnings: Vec<String>,
}

/// The rows that tune a threshold and the rows that it is measured on.
struct Rows {
    val: Vec<usize>,
    test: Vec<usize>,
}

impl Run<'_> {
    fn multi_threshold(&mut self) -> Result<MultiThreshold, BenchError> {
        let (mut cells, mut sampled, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for origin in Origin::ALL {
            for category in Category::ALL {
                let (datasets, figures) = self.datasets(origin, category, &mut skipped)?;
                let weighted: Vec<(usize, &Sampled)> =
                    datasets.iter().map(|dataset| dataset.test_rows).zip(&figures).collect();
                if let Some(cell) = Sampled::mean(&weighted) {
                    cells.push(Cell { origin, category, score: Score::of(&cell), datasets });
                    sampled.push(cell);
                }
            }
        }
        let average = self.average(&sampled, Origin::ALL.len() * Category::ALL.len(), "cells");
        Ok(MultiThreshold { cells, average, skipped })
    }

    fn datasets(
        &mut self,
        origin: Origin,
        category: Category,
        skipped: &mut Vec<Skipped>,
    ) -> Result<(Vec<Combination>, Vec<Sampled>), BenchError> {
        let of_cell = |keys: &Keys| keys.origin == origin && keys.category == category;
        let keys = self.cases.iter().map(|case| &case.keys).filter(|keys| of_cell(keys));
        let mut names: Vec<&String> = keys.map(|keys| &keys.dataset).collect();
        names.sort_unstable();
        names.dedup();
        let (mut datasets, mut figures) = (Vec::new(), Vec::new());
        for name in names {
            let rows = self.rows(|keys| of_cell(keys) && keys.dataset == *name);
            let (val_rows, test_rows, dataset) = (rows.val.len(), rows.test.len(), name.clone());
            if val_rows == 0 || test_rows == 0 {
                skipped.push(Skipped { origin, category, dataset, val_rows, test_rows });
                continue;
            }
            let called = format!("{origin} {category} {dataset}");
            let (combination, figure) = self.combination(origin, Some(dataset), &rows, &called)?;
            datasets.push(combination);
            figures.push(figure);
        }
        Ok((datasets, figures))
    }

    fn single_threshold(&mut self) -> Result<SingleThreshold, BenchError> {
        let (mut origins, mut sampled) = (Vec::new(), Vec::new());
        for origin in Origin::ALL {
            let rows = self.rows(|keys| keys.origin == origin && keys.category == Category::Sota);
            if rows.val.is_empty() || rows.test.is_empty() {
                continue;
            }
            let called = format!("{origin} SOTA, all datasets");
            let (combination, figure) = self.combination(origin, None, &rows, &called)?;
            origins.push(combination);
            sampled.push(figure);
        }
        let average = self.average(&sampled, Origin::ALL.len(), "origins under a single threshold");
        Ok(SingleThreshold { origins, average })
    }

    /// The plain mean of figures, if none is missing.
    fn average(&mut self, figures: &[Sampled], needed: usize, what: &str) -> Option<Score> {
        if figures.len() < needed {
            let found = figures.len();
            self.warnings.push(format!("only {found} of {needed} {what} have val and test rows: no average"));
            return None;
        }
        Sampled::plain_mean(figures).map(|average| Score::of(&average))
    }

    /// Tunes a threshold on val and measures on test; both must have rows.
    fn combination(
        &mut self,
        origin: Origin,
        dataset: Option<String>,
        rows: &Rows,
        called: &str,
    ) -> Result<(Combination, Sampled), BenchError> {
        let (val_scores, val_labels) = self.scored(&rows.val);
        let (scores, labels) = self.scored(&rows.test);
        for (cut, labels) in [("val", &val_labels), ("test", &labels)] {
            if is_one_label(labels) {
                self.warnings.push(one_label_warning(called, cut, labels));
            }
        }
        let threshold = tuned_threshold(&val_scores, &val_labels)?;
        let accuracy = |sample: &[usize]| {
            accuracy_as_scikit_learn(sample.iter().map(|&row| (scores[row] > threshold, labels[row])))
        };
        let figure =
            Sampled::on_shares(scores.len(), self.combinations, accuracy).expect("there are test rows");
        self.combinations += 1;
        let (val_rows, test_rows, score) = (rows.val.len(), rows.test.len(), Score::of(&figure));
        Ok((Combination { dataset, origin, val_rows, test_rows, threshold, score }, figure))
    }

    fn rows(&self, takes: impl Fn(&Keys) -> bool) -> Rows {
        let of_cut = |cut: Split| {
            let takes = |row: &usize| self.cases[*row].keys.cut == cut && takes(&self.cases[*row].keys);
            (0..self.cases.len()).filter(takes).collect()
        };
        Rows { val: of_cut(Split::Val), test: of_cut(Split::Test) }
    }

    fn scored(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.scores[row], self.cases[row].keys.consistent)).unzip()
    }
}

impl Score {
    fn of(figure: &Sampled) -> Self {
        Self { balanced_accuracy: figure.value, half_width: figure.half_width() }
    }
}
