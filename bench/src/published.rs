//! Figures of papers and leaderboards, in percent as published, and what differs from them here. They are not results of
//! this program and are marked wherever they are shown.

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
    /// How the paper computed the row that a run of this program stands beside.
    pub set_up: &'static str,
    /// What differs from that here, whatever the settings are.
    pub differs: &'static [Deviation],
}

/// What differs from a paper's set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Deviation {
    /// The columns that it concerns; empty for all.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub columns: &'static [&'static str],
    /// What it is.
    pub what: &'static str,
    /// Whether it concerns how scores are computed, so that it does not hold for scores that are given.
    #[serde(skip)]
    is_of_scoring: bool,
}

impl Deviation {
    /// One that concerns all figures.
    pub(super) const fn of_all(what: &'static str) -> Self {
        Self { columns: &[], what, is_of_scoring: false }
    }

    /// One that concerns these columns.
    pub(super) const fn of(columns: &'static [&'static str], what: &'static str) -> Self {
        Self { columns, what, is_of_scoring: false }
    }

    /// The same, where scores are computed.
    pub(super) const fn of_scoring(self) -> Self {
        Self { is_of_scoring: true, ..self }
    }

    /// As a line.
    fn line(&self) -> String {
        let columns =
            if self.columns.is_empty() { "all figures".to_owned() } else { self.columns.join(", ") };
        format!("differs, {columns}: {}", self.what)
    }
}

/// A run's rows in the columns of a published table.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    published: &'static PublishedTable,
    header: Vec<String>,
    own: Vec<Vec<String>>,
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

    /// These rows, the header first, beside the published ones.
    pub(super) fn under(&'static self, mut rows: Vec<Vec<String>>) -> Beside {
        let own = rows.split_off(rows.len().min(1));
        Beside { published: self, header: rows.pop().unwrap_or_default(), own }
    }

    /// As [`PublishedTable::under`], for rows of a name and figures in the published columns.
    pub(super) fn beside<F: IntoIterator<Item = String>>(
        &'static self,
        rows: impl IntoIterator<Item = (String, F)>,
    ) -> Beside {
        let header = layout::cells(std::iter::once("").chain(self.columns.iter().copied()));
        let own = rows.into_iter().map(|(name, figures)| std::iter::once(name).chain(figures).collect());
        Beside { published: self, header, own: own.collect() }
    }
}

impl Beside {
    /// The run's rows with the published ones below, and their source.
    pub(super) fn lines(&self) -> Vec<String> {
        let own = self.own.iter().cloned();
        self.laid_out(own.chain(self.published.cells()))
    }

    /// The published rows with the run's below, and what differs.
    fn against_the_paper(&self, run: &RunSetUp) -> Vec<String> {
        let PublishedTable { set_up, differs, .. } = self.published;
        let mut lines = self.laid_out(self.published.cells().chain(self.own.iter().cloned()));
        lines.push(format!("the paper's set-up: {set_up}"));
        lines.push(format!("this run's: {}", run.text));
        let holds = |deviation: &&Deviation| run.is_scored || !deviation.is_of_scoring;
        lines.extend(differs.iter().filter(holds).map(Deviation::line));
        lines
    }

    fn laid_out(&self, rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
        let rows: Vec<_> = std::iter::once(self.header.clone()).chain(rows).collect();
        let mut lines = layout::lines(&rows);
        lines.push(format!("{MARK}: {}", self.published.source));
        lines
    }
}

/// How a run was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSetUp {
    /// In a line, for people.
    pub text: String,
    /// Whether its scores were computed here, not given.
    pub is_scored: bool,
}

impl RunSetUp {
    /// Of a run that computed its scores.
    #[must_use]
    pub fn scored(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_scored: true }
    }

    /// Of scores that were computed elsewhere.
    #[must_use]
    pub fn given(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_scored: false }
    }
}

/// The published tables of a benchmark, each with a run's rows below and what differs from the paper's set-up.
#[must_use]
pub fn against_the_papers(tables: &[Beside], run: &RunSetUp) -> Vec<String> {
    let lines: Vec<Vec<String>> = tables.iter().map(|table| table.against_the_paper(run)).collect();
    lines.join(&String::new())
}
