//! ROUGE recall (Lin 2004) of a summary by an extract treated as one text, as the authors of Extract-then-Evaluate count it
//! (Wu et al. 2024): over Porter stems, with n-grams across sentence boundaries, so that a sentence's gain depends on its
//! neighbours in the extract.
//!
//! Their program first looks words up in WordNet's list of irregular forms; this implementation does not.

use std::collections::HashMap;

use super::choose::Coverage;
use crate::similarity::rouge::porter_tokens;

/// The id of a stem.
type Stem = u32;

/// The sentences of a document, the chosen ones, and the n-grams that they share with a summary.
pub(super) struct JoinedRecall {
    sentences: Vec<Vec<Stem>>,
    /// The chosen sentences, in document order.
    taken: Vec<usize>,
    sizes: Vec<Shared>,
}

/// n-grams of one size.
struct Shared {
    size: usize,
    /// The n-grams of the summary.
    n_grams: HashMap<Vec<Stem>, Count>,
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

/// The stems around a sentence's position in the extract, as far as n-grams of a size reach.
struct Around {
    without: Vec<Stem>,
    with: Vec<Stem>,
}

/// Changes to the extract's counts of the summary's n-grams.
type Changes<'t> = HashMap<&'t [Stem], isize>;

impl JoinedRecall {
    /// Counts n-grams of these `sizes`.
    pub(super) fn of(sizes: &[usize], sentences: &[&str], summary: &str) -> Self {
        let mut numbers: HashMap<String, Stem> = HashMap::new();
        let mut numbered = |text: &str| -> Vec<Stem> {
            let number = |stem: String| {
                let next = numbers.len() as Stem;
                *numbers.entry(stem).or_insert(next)
            };
            porter_tokens(text).into_iter().map(number).collect()
        };
        let summary = numbered(summary);
        Self {
            sentences: sentences.iter().map(|sentence| numbered(sentence)).collect(),
            taken: Vec::new(),
            sizes: sizes.iter().map(|size| Shared::of(*size, &summary)).collect(),
        }
    }

    /// Returns the stems around a sentence's position, without and with the sentence.
    fn around(&self, sentence: usize, size: usize) -> Around {
        let place = self.taken.partition_point(|taken| *taken < sentence);
        let (before, after) = self.taken.split_at(place);
        let stems = |sentence: &usize| self.sentences[*sentence].iter().copied();
        let reach = size - 1;
        let mut without: Vec<Stem> =
            before.iter().rev().flat_map(|sentence| stems(sentence).rev()).take(reach).collect();
        without.reverse();
        let mut with = without.clone();
        with.extend(stems(&sentence));
        let after: Vec<Stem> = after.iter().flat_map(stems).take(reach).collect();
        without.extend(&after);
        with.extend(&after);
        Around { without, with }
    }
}

impl Shared {
    fn of(size: usize, summary: &[Stem]) -> Self {
        let mut n_grams: HashMap<Vec<Stem>, Count> = HashMap::new();
        for n_gram in summary.windows(size) {
            n_grams.entry(n_gram.to_vec()).or_default().wanted += 1;
        }
        Self { size, n_grams, all: summary.windows(size).count(), found: 0 }
    }

    /// Returns the changes from the text without a sentence to the text with it.
    fn changes<'t>(&self, around: &'t Around) -> Changes<'t> {
        let mut changes = Changes::new();
        for (stems, change) in [(&around.without, -1), (&around.with, 1)] {
            for n_gram in stems.windows(self.size).filter(|n_gram| self.n_grams.contains_key(*n_gram)) {
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

impl Coverage for JoinedRecall {
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
        let mut joined = JoinedRecall::of(&[2], &sentences, summary);
        // "water flood" and "flood elm", of five pairs; after the first sentence also "close water".
        assert_eq!(joined.gain(2), 2.0 / 5.0);
        joined.take(0);
        assert_eq!(joined.gain(2), 3.0 / 5.0);
        joined.take(2);
        // A sentence between them breaks that pair.
        assert_eq!(joined.gain(1), 2.0 / 5.0);
    }

    #[test]
    fn the_rule_decides_about_a_sentence_that_does_not_fit() {
        let sentences =
            ["A dog sat.", "The old pool in Harwell will close for good.", "It rained on the pool."];
        let summary = "The pool in Harwell will close.";
        let choose = |budget, over_budget| {
            choose_greedily(
                &mut JoinedRecall::of(&[1], &sentences, summary),
                &[3, 9, 5],
                budget,
                over_budget,
                &ignore_events,
            )
            .unwrap()
        };
        assert_eq!(choose(8, OverBudget::Stop), Vec::<usize>::new());
        assert_eq!(choose(8, OverBudget::Skip), [0, 2]);
        // Without any gain, the earliest sentence is chosen.
        assert_eq!(choose(12, OverBudget::Stop), [0, 1]);
    }

    proptest! {
        #[test]
        fn every_gain_is_the_recall_of_the_joined_text(
            sentences in proptest::collection::vec("[abc]{0,1}( [abc]){0,4}", 1..8),
            summary in "[abc]( [abc]){0,9}",
            order in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
            let mut joined = JoinedRecall::of(&[1, 2], &texts, &summary);
            let mut taken: Vec<usize> = Vec::new();
            for index in order {
                let sentence = index.index(texts.len());
                if taken.contains(&sentence) {
                    continue;
                }
                let gain = joined.gain(sentence);
                joined.take(sentence);
                taken.push(sentence);
                taken.sort_unstable();
                let text = taken.iter().map(|&sentence| texts[sentence]).collect::<Vec<_>>().join(" ");
                prop_assert_eq!(gain, recall(&text, &summary, 1) + recall(&text, &summary, 2));
            }
        }
    }
}
