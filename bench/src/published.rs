//! Figures of papers and leaderboards, in percent as published. They are not results of this program and are marked
//! wherever they are shown.

use serde::Serialize;

use super::layout;

/// What marks a published row in a table.
const MARK: &str = "published";

/// Rows of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PublishedTable {
    /// The benchmark's table that it belongs under.
    pub table: &'static str,
    /// The paper or page, and the table in it.
    pub source: &'static str,
    /// The names of its figures.
    pub columns: &'static [&'static str],
    /// Its rows.
    pub rows: &'static [PublishedRow],
}

/// A row of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PublishedRow {
    /// What was measured.
    pub name: &'static str,
    /// Its figures, in the order of the columns; `None` where one is not published.
    pub values: &'static [Option<f64>],
    /// Half the widths of their intervals, where they are published.
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

/// Published figures, each of which exists: `some![1.0, 2.0]` is `[Some(1.0), Some(2.0)]`.
macro_rules! some {
    ($($value:expr),+ $(,)?) => { &[$(Some($value)),+] };
}

pub(super) use some;

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

    /// The lines of these rows with the published ones below, and their source.
    pub(super) fn under(&self, mut rows: Vec<Vec<String>>) -> Vec<String> {
        rows.extend(self.cells());
        let mut lines = layout::lines(&rows);
        lines.push(format!("{MARK}: {}", self.source));
        lines
    }

    /// As [`PublishedTable::under`], for rows of a name and figures in the published columns.
    pub(super) fn beside<F: IntoIterator<Item = String>>(
        &self,
        rows: impl IntoIterator<Item = (String, F)>,
    ) -> Vec<String> {
        let header = layout::cells(std::iter::once("").chain(self.columns.iter().copied()));
        let rows = rows.into_iter().map(|(name, figures)| std::iter::once(name).chain(figures).collect());
        self.under(std::iter::once(header).chain(rows).collect())
    }
}
