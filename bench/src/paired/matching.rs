//! Which row of one file is which row of the other: the one with its id, if every row has an id and no two of a file are
//! equal; else the one in the same place, and then both files must have as many rows and no contradicting ids. Either way
//! every row needs a partner with the same label. A row that one file could not judge or does not label is left out of both.

use std::collections::HashMap;

use crate::labelled_scores::{LabelledScore, LabelledScores, LeftOut};
use crate::scores::MatchedBy;
use veridic::corpus::read::Origin;
use veridic_models::store::quoting::short_id;

/// Files whose rows do not match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// The numbers of rows differ.
    #[error(
        "{first} rows against {second}: give files of the same rows in the same order, or with ids that are all different"
    )]
    Count {
        /// Rows of the first file.
        first: usize,
        /// Rows of the second file.
        second: usize,
    },
    /// A row has no partner.
    #[error(
        "rows that are in one file only: {missing}, the first at {origin} (id {}); give files of the same rows, those that could not be judged included",
        short_id(.id)
    )]
    NoPartner {
        /// Number of rows without a partner.
        missing: usize,
        /// Where the first one is.
        origin: Box<Origin>,
        /// Its id.
        id: String,
    },
    /// Rows in the same place have different ids.
    #[error(
        "{first} has id {}, but {second} in its place has id {}: give files in the same order",
        short_id(.first_id),
        short_id(.second_id)
    )]
    OtherId {
        /// Where the row is in the first file.
        first: Box<Origin>,
        /// Its id in the first file.
        first_id: String,
        /// Where the row is in the second file.
        second: Box<Origin>,
        /// Its id in the second file.
        second_id: String,
    },
    /// The same row has different labels.
    #[error(
        "{first} and {second} are the same row with different labels: were they made from the same data?"
    )]
    OtherLabel {
        /// Where the row is in the first file.
        first: Box<Origin>,
        /// Where it is in the second file.
        second: Box<Origin>,
    },
    /// No row has two scores and a label.
    #[error("no row has a score and a label in both files")]
    NoneJudged,
}

/// The rows that both files judged and label, in the order of the first.
pub(super) struct Matched<'s> {
    pub(super) pairs: Vec<(&'s LabelledScore, &'s LabelledScore)>,
    pub(super) by: MatchedBy,
    /// Rows of either file, each with its partner.
    pub(super) rows: usize,
    /// Those that have no label in one of the files.
    pub(super) without_label: usize,
}

/// A row of a file; `row` is what the file has of it.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'s, R> {
    pub(crate) origin: &'s Origin,
    pub(crate) id: Option<&'s str>,
    pub(crate) row: R,
}

/// A row in both files.
type Partners<'s, R> = (Entry<'s, R>, Entry<'s, R>);

/// Which row of the first file is which of the second, in the order of the first.
pub(crate) fn partners<'s, R: Copy>(
    first: &[Entry<'s, R>],
    second: &[Entry<'s, R>],
) -> Result<(Vec<Partners<'s, R>>, MatchedBy), MatchError> {
    match (ids(first), ids(second)) {
        (Some(first_ids), Some(second_ids)) => {
            Ok((partners_by_id(first, &first_ids, second, &second_ids)?, MatchedBy::Id))
        }
        _ => Ok((partners_by_order(first, second)?, MatchedBy::Order)),
    }
}

impl<'s> Matched<'s> {
    pub(super) fn new(first: &'s LabelledScores, second: &'s LabelledScores) -> Result<Self, MatchError> {
        let (partners, by) = partners(&entries(first), &entries(second))?;
        let (rows, mut without_label) = (partners.len(), 0);
        let mut pairs = Vec::with_capacity(rows);
        for (first, second) in partners {
            let (Ok(first), Ok(second)) = (first.row, second.row) else {
                without_label += usize::from([first.row, second.row].contains(&Err(LeftOut::NoLabel)));
                continue;
            };
            if first.label != second.label {
                let (first, second) = (Box::new(first.origin.clone()), Box::new(second.origin.clone()));
                return Err(MatchError::OtherLabel { first, second });
            }
            pairs.push((first, second));
        }
        if pairs.is_empty() {
            Err(MatchError::NoneJudged)
        } else {
            Ok(Self { pairs, by, rows, without_label })
        }
    }
}

/// All rows in the order of the file; those that are left out with the reason.
fn entries(scores: &LabelledScores) -> Vec<Entry<'_, Result<&LabelledScore, LeftOut>>> {
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

/// The place of each id; `None` where ids do not identify the rows.
fn ids<'s, R>(entries: &[Entry<'s, R>]) -> Option<HashMap<&'s str, usize>> {
    let mut places = HashMap::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        if places.insert(entry.id?, place).is_some() {
            return None;
        }
    }
    Some(places)
}

fn partners_by_id<'s, R: Copy>(
    first: &[Entry<'s, R>],
    first_ids: &HashMap<&str, usize>,
    second: &[Entry<'s, R>],
    second_ids: &HashMap<&str, usize>,
) -> Result<Vec<Partners<'s, R>>, MatchError> {
    let lacks =
        |entry: &&Entry<'_, R>, ids: &HashMap<&str, usize>| entry.id.is_none_or(|id| !ids.contains_key(id));
    let mut alone = first.iter().filter(|entry| lacks(entry, second_ids));
    let mut alone_too = second.iter().filter(|entry| lacks(entry, first_ids));
    if let Some(entry) = alone.next().or_else(|| alone_too.next()) {
        return Err(MatchError::NoPartner {
            missing: 1 + alone.count() + alone_too.count(),
            origin: Box::new(entry.origin.clone()),
            id: entry.id.unwrap_or_default().to_owned(),
        });
    }
    let partner = |entry: &Entry<'s, R>| Some((*entry, second[*second_ids.get(entry.id?)?]));
    Ok(first.iter().filter_map(partner).collect())
}

fn partners_by_order<'s, R: Copy>(
    first: &[Entry<'s, R>],
    second: &[Entry<'s, R>],
) -> Result<Vec<Partners<'s, R>>, MatchError> {
    if first.len() != second.len() {
        return Err(MatchError::Count { first: first.len(), second: second.len() });
    }
    let partners = || first.iter().copied().zip(second.iter().copied());
    for (first, second) in partners() {
        if let (Some(first_id), Some(second_id)) = (first.id, second.id)
            && first_id != second_id
        {
            return Err(MatchError::OtherId {
                first: Box::new(first.origin.clone()),
                first_id: first_id.to_owned(),
                second: Box::new(second.origin.clone()),
                second_id: second_id.to_owned(),
            });
        }
    }
    Ok(partners().collect())
}
