//! The interface of a benchmark: how a row becomes texts to judge with human labels, how their scores become figures, and
//! how the figures are displayed. It is given scores and never computes them.

use veridic::corpus::read::RawRow;
use veridic_stats::Undefined;

use super::case::{Case, RowContent};
use super::error::BenchError;
use super::figures::Figures;
use super::layout;
use super::published::{Beside, PublishedTable};

/// A benchmark with its options.
pub trait Benchmark {
    /// What its protocol needs of a text besides the binary label.
    type Label: Clone;

    fn about(&self) -> About;

    /// Reads the texts of a row. An error describes the row's problem to a person.
    fn read_row(&self, row: RawRow) -> Result<RowContent<Self::Label>, String>;

    /// Applies the protocol to cases and one finite score per case; called by [`Benchmark::figures`].
    fn measure(&self, cases: &[Case<Self::Label>], scores: &[f64]) -> Result<Figures, BenchError>;

    /// Formats the figures for people; `name` is the name of the scores.
    fn show(&self, name: &str, figures: &Figures) -> Shown;

    /// Applies the protocol to scores that are one finite number per case, and refuses others.
    fn figures(&self, cases: &[Case<Self::Label>], scores: &[f64]) -> Result<Figures, BenchError> {
        check_scores(cases, scores)?;
        self.measure(cases, scores)
    }

    /// Refuses cases for which the protocol has no figure, before they are scored.
    fn check(&self, cases: &[Case<Self::Label>]) -> Result<(), BenchError> {
        let different: Vec<f64> = (0..cases.len()).map(|number| number as f64).collect();
        self.figures(cases, &different).map(drop)
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    /// The fields that identify a text in the authors' files of scores; empty if there are none.
    pub key_fields: &'static [&'static str],
    /// Whether the last key field is the number of a sentence, which a summary lacks.
    pub ends_with_sentence: bool,
    /// The default metric, whose first number is the score; `None` is FENICE's claims.
    pub usual_metric: Option<&'static str>,
    /// The published tables, for JSON output.
    pub published: &'static [PublishedTable],
}

/// The figures for display.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The lines of tables, with published rows.
    pub lines: Vec<String>,
    /// The run's rows in the columns of the published tables for which it has figures.
    pub beside: Vec<Beside>,
}

impl Shown {
    /// A title, a table of the run, its rows beside a published table, and the warnings.
    pub(crate) fn table(title: String, rows: &[Vec<String>], beside: Beside, figures: &Figures) -> Self {
        let mut lines = vec![title];
        lines.extend(layout::lines(rows));
        lines.push(String::new());
        lines.extend(beside.lines());
        lines.extend(figures.warnings());
        Self { lines, beside: vec![beside] }
    }
}

/// Refuses scores that are not one finite number per case.
pub(crate) fn check_scores<Label>(cases: &[Case<Label>], scores: &[f64]) -> Result<(), BenchError> {
    if cases.len() != scores.len() {
        return Err(Undefined::Lengths { first: cases.len(), second: scores.len() }.into());
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(index) => Err(Undefined::NotFinite { index }.into()),
        None => Ok(()),
    }
}
