//! Whether a text has an entity, by three prompts with different angles, and whether an entity is in its section, by two
//! (sections 3.2.1 to 3.2.3). The paper's prompts are not public; ours have its parts.

use serde_json::Value;

use super::answers::{Answer, CHECKS, Votes};
use super::check_task::{Check, CheckTask, DefinedSection};
use super::entity::Entity;
use crate::llm::literal::{member, values};
use crate::llm::{LanguageModel, Parsed, Request, Step, Unparsable};
use veridic::Result;
use veridic::schedule::OnEvent;

const ANGLES: [Step; CHECKS] =
    [Step::SumAutoEvalPresence, Step::SumAutoEvalCoverage, Step::SumAutoEvalEvidence];

/// What is asked about an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Whether a note has an entity of the ground truth.
    Presence,
    /// Whether the source or the ground truth supports an entity of the note.
    Truth,
    /// Whether the entity belongs in its section: one prompt.
    Section,
}

impl Question {
    fn of(check: Check) -> Self {
        match check {
            Check::Completeness | Check::Rubric | Check::Relevance => Self::Presence,
            Check::Correctness => Self::Truth,
            Check::Section => Self::Section,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Truth => "is it true according to the material?",
            Self::Presence | Self::Section => "does the material, which is a summary, hold it?",
        }
    }

    /// The options of the paper: contradict for completeness, unknown for correctness.
    fn options(self) -> &'static str {
        match self {
            Self::Truth => {
                "Yes: the material says so.\n\
                 Partially: the material says a part of it, and nothing against the rest.\n\
                 No: the material says otherwise.\n\
                 Unknown: the material has nothing for it or against it."
            }
            Self::Presence | Self::Section => {
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
            Self::Presence => &[Answer::Yes, Answer::Partial, Answer::No, Answer::Contradict],
            Self::Truth => &[Answer::Yes, Answer::Partial, Answer::No, Answer::Unknown],
            Self::Section => &[Answer::Yes, Answer::No],
        }
    }

    /// The votes on an entity from the answers about it. One answer about a section counts for all checks.
    fn votes(self, answers: &[Answer]) -> Votes {
        match answers {
            [] if self == Self::Truth => Votes::of([Answer::Unknown; CHECKS]),
            [] => Votes::of([Answer::No; CHECKS]),
            answers => Votes::of(std::array::from_fn(|angle| answers[angle % answers.len()])),
        }
    }
}

/// The votes on each entity of each row's task of a check.
pub(super) fn check(
    model: &LanguageModel,
    check: Check,
    tasks: &[Option<CheckTask<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Votes>>> {
    let question = Question::of(check);
    // (rows, entities, requests)
    let asked: Vec<Vec<Vec<Request>>> = tasks
        .iter()
        .map(|task| task.as_ref().map(|task| requests(model, task, question)).unwrap_or_default())
        .collect();
    let of_rows: Vec<Vec<Request>> = asked.iter().map(|row| row.concat()).collect();
    let answers = model.ask_rows(&of_rows, on_event, |_, _, text| answer(text, question));
    let mut votes = Vec::with_capacity(asked.len());
    for (asked, answers) in asked.iter().zip(answers) {
        votes.push(answers.map(|answers| {
            let mut rest = answers.as_slice();
            let mut of_row = Vec::with_capacity(asked.len());
            for requests in asked {
                let own = rest.split_off(..requests.len()).expect("every request has an answer");
                of_row.push(question.votes(own));
            }
            of_row
        }));
    }
    votes
}

/// Returns the requests about each entity; none about one without material.
fn requests(model: &LanguageModel, task: &CheckTask<'_>, question: Question) -> Vec<Vec<Request>> {
    let materials: Vec<String> = task.sources.iter().map(|source| source.as_text()).collect();
    let mut requests = Vec::with_capacity(task.entities.len());
    for entity in task.entities {
        let (entity, source) = (entity.text.as_str(), task.source_of(entity));
        let material = materials[source].as_str();
        requests.push(if material.is_empty() {
            Vec::new()
        } else if question == Question::Section {
            let section = task.sections[source].map_or("without a header", |section| section.header);
            let fields = [("entity", entity), ("section", section), ("materials", material)];
            vec![model.request(Step::SumAutoEvalSection, &fields)]
        } else {
            let [options, text] = [("options", question.options()), ("question", question.text())];
            let fields = [("entity", entity), ("materials", material), options, text];
            ANGLES.iter().map(|angle| model.request(*angle, &fields)).collect()
        });
    }
    requests
}

/// Whether each entity of each row belongs in its section by the section's definition. An entity under no header fits none.
pub(super) fn by_definition(
    model: &LanguageModel,
    tasks: &[Option<CheckTask<'_>>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<bool>>> {
    // (rows, entities)
    let mut asked: Vec<Vec<Option<Request>>> = Vec::with_capacity(tasks.len());
    for task in tasks {
        let request = |task: &CheckTask<'_>, entity: &Entity| {
            let DefinedSection { header, definition } = task.sections[task.source_of(entity)]?;
            let fields = [("entity", entity.text.as_str()), ("section", header), ("definition", definition)];
            Some(model.request(Step::SumAutoEvalDefinition, &fields))
        };
        let of_task =
            |task: &CheckTask<'_>| task.entities.iter().map(|entity| request(task, entity)).collect();
        asked.push(task.as_ref().map(of_task).unwrap_or_default());
    }
    let requests: Vec<Vec<Request>> =
        asked.iter().map(|row| row.iter().flatten().cloned().collect()).collect();
    let answers = model.ask_rows(&requests, on_event, |_, _, text| answer(text, Question::Section));
    let mut fits = Vec::with_capacity(asked.len());
    for (asked, answers) in asked.iter().zip(answers) {
        fits.push(answers.map(|answers| {
            let mut answers = answers.into_iter();
            asked.iter().map(|asked| asked.is_some() && answers.next() == Some(Answer::Yes)).collect()
        }));
    }
    fits
}

/// The option of a question that a reply names: in its member `answer`, or without one in the whole reply.
fn answer(text: &str, question: Question) -> Parsed<Answer> {
    let with_answer = values(text).into_iter().rev().find(|value| member(value, "answer").is_some());
    let said = with_answer.as_ref().and_then(|value| member(value, "answer")).and_then(Value::as_str);
    let said = said.unwrap_or(text).trim().to_lowercase();
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
        .filter(|answer| question.answers().contains(answer))
        .ok_or_else(|| Unparsable("it is none of the options".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_and_without_their_object() {
        for (text, question, expected) in [
            (r#"{"reason": "It says no.", "answer": "Yes"}"#, Question::Section, Answer::Yes),
            ("{'reason': '', 'Answer': 'Partially.'}", Question::Truth, Answer::Partial),
            ("No", Question::Presence, Answer::No),
            ("**Contradicts**: it says otherwise", Question::Presence, Answer::Contradict),
            ("unknown", Question::Truth, Answer::Unknown),
        ] {
            assert_eq!(answer(text, question), Ok(expected), "{text}");
        }
        // Options that the check does not offer.
        for (text, question) in [
            ("Unknown", Question::Presence),
            ("Contradict", Question::Truth),
            ("Partially", Question::Section),
            ("Yesterday I saw it.", Question::Section),
        ] {
            assert!(answer(text, question).is_err(), "{text}");
        }
        for text in ["", "Nobody knows", "{\"answer\": \"maybe\"}"] {
            assert!(answer(text, Question::Presence).is_err(), "{text}");
        }
    }
}
