//! Finds the words of a claim that its evidence does not support. For every claim that is not supported, these are the
//! words that a token classifier or else the model's token head, if it has one, marks given the best premise, and the
//! quantities that are nowhere in the document. Verdicts and scores do not depend on them.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use veridic_models::{PackedBatch, PairTokenizer, PairTokens, TextTokens, TokenClassifier, Truncation};

use super::lookup::quantities_nowhere;
use crate::align::Alignment;
use crate::engine::Engine;
use crate::error::Result;
use crate::premises::Premises;
use crate::rules::Rules;
use crate::schedule::{Event, OnEvent, PREPARED_AT_ONCE, pack};
use crate::text::{ReadClaim, Span, TextIndex, words};

/// The probability from which the model's own head marks a word as unsupported. Few words are unsupported, and 0.5
/// would find few of them; at 0.3 precision and recall are about 0.5 (the card of the model `base`).
const MIN_PROBABILITY: f32 = 0.3;

/// The same for a token classifier: unsupported is the more probable of its two labels.
const CLASSIFIER_MIN_PROBABILITY: f32 = 0.5;

/// Neighbouring words of a claim that its evidence does not support.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UnsupportedWords {
    /// The words.
    pub text: String,
    /// Their span in the claim's text, in Unicode characters.
    pub span: Span,
    /// The highest probability over their tokens that they are unsupported; 1 for a quantity that is nowhere in the
    /// document.
    pub probability: f32,
}

/// A claim whose unsupported words are to be found.
pub(crate) struct WordsRequest {
    tokens: PairTokens,
    hypothesis: TextTokens,
    claim: String,
    read: ReadClaim,
    /// Quantities that are nowhere in the document, as byte ranges of the read text.
    nowhere: Vec<Range<usize>>,
}

/// Marks words with the model's own head, or with a token classifier instead.
pub(crate) struct WordMarker<'s> {
    pub(crate) engine: &'s Engine,
    pub(crate) rules: &'s Rules,
    pub(crate) classifier: Option<&'s TokenClassifier>,
}

impl WordMarker<'_> {
    /// The request for a claim that is not supported; `None` if there is neither a token classifier nor a token head,
    /// or if the claim leaves no room for a premise.
    pub(crate) fn request(
        &self,
        premises: &Premises,
        alignment: &Alignment,
        claim: &str,
        read: &ReadClaim,
        hypothesis: &TextTokens,
    ) -> Result<Option<WordsRequest>> {
        if self.classifier.is_none() && !self.engine.model.has_token_head() {
            return Ok(None);
        }
        let best = &alignment.best;
        let pair = match self.classifier {
            Some(classifier) => {
                let tokenizer = classifier.tokenizer();
                let premise = classifier.premise(&premises.read_text(best.premise))?;
                let hypothesis = tokenizer.hypothesis(&read.text)?;
                pair(tokenizer, &premise, hypothesis, classifier.token_limit())?
            }
            None => {
                let (premise, limit) = (premises.get(best.premise), self.rules.token_limit(best.level));
                pair(self.engine.model.tokenizer(), &premise.tokens, hypothesis.clone(), limit)?
            }
        };
        let nowhere = quantities_nowhere(premises, &read.text);
        let (claim, read) = (claim.to_owned(), read.clone());
        let request = |(tokens, hypothesis)| WordsRequest { tokens, hypothesis, claim, read, nowhere };
        Ok(pair.map(request))
    }

    /// The unsupported words of each request, computed in batches; `None` when `on_event` stops the work.
    pub(crate) fn unsupported_words(
        &self,
        requests: &[&WordsRequest],
        on_event: &OnEvent<'_>,
    ) -> Result<Option<Vec<Vec<UnsupportedWords>>>> {
        let known = |request: &&WordsRequest| {
            if self.classifier.is_some() {
                return None;
            }
            let PairTokens { ids, types, .. } = &request.tokens;
            Some(self.words_of(request, &self.engine.model.known_unsupported_tokens(ids, types)?))
        };
        let requested = requests.par_iter().with_min_len(PREPARED_AT_ONCE);
        let mut words: Vec<Option<Vec<UnsupportedWords>>> = requested.map(known).collect();
        // Pairs whose outcomes come from a cache, or whose token probabilities were evicted.
        let missing: Vec<usize> = (0..words.len()).filter(|index| words[*index].is_none()).collect();
        let lengths: Vec<usize> = missing.iter().map(|index| requests[*index].tokens.ids.len()).collect();
        for batch in pack(&lengths, self.engine.batch_tokens()) {
            let batch: Vec<usize> = batch.into_iter().map(|place| missing[place]).collect();
            let pairs = batch.iter().map(|&index| &requests[index].tokens);
            let packed = PackedBatch::from_sequences(pairs.map(|pair| (&pair.ids[..], &pair.types[..])));
            let work = || match self.classifier {
                Some(classifier) => classifier.unsupported_tokens(&packed),
                None => Ok(self.engine.model.unsupported_tokens(&packed)?.unwrap_or_default()),
            };
            let Some(probabilities) = self.engine.in_turn(packed.tokens(), on_event, work) else {
                return Ok(None);
            };
            let probabilities = probabilities?;
            if on_event(Event::Computed { pairs: batch.len(), tokens: packed.tokens() }).is_break() {
                return Ok(None);
            }
            for (index, probabilities) in batch.into_iter().zip(probabilities) {
                words[index] = Some(self.words_of(requests[index], &probabilities));
            }
        }
        Ok(Some(words.into_iter().map(Option::unwrap_or_default).collect()))
    }

    /// The unsupported words of a request, from the probabilities of its pair's tokens.
    fn words_of(&self, request: &WordsRequest, probabilities: &[f32]) -> Vec<UnsupportedWords> {
        let WordsRequest { tokens, hypothesis, claim, read, nowhere } = request;
        let (tokenizer, least) = match self.classifier {
            Some(classifier) => (classifier.tokenizer(), CLASSIFIER_MIN_PROBABILITY),
            None => (self.engine.model.tokenizer(), MIN_PROBABILITY),
        };
        let places = tokenizer.hypothesis_range(tokens, hypothesis);
        let pieces = of_tokens(&read.text, &hypothesis.spans, &probabilities[places], nowhere, least);
        as_given(pieces, claim, read)
    }
}

/// The pair of a premise, truncated at its end, and a hypothesis, with the hypothesis; `None` if the hypothesis leaves
/// no room for a premise.
fn pair(
    tokenizer: &PairTokenizer,
    premise: &[u32],
    hypothesis: TextTokens,
    limit: usize,
) -> Result<Option<(PairTokens, TextTokens)>> {
    if hypothesis.len() + tokenizer.special_tokens() >= limit {
        return Ok(None);
    }
    let tokens = tokenizer.pair(premise, &hypothesis.ids, limit, Truncation::Premise)?;
    Ok(Some((tokens, hypothesis)))
}

/// The words of the claim as given that those of its read text stand for.
fn as_given(mut pieces: Vec<UnsupportedWords>, claim: &str, read: &ReadClaim) -> Vec<UnsupportedWords> {
    for piece in &mut pieces {
        piece.span = read.given(piece.span);
        piece.span.slice(claim).clone_into(&mut piece.text);
    }
    pieces.dedup_by_key(|piece| piece.span);
    pieces
}

/// The words with a token whose probability is at least `least`, and the words of the quantities `nowhere`. Adjacent
/// words form one piece.
fn of_tokens(
    text: &str,
    tokens: &[(usize, usize)],
    probabilities: &[f32],
    nowhere: &[Range<usize>],
    least: f32,
) -> Vec<UnsupportedWords> {
    let index = TextIndex::new(text);
    let mut pieces: Vec<UnsupportedWords> = Vec::new();
    let mut continues = false;
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
        let counts = probability >= least;
        match pieces.last_mut().filter(|_| counts && continues) {
            Some(piece) => {
                piece.span.end = span.end;
                piece.probability = piece.probability.max(probability);
            }
            None if counts => pieces.push(UnsupportedWords { text: String::new(), span, probability }),
            None => {}
        }
        continues = counts;
    }
    pieces.iter_mut().for_each(|piece| index.slice(piece.span).clone_into(&mut piece.text));
    pieces
}

/// The words at their places in the claim's text as given, if normalisation changed it; without those that are not
/// found there.
pub(crate) fn words_in(text: &str, pieces: Vec<UnsupportedWords>) -> Vec<UnsupportedWords> {
    let index = TextIndex::new(text);
    let mut from = 0;
    let place = |piece: UnsupportedWords| {
        let at = text[from..].find(&piece.text)? + from;
        from = at + piece.text.len();
        Some(UnsupportedWords {
            span: Span { start: index.character(at), end: index.character(from - 1) + 1 },
            ..piece
        })
    };
    pieces.into_iter().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, tokens: &[(usize, usize)], probabilities: &[f32]) -> Vec<(String, f32)> {
        let pieces = of_tokens(text, tokens, probabilities, &[], MIN_PROBABILITY);
        pieces.into_iter().map(|piece| (piece.text, piece.probability)).collect()
    }

    #[test]
    fn a_quantity_that_is_nowhere_counts_whatever_its_probability() {
        let tokens = [(0, 4), (5, 7), (8, 12), (13, 16)];
        let pieces = of_tokens(
            "Paid 40 euro now",
            &tokens,
            &[0.1, 0.1, 0.1, 0.6],
            std::slice::from_ref(&(5..12)),
            0.2,
        );
        let [piece] = &pieces[..] else { panic!("{pieces:?}") };
        assert_eq!((piece.text.as_str(), piece.probability), ("40 euro now", 1.0));
    }

    #[test]
    fn one_token_makes_a_word_count_and_neighbours_are_one_piece() {
        let text = "Ünal paid 2.4 million to Oslo.";
        let tokens =
            [(0, 2), (2, 4), (5, 9), (10, 11), (11, 12), (12, 13), (14, 21), (22, 24), (25, 29), (29, 30)];
        let probabilities = [0.1, 0.6, 0.1, 0.3, 0.1, 0.7, 0.8, 0.1, 0.5, 0.9];
        let pieces = found(text, &tokens, &probabilities);
        let expected = [("Ünal".to_owned(), 0.6), ("2.4 million".to_owned(), 0.8), ("Oslo".to_owned(), 0.5)];
        assert_eq!(pieces, expected);
        for piece in of_tokens(text, &tokens, &probabilities, &[], MIN_PROBABILITY) {
            assert_eq!(piece.span.slice(text), piece.text);
        }
    }

    #[test]
    fn no_words_without_a_token_that_counts() {
        assert_eq!(found("It rains.", &[(0, 2), (3, 8), (8, 9)], &[0.19, 0.1, 1.0]), []);
        assert_eq!(found("", &[], &[]), []);
    }

    #[test]
    fn words_are_found_in_the_text_as_given() {
        let pieces = of_tokens("a b a", &[(0, 1), (2, 3), (4, 5)], &[0.9, 0.0, 0.9], &[], MIN_PROBABILITY);
        let pieces = words_in("\u{200b}a b\u{200b} a", pieces);
        let spans: Vec<(usize, usize)> = pieces.iter().map(|piece| piece.span.into()).collect();
        assert_eq!(spans, [(1, 2), (6, 7)]);
    }
}
