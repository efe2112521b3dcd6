//! Any labelled JSONL file: fields `document`, `summary`, `label` (1 = consistent). Ranking figures
//! over all rows, and balanced accuracy with a threshold tuned on one half of the documents and
//! measured on the other.

use serde::Serialize;

use crate::corpus::{Fields, RowError, field_text, parse_rows};
use crate::pipeline::Pair;
use crate::stats::{SplitMix64, average_precision, balanced_accuracy, best_threshold, roc_auc};

/// Random halvings of the documents; their seeds are 0, 1, ...
pub const SPLITS: u64 = 5;

/// A labelled pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledPair {
    /// Line in the file.
    pub line: usize,
    /// The source text.
    pub document: String,
    /// The text to be judged.
    pub summary: String,
    /// Whether people called it consistent.
    pub consistent: bool,
}

/// What a benchmark run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Rows.
    pub rows: usize,
    /// Rows with label 1.
    pub consistent: usize,
    /// Distinct documents.
    pub documents: usize,
    /// Area under the ROC curve.
    pub roc_auc: f64,
    /// Average precision.
    pub average_precision: f64,
    /// Balanced accuracy on the measuring half, mean over the splits.
    pub balanced_accuracy: f64,
    /// Balanced accuracy of each split; one whose halves do not both have both labels is left out.
    pub splits: Vec<f64>,
}

/// Reads a labelled file.
///
/// # Errors
/// The first row that lacks a field or has a label other than 0, 1, true or false.
pub fn parse(text: &str) -> Result<Vec<LabelledPair>, RowError> {
    let rows = parse_rows(text, |mut fields| {
        let document = field_text(&mut fields, "document")?;
        let summary = field_text(&mut fields, "summary")?;
        Pair::new(&document, &summary).check().map_err(|error| error.to_string())?;
        Ok((document, summary, label(&fields)?))
    })?;
    let pair = |(line, (document, summary, consistent))| LabelledPair { line, document, summary, consistent };
    Ok(rows.into_iter().map(pair).collect())
}

fn label(fields: &Fields) -> Result<bool, String> {
    match fields.get("label").map(|value| value.get()) {
        Some("1" | "1.0" | "true") => Ok(true),
        Some("0" | "0.0" | "false") => Ok(false),
        Some(other) => Err(format!("field `label` is {other}: it must be 1 (consistent) or 0")),
        None => Err(format!("has no field `label` (its fields: {})", fields.names().join(", "))),
    }
}

/// The figures of scores for pairs.
///
/// # Errors
/// When a class is missing, from all rows or from every half.
pub fn figures(pairs: &[LabelledPair], scores: &[f64]) -> Result<Figures, String> {
    let labels: Vec<bool> = pairs.iter().map(|pair| pair.consistent).collect();
    let one_class = || "rows of both labels are needed, 1 and 0".to_owned();
    let roc_auc = roc_auc(scores, &labels).ok_or_else(one_class)?;
    let (document_of, documents) = number_documents(pairs);
    let splits: Vec<f64> =
        (0..SPLITS).filter_map(|seed| one_split(&document_of, documents, scores, &labels, seed)).collect();
    if splits.is_empty() {
        return Err("no half of the documents has rows of both labels: more documents are needed".into());
    }
    Ok(Figures {
        rows: pairs.len(),
        consistent: labels.iter().filter(|label| **label).count(),
        documents,
        roc_auc,
        average_precision: average_precision(scores, &labels).ok_or_else(one_class)?,
        balanced_accuracy: splits.iter().sum::<f64>() / splits.len() as f64,
        splits,
    })
}

/// The number of each pair's document, in order of appearance, and how many there are.
fn number_documents(pairs: &[LabelledPair]) -> (Vec<usize>, usize) {
    let mut known = std::collections::HashMap::new();
    let numbers = pairs
        .iter()
        .map(|pair| {
            let next = known.len();
            *known.entry(pair.document.as_str()).or_insert(next)
        })
        .collect();
    (numbers, known.len())
}

/// Tunes on one half of the documents, measures on the other; none if a half lacks a class.
fn one_split(
    document_of: &[usize],
    documents: usize,
    scores: &[f64],
    labels: &[bool],
    seed: u64,
) -> Option<f64> {
    let mut order: Vec<usize> = (0..documents).collect();
    SplitMix64::new(seed).shuffle(&mut order);
    let mut tunes = vec![false; documents];
    for document in &order[..documents / 2] {
        tunes[*document] = true;
    }
    let half = |tuning: bool| -> (Vec<f64>, Vec<bool>) {
        (0..scores.len())
            .filter(|&row| tunes[document_of[row]] == tuning)
            .map(|row| (scores[row], labels[row]))
            .unzip()
    };
    let (tuning, measuring) = (half(true), half(false));
    balanced_accuracy(&measuring.0, &measuring.1, best_threshold(&tuning.0, &tuning.1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: usize) -> Vec<LabelledPair> {
        (0..count)
            .map(|i| LabelledPair {
                line: i + 1,
                document: format!("d{}", i / 2),
                summary: "s".into(),
                consistent: i % 2 == 0,
            })
            .collect()
    }

    #[test]
    fn perfect_scores_give_perfect_figures() {
        let pairs = pairs(40);
        let scores: Vec<f64> = pairs.iter().map(|p| f64::from(u8::from(p.consistent))).collect();
        let figures = figures(&pairs, &scores).unwrap();
        assert_eq!((figures.documents, figures.roc_auc, figures.balanced_accuracy), (20, 1.0, 1.0));
        assert_eq!(figures.splits.len(), 5);
    }

    #[test]
    fn one_label_is_refused() {
        let all: Vec<LabelledPair> = pairs(40).into_iter().filter(|p| p.consistent).collect();
        assert!(figures(&all, &vec![0.5; all.len()]).is_err());
    }

    #[test]
    fn labels_are_numbers_or_booleans() {
        let row = |label: &str| parse(&format!(r#"{{"document":"d","summary":"s","label":{label}}}"#));
        assert!(row("1").unwrap()[0].consistent && !row("false").unwrap()[0].consistent);
        assert!(row("2").unwrap_err().to_string().contains("line 1: field `label` is 2"));
        assert!(row("\"1\"").is_err());
    }
}
