//! Restores rows, as in JSON Lines, from a table that `run` wrote with all columns: every value of a row has a cell in it.
//! Fields that passed through come back as texts, since a cell does not record whether it was a number. Refuses tables with
//! one row per claim or with few columns, and cells that `run` does not write.

use serde_json::value::RawValue;

use super::columns::{Kind, result_columns};
use crate::input::Fields;

/// A column of every table of pairs that is not a field of a JSON line.
const PAIR_COLUMN: &str = "worst.text";
/// A column that a table with few columns lacks.
const ALL_COLUMN: &str = "profile.name";
/// A column of tables with one row per claim.
const CLAIM_COLUMN: &str = "claim_index";
/// The prefix of the columns of fields that passed through.
const INPUT_PREFIX: &str = "input.";

/// Why a row cannot be restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct TableFault {
    /// The problem and how to fix it, to follow the row's place.
    pub reason: String,
    /// The argument of the run that the reason names by its key.
    pub argument: Option<&'static str>,
}

/// Whether these fields are the cells of a table's row.
#[must_use]
pub fn is_of_table(fields: &Fields) -> bool {
    [PAIR_COLUMN, ALL_COLUMN, CLAIM_COLUMN].iter().any(|column| fields.get(column).is_some())
}

/// Restores the row with these cells.
///
/// # Errors
/// If the table has one row per claim or few columns, or `run` does not write such a cell.
pub fn row_of_table(cells: &Fields) -> Result<Fields, TableFault> {
    if cells.get(CLAIM_COLUMN).is_some() {
        let reason = "is the row of a claim, not of a pair: give the output of a run without `explode`";
        return Err(TableFault { reason: reason.to_owned(), argument: Some("explode") });
    }
    if cells.get(ALL_COLUMN).is_none() {
        let reason =
            "has few of a result's columns: give .jsonl, or a table that was written with `columns` all";
        return Err(TableFault { reason: reason.to_owned(), argument: Some("columns") });
    }
    let mut row = Fields::default();
    for column in result_columns() {
        if let Some(value) = cell(cells, column.name) {
            let json = json_of(value, column.kind).ok_or_else(|| bad(column.name))?;
            put(&mut row, column.path, json);
        }
    }
    object(cells, "other")?.iter().for_each(|(path, value)| put(&mut row, path, value.to_owned()));
    let mut input = Fields::default();
    for name in cells.names() {
        if let (Some(own), Some(value)) = (name.strip_prefix(INPUT_PREFIX), cell(cells, name)) {
            input.push(own, value.to_owned());
        }
    }
    object(cells, "input")?.iter().for_each(|(name, value)| input.push(name, value.to_owned()));
    row.push("input", input.json());
    Ok(row)
}

/// Returns a cell that has a value. In CSV an empty cell is read as an empty text.
fn cell<'f>(cells: &'f Fields, name: &str) -> Option<&'f RawValue> {
    cells.get(name).filter(|value| !["null", "\"\""].contains(&value.get()))
}

/// Returns a cell's value as JSON: in CSV every cell is a text, in Parquet a value of its column's type.
fn json_of(value: &RawValue, kind: Kind) -> Option<Box<RawValue>> {
    let text: Option<String> = serde_json::from_str(value.get()).ok();
    match (kind, text) {
        (Kind::Text, Some(_)) | (_, None) => Some(value.to_owned()),
        (_, Some(text)) => serde_json::from_str(&text).ok(),
    }
}

/// Returns the fields of a cell that holds a JSON object.
fn object(cells: &Fields, name: &str) -> Result<Fields, TableFault> {
    let Some(value) = cell(cells, name) else { return Ok(Fields::default()) };
    let json = json_of(value, Kind::Json).ok_or_else(|| bad(name))?;
    serde_json::from_str(json.get()).map_err(|_| bad(name))
}

fn bad(column: &str) -> TableFault {
    let reason = format!(
        "has a value in column `{column}` that `veridic run` does not write: give its output unchanged"
    );
    TableFault { reason, argument: None }
}

/// Puts a value at a path of keys separated by dots.
fn put(row: &mut Fields, path: &str, json: Box<RawValue>) {
    let Some((key, rest)) = path.split_once('.') else { return row.push(path, json) };
    let group = row.take(key).and_then(|group| serde_json::from_str(group.get()).ok());
    let mut group: Fields = group.unwrap_or_default();
    put(&mut group, rest, json);
    row.push(key, group.json());
}
