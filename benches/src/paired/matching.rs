//! Matches the rows of two files: by id, if every row has an id and ids are unique in each file; otherwise by order, in
//! which case both files must have equally many rows and no contradicting ids. Either way every row needs a partner with the
//! same label. A row that one file could not judge or does not label is left out of both.

use std::collections::HashMap;

use crate::labelled_scores::{LabelledScore, LabelledScores, LeftOut};
use crate::protocol::BenchError;
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

/// All rows of a file in its order, and the place of each id; `None` if ids do not identify the rows.
struct Rows<'s> {
    entries: Vec<Entry<'s>>,
    places: Option<HashMap<&'s str, usize>>,
}

impl<'s> Matched<'s> {
    pub(super) fn new(first: &'s LabelledScores, second: &'s LabelledScores) -> Result<Self, BenchError> {
        let (first, second) = (Rows::of(first), Rows::of(second));
        let has_ids = first.places.is_some() && second.places.is_some();
        let by = if has_ids { "id" } else { "order" };
        let partners = if has_ids {
            partners_by_id(&first, &second)
        } else {
            partners_by_order(&first.entries, &second.entries)
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

impl<'s> Rows<'s> {
    fn of(scores: &'s LabelledScores) -> Self {
        let judged = scores.rows.iter();
        let judged = judged
            .map(|row| (row.number, Entry { origin: &row.origin, id: row.id.as_deref(), row: Ok(row) }));
        let left_out = scores.left_out.iter();
        let left_out = left_out
            .map(|row| (row.number, Entry { origin: &row.origin, id: row.id.as_deref(), row: Err(row.why) }));
        let mut entries: Vec<_> = judged.chain(left_out).collect();
        entries.sort_by_key(|(number, _)| *number);
        let entries: Vec<Entry<'s>> = entries.into_iter().map(|(_, entry)| entry).collect();
        let ids = entries.iter().map(|entry| entry.id).zip(0..);
        let places: Option<HashMap<&str, usize>> = ids.map(|(id, place)| Some((id?, place))).collect();
        Self { places: places.filter(|places| places.len() == entries.len()), entries }
    }

    fn place(&self, id: Option<&str>) -> Option<usize> {
        self.places.as_ref()?.get(id?).copied()
    }
}

fn partners_by_id<'s>(first: &Rows<'s>, second: &Rows<'s>) -> Result<Vec<Partners<'s>>, String> {
    let mut alone = first.entries.iter().filter(|entry| second.place(entry.id).is_none());
    let mut alone_too = second.entries.iter().filter(|entry| first.place(entry.id).is_none());
    if let Some(entry) = alone.next().or_else(|| alone_too.next()) {
        return Err(format!(
            "rows that are in one file only: {}, the first at {} (id {}); give files of the same rows, those that could not be judged included",
            1 + alone.count() + alone_too.count(),
            entry.origin,
            short_id(entry.id.unwrap_or_default())
        ));
    }
    let partner = |entry: &Entry<'s>| Some((*entry, second.entries[second.place(entry.id)?]));
    Ok(first.entries.iter().filter_map(partner).collect())
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
