//! What a benchmark is: how a row becomes texts to judge, and how their scores become figures.

use std::sync::Arc;

use serde::Serialize;

use super::answers::{Answers, GivenAnswers};
use super::estimate::Estimate;
use super::fields;
use super::published::{Beside, PublishedTable};
use super::read::{BenchError, check_scores};
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow};
use veridic::pipeline::MetricInputs;

/// A text to judge against a document, with what its benchmark's protocol needs. It gets one score.
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
    /// What identifies it in the authors' files of scores; `None` if the row lacks one of the fields.
    pub key: Option<Key>,
    /// The text that should support it.
    pub document: Arc<str>,
    /// The text to judge: a summary, a sentence of one, or a claim.
    pub text: String,
    /// Texts beside the document, for metrics that need them.
    pub metric_inputs: Arc<MetricInputs>,
    /// What the row brings instead of what the engine would find.
    pub given: Arc<Given>,
    /// What was answered about it beside its score.
    pub answers: Answers,
    /// What the protocol needs.
    pub keys: K,
}

/// The values of [`Benchmark::key_fields`], `None` for a field that the text does not have.
pub type Key = Vec<Option<String>>;

/// What a row brings instead of what the engine would find. A table has the JSON of each list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The claims of its text, from the field `claims`; `None` if that is no list of texts, or the row has several texts
    /// to judge.
    pub claims: Option<Vec<String>>,
    /// The sentences of its document, from the field `document_sentences`.
    pub sentences: Option<Vec<String>>,
    /// The sentences of its text, from the field `summary_sentences`; `None` as for the claims.
    pub summary_sentences: Option<Vec<String>>,
}

impl Given {
    /// Those of a row.
    pub(super) fn of(fields: &Fields) -> Self {
        let texts = |field| fields::texts(fields, field);
        Self {
            claims: texts("claims"),
            sentences: texts("document_sentences"),
            summary_sentences: texts("summary_sentences"),
        }
    }
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowContent<K> {
    /// Texts to judge against one document.
    Texts {
        /// The text that should support them.
        document: String,
        /// The texts to judge, and what the protocol needs of each.
        texts: Vec<(String, K)>,
        /// Texts beside the document.
        metric_inputs: MetricInputs,
    },
    /// A row of one text that the protocol leaves out, and why. Rows are counted by reason.
    LeftOut(String),
}

impl<K> RowContent<K> {
    /// One text to judge.
    pub(crate) fn text(document: String, text: String, keys: K) -> Self {
        Self::Texts { document, texts: vec![(text, keys)], metric_inputs: MetricInputs::default() }
    }

    /// The same with texts beside the document.
    pub(crate) fn with_inputs(mut self, inputs: MetricInputs) -> Self {
        if let Self::Texts { metric_inputs, .. } = &mut self {
            *metric_inputs = inputs;
        }
        self
    }
}

/// A figure of a comparison between several lists of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The figure; `None` where the data have none.
    pub value: Option<f64>,
    /// As a table shows it.
    pub shown: String,
}

impl Column {
    pub(crate) fn of(name: &str, estimate: Option<Estimate>) -> Self {
        let value = estimate.map(|estimate| estimate.value);
        Self { name: name.to_owned(), value, shown: Estimate::shown(estimate) }
    }
}

/// A benchmark with its options.
pub trait Benchmark {
    /// What the protocol needs of a text.
    type Keys;
    /// The result of a run.
    type Figures: Serialize;

    /// The fields that identify a text in the authors' files of scores; empty where they have none.
    fn key_fields(&self) -> &'static [&'static str] {
        &[]
    }

    /// The key of a text, from that of its row.
    fn key(&self, _keys: &Self::Keys, row: &Key) -> Key {
        row.clone()
    }

    /// Reads the texts of a row.
    ///
    /// # Errors
    /// What is wrong with the row, for a person.
    fn read_row(&self, row: RawRow) -> Result<RowContent<Self::Keys>, String>;

    /// The binary label of a text for plots: whether people call it consistent.
    fn label(&self, keys: &Self::Keys) -> bool;

    /// The sentences of a text, where the data have them.
    fn sentences<'k>(&self, _keys: &'k Self::Keys) -> Option<&'k [String]> {
        None
    }

    /// The score and the answers of a text that the data bring themselves, where they are to be measured.
    fn given_answers<'k>(&self, _keys: &'k Self::Keys) -> Option<&'k GivenAnswers> {
        None
    }

    /// The stratum of a text: [`stratified_sample`](super::stratified_sample) takes a share of each.
    fn stratum(&self, keys: &Self::Keys) -> String;

    /// Applies the protocol to cases and as many finite scores; called by [`Benchmark::figures`].
    ///
    /// # Errors
    /// Cases that the protocol has no figure for.
    fn measure(&self, cases: &[Case<Self::Keys>], scores: &[f64]) -> Result<Self::Figures, BenchError>;

    /// The figures as the lines of a table, with published rows; `name` is the name of the scores.
    fn table(&self, name: &str, figures: &Self::Figures) -> Vec<String>;

    /// The columns of a comparison; lists of scores are compared by the last.
    fn headline(&self, figures: &Self::Figures) -> Vec<Column>;

    /// The metric whose first number is the score, unless another is chosen; `None` is FENICE's claims.
    fn usual_metric(&self) -> Option<&'static str> {
        None
    }

    /// The published tables, for JSON output.
    fn published(&self) -> &'static [PublishedTable] {
        &[]
    }

    /// The run's rows in the columns of the published tables that it has figures for; `name` is the name of the scores.
    fn beside_published(&self, _name: &str, _figures: &Self::Figures) -> Vec<Beside> {
        Vec::new()
    }

    /// The published rows below a comparison, with the columns of the headline.
    fn published_comparison(&self) -> Option<&'static PublishedTable> {
        None
    }

    /// Checks the scores and applies the protocol.
    ///
    /// # Errors
    /// Scores that are not one finite number a case, and cases that the protocol has no figure for.
    fn figures(&self, cases: &[Case<Self::Keys>], scores: &[f64]) -> Result<Self::Figures, BenchError> {
        check_scores(cases, scores)?;
        self.measure(cases, scores)
    }

    /// Refuses cases that the protocol has no figure for, before they are scored.
    ///
    /// # Errors
    /// As [`Benchmark::figures`].
    fn check(&self, cases: &[Case<Self::Keys>]) -> Result<(), BenchError> {
        let different: Vec<f64> = (0..cases.len()).map(|number| number as f64).collect();
        self.figures(cases, &different).map(drop)
    }
}
