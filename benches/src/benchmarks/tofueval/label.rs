//! What the protocol needs of a text, and the parts of the data that have figures of their own.

use super::names::{DATASETS, TOPICS};
use crate::protocol::{Case, Split, TextLevel};

/// Where a text is from, and its errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub(crate) dataset: &'static str,
    /// The kind of its topic.
    pub(crate) topic: &'static str,
    pub(crate) split: Split,
    /// The types of its errors.
    pub(crate) errors: Vec<String>,
    /// The summary that it is, or is part of.
    pub(crate) summary: SummarySize,
}

/// The number of a summary, and its number of sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SummarySize {
    pub(crate) number: usize,
    pub(crate) sentences: usize,
}

/// A corpus and a kind of topic; `None` is both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) dataset: Option<&'static str>,
    pub(super) topic: Option<&'static str>,
}

impl Part {
    pub(super) const WHOLE: Self = Self { dataset: None, topic: None };

    /// Returns each corpus by kind of topic and as a whole, then both together.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let datasets = DATASETS.map(|(name, _)| Some(name)).into_iter().chain([None]);
        let topics = || TOPICS.map(Some).into_iter().chain([None]);
        datasets.flat_map(move |dataset| topics().map(move |topic| Self { dataset, topic }))
    }

    fn has(self, label: &Label) -> bool {
        self.dataset.is_none_or(|dataset| label.dataset == dataset)
            && self.topic.is_none_or(|topic| label.topic == topic)
    }

    /// Returns its texts of a level and split.
    pub(super) fn rows(self, cases: &[Case<Label>], level: TextLevel, split: Split) -> Vec<usize> {
        let is_in =
            |case: &Case<Label>| case.level == level && case.label.split == split && self.has(&case.label);
        (0..cases.len()).filter(|row| is_in(&cases[*row])).collect()
    }
}
