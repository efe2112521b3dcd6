//! The alignment of key facts with summary sentences. A key fact is judged as a claim against every sentence; one that no
//! single sentence supports, against runs of two and three sentences.

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
    /// Indices of the sentences.
    pub(super) sentences: Vec<usize>,
    /// The score of the key fact against the sentences; `None` if a language model aligned them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f32>,
}

impl Edge {
    /// (key fact, sentence) of each sentence.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sentences.iter().map(|sentence| (self.key_fact, *sentence))
    }
}

/// Key facts and their edges.
pub(super) type Aligned = (Vec<String>, Vec<Edge>);

/// A run of sentences that serves as a document.
struct Unit<'t> {
    text: &'t str,
    sentences: Vec<usize>,
}

/// Returns the alignment of each row that has not failed and has key facts; `key_facts` are those of these rows.
pub(super) fn align(
    scorer: &Scorer,
    rows: &mut Rows<'_>,
    key_facts: Vec<Option<Vec<String>>>,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Option<Aligned>>> {
    let mut units = Vec::new();
    rows.each(|row| {
        units.push((1..=LONGEST_RUN).flat_map(|size| runs(row, size)).collect::<Vec<_>>());
        Ok(())
    });
    let joined: Vec<String> =
        key_facts.iter().map(|facts| facts.iter().flatten().cloned().collect::<Vec<_>>().join(" ")).collect();
    let mut pairs = Vec::new();
    for ((units, facts), joined) in units.iter().zip(&key_facts).zip(&joined) {
        let Some(facts) = facts else { continue };
        for unit in units {
            pairs.push(Pair { claims: Some(facts), ..Pair::new(unit.text, joined) });
        }
    }
    let mut results = scorer.score_given_claims(&pairs, on_event).into_iter();
    let of_row = |(units, facts): (Vec<Unit<'_>>, Option<Vec<String>>)| {
        let Some(facts) = facts else { return Ok(None) };
        // Consume all results of the row, even after a failed one.
        let results: Vec<Result<PairResult>> = results.by_ref().take(units.len()).collect();
        let results: Vec<PairResult> = results.into_iter().collect::<Result<_>>()?;
        let supported_from = supported_from(scorer);
        Ok(Some((facts.clone(), edges(&units, &results, facts.len(), supported_from))))
    };
    units.into_iter().zip(key_facts).map(of_row).collect()
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

fn supported_from(scorer: &Scorer) -> f32 {
    scorer.settings().rules.thresholds.supported
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
