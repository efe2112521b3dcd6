//! The interface of a benchmark: how a row becomes texts to judge with human labels, how their scores become figures, and
//! how the figures are displayed. It is given scores and never computes them.

use veridic::corpus::read::RawRow;
use veridic_stats::Undefined;

use super::case::{Case, RowContent};
use super::error::BenchError;
use super::figures::Figures;
use super::published::{Beside, PublishedTable};

/// A benchmark with its options.
pub trait Benchmark {
    /// What its protocol needs of a text besides the binary label.
    type Label: Clone;

    /// Returns the properties of the benchmark.
    fn about(&self) -> About;

    /// Reads the texts of a row.
    ///
    /// # Errors
    /// A description of the row's problem, for a person.
    fn read_row(&self, row: RawRow) -> Result<RowContent<Self::Label>, String>;

    /// Applies the protocol to cases and one finite score per case; called by [`Benchmark::figures`].
    ///
    /// # Errors
    /// If the protocol has no figure for the cases.
    fn measure(&self, cases: &[Case<Self::Label>], scores: &[f64]) -> Result<Figures, BenchError>;

    /// Formats the figures for people; `name` is the name of the scores.
    fn show(&self, name: &str, figures: &Figures) -> Shown;

    /// Checks the scores and applies the protocol.
    ///
    /// # Errors
    /// If the scores are not one finite number per case, or the protocol has no figure for the cases.
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

/// The properties of a benchmark that do not depend on its rows.
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
