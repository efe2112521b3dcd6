//! Splits a premise that does not fit into a pair with the claim: into overlapping runs of whole sentences, and a
//! sentence that is too long by itself into overlapping runs of tokens. No part of the document is lost.

use std::ops::Range;

use veridic_models::PairTokenizer;

use super::Premises;
use super::premise::{MIN_PIECE_TOKENS, Premise};
use crate::error::Result;
use crate::schedule::{OnEvent, in_slices, poll};
use crate::text::{Span, window_span};

impl Premises {
    /// Splits a premise into pieces of at most `budget` tokens, which is at least [`MIN_PIECE_TOKENS`].
    pub(super) fn split(
        &mut self,
        index: usize,
        budget: usize,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<()> {
        if self.pieces.contains_key(&(index, budget)) {
            return Ok(());
        }
        let pieces = self.runs(self.shared.list[index].sentences.clone(), budget, tokenizer, on_event)?;
        let ids = pieces.into_iter().map(|piece| self.add(piece)).collect();
        self.pieces.insert((index, budget), ids);
        Ok(())
    }

    /// Runs of whole sentences within the budget, each beginning with the last sentence of the previous run. A sentence
    /// over the budget is split into runs of tokens.
    fn runs(
        &self,
        range: Range<usize>,
        budget: usize,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Premise>> {
        let lengths = self.sentence_lengths(tokenizer, on_event)?;
        let mut runs = Vec::new();
        let (mut start, mut covered) = (range.start, range.start);
        while start < range.end {
            poll(on_event)?;
            let (end, tokens) = self.longest_run(start..range.end, budget, lengths, tokenizer)?;
            if end == start {
                runs.extend(self.token_runs(start, budget, tokenizer, on_event)?);
                start += 1;
                continue;
            }
            if end > covered {
                let evidence = window_span(&self.shared.sentences, &(start..end));
                runs.extend(evidence.map(|evidence| piece(evidence, tokens, start..end)));
                covered = end;
            }
            start = if end < range.end && end - start > 1 { end - 1 } else { end };
        }
        Ok(runs)
    }

    /// The number of tokens of each sentence with what stands between it and the sentence before. They are counted once,
    /// so that splitting a text is linear in its length.
    fn sentence_lengths(&self, tokenizer: &PairTokenizer, on_event: &OnEvent<'_>) -> Result<&[usize]> {
        if let Some(known) = self.shared.sentence_lengths.get() {
            return Ok(known);
        }
        let index = self.shared.document.index();
        let length = |number: usize| -> Result<usize> {
            poll(on_event)?;
            let end = self.shared.sentences[number].end;
            let start = number.checked_sub(1).map_or(0, |before| self.shared.sentences[before].end);
            Ok(tokenizer.ids_within(index.slice(Span { start, end }), self.shared.max_tokens)?.len())
        };
        let lengths = in_slices(0..self.shared.sentences.len(), length)?;
        Ok(self.shared.sentence_lengths.get_or_init(|| lengths))
    }

    /// The end of the longest run from `range.start` on that fits, and its tokens; `range.start` if not even one sentence
    /// does.
    fn longest_run(
        &self,
        range: Range<usize>,
        budget: usize,
        lengths: &[usize],
        tokenizer: &PairTokenizer,
    ) -> Result<(usize, Vec<u32>)> {
        let mut end = range.start;
        let mut estimate = 0;
        while end < range.end && estimate + lengths[end] <= budget {
            estimate += lengths[end];
            end += 1;
        }
        // The joined text may have more tokens than its sentences in total; shrink until it fits.
        while let Some(span) = window_span(&self.shared.sentences, &(range.start..end)) {
            let tokens = tokenizer.ids_within(&self.text_of(span), budget)?;
            if tokens.len() <= budget {
                return Ok((end, tokens));
            }
            end -= 1;
        }
        Ok((range.start, Vec::new()))
    }

    /// Pieces of at most `budget` tokens of one sentence, overlapping by a quarter.
    fn token_runs(
        &self,
        number: usize,
        budget: usize,
        tokenizer: &PairTokenizer,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Premise>> {
        let index = self.shared.document.index();
        let sentence = self.shared.sentences[number];
        let label = tokenizer.ids_within(self.label(sentence), budget)?.len();
        let of_words = budget.saturating_sub(label).max(MIN_PIECE_TOKENS);
        let mut pieces = Vec::new();
        let mut start = sentence.start;
        while start < sentence.end {
            poll(on_event)?;
            let tokens = tokenizer.text_within(index.slice(Span { start, ..sentence }), of_words)?;
            let Some(first) = tokens.spans.first() else { break };
            let mut count = tokens.len().min(of_words);
            let part = |count: usize| Span { start: start + first.0, end: start + tokens.spans[count - 1].1 };
            let mut ids = tokenizer.ids_within(index.slice(part(count)), of_words)?;
            // Cutting inside a word can change its tokens; shrink until it fits.
            while ids.len() > of_words && count > 1 {
                count -= 1;
                ids = tokenizer.ids_within(index.slice(part(count)), of_words)?;
            }
            if label > 0 {
                let labelled = tokenizer.ids_within(&self.text_of(part(count)), budget)?;
                ids = if labelled.len() <= budget { labelled } else { ids };
            }
            pieces.push(piece(part(count), ids, number..number + 1));
            if count == tokens.len() {
                break;
            }
            let overlap = (of_words / 4).min(count - 1);
            start = (start + tokens.spans[count - overlap].0).max(start + 1);
        }
        Ok(pieces)
    }
}

/// A piece of a premise.
fn piece(evidence: Span, tokens: Vec<u32>, sentences: Range<usize>) -> Premise {
    Premise { evidence, tokens: tokens.into(), sentences, is_as_given: false, substitution: None }
}
