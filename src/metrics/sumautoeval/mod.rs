//! SumAutoEval (Yuan et al. 2024) without a language model: a summary (the "target note") beside a ground truth, entity
//! by entity, and its writing, sentence by sentence; and the paper's mapping to SummEval's four ratings.
//!
//! `note` cuts a text into sections, sentences and `entities`; `truth` says what a summary is compared with; `checks`
//! ask and look up, `answers` vote and count; `alignment` looks at sections, `writing` at sentences; `work` carries a
//! row through all that is asked of it, and `facts` is what is told of it.

mod agreement;
mod alignment;
mod answers;
mod checks;
mod entities;
mod facts;
mod note;
mod sections;
mod truth;
mod work;
mod writing;

pub(crate) use self::agreement::Tally;
pub use self::agreement::{Agreement, Kappa};
pub use self::alignment::AlignmentRule;

use self::answers::Answer;
use self::checks::{Trial, check};
use self::facts::Voted;
use self::work::{Work, entities_of};
use super::Evaluator;
use super::choice::MetricChoice;
use super::row::{Rows, answers_of};
use crate::error::{Error, Result};
use crate::pipeline::{NliPair, Scorer};
use crate::schedule::OnEvent;

/// What its facts are called in a result.
pub(crate) const FACTS: &str = "sumautoeval";

/// The axes in the order of their numbers.
const NUMBERS: [(&str, &str); 8] = [
    ("completeness", "sumautoeval_completeness"),
    ("correctness", "sumautoeval_correctness"),
    ("alignment", "sumautoeval_alignment"),
    ("readability", "sumautoeval_readability"),
    ("consistency", "sumautoeval_consistency"),
    ("relevance", "sumautoeval_relevance"),
    ("fluency", "sumautoeval_fluency"),
    ("coherence", "sumautoeval_coherence"),
];

/// Refuses axes for which this program lacks what they need.
///
/// # Errors
/// Axes about spelling and grammar in a build without the feature `grammar`.
pub fn check_axes(choice: &MetricChoice) -> Result<()> {
    let axes = ["readability", "fluency"].into_iter().filter(|axis| choice.wants(axis));
    axes.into_iter().try_for_each(writing::has_checker)
}

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let extractor = entities_of(evaluator.scorer());
    let mut works = Vec::new();
    rows.each(|row| {
        let (work, left_out) = Work::of(row.pair, choice, &extractor, evaluator.lenient)?;
        for (axis, why) in left_out {
            let number = NUMBERS.iter().find(|(name, _)| *name == axis).expect("every axis has a number");
            row.measures.leave_out(number.1, why);
        }
        works.push(Ok(work));
        Ok(())
    });
    judge(evaluator.scorer(), &mut works, on_event);
    let mut works = works.into_iter();
    rows.each(|row| {
        let work = works.next().unwrap_or(Err(Error::Stopped))?;
        for (axis, name) in NUMBERS {
            if let Some(number) = work.number(axis, evaluator.alignment_rule) {
                row.measures.add(name, number);
            }
        }
        if work.measures_something() {
            row.measures.tell(FACTS, &work.facts(evaluator.alignment_rule));
        }
        Ok(())
    });
}

/// Asks all that the rows need.
fn judge<'t>(scorer: &Scorer, works: &mut [Result<Work<'t>>], on_event: &OnEvent<'_>) {
    let (is_there, is_true) = (Answer::of_completeness, Answer::of_correctness);
    let mut survey = |trial: TrialOf<'t>, answer, take: fn(&mut Work<'t>, Vec<Voted>)| {
        let trials: Vec<Option<Trial<'_>>> = works.iter().map(|work| trial(work.as_ref().ok()?)).collect();
        let found = check(scorer, &trials, answer, on_event);
        works.iter_mut().zip(found).for_each(|(work, found)| give(work, found, take));
    };
    survey(Work::completeness_trial, is_there, |work, found| work.completeness = found);
    survey(Work::rubric_trial, is_there, |work, found| work.rubric_completeness = found);
    survey(Work::correctness_trial, is_true, |work, found| work.correctness = found);
    survey(Work::relevance_trial, is_there, |work, found| work.relevance = found);
    survey(Work::alignment_trial, is_there, |work, found| work.by_ground_truth = found);
    let questions: Vec<Vec<NliPair<'_>>> =
        works.iter().map(|work| work.as_ref().map(Work::section_questions).unwrap_or_default()).collect();
    let answers = answers_of(scorer, &questions, on_event);
    works.iter_mut().zip(answers).for_each(|(work, found)| {
        give(work, found, |work, answers| work.take_sections(&answers));
    });
}

/// What of a row is checked, if anything is.
type TrialOf<'t> = for<'w> fn(&'w Work<'t>) -> Option<Trial<'w>>;

/// Hands a good row what was found; one for which nothing could be found is bad from there on.
fn give<'t, F>(work: &mut Result<Work<'t>>, found: Result<F>, take: impl Fn(&mut Work<'t>, F)) {
    match (work.as_mut(), found) {
        (Ok(good), Ok(found)) => take(good, found),
        (Ok(_), Err(error)) => *work = Err(error),
        (Err(_), _) => {}
    }
}
