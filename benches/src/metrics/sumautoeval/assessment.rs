//! The state of a row in this evaluator: the inputs of the requested axes, the results of the checks, and the numbers.

use serde::Serialize;

use super::alignment::{AlignmentRule, KnownSections};
use super::answers::{Votes, rating, readability, score, share};
use super::axis::Axis;
use super::check_task::{Check, CheckTask, SourceText, SourceTexts};
use super::entity::Entity;
use super::entity_source::EntitySource;
use super::flow;
use super::ground_truth::{GroundTruth, GroundTruthSource};
use super::issues::{Issue, IssueKind};
use super::note::Note;
use crate::metrics::inputs::MetricInputs;
use crate::metrics::row::{Texts, has_words};
use veridic::pipeline::{NliPair, NliResult};
use veridic::text::sentences;
use veridic::{Error, Pair, Result};

/// A row and its results.
pub(super) struct Assessment<'t> {
    pair: Pair<'t>,
    inputs: &'t MetricInputs,
    axes: Vec<Axis>,
    /// The axes for which the row lacks something.
    pub(super) left_out: Vec<LeftOut>,
    /// The summary.
    pub(super) target: Note<'t>,
    /// The summary's entities, if an axis is about them.
    pub(super) entities: Vec<Entity>,
    /// For completeness, correctness and alignment; also for relevance without a rubric.
    pub(super) truth: Option<GroundTruth<'t>>,
    /// For relevance, if the row has several references.
    pub(super) rubric: Option<GroundTruth<'t>>,
    pub(super) known_sections: Option<KnownSections>,
    /// The issues of each sentence of the summary.
    pub(super) issues: Vec<Vec<Issue>>,
    /// Whether each entity belongs in its section by the section's definition.
    pub(super) by_definition: Vec<bool>,
    votes: [Vec<Votes>; Check::ALL.len()],
}

/// An axis that is not measured, and why.
pub(super) struct LeftOut {
    pub(super) axis: Axis,
    pub(super) reason: String,
}

/// The two checks of an entity's section, and their combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Aligned {
    by_definition: bool,
    by_ground_truth: bool,
    is_aligned: bool,
}

/// The single reference, which correctness uses besides the document; it uses no rubric.
fn reference_of(inputs: &MetricInputs) -> Option<&str> {
    inputs.reference.as_deref().filter(|text| has_words(text))
}

/// What an axis compares the summary with, besides the document; a row without a reference has a rubric in its place.
fn ground_truth_of(axis: Axis, inputs: &MetricInputs) -> Option<GroundTruthSource> {
    match axis {
        Axis::Completeness | Axis::Alignment => Some(GroundTruthSource::Reference),
        Axis::Correctness | Axis::Consistency => reference_of(inputs).map(|_| GroundTruthSource::Reference),
        Axis::Relevance if inputs.references.is_empty() => Some(GroundTruthSource::Reference),
        Axis::Relevance => Some(GroundTruthSource::Rubric),
        Axis::Readability | Axis::Fluency | Axis::Coherence => None,
    }
}

/// The texts of a row whose entities the axes need.
pub(super) fn texts_with_entities<'t>(texts: Texts<'t>, axes: &[Axis]) -> Vec<&'t str> {
    let Texts { pair, inputs, .. } = texts;
    let mut found = Vec::new();
    if axes.iter().any(|axis| axis.is_of_entities()) {
        found.push(pair.summary);
    }
    for axis in axes {
        match (ground_truth_of(*axis, inputs), reference_of(inputs)) {
            (None, _) => {}
            (Some(GroundTruthSource::Reference), Some(reference)) => found.push(reference),
            _ => found.extend(inputs.references.iter().map(String::as_str).filter(|text| has_words(text))),
        }
    }
    found
}

impl<'t> Assessment<'t> {
    /// Prepares a row for the axes. Those for which it lacks something are left out, or errors.
    pub(super) fn of(texts: Texts<'t>, axes: &[Axis], source: &EntitySource) -> Result<Self> {
        let Texts { pair, inputs, is_lenient, .. } = texts;
        let target = Note::of(pair.summary);
        let has_entities = axes.iter().any(|axis| axis.is_of_entities());
        let mut assessment = Self {
            pair,
            inputs,
            axes: Vec::new(),
            left_out: Vec::new(),
            entities: if has_entities { source.entities(&target)? } else { Vec::new() },
            target,
            truth: None,
            rubric: None,
            known_sections: None,
            issues: Vec::new(),
            by_definition: Vec::new(),
            votes: Default::default(),
        };
        for &axis in axes {
            match assessment.prepare(axis, source) {
                Ok(()) => assessment.axes.push(axis),
                Err(error) if is_lenient => {
                    assessment.left_out.push(LeftOut { axis, reason: error.to_string() });
                }
                Err(error) => return Err(error),
            }
        }
        if assessment.wants(Axis::Coherence) && !source.is_asked() {
            assessment.issues = flow::issues(&assessment.target);
        }
        Ok(assessment)
    }

    /// Prepares the row for an axis.
    fn prepare(&mut self, axis: Axis, source: &EntitySource) -> Result<()> {
        if !source.is_asked() {
            axis.check_without_answers()?;
        }
        match ground_truth_of(axis, self.inputs) {
            Some(GroundTruthSource::Reference) if self.truth.is_none() => {
                self.truth = Some(GroundTruth::of_reference(self.inputs, source)?);
            }
            Some(GroundTruthSource::Rubric) => self.rubric = Some(GroundTruth::rubric(self.inputs, source)?),
            _ => {}
        }
        if axis == Axis::Alignment {
            if !self.target.has_sections() {
                let reason =
                    "has no sections: alignment needs headers in it, such as lines `# Plan` or `Plan:`";
                return Err(Error::Text { role: "summary", reason: reason.to_owned() });
            }
            let known = |truth| KnownSections::of(&self.target, truth, &self.inputs.sections);
            self.known_sections = self.truth.as_ref().map(known);
        }
        Ok(())
    }

    fn wants(&self, axis: Axis) -> bool {
        self.axes.contains(&axis)
    }

    pub(super) fn wants_one(&self, axes: &[Axis]) -> bool {
        axes.iter().any(|axis| self.wants(*axis))
    }

    /// Whether any axis is measured.
    pub(super) fn has_axes(&self) -> bool {
        !self.axes.is_empty()
    }

    /// Whether the summary is checked for the ground truth's entities.
    pub(super) fn checks_truth(&self) -> bool {
        self.wants(Axis::Completeness) || (self.wants(Axis::Relevance) && self.rubric.is_none())
    }

    /// What a check is about, if it is needed.
    pub(super) fn task(&self, check: Check) -> Option<CheckTask<'_>> {
        let summary = || SourceTexts::of([self.target.source_text()]);
        match check {
            Check::Completeness => {
                let truth = self.truth.as_ref().filter(|_| self.checks_truth())?;
                Some(CheckTask::of(&truth.entities, summary()))
            }
            Check::Rubric => Some(CheckTask::of(&self.rubric.as_ref()?.entities, summary())),
            Check::Correctness => self
                .wants_one(&[Axis::Correctness, Axis::Consistency])
                .then(|| CheckTask::of(&self.entities, self.document_and_truth())),
            Check::Relevance => {
                let truth = self.rubric.as_ref().or(self.truth.as_ref());
                let truth = truth.filter(|_| self.wants(Axis::Relevance))?;
                Some(CheckTask::of(&self.entities, truth.source()))
            }
            Check::Section => {
                let known = self.known_sections.as_ref()?;
                Some(known.task(&self.target, &self.entities, self.truth.as_ref()?))
            }
        }
    }

    fn document_and_truth(&self) -> SourceTexts<'_> {
        let sentences = match self.pair.sentences {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => sentences(self.pair.document).iter().map(|span| span.slice(self.pair.document)).collect(),
        };
        let notes = self.truth.iter().flat_map(|truth| truth.notes.iter().map(Note::source_text));
        let document = SourceText { text: self.pair.document.into(), sentences };
        SourceTexts::of([document].into_iter().chain(notes))
    }

    /// The votes of a check; empty if it is not needed.
    pub(super) fn votes(&self, check: Check) -> &[Votes] {
        &self.votes[check as usize]
    }

    pub(super) fn set_votes(&mut self, check: Check, votes: Vec<Votes>) {
        self.votes[check as usize] = votes;
    }

    /// The summary's entities with the hypotheses of sections; none if sections are not checked.
    pub(super) fn section_pairs(&self) -> Vec<NliPair<'_>> {
        self.known_sections.as_ref().map(|known| known.nli_pairs(&self.entities)).unwrap_or_default()
    }

    /// Whether each entity belongs in its section by the section's definition, from the results of these pairs.
    pub(super) fn fits(&self, results: &[NliResult]) -> Vec<bool> {
        let known = self.known_sections.as_ref();
        known.map(|known| known.by_definition(&self.target, &self.entities, results)).unwrap_or_default()
    }

    /// The number of an axis, if it is measured.
    pub(super) fn number(&self, axis: Axis, rule: AlignmentRule) -> Option<f64> {
        if !self.wants(axis) {
            return None;
        }
        let points = |check| score(self.votes(check).iter().map(|votes| votes.vote));
        let found = |check| share(self.votes(check).iter().map(|votes| votes.vote.is_found()));
        Some(match axis {
            Axis::Completeness => points(Check::Completeness),
            Axis::Correctness => points(Check::Correctness),
            Axis::Alignment => share(self.aligned(rule).iter().map(|aligned| aligned.is_aligned)),
            Axis::Readability => readability(self.issues.iter().map(Vec::len).sum(), self.issues.len()),
            Axis::Consistency => rating(found(Check::Correctness)),
            Axis::Relevance => {
                let check = if self.rubric.is_some() { Check::Rubric } else { Check::Completeness };
                rating(f64::midpoint(found(check), found(Check::Relevance)))
            }
            Axis::Fluency => rating(self.without(&[IssueKind::Spelling, IssueKind::Grammar])),
            Axis::Coherence => rating(self.without(&[IssueKind::Flow])),
        })
    }

    /// The checks of each entity's section.
    pub(super) fn aligned(&self, rule: AlignmentRule) -> Vec<Aligned> {
        let mut aligned = Vec::with_capacity(self.by_definition.len());
        for (&by_definition, votes) in self.by_definition.iter().zip(self.votes(Check::Section)) {
            let by_ground_truth = votes.vote.is_found();
            let is_aligned = rule.join(by_definition, by_ground_truth);
            aligned.push(Aligned { by_definition, by_ground_truth, is_aligned });
        }
        aligned
    }

    /// The share of sentences without an issue of these kinds (equation 4).
    fn without(&self, kinds: &[IssueKind]) -> f64 {
        share(self.issues.iter().map(|issues| !issues.iter().any(|issue| kinds.contains(&issue.kind))))
    }
}
