//! How strongly a summary sentence, as premise, entails or contradicts each sentence of a document (Wu et al. 2024).

use super::document::Document;
use veridic::pipeline::{NliPair, summary_sentences};
use veridic::schedule::OnEvent;
use veridic::text::TextIndex;
use veridic::{Result, Scorer};

/// Returns the higher of both probabilities, maximized over the summary's sentences, by document and sentence.
///
/// # Errors
/// Those of [`Scorer::classify`], and if a summary does not contain its given sentences one after another.
pub(super) fn of(
    scorer: &Scorer,
    documents: &[&Document<'_>],
    on_event: &OnEvent<'_>,
) -> Result<Vec<Vec<f32>>> {
    let mut nli_pairs = Vec::new();
    let mut premises_of = Vec::with_capacity(documents.len());
    for document in documents {
        let summary = TextIndex::new(document.summary);
        let spans = summary_sentences(&summary, document.summary_sentences)?;
        let premises: Vec<&str> = spans.iter().map(|span| summary.slice(*span)).collect();
        for hypothesis in document.sentences() {
            nli_pairs.extend(premises.iter().map(|premise| NliPair { premise, hypothesis }));
        }
        premises_of.push(premises.len());
    }
    let mut answers = scorer.classify(&nli_pairs, on_event)?.into_iter().map(|answer| answer.probabilities);
    let mut relations = Vec::with_capacity(documents.len());
    for (document, premises) in documents.iter().zip(premises_of) {
        let mut of_document = Vec::with_capacity(document.spans.len());
        for _ in &document.spans {
            let of_sentence = answers.by_ref().take(premises);
            of_document.push(of_sentence.map(|p| p.entailment.max(p.contradiction)).fold(0.0, f32::max));
        }
        relations.push(of_document);
    }
    Ok(relations)
}
