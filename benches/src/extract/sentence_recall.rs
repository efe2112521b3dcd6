//! ROUGE recall (Lin 2004) of a summary by separate sentences: clipped counts of the summary's n-grams, of one size or
//! summed over several, without stemming.

use std::collections::HashMap;

use super::choose::Coverage;
use crate::similarity::rouge::tokens;

/// n-grams and how often each occurs.
type Counts = HashMap<Vec<String>, usize>;

/// A summary's uncovered n-grams, and those of the sentences.
pub(super) struct SentenceRecall {
    missing: Vec<Missing>,
    /// By sentence and size; only n-grams of the summary, since others add nothing.
    sentences: Vec<Vec<Counts>>,
}

/// The uncovered n-grams of one size.
struct Missing {
    /// The number of uncovered occurrences of each of the summary's n-grams.
    counts: Counts,
    /// The contribution of one occurrence to the recall.
    share: f64,
}

impl SentenceRecall {
    /// Counts n-grams of these `sizes`.
    pub(super) fn of(sizes: &[usize], sentences: &[&str], summary: &str) -> Self {
        let n_grams_of = |text: &str| {
            let words = tokens(text, false);
            sizes.iter().map(|size| n_grams(&words, *size)).collect::<Vec<Counts>>()
        };
        let missing = n_grams_of(summary).into_iter().map(|counts| {
            let all: usize = counts.values().sum();
            Missing { counts, share: 1.0 / all.max(1) as f64 }
        });
        let missing: Vec<Missing> = missing.collect();
        let shared_with = |sentence: &&str| {
            let mut by_size = n_grams_of(sentence);
            for (counts, missing) in by_size.iter_mut().zip(&missing) {
                counts.retain(|n_gram, _| missing.counts.contains_key(n_gram));
                counts.shrink_to_fit();
            }
            by_size
        };
        let sentences = sentences.iter().map(shared_with).collect();
        Self { missing, sentences }
    }
}

impl Coverage for SentenceRecall {
    fn gain(&self, sentence: usize) -> f64 {
        self.missing.iter().zip(&self.sentences[sentence]).map(|(missing, counts)| missing.gain(counts)).sum()
    }

    fn take(&mut self, sentence: usize) {
        for (missing, counts) in self.missing.iter_mut().zip(&self.sentences[sentence]) {
            missing.take(counts);
        }
    }
}

impl Missing {
    /// Returns the gain in recall from a sentence.
    fn gain(&self, sentence: &Counts) -> f64 {
        let found: usize = sentence
            .iter()
            .map(|(n_gram, count)| self.counts.get(n_gram).map_or(0, |missing| *count.min(missing)))
            .sum();
        found as f64 * self.share
    }

    fn take(&mut self, sentence: &Counts) {
        for (n_gram, count) in sentence {
            if let Some(missing) = self.counts.get_mut(n_gram) {
                *missing = missing.saturating_sub(*count);
            }
        }
    }
}

fn n_grams(words: &[String], size: usize) -> Counts {
    let mut counts = Counts::new();
    for n_gram in words.windows(size) {
        *counts.entry(n_gram.to_vec()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::choose::{OverBudget, choose_greedily};
    use veridic::schedule::ignore_events;

    const SENTENCES: [&str; 4] = ["It rained.", "The pool is old.", "The old pool will close.", "A dog sat."];
    const SUMMARY: &str = "The old pool will close, a dog said.";

    fn choose(sizes: &[usize], budget: usize) -> Vec<usize> {
        let costs: Vec<usize> = SENTENCES.iter().map(|sentence| sentence.split(' ').count()).collect();
        let mut recall = SentenceRecall::of(sizes, &SENTENCES, SUMMARY);
        choose_greedily(&mut recall, &costs, budget, OverBudget::Skip, &ignore_events).unwrap()
    }

    #[test]
    fn a_sentence_adds_what_is_not_covered_yet() {
        // Sentence 2 has five of eight words; then sentence 3 adds two, sentence 1 nothing.
        assert_eq!(choose(&[1], 5), [2]);
        for sizes in [&[1][..], &[2], &[1, 2]] {
            assert_eq!(choose(sizes, 8), [2, 3]);
        }
        let mut wording = SentenceRecall::of(&[1, 2], &SENTENCES, SUMMARY);
        // Five of eight words and four of seven pairs.
        assert!((wording.gain(2) - (5.0 / 8.0 + 4.0 / 7.0)).abs() < 1e-12);
        wording.take(2);
        assert_eq!(wording.gain(1), 0.0);
        assert!((wording.gain(3) - (2.0 / 8.0 + 1.0 / 7.0)).abs() < 1e-12);
    }

    #[test]
    fn the_rest_of_the_budget_goes_to_the_earliest_sentences() {
        assert_eq!(choose(&[1], 10), [0, 2, 3]);
        assert_eq!(choose(&[1], 100), [0, 1, 2, 3]);
        assert!(choose(&[1], 1).is_empty());
    }
}
