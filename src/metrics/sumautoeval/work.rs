//! A row on its way through this evaluator: what of its texts the wanted axes need, what was found, what it comes to.

use super::agreement::{Agreement, of_answers};
use super::alignment::{AlignmentRule, Places, trial};
use super::answers::{Answer, CHECKS, rating, score, share};
use super::checks::{Material, Trial};
use super::facts::{
    Aligned, Facts, SectionFacts, SentenceFacts, SummaryEntity, SummaryFacts, TruthEntity, TruthFacts, Voted,
};
use super::note::Note;
use super::truth::Truth;
use super::writing::{Issue, IssueKind, Looks, has_checker, issues};
use crate::error::{Error, Result};
use crate::metrics::choice::{Metric, MetricChoice};
use crate::pipeline::{ClaimExtractor, MetricInputs, NliPair, NliResult as Said, Pair, Scorer};
use veridic_text::{Span, sentences};

/// A row.
pub(super) struct Work<'t> {
    pair: Pair<'t>,
    axes: Vec<&'static str>,
    target: Note<'t>,
    /// Of completeness, correctness and alignment; of relevance where there is no rubric.
    truth: Option<Truth<'t>>,
    /// Of relevance, where the row has several references.
    rubric: Option<Truth<'t>>,
    places: Option<Places>,
    /// Of each sentence of the summary.
    issues: Vec<Vec<Issue>>,
    pub(super) completeness: Vec<Voted>,
    pub(super) rubric_completeness: Vec<Voted>,
    pub(super) correctness: Vec<Voted>,
    pub(super) relevance: Vec<Voted>,
    pub(super) by_ground_truth: Vec<Voted>,
    by_definition: Vec<bool>,
}

/// Axes that a row lacks something for, and what.
type LeftOut = Vec<(&'static str, String)>;

/// Where entities come from: the claims' extractor, but claims that come with a row are no entities of other texts.
pub(super) fn entities_of(scorer: &Scorer) -> ClaimExtractor {
    match &scorer.settings().claims {
        ClaimExtractor::Given => ClaimExtractor::Clause,
        extractor => extractor.clone(),
    }
}

impl<'t> Work<'t> {
    /// What the wanted axes need of a row. When `lenient`, axes that it lacks something for are left out.
    pub(super) fn of(
        pair: Pair<'t>,
        choice: &MetricChoice,
        extractor: &ClaimExtractor,
        lenient: bool,
    ) -> Result<(Self, LeftOut)> {
        let mut work = Self {
            pair,
            axes: Vec::new(),
            target: Note::with_entities(pair.summary, extractor)?,
            truth: None,
            rubric: None,
            places: None,
            issues: Vec::new(),
            completeness: Vec::new(),
            rubric_completeness: Vec::new(),
            correctness: Vec::new(),
            relevance: Vec::new(),
            by_ground_truth: Vec::new(),
            by_definition: Vec::new(),
        };
        let mut left_out = Vec::new();
        for axis in Metric::SumAutoEval.axes().iter().filter(|axis| choice.wants(axis)) {
            match work.prepare(axis, extractor) {
                Ok(()) => work.axes.push(axis),
                Err(error) if lenient => left_out.push((*axis, error.to_string())),
                Err(error) => return Err(error),
            }
        }
        if work.looks_at_writing() {
            work.issues = issues(&work.target, &work.known_texts(), work.looks());
        }
        Ok((work, left_out))
    }

    fn prepare(&mut self, axis: &str, extractor: &ClaimExtractor) -> Result<()> {
        let has_references = !self.pair.metric_inputs.references.is_empty();
        let needs_truth =
            matches!(axis, "completeness" | "alignment") || (axis == "relevance" && !has_references);
        let takes_truth = matches!(axis, "correctness" | "consistency") && self.has_reference();
        if (needs_truth || takes_truth) && self.truth.is_none() {
            self.truth = Some(Truth::of_reference(self.pair.metric_inputs, extractor)?);
        }
        match (axis, &self.truth) {
            ("relevance", _) if has_references => {
                self.rubric = Some(Truth::rubric(self.pair.metric_inputs, extractor)?);
            }
            ("readability" | "fluency", _) => has_checker(axis)?,
            ("alignment", Some(truth)) => {
                if !self.target.has_sections() {
                    return Err(Error::Text { role: "summary", reason: "has no sections: alignment needs headers in it, such as lines `# Plan` or `Plan:`".into() });
                }
                self.places = Some(Places::of(&self.target, truth, &self.pair.metric_inputs.sections));
            }
            _ => {}
        }
        Ok(())
    }

    /// Correctness takes a single reference beside the document, and no rubric for it must be found.
    fn has_reference(&self) -> bool {
        self.pair.metric_inputs.reference.as_ref().is_some_and(|text| text.chars().any(char::is_alphanumeric))
    }

    fn wants(&self, axis: &str) -> bool {
        self.axes.contains(&axis)
    }

    fn wants_one(&self, axes: &[&str]) -> bool {
        axes.iter().any(|axis| self.wants(axis))
    }

    fn looks_at_writing(&self) -> bool {
        self.wants_one(&["readability", "fluency", "coherence"])
    }

    fn looks(&self) -> Looks {
        let readability = self.wants("readability");
        Looks {
            grammar: readability || self.wants("fluency"),
            language: readability,
            flow: readability || self.wants("coherence"),
        }
    }

    /// What people wrote: words of theirs are not spelled wrong.
    fn known_texts(&self) -> Vec<&'t str> {
        let MetricInputs { reference, references, .. } = self.pair.metric_inputs;
        let by_people = reference.iter().chain(references).map(String::as_str);
        [self.pair.document].into_iter().chain(by_people).collect()
    }

    /// The ground truth's entities against the summary.
    pub(super) fn completeness_trial(&self) -> Option<Trial<'_>> {
        let truth = self.truth.as_ref().filter(|_| self.tells_truth())?;
        Some(Trial::of(&truth.entities, Material::of([self.target.sentence_texts()])))
    }

    /// Whether the ground truth's entities are looked for in the summary.
    fn tells_truth(&self) -> bool {
        self.wants("completeness") || (self.wants("relevance") && self.rubric.is_none())
    }

    /// The rubric's entities against the summary.
    pub(super) fn rubric_trial(&self) -> Option<Trial<'_>> {
        let rubric = self.rubric.as_ref()?;
        Some(Trial::of(&rubric.entities, Material::of([self.target.sentence_texts()])))
    }

    /// The summary's entities against document and ground truth.
    pub(super) fn correctness_trial(&self) -> Option<Trial<'_>> {
        if !self.wants_one(&["correctness", "consistency"]) {
            return None;
        }
        let document = match self.pair.sentences {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => sentences(self.pair.document).iter().map(|span| span.slice(self.pair.document)).collect(),
        };
        let notes = self.truth.iter().flat_map(|truth| truth.notes.iter().map(Note::sentence_texts));
        Some(Trial::of(&self.target.entities, Material::of([document].into_iter().chain(notes))))
    }

    /// The summary's entities against the references.
    pub(super) fn relevance_trial(&self) -> Option<Trial<'_>> {
        let truth = self.rubric.as_ref().or(self.truth.as_ref()).filter(|_| self.wants("relevance"))?;
        Some(Trial::of(&self.target.entities, truth.material()))
    }

    /// The summary's entities against the same section of the ground truth.
    pub(super) fn alignment_trial(&self) -> Option<Trial<'_>> {
        self.places.as_ref()?;
        Some(trial(&self.target, self.truth.as_ref()?))
    }

    /// What is asked of entities and sections.
    pub(super) fn section_questions(&self) -> Vec<NliPair<'_>> {
        self.places.as_ref().map(|places| places.questions(&self.target.entities)).unwrap_or_default()
    }

    /// Takes the answers to that.
    pub(super) fn take_sections(&mut self, answers: &[Said]) {
        if let Some(places) = &self.places {
            self.by_definition = places.by_definition(&self.target, answers);
        }
    }

    /// Whether an axis is left to be measured.
    pub(super) fn measures_something(&self) -> bool {
        !self.axes.is_empty()
    }

    /// The number of an axis, if it is wanted and the row has what it needs.
    pub(super) fn number(&self, axis: &str, rule: AlignmentRule) -> Option<f64> {
        let votes = |voted: &[Voted]| voted.iter().map(|voted| voted.vote).collect::<Vec<Answer>>();
        let found = |voted: &[Voted]| share(voted.iter().map(|voted| voted.vote.is_found()));
        let number = match axis {
            _ if !self.wants(axis) => return None,
            "completeness" => score(votes(&self.completeness).into_iter()),
            "correctness" => score(votes(&self.correctness).into_iter()),
            "alignment" => share(self.aligned(rule).iter().map(|aligned| aligned.is_aligned)),
            "readability" => self.without(|_| true),
            "consistency" => rating(found(&self.correctness)),
            "relevance" => {
                let rubric =
                    if self.rubric.is_some() { &self.rubric_completeness } else { &self.completeness };
                rating(f64::midpoint(found(rubric), found(&self.relevance)))
            }
            "fluency" => {
                rating(self.without(|kind| matches!(kind, IssueKind::Spelling | IssueKind::Grammar)))
            }
            _ => rating(self.without(|kind| kind == IssueKind::Flow)),
        };
        Some(number)
    }

    fn aligned(&self, rule: AlignmentRule) -> Vec<Aligned> {
        let checks = self.by_definition.iter().zip(&self.by_ground_truth);
        let of = |(&by_definition, voted): (&bool, &Voted)| {
            let by_ground_truth = voted.vote.is_found();
            let is_aligned = rule.join([by_definition, by_ground_truth]);
            Aligned { by_definition, by_ground_truth, is_aligned }
        };
        checks.map(of).collect()
    }

    /// Equation 4 the other way round: the share of sentences without an issue of these kinds.
    fn without(&self, counts: impl Fn(IssueKind) -> bool) -> f64 {
        share(self.issues.iter().map(|issues| !issues.iter().any(|issue| counts(issue.kind))))
    }

    /// All that made the numbers.
    pub(super) fn facts(&self, rule: AlignmentRule) -> Facts<'_> {
        let truth = self.truth.as_ref().filter(|_| self.tells_truth());
        let agreement = |voted: &[Voted]| {
            of_answers(&voted.iter().map(Voted::answers).collect::<Vec<[Answer; CHECKS]>>())
        };
        Facts {
            ground_truth: truth.map(|truth| told(truth, &self.completeness)),
            rubric: self.rubric.as_ref().map(|rubric| told(rubric, &self.rubric_completeness)),
            summary: Some(self.summary_facts(rule)),
            alignment_rule: self.places.as_ref().map(|_| rule),
            agreement: Agreement {
                completeness: agreement(&self.completeness),
                correctness: agreement(&self.correctness),
            },
        }
    }

    fn summary_facts(&self, rule: AlignmentRule) -> SummaryFacts<'_> {
        let has_places = self.places.is_some();
        let aligned = self.aligned(rule);
        let entity = |(place, entity)| SummaryEntity {
            entity,
            section: has_places.then_some(entity.section),
            correctness: self.correctness.get(place).copied(),
            alignment: aligned.get(place).copied(),
            relevance: self.relevance.get(place).copied(),
        };
        let sentence = |(sentence, issues): (&super::note::Sentence<'t>, _)| SentenceFacts {
            text: sentence.text,
            span: sentence.span,
            issues,
        };
        let is_asked = has_places || self.wants_one(&["correctness", "consistency", "relevance"]);
        SummaryFacts {
            sections: has_places.then(|| self.section_facts()),
            entities: is_asked.then(|| self.target.entities.iter().enumerate().map(entity).collect()),
            sentences: self.looks_at_writing().then(|| {
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

fn told<'w>(truth: &'w Truth<'_>, voted: &[Voted]) -> TruthFacts<'w> {
    let of = |(place, (entity, completeness)): (usize, (_, &Voted))| TruthEntity {
        entity,
        reference: truth.references.get(place).copied(),
        completeness: *completeness,
    };
    TruthFacts { from: truth.from, entities: truth.entities.iter().zip(voted).enumerate().map(of).collect() }
}
