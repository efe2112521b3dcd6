//! FineSurE (Song et al., ACL 2024) without a language model: faithfulness from the claims' verdicts, completeness and
//! conciseness from an alignment of key facts with summary sentences (section 3.2, equations 1 and 2).
//!
//! On request each sentence that is not faithful is given a type of error, by rules (`errors`).
//!
//! TofuEval's completeness (Tang et al. 2024) is the same with the row's key points.
//!
//! Key facts are judged as claims against the summary in place of a document, so that what weighs evidence there weighs it
//! here.

mod alignment;
mod central;
mod errors;
mod formulas;
mod key_facts;

use serde::Serialize;

pub use self::key_facts::KeyFactsFrom;

use self::alignment::{Edge, align};
use self::errors::{Doubted, SentenceError, error_of};
use super::Evaluator;
use super::choice::MetricChoice;
use super::row::{Row, Rows};
use crate::pipeline::Verdict;
use crate::schedule::OnEvent;
use crate::text::{Lookup, Span};

/// What made the numbers.
#[derive(Debug, Serialize)]
struct Facts<'r> {
    /// The summary's sentences.
    sentences: Vec<Sentence<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts: Option<Vec<KeyFact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_facts_from: Option<&'static str>,
    /// Which key fact is in which sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<Edge>>,
}

#[derive(Debug, Serialize)]
struct Sentence<'r> {
    text: &'r str,
    span: Span,
    /// Whether all its claims are supported; none if claims were not judged, or it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_faithful: Option<bool>,
    /// Numbers of its claims, from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<usize>,
    /// What is wrong with it, if it is not faithful.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<SentenceError>,
}

#[derive(Debug, Serialize)]
struct KeyFact {
    text: String,
    is_in_summary: bool,
}

pub(super) fn measure(
    evaluator: &Evaluator,
    choice: &MetricChoice,
    rows: &mut Rows<'_>,
    on_event: &OnEvent<'_>,
) {
    let mut key_facts = Vec::new();
    rows.each(|row| {
        let wanted = choice.needs_key_facts();
        let of_row = wanted.then(|| key_facts::of(row, evaluator.key_facts, evaluator.scorer()));
        key_facts.push(match of_row.transpose() {
            Err(error) if !evaluator.lenient => return Err(error),
            Err(error) => {
                for axis in ["completeness", "conciseness"] {
                    row.measures.leave_out(axis, error.to_string());
                }
                None
            }
            Ok(facts) => facts,
        });
        Ok(())
    });
    let mut aligned = align(evaluator.scorer(), rows, key_facts, on_event).into_iter();
    rows.each(|row| {
        let aligned = aligned.next().transpose()?.flatten();
        let mut sentences = sentences(row);
        if choice.wants("errors") {
            tell_errors(row, &mut sentences);
        }
        if choice.wants("faithfulness") {
            let faithful: Vec<bool> = sentences.iter().filter_map(|sentence| sentence.is_faithful).collect();
            row.measures.add("faithfulness", formulas::faithfulness(&faithful));
        } else {
            sentences.iter_mut().for_each(|sentence| sentence.is_faithful = None);
        }
        let mut facts = Facts { sentences, key_facts: None, key_facts_from: None, edges: None };
        if let Some((key_facts, edges)) = aligned {
            let (count, sentences) = (key_facts.len(), facts.sentences.len());
            let pairs: Vec<(usize, usize)> = edges.iter().flat_map(Edge::pairs).collect();
            if choice.wants("completeness") {
                row.measures.add("completeness", formulas::completeness(&pairs, count));
            }
            if choice.wants("conciseness") {
                row.measures.add("conciseness", formulas::conciseness(&pairs, sentences));
            }
            facts.key_facts = Some(found(key_facts, &pairs));
            facts.key_facts_from = Some(evaluator.key_facts.name());
            facts.edges = Some(edges);
        }
        row.measures.tell("finesure", &facts);
        Ok(())
    });
}

/// TofuEval's completeness: the share of the row's key points that the summary has.
pub(super) fn key_points(evaluator: &Evaluator, rows: &mut Rows<'_>, on_event: &OnEvent<'_>) {
    #[derive(Serialize)]
    struct Facts {
        key_points: Vec<KeyFact>,
        edges: Vec<Edge>,
    }
    let mut points = Vec::new();
    rows.each(|row| {
        points.push(match key_facts::points(row) {
            Err(error) if evaluator.lenient => {
                row.measures.leave_out("key_points", error.to_string());
                None
            }
            points => Some(points?),
        });
        Ok(())
    });
    let mut aligned = align(evaluator.scorer(), rows, points, on_event).into_iter();
    rows.each(|row| {
        let Some((points, edges)) = aligned.next().transpose()?.flatten() else { return Ok(()) };
        let pairs: Vec<(usize, usize)> = edges.iter().flat_map(Edge::pairs).collect();
        row.measures.add("key_points", formulas::completeness(&pairs, points.len()));
        row.measures.tell("key_points_facts", &Facts { key_points: found(points, &pairs), edges });
        Ok(())
    });
}

/// Key facts with whether some sentence has them.
fn found(key_facts: Vec<String>, pairs: &[(usize, usize)]) -> Vec<KeyFact> {
    let of = |(number, text): (usize, String)| KeyFact {
        text,
        is_in_summary: pairs.iter().any(|pair| pair.0 == number),
    };
    key_facts.into_iter().enumerate().map(of).collect()
}

/// What is wrong with each sentence that is not faithful, and how many there are.
fn tell_errors(row: &mut Row<'_>, sentences: &mut [Sentence<'_>]) {
    let judged = row.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
    let document = Lookup::new(row.pair.document);
    let mut count = 0;
    for sentence in sentences.iter_mut().filter(|sentence| sentence.is_faithful == Some(false)) {
        let own = sentence.claims.iter().map(|&claim| &judged[claim]);
        let doubted = own.filter(|claim| claim.verdict != Verdict::Supported).map(|claim| Doubted {
            text: &claim.text,
            evidence: &claim.evidence.text,
            probabilities: claim.probabilities,
        });
        sentence.error = Some(error_of(&doubted.collect::<Vec<_>>(), &document));
        count += 1;
    }
    row.measures.add("errors", f64::from(count));
}

/// The summary's sentences with the claims that begin in each.
fn sentences<'t>(row: &Row<'t>) -> Vec<Sentence<'t>> {
    let claims = row.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
    let begins = |claim: usize| claims[claim].summary_spans.first().map_or(0, |span| span.start);
    let of = |span: &Span| {
        let own: Vec<usize> =
            (0..claims.len()).filter(|&claim| (span.start..span.end).contains(&begins(claim))).collect();
        let is_faithful = own.iter().all(|&claim| claims[claim].verdict == Verdict::Supported);
        Sentence {
            text: row.summary.slice(*span),
            span: *span,
            is_faithful: (!own.is_empty()).then_some(is_faithful),
            claims: own,
            error: None,
        }
    };
    row.summary_sentences.iter().map(of).collect()
}
