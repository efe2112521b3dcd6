//! What made the numbers of a row, as the result tells it under `sumautoeval`.

use serde::Serialize;

use super::alignment::AlignmentRule;
use super::answers::{Answer, CHECKS};
use super::entities::Entity;
use super::truth::TruthFrom;
use super::writing::Issue;
use veridic_text::Span;

/// All of a row.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ground_truth: Option<TruthFacts<'w>>,
    /// The ground truth of relevance, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rubric: Option<TruthFacts<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<SummaryFacts<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment_rule: Option<AlignmentRule>,
    /// How far the three checks agree over this row's entities: Fleiss' kappa; null where all answers are the same.
    #[serde(skip_serializing_if = "super::Agreement::is_empty")]
    pub(super) agreement: super::Agreement,
}

/// What the summary was compared with.
#[derive(Debug, Serialize)]
pub(super) struct TruthFacts<'w> {
    pub(super) from: TruthFrom,
    pub(super) entities: Vec<TruthEntity<'w>>,
}

/// An entity of the ground truth.
#[derive(Debug, Serialize)]
pub(super) struct TruthEntity<'w> {
    #[serde(flatten)]
    pub(super) entity: &'w Entity,
    /// The number of its reference, from 0, in a rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<usize>,
    /// Whether it is in the summary.
    pub(super) completeness: Voted,
}

/// What was looked at in the summary.
#[derive(Debug, Serialize)]
pub(super) struct SummaryFacts<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sections: Option<Vec<SectionFacts<'w>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) entities: Option<Vec<SummaryEntity<'w>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sentences: Option<Vec<SentenceFacts<'w>>>,
}

/// A section.
#[derive(Debug, Serialize)]
pub(super) struct SectionFacts<'w> {
    pub(super) header: Option<&'w str>,
    /// What stands under the header.
    pub(super) span: Span,
}

/// An entity of the summary.
#[derive(Debug, Serialize)]
pub(super) struct SummaryEntity<'w> {
    #[serde(flatten)]
    pub(super) entity: &'w Entity,
    /// Number of its section, from 0, where sections were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) section: Option<usize>,
    /// Whether it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) correctness: Option<Voted>,
    /// Whether it is in the right section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment: Option<Aligned>,
    /// Whether the references have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relevance: Option<Voted>,
}

/// Answers and what they come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Voted {
    answers: Answers,
    pub(super) vote: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Answers {
    presence: Answer,
    coverage: Answer,
    evidence: Answer,
}

impl Voted {
    pub(super) fn of([presence, coverage, evidence]: [Answer; CHECKS]) -> Self {
        let vote = super::answers::vote([presence, coverage, evidence]);
        Self { answers: Answers { presence, coverage, evidence }, vote }
    }

    pub(super) fn answers(&self) -> [Answer; CHECKS] {
        let Answers { presence, coverage, evidence } = self.answers;
        [presence, coverage, evidence]
    }
}

/// Two checks of an entity's section and what they come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Aligned {
    pub(super) by_definition: bool,
    pub(super) by_ground_truth: bool,
    pub(super) is_aligned: bool,
}

/// A sentence of the summary.
#[derive(Debug, Serialize)]
pub(super) struct SentenceFacts<'w> {
    pub(super) text: &'w str,
    pub(super) span: Span,
    pub(super) issues: &'w [Issue],
}
