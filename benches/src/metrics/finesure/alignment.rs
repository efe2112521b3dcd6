//! The alignment of key facts with summary sentences, and what follows from it. A key fact is judged as a claim against every
//! sentence; one that no single sentence supports, against runs of two and three sentences.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::metrics::row::{Row, Rows};
use veridic::result::PairResult;
use veridic::schedule::OnEvent;
use veridic::text::window_span;
use veridic::{Pair, Result, Scorer};

/// The number of sentences in the longest run.
const LONGEST_RUN: usize = 3;

/// A key fact stated by a sentence, or by a run of sentences together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Edge {
    /// Its index.
    pub(super) key_fact: usize,
    /// Indices of the sentences. A language model may name none: then the key fact does not count as found.
    pub(super) sentences: Vec<usize>,
    /// The score of the key fact against the sentences; `None` if a language model aligned them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f32>,
}

/// Key facts and their edges.
#[derive(Debug)]
pub(super) struct Alignment {
    pub(super) key_facts: Vec<String>,
    pub(super) edges: Vec<Edge>,
}

/// A key fact, as in the facts of a result.
#[derive(Debug, Serialize)]
pub(super) struct KeyFact {
    text: String,
    is_in_summary: bool,
}

impl Alignment {
    /// Equation 2: the share of key facts with an edge.
    pub(super) fn completeness(&self) -> f64 {
        share(self.found().len(), self.key_facts.len())
    }

    /// Equation 2: the share of the summary's sentences with an edge.
    pub(super) fn conciseness(&self, sentences: usize) -> f64 {
        let with_edge: BTreeSet<usize> =
            self.edges.iter().flat_map(|edge| &edge.sentences).copied().collect();
        share(with_edge.len(), sentences)
    }

    /// Returns the key facts, each with whether any sentence states it.
    pub(super) fn key_facts(&self) -> Vec<KeyFact> {
        let found = self.found();
        let texts = self.key_facts.iter().cloned().enumerate();
        texts.map(|(place, text)| KeyFact { text, is_in_summary: found.contains(&place) }).collect()
    }

    /// The key facts that are in a sentence.
    fn found(&self) -> BTreeSet<usize> {
        let in_sentences = self.edges.iter().filter(|edge| !edge.sentences.is_empty());
        in_sentences.map(|edge| edge.key_fact).collect()
    }
}

/// The part of a whole; 0 of nothing.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A run of sentences that serves as a document.
struct Unit<'t> {
    text: &'t str,
    sentences: Vec<usize>,
}

/// Returns the alignment of each row that has key facts; `key_facts` are those of these rows.
pub(super) fn align(
    scorer: &Scorer,
    rows: &mut Rows<'_>,
    key_facts: Vec<Option<Vec<String>>>,
    on_event: &OnEvent<'_>,
) -> Vec<Option<Alignment>> {
    let units: Vec<Vec<Unit<'_>>> = rows.each_with(&key_facts, |row, facts| {
        Ok(if facts.is_some() {
            (1..=LONGEST_RUN).flat_map(|size| runs(row, size)).collect()
        } else {
            Vec::new()
        })
    });
    let joined: Vec<String> =
        key_facts.iter().map(|facts| facts.as_deref().unwrap_or_default().join(" ")).collect();
    let mut pairs = Vec::new();
    for ((units, facts), joined) in units.iter().zip(&key_facts).zip(&joined) {
        pairs.extend(
            units.iter().map(|unit| Pair { claims: facts.as_deref(), ..Pair::new(unit.text, joined) }),
        );
    }
    let mut results = scorer.score_given_claims(&pairs, on_event).into_iter();
    let mut of_rows: Vec<Vec<Result<PairResult>>> = Vec::new();
    for units in &units {
        of_rows.push(results.by_ref().take(units.len()).collect());
    }
    let supported_from = scorer.settings().rules.thresholds.supported;
    rows.each_with(of_rows.into_iter().zip(key_facts.into_iter().zip(&units)), |_, (results, of_row)| {
        let (Some(key_facts), units) = of_row else { return Ok(None) };
        let results = results.into_iter().collect::<Result<Vec<PairResult>>>()?;
        let edges = edges(units, &results, key_facts.len(), supported_from);
        Ok(Some(Alignment { key_facts, edges }))
    })
}

/// The summary's runs of `size` sentences.
fn runs<'t>(row: &Row<'t>, size: usize) -> Vec<Unit<'t>> {
    let spans = &row.summary_sentences;
    let starts = 0..(spans.len() + 1).saturating_sub(size);
    let run = |start: usize| {
        let sentences = start..start + size;
        let text = row.summary.slice(window_span(spans, &sentences)?);
        Some(Unit { text, sentences: sentences.collect() })
    };
    starts.filter_map(run).collect()
}

/// Returns an edge for every sentence that supports a key fact; for a key fact that none supports, for the shortest runs
/// that do.
fn edges(units: &[Unit<'_>], results: &[PairResult], key_facts: usize, supported_from: f32) -> Vec<Edge> {
    let mut edges = Vec::new();
    for key_fact in 0..key_facts {
        for size in 1..=LONGEST_RUN {
            let before = edges.len();
            for (unit, result) in units.iter().zip(results).filter(|(unit, _)| unit.sentences.len() == size) {
                let score = result.claims[key_fact].score;
                if score >= supported_from {
                    edges.push(Edge { key_fact, sentences: unit.sentences.clone(), score: Some(score) });
                }
            }
            if edges.len() > before {
                break;
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_counted_by_hand() {
        // Key facts 0 and 2 of four are found, in sentences 0 and 1 of three; fact 3 is in no sentence.
        let edge =
            |key_fact, sentences: &[usize]| Edge { key_fact, sentences: sentences.to_vec(), score: None };
        let edges = vec![edge(0, &[0, 1]), edge(2, &[1]), edge(3, &[])];
        let alignment = Alignment { key_facts: vec![String::new(); 4], edges };
        assert_eq!((alignment.completeness(), alignment.conciseness(3)), (0.5, 2.0 / 3.0));
        let found: Vec<bool> = alignment.key_facts().iter().map(|fact| fact.is_in_summary).collect();
        assert_eq!(found, [true, false, true, false]);
        let empty = Alignment { key_facts: Vec::new(), edges: Vec::new() };
        assert_eq!((empty.completeness(), empty.conciseness(0)), (0.0, 0.0));
    }
}
