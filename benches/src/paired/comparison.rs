//! The comparison: refusals, figures, and the rows on which the files differ most.

use serde::Serialize;
use veridic_stats::{Undefined, average_ranks};

use super::matching::Matched;
use super::measures::Sides;
use crate::labelled_scores::{LabelledScores, Outcome};
use crate::protocol::{BenchError, Figures, figures};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedOptions {
    /// A row is called consistent above this; with `None` one half of the rows tunes for the other, five times.
    pub threshold: Option<f64>,
    pub seed: u64,
    /// The number of rows with the largest differences to list.
    pub different_rows: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedComparison {
    /// Rows and how they were matched, the measures of both files with their differences, the decisions, and the rows on
    /// which the files differ most.
    #[serde(flatten)]
    pub figures: Figures,
    /// Rows left out because a file has no label for them.
    #[serde(skip)]
    pub without_label: usize,
    #[serde(skip)]
    pub of_rows: usize,
}

impl Default for PairedOptions {
    fn default() -> Self {
        Self { threshold: None, seed: 0, different_rows: 10 }
    }
}

/// Compares the scores of two files. Refuses rows that do not match or have one label only, and a threshold that is not
/// finite.
pub fn compare_scores(
    first: &LabelledScores,
    second: &LabelledScores,
    options: &PairedOptions,
) -> Result<PairedComparison, BenchError> {
    if options.threshold.is_some_and(|threshold| !threshold.is_finite()) {
        return Err(Undefined::Setting("the threshold must be a finite number").into());
    }
    let matched = Matched::new(first, second)?;
    let labels: Vec<bool> = matched.pairs.iter().map(|pair| pair.label).collect();
    let positives = labels.iter().filter(|label| **label).count();
    if positives == 0 || positives == labels.len() {
        let (rows, label) = (labels.len(), u8::from(positives > 0));
        let reason = format!("all {rows} rows have label {label}: a comparison needs rows of both labels");
        return Err(BenchError::Data(reason));
    }
    let sides = Sides::new(&matched, &labels, options.threshold);
    let figures = figures! {
        "rows": labels.len(),
        "positives": positives,
        "matched_by": matched.by,
        "not_judged_by_first": first.count(Outcome::NotJudged),
        "not_judged_by_second": second.count(Outcome::NotJudged),
        "without_label": matched.without_label,
        "measures": sides.measures(options.seed)?,
        "decided": sides.decided()?,
        "most_different": most_different(&matched, options.different_rows)?,
    };
    Ok(PairedComparison { figures, without_label: matched.without_label, of_rows: matched.rows })
}

/// Returns the `count` rows whose rank among all rows changed most; on ties earlier rows come first. Ranks are compared
/// rather than scores, since two models may use different parts of the scale: 1 is the lowest score, ties share their mean
/// rank. A row with equal ranks is never listed. The better file ranks a row closer to its label, higher for label 1, lower
/// for label 0.
fn most_different(matched: &Matched<'_>, count: usize) -> Result<Vec<Figures>, Undefined> {
    let (first, second): (Vec<f64>, Vec<f64>) =
        matched.pairs.iter().map(|pair| (pair.first_score, pair.second_score)).unzip();
    let (first, second) = (average_ranks(&first)?, average_ranks(&second)?);
    let distance = |row: usize| (first[row] - second[row]).abs();
    let mut rows: Vec<usize> = (0..first.len()).filter(|row| distance(*row) > 0.0).collect();
    rows.sort_by(|a, b| distance(*b).total_cmp(&distance(*a)));
    let listed = rows.into_iter().take(count).map(|row| {
        let pair = &matched.pairs[row];
        let rose = second[row] > first[row];
        figures! {
            "id": pair.first.id.clone().or_else(|| pair.second.id.clone()),
            "place": pair.first.origin.to_string(),
            "label": pair.label,
            "first_score": pair.first_score,
            "second_score": pair.second_score,
            "first_rank": first[row],
            "second_rank": second[row],
            "better": if rose == pair.label { "second" } else { "first" },
        }
    });
    Ok(listed.collect())
}
