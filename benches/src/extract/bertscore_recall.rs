//! BERTScore recall (Zhang et al. 2020) of a summary by sentences: every token of the summary is matched with the most
//! similar token of the chosen sentences. Sentences are encoded separately, so that a document is encoded once, as in the
//! program of Extract-then-Evaluate's authors (Wu et al. 2024). Unlike there, special tokens do not count.

use veridic_models::TextEncoder;

use super::choose::Coverage;
use crate::similarity::bertscore::batch_length;
use crate::similarity::bertscore::formula::UnitVectors;
use veridic::schedule::{Event, OnEvent, Stage, timed};
use veridic::{Error, Result};

/// A token's similarity before any sentence is chosen: the lowest cosine.
const LOWEST: f32 = -1.0;

/// The similarities of each sentence to each token of a summary.
#[derive(Clone)]
pub(super) struct BertScoreRecall {
    /// (sentences, tokens of the summary)
    sentences: Vec<Vec<f32>>,
    /// The weight of each token; weights sum to 1.
    shares: Vec<f64>,
    /// Each token's highest similarity to a chosen sentence.
    best: Vec<f32>,
}

impl BertScoreRecall {
    /// `sentences` holds similarities, (sentences, tokens); `weights` those of the tokens, on any scale.
    pub(super) fn new(sentences: Vec<Vec<f32>>, weights: Vec<f64>) -> Self {
        let whole = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let best = vec![LOWEST; weights.len()];
        Self { sentences, shares: weights.iter().map(|weight| weight / whole).collect(), best }
    }

    /// Encodes the texts, each truncated at the encoder's limit.
    ///
    /// # Errors
    /// If the encoder fails on a text, and [`Error::Stopped`] if `on_event` ends the work.
    pub(super) fn read(
        encoder: &TextEncoder,
        sentences: &[&str],
        summary: &str,
        on_event: &OnEvent<'_>,
    ) -> Result<Self> {
        let summary = encoder.tokens(summary)?.ids;
        let weights = summary.iter().map(|id| f64::from(u8::from(!encoder.is_special(*id)))).collect();
        let wanted = UnitVectors::of(&encoder.vectors(&[&summary])?[0]);
        let ids = sentences.iter().map(|sentence| Ok(encoder.tokens(sentence)?.ids));
        let ids = ids.collect::<Result<Vec<Vec<u32>>>>()?;
        let mut similar = Vec::with_capacity(ids.len());
        let mut rest = ids.as_slice();
        while !rest.is_empty() {
            let (batch, others) = rest.split_at(batch_length(rest.iter().map(Vec::len)));
            let texts: Vec<&[u32]> = batch.iter().map(Vec::as_slice).collect();
            let vectors = timed(Stage::Model, on_event, || encoder.vectors(&texts))?;
            similar.extend(vectors.iter().map(|vectors| wanted.most_similar(&UnitVectors::of(vectors))));
            let tokens = texts.iter().map(|text| text.len()).sum();
            if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
                return Err(Error::Stopped);
            }
            rest = others;
        }
        Ok(Self::new(similar, weights))
    }
}

impl Coverage for BertScoreRecall {
    fn gain(&self, sentence: usize) -> f64 {
        let tokens = self.sentences[sentence].iter().zip(&self.best).zip(&self.shares);
        tokens.map(|((similar, best), share)| f64::from((similar - best).max(0.0)) * share).sum()
    }

    fn take(&mut self, sentence: usize) {
        for (best, similar) in self.best.iter_mut().zip(&self.sentences[sentence]) {
            *best = best.max(*similar);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::choose::{OverBudget, choose_greedily};
    use veridic::schedule::ignore_events;

    #[test]
    fn a_sentence_adds_the_increase_of_similarities() {
        let sentences = vec![vec![1.0, 0.9, 0.1], vec![0.0, 0.8, 0.2], vec![0.0, 0.1, 0.9]];
        let mut likeness = BertScoreRecall::new(sentences, vec![0.0, 1.0, 3.0]);
        // Gains from -1: (1.9 + 3 x 1.1) / 4, (1.8 + 3 x 1.2) / 4, (1.1 + 3 x 1.9) / 4.
        for (sentence, expected) in [(0, 1.3), (1, 1.35), (2, 1.7)] {
            assert!((likeness.gain(sentence) - expected).abs() < 1e-6, "{}", likeness.gain(sentence));
        }
        likeness.take(2);
        assert!((likeness.gain(0) - 0.2).abs() < 1e-6 && (likeness.gain(1) - 0.175).abs() < 1e-6);
        likeness.best = vec![LOWEST; 3];
        assert_eq!(
            choose_greedily(&mut likeness, &[1, 1, 1], 2, OverBudget::Stop, &ignore_events).unwrap(),
            [0, 2]
        );
    }

    #[test]
    fn a_summary_without_tokens_selects_the_earliest_sentences() {
        let mut likeness = BertScoreRecall::new(vec![vec![]; 3], vec![]);
        assert_eq!(
            choose_greedily(&mut likeness, &[2, 2, 2], 4, OverBudget::Stop, &ignore_events).unwrap(),
            [0, 1]
        );
    }
}
