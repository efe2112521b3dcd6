//! What is asked about: each sentence or the summary, with or without an explanation.

use crate::llm::Step;
use crate::metrics::row::Row;
use veridic::named;

/// The subject of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Each sentence.
    Sentence,
    /// Each sentence, with an explanation.
    SentenceExplained,
    /// The summary.
    Summary,
    /// The summary, with an explanation.
    SummaryExplained,
}

named!(Axis, "axis", {
    Sentence = "sentence",
    SentenceExplained = "sentence-explained",
    Summary = "summary",
    SummaryExplained = "summary-explained",
});

impl Axis {
    pub(crate) fn step(self) -> Step {
        match self {
            Self::Sentence => Step::TofuEvalSentence,
            Self::SentenceExplained => Step::TofuEvalSentenceExplained,
            Self::Summary => Step::TofuEvalSummary,
            Self::SummaryExplained => Step::TofuEvalSummaryExplained,
        }
    }

    pub(super) fn number_name(self) -> &'static str {
        match self {
            Self::Sentence => "tofueval_sentence",
            Self::SentenceExplained => "tofueval_sentence_explained",
            Self::Summary => "tofueval_summary",
            Self::SummaryExplained => "tofueval_summary_explained",
        }
    }

    pub(super) fn facts_name(self) -> &'static str {
        match self {
            Self::Sentence => "tofueval_sentence_facts",
            Self::SentenceExplained => "tofueval_sentence_explained_facts",
            Self::Summary => "tofueval_summary_facts",
            Self::SummaryExplained => "tofueval_summary_explained_facts",
        }
    }

    /// Returns the texts to ask about.
    pub(super) fn texts<'t>(self, row: &Row<'t>) -> Vec<&'t str> {
        match self {
            Self::Sentence | Self::SentenceExplained => row.summary_units(),
            Self::Summary | Self::SummaryExplained => vec![row.texts.pair.summary],
        }
    }

    /// The field of a request with the text.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Sentence | Self::SentenceExplained => "sentence",
            Self::Summary | Self::SummaryExplained => "summary",
        }
    }
}
