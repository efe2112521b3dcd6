//! What a benchmark is: how a row becomes texts to judge with people's labels, how their scores become figures, and how
//! the figures are shown.

use std::sync::Arc;

use super::answers::{Answers, GivenAnswers};
use super::fields;
use super::figures::Figures;
use super::published::{Beside, PublishedTable};
use super::read::{BenchError, check_scores};
use super::split::Split;
use super::text_level::TextLevel;
use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow};
use veridic::pipeline::MetricInputs;

/// A text to judge against a document, with what people say of it. It gets one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
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
    /// What people say of it.
    pub label: Label,
}

/// What people say of a text, and what the protocol needs beside it. A benchmark fills the fields that it uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Label {
    /// Its dataset, domain or group.
    pub(crate) set: String,
    /// The corpus of its document.
    pub(crate) corpus: String,
    /// The kind of its system or topic.
    pub(crate) kind: String,
    /// The system that wrote it.
    pub(crate) system: String,
    /// Its part, if the file has parts.
    pub(crate) split: Option<Split>,
    pub(crate) level: TextLevel,
    /// The binary label, which plots show too.
    pub(crate) consistent: bool,
    /// People's rating.
    pub(crate) rating: f64,
    /// The types of its edits, or of the errors that people name.
    pub(crate) errors: Vec<String>,
    /// Its sentences or key facts with what people say of each.
    pub(crate) items: Vec<Item>,
    /// Its sentences, where the file has it in sentences.
    pub(crate) sentences: Option<Vec<String>>,
    /// The number of the summary that it is or is of, and that summary's number of sentences.
    pub(crate) summary: (usize, usize),
    /// Scores of other metrics, in the order of their names.
    pub(crate) other_scores: Vec<Option<f64>>,
    /// The score and the answers that the row brings, where they are to be measured.
    pub(crate) given: Option<GivenAnswers>,
    /// [`stratified_sample`](super::stratified_sample) takes a share of each stratum.
    pub(crate) stratum: String,
}

/// A part of a text with what people say of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Item {
    pub(crate) text: String,
    /// Whether most people find no error in it, or find it in the text; `None` if too few people say.
    pub(crate) label: Option<bool>,
    /// What each person says, where the file has that.
    pub(crate) votes: Vec<bool>,
    /// The type of its error, if people agree on one.
    pub(crate) error: Option<String>,
}

/// The values of [`About::key_fields`], `None` for a field that the text does not have.
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
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    /// Texts to judge against one document.
    Texts {
        /// The text that should support them.
        document: String,
        /// The texts to judge, and what people say of each.
        texts: Vec<(String, Label)>,
        /// Texts beside the document.
        metric_inputs: MetricInputs,
    },
    /// A row of one text that the protocol leaves out, and why. Rows are counted by reason.
    LeftOut(String),
}

impl RowContent {
    /// One text to judge.
    pub(crate) fn text(document: String, text: String, label: Label) -> Self {
        Self::texts(document, vec![(text, label)])
    }

    /// Several.
    pub(crate) fn texts(document: String, texts: Vec<(String, Label)>) -> Self {
        Self::Texts { document, texts, metric_inputs: MetricInputs::default() }
    }

    /// The same with texts beside the document.
    pub(crate) fn with_inputs(mut self, inputs: MetricInputs) -> Self {
        if let Self::Texts { metric_inputs, .. } = &mut self {
            *metric_inputs = inputs;
        }
        self
    }

    /// The same with a reference, if there is one.
    pub(crate) fn with_reference(self, reference: Option<String>) -> Self {
        self.with_inputs(MetricInputs { reference, ..MetricInputs::default() })
    }

    /// Only the texts of this level, if one is chosen.
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
    /// The figure; `None` where the data have none.
    pub value: Option<f64>,
    /// As a table shows it.
    pub shown: String,
}

impl Column {
    pub(crate) fn of(name: impl Into<String>, figure: &Figures) -> Self {
        Self { name: name.into(), value: figure.value(), shown: figure.cell() }
    }
}

/// What is known of a benchmark before it reads a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    /// The fields that identify a text in the authors' files of scores; empty where they have none.
    pub key_fields: &'static [&'static str],
    /// Whether the last of these is the number of a sentence, which a summary does not have.
    pub ends_with_sentence: bool,
    /// The metric whose first number is the score, unless another is chosen; `None` is FENICE's claims.
    pub usual_metric: Option<&'static str>,
    /// The published tables, for JSON output.
    pub published: &'static [PublishedTable],
    /// The published rows below a comparison, with the columns of the headline.
    pub comparison: Option<&'static PublishedTable>,
}

/// The figures for people.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// As the lines of tables, with published rows.
    pub lines: Vec<String>,
    /// The run's rows in the columns of the published tables that it has figures for.
    pub beside: Vec<Beside>,
    /// The columns of a comparison; lists of scores are compared by the last.
    pub headline: Vec<Column>,
}

/// A benchmark with its options.
pub trait Benchmark {
    /// What is known of it before it reads a row.
    fn about(&self) -> About;

    /// Reads the texts of a row.
    ///
    /// # Errors
    /// What is wrong with the row, for a person.
    fn read_row(&self, row: RawRow) -> Result<RowContent, String>;

    /// Applies the protocol to cases and as many finite scores; called by [`Benchmark::figures`].
    ///
    /// # Errors
    /// Cases that the protocol has no figure for.
    fn measure(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError>;

    /// The figures for people; `name` is the name of the scores.
    fn show(&self, name: &str, figures: &Figures) -> Shown;

    /// Checks the scores and applies the protocol.
    ///
    /// # Errors
    /// Scores that are not one finite number a case, and cases that the protocol has no figure for.
    fn figures(&self, cases: &[Case], scores: &[f64]) -> Result<Figures, BenchError> {
        check_scores(cases, scores)?;
        self.measure(cases, scores)
    }

    /// Refuses cases that the protocol has no figure for, before they are scored.
    ///
    /// # Errors
    /// As [`Benchmark::figures`].
    fn check(&self, cases: &[Case]) -> Result<(), BenchError> {
        let different: Vec<f64> = (0..cases.len()).map(|number| number as f64).collect();
        self.figures(cases, &different).map(drop)
    }
}
