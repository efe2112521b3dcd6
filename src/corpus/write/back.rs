//! Restores rows, as in JSON Lines, from a table that `run` wrote: every value of a row has a cell in the table. Fields that
//! passed through come back as texts, since a cell does not record whether it was a number. Refuses tables with one row
//! per claim, and cells that `run` does not write.

use serde_json::value::RawValue;
use veridic_models::store::quoting::without_values;

use super::columns::{Kind, own_columns};
use super::members::{Members, Object};
use crate::corpus::jsonl::Fields;

/// A column that every such table has, and a field that no line of JSON has.
const TABLE_COLUMN: &str = "profile.name";
/// A column that tables with one row per claim have.
const CLAIM_COLUMN: &str = "claim_index";
/// The prefix of the columns of fields that passed through.
const INPUT_PREFIX: &str = "input.";

/// A field of the row: its JSON, or a group of fields.
enum Node {
    Json(String),
    Group(Vec<(String, Node)>),
}

/// Whether these fields are the cells of a table's row.
#[must_use]
pub fn is_of_table(fields: &Fields) -> bool {
    fields.get(TABLE_COLUMN).is_some() || fields.get(CLAIM_COLUMN).is_some()
}

/// The row with these cells.
///
/// # Errors
/// A table with one row per claim; a cell that `run` does not write.
pub fn row_of_table(fields: &Fields) -> Result<Fields, String> {
    if fields.get(CLAIM_COLUMN).is_some() {
        return Err(
            "is the row of a claim, not of a pair: give the output of a run without `explode`".to_owned()
        );
    }
    let mut row = Vec::new();
    for column in own_columns(false) {
        if let Some(value) = cell(fields, column.name) {
            let json = json_of(value, column.kind).ok_or_else(|| bad(column.name))?;
            put(&mut row, column.path, json);
        }
    }
    for (path, json) in members(fields, "other")? {
        put(&mut row, &path, json);
    }
    let passed = fields
        .names()
        .into_iter()
        .filter_map(|name| Some((name.strip_prefix(INPUT_PREFIX)?, cell(fields, name)?)));
    let mut input = Object::default();
    passed.for_each(|(name, value)| input.push(name, value.get()));
    members(fields, "input")?.iter().for_each(|(name, json)| input.push(name, json));
    row.push(("input".to_owned(), Node::Json(input.json().unwrap_or_else(|| "{}".to_owned()))));
    serde_json::from_str(&Node::Group(row).json())
        .map_err(|error| format!("is not a row of `veridic run` ({})", without_values(&error)))
}

/// A cell with a value. In CSV an empty cell is read as an empty text.
fn cell<'f>(fields: &'f Fields, name: &str) -> Option<&'f RawValue> {
    fields.get(name).filter(|value| !["null", "\"\""].contains(&value.get()))
}

/// A cell's value as JSON: in CSV every cell is a text, in Parquet a value of its column's type.
fn json_of(value: &RawValue, kind: Kind) -> Option<String> {
    let text: Option<String> = serde_json::from_str(value.get()).ok();
    match (kind, text) {
        (Kind::Text, Some(_)) | (_, None) => Some(value.get().to_owned()),
        (_, Some(text)) => serde_json::from_str::<&RawValue>(&text).ok().map(|value| value.get().to_owned()),
    }
}

/// The members of a cell with a JSON object.
fn members(fields: &Fields, name: &str) -> Result<Vec<(String, String)>, String> {
    let Some(value) = cell(fields, name) else { return Ok(Vec::new()) };
    let json = json_of(value, Kind::Json).ok_or_else(|| bad(name))?;
    let Members(members) = serde_json::from_str(&json).map_err(|_| bad(name))?;
    Ok(members.into_iter().map(|(name, value)| (name.into_owned(), value.get().to_owned())).collect())
}

fn bad(column: &str) -> String {
    format!("has a value in column `{column}` that `veridic run` does not write: give its output unchanged")
}

/// Puts a value at a path of keys separated by dots.
fn put(row: &mut Vec<(String, Node)>, path: &str, json: String) {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let place = row.iter().position(|(name, _)| name == key);
    match (rest, place) {
        (None, _) => row.push((key.to_owned(), Node::Json(json))),
        (Some(rest), Some(place)) => {
            if let Node::Group(group) = &mut row[place].1 {
                put(group, rest, json);
            }
        }
        (Some(rest), None) => {
            let mut group = Vec::new();
            put(&mut group, rest, json);
            row.push((key.to_owned(), Node::Group(group)));
        }
    }
}

impl Node {
    fn json(self) -> String {
        match self {
            Self::Json(json) => json,
            Self::Group(group) => {
                let mut object = Object::default();
                group.into_iter().for_each(|(name, node)| object.push(&name, &node.json()));
                object.json().unwrap_or_else(|| "{}".to_owned())
            }
        }
    }
}
