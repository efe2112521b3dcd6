//! Matches the rows of two files: by id, if every row has an id and ids are unique in each file; otherwise by order, in
//! which case both files must have equally many rows and no contradicting ids. Either way every row needs a partner with the
//! same label. A row that one file could not judge or does not label is left out of both.

use std::collections::HashMap;

use crate::labelled_scores::{LabelledScore, LabelledScores, LeftOut};
use crate::read::BenchError;
use veridic::corpus::read::Origin;
use veridic_models::store::quoting::short_id;

/// The rows that both files judged and label, in the order of the first.
pub(super) struct Matched<'s> {
    pub(super) pairs: Vec<(&'s LabelledScore, &'s LabelledScore)>,
    /// `id` or `order`.
    pub(super) by: &'static str,
    /// Rows of either file, each with its partner.
    pub(super) rows: usize,
    /// The number of rows without a label in one of the files.
    pub(super) without_label: usize,
}

/// A row of a file: its score and label, or why it is left out.
#[derive(Clone, Copy)]
struct Entry<'s> {
    origin: &'s Origin,
    id: Option<&'s str>,
    row: Result<&'s LabelledScore, LeftOut>,
}

/// A row in both files.
type Partners<'s> = (Entry<'s>, Entry<'s>);

impl<'s> Matched<'s> {
    pub(super) fn new(first: &'s LabelledScores, second: &'s LabelledScores) -> Result<Self, BenchError> {
        let (first, second) = (entries(first), entries(second));
        let (partners, by) = match (ids(&first), ids(&second)) {
            (Some(of_first), Some(of_second)) => {
                (partners_by_id((&first, &of_first), (&second, &of_second)), "id")
            }
            _ => (partners_by_order(&first, &second), "order"),
        };
        let partners = partners.map_err(BenchError::Data)?;
        let (rows, mut without_label) = (partners.len(), 0);
        let mut pairs = Vec::with_capacity(rows);
        for (first, second) in partners {
            let (Ok(first), Ok(second)) = (first.row, second.row) else {
                without_label += usize::from([first.row, second.row].contains(&Err(LeftOut::NoLabel)));
                continue;
            };
            if first.label != second.label {
                return Err(BenchError::Data(format!(
                    "{} and {} are the same row with different labels: were they made from the same data?",
                    first.origin, second.origin
                )));
            }
            pairs.push((first, second));
        }
        if pairs.is_empty() {
            return Err(BenchError::Data("no row has a score and a label in both files".into()));
        }
        Ok(Self { pairs, by, rows, without_label })
    }
}

/// All rows in the order of the file.
fn entries(scores: &LabelledScores) -> Vec<Entry<'_>> {
    let judged = scores
        .rows
        .iter()
        .map(|row| (row.number, Entry { origin: &row.origin, id: row.id.as_deref(), row: Ok(row) }));
    let left_out = scores
        .left_out
        .iter()
        .map(|row| (row.number, Entry { origin: &row.origin, id: row.id.as_deref(), row: Err(row.why) }));
    let mut entries: Vec<_> = judged.chain(left_out).collect();
    entries.sort_by_key(|(number, _)| *number);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns the index of each id; `None` if ids do not identify the rows.
fn ids<'s>(entries: &[Entry<'s>]) -> Option<HashMap<&'s str, usize>> {
    let mut places = HashMap::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        if places.insert(entry.id?, place).is_some() {
            return None;
        }
    }
    Some(places)
}

/// The rows of a file and the place of each id.
type WithIds<'a, 's> = (&'a [Entry<'s>], &'a HashMap<&'s str, usize>);

fn partners_by_id<'s>(first: WithIds<'_, 's>, second: WithIds<'_, 's>) -> Result<Vec<Partners<'s>>, String> {
    let lacks =
        |entry: &&Entry<'_>, ids: &HashMap<&str, usize>| entry.id.is_none_or(|id| !ids.contains_key(id));
    let mut alone = first.0.iter().filter(|entry| lacks(entry, second.1));
    let mut alone_too = second.0.iter().filter(|entry| lacks(entry, first.1));
    if let Some(entry) = alone.next().or_else(|| alone_too.next()) {
        return Err(format!(
            "rows that are in one file only: {}, the first at {} (id {}); give files of the same rows, those that could not be judged included",
            1 + alone.count() + alone_too.count(),
            entry.origin,
            short_id(entry.id.unwrap_or_default())
        ));
    }
    let partner = |entry: &Entry<'s>| Some((*entry, second.0[*second.1.get(entry.id?)?]));
    Ok(first.0.iter().filter_map(partner).collect())
}

fn partners_by_order<'s>(first: &[Entry<'s>], second: &[Entry<'s>]) -> Result<Vec<Partners<'s>>, String> {
    if first.len() != second.len() {
        return Err(format!(
            "{} rows against {}: give files of the same rows in the same order, or with ids that are all different",
            first.len(),
            second.len()
        ));
    }
    let partners = || first.iter().copied().zip(second.iter().copied());
    for (first, second) in partners() {
        if let (Some(id), Some(other)) = (first.id, second.id)
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
    Ok(partners().collect())
}
