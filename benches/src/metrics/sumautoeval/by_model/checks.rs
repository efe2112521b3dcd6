//! Whether a text has an entity, by three prompts with different angles, and whether an entity is in its section, by two.

use super::answer_of;
use crate::llm::{LanguageModel, Request, Step, Unparsable};
use crate::metrics::sumautoeval::TaskOf;
use crate::metrics::sumautoeval::answers::{Answer, CHECKS};
use crate::metrics::sumautoeval::assessment::Assessment;
use crate::metrics::sumautoeval::checks::CheckTask;
use crate::metrics::sumautoeval::entities::Entity;
use crate::metrics::sumautoeval::facts::Votes;
use veridic::Result;
use veridic::schedule::OnEvent;

/// The kind of check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Whether a note has an entity of the ground truth.
    Completeness,
    /// Whether the source or the ground truth supports an entity of the note.
    Correctness,
    /// Whether the ground truth's section of the same name has the entity: one prompt.
    Section,
}

const ANGLES: [Step; CHECKS] =
    [Step::SumAutoEvalPresence, Step::SumAutoEvalCoverage, Step::SumAutoEvalEvidence];

impl Check {
    fn question(self) -> &'static str {
        match self {
            Self::Correctness => "is it true according to the material?",
            Self::Completeness | Self::Section => "does the material, which is a summary, hold it?",
        }
    }

    /// The options of the paper: contradict for completeness, unknown for correctness.
    fn options(self) -> &'static str {
        match self {
            Self::Correctness => {
                "Yes: the material says so.\n\
                 Partially: the material says a part of it, and nothing against the rest.\n\
                 No: the material says otherwise.\n\
                 Unknown: the material has nothing for it or against it."
            }
            Self::Completeness | Self::Section => {
                "Yes: all of it is in the material.\n\
                 Partially: some of it is in the material, and important parts are missing.\n\
                 No: nothing of it is in the material.\n\
                 Contradict: the material is about it and says otherwise."
            }
        }
    }

    /// The answers that may be given.
    fn answers(self) -> &'static [Answer] {
        match self {
            Self::Completeness => &[Answer::Yes, Answer::Partial, Answer::No, Answer::Contradict],
            Self::Correctness => &[Answer::Yes, Answer::Partial, Answer::No, Answer::Unknown],
            Self::Section => &[Answer::Yes, Answer::No],
        }
    }

    /// The votes of an entity without any material.
    fn without_material(self) -> Votes {
        Votes::of([if self == Self::Correctness { Answer::Unknown } else { Answer::No }; CHECKS])
    }
}

/// The votes on each entity of each row's task.
pub(super) fn check<'t>(
    model: &LanguageModel,
    assessments: &[Result<Assessment<'t>>],
    task: TaskOf<'t>,
    kind: Check,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Votes>>> {
    let tasks: Vec<Option<CheckTask<'_>>> =
        assessments.iter().map(|assessment| task(assessment.as_ref().ok()?)).collect();
    let questions: Vec<Vec<Option<Vec<Request>>>> = tasks
        .iter()
        .zip(assessments)
        .map(|(task, row)| match (task, row) {
            (Some(task), Ok(row)) => questions(model, task, row, kind),
            _ => Vec::new(),
        })
        .collect();
    let requests: Vec<Vec<Request>> =
        questions.iter().map(|row| row.iter().flatten().flatten().cloned().collect()).collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| answer(text, kind));
    let of_row = |(questions, answers): (Vec<Option<Vec<Request>>>, Result<Vec<Answer>>)| {
        let mut answers = answers?.into_iter();
        let votes = |asked: Option<Vec<Request>>| match asked {
            None => kind.without_material(),
            Some(asked) => {
                // One answer about a section counts for all checks.
                let own: Vec<Answer> = answers.by_ref().take(asked.len()).collect();
                Votes::of(std::array::from_fn(|angle| own[angle % own.len()]))
            }
        };
        Ok(questions.into_iter().map(votes).collect())
    };
    questions.into_iter().zip(answers).map(of_row).collect()
}

/// Returns the requests about each entity; `None` for one without material.
fn questions(
    model: &LanguageModel,
    task: &CheckTask<'_>,
    row: &Assessment<'_>,
    kind: Check,
) -> Vec<Option<Vec<Request>>> {
    let materials: Vec<String> = task.sources.iter().map(|source| source.as_text()).collect();
    let of = |(entity, place): &(&Entity, usize)| {
        let material = Some(materials[*place].as_str()).filter(|material| !material.is_empty())?;
        if kind == Check::Section {
            let section = row.header_of(entity).unwrap_or("without a header");
            let fields = [("entity", entity.text.as_str()), ("section", section), ("materials", material)];
            return Some(vec![model.request(Step::SumAutoEvalSection, &fields)]);
        }
        let fields = [
            ("entity", entity.text.as_str()),
            ("materials", material),
            ("options", kind.options()),
            ("question", kind.question()),
        ];
        Some(ANGLES.iter().map(|angle| model.request(*angle, &fields)).collect())
    };
    task.entities.iter().map(of).collect()
}

/// Whether each entity of each row belongs in its section by the section's definition.
pub(super) fn by_definition(
    model: &LanguageModel,
    assessments: &[Result<Assessment<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<bool>>> {
    let sections = |row: &Result<Assessment<'_>>| -> Vec<Option<Request>> {
        let Ok(row) = row else { return Vec::new() };
        let request = |(entity, section): (&Entity, Option<(&str, &str)>)| {
            let (header, definition) = section?;
            let fields = [("entity", entity.text.as_str()), ("section", header), ("definition", definition)];
            Some(model.request(Step::SumAutoEvalDefinition, &fields))
        };
        row.entities_with_sections().into_iter().map(request).collect()
    };
    let asked: Vec<Vec<Option<Request>>> = assessments.iter().map(sections).collect();
    let requests: Vec<Vec<Request>> =
        asked.iter().map(|row| row.iter().flatten().cloned().collect()).collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| answer(text, Check::Section));
    let of_row = |(asked, answers): (Vec<Option<Request>>, Result<Vec<Answer>>)| {
        let mut answers = answers?.into_iter();
        // An entity under no header fits no definition.
        let fits = |asked: Option<Request>| asked.is_some() && answers.next() == Some(Answer::Yes);
        Ok(asked.into_iter().map(fits).collect())
    };
    asked.into_iter().zip(answers).map(of_row).collect()
}

/// The option of a check that a reply names.
fn answer(text: &str, kind: Check) -> std::result::Result<Answer, Unparsable> {
    let said = answer_of(text);
    let word: String =
        said.chars().skip_while(|c| !c.is_alphabetic()).take_while(|c| c.is_alphabetic()).collect();
    let named = match word.as_str() {
        "yes" => Some(Answer::Yes),
        "partial" | "partially" => Some(Answer::Partial),
        "no" => Some(Answer::No),
        "contradict" | "contradicts" | "contradicted" | "contradiction" => Some(Answer::Contradict),
        "unknown" => Some(Answer::Unknown),
        _ => None,
    };
    named
        .filter(|answer| kind.answers().contains(answer))
        .ok_or_else(|| Unparsable("it is none of the options".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_and_without_their_object() {
        for (text, kind, expected) in [
            (r#"{"reason": "It says no.", "answer": "Yes"}"#, Check::Section, Answer::Yes),
            ("{'reason': '', 'Answer': 'Partially.'}", Check::Correctness, Answer::Partial),
            ("No", Check::Completeness, Answer::No),
            ("**Contradicts**: it says otherwise", Check::Completeness, Answer::Contradict),
            ("unknown", Check::Correctness, Answer::Unknown),
        ] {
            assert_eq!(answer(text, kind), Ok(expected), "{text}");
        }
        // Options that the check does not offer.
        for (text, kind) in [
            ("Unknown", Check::Completeness),
            ("Contradict", Check::Correctness),
            ("Partially", Check::Section),
            ("Yesterday I saw it.", Check::Section),
        ] {
            assert!(answer(text, kind).is_err(), "{text}");
        }
        for text in ["", "Nobody knows", "{\"answer\": \"maybe\"}"] {
            assert!(answer(text, Check::Completeness).is_err(), "{text}");
        }
    }
}
