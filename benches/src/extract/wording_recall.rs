//! ROUGE recall (Lin 2004) of a summary by an extract: clipped counts of the summary's n-grams, of one size or summed over
//! several. As the authors of Extract-then-Evaluate count it (Wu et al. 2024), over Porter tokens, with n-grams across sentence
//! boundaries, so that a sentence's gain depends on its neighbours in the extract; or over words, within sentences.
//!
//! The authors' program first looks words up in WordNet's list of irregular forms; this implementation does not.

use std::collections::HashMap;

use super::choose::Coverage;
use crate::similarity::rouge::{porter_tokens, tokens};

/// What n-grams are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NGrams {
    /// Stems; they cross the ends of sentences.
    OfStems,
    /// Words of one sentence.
    OfWords,
}

/// The id of a stem or a word.
type Token = u32;

/// The sentences of a document, the chosen ones, and the n-grams that they share with a summary.
pub(super) struct WordingRecall {
    n_grams: NGrams,
    sentences: Vec<Vec<Token>>,
    /// The chosen sentences, in document order.
    taken: Vec<usize>,
    sizes: Vec<Shared>,
}

/// n-grams of one size.
struct Shared {
    size: usize,
    /// The n-grams of the summary.
    n_grams: HashMap<Vec<Token>, Count>,
    /// The number of n-grams in the summary.
    all: usize,
    /// The number of them in the extract, by clipped counts.
    found: usize,
}

/// The number of occurrences of an n-gram in the summary and in the extract.
#[derive(Default)]
struct Count {
    wanted: usize,
    present: usize,
}

/// The tokens around a sentence's position in the extract, as far as n-grams of a size reach.
struct Around {
    without: Vec<Token>,
    with: Vec<Token>,
}

/// Changes to the extract's counts of the summary's n-grams.
type Changes<'t> = HashMap<&'t [Token], isize>;

impl WordingRecall {
    /// Counts n-grams of these `sizes`.
    pub(super) fn of(n_grams: NGrams, sizes: &[usize], sentences: &[&str], summary: &str) -> Self {
        let mut numbers: HashMap<String, Token> = HashMap::new();
        let mut numbered = |text: &str| -> Vec<Token> {
            let number = |token: String| {
                let next = numbers.len() as Token;
                *numbers.entry(token).or_insert(next)
            };
            let tokens = match n_grams {
                NGrams::OfStems => porter_tokens(text),
                NGrams::OfWords => tokens(text, false),
            };
            tokens.into_iter().map(number).collect()
        };
        let summary = numbered(summary);
        Self {
            n_grams,
            sentences: sentences.iter().map(|sentence| numbered(sentence)).collect(),
            taken: Vec::new(),
            sizes: sizes.iter().map(|size| Shared::of(*size, &summary)).collect(),
        }
    }

    /// Returns the tokens around a sentence's position, without and with the sentence.
    fn around(&self, sentence: usize, size: usize) -> Around {
        let place = self.taken.partition_point(|taken| *taken < sentence);
        let (before, after) = self.taken.split_at(place);
        let tokens = |sentence: &usize| self.sentences[*sentence].iter().copied();
        let reach = if self.n_grams == NGrams::OfStems { size - 1 } else { 0 };
        let mut without: Vec<Token> =
            before.iter().rev().flat_map(|sentence| tokens(sentence).rev()).take(reach).collect();
        without.reverse();
        let mut with = without.clone();
        with.extend(tokens(&sentence));
        let after: Vec<Token> = after.iter().flat_map(tokens).take(reach).collect();
        without.extend(&after);
        with.extend(&after);
        Around { without, with }
    }
}

impl Shared {
    fn of(size: usize, summary: &[Token]) -> Self {
        let mut n_grams: HashMap<Vec<Token>, Count> = HashMap::new();
        for n_gram in summary.windows(size) {
            n_grams.entry(n_gram.to_vec()).or_default().wanted += 1;
        }
        Self { size, n_grams, all: summary.windows(size).count(), found: 0 }
    }

    /// Returns the changes from the text without a sentence to the text with it.
    fn changes<'t>(&self, around: &'t Around) -> Changes<'t> {
        let mut changes = Changes::new();
        for (tokens, change) in [(&around.without, -1), (&around.with, 1)] {
            for n_gram in tokens.windows(self.size).filter(|n_gram| self.n_grams.contains_key(*n_gram)) {
                *changes.entry(n_gram).or_default() += change;
            }
        }
        changes
    }

    /// Returns the recall after these changes.
    fn recall(&self, changes: &Changes<'_>) -> f64 {
        let mut found = self.found;
        for (n_gram, change) in changes {
            let Count { wanted, present } = &self.n_grams[*n_gram];
            found = found + present.saturating_add_signed(*change).min(*wanted) - present.min(wanted);
        }
        if self.all == 0 { 0.0 } else { found as f64 / self.all as f64 }
    }

    fn apply(&mut self, changes: &Changes<'_>) {
        for (n_gram, change) in changes {
            if let Some(Count { wanted, present }) = self.n_grams.get_mut(*n_gram) {
                let before = *present;
                *present = before.saturating_add_signed(*change);
                self.found = self.found + (*present).min(*wanted) - before.min(*wanted);
            }
        }
    }
}

impl Coverage for WordingRecall {
    /// Returns the sum of the recalls with the sentence.
    fn gain(&self, sentence: usize) -> f64 {
        let recall = |shared: &Shared| shared.recall(&shared.changes(&self.around(sentence, shared.size)));
        self.sizes.iter().map(recall).sum()
    }

    fn take(&mut self, sentence: usize) {
        let around: Vec<Around> =
            self.sizes.iter().map(|shared| self.around(sentence, shared.size)).collect();
        for (shared, around) in self.sizes.iter_mut().zip(&around) {
            let changes = shared.changes(around);
            shared.apply(&changes);
        }
        self.taken.insert(self.taken.partition_point(|taken| *taken < sentence), sentence);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::extract::choose::{OverBudget, choose_greedily};
    use veridic::schedule::ignore_events;

    /// Returns the recall of a summary's n-grams by a text, computed from scratch.
    fn recall(text: &str, summary: &str, size: usize) -> f64 {
        let grams = |text: &str| -> Vec<Vec<String>> {
            porter_tokens(text).windows(size).map(<[String]>::to_vec).collect()
        };
        let (wanted, mut present) = (grams(summary), grams(text));
        let mut found = 0;
        for n_gram in &wanted {
            if let Some(place) = present.iter().position(|other| other == n_gram) {
                present.swap_remove(place);
                found += 1;
            }
        }
        found as f64 / wanted.len().max(1) as f64
    }

    #[test]
    fn stems_count_and_pairs_cross_sentences() {
        let sentences = ["The old dam was closing.", "Rain fell.", "Water flooded Elm."];
        let summary = "The dam closed. Water floods Elm.";
        let mut joined = WordingRecall::of(NGrams::OfStems, &[2], &sentences, summary);
        // "water flood" and "flood elm", of five pairs; after the first sentence also "close water".
        assert_eq!(joined.gain(2), 2.0 / 5.0);
        joined.take(0);
        assert_eq!(joined.gain(2), 3.0 / 5.0);
        joined.take(2);
        // A sentence between them breaks that pair.
        assert_eq!(joined.gain(1), 2.0 / 5.0);
    }

    const SENTENCES: [&str; 4] = ["It rained.", "The pool is old.", "The old pool will close.", "A dog sat."];
    const SUMMARY: &str = "The old pool will close, a dog said.";

    fn choose(n_grams: NGrams, sizes: &[usize], budget: usize, over_budget: OverBudget) -> Vec<usize> {
        let costs: Vec<usize> = SENTENCES.iter().map(|sentence| sentence.split(' ').count()).collect();
        let mut recall = WordingRecall::of(n_grams, sizes, &SENTENCES, SUMMARY);
        choose_greedily(&mut recall, &costs, budget, over_budget, &ignore_events).unwrap()
    }

    #[test]
    fn a_sentence_adds_what_is_not_covered_yet() {
        let mut words = WordingRecall::of(NGrams::OfWords, &[1, 2], &SENTENCES, SUMMARY);
        // Sentence 2 has five of eight words and four of seven pairs; then sentence 1 adds nothing, sentence 3 two and one.
        let of_two = 5.0 / 8.0 + 4.0 / 7.0;
        assert_eq!(words.gain(2), of_two);
        words.take(2);
        assert_eq!(words.gain(1), of_two);
        assert!((words.gain(3) - (7.0 / 8.0 + 5.0 / 7.0)).abs() < 1e-12);
    }

    #[test]
    fn the_rest_of_the_budget_goes_to_the_earliest_sentences_that_fit() {
        for sizes in [&[1][..], &[2], &[1, 2]] {
            assert_eq!(choose(NGrams::OfWords, sizes, 8, OverBudget::Skip), [2, 3]);
        }
        for (budget, chosen) in [(1, &[][..]), (5, &[2]), (10, &[0, 2, 3]), (100, &[0, 1, 2, 3])] {
            assert_eq!(choose(NGrams::OfWords, &[1], budget, OverBudget::Skip), chosen, "{budget}");
        }
        // The best sentence does not fit, and ends the extract.
        assert_eq!(choose(NGrams::OfStems, &[1], 4, OverBudget::Stop), Vec::<usize>::new());
        assert_eq!(choose(NGrams::OfStems, &[1], 4, OverBudget::Skip), [1]);
        // Without any gain, the earliest sentence is chosen.
        assert_eq!(choose(NGrams::OfStems, &[1], 10, OverBudget::Stop), [0, 2, 3]);
    }

    proptest! {
        #[test]
        fn every_gain_is_the_recall_of_the_text(
            sentences in proptest::collection::vec("[abc]{0,1}( [abc]){0,4}", 1..8),
            summary in "[abc]( [abc]){0,9}",
            order in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
            // A word that nothing else has keeps the sentences apart.
            for (n_grams, between) in [(NGrams::OfStems, " "), (NGrams::OfWords, " x ")] {
                let mut joined = WordingRecall::of(n_grams, &[1, 2], &texts, &summary);
                let mut taken: Vec<usize> = Vec::new();
                for index in &order {
                    let sentence = index.index(texts.len());
                    if taken.contains(&sentence) {
                        continue;
                    }
                    let gain = joined.gain(sentence);
                    joined.take(sentence);
                    taken.push(sentence);
                    taken.sort_unstable();
                    let text = taken.iter().map(|&sentence| texts[sentence]).collect::<Vec<_>>().join(between);
                    prop_assert_eq!(gain, recall(&text, &summary, 1) + recall(&text, &summary, 2));
                }
            }
        }
    }
}
