//! Properties of ROUGE over arbitrary and hostile texts.

use proptest::prelude::*;
use veridic_bench::similarity::rouge::{Rouge, RougeScore, rouge, tokens};

fn all(scores: Rouge) -> [RougeScore; 4] {
    [scores.unigram, scores.bigram, scores.longest, scores.longest_by_line]
}

/// Texts of few distinct words, which share many.
fn babble() -> impl Strategy<Value = String> {
    proptest::collection::vec("[abc]{1,2}( |, |\n)", 0..150).prop_map(|words| words.concat())
}

/// The table of Wagner and Fischer, row by row.
fn longest_plainly(reference: &[String], candidate: &[String]) -> usize {
    let mut row = vec![0; candidate.len() + 1];
    for token in reference {
        let mut diagonal = 0;
        for (place, other) in candidate.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = if token == other { diagonal + 1 } else { above.max(row[place]) };
            diagonal = above;
        }
    }
    row[candidate.len()]
}

proptest! {
    #[test]
    fn scores_of_any_texts_are_shares(reference: String, candidate: String, stem: bool) {
        for score in all(rouge(&reference, &candidate, stem)) {
            let shares = [score.precision, score.recall, score.f1];
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            prop_assert!(score.f1 <= score.precision.max(score.recall) + 1e-15);
        }
    }

    #[test]
    fn any_word_has_a_stem(word in "[a-z0-9]{4,30}") {
        prop_assert_eq!(tokens(&word, true).len(), 1);
        prop_assert!(tokens(&word, true)[0].len() <= word.len());
    }

    #[test]
    fn exchanged_texts_exchange_their_shares(reference in babble(), candidate in babble(), stem: bool) {
        let (one, other) = (rouge(&reference, &candidate, stem), rouge(&candidate, &reference, stem));
        // By line the roles differ: reference lines are looked for in candidate lines.
        for (one, other) in all(one).into_iter().zip(all(other)).take(3) {
            prop_assert_eq!(one.precision, other.recall);
            prop_assert_eq!(one.recall, other.precision);
            prop_assert_eq!(one.f1, other.f1);
        }
    }

    #[test]
    fn a_text_has_all_of_itself(text in prop_oneof![any::<String>(), babble()], stem: bool) {
        let scores = rouge(&text, &text, stem);
        let count = tokens(&text, stem).len();
        for (score, needed) in all(scores).into_iter().zip([1, 2, 1, 1]) {
            let share = f64::from(u8::from(count >= needed));
            prop_assert_eq!(score, RougeScore { precision: share, recall: share, f1: share });
        }
    }

    #[test]
    fn the_longest_subsequence_is_that_of_the_plain_table(reference in babble(), candidate in babble()) {
        let [first, second] = [&reference, &candidate].map(|text| tokens(text, false));
        let expected = longest_plainly(&first, &second) as f64;
        let longest = rouge(&reference, &candidate, false).longest;
        prop_assert_eq!(longest.recall, expected / first.len().max(1) as f64);
        prop_assert_eq!(longest.precision, expected / second.len().max(1) as f64);
    }

    #[test]
    fn on_one_line_the_subsequence_by_line_is_the_whole_one(reference in babble(), candidate in babble()) {
        let scores = rouge(&reference.replace('\n', " "), &candidate.replace('\n', " "), false);
        prop_assert_eq!(scores.longest, scores.longest_by_line);
    }
}

#[test]
fn hostile_texts_end() {
    let letters = ["y", "s", "ing", "ational", "ee", "a ", "a\n", "\n", "\u{130}", "\u{301}"];
    for letters in letters {
        let text = letters.repeat(1_000);
        for other in [&text, "", "a", "a\na"] {
            rouge(&text, other, true);
            rouge(other, &text, true);
        }
    }
}
