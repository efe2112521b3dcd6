//! The values behind the numbers of a row, as in the field `sumautoeval` of a result.

use serde::Serialize;

use super::agreement::{Agreement, of_votes};
use super::alignment::AlignmentRule;
use super::answers::Votes;
use super::assessment::{Aligned, Assessment};
use super::axis::Axis;
use super::check_task::Check;
use super::entity::Entity;
use super::ground_truth::{GroundTruth, GroundTruthSource};
use super::issues::Issue;
use super::note::{Note, Sentence};
use veridic::Span;

/// The facts of a row.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ground_truth: Option<TruthFacts<'w>>,
    /// The ground truth for relevance, if it is a different one.
    #[serde(skip_serializing_if = "Option::is_none")]
    rubric: Option<TruthFacts<'w>>,
    summary: SummaryFacts<'w>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment_rule: Option<AlignmentRule>,
    /// The agreement of the three checks over this row's entities: Fleiss' kappa; null if all answers are the same.
    #[serde(skip_serializing_if = "Agreement::is_empty")]
    agreement: Agreement,
}

/// The ground truth and its results.
#[derive(Debug, Serialize)]
struct TruthFacts<'w> {
    from: GroundTruthSource,
    entities: Vec<TruthEntity<'w>>,
}

/// An entity of the ground truth.
#[derive(Debug, Serialize)]
struct TruthEntity<'w> {
    #[serde(flatten)]
    entity: &'w Entity,
    /// The index of its reference, in a rubric.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<usize>,
    /// Whether it is in the summary.
    completeness: Votes,
}

/// The parts of the summary that were checked.
#[derive(Debug, Serialize)]
struct SummaryFacts<'w> {
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<Vec<SectionFacts<'w>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entities: Option<Vec<SummaryEntity<'w>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sentences: Option<Vec<SentenceFacts<'w>>>,
}

/// A section.
#[derive(Debug, Serialize)]
struct SectionFacts<'w> {
    header: Option<&'w str>,
    /// The text under the header.
    span: Span,
}

/// An entity of the summary.
#[derive(Debug, Serialize)]
struct SummaryEntity<'w> {
    #[serde(flatten)]
    entity: &'w Entity,
    /// The index of its section, if sections were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<usize>,
    /// Whether it is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    correctness: Option<Votes>,
    /// Whether it is in the right section.
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment: Option<Aligned>,
    /// Whether the references have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    relevance: Option<Votes>,
}

/// A sentence of the summary.
#[derive(Debug, Serialize)]
struct SentenceFacts<'w> {
    text: &'w str,
    span: Span,
    issues: &'w [Issue],
}

impl<'w> Facts<'w> {
    pub(super) fn of(row: &'w Assessment<'_>, rule: AlignmentRule) -> Self {
        let truth = row.truth.as_ref().filter(|_| row.checks_truth());
        let rubric = row.rubric.as_ref();
        Self {
            ground_truth: truth.map(|truth| TruthFacts::of(truth, row.votes(Check::Completeness))),
            rubric: rubric.map(|rubric| TruthFacts::of(rubric, row.votes(Check::Rubric))),
            summary: SummaryFacts::of(row, rule),
            alignment_rule: row.known_sections.as_ref().map(|_| rule),
            agreement: Agreement {
                completeness: of_votes(row.votes(Check::Completeness)),
                correctness: of_votes(row.votes(Check::Correctness)),
            },
        }
    }
}

impl<'w> TruthFacts<'w> {
    fn of(truth: &'w GroundTruth<'_>, votes: &[Votes]) -> Self {
        let of = |(place, (entity, completeness)): (usize, (&'w Entity, &Votes))| TruthEntity {
            entity,
            reference: truth.references.get(place).copied(),
            completeness: *completeness,
        };
        Self { from: truth.from, entities: truth.entities.iter().zip(votes).enumerate().map(of).collect() }
    }
}

impl<'w> SummaryFacts<'w> {
    fn of(row: &'w Assessment<'_>, rule: AlignmentRule) -> Self {
        let has_sections = row.known_sections.is_some();
        let aligned = row.aligned(rule);
        let entity = |(place, entity): (usize, &'w Entity)| SummaryEntity {
            entity,
            section: has_sections.then_some(entity.section),
            correctness: row.votes(Check::Correctness).get(place).copied(),
            alignment: aligned.get(place).copied(),
            relevance: row.votes(Check::Relevance).get(place).copied(),
        };
        let sentence = |(sentence, issues): (&'w Sentence<'_>, &'w Vec<Issue>)| SentenceFacts {
            text: sentence.text,
            span: sentence.span,
            issues,
        };
        let are_checked =
            has_sections || row.wants_one(&[Axis::Correctness, Axis::Consistency, Axis::Relevance]);
        let are_written = row.wants_one(&[Axis::Readability, Axis::Fluency, Axis::Coherence]);
        let with_issues = row.target.sentences.iter().zip(&row.issues);
        Self {
            sections: has_sections.then(|| sections(&row.target)),
            entities: are_checked.then(|| row.entities.iter().enumerate().map(entity).collect()),
            sentences: are_written.then(|| with_issues.map(sentence).collect()),
        }
    }
}

fn sections<'w>(note: &Note<'w>) -> Vec<SectionFacts<'w>> {
    let mut facts = Vec::with_capacity(note.sections.len());
    for section in &note.sections {
        let (start, end) = (note.index.character(section.body.start), note.index.character(section.body.end));
        facts.push(SectionFacts { header: section.header, span: Span { start, end } });
    }
    facts
}
