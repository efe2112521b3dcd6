//! Which rows are kept apart: a fit on the others says what a calibration is worth on them. Documents are never on both
//! sides. A part is a file, or a fifth of one file's documents; scores of different fits need not mean the same, so that a
//! figure is the mean over the parts.

use std::collections::HashSet;

use super::CalibrationRows;
use crate::documents::grouped;
use veridic_stats::{SplitMix64, roc_auc};

/// Parts of one file's documents.
const FOLDS: usize = 5;

/// Rows by document and by part.
pub(super) struct Apart<'r> {
    pub(super) rows: &'r CalibrationRows,
    /// The rows of each document; each row by itself where documents are not known.
    pub(super) documents: Vec<Vec<usize>>,
    /// The rows of each part, in order.
    pub(super) parts: Vec<Vec<usize>>,
    /// The part of each row.
    part_of: Vec<usize>,
}

impl<'r> Apart<'r> {
    pub(super) fn of(rows: &'r CalibrationRows) -> Self {
        let documents = documents(rows);
        let parts = match rows.files.len() {
            1 => folds(documents.clone()),
            files => {
                let of = |file| (0..rows.rows.len()).filter(|row| rows.rows[*row].file == file).collect();
                (0..files).map(of).collect()
            }
        };
        let mut part_of = vec![0; rows.rows.len()];
        for (number, part) in parts.iter().enumerate() {
            part.iter().for_each(|row| part_of[*row] = number);
        }
        Self { rows, documents, parts, part_of }
    }

    /// How, in words.
    pub(super) fn told(&self) -> &'static str {
        let is_known = self.rows.rows.iter().all(|row| row.document.is_some());
        match (self.rows.files.len(), is_known) {
            (1, true) => "each fifth of the documents by a fit on the others",
            (1, false) => {
                "each fifth of the rows by a fit on the others; of which documents they are is not known"
            }
            _ => "each file by a fit on the others",
        }
    }

    /// The rows that are not in a part, and not of its documents.
    pub(super) fn others(&self, part: usize) -> Vec<usize> {
        let document = |row: usize| self.rows.rows[row].document.as_deref();
        let own: HashSet<&str> = self.parts[part].iter().filter_map(|&row| document(row)).collect();
        let is_other = |&row: &usize| {
            self.part_of[row] != part && document(row).is_none_or(|document| !own.contains(document))
        };
        (0..self.rows.rows.len()).filter(is_other).collect()
    }

    /// The mean of the parts' ROC AUC over the drawn rows, of those parts that have both labels among them.
    pub(super) fn roc_auc(&self, drawn: &[usize], scores: &[f64]) -> Option<f64> {
        let auc = |part: &Vec<usize>| {
            let of = |row: &usize| (scores[*row], self.rows.rows[*row].is_consistent);
            let (scores, labels): (Vec<f64>, Vec<bool>) = part.iter().map(of).unzip();
            roc_auc(&scores, &labels)
        };
        let by_part = grouped(drawn.iter().map(|row| (self.part_of[*row], *row)));
        let values: Vec<f64> = by_part.iter().filter_map(auc).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

fn documents(rows: &CalibrationRows) -> Vec<Vec<usize>> {
    match rows.rows.iter().map(|row| row.document.as_deref()).collect::<Option<Vec<&str>>>() {
        Some(documents) => grouped(documents.into_iter().zip(0..)),
        None => (0..rows.rows.len()).map(|row| vec![row]).collect(),
    }
}

/// Documents in parts of about as many, by chance.
fn folds(mut documents: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
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
    fn a_document_is_on_one_side_only() {
        let names: Vec<String> = (0..40).map(|row| format!("document {}", row % 13)).collect();
        let one_file: Vec<(usize, Option<&str>)> =
            names.iter().map(|name| (0, Some(name.as_str()))).collect();
        let two_files: Vec<(usize, Option<&str>)> =
            one_file.iter().enumerate().map(|(row, (_, name))| (row / 20, *name)).collect();
        for (of, parts) in [(one_file, 5), (two_files, 2)] {
            let rows = rows(&of);
            let apart = Apart::of(&rows);
            assert_eq!((apart.documents.len(), apart.parts.len()), (13, parts));
            assert_eq!(apart.parts.iter().map(Vec::len).sum::<usize>(), 40);
            for part in 0..parts {
                let others = apart.others(part);
                let shared = |row: &usize| apart.parts[part].iter().any(|own| names[*own] == names[*row]);
                assert!(!others.iter().any(shared), "part {part}");
            }
        }
    }

    #[test]
    fn rows_without_documents_stand_by_themselves() {
        let rows = rows(&[(0, None), (0, Some("a")), (0, Some("a")), (0, None)]);
        let apart = Apart::of(&rows);
        assert_eq!((apart.documents.len(), apart.parts.len()), (4, 4));
        assert!(apart.told().contains("not known"));
    }
}
