//! The interface of a benchmark: how a row becomes texts to judge with human labels, how their scores become figures, and
//! how the figures are displayed.

use std::sync::Arc;

use super::answers::{Answers, GivenAnswers};
use super::fields;
use super::figures::Figures;
use super::published::{Beside, PublishedTable};
use super::read::{BenchError, check_scores};
use super::split::Split;
use super::text_level::TextLevel;
use crate::metrics::MetricInputs;
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow};

/// A text to judge against a document, with its human label. It gets one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The place of its row.
    pub origin: Origin,
    /// The number of its row in the data, from 0.
    pub row: usize,
    /// Its number among all texts of the data, from 0, including those that the protocol leaves out.
    pub number: usize,
    /// The row's id.
    pub id: Option<String>,
    /// Its key in the authors' files of scores; `None` if the row lacks one of the key fields.
    pub key: Option<Key>,
    /// The text that should support it.
    pub document: Arc<str>,
    /// The text to judge: a summary, a sentence of one, or a claim.
    pub text: String,
    /// Texts besides the document, for metrics that need them.
    pub inputs: Arc<Fields>,
    /// Claims and sentences given by the row, which the engine would otherwise determine.
    pub given: Arc<Given>,
    /// The answers about it, besides its score.
    pub answers: Answers,
    /// Its human label.
    pub label: Label,
}

/// The human label of a text, and other data that the protocol needs. A benchmark fills the fields that it uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Label {
    /// Its dataset, domain or group.
    pub(crate) set: String,
    /// The corpus of the document.
    pub(crate) corpus: String,
    /// The kind of its system or topic.
    pub(crate) kind: String,
    /// The system that wrote it.
    pub(crate) system: String,
    /// The split, if the file has splits.
    pub(crate) split: Option<Split>,
    pub(crate) level: TextLevel,
    /// The binary label, also used by plots.
    pub(crate) consistent: bool,
    /// The human rating.
    pub(crate) rating: f64,
    /// The types of its edits, or of the errors that people identified.
    pub(crate) errors: Vec<String>,
    /// Its sentences or key facts with their labels.
    pub(crate) items: Vec<Item>,
    /// Its sentences, if the file has the text in sentences.
    pub(crate) sentences: Option<Vec<String>>,
    /// The number of the summary that it is, or is part of, and that summary's number of sentences.
    pub(crate) summary: (usize, usize),
    /// Scores of other metrics, in the order of their names.
    pub(crate) other_scores: Vec<Option<f64>>,
    /// The score and the answers given in the row, if those are to be measured.
    pub(crate) given: Option<GivenAnswers>,
    /// [`stratified_sample`](super::stratified_sample) takes a share of each stratum.
    pub(crate) stratum: String,
}

/// A part of a text with its human label.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Item {
    pub(crate) text: String,
    /// Whether most annotators find no error in it, or find it in the text; `None` if too few annotated it.
    pub(crate) label: Option<bool>,
    /// Each annotator's vote, if the file has votes.
    pub(crate) votes: Vec<bool>,
    /// The type of its error, if annotators agree on one.
    pub(crate) error: Option<String>,
}

/// The values of [`About::key_fields`]; `None` for a field that the text lacks.
pub type Key = Vec<Option<String>>;

/// Claims and sentences given by a row, which the engine would otherwise determine. A table has each list as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The claims of its text, from the field `claims`; `None` if that is not a list of texts, or the row has several texts
    /// to judge.
    pub claims: Option<Vec<String>>,
    /// The sentences of its document, from the field `document_sentences`.
    pub sentences: Option<Vec<String>>,
    /// The sentences of its text, from the field `summary_sentences`; `None` under the same conditions as for claims.
    pub summary_sentences: Option<Vec<String>>,
}

impl Given {
    /// Reads the given claims and sentences of a row.
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
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    /// Texts to judge against one document.
    Texts {
        /// The text that should support them.
        document: String,
        /// The texts to judge, with their labels.
        texts: Vec<(String, Label)>,
        /// Texts besides the document.
        inputs: MetricInputs,
    },
    /// A row with one text that the protocol leaves out, and why. Rows are counted by reason.
    LeftOut(String),
    /// A row whose answers do not fit its questions: the figures lack it. Its reason, such as "summaries without answers".
    Unanswered(String),
}

impl RowContent {
    /// Creates the content of a row with one text to judge.
    pub(crate) fn text(document: String, text: String, label: Label) -> Self {
        Self::texts(document, vec![(text, label)])
    }

    /// Creates the content of a row with several texts to judge.
    pub(crate) fn texts(document: String, texts: Vec<(String, Label)>) -> Self {
        Self::Texts { document, texts, inputs: MetricInputs::default() }
    }

    /// Adds texts besides the document.
    pub(crate) fn with_inputs(mut self, given: MetricInputs) -> Self {
        if let Self::Texts { inputs, .. } = &mut self {
            *inputs = given;
        }
        self
    }

    /// Adds a reference, if there is one.
    pub(crate) fn with_reference(self, reference: Option<String>) -> Self {
        self.with_inputs(MetricInputs { reference, ..MetricInputs::default() })
    }

    /// Keeps only the texts of this level, if one is chosen.
    pub(crate) fn at_level(mut self, level: Option<TextLevel>) -> Self {
        if let Self::Texts { texts, .. } = &mut self {
            texts.retain(|(_, label)| label.level.is_judged(level));
        }
        self
    }
}

/// A figure of a comparison between several lists of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The figure; `None` if the data have none.
    pub value: Option<f64>,
    /// The figure as tables show it.
    pub shown: String,
}

impl Column {
    pub(crate) fn of(name: impl Into<String>, figure: &Figures) -> Self {
        Self { name: name.into(), value: figure.value(), shown: figure.cell() }
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
    /// The published rows below a comparison, with the columns of the headline.
    pub comparison: Option<&'static PublishedTable>,
}

/// The figures for display.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The lines of tables, with published rows.
    pub lines: Vec<String>,
    /// The run's rows in the columns of the published tables for which it has figures.
    pub beside: Vec<Beside>,
    /// The columns of a comparison; lists of scores are compared by the last one.
    pub headline: Vec<Column>,
}

/// A benchmark with its options.
pub trait Benchmark {
    /// Returns the properties of the benchmark.
    fn about(&self) -> About;

    /// Reads the texts of a row.
    ///
    /// # Errors
    /// A description of the row's problem, for a person.
    fn read_row(&self, row: RawRow) -> Result<RowContent, String>;

    /// Applies the protocol to cases and one finite score per case; called by [`Benchmark::figures`].
    ///
    /// # Errors
    /// If the protocol has no figure for the cases.
    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError>;

    /// Formats the figures for people; `name` is the name of the scores.
    fn show(&self, name: &str, figures: &Figures) -> Shown;

    /// Checks the scores and applies the protocol.
    ///
    /// # Errors
    /// If the scores are not one finite number per case, or the protocol has no figure for the cases.
    fn figures(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        check_scores(cases, scores)?;
        self.measure(cases, scores)
    }

    /// Refuses cases for which the protocol has no figure, before they are scored.
    ///
    /// # Errors
    /// As [`Benchmark::figures`].
    fn check(&self, cases: &[Case]) -> Result<(), BenchError> {
        let different: Vec<f64> = (0..cases.len()).map(|number| number as f64).collect();
        self.figures(cases, &different).map(drop)
    }
}
