//! Whether a sentence is about a claim, without which it cannot say otherwise: a small NLI model calls much that is
//! merely unrelated a contradiction ("Yes please."). It is about the claim when it has enough of the words that tell
//! what the claim says: all but function words, as they are compared everywhere (`text/wording.rs`).

use std::collections::HashSet;

use veridic_text::{Word, WordKind};

/// Whether the sentence has at least `least` of the claim's telling words; of a claim that has fewer, all.
pub(in crate::pipeline) fn is_about<'w>(
    claim: impl IntoIterator<Item = &'w Word<'w>>,
    sentence: impl IntoIterator<Item = &'w Word<'w>>,
    least: usize,
) -> bool {
    let telling = claim.into_iter().filter(|word| word.kind != WordKind::Function);
    let claim: HashSet<&str> = telling.map(|word| word.form.as_str()).collect();
    let sentence: HashSet<&str> = sentence.into_iter().map(|word| word.form.as_str()).collect();
    let shared = claim.intersection(&sentence).count();
    shared > 0 && shared >= least.min(claim.len())
}

#[cfg(test)]
mod tests {
    use veridic_text::words;

    fn is_about(claim: &str, sentence: &str, least: usize) -> bool {
        super::is_about(&words(claim), &words(sentence), least)
    }

    #[test]
    fn what_shares_too_few_words_is_not_about_the_claim() {
        // Mayor, Okafor, resigned, affair.
        let claim = "Mayor Okafor has resigned over the affair.";
        assert!(is_about(claim, "Mayor Okafor stays.", 2) && !is_about(claim, "Mayor Okafor stays.", 3));
        assert!(!is_about(claim, "Yes please.", 3) && !is_about(claim, "Yes please.", 0));
        assert!(
            is_about(claim, "The mayor, said the mayor.", 1)
                && !is_about(claim, "The mayor, said the mayor.", 2)
        );
    }

    #[test]
    fn of_a_short_claim_all_words_suffice() {
        assert!(is_about("Costs are low.", "The costs are not low.", 3));
        assert!(!is_about("Costs are low.", "The costs are high.", 3));
        assert!(!is_about("It was so.", "It was not so.", 0), "it has no word that tells anything");
    }
}
