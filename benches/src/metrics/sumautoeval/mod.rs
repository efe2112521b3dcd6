//! SumAutoEval (Yuan et al. 2024), with a language model (`by_model`) or without: a summary (the paper's "target note") is
//! compared with a ground truth, entity by entity, and its writing is checked, sentence by sentence; the paper's mapping to
//! SummEval's four ratings is also computed.
//!
//! `note` splits a text into sections, sentences and `entities`; `ground_truth` is what a summary is compared with; `checks`
//! compares entities with texts, `answers` defines votes and scores; `alignment` checks sections, `writing` sentences;
//! `assessment` is the state of a row between the steps, and `facts` the part of a result.

mod agreement;
mod alignment;
mod answers;
mod assessment;
mod by_model;
mod checks;
mod entities;
mod facts;
mod ground_truth;
mod note;
mod sections;
mod writing;

pub(super) use self::agreement::{Agreement, AgreementTally, Kappa};
pub use self::alignment::AlignmentRule;

use self::answers::Answer;
use self::assessment::{Assessment, entities_of, texts_with_entities};
use self::by_model::AskedEntities;
use self::checks::{CheckTask, check};
use self::entities::EntitySource;
use self::facts::Votes;
use super::Evaluator;
use super::choice::MetricChoice;
use super::row::{Rows, classify_rows};
use crate::llm::Step;
use veridic::pipeline::NliPair;
use veridic::schedule::OnEvent;
use veridic::{Error, Result, Scorer, named};

/// The field of a result with the facts.
pub(super) const FACTS: &str = "sumautoeval";

/// The measured axes: the paper's four, then SummEval's four ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Whether the summary has the ground truth's entities (section 3.2.1).
    Completeness,
    /// Whether its entities are true (section 3.2.2).
    Correctness,
    /// Whether its entities are in the right sections (section 3.2.3).
    Alignment,
    /// 1 minus the issues of writing per sentence (section 3.2.4).
    Readability,
    /// SummEval's rating of correct entities.
    Consistency,
    /// SummEval's rating of entities shared with the references.
    Relevance,
    /// SummEval's rating of spelling and grammar.
    Fluency,
    /// SummEval's rating of flow.
    Coherence,
}

named!(Axis, "axis", {
    Completeness = "completeness",
    Correctness = "correctness",
    Alignment = "alignment",
    Readability = "readability",
    Consistency = "consistency",
    Relevance = "relevance",
    Fluency = "fluency",
    Coherence = "coherence",
});

impl Axis {
    /// The paper's own axes.
    pub(super) const OF_PAPER: [Self; 4] =
        [Self::Completeness, Self::Correctness, Self::Alignment, Self::Readability];

    /// The name of its number in a result.
    fn number_name(self) -> &'static str {
        match self {
            Self::Completeness => "sumautoeval_completeness",
            Self::Correctness => "sumautoeval_correctness",
            Self::Alignment => "sumautoeval_alignment",
            Self::Readability => "sumautoeval_readability",
            Self::Consistency => "sumautoeval_consistency",
            Self::Relevance => "sumautoeval_relevance",
            Self::Fluency => "sumautoeval_fluency",
            Self::Coherence => "sumautoeval_coherence",
        }
    }

    fn is_wanted(self, choice: &MetricChoice) -> bool {
        choice.wants(self.name())
    }
}

/// Refuses axes that only a language model can measure.
///
/// # Errors
/// Readability and fluency.
pub(crate) fn check_axes(choice: &MetricChoice) -> Result<()> {
    let axes = [Axis::Readability, Axis::Fluency];
    axes.into_iter()
        .find(|axis| axis.is_wanted(choice))
        .map_or(Ok(()), |axis| Err(writing::needs_answers(axis)))
}

/// The steps that a language model can answer.
pub(super) fn steps() -> Vec<Step> {
    by_model::STEPS.to_vec()
}

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let model = evaluator.language_model.as_ref();
    let source = match model {
        Some(model) => {
            let mut texts = Vec::new();
            rows.each(|row| {
                texts.extend(texts_with_entities(row.texts(), choice));
                Ok(())
            });
            EntitySource::Asked(AskedEntities::ask(model, texts.into_iter(), on_event))
        }
        None => entities_of(&evaluator.scorer),
    };
    let mut assessments = Vec::new();
    rows.each(|row| {
        let (assessment, left_out) = Assessment::of(row.texts(), choice, &source, evaluator.lenient)?;
        for (axis, reason) in left_out {
            row.measures.leave_out(axis.number_name(), reason);
        }
        assessments.push(Ok(assessment));
        Ok(())
    });
    match model {
        Some(model) => by_model::run_checks(model, &mut assessments, on_event),
        None => run_checks(&evaluator.scorer, &mut assessments, on_event),
    }
    let mut assessments = assessments.into_iter();
    rows.each(|row| {
        let assessment = assessments.next().unwrap_or(Err(Error::Stopped))?;
        for axis in Axis::ALL {
            if let Some(number) = assessment.number(axis, evaluator.alignment_rule) {
                row.measures.add(axis.number_name(), number);
            }
        }
        if assessment.has_axes() {
            row.measures.add_facts(FACTS, &assessment.facts(evaluator.alignment_rule));
        }
        Ok(())
    });
}

/// Runs the checks one after another, each for all rows together.
fn run_checks<'t>(scorer: &Scorer, assessments: &mut [Result<Assessment<'t>>], on_event: &OnEvent<'_>) {
    let (is_there, is_true) = (Answer::of_completeness, Answer::of_correctness);
    let mut run = |task: TaskOf<'t>, answer, take: fn(&mut Assessment<'t>, Vec<Votes>)| {
        let tasks: Vec<Option<CheckTask<'_>>> =
            assessments.iter().map(|assessment| task(assessment.as_ref().ok()?)).collect();
        let found = check(scorer, &tasks, answer, on_event);
        assessments.iter_mut().zip(found).for_each(|(assessment, found)| give(assessment, found, take));
    };
    run(Assessment::completeness_task, is_there, |assessment, found| assessment.completeness = found);
    run(Assessment::rubric_task, is_there, |assessment, found| assessment.rubric_completeness = found);
    run(Assessment::correctness_task, is_true, |assessment, found| assessment.correctness = found);
    run(Assessment::relevance_task, is_there, |assessment, found| assessment.relevance = found);
    run(Assessment::alignment_task, is_there, |assessment, found| assessment.by_ground_truth = found);
    let nli_pairs: Vec<Vec<NliPair<'_>>> = assessments
        .iter()
        .map(|assessment| assessment.as_ref().map(Assessment::section_pairs).unwrap_or_default())
        .collect();
    let answers = classify_rows(scorer, &nli_pairs, on_event);
    assessments.iter_mut().zip(answers).for_each(|(assessment, found)| {
        give(assessment, found, |assessment, results| assessment.set_sections(&results));
    });
}

/// The task of a check for a row, if it is needed.
type TaskOf<'t> = for<'w> fn(&'w Assessment<'t>) -> Option<CheckTask<'w>>;

/// Stores the results of a row that has not failed; an error replaces the row.
fn give<'t, F>(
    assessment: &mut Result<Assessment<'t>>,
    found: Result<F>,
    take: impl Fn(&mut Assessment<'t>, F),
) {
    match (assessment.as_mut(), found) {
        (Ok(good), Ok(found)) => take(good, found),
        (Ok(_), Err(error)) => *assessment = Err(error),
        (Err(_), _) => {}
    }
}
