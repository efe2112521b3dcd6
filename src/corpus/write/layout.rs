//! The cells of a row in a table. Every value of the row has a cell: in the column of its path and kind; else, for a field
//! of `run`, in `other`, a JSON object by paths; for a field that passed through, in `input`, a JSON object by names. A
//! field of `run` has no column only if it is newer than the table.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::columns::{Kind, own_columns};
use super::members::{Members, Object};
use super::value::Value;

/// The field with the fields that passed through, and the column of those without a column of their own.
const INPUT: &str = "input";
/// The column of the fields of `run` without a column of their own.
const OTHER: &str = "other";

/// The columns of a table, and which field is in which.
pub(super) struct Layout {
    columns: Vec<Column>,
    own: Node,
    inputs: HashMap<String, usize>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// A field of the row, or a group of them.
#[derive(Default)]
struct Node {
    path: String,
    column: Option<(usize, Kind)>,
    fields: Vec<(&'static str, Node)>,
}

/// The cells of a row while they are filled.
struct Cells<'r> {
    values: Vec<Value<'r>>,
    other: Object,
}

/// The names of the fields that passed through, if this row determines them. An error row without any, which could not be
/// read, does not.
pub(super) fn input_names(row: &str) -> Result<Option<Vec<String>>, serde_json::Error> {
    let Members(fields) = serde_json::from_str(row)?;
    let is_error = fields.iter().any(|(name, _)| name == "error");
    let input = fields.iter().find(|(name, _)| name == INPUT);
    let Some(Members(input)) = input.and_then(|(_, value)| Members::of_object(value)) else {
        return Ok(None);
    };
    if is_error && input.is_empty() {
        return Ok(None);
    }
    Ok(Some(input.into_iter().map(|(name, _)| name.into_owned()).collect()))
}

impl Layout {
    /// The columns of a table with one row per claim, or per pair, and these fields that pass through.
    pub(super) fn new(per_claim: bool, input_names: Vec<String>) -> Self {
        let own = own_columns(per_claim);
        let mut layout = Self { columns: Vec::new(), own: Node::default(), inputs: HashMap::new() };
        for column in own {
            layout.own.field_at(column.path).column = Some((layout.columns.len(), column.kind));
            layout.add(column.name, column.kind);
        }
        layout.add(OTHER, Kind::Json);
        for name in input_names {
            layout.add_input(name);
        }
        layout.add(INPUT, Kind::Json);
        layout
    }

    fn add(&mut self, name: impl Into<String>, kind: Kind) {
        self.columns.push(Column { name: name.into(), kind });
    }

    /// A name with a carriage return has no column: readers of tables take it for the end of a line.
    fn add_input(&mut self, name: String) {
        if !name.contains('\r') && !self.inputs.contains_key(&name) {
            let column = format!("{INPUT}.{name}");
            self.inputs.insert(name, self.columns.len());
            self.add(column, Kind::Text);
        }
    }

    /// The columns, in order.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The row's values, one for each column.
    pub(super) fn cells<'r>(&self, row: &'r str) -> Result<Vec<Value<'r>>, serde_json::Error> {
        let Members(fields) = serde_json::from_str(row)?;
        let mut cells = Cells { values: vec![Value::Missing; self.columns.len()], other: Object::default() };
        let mut rest = None;
        for (name, value) in fields {
            let input = if name == INPUT { Members::of_object(value) } else { None };
            match input {
                Some(Members(input)) => rest = Some(self.inputs(input, &mut cells.values)),
                None => cells.put_field(&self.own, &name, value),
            }
        }
        let Cells { mut values, other } = cells;
        values[self.other()] = json(other);
        *values.last_mut().expect("`input` is a column") = json(rest.unwrap_or_default());
        Ok(values)
    }

    /// Puts the fields that passed through into their columns and returns those without one.
    fn inputs<'r>(&self, input: Vec<(Cow<'r, str>, &'r RawValue)>, values: &mut [Value<'r>]) -> Object {
        let mut rest = Object::default();
        for (name, value) in input {
            let column = self.inputs.get(&*name).copied().filter(|column| values[*column].is_missing());
            match (column, Value::of(value, Kind::Text)) {
                (Some(column), Some(value)) => values[column] = value,
                _ => rest.push(&name, value.get()),
            }
        }
        rest
    }

    fn other(&self) -> usize {
        self.columns.len() - self.inputs.len() - 2
    }
}

fn json<'r>(object: Object) -> Value<'r> {
    object.json().map_or(Value::Missing, |json| Value::Text(json.into()))
}

impl Node {
    /// The field at the end of this path, created if it does not exist.
    fn field_at(&mut self, path: &'static str) -> &mut Self {
        path.split('.').fold(self, |node, key| {
            let place = node.fields.iter().position(|(name, _)| *name == key);
            let place = place.unwrap_or_else(|| {
                node.fields.push((key, Self { path: node.path_of(key), ..Self::default() }));
                node.fields.len() - 1
            });
            &mut node.fields[place].1
        })
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }
}

impl<'r> Cells<'r> {
    fn put_field(&mut self, group: &Node, key: &str, value: &'r RawValue) {
        match group.fields.iter().find(|(name, _)| *name == key) {
            Some((_, node)) => self.put(node, value),
            None => self.other.push(&group.path_of(key), value.get()),
        }
    }

    fn put(&mut self, node: &Node, value: &'r RawValue) {
        let column = node.column.filter(|(column, _)| self.values[*column].is_missing());
        if let Some((column, cell)) =
            column.and_then(|(column, kind)| Some((column, Value::of(value, kind)?)))
        {
            self.values[column] = cell;
        } else if let Some(Members(fields)) = Members::of(value).filter(|_| !node.fields.is_empty()) {
            for (key, value) in fields {
                self.put_field(node, &key, value);
            }
        } else if value.get() != "null" {
            self.other.push(&node.path, value.get());
        }
    }
}
