//! What people say of a summary in REALSumm: which key facts it has, and the share that follows.

use clap::ValueEnum;
use veridic::named;

use crate::protocol::Rating;

/// The rated dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Dimension {
    /// The share of key facts that people find in a summary
    #[default]
    Completeness,
    /// The share of its sentences in which people find a key fact
    Conciseness,
}

named!(Dimension, "dimension", { Completeness = "completeness", Conciseness = "conciseness" });

#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub(crate) rating: Rating,
    pub(crate) key_facts: Vec<KeyFact>,
    /// Whether its file has it in sentences, as FineSurE's does.
    pub(crate) is_in_sentences: bool,
}

/// A key fact with what people say of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyFact {
    pub(crate) text: String,
    /// Whether most annotators find it in the text; `None` if too few annotated it.
    pub(crate) label: Option<bool>,
    /// Each annotator's vote, if the file has votes.
    pub(crate) votes: Vec<bool>,
}

impl Label {
    pub(super) fn new(system: String, share: f64, key_facts: Vec<KeyFact>) -> Self {
        Self { rating: Rating { system, value: share }, key_facts, is_in_sentences: false }
    }
}
