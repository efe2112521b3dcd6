//! SumAutoEval (Yuan et al. 2024), with a language model (the files `_by_model`) or without: a summary (the paper's "target
//! note") is compared with a ground truth, entity by entity, and its writing is checked, sentence by sentence; the paper's
//! mapping to SummEval's four ratings is also computed.
//!
//! `note` splits a text into sections and sentences, and `entity_source` gives its entities; `ground_truth` is what a summary
//! is compared with; `check_task` says what is checked and `answers` defines votes and scores; `alignment` is about sections,
//! `issues` about writing; `assessment` is the state of a row between the steps, and `facts` the part of a result.

mod agreement;
mod alignment;
mod answers;
mod assessment;
mod axis;
mod check_task;
mod checks_by_model;
mod checks_by_rules;
mod coverage;
mod entities_by_model;
mod entities_by_rules;
mod entity;
mod entity_source;
mod facts;
mod flow;
mod ground_truth;
mod issues;
mod issues_by_model;
mod note;
mod sections;

pub(super) use self::agreement::{AgreementTally, Kappa};
pub use self::alignment::AlignmentRule;
pub(crate) use self::answers::Answer;
pub(super) use self::axis::Axis;

use self::answers::Votes;
use self::assessment::{Assessment, texts_with_entities};
use self::check_task::{Check, CheckTask};
use self::entities_by_model::AskedEntities;
use self::entity_source::EntitySource;
use self::facts::facts;
use super::row::{Rows, classify_rows};
use crate::llm::{LanguageModel, Step};
use veridic::pipeline::NliPair;
use veridic::schedule::OnEvent;
use veridic::{Result, Scorer};

/// The field of a result with the facts.
pub(super) const FACTS: &str = "sumautoeval";

/// The steps that a language model can answer, of all axes.
pub(super) const STEPS: [Step; 10] = [
    Step::SumAutoEvalEntities,
    Step::SumAutoEvalVerified,
    Step::SumAutoEvalSources,
    Step::SumAutoEvalPresence,
    Step::SumAutoEvalCoverage,
    Step::SumAutoEvalEvidence,
    Step::SumAutoEvalDefinition,
    Step::SumAutoEvalSection,
    Step::SumAutoEvalFlow,
    Step::SumAutoEvalWriting,
];

/// What the numbers are computed with.
pub(super) struct SumAutoEval<'e> {
    pub(super) scorer: &'e Scorer,
    /// Answers all steps, if there is one.
    pub(super) model: Option<&'e LanguageModel>,
    pub(super) alignment_rule: AlignmentRule,
    pub(super) axes: Vec<Axis>,
}

/// The rows' assessments; `None` for a row that has failed.
type Assessments<'t> = [Option<Assessment<'t>>];

impl SumAutoEval<'_> {
    /// Adds the numbers of the axes. All requests that can be sent at once are sent before a row may fail.
    pub(super) fn measure(&self, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
        let source = self.entity_source(rows, on_event);
        let mut assessments = rows.each(|row| {
            let assessment = Assessment::of(row.texts, &self.axes, &source)?;
            for left_out in &assessment.left_out {
                row.measures.leave_out(left_out.axis.number_name(), left_out.reason.clone());
            }
            Ok(Some(assessment))
        });
        self.check(&mut assessments, rows, on_event);
        rows.each_with(&assessments, |row, assessment| {
            let Some(assessment) = assessment.as_ref().filter(|it| it.has_axes()) else { return Ok(()) };
            for axis in Axis::ALL {
                if let Some(number) = assessment.number(axis, self.alignment_rule) {
                    row.measures.add(axis.number_name(), number);
                }
            }
            row.measures.add_facts(FACTS, &facts(assessment, self.alignment_rule));
            Ok(())
        });
    }

    fn entity_source(&self, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) -> EntitySource {
        let Some(model) = self.model else { return EntitySource::of(self.scorer) };
        let texts = rows.each(|row| Ok(texts_with_entities(row.texts, &self.axes)));
        EntitySource::Asked(AskedEntities::ask(model, texts.into_iter().flatten(), on_event))
    }

    /// Runs the checks, each for all rows together, and only then stores what they found.
    fn check(&self, assessments: &mut Assessments<'_>, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
        let votes = Check::ALL.map(|check| self.votes(check, assessments, on_event));
        let by_definition = self.by_definition(assessments, on_event);
        let issues = self.model.map(|model| issues_by_model::issues(model, assessments, on_event));
        for (check, votes) in Check::ALL.into_iter().zip(votes) {
            store(rows, assessments, votes, |assessment, votes| assessment.set_votes(check, votes));
        }
        store(rows, assessments, by_definition, |assessment, fits| assessment.by_definition = fits);
        if let Some(issues) = issues {
            store(rows, assessments, issues, |assessment, issues| assessment.issues = issues);
        }
    }

    /// Returns the votes of a check on each entity of each row.
    fn votes(
        &self,
        check: Check,
        assessments: &Assessments<'_>,
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<Vec<Votes>>> {
        let tasks = tasks(check, assessments);
        match self.model {
            Some(model) => checks_by_model::check(model, check, &tasks, on_event),
            None => checks_by_rules::check(self.scorer, check, &tasks, on_event),
        }
    }

    /// Returns whether each entity of each row belongs in its section by the section's definition.
    fn by_definition(&self, assessments: &Assessments<'_>, on_event: &OnEvent<'_>) -> Vec<Result<Vec<bool>>> {
        if let Some(model) = self.model {
            return checks_by_model::by_definition(model, &tasks(Check::Section, assessments), on_event);
        }
        let pairs = assessments.iter().map(|row| row.as_ref().map(Assessment::section_pairs));
        let pairs: Vec<Vec<NliPair<'_>>> = pairs.map(Option::unwrap_or_default).collect();
        let answers = classify_rows(self.scorer, &pairs, on_event);
        let fits = assessments.iter().zip(answers).map(|(row, answers)| {
            let answers = answers?;
            Ok(row.as_ref().map(|row| row.fits(&answers)).unwrap_or_default())
        });
        fits.collect()
    }
}

/// The task of a check for each row that needs it.
fn tasks<'a>(check: Check, assessments: &'a Assessments<'_>) -> Vec<Option<CheckTask<'a>>> {
    assessments.iter().map(|row| row.as_ref()?.task(check)).collect()
}

/// Stores what was found for each row; an error replaces the row.
fn store<'t, F>(
    rows: &mut Rows<'t>,
    assessments: &mut Assessments<'_>,
    found: Vec<Result<F>>,
    set: impl Fn(&mut Assessment<'_>, F),
) {
    rows.each_with(found.into_iter().zip(assessments), |_, (found, assessment)| {
        let found = found?;
        if let Some(assessment) = assessment {
            set(assessment, found);
        }
        Ok(())
    });
}
