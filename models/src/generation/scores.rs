//! The processors of the next token's scores, in the order of `transformers`: repetition penalty, no repeated n-grams, no
//! end token before the minimum length.

use super::options::GenerationOptions;

/// Processes the `scores`, `(vocabulary)`, of the token after `tokens` (which include the start token).
pub(super) fn process(options: &GenerationOptions, tokens: &[u32], scores: &mut [f32]) {
    if options.repetition_penalty != 1.0 {
        penalise_repetition(options.repetition_penalty, tokens, scores);
    }
    if options.no_repeat_ngram_size > 0 {
        ban_repeated_ngrams(options.no_repeat_ngram_size, tokens, scores);
    }
    if tokens.len() < options.min_length || tokens.len() - 1 < options.min_new_tokens {
        for id in &options.eos_token_ids {
            ban(*id, scores);
        }
    }
}

fn ban(id: u32, scores: &mut [f32]) {
    if let Some(score) = scores.get_mut(id as usize) {
        *score = f32::NEG_INFINITY;
    }
}

/// Each token that occurs is penalised once, however often it occurs.
fn penalise_repetition(penalty: f32, tokens: &[u32], scores: &mut [f32]) {
    let mut seen = tokens.to_vec();
    seen.sort_unstable();
    seen.dedup();
    for id in seen {
        if let Some(score) = scores.get_mut(id as usize) {
            *score = if *score < 0.0 { *score * penalty } else { *score / penalty };
        }
    }
}

fn ban_repeated_ngrams(size: usize, tokens: &[u32], scores: &mut [f32]) {
    let Some(begin) = (tokens.len() + 1).checked_sub(size) else { return };
    let prefix = &tokens[begin..];
    for ngram in tokens.windows(size).filter(|ngram| &ngram[..size - 1] == prefix) {
        ban(ngram[size - 1], scores);
    }
}

/// In place: `x - log(sum(exp(x)))`.
pub(super) fn log_softmax(scores: &mut [f32]) {
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores.iter().map(|score| (score - largest).exp()).sum();
    let shift = largest + total.ln();
    scores.iter_mut().for_each(|score| *score -= shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ngrams_are_banned() {
        let mut scores = [0.0; 6];
        ban_repeated_ngrams(2, &[0, 3, 4, 3], &mut scores);
        assert_eq!(scores[4], f32::NEG_INFINITY);
        assert_eq!(scores.iter().filter(|score| score.is_infinite()).count(), 1);
        // N-grams of one token: all tokens that occur.
        ban_repeated_ngrams(1, &[0, 5], &mut scores);
        assert_eq!((scores[0], scores[5]), (f32::NEG_INFINITY, f32::NEG_INFINITY));
        // No n-gram is complete yet.
        let mut scores = [0.0; 6];
        ban_repeated_ngrams(3, &[0, 3], &mut scores);
        assert_eq!(scores, [0.0; 6]);
    }

    #[test]
    fn repetition_lowers_positive_and_negative_scores() {
        let mut scores = [2.0, -2.0, 1.0];
        penalise_repetition(2.0, &[0, 1, 1], &mut scores);
        assert_eq!(scores, [1.0, -4.0, 1.0]);
    }
}
