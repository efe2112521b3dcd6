//! SumAutoEval's steps as the paper describes them, answered by a language model: entities in three steps (section 3.1),
//! three prompts per check (3.2.1, 3.2.2), two for an entity's section (3.2.3), and issues of writing (3.2.4). The paper's
//! prompts are not public; ours have its parts. All requests that can be sent at once are sent before a row may fail.

mod checks;
mod entities;
mod writing;

pub(super) use self::entities::AskedEntities;

use serde_json::Value;

use self::checks::{Check, by_definition, check};
use super::assessment::Assessment;
use super::facts::Votes;
use super::{TaskOf, give};
use crate::llm::literal::{self, member};
use crate::llm::{LanguageModel, Step, Unparsable};
use veridic::Result;
use veridic::schedule::OnEvent;

/// The steps of all axes.
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

/// Asks the checks of all rows.
pub(super) fn run_checks<'t>(
    model: &LanguageModel,
    assessments: &mut [Result<Assessment<'t>>],
    on_event: &OnEvent<'_>,
) {
    type Take<'t> = fn(&mut Assessment<'t>, Vec<Votes>);
    let checks: [(TaskOf<'t>, Check, Take<'t>); 5] = [
        (Assessment::completeness_task, Check::Completeness, |row, found| row.completeness = found),
        (Assessment::rubric_task, Check::Completeness, |row, found| row.rubric_completeness = found),
        (Assessment::correctness_task, Check::Correctness, |row, found| row.correctness = found),
        (Assessment::relevance_task, Check::Completeness, |row, found| row.relevance = found),
        (Assessment::alignment_task, Check::Section, |row, found| row.by_ground_truth = found),
    ];
    let votes: Vec<_> =
        checks.iter().map(|(task, kind, _)| check(model, assessments, *task, *kind, on_event)).collect();
    let definitions = by_definition(model, assessments, on_event);
    let issues = writing::issues(model, assessments, on_event);
    for (votes, (_, _, take)) in votes.into_iter().zip(checks) {
        assessments.iter_mut().zip(votes).for_each(|(row, found)| give(row, found, take));
    }
    for (row, found) in assessments.iter_mut().zip(definitions) {
        give(row, found, |row, found| row.by_definition = found);
    }
    for (row, found) in assessments.iter_mut().zip(issues) {
        give(row, found, |row, found| row.issues = found);
    }
}

/// The items of the list in a reply.
fn items(text: &str, what: &str) -> std::result::Result<Vec<Value>, Unparsable> {
    literal::items(text, what, "line").ok_or_else(|| Unparsable(format!("it has no list of {what}")))
}

/// The member `answer` of a reply, or the whole reply without one, in lower case.
fn answer_of(text: &str) -> String {
    let value = literal::values(text).into_iter().rev().find(|value| member(value, "answer").is_some());
    let answer = value.as_ref().and_then(|value| member(value, "answer")).and_then(Value::as_str);
    answer.unwrap_or(text).trim().to_lowercase()
}
