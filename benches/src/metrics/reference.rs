//! ROUGE against the row's `reference`, a summary by people.

use serde::Serialize;

use super::Evaluator;
use super::choice::{Metric, MetricChoice};
use super::row::{Row, Rows, has_words};
use crate::similarity::rouge::{Rouge, RougeScore, rouge as scores_of};
use veridic::{Error, Result, named};

/// Which ROUGE score is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// ROUGE-1.
    Unigram,
    /// ROUGE-2.
    Bigram,
    /// ROUGE-L.
    Longest,
    /// ROUGE-Lsum.
    LongestByLine,
}

named!(Axis, "axis", { Unigram = "1", Bigram = "2", Longest = "L", LongestByLine = "Lsum" });

impl Axis {
    /// The name of the number, without and with stems.
    fn number(self, stems: bool) -> &'static str {
        match (self, stems) {
            (Self::Unigram, false) => "rouge1",
            (Self::Unigram, true) => "rouge1_stemmed",
            (Self::Bigram, false) => "rouge2",
            (Self::Bigram, true) => "rouge2_stemmed",
            (Self::Longest, false) => "rougeL",
            (Self::Longest, true) => "rougeL_stemmed",
            (Self::LongestByLine, false) => "rougeLsum",
            (Self::LongestByLine, true) => "rougeLsum_stemmed",
        }
    }

    fn score(self, rouge: &Rouge) -> RougeScore {
        match self {
            Self::Unigram => rouge.unigram,
            Self::Bigram => rouge.bigram,
            Self::Longest => rouge.longest,
            Self::LongestByLine => rouge.longest_by_line,
        }
    }
}

/// The shares behind an F1.
#[derive(Serialize)]
struct Shares {
    precision: f64,
    recall: f64,
}

/// Adds ROUGE F1 of the summary against the reference; for Lsum, each line of a text is a sentence.
pub(super) fn rouge(evaluator: &Evaluator, choice: &MetricChoice, rows: &mut Rows<'_>) {
    let stem = choice.metric == Metric::RougeStemmed;
    rows.each(|row| {
        let reference = reference_of(row);
        let Some(reference) = evaluator.or_leave_out(row, choice.metric.name(), reference)? else {
            return Ok(());
        };
        let rouge = scores_of(reference, row.pair.summary, stem);
        let mut shares = serde_json::Map::new();
        for axis in Axis::ALL.into_iter().filter(|axis| choice.wants(axis.name())) {
            let RougeScore { precision, recall, f1 } = axis.score(&rouge);
            row.measures.add(axis.number(stem), f1);
            let of_axis = serde_json::to_value(Shares { precision, recall });
            shares.insert(axis.name().to_owned(), of_axis.expect("shares are finite numbers"));
        }
        row.measures.add_facts(if stem { "rouge_stemmed" } else { "rouge" }, &shares);
        Ok(())
    });
}

/// The row's reference.
///
/// # Errors
/// A row without one, or with one that has no words.
pub(super) fn reference_of<'t>(row: &Row<'t>) -> Result<&'t str> {
    let reference = row.inputs.reference.as_deref().filter(|text| has_words(text));
    reference.ok_or_else(|| Error::Text { role: "row", reason: "has no `reference` to compare with".into() })
}
