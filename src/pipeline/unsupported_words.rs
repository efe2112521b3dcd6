//! Which words of a claim its evidence does not support: asked of the model's head for tokens, where it has one, of every
//! claim that is not supported, about the premise that supports it best; and the quantities that are nowhere in the
//! document. Decides which tokens make a word, and refuses to decide anything else: verdicts and scores are what they were.

use std::ops::Range;

use serde::Serialize;
use veridic_models::{PackedBatch, PairTokens, TextTokens, Truncation};

use super::align::Alignment;
use super::premises::Premises;
use super::scorer::Scorer;
use crate::error::Result;
use crate::schedule::{Event, OnEvent, pack};
use veridic_text::{Span, TextIndex, words};

/// The probability from which a word counts. Few words are to blame, so that half would find few: at 0.2 about 0.55 of those told are
/// rightly told, and four in ten are found (the card of the model `base`).
const LEAST: f32 = 0.2;

/// Words of a claim that stand together and that its evidence does not support.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnsupportedWords {
    /// The words.
    pub text: String,
    /// Where they stand in the claim's text, in Unicode characters.
    pub span: Span,
    /// The highest probability of one of their tokens that the evidence does not support it; 1 where a quantity is nowhere in
    /// the document.
    pub probability: f32,
}

/// A claim that is asked about.
pub(super) struct WordsRequest {
    /// The pair and the claim in it.
    pub(super) place: (usize, usize),
    pair: PairTokens,
    hypothesis: TextTokens,
    text: String,
    /// Quantities that are nowhere in the document, as byte offsets in the text.
    nowhere: Vec<Range<usize>>,
}

impl Scorer {
    /// What to ask of a claim that is not supported; nothing where the model does not say, or does not read all of the claim.
    pub(super) fn words_asked(
        &self,
        premises: &Premises<'_>,
        alignment: &Alignment,
        (place, text, hypothesis): ((usize, usize), &str, &TextTokens),
    ) -> Result<Option<WordsRequest>> {
        if !self.finds_unsupported_words || !self.model.has_token_head() {
            return Ok(None);
        }
        let (premise, limit) = (premises.get(alignment.best.premise), self.token_limit(alignment.best.level));
        let tokenizer = self.model.tokenizer();
        if hypothesis.len() + tokenizer.special_tokens() >= limit {
            return Ok(None);
        }
        let pair = tokenizer.pair(&premise.tokens, hypothesis, limit, Truncation::Premise)?;
        let (nowhere, hypothesis) = (premises.quantities_nowhere(text), hypothesis.clone());
        Ok(Some(WordsRequest { place, pair, hypothesis, text: text.to_owned(), nowhere }))
    }

    /// The answers, in the order of what was asked, computed together in batches; none at all when `on_event` ends the work.
    pub(super) fn unsupported_words(
        &self,
        asked: &[WordsRequest],
        on_event: &OnEvent<'_>,
    ) -> Result<Option<Vec<Vec<UnsupportedWords>>>> {
        let lengths: Vec<usize> = asked.iter().map(|asked| asked.pair.ids.len()).collect();
        let mut answers = vec![Vec::new(); asked.len()];
        for batch in pack(&lengths, self.max_batch_tokens()) {
            let pairs = batch.iter().map(|&index| &asked[index].pair);
            let packed = PackedBatch::from_sequences(pairs.map(|pair| (&pair.ids[..], &pair.types[..])));
            let probabilities = self.model.unsupported_tokens(&packed)?.unwrap_or_default();
            if on_event(Event::Computed { pairs: batch.len(), tokens: packed.tokens() }).is_break() {
                return Ok(None);
            }
            for (index, probabilities) in batch.into_iter().zip(probabilities) {
                let WordsRequest { pair, hypothesis, text, nowhere, .. } = &asked[index];
                let places = self.model.tokenizer().hypothesis_range(pair, hypothesis);
                answers[index] = of_tokens(text, (&hypothesis.spans, &probabilities[places]), nowhere);
            }
        }
        Ok(Some(answers))
    }
}

/// The words of which some token counts, and those of the quantities `nowhere`; those that stand side by side are one piece.
fn of_tokens(
    text: &str,
    (tokens, probabilities): (&[(usize, usize)], &[f32]),
    nowhere: &[Range<usize>],
) -> Vec<UnsupportedWords> {
    let index = TextIndex::new(text);
    let mut pieces: Vec<UnsupportedWords> = Vec::new();
    let mut goes_on = false;
    for word in words(text) {
        let span = Span {
            start: index.character(word.start),
            end: index.character(word.start + word.text.len() - 1) + 1,
        };
        let of_word = tokens
            .iter()
            .zip(probabilities)
            .filter(|((start, end), _)| *start < span.end && span.start < *end);
        let by_head = of_word.map(|(_, probability)| *probability).fold(0.0, f32::max);
        let is_nowhere = nowhere.iter().any(|place| place.contains(&word.start));
        let probability = if is_nowhere { 1.0 } else { by_head };
        let counts = probability >= LEAST;
        match pieces.last_mut().filter(|_| counts && goes_on) {
            Some(piece) => {
                piece.span.end = span.end;
                piece.probability = piece.probability.max(probability);
            }
            None if counts => pieces.push(UnsupportedWords { text: String::new(), span, probability }),
            None => {}
        }
        goes_on = counts;
    }
    pieces.iter_mut().for_each(|piece| index.slice(piece.span).clone_into(&mut piece.text));
    pieces
}

/// The same words in another form of the claim's text: one that reading changed. Those that are not found are left out.
pub(super) fn relocate(pieces: &mut Vec<UnsupportedWords>, text: &str) {
    let index = TextIndex::new(text);
    let mut from = 0;
    pieces.retain_mut(|piece| {
        let Some(at) = text[from..].find(&piece.text).map(|at| at + from) else { return false };
        from = at + piece.text.len();
        piece.span = Span { start: index.character(at), end: index.character(from - 1) + 1 };
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, tokens: &[(usize, usize)], probabilities: &[f32]) -> Vec<(String, f32)> {
        let pieces = of_tokens(text, (tokens, probabilities), &[]);
        pieces.into_iter().map(|piece| (piece.text, piece.probability)).collect()
    }

    #[test]
    fn a_quantity_that_is_nowhere_counts_whatever_the_head_says() {
        let tokens = [(0, 4), (5, 7), (8, 12), (13, 16)];
        let pieces =
            of_tokens("Paid 40 euro now", (&tokens, &[0.1, 0.1, 0.1, 0.6]), std::slice::from_ref(&(5..12)));
        let [piece] = &pieces[..] else { panic!("{pieces:?}") };
        assert_eq!((piece.text.as_str(), piece.probability), ("40 euro now", 1.0));
    }

    #[test]
    fn a_word_counts_when_one_of_its_tokens_does_and_neighbours_are_one_piece() {
        let text = "Ünal paid 2.4 million to Oslo.";
        let tokens =
            [(0, 2), (2, 4), (5, 9), (10, 11), (11, 12), (12, 13), (14, 21), (22, 24), (25, 29), (29, 30)];
        let said = [0.1, 0.6, 0.1, 0.3, 0.1, 0.7, 0.8, 0.1, 0.5, 0.9];
        let pieces = told(text, &tokens, &said);
        let expected = [("Ünal".to_owned(), 0.6), ("2.4 million".to_owned(), 0.8), ("Oslo".to_owned(), 0.5)];
        assert_eq!(pieces, expected);
        for piece in of_tokens(text, (&tokens, &said), &[]) {
            assert_eq!(piece.span.slice(text), piece.text);
        }
    }

    #[test]
    fn where_no_token_counts_there_are_no_words() {
        assert_eq!(told("It rains.", &[(0, 2), (3, 8), (8, 9)], &[0.19, 0.1, 1.0]), []);
        assert_eq!(told("", &[], &[]), []);
    }

    #[test]
    fn words_are_found_again_in_the_text_as_given() {
        let mut pieces = of_tokens("a b a", (&[(0, 1), (2, 3), (4, 5)], &[0.9, 0.0, 0.9]), &[]);
        relocate(&mut pieces, "\u{200b}a b\u{200b} a");
        let spans: Vec<(usize, usize)> = pieces.iter().map(|piece| piece.span.into()).collect();
        assert_eq!(spans, [(1, 2), (6, 7)]);
    }
}
