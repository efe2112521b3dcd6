//! The values behind the numbers of a row, as in the field `sumautoeval` of a result.

use serde::Serialize;

use super::alignment::AlignmentRule;
use super::answers::{Answer, CHECKS};
use super::entities::Entity;
use super::ground_truth::GroundTruthSource;
use super::writing::Issue;
use veridic::Span;

/// The facts of a row.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ground_truth: Option<TruthFacts<'w>>,
    /// The ground truth for relevance, if it is a different one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rubric: Option<TruthFacts<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<SummaryFacts<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment_rule: Option<AlignmentRule>,
    /// The agreement of the three checks over this row's entities: Fleiss' kappa; null if all answers are the same.
    #[serde(skip_serializing_if = "super::Agreement::is_empty")]
    pub(super) agreement: super::Agreement,
}

/// The ground truth and its results.
#[derive(Debug, Serialize)]
pub(super) struct TruthFacts<'w> {
    pub(super) from: GroundTruthSource,
    pub(super) entities: Vec<TruthEntity<'w>>,
}

/// An entity of the ground truth.
#[derive(Debug, Serialize)]
pub(super) struct TruthEntity<'w> {
    #[serde(flatten)]
    pub(super) entity: &'w Entity,
    /// The index of its reference, in a rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<usize>,
    /// Whether it is in the summary.
    pub(super) completeness: Votes,
}

/// The parts of the summary that were checked.
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
    /// The text under the header.
    pub(super) span: Span,
}

/// An entity of the summary.
#[derive(Debug, Serialize)]
pub(super) struct SummaryEntity<'w> {
    #[serde(flatten)]
    pub(super) entity: &'w Entity,
    /// The index of its section, if sections were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) section: Option<usize>,
    /// Whether it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) correctness: Option<Votes>,
    /// Whether it is in the right section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment: Option<Aligned>,
    /// Whether the references have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relevance: Option<Votes>,
}

/// The answers of the checks, and their vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Votes {
    answers: Answers,
    pub(super) vote: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Answers {
    presence: Answer,
    coverage: Answer,
    evidence: Answer,
}

impl Votes {
    pub(super) fn of([presence, coverage, evidence]: [Answer; CHECKS]) -> Self {
        let vote = super::answers::vote([presence, coverage, evidence]);
        Self { answers: Answers { presence, coverage, evidence }, vote }
    }

    pub(super) fn answers(&self) -> [Answer; CHECKS] {
        let Answers { presence, coverage, evidence } = self.answers;
        [presence, coverage, evidence]
    }
}

/// The two checks of an entity's section, and their combination.
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
