//! The cells of a row in a table. Every value of the row has a cell: in the column of its path and kind; otherwise, for a
//! field of `run`, in `other`, a JSON object by paths, and for a field that passed through, in `input`, a JSON object by
//! names. A field of `run` lacks a column only if it is newer than the table, or another program's, as a metric is. A table
//! with few columns leaves out the fields that have a column in others.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use super::columns::{Columns, Kind, Shape, has_columns, own_columns};
use super::value::Value;
use crate::input::Fields;

/// The field that holds the fields that passed through, and the column for those without a separate column.
const INPUT: &str = "input";
/// The column for the fields of `run` without a separate column.
const OTHER: &str = "other";

/// The columns of a table, and the column of each field.
pub(super) struct Layout {
    shape: Shape,
    columns: Vec<Column>,
    /// The columns of the fields of `run`, by their paths.
    own: HashMap<&'static str, usize>,
    /// The paths of the fields whose members have columns.
    groups: HashSet<&'static str>,
    /// The columns of the fields that passed through, by their names.
    inputs: HashMap<String, usize>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// Returns the names of the fields that passed through, if this row determines them. An error row without any, which could
/// not be read, does not.
pub(super) fn input_names(row: &Fields) -> Option<Vec<String>> {
    let input: Fields = serde_json::from_str(row.get(INPUT)?.get()).ok()?;
    let is_unread = row.get("error").is_some() && input.names().is_empty();
    (!is_unread).then(|| input.names().into_iter().map(str::to_owned).collect())
}

impl Layout {
    /// Returns the layout of a table with these fields that pass through.
    pub(super) fn new(shape: Shape, input_names: Vec<String>) -> Self {
        let (own, groups, inputs) = (HashMap::new(), HashSet::new(), HashMap::new());
        let mut layout = Self { shape, columns: Vec::new(), own, groups, inputs };
        for column in own_columns(shape) {
            layout.own.insert(column.path, layout.columns.len());
            layout.groups.extend(column.path.match_indices('.').map(|(end, _)| &column.path[..end]));
            layout.add(column.name, column.kind);
        }
        layout.add(OTHER, Kind::Json);
        // A name with a carriage return gets no column: readers of tables take it for the end of a line.
        for name in input_names.into_iter().filter(|name| !name.contains('\r')) {
            let column = format!("{INPUT}.{name}");
            layout.inputs.insert(name, layout.columns.len());
            layout.add(column, Kind::Text);
        }
        layout.add(INPUT, Kind::Json);
        layout
    }

    fn add(&mut self, name: impl Into<String>, kind: Kind) {
        self.columns.push(Column { name: name.into(), kind });
    }

    /// Returns the columns, in order.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the row's values, one per column.
    pub(super) fn cells(&self, row: &Fields) -> Vec<Value> {
        let mut cells = vec![Value::Missing; self.columns.len()];
        let (mut other, mut rest) = (Fields::default(), Fields::default());
        for (name, value) in row.iter() {
            match serde_json::from_str::<Fields>(value.get()) {
                Ok(input) if name == INPUT => self.put_inputs(&input, &mut cells, &mut rest),
                _ => self.put(name, value, &mut cells, &mut other),
            }
        }
        if self.shape.columns == Columns::Few {
            other.retain(|path| !has_columns(path));
        }
        let end = cells.len() - 1;
        for (column, fields) in [(end - 1 - self.inputs.len(), other), (end, rest)] {
            if !fields.names().is_empty() {
                cells[column] = Value::Text(fields.json().get().to_owned());
            }
        }
        cells
    }

    /// Puts the fields that passed through into their columns, and those without one into `rest`.
    fn put_inputs(&self, input: &Fields, cells: &mut [Value], rest: &mut Fields) {
        for (name, value) in input.iter() {
            match (self.inputs.get(name), Value::of(value, Kind::Text)) {
                (Some(column), Some(cell)) => cells[*column] = cell,
                _ => rest.push(name, value.to_owned()),
            }
        }
    }

    /// Puts a field of `run` into its column, or its members into theirs; values without a column go into `other`.
    fn put(&self, path: &str, value: &RawValue, cells: &mut [Value], other: &mut Fields) {
        let column = self.own.get(path);
        let cell = column.and_then(|column| Value::of(value, self.columns[*column].kind));
        if let (Some(column), Some(cell)) = (column, cell) {
            cells[*column] = cell;
        } else if let Some(members) = members(value).filter(|_| self.groups.contains(path)) {
            for (key, value) in members.iter() {
                self.put(&format!("{path}.{key}"), value, cells, other);
            }
        } else if value.get() != "null" {
            other.push(path, value.to_owned());
        }
    }
}

/// Returns the members of an object, or the items of a list named by their indices.
fn members(value: &RawValue) -> Option<Fields> {
    if let Ok(list) = serde_json::from_str::<Vec<Box<RawValue>>>(value.get()) {
        return Some(list.into_iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect());
    }
    serde_json::from_str(value.get()).ok()
}
