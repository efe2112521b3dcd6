//! The state of a row in this evaluator: the inputs of the requested axes, the results of the checks, and the numbers.

use super::Axis;
use super::agreement::{Agreement, of_answers};
use super::alignment::{AlignmentRule, KnownSections, task};
use super::answers::{Answer, CHECKS, rating, readability, score, share};
use super::checks::{CheckTask, SourceText, SourceTexts};
use super::entities::{Entity, EntitySource};
use super::facts::{
    Aligned, Facts, SectionFacts, SentenceFacts, SummaryEntity, SummaryFacts, TruthEntity, TruthFacts, Votes,
};
use super::ground_truth::GroundTruth;
use super::note::{Note, Sentence};
use super::writing::{Issue, IssueKind, flow_issues, needs_answers};
use crate::metrics::MetricInputs;
use crate::metrics::choice::MetricChoice;
use crate::metrics::row::{Texts, has_words};
use veridic::pipeline::{ClaimExtractor, NliPair, NliResult};
use veridic::text::sentences;
use veridic::{Error, Pair, Result, Scorer, Span};

/// A row and its results.
pub(super) struct Assessment<'t> {
    pair: Pair<'t>,
    inputs: &'t MetricInputs,
    axes: Vec<Axis>,
    target: Note<'t>,
    /// For completeness, correctness and alignment; also for relevance without a rubric.
    truth: Option<GroundTruth<'t>>,
    /// For relevance, if the row has several references.
    rubric: Option<GroundTruth<'t>>,
    known_sections: Option<KnownSections>,
    /// The issues of each sentence of the summary.
    pub(super) issues: Vec<Vec<Issue>>,
    pub(super) completeness: Vec<Votes>,
    pub(super) rubric_completeness: Vec<Votes>,
    pub(super) correctness: Vec<Votes>,
    pub(super) relevance: Vec<Votes>,
    pub(super) by_ground_truth: Vec<Votes>,
    pub(super) by_definition: Vec<bool>,
}

/// The axes for which a row lacks texts, and the reasons.
type LeftOut = Vec<(Axis, String)>;

/// Returns the extractor of entities: that of claims, except that given claims belong to the summary only.
pub(super) fn entities_of(scorer: &Scorer) -> EntitySource {
    EntitySource::Rules(match &scorer.settings().claims {
        ClaimExtractor::Given => ClaimExtractor::Sentence,
        extractor => extractor.clone(),
    })
}

/// Whether an axis is about the summary's entities.
fn needs_own_entities(choice: &MetricChoice) -> bool {
    [Axis::Correctness, Axis::Consistency, Axis::Relevance, Axis::Alignment]
        .iter()
        .any(|axis| axis.is_wanted(choice))
}

/// The texts of a row whose entities the wanted axes need.
pub(super) fn texts_with_entities<'t>(texts: Texts<'t>, choice: &MetricChoice) -> Vec<&'t str> {
    let Texts { pair, inputs: MetricInputs { reference, references, .. }, .. } = texts;
    let reference = reference.as_deref().filter(|text| has_words(text));
    let wants = |axes: &[Axis]| axes.iter().any(|axis| axis.is_wanted(choice));
    let is_rated = wants(&[Axis::Relevance]);
    let needs_truth = wants(&[Axis::Completeness, Axis::Alignment])
        || (wants(&[Axis::Correctness, Axis::Consistency]) && reference.is_some())
        || (is_rated && references.is_empty());
    let needs_rubric = (is_rated && !references.is_empty()) || (needs_truth && reference.is_none());
    let own = needs_own_entities(choice).then_some(pair.summary);
    let truth = reference.filter(|_| needs_truth);
    let rubric = references.iter().map(String::as_str).filter(|text| needs_rubric && has_words(text));
    own.into_iter().chain(truth).chain(rubric).collect()
}

impl<'t> Assessment<'t> {
    /// Prepares a row for the requested axes. With `lenient`, axes for which it lacks texts are left out.
    pub(super) fn of(
        texts: Texts<'t>,
        choice: &MetricChoice,
        extractor: &EntitySource,
        lenient: bool,
    ) -> Result<(Self, LeftOut)> {
        let Texts { pair, inputs, .. } = texts;
        let mut assessment = Self {
            pair,
            inputs,
            axes: Vec::new(),
            target: if needs_own_entities(choice) {
                Note::with_entities(pair.summary, extractor)?
            } else {
                Note::of(pair.summary)
            },
            truth: None,
            rubric: None,
            known_sections: None,
            issues: Vec::new(),
            completeness: Vec::new(),
            rubric_completeness: Vec::new(),
            correctness: Vec::new(),
            relevance: Vec::new(),
            by_ground_truth: Vec::new(),
            by_definition: Vec::new(),
        };
        let mut left_out = Vec::new();
        for axis in Axis::ALL.into_iter().filter(|axis| axis.is_wanted(choice)) {
            match assessment.prepare(axis, extractor) {
                Ok(()) => assessment.axes.push(axis),
                Err(error) if lenient => left_out.push((axis, error.to_string())),
                Err(error) => return Err(error),
            }
        }
        let asks = matches!(extractor, EntitySource::Asked(_));
        if assessment.wants(Axis::Coherence) && !asks {
            assessment.issues = flow_issues(&assessment.target);
        }
        Ok((assessment, left_out))
    }

    /// Prepares the row for an axis.
    fn prepare(&mut self, axis: Axis, extractor: &EntitySource) -> Result<()> {
        match axis {
            Axis::Completeness => self.set_truth(extractor),
            Axis::Correctness | Axis::Consistency if self.has_reference() => self.set_truth(extractor),
            Axis::Correctness | Axis::Consistency | Axis::Coherence => Ok(()),
            Axis::Alignment => {
                self.set_truth(extractor)?;
                self.set_known_sections()
            }
            Axis::Relevance if self.inputs.references.is_empty() => self.set_truth(extractor),
            Axis::Relevance => {
                self.rubric = Some(GroundTruth::rubric(self.inputs, extractor)?);
                Ok(())
            }
            Axis::Readability | Axis::Fluency if matches!(extractor, EntitySource::Asked(_)) => Ok(()),
            Axis::Readability | Axis::Fluency => Err(needs_answers(axis)),
        }
    }

    fn set_truth(&mut self, extractor: &EntitySource) -> Result<()> {
        if self.truth.is_none() {
            self.truth = Some(GroundTruth::of_reference(self.inputs, extractor)?);
        }
        Ok(())
    }

    fn set_known_sections(&mut self) -> Result<()> {
        if !self.target.has_sections() {
            let reason = "has no sections: alignment needs headers in it, such as lines `# Plan` or `Plan:`"
                .to_owned();
            return Err(Error::Text { role: "summary", reason });
        }
        let defined = &self.inputs.sections;
        self.known_sections =
            self.truth.as_ref().map(|truth| KnownSections::of(&self.target, truth, defined));
        Ok(())
    }

    /// Whether there is a single reference, which correctness uses besides the document; it uses no rubric.
    fn has_reference(&self) -> bool {
        self.inputs.reference.as_ref().is_some_and(|text| has_words(text))
    }

    fn wants(&self, axis: Axis) -> bool {
        self.axes.contains(&axis)
    }

    fn wants_one(&self, axes: &[Axis]) -> bool {
        axes.iter().any(|axis| self.wants(*axis))
    }

    fn has_writing(&self) -> bool {
        self.wants_one(&[Axis::Readability, Axis::Fluency, Axis::Coherence])
    }

    /// Whether a language model is asked for issues of flow.
    pub(super) fn asks_for_flow(&self) -> bool {
        self.wants_one(&[Axis::Readability, Axis::Coherence])
    }

    /// Whether a language model is asked for issues of language, grammar and spelling.
    pub(super) fn asks_for_writing(&self) -> bool {
        self.wants_one(&[Axis::Readability, Axis::Fluency])
    }

    /// Whether the summary has the ground truth's entities.
    pub(super) fn completeness_task(&self) -> Option<CheckTask<'_>> {
        let truth = self.truth.as_ref().filter(|_| self.checks_truth())?;
        Some(CheckTask::of(&truth.entities, SourceTexts::of([self.target.source_text()])))
    }

    /// Whether the summary is checked for the ground truth's entities.
    fn checks_truth(&self) -> bool {
        self.wants(Axis::Completeness) || (self.wants(Axis::Relevance) && self.rubric.is_none())
    }

    /// Whether the summary has the rubric's entities.
    pub(super) fn rubric_task(&self) -> Option<CheckTask<'_>> {
        let rubric = self.rubric.as_ref()?;
        Some(CheckTask::of(&rubric.entities, SourceTexts::of([self.target.source_text()])))
    }

    /// Whether the document or the ground truth has the summary's entities.
    pub(super) fn correctness_task(&self) -> Option<CheckTask<'_>> {
        if !self.wants_one(&[Axis::Correctness, Axis::Consistency]) {
            return None;
        }
        let sentences = match self.pair.sentences {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => sentences(self.pair.document).iter().map(|span| span.slice(self.pair.document)).collect(),
        };
        let notes = self.truth.iter().flat_map(|truth| truth.notes.iter().map(Note::source_text));
        let document = SourceText { text: self.pair.document.into(), sentences };
        Some(CheckTask::of(&self.target.entities, SourceTexts::of([document].into_iter().chain(notes))))
    }

    /// Whether the references have the summary's entities.
    pub(super) fn relevance_task(&self) -> Option<CheckTask<'_>> {
        let truth = self.rubric.as_ref().or(self.truth.as_ref()).filter(|_| self.wants(Axis::Relevance))?;
        Some(CheckTask::of(&self.target.entities, truth.source()))
    }

    /// Whether the same section of the ground truth has the summary's entities.
    pub(super) fn alignment_task(&self) -> Option<CheckTask<'_>> {
        self.known_sections.as_ref()?;
        Some(task(&self.target, self.truth.as_ref()?))
    }

    /// The summary's sentences.
    pub(super) fn sentences(&self) -> &[Sentence<'t>] {
        &self.target.sentences
    }

    /// The header of the section that an entity of the summary is in.
    pub(super) fn header_of(&self, entity: &Entity) -> Option<&'t str> {
        self.target.sections[entity.section].header
    }

    /// Returns the summary's entities, each with the header and definition of its section; empty if sections are not
    /// checked.
    pub(super) fn entities_with_sections(&self) -> Vec<(&Entity, Option<(&str, &str)>)> {
        let Some(known) = &self.known_sections else { return Vec::new() };
        let section = |entity| {
            let header: &str = self.header_of(entity)?;
            Some((header, known.definition(header).unwrap_or(header)))
        };
        self.target.entities.iter().map(|entity| (entity, section(entity))).collect()
    }

    /// Entities with the hypotheses of sections.
    pub(super) fn section_pairs(&self) -> Vec<NliPair<'_>> {
        self.known_sections
            .as_ref()
            .map(|known_sections| known_sections.nli_pairs(&self.target.entities))
            .unwrap_or_default()
    }

    /// Sets the first check of alignment from the results of these pairs.
    pub(super) fn set_sections(&mut self, results: &[NliResult]) {
        if let Some(known_sections) = &self.known_sections {
            self.by_definition = known_sections.by_definition(&self.target, results);
        }
    }

    /// Whether any axis is measured.
    pub(super) fn has_axes(&self) -> bool {
        !self.axes.is_empty()
    }

    /// The number of an axis, if it is measured.
    pub(super) fn number(&self, axis: Axis, rule: AlignmentRule) -> Option<f64> {
        if !self.wants(axis) {
            return None;
        }
        let votes = |voted: &[Votes]| voted.iter().map(|voted| voted.vote).collect::<Vec<Answer>>();
        let found = |voted: &[Votes]| share(voted.iter().map(|voted| voted.vote.is_found()));
        let number = match axis {
            Axis::Completeness => score(votes(&self.completeness).into_iter()),
            Axis::Correctness => score(votes(&self.correctness).into_iter()),
            Axis::Alignment => share(self.aligned(rule).iter().map(|aligned| aligned.is_aligned)),
            Axis::Readability => readability(self.issues.iter().map(Vec::len).sum(), self.issues.len()),
            Axis::Consistency => rating(found(&self.correctness)),
            Axis::Relevance => {
                let rubric =
                    if self.rubric.is_some() { &self.rubric_completeness } else { &self.completeness };
                rating(f64::midpoint(found(rubric), found(&self.relevance)))
            }
            Axis::Fluency => {
                rating(self.without(|kind| matches!(kind, IssueKind::Spelling | IssueKind::Grammar)))
            }
            Axis::Coherence => rating(self.without(|kind| kind == IssueKind::Flow)),
        };
        Some(number)
    }

    fn aligned(&self, rule: AlignmentRule) -> Vec<Aligned> {
        let checks = self.by_definition.iter().zip(&self.by_ground_truth);
        let of = |(&by_definition, voted): (&bool, &Votes)| {
            let by_ground_truth = voted.vote.is_found();
            let is_aligned = rule.join([by_definition, by_ground_truth]);
            Aligned { by_definition, by_ground_truth, is_aligned }
        };
        checks.map(of).collect()
    }

    /// The share of sentences without an issue of these kinds (equation 4).
    fn without(&self, counts: impl Fn(IssueKind) -> bool) -> f64 {
        share(self.issues.iter().map(|issues| !issues.iter().any(|issue| counts(issue.kind))))
    }

    /// The values behind the numbers.
    pub(super) fn facts(&self, rule: AlignmentRule) -> Facts<'_> {
        let truth = self.truth.as_ref().filter(|_| self.checks_truth());
        let agreement = |voted: &[Votes]| {
            of_answers(&voted.iter().map(Votes::answers).collect::<Vec<[Answer; CHECKS]>>())
        };
        Facts {
            ground_truth: truth.map(|truth| truth_facts(truth, &self.completeness)),
            rubric: self.rubric.as_ref().map(|rubric| truth_facts(rubric, &self.rubric_completeness)),
            summary: Some(self.summary_facts(rule)),
            alignment_rule: self.known_sections.as_ref().map(|_| rule),
            agreement: Agreement {
                completeness: agreement(&self.completeness),
                correctness: agreement(&self.correctness),
            },
        }
    }

    fn summary_facts(&self, rule: AlignmentRule) -> SummaryFacts<'_> {
        let has_sections = self.known_sections.is_some();
        let aligned = self.aligned(rule);
        let entity = |(place, entity)| SummaryEntity {
            entity,
            section: has_sections.then_some(entity.section),
            correctness: self.correctness.get(place).copied(),
            alignment: aligned.get(place).copied(),
            relevance: self.relevance.get(place).copied(),
        };
        let sentence = |(sentence, issues): (&Sentence<'t>, _)| SentenceFacts {
            text: sentence.text,
            span: sentence.span,
            issues,
        };
        let is_asked =
            has_sections || self.wants_one(&[Axis::Correctness, Axis::Consistency, Axis::Relevance]);
        SummaryFacts {
            sections: has_sections.then(|| self.section_facts()),
            entities: is_asked.then(|| self.target.entities.iter().enumerate().map(entity).collect()),
            sentences: self.has_writing().then(|| {
                self.target
                    .sentences
                    .iter()
                    .zip(self.issues.iter().map(Vec::as_slice))
                    .map(sentence)
                    .collect()
            }),
        }
    }

    fn section_facts(&self) -> Vec<SectionFacts<'_>> {
        let of = |section: &super::sections::Section<'t>| {
            let [start, end] =
                [section.body.start, section.body.end].map(|byte| self.target.index.character(byte));
            SectionFacts { header: section.header, span: Span { start, end } }
        };
        self.target.sections.iter().map(of).collect()
    }
}

fn truth_facts<'w>(truth: &'w GroundTruth<'_>, voted: &[Votes]) -> TruthFacts<'w> {
    let of = |(place, (entity, completeness)): (usize, (_, &Votes))| TruthEntity {
        entity,
        reference: truth.references.get(place).copied(),
        completeness: *completeness,
    };
    TruthFacts { from: truth.from, entities: truth.entities.iter().zip(voted).enumerate().map(of).collect() }
}
