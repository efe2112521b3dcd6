//! Restores rows, as in JSON Lines, from a table that `run` wrote: every value of a row has a cell in the table. Fields that
//! passed through come back as texts, since a cell does not record whether it was a number. Refuses tables with one row per
//! claim, and cells that `run` does not write.

use serde_json::value::RawValue;

use super::columns::{Kind, own_columns};
use crate::input::Fields;

/// A column of every such table that is not a field of a JSON line.
const TABLE_COLUMN: &str = "profile.name";
/// A column of tables with one row per claim.
const CLAIM_COLUMN: &str = "claim_index";
/// The prefix of the columns of fields that passed through.
const INPUT_PREFIX: &str = "input.";

/// Whether these fields are the cells of a table's row.
#[must_use]
pub fn is_of_table(fields: &Fields) -> bool {
    fields.get(TABLE_COLUMN).is_some() || fields.get(CLAIM_COLUMN).is_some()
}

/// Restores the row with these cells.
///
/// # Errors
/// If the table has one row per claim, or `run` does not write such a cell.
pub fn row_of_table(cells: &Fields) -> Result<Fields, String> {
    if cells.get(CLAIM_COLUMN).is_some() {
        return Err(
            "is the row of a claim, not of a pair: give the output of a run without `explode`".to_owned()
        );
    }
    let mut row = Fields::default();
    for column in own_columns(false) {
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
fn object(cells: &Fields, name: &str) -> Result<Fields, String> {
    let Some(value) = cell(cells, name) else { return Ok(Fields::default()) };
    let json = json_of(value, Kind::Json).ok_or_else(|| bad(name))?;
    serde_json::from_str(json.get()).map_err(|_| bad(name))
}

fn bad(column: &str) -> String {
    format!("has a value in column `{column}` that `veridic run` does not write: give its output unchanged")
}

/// Puts a value at a path of keys separated by dots.
fn put(row: &mut Fields, path: &str, json: Box<RawValue>) {
    let Some((key, rest)) = path.split_once('.') else { return row.push(path, json) };
    let group = row.take(key).and_then(|group| serde_json::from_str(group.get()).ok());
    let mut group: Fields = group.unwrap_or_default();
    put(&mut group, rest, json);
    row.push(key, group.json());
}
