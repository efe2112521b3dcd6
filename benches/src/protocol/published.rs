//! Figures of papers and leaderboards, in percent as published, and how this program's set-up differs. They are not results
//! of this program and are marked wherever they are shown. Each benchmark has a file of them in `published/`.

use serde::{Deserialize, Deserializer, Serialize};

use super::figures::Figures;
use super::layout;

/// Marks a published row in a table.
const MARK: &str = "published";

/// Stands for an unpublished figure.
const UNPUBLISHED: &str = "-";

/// Rows of a published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    /// The benchmark's table that it belongs under.
    pub table: String,
    /// The paper or page, and the table in it.
    pub source: String,
    /// The names of its figures.
    pub columns: Vec<String>,
    pub rows: Vec<PublishedRow>,
    /// How the paper computed the row that corresponds to a run of this program.
    pub set_up: String,
    /// The differences from that set-up, whatever the settings are.
    #[serde(default)]
    pub differs: Vec<Deviation>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    pub name: String,
    /// Its figures, in column order; `None` if unpublished.
    #[serde(deserialize_with = "values")]
    pub values: Vec<Option<f64>>,
    /// The half-widths of their intervals, if published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub half_widths: Vec<f64>,
}

/// A difference from a paper's set-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// The columns that it concerns; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// A description of the difference.
    pub what: String,
    /// Whether it concerns how scores are computed, so that it does not apply to given scores.
    #[serde(default, skip_serializing)]
    is_of_scoring: bool,
}

/// A run's rows in the columns of a published table.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    pub(crate) published: PublishedTable,
    header: Vec<String>,
    own: Vec<Vec<String>>,
}

/// The tables of a file in `published/`: `published!("qags")`.
macro_rules! published {
    ($name:literal) => {{
        static TABLES: std::sync::LazyLock<Vec<$crate::protocol::published::PublishedTable>> =
            std::sync::LazyLock::new(|| {
                $crate::protocol::published::parse(include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/src/published/",
                    $name,
                    ".toml"
                )))
            });
        TABLES.as_slice()
    }};
}
pub(crate) use published;

pub(crate) fn parse(text: &str) -> Vec<PublishedTable> {
    #[derive(Deserialize)]
    struct File {
        tables: Vec<PublishedTable>,
    }
    let file: File = toml::from_str(text).expect("a test reads each file of this folder");
    file.tables
}

/// Figures, some of which may not be published.
fn values<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<Option<f64>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Value {
        Known(f64),
        Unknown(String),
    }
    let value = |value| match value {
        Value::Known(number) => Ok(Some(number)),
        Value::Unknown(text) if text == UNPUBLISHED => Ok(None),
        Value::Unknown(text) => Err(serde::de::Error::custom(format!("`{text}` is not a figure"))),
    };
    Vec::<Value>::deserialize(deserializer)?.into_iter().map(value).collect()
}

impl Deviation {
    pub(crate) fn of(columns: &[&str], what: &str) -> Self {
        Self { columns: layout::cells(columns.iter().copied()), what: what.to_owned(), is_of_scoring: false }
    }

    fn line(&self) -> String {
        let columns =
            if self.columns.is_empty() { "all figures".to_owned() } else { self.columns.join(", ") };
        format!("differs, {columns}: {}", self.what)
    }
}

impl PublishedTable {
    fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.rows.iter().map(|row| {
            let figures = row.values.iter().enumerate().map(|(column, value)| {
                let half_width = row.half_widths.get(column).map(|width| format!(" ±{width:.1}"));
                let value = value.map_or_else(|| UNPUBLISHED.into(), |value| format!("{value:.1}"));
                value + &half_width.unwrap_or_default()
            });
            std::iter::once(row.name.clone()).chain(figures).chain([MARK.to_owned()]).collect()
        })
    }

    /// Puts these rows, the header first, beside the published ones.
    pub(crate) fn under(&self, mut rows: Vec<Vec<String>>) -> Beside {
        let own = rows.split_off(rows.len().min(1));
        Beside { published: self.clone(), header: rows.pop().unwrap_or_default(), own }
    }

    /// Like [`PublishedTable::under`], for rows given by a name and figures in the published columns.
    pub(crate) fn beside<F: IntoIterator<Item = String>>(
        &self,
        rows: impl IntoIterator<Item = (String, F)>,
    ) -> Beside {
        let header = layout::cells(std::iter::once("").chain(self.columns.iter().map(String::as_str)));
        let own = rows.into_iter().map(|(name, figures)| std::iter::once(name).chain(figures).collect());
        Beside { published: self.clone(), header, own: own.collect() }
    }

    /// One row of figures in the published columns, with their intervals.
    pub(crate) fn beside_figures<'f>(
        &self,
        name: &str,
        figures: impl IntoIterator<Item = &'f Figures>,
    ) -> Beside {
        self.beside([(name.to_owned(), figures.into_iter().map(Figures::cell))])
    }
}

impl Beside {
    /// The run's rows with the published ones below, and their source.
    pub(crate) fn lines(&self) -> Vec<String> {
        let own = self.own.iter().cloned();
        self.laid_out(own.chain(self.published.cells()))
    }

    /// Returns the published rows with the run's below, and the differences.
    fn against_the_paper(&self, run: &RunSetUp) -> Vec<String> {
        let PublishedTable { set_up, differs, .. } = &self.published;
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
    /// A one-line description for people.
    pub text: String,
    /// Whether its scores were computed here, not given.
    pub is_scored: bool,
}

impl RunSetUp {
    /// Describes a run that computed its scores.
    pub fn scored(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_scored: true }
    }

    /// Describes scores that were computed elsewhere.
    pub fn given(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_scored: false }
    }
}

/// Formats the published tables of a benchmark, each with a run's rows below and the differences from the paper's set-up.
pub fn against_the_papers(tables: &[Beside], run: &RunSetUp) -> Vec<String> {
    let lines: Vec<Vec<String>> = tables.iter().map(|table| table.against_the_paper(run)).collect();
    lines.join(&String::new())
}
