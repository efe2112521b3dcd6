//! FineSurE (Song et al., ACL 2024): faithfulness, completeness and conciseness (section 3.2, equations 1 and 2) over the
//! answers to its two tasks. With a language model, the answers are obtained as published (`by_model`). Without one,
//! faithfulness follows from the verdicts on each sentence's claims (on the sentence itself, if no claim covers it),
//! completeness and conciseness from an alignment of key facts with summary sentences, and the axis `errors` gives each
//! unfaithful sentence an error type, by rules.
//!
//! TofuEval's completeness (Tang et al. 2024) is the same, with the row's key points.
//!
//! Key facts are judged as claims, with the summary as the document, so evidence is weighed in the same way.

mod alignment;
mod by_model;
mod central;
mod errors;
mod formulas;
mod key_facts;
mod sentences;

use serde::Serialize;

pub use self::key_facts::KeyFactsFrom;

use self::alignment::{Edge, align};
use self::sentences::Sentence;
use super::Evaluator;
use super::choice::MetricChoice;
use super::row::Rows;
use crate::llm::Step;
use crate::metrics::measures::Measures;
use veridic::schedule::OnEvent;
use veridic::{Error, named};

/// The measured axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The share of sentences without an error.
    Faithfulness,
    /// The share of key facts in the summary.
    Completeness,
    /// The share of sentences with a key fact.
    Conciseness,
    /// The number of unfaithful sentences, each with a type of error.
    Errors,
}

named!(Axis, "axis", {
    Faithfulness = "faithfulness",
    Completeness = "completeness",
    Conciseness = "conciseness",
    Errors = "errors",
});

/// Why a summary has no faithfulness.
const ALL_UNSURE: &str = "the verdict on each of its sentences is unsure";

/// The values behind the numbers.
#[derive(Debug, Serialize)]
struct Facts<'r> {
    /// The summary's sentences.
    sentences: Vec<Sentence<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts: Option<Vec<KeyFact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts_from: Option<&'static str>,
    /// The sentences that have each key fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<Edge>>,
}

#[derive(Debug, Serialize)]
struct KeyFact {
    text: String,
    is_in_summary: bool,
}

/// The steps of the wanted axes that a language model can answer.
pub(super) fn steps(choice: &MetricChoice) -> Vec<Step> {
    let judges = choice.needs_claims().then_some(Step::FineSureFacts);
    let aligns = choice.needs_key_facts().then_some([Step::FineSureKeyFacts, Step::FineSureAlignment]);
    judges.into_iter().chain(aligns.into_iter().flatten()).collect()
}

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let model = evaluator.language_model.as_ref();
    let judges = choice.needs_claims();
    // Send all requests that can be sent at once before a row may fail.
    let mut asked = model
        .filter(|_| judges)
        .map(|model| by_model::judged(model, rows, on_event))
        .unwrap_or_default()
        .into_iter();
    let mut named = model
        .filter(|_| choice.needs_key_facts())
        .map(|model| by_model::key_facts(model, evaluator.key_facts, rows, on_event))
        .unwrap_or_default()
        .into_iter();
    let (mut key_facts, mut answered) = (Vec::new(), Vec::new());
    rows.each(|row| {
        let judged = asked.next();
        let of_row = choice.needs_key_facts().then(|| match model {
            Some(_) => named.next().unwrap_or(Err(Error::Stopped)),
            None => key_facts::of(row, evaluator.key_facts, &evaluator.scorer),
        });
        key_facts.push(match of_row.transpose() {
            Err(error) if !evaluator.lenient => return Err(error),
            Err(error) => {
                for axis in [Axis::Completeness, Axis::Conciseness] {
                    row.measures.leave_out(axis.name(), error.to_string());
                }
                None
            }
            Ok(facts) => facts,
        });
        answered.extend(judged);
        Ok(())
    });
    let mut aligned = match model {
        Some(model) => by_model::align(model, rows, key_facts, on_event),
        None => align(&evaluator.scorer, rows, key_facts, on_event),
    }
    .into_iter();
    let mut judged = match model {
        Some(_) if judges => answered,
        None if judges => sentences::judged(&evaluator.scorer, rows, on_event),
        _ => sentences::plain(rows),
    }
    .into_iter();
    rows.each(|row| {
        let (aligned, sentences) = (aligned.next().transpose(), judged.next().unwrap_or(Err(Error::Stopped)));
        let (aligned, mut sentences) = (aligned?.flatten(), sentences?);
        if judges {
            match sentences::faithful(&sentences) {
                Some(faithful) => {
                    row.measures.add(Axis::Faithfulness.name(), formulas::faithfulness(&faithful))
                }
                None => row.measures.leave_out(Axis::Faithfulness.name(), ALL_UNSURE.to_owned()),
            }
        }
        if choice.wants(Axis::Errors.name()) {
            let errors = match model {
                Some(_) => sentences.iter().filter(|sentence| sentence.error.is_some()).count(),
                None => sentences::set_errors(row, &mut sentences),
            };
            row.measures.add(Axis::Errors.name(), errors as f64);
        }
        let mut facts = Facts { sentences, key_facts: None, key_facts_from: None, edges: None };
        if let Some((key_facts, edges)) = aligned {
            let (count, sentences) = (key_facts.len(), facts.sentences.len());
            let pairs: Vec<(usize, usize)> = edges.iter().flat_map(Edge::pairs).collect();
            if choice.wants(Axis::Completeness.name()) {
                row.measures.add(Axis::Completeness.name(), formulas::completeness(&pairs, count));
            }
            if choice.wants(Axis::Conciseness.name()) {
                row.measures.add(Axis::Conciseness.name(), formulas::conciseness(&pairs, sentences));
            }
            facts.key_facts = Some(found(key_facts, &pairs));
            facts.key_facts_from = Some(evaluator.key_facts.name());
            facts.edges = Some(edges);
        }
        row.measures.add_facts("finesure", &facts);
        Ok(())
    });
}

/// Adds the measures of a blank summary, as the paper counts it (appendix H): no error, and no key fact.
pub(super) fn measure_blank(choice: &MetricChoice, measures: &mut Measures) {
    if choice.needs_claims() {
        measures.add(Axis::Faithfulness.name(), formulas::faithfulness(&[]));
    }
    if choice.wants(Axis::Errors.name()) {
        measures.add(Axis::Errors.name(), 0.0);
    }
    for axis in [Axis::Completeness, Axis::Conciseness].into_iter().filter(|axis| choice.wants(axis.name())) {
        measures.add(axis.name(), formulas::conciseness(&[], 0));
    }
    let facts = Facts { sentences: Vec::new(), key_facts: None, key_facts_from: None, edges: None };
    measures.add_facts("finesure", &facts);
}

/// TofuEval's completeness: the share of the row's key points that are in the summary.
pub(super) fn key_points(evaluator: &Evaluator, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    #[derive(Serialize)]
    struct Facts {
        key_points: Vec<KeyFact>,
        edges: Vec<Edge>,
    }
    let mut points = Vec::new();
    rows.each(|row| {
        let of_row = key_facts::points(row);
        points.push(evaluator.or_leave_out(row, "key_points", of_row)?);
        Ok(())
    });
    let mut aligned = align(&evaluator.scorer, rows, points, on_event).into_iter();
    rows.each(|row| {
        let Some((points, edges)) = aligned.next().transpose()?.flatten() else { return Ok(()) };
        let pairs: Vec<(usize, usize)> = edges.iter().flat_map(Edge::pairs).collect();
        row.measures.add("key_points", formulas::completeness(&pairs, points.len()));
        row.measures.add_facts("key_points_facts", &Facts { key_points: found(points, &pairs), edges });
        Ok(())
    });
}

/// Returns the key facts, each with whether any sentence states it.
fn found(key_facts: Vec<String>, pairs: &[(usize, usize)]) -> Vec<KeyFact> {
    let of = |(number, text): (usize, String)| KeyFact {
        text,
        is_in_summary: pairs.iter().any(|pair| pair.0 == number),
    };
    key_facts.into_iter().enumerate().map(of).collect()
}
