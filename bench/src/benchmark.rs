//! What a benchmark is: how a row becomes texts to judge, and how scores of them become figures.

use std::sync::Arc;

use serde::Serialize;

use super::published::PublishedTable;
use super::read::BenchError;
use super::sampled::Estimate;
use veridic::corpus::read::{Origin, RawRow};
use veridic::pipeline::MetricInputs;

/// A text to judge against a document, with what its benchmark has to know of it. It gets one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Case<K> {
    /// Where its row is.
    pub origin: Origin,
    /// The number of its row in the data, from 0.
    pub row: usize,
    /// Its number among all texts of the data, from 0; those that the protocol leaves out are counted too.
    pub number: usize,
    /// The row's id.
    pub id: Option<String>,
    /// The text that should support it.
    pub document: Arc<str>,
    /// The text to judge: a summary, a sentence of one, or a claim.
    pub text: String,
    /// Texts beside the document, for metrics that ask for them.
    pub aids: Arc<MetricInputs>,
    /// What the protocol has to know.
    pub keys: K,
}

/// What a row comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken<K> {
    /// Texts to judge against one document.
    Texts {
        /// The text that should support them.
        document: String,
        /// The texts to judge, and what the protocol has to know of each.
        texts: Vec<(String, K)>,
        /// Texts beside the document.
        aids: MetricInputs,
    },
    /// A row of one text that has no part in the protocol, and why. Rows of one reason are counted together.
    LeftOut(String),
}

/// A figure of a comparison between several lists of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What it is called.
    pub name: String,
    /// The figure; none where the data have none.
    pub value: Option<f64>,
    /// As a table shows it.
    pub shown: String,
}

impl Column {
    pub(super) fn of(name: &str, estimate: Option<Estimate>) -> Self {
        let value = estimate.map(|estimate| estimate.value);
        Self { name: name.to_owned(), value, shown: Estimate::shown(estimate) }
    }
}

/// A benchmark with its options.
pub trait Benchmark {
    /// What the protocol has to know of a text.
    type Keys;
    /// What a run comes to.
    type Figures: Serialize;

    /// Takes a row apart.
    ///
    /// # Errors
    /// What is wrong with the row, for a person.
    fn take(&self, row: RawRow) -> Result<Taken<Self::Keys>, String>;

    /// Whether people call a text consistent, for pictures.
    fn label(&self, keys: &Self::Keys) -> bool;

    /// Rows of which stratum a text belongs to: a quick look takes its share of each ([`pick`](super::pick())).
    fn stratum(&self, keys: &Self::Keys) -> String;

    /// Applies the protocol to cases and their scores.
    ///
    /// # Errors
    /// Scores that are not one finite number a case, and cases that the protocol has no figure for.
    fn figures(&self, cases: &[Case<Self::Keys>], scores: &[f64]) -> Result<Self::Figures, BenchError>;

    /// The figures for a person, with the published rows; `name` is what the scores are called.
    fn table(&self, name: &str, figures: &Self::Figures) -> Vec<String>;

    /// What a comparison shows; lists of scores are compared by the last figure.
    fn headline(&self, figures: &Self::Figures) -> Vec<Column>;

    /// The metric whose first number is the score, unless another is asked for; none is FENICE's claims.
    fn usual_metric(&self) -> Option<&'static str> {
        None
    }

    /// What others published, for `--format json`.
    fn published(&self) -> &'static [PublishedTable] {
        &[]
    }

    /// The published rows that belong under a comparison, with the columns of the headline.
    fn published_comparison(&self) -> Option<&'static PublishedTable> {
        None
    }

    /// Refuses cases that the protocol has no figure for, before the long work and not after it.
    ///
    /// # Errors
    /// As [`Benchmark::figures`].
    fn check(&self, cases: &[Case<Self::Keys>]) -> Result<(), BenchError> {
        let different: Vec<f64> = (0..cases.len()).map(|number| number as f64).collect();
        self.figures(cases, &different).map(drop)
    }
}
