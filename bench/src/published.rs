//! What others published: figures of papers and leaderboards, in percent as they stand there. They are no
//! results of this program and are marked wherever they are shown.

use serde::Serialize;

use super::layout;

/// What marks a published row in a table.
const MARK: &str = "published";

/// Rows of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PublishedTable {
    /// Which of the benchmark's tables it belongs under.
    pub table: &'static str,
    /// Where it stands.
    pub source: &'static str,
    /// What its figures are called.
    pub columns: &'static [&'static str],
    /// Its rows.
    pub rows: &'static [PublishedRow],
}

/// A row of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PublishedRow {
    /// What was measured.
    pub name: &'static str,
    /// Its figures, in the order of the columns; none where there is none.
    pub values: &'static [Option<f64>],
    /// Half the widths of their intervals, where they are given.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub half_widths: &'static [f64],
}

impl PublishedRow {
    pub(super) const fn new(name: &'static str, values: &'static [Option<f64>]) -> Self {
        Self { name, values, half_widths: &[] }
    }

    /// The same with half the widths of its intervals.
    pub(super) const fn within(self, half_widths: &'static [f64]) -> Self {
        Self { half_widths, ..self }
    }
}

impl PublishedTable {
    /// Its rows as cells, marked.
    fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.rows.iter().map(|row| {
            let figures = row.values.iter().enumerate().map(|(column, value)| {
                let half_width = row.half_widths.get(column).map(|width| format!(" ±{width:.1}"));
                let value = value.map_or_else(|| "-".into(), |value| format!("{value:.1}"));
                value + &half_width.unwrap_or_default()
            });
            std::iter::once(row.name.to_owned()).chain(figures).chain([MARK.to_owned()]).collect()
        })
    }

    /// The lines of these rows with its own below them, and where they come from.
    pub(super) fn under(&self, mut rows: Vec<Vec<String>>) -> Vec<String> {
        rows.extend(self.cells());
        let mut lines = layout::lines(&rows);
        lines.push(format!("{MARK}: {}", self.source));
        lines
    }
}
