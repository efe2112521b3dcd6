//! The rows on which two score files differ most: those whose rank among all rows changed most. Ranks are compared, not
//! scores, since two models may use different parts of the scale. A row with the same rank in both is never listed.

use serde::Serialize;

use super::matching::Matched;
use veridic_stats::{Undefined, average_ranks};

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// A row on which the files differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DifferentRow {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Where it is in the first file.
    pub place: String,
    /// Its label.
    pub label: bool,
    /// Its score in the first file.
    pub first_score: f64,
    /// Its score in the second file.
    pub second_score: f64,
    /// Its rank in the first file: 1 is the lowest score, ties share the mean of their places.
    pub first_rank: f64,
    /// Its rank in the second file.
    pub second_rank: f64,
    /// The file that ranks it closer to its label: higher for label 1, lower for label 0.
    pub better: Side,
}

/// The `count` rows whose ranks differ most; the earlier first among equals.
pub(super) fn find(matched: &Matched<'_>, count: usize) -> Result<Vec<DifferentRow>, Undefined> {
    let (first, second): (Vec<f64>, Vec<f64>) =
        matched.pairs.iter().map(|(first, second)| (first.score, second.score)).unzip();
    let (first, second) = (average_ranks(&first)?, average_ranks(&second)?);
    let distance = |row: usize| (first[row] - second[row]).abs();
    let mut rows: Vec<usize> = (0..first.len()).filter(|row| distance(*row) > 0.0).collect();
    rows.sort_by(|a, b| distance(*b).total_cmp(&distance(*a)));
    let listed = rows.into_iter().take(count).map(|row| {
        let (in_first, in_second) = matched.pairs[row];
        let rose = second[row] > first[row];
        DifferentRow {
            id: in_first.id.clone().or_else(|| in_second.id.clone()),
            place: in_first.origin.to_string(),
            label: in_first.label,
            first_score: in_first.score,
            second_score: in_second.score,
            first_rank: first[row],
            second_rank: second[row],
            better: if rose == in_first.label { Side::Second } else { Side::First },
        }
    });
    Ok(listed.collect())
}
