//! The columns of `run`'s own fields: the few that a person sorts and filters by, or all. Which ones a table has does not depend
//! on its rows and settings, so that tables of different runs can be concatenated. A column has the name of its field, or a
//! shorter one. Columns are added, never renamed. They are followed by `other`, a column `input.NAME` for each field that
//! passed through, and `input`.

use std::sync::LazyLock;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text as it is, any other value as its JSON.
    Text,
    /// JSON.
    Json,
    /// An integer of 64 bits.
    Integer,
    /// A number.
    Real,
}

/// Which columns a table has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Columns {
    /// What one sorts and filters by: score, verdict, counts of claims, the worst claim, and the fields that passed through.
    #[default]
    Few,
    /// These, and every other field of a result, so that its rows can be restored.
    All,
}

/// The rows that are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shape {
    /// Whether there is one row a claim, instead of one a pair.
    pub explode: bool,
    /// The columns of a table. JSON Lines have all fields.
    pub columns: Columns,
    /// Whether CSV and TSV have texts that begin like formulas as they are, instead of after an apostrophe.
    pub raw_cells: bool,
}

/// The column of an own field.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnColumn {
    is_of_few: bool,
    /// `row`, `sum` (what a table says of all claims), `claims` (all of them as one value), `claim` (one of them), `run`,
    /// `rules` or `models`.
    part: &'static str,
    pub(super) name: &'static str,
    /// The path to the value in a row: keys separated by dots; numbers are list indices, from 0.
    pub(super) path: &'static str,
    pub(super) kind: Kind,
}

static COLUMNS: LazyLock<Vec<OwnColumn>> = LazyLock::new(|| {
    let lines = include_str!("columns.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(column).collect()
});

fn column(line: &'static str) -> OwnColumn {
    let cells: Vec<&str> = line.split('\t').collect();
    let kind = match cells[2] {
        "text" => Kind::Text,
        "json" => Kind::Json,
        "integer" => Kind::Integer,
        _ => Kind::Real,
    };
    let (is_of_few, part, name) = (cells[0] == "few", cells[1], cells[3]);
    OwnColumn { is_of_few, part, name, path: cells.get(4).unwrap_or(&name), kind }
}

/// Returns the columns of a table, in order.
pub(super) fn own_columns(shape: Shape) -> impl Iterator<Item = OwnColumn> {
    let left_out: &[&str] = if shape.explode { &["claims", "sum"] } else { &["claim"] };
    let is_in = move |column: &&OwnColumn| {
        !left_out.contains(&column.part) && (column.is_of_few || shape.columns == Columns::All)
    };
    COLUMNS.iter().filter(is_in).copied()
}

/// Returns the columns of a result's own fields, without what a table adds.
pub(super) fn result_columns() -> impl Iterator<Item = OwnColumn> {
    own_columns(Shape { columns: Columns::All, ..Shape::default() }).filter(|column| column.part != "sum")
}

/// Whether a field of a row, or the group that it is in, has a column in a table with all of them.
pub(super) fn has_columns(path: &str) -> bool {
    let first = |path: &str| path.split('.').next().map(str::to_owned);
    COLUMNS.iter().any(|column| first(column.path) == first(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_rules_has_a_column() {
        let rules = COLUMNS.iter().filter(|column| column.part == "rules");
        let key = |column: &OwnColumn| column.name.rsplit('.').next().unwrap().replace("name", "profile");
        let mut keys: Vec<String> = rules.map(key).collect();
        let mut known: Vec<&str> = crate::rules::settings().map(|setting| setting.key).collect();
        keys.sort_unstable();
        known.sort_unstable();
        assert_eq!(keys, known);
    }
}
