//! Sentences that together have most of a summary's wording: one after the other, the one that adds most to the recall
//! of ROUGE (Lin 2004) of the summary's n-grams, by clipped counts; when none adds anything, the earliest that fit.

use std::collections::HashMap;

use crate::metrics::rouge::tokens;

/// Which of the summary's wording counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    words: bool,
    pairs: bool,
}

/// n-grams and how often they stand.
type Counts = HashMap<Vec<String>, usize>;

/// What of one size of n-gram is still missing.
struct Missing {
    size: usize,
    /// How often each n-gram of the summary is not yet in the extract.
    counts: Counts,
    /// What one of them adds to the recall.
    share: f64,
}

impl Wanted {
    pub(super) fn words() -> Self {
        Self { words: true, pairs: false }
    }

    pub(super) fn pairs() -> Self {
        Self { words: false, pairs: true }
    }

    pub(super) fn both() -> Self {
        Self { words: true, pairs: true }
    }

    /// The sentences, in the document's order.
    pub(super) fn choose(
        self,
        sentences: &[&str],
        summary: &str,
        costs: &[usize],
        budget: usize,
    ) -> Vec<usize> {
        let summary = tokens(summary, false);
        let sizes = [(1, self.words), (2, self.pairs)].into_iter().filter(|(_, wanted)| *wanted);
        let mut missing: Vec<Missing> = sizes.map(|(size, _)| Missing::of(&summary, size)).collect();
        let words: Vec<Vec<String>> = sentences.iter().map(|sentence| tokens(sentence, false)).collect();
        let counts: Vec<Vec<Counts>> = words
            .iter()
            .map(|words| missing.iter().map(|missing| n_grams(words, missing.size)).collect())
            .collect();
        let mut left = budget;
        let mut chosen = Vec::new();
        let mut open: Vec<usize> = (0..sentences.len()).collect();
        loop {
            open.retain(|&sentence| costs[sentence] <= left);
            let gain = |sentence: usize| -> f64 {
                missing.iter().zip(&counts[sentence]).map(|(missing, counts)| missing.gain(counts)).sum()
            };
            // Of equal gains the earlier sentence.
            let best = open.iter().copied().map(|sentence| (sentence, gain(sentence)));
            let Some((best, _)) = best.reduce(|best, other| if other.1 > best.1 { other } else { best })
            else {
                break;
            };
            for (missing, counts) in missing.iter_mut().zip(&counts[best]) {
                missing.take(counts);
            }
            left -= costs[best];
            chosen.push(best);
            open.retain(|&sentence| sentence != best);
        }
        chosen.sort_unstable();
        chosen
    }
}

impl Missing {
    fn of(summary: &[String], size: usize) -> Self {
        let counts = n_grams(summary, size);
        let all: usize = counts.values().sum();
        Self { size, counts, share: 1.0 / all.max(1) as f64 }
    }

    /// What a sentence adds to the recall.
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

    const SENTENCES: [&str; 4] = ["It rained.", "The pool is old.", "The old pool will close.", "A dog sat."];
    const SUMMARY: &str = "The old pool will close, a dog said.";

    fn choose(wanted: Wanted, budget: usize) -> Vec<usize> {
        let costs: Vec<usize> = SENTENCES.iter().map(|sentence| sentence.split(' ').count()).collect();
        wanted.choose(&SENTENCES, SUMMARY, &costs, budget)
    }

    #[test]
    fn each_sentence_adds_what_is_still_missing() {
        // Sentence 2 has five words of eight; then sentence 3 adds two, sentence 1 nothing.
        assert_eq!(choose(Wanted::words(), 5), [2]);
        assert_eq!(choose(Wanted::words(), 8), [2, 3]);
        assert_eq!(choose(Wanted::pairs(), 8), [2, 3]);
        assert_eq!(choose(Wanted::both(), 8), [2, 3]);
    }

    #[test]
    fn what_is_left_goes_to_the_earliest() {
        assert_eq!(choose(Wanted::words(), 10), [0, 2, 3]);
        assert_eq!(choose(Wanted::words(), 100), [0, 1, 2, 3]);
        assert!(choose(Wanted::words(), 1).is_empty());
    }
}
