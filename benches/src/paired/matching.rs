//! Matches the rows of two files: by id, if every row has an id and ids are unique in each file; otherwise by order, in
//! which case both files must have equally many rows and no contradicting ids. Either way every row needs a partner with the
//! same label. A row that one file could not judge or does not label is left out of both.

use std::collections::HashMap;

use veridic_models::store::quoting::short_id;

use crate::labelled_scores::{LabelledRow, LabelledScores, Outcome};
use crate::protocol::BenchError;

/// The rows that both files judged and label, in the order of the first.
pub(super) struct Matched<'s> {
    pub(super) pairs: Vec<Pair<'s>>,
    /// `id` or `order`.
    pub(super) by: &'static str,
    /// Rows of either file, each with its partner.
    pub(super) rows: usize,
    /// The number of rows without a label in one of the files.
    pub(super) without_label: usize,
}

/// A row that both files judged.
pub(super) struct Pair<'s> {
    pub(super) first: &'s LabelledRow,
    pub(super) second: &'s LabelledRow,
    pub(super) first_score: f64,
    pub(super) second_score: f64,
    pub(super) label: bool,
}

/// A row in both files.
type Partners<'s> = (&'s LabelledRow, &'s LabelledRow);

impl<'s> Matched<'s> {
    pub(super) fn new(first: &'s LabelledScores, second: &'s LabelledScores) -> Result<Self, BenchError> {
        let (partners, by) = match (places(first), places(second)) {
            (Some(in_first), Some(in_second)) => (partners_by_id(first, &in_first, second, &in_second), "id"),
            _ => (partners_by_order(first, second), "order"),
        };
        let partners = partners.map_err(BenchError::Data)?;
        let (rows, mut without_label) = (partners.len(), 0);
        let mut pairs = Vec::with_capacity(rows);
        for (first, second) in partners {
            let (
                Outcome::Judged { score: first_score, label },
                Outcome::Judged { score: second_score, label: other },
            ) = (first.outcome, second.outcome)
            else {
                without_label += usize::from([first.outcome, second.outcome].contains(&Outcome::NoLabel));
                continue;
            };
            if label != other {
                return Err(BenchError::Data(format!(
                    "{} and {} are the same row with different labels: were they made from the same data?",
                    first.origin, second.origin
                )));
            }
            pairs.push(Pair { first, second, first_score, second_score, label });
        }
        if pairs.is_empty() {
            return Err(BenchError::Data("no row has a score and a label in both files".into()));
        }
        Ok(Self { pairs, by, rows, without_label })
    }
}

/// Returns the place of each id; `None` if ids do not identify the rows.
fn places(scores: &LabelledScores) -> Option<HashMap<&str, usize>> {
    let rows = scores.0.iter().enumerate();
    let places: HashMap<&str, usize> =
        rows.map(|(place, row)| Some((row.id.as_deref()?, place))).collect::<Option<_>>()?;
    (places.len() == scores.0.len()).then_some(places)
}

fn partners_by_id<'s>(
    first: &'s LabelledScores,
    in_first: &HashMap<&str, usize>,
    second: &'s LabelledScores,
    in_second: &HashMap<&str, usize>,
) -> Result<Vec<Partners<'s>>, String> {
    let place = |ids: &HashMap<&str, usize>, row: &LabelledRow| ids.get(row.id.as_deref()?).copied();
    let mut alone = first.0.iter().filter(|row| place(in_second, row).is_none());
    let mut alone_too = second.0.iter().filter(|row| place(in_first, row).is_none());
    if let Some(row) = alone.next().or_else(|| alone_too.next()) {
        return Err(format!(
            "rows that are in one file only: {}, the first at {} (id {}); give files of the same rows, those that could not be judged included",
            1 + alone.count() + alone_too.count(),
            row.origin,
            short_id(row.id.as_deref().unwrap_or_default())
        ));
    }
    Ok(first.0.iter().filter_map(|row| Some((row, &second.0[place(in_second, row)?]))).collect())
}

fn partners_by_order<'s>(
    first: &'s LabelledScores,
    second: &'s LabelledScores,
) -> Result<Vec<Partners<'s>>, String> {
    if first.0.len() != second.0.len() {
        return Err(format!(
            "{} rows against {}: give files of the same rows in the same order, or with ids that are all different",
            first.0.len(),
            second.0.len()
        ));
    }
    let partners: Vec<Partners<'s>> = first.0.iter().zip(&second.0).collect();
    for (first, second) in &partners {
        if let (Some(id), Some(other)) = (&first.id, &second.id)
            && id != other
        {
            return Err(format!(
                "{} has id {}, but {} in its place has id {}: give files in the same order",
                first.origin,
                short_id(id),
                second.origin,
                short_id(other)
            ));
        }
    }
    Ok(partners)
}
