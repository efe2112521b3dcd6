//! TofuEval's evaluators by language models (Tang et al., NAACL 2024, section 5.1 and appendix C.3): yes or no for every
//! sentence or for the summary, with or without an explanation. A summary is consistent if all its sentences are (table 3).
//! A question asked in several runs gives their mean, and their agreement (table 4).

mod agreement;
mod axis;

use serde::Serialize;

pub(super) use self::agreement::{SelfAgreement, SelfAgreementTally};
pub(super) use self::axis::Axis;
use super::row::{Row, Rows};
use crate::llm::{LanguageModel, Parsed, Unparsable};
use veridic::schedule::OnEvent;

/// The answers about a text, one per run.
#[derive(Debug, Serialize)]
struct TextFacts<'t> {
    text: &'t str,
    is_consistent: Vec<bool>,
    /// The text after yes or no in each reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanations: Vec<String>,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Judgement {
    is_consistent: bool,
    explanation: String,
}

pub(super) fn measure(model: &LanguageModel, axes: &[Axis], rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    // All questions are asked before a row may fail.
    let mut answers = Vec::new();
    for &axis in axes {
        let requests = rows.each(|row| {
            let mut requests = Vec::new();
            for text in axis.texts(row) {
                let fields = [("document", row.texts.pair.document), (axis.field(), text)];
                requests
                    .extend((1..=model.runs()).map(|run| model.request_of_run(axis.step(), &fields, run)));
            }
            Ok(requests)
        });
        answers.push((axis, model.ask_rows(&requests, on_event, |_, _, text| judgement(text))));
    }
    for (axis, answers) in answers {
        rows.each_with(answers, |row, answers| {
            add(row, axis, model.runs() as usize, &answers?);
            Ok(())
        });
    }
}

fn add(row: &mut Row<'_>, axis: Axis, runs: usize, answers: &[Judgement]) {
    let texts = axis.texts(row).into_iter().zip(answers.chunks(runs));
    let facts: Vec<TextFacts<'_>> = texts.map(|(text, answers)| TextFacts::of(text, answers)).collect();
    let is_consistent = |run: &usize| facts.iter().all(|text| text.is_consistent[*run]);
    let consistent = (0..runs).filter(is_consistent).count();
    row.measures.add(axis.number_name(), consistent as f64 / runs as f64);
    row.measures.add_facts(axis.facts_name(), &facts);
}

impl<'t> TextFacts<'t> {
    fn of(text: &'t str, answers: &[Judgement]) -> Self {
        let is_consistent = answers.iter().map(|answer| answer.is_consistent).collect();
        let mut explanations: Vec<String> = answers.iter().map(|answer| answer.explanation.clone()).collect();
        if explanations.iter().all(String::is_empty) {
            explanations.clear();
        }
        Self { text, is_consistent, explanations }
    }
}

/// Parses yes or no at the beginning of a reply, possibly after a word such as "Answer:", and the text after it.
fn judgement(text: &str) -> Parsed<Judgement> {
    let bare = |text| str::trim_start_matches(text, |c: char| !c.is_alphabetic());
    let said = bare(text);
    let labelled = said.get(..6).is_some_and(|label| label.eq_ignore_ascii_case("answer"));
    let said = if labelled { bare(&said[6..]) } else { said };
    let end = said.find(|c: char| !c.is_alphabetic()).unwrap_or(said.len());
    let is_consistent = match said[..end].to_lowercase().as_str() {
        "yes" => true,
        "no" => false,
        _ => return Err(Unparsable("it begins with neither Yes nor No".to_owned())),
    };
    let explanation = said[end..].trim_start_matches(|c: char| !c.is_alphanumeric()).trim().to_owned();
    Ok(Judgement { is_consistent, explanation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_begins_with_yes_or_no() {
        let read = |text| judgement(text).map(|it| (it.is_consistent, it.explanation));
        assert_eq!(read("Yes"), Ok((true, String::new())));
        assert_eq!(read(" **No.** It was Bob."), Ok((false, "It was Bob.".into())));
        assert_eq!(read("\"yes, it is.\""), Ok((true, "it is.\"".into())));
        assert_eq!(read("Answer: No"), Ok((false, String::new())));
        assert_eq!(read("{\"answer\": \"Yes\"}"), Ok((true, String::new())));
        for text in ["", "Not sure", "Yesterday", "The sentence is consistent: yes"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
