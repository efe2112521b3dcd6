//! Metrics that compare the summary with one by people, the row's `reference`.

use serde::Serialize;

use super::Evaluator;
use super::choice::{Metric, MetricChoice};
use super::row::{Row, Rows};
use crate::error::{Error, Result};
use crate::similarity::rouge::{Rouge, RougeScore, rouge as scores_of};

/// An axis, the names of its number without and with stems, and where it is.
type Axis = (&'static str, [&'static str; 2], fn(&Rouge) -> RougeScore);

const AXES: [Axis; 4] = [
    ("1", ["rouge1", "rouge1_stemmed"], |rouge| rouge.unigram),
    ("2", ["rouge2", "rouge2_stemmed"], |rouge| rouge.bigram),
    ("L", ["rougeL", "rougeL_stemmed"], |rouge| rouge.longest),
    ("Lsum", ["rougeLsum", "rougeLsum_stemmed"], |rouge| rouge.longest_by_line),
];

/// The shares that an F1 is made of.
#[derive(Serialize)]
struct Shares {
    precision: f64,
    recall: f64,
}

/// ROUGE F1 of the summary against the reference; for Lsum, each line of a text is a sentence.
pub(super) fn rouge(evaluator: &Evaluator, choice: &MetricChoice, rows: &mut Rows<'_>) {
    let stem = choice.metric == Metric::RougeStemmed;
    rows.each(|row| {
        let reference = match reference_of(row) {
            Err(error) if evaluator.lenient => {
                row.measures.leave_out(choice.metric.name(), error.to_string());
                return Ok(());
            }
            reference => reference?,
        };
        let rouge = scores_of(reference, row.pair.summary, stem);
        let mut shares = serde_json::Map::new();
        for (axis, names, of) in AXES.iter().filter(|(axis, ..)| choice.wants(axis)) {
            let RougeScore { precision, recall, f1 } = of(&rouge);
            row.measures.add(names[usize::from(stem)], f1);
            let of_axis = serde_json::to_value(Shares { precision, recall });
            shares.insert((*axis).to_owned(), of_axis.expect("shares are finite numbers"));
        }
        row.measures.tell(if stem { "rouge_stemmed" } else { "rouge" }, &shares);
        Ok(())
    });
}

/// The row's reference, if there is something in it to compare with.
pub(super) fn reference_of<'t>(row: &Row<'t>) -> Result<&'t str> {
    let reference =
        row.pair.metric_inputs.reference.as_deref().filter(|text| text.chars().any(char::is_alphanumeric));
    reference.ok_or_else(|| Error::Text { role: "row", reason: "has no `reference` to compare with".into() })
}
