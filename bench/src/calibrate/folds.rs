//! The folds of cross-validation: each is measured by a fit on the others. A document is never on both sides. A fold is a
//! file, or a fifth of the documents if there is one file. Scores of different fits are not on one scale, so a figure is
//! the mean over folds.

use std::collections::HashSet;

use super::{CalibrateError, CalibrationRows};
use crate::documents::{grouped, one_by_one};
use veridic_stats::{SplitMix64, roc_auc};

/// Folds of one file.
const FOLDS: usize = 5;

/// Rows by document and by fold.
pub(super) struct Folds<'r> {
    pub(super) rows: &'r CalibrationRows,
    /// The rows of each document; each row alone where documents are not known.
    pub(super) documents: Vec<Vec<usize>>,
    /// The rows of each fold, in order.
    pub(super) folds: Vec<Vec<usize>>,
    /// The fold of each row.
    fold_of: Vec<usize>,
}

impl<'r> Folds<'r> {
    /// # Errors
    /// All rows are of one document.
    pub(super) fn of(rows: &'r CalibrationRows) -> Result<Self, CalibrateError> {
        let documents = documents(rows);
        if documents.len() < 2 {
            return Err(CalibrateError::OneDocument);
        }
        let folds = match rows.files.len() {
            1 => random_folds(documents.clone()),
            files => {
                let of = |file| (0..rows.rows.len()).filter(|row| rows.rows[*row].file == file).collect();
                (0..files).map(of).collect()
            }
        };
        let mut fold_of = vec![0; rows.rows.len()];
        for (number, fold) in folds.iter().enumerate() {
            fold.iter().for_each(|row| fold_of[*row] = number);
        }
        Ok(Self { rows, documents, folds, fold_of })
    }

    /// How rows were divided, in words.
    pub(super) fn description(&self) -> &'static str {
        let is_known = self.rows.rows.iter().all(|row| row.document.is_some());
        match (self.rows.files.len(), is_known) {
            (1, true) => "each fifth of the documents by a fit on the others",
            (1, false) => {
                "each fifth of the rows by a fit on the others; of which documents they are is not known"
            }
            _ => "each file by a fit on the others",
        }
    }

    /// The rows that are neither in a fold nor of its documents.
    pub(super) fn training_rows(&self, fold: usize) -> Vec<usize> {
        let document = |row: usize| self.rows.rows[row].document.as_deref();
        let own: HashSet<&str> = self.folds[fold].iter().filter_map(|&row| document(row)).collect();
        let is_other = |&row: &usize| {
            self.fold_of[row] != fold && document(row).is_none_or(|document| !own.contains(document))
        };
        (0..self.rows.rows.len()).filter(is_other).collect()
    }

    /// The mean over folds of ROC AUC on the drawn rows; folds without rows of both labels are left out.
    pub(super) fn roc_auc(&self, drawn: &[usize], scores: &[f64]) -> Option<f64> {
        let auc = |fold: &Vec<usize>| {
            let of = |row: &usize| (scores[*row], self.rows.rows[*row].is_consistent);
            let (scores, labels): (Vec<f64>, Vec<bool>) = fold.iter().map(of).unzip();
            roc_auc(&scores, &labels)
        };
        let by_fold = grouped(drawn.iter().map(|row| (self.fold_of[*row], *row)));
        let values: Vec<f64> = by_fold.iter().filter_map(auc).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

fn documents(rows: &CalibrationRows) -> Vec<Vec<usize>> {
    match rows.rows.iter().map(|row| row.document.as_deref()).collect::<Option<Vec<&str>>>() {
        Some(documents) => grouped(documents.into_iter().zip(0..)),
        None => one_by_one(rows.rows.len()),
    }
}

/// Documents in random folds of about equal size.
fn random_folds(mut documents: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    SplitMix64::new(0).shuffle(&mut documents);
    let mut folds = vec![Vec::new(); FOLDS.min(documents.len())];
    documents.into_iter().enumerate().for_each(|(place, rows)| folds[place % FOLDS].extend(rows));
    folds.iter_mut().for_each(|fold| fold.sort_unstable());
    folds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::CalibrationRow;
    use veridic::pipeline::evidence::FittedFor;

    fn rows(of: &[(usize, Option<&str>)]) -> CalibrationRows {
        let row = |(number, (file, document)): (usize, &(usize, Option<&str>))| CalibrationRow {
            file: *file,
            document: document.map(str::to_owned),
            score: number as f64,
            is_consistent: number.is_multiple_of(2),
            claims: vec![0.0],
            facts: None,
            has_instead: false,
        };
        let [nli_sha256, nli_settings_sha256, profile, claims] = std::array::from_fn(|_| String::new());
        let files = of.iter().map(|(file, _)| *file).max().map_or(0, |last| last + 1);
        CalibrationRows {
            files: vec![String::new(); files],
            fitted_for: FittedFor { nli_sha256, nli_settings_sha256, profile, levels: Vec::new(), claims },
            calibration: None,
            rows: of.iter().enumerate().map(row).collect(),
            not_judged: 0,
        }
    }

    #[test]
    fn document_is_on_one_side_only() {
        let names: Vec<String> = (0..40).map(|row| format!("document {}", row % 13)).collect();
        let one_file: Vec<(usize, Option<&str>)> =
            names.iter().map(|name| (0, Some(name.as_str()))).collect();
        let two_files: Vec<(usize, Option<&str>)> =
            one_file.iter().enumerate().map(|(row, (_, name))| (row / 20, *name)).collect();
        for (of, folds) in [(one_file, 5), (two_files, 2)] {
            let rows = rows(&of);
            let found = Folds::of(&rows).unwrap();
            assert_eq!((found.documents.len(), found.folds.len()), (13, folds));
            assert_eq!(found.folds.iter().map(Vec::len).sum::<usize>(), 40);
            for fold in 0..folds {
                let others = found.training_rows(fold);
                let shared = |row: &usize| found.folds[fold].iter().any(|own| names[*own] == names[*row]);
                assert!(!others.iter().any(shared), "fold {fold}");
            }
        }
    }

    #[test]
    fn rows_without_documents_are_grouped_alone() {
        let rows = rows(&[(0, None), (0, Some("a")), (0, Some("a")), (0, None)]);
        let found = Folds::of(&rows).unwrap();
        assert_eq!((found.documents.len(), found.folds.len()), (4, 4));
        assert!(found.description().contains("not known"));
    }
}
