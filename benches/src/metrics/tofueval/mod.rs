//! TofuEval's evaluators by language models (Tang et al., NAACL 2024, section 5.1 and appendix C.3): yes or no for every
//! sentence or for the summary, with or without an explanation. A summary is consistent if all its sentences are (table 3).
//! A question asked in several runs gives their mean, and their agreement (table 4).

mod agreement;

use serde::Serialize;

pub(super) use self::agreement::{SelfAgreement, SelfAgreementTally};
use super::Evaluator;
use super::choice::MetricChoice;
use super::row::{Row, Rows};
use crate::llm::{LanguageModel, Request, Step, Unparsable};
use veridic::schedule::OnEvent;
use veridic::{Error, Result, named};

/// The subject of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// Each sentence.
    Sentence,
    /// Each sentence, with an explanation.
    SentenceExplained,
    /// The summary.
    Summary,
    /// The summary, with an explanation.
    SummaryExplained,
}

named!(Axis, "axis", {
    Sentence = "sentence",
    SentenceExplained = "sentence-explained",
    Summary = "summary",
    SummaryExplained = "summary-explained",
});

impl Axis {
    fn step(self) -> Step {
        match self {
            Self::Sentence => Step::TofuEvalSentence,
            Self::SentenceExplained => Step::TofuEvalSentenceExplained,
            Self::Summary => Step::TofuEvalSummary,
            Self::SummaryExplained => Step::TofuEvalSummaryExplained,
        }
    }

    fn number_name(self) -> &'static str {
        match self {
            Self::Sentence => "tofueval_sentence",
            Self::SentenceExplained => "tofueval_sentence_explained",
            Self::Summary => "tofueval_summary",
            Self::SummaryExplained => "tofueval_summary_explained",
        }
    }

    fn facts_name(self) -> &'static str {
        match self {
            Self::Sentence => "tofueval_sentence_facts",
            Self::SentenceExplained => "tofueval_sentence_explained_facts",
            Self::Summary => "tofueval_summary_facts",
            Self::SummaryExplained => "tofueval_summary_explained_facts",
        }
    }

    /// Returns the texts to ask about.
    fn texts<'t>(self, row: &Row<'t>) -> Vec<&'t str> {
        match self {
            Self::Sentence | Self::SentenceExplained => row.summary_units(),
            Self::Summary | Self::SummaryExplained => vec![row.pair.summary],
        }
    }
}

/// The steps of the wanted axes.
pub(super) fn steps(choice: &MetricChoice) -> Vec<Step> {
    Axis::ALL.into_iter().filter(|axis| choice.wants(axis.name())).map(Axis::step).collect()
}

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

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let Some(model) = &evaluator.language_model else {
        return rows.each(|_| Err(super::needs_answers("tofueval")));
    };
    let axes: Vec<Axis> = Axis::ALL.into_iter().filter(|axis| choice.wants(axis.name())).collect();
    let mut of_axes: Vec<_> = axes.iter().map(|axis| ask(model, *axis, rows, on_event).into_iter()).collect();
    rows.each(|row| {
        // Take the answers of every axis, even after one that failed.
        let answers: Vec<Result<Vec<Judgement>>> =
            of_axes.iter_mut().map(|answers| answers.next().unwrap_or(Err(Error::Stopped))).collect();
        for (axis, answers) in axes.iter().zip(answers) {
            add(row, *axis, model.runs() as usize, answers?);
        }
        Ok(())
    });
}

/// Returns the answers of each row that has not failed: for each of its texts, one per run.
fn ask(
    model: &LanguageModel,
    axis: Axis,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Judgement>>> {
    let mut requests: Vec<Vec<Request>> = Vec::new();
    rows.each(|row| {
        let document = row.pair.document;
        let of_text = |text| (1..=model.runs()).map(move |run| request(model, axis, document, text, run));
        requests.push(axis.texts(row).into_iter().flat_map(of_text).collect());
        Ok(())
    });
    model.ask_rows(&requests, on_event, |_, _, text| judgement(text))
}

fn request(model: &LanguageModel, axis: Axis, document: &str, text: &str, run: u32) -> Request {
    let field = match axis {
        Axis::Sentence | Axis::SentenceExplained => "sentence",
        Axis::Summary | Axis::SummaryExplained => "summary",
    };
    model.request_of_run(axis.step(), &[("document", document), (field, text)], run)
}

fn add(row: &mut Row<'_>, axis: Axis, runs: usize, answers: Vec<Judgement>) {
    let facts: Vec<TextFacts<'_>> =
        axis.texts(row).into_iter().zip(answers.chunks(runs)).map(facts).collect();
    let whole = |run: usize| facts.iter().all(|text| text.is_consistent[run]);
    let consistent = (0..runs).filter(|run| whole(*run)).count();
    row.measures.add(axis.number_name(), consistent as f64 / runs as f64);
    row.measures.add_facts(axis.facts_name(), &facts);
}

fn facts<'t>((text, answers): (&'t str, &[Judgement])) -> TextFacts<'t> {
    let explanations = answers.iter().map(|answer| answer.explanation.clone());
    TextFacts {
        text,
        is_consistent: answers.iter().map(|answer| answer.is_consistent).collect(),
        explanations: if answers.iter().all(|answer| answer.explanation.is_empty()) {
            Vec::new()
        } else {
            explanations.collect()
        },
    }
}

/// Parses yes or no at the beginning of a reply, possibly after a word such as "Answer:", and the text after it.
fn judgement(text: &str) -> std::result::Result<Judgement, Unparsable> {
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
