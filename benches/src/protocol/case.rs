//! A text to judge against a document. Its label is of the benchmark's own type; what sampling, plots, score files and
//! metrics need of any text is a field here.

use std::sync::Arc;

use veridic::corpus::Fields;
use veridic::corpus::read::Origin;

use super::answers::{Answers, GivenAnswers};
use super::fields;
use super::text_level::TextLevel;
use crate::metrics::MetricInputs;

/// A text to judge against a document, with its human label. It gets one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Case<Label> {
    pub origin: Origin,
    pub row: usize,
    /// Its number among all texts of the data, from 0, including those that the protocol leaves out.
    pub number: usize,
    pub id: Option<String>,
    /// Its key in the authors' files of scores; `None` if the row lacks one of the key fields.
    pub key: Option<Key>,
    /// The text that should support it.
    pub document: Arc<str>,
    /// The text to judge: a summary, a sentence of one, or a claim.
    pub text: String,
    pub level: TextLevel,
    /// Texts besides the document, for metrics that need them.
    pub inputs: Arc<Fields>,
    /// Claims and sentences given by the row, which the engine would otherwise determine.
    pub given: Arc<Given>,
    /// The answers about it, besides its score.
    pub answers: Answers,
    /// The score and the answers that its row has, if those are to be measured.
    pub given_answers: Option<GivenAnswers>,
    /// The binary label, also used by plots.
    pub is_consistent: bool,
    /// [`stratified_sample`](super::stratified_sample) takes a share of each stratum.
    pub stratum: String,
    /// What else the protocol needs: datasets, splits, ratings.
    pub label: Label,
}

/// The values of [`About::key_fields`](super::About::key_fields); `None` for a field that the text lacks.
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
    pub(super) fn of(fields: &Fields) -> Self {
        let texts = |field| fields::texts(fields, field);
        Self {
            claims: texts("claims"),
            sentences: texts("document_sentences"),
            summary_sentences: texts("summary_sentences"),
        }
    }
}

/// A text of a row; a [`Case`] once its place in the data is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Text<Label> {
    pub(crate) text: String,
    pub(crate) level: TextLevel,
    pub(crate) is_consistent: bool,
    pub(crate) stratum: String,
    /// Its sentences, if the file has the text in sentences.
    pub(crate) sentences: Option<Vec<String>>,
    pub(crate) given_answers: Option<GivenAnswers>,
    pub(crate) label: Label,
}

impl<Label> Text<Label> {
    /// Creates a summary or claim.
    pub(crate) fn new(text: String, is_consistent: bool, stratum: String, label: Label) -> Self {
        Self {
            text,
            level: TextLevel::Summary,
            is_consistent,
            stratum,
            sentences: None,
            given_answers: None,
            label,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum RowContent<Label> {
    /// Texts to judge against one document.
    Texts { document: String, texts: Vec<Text<Label>>, inputs: MetricInputs },
    /// A row with one text that the protocol leaves out, and why. Rows are counted by reason.
    LeftOut(String),
    /// A row whose answers do not fit its questions: the figures lack it. Its reason, such as "summaries without answers".
    Unanswered(String),
}

impl<Label> RowContent<Label> {
    pub(crate) fn text(document: String, text: Text<Label>) -> Self {
        Self::texts(document, vec![text])
    }

    pub(crate) fn texts(document: String, texts: Vec<Text<Label>>) -> Self {
        Self::Texts { document, texts, inputs: MetricInputs::default() }
    }

    pub(crate) fn with_inputs(mut self, given: MetricInputs) -> Self {
        if let Self::Texts { inputs, .. } = &mut self {
            *inputs = given;
        }
        self
    }

    pub(crate) fn with_reference(self, reference: Option<String>) -> Self {
        self.with_inputs(MetricInputs { reference, ..MetricInputs::default() })
    }

    /// Keeps only the texts of this level, if one is chosen.
    pub(crate) fn at_level(mut self, level: Option<TextLevel>) -> Self {
        if let Self::Texts { texts, .. } = &mut self {
            texts.retain(|text| text.level.is_judged(level));
        }
        self
    }
}
