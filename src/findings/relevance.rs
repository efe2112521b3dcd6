//! Whether a sentence is about a claim. Only such a sentence can contradict it: a small NLI model classifies many
//! unrelated sentences as contradictions ("Yes please."). A sentence is about a claim when they share enough words
//! other than function words, in the word forms of `veridic::text`.

use std::collections::HashSet;

use crate::text::{Word, WordKind};

/// Whether the sentence has at least `least` of the claim's words other than function words, or all of them if the
/// claim has fewer.
pub(super) fn is_about<'w>(
    claim: impl IntoIterator<Item = &'w Word<'w>>,
    sentence: impl IntoIterator<Item = &'w Word<'w>>,
    least: usize,
) -> bool {
    let claim = claim.into_iter().filter(|word| word.kind != WordKind::Function);
    let claim: HashSet<&str> = claim.map(|word| word.form.as_str()).collect();
    let sentence: HashSet<&str> = sentence.into_iter().map(|word| word.form.as_str()).collect();
    let shared = claim.intersection(&sentence).count();
    shared > 0 && shared >= least.min(claim.len())
}

#[cfg(test)]
mod tests {
    use crate::text::words;

    fn is_about(claim: &str, sentence: &str, least: usize) -> bool {
        super::is_about(&words(claim), &words(sentence), least)
    }

    #[test]
    fn a_sentence_with_too_few_shared_words_is_not_about_the_claim() {
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
    fn all_words_of_a_short_claim_suffice() {
        assert!(is_about("Costs are low.", "The costs are not low.", 3));
        assert!(!is_about("Costs are low.", "The costs are high.", 3));
        assert!(!is_about("It was so.", "It was not so.", 0), "the claim has function words only");
    }
}
