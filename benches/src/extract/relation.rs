//! How strongly a summary sentence, as premise, entails or contradicts each sentence of a document (Wu et al. 2024).

use super::document::Document;
use veridic::pipeline::{NliPair, NliResult, summary_sentences};
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
    let mut answers = scorer.classify(&nli_pairs, on_event)?.into_iter();
    let relation =
        |answer: NliResult| answer.probabilities.entailment.max(answer.probabilities.contradiction);
    let mut highest = |count: usize| answers.by_ref().take(count).map(relation).fold(0.0, f32::max);
    let of_document =
        |(document, count): (&&Document<'_>, usize)| document.spans.iter().map(|_| highest(count)).collect();
    Ok(documents.iter().zip(premises_of).map(of_document).collect())
}
