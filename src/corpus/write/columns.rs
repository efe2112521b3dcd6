//! The columns of `run`'s own fields. Every table has all of them, whatever the settings, so that tables of different runs
//! can be concatenated. A column has the name of its field, or a shorter one. Columns are added, never renamed. They are
//! followed by `other`, a column `input.NAME` for each field that passed through, and `input`.

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

/// The column of an own field.
#[derive(Debug, Clone, Copy)]
pub(super) struct OwnColumn {
    /// `row`, `claims` (all of them as one value), `claim` (one of them), `run`, `rules` or `models`.
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
    let kind = match cells[1] {
        "text" => Kind::Text,
        "json" => Kind::Json,
        "integer" => Kind::Integer,
        _ => Kind::Real,
    };
    OwnColumn { part: cells[0], name: cells[2], path: cells.get(3).unwrap_or(&cells[2]), kind }
}

/// Returns the columns of a table with one row per claim, or per pair, in order.
pub(super) fn own_columns(per_claim: bool) -> impl Iterator<Item = OwnColumn> {
    let left_out = if per_claim { "claims" } else { "claim" };
    COLUMNS.iter().filter(move |column| column.part != left_out).copied()
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
