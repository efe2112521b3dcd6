//! Splits a premise that does not fit into a pair with the claim: into overlapping runs of whole sentences, and a
//! sentence that is too long by itself into overlapping runs of tokens. No part of the document is lost.

use std::ops::Range;

use veridic_models::{PairTokenizer, Result};

use super::Premises;
use super::premise::{MIN_PIECE_TOKENS, Premise, PremiseId};
use crate::text::{Span, window_span};

impl Premises {
    /// Splits a premise into pieces of at most `budget` tokens, which is at least [`MIN_PIECE_TOKENS`].
    pub(super) fn split(
        &mut self,
        index: usize,
        budget: usize,
        tokenizer: &PairTokenizer,
    ) -> Result<Vec<PremiseId>> {
        if let Some(known) = self.pieces.get(&(index, budget)) {
            return Ok(known.clone());
        }
        let sentences = self.list[index].sentences.clone();
        let mut ids = Vec::new();
        for (evidence, sentences) in self.runs(sentences, budget, tokenizer)? {
            let mut tokens = tokenizer.text(&self.text_of(evidence))?;
            if tokens.len() > budget {
                tokens = tokenizer.text(self.document.index().slice(evidence))?;
            }
            ids.push(PremiseId(self.list.len()));
            self.list.push(Premise { evidence, tokens, sentences, is_as_given: false, substitution: None });
        }
        self.pieces.insert((index, budget), ids.clone());
        Ok(ids)
    }

    /// Runs of whole sentences within the budget, each beginning with the last sentence of the previous run. A sentence
    /// over the budget is split into runs of tokens.
    fn runs(
        &self,
        range: Range<usize>,
        budget: usize,
        tokenizer: &PairTokenizer,
    ) -> Result<Vec<(Span, Range<usize>)>> {
        let mut runs = Vec::new();
        let (mut start, mut covered) = (range.start, range.start);
        while start < range.end {
            let end = self.longest_run(start..range.end, budget, tokenizer)?;
            if end == start {
                let pieces = self.token_runs(self.sentences[start], budget, tokenizer)?;
                runs.extend(pieces.into_iter().map(|span| (span, start..start + 1)));
                start += 1;
                continue;
            }
            if end > covered {
                let run = start..end;
                runs.extend(window_span(&self.sentences, &run).map(|span| (span, run)));
                covered = end;
            }
            start = if end < range.end && end - start > 1 { end - 1 } else { end };
        }
        Ok(runs)
    }

    /// The end of the longest run from `range.start` on that fits; `range.start` if not even one
    /// sentence does.
    fn longest_run(&self, range: Range<usize>, budget: usize, tokenizer: &PairTokenizer) -> Result<usize> {
        let mut end = range.start;
        let mut estimate = 0;
        while end < range.end {
            estimate += tokenizer.text(self.document.index().slice(self.sentences[end]))?.len();
            if estimate > budget {
                break;
            }
            end += 1;
        }
        // The joined text may have more tokens than its sentences in total; shrink until it fits.
        while let Some(span) = window_span(&self.sentences, &(range.start..end)) {
            if tokenizer.text(&self.text_of(span))?.len() <= budget {
                break;
            }
            end -= 1;
        }
        Ok(end)
    }

    /// Spans of at most `budget` tokens over one sentence, overlapping by a quarter.
    fn token_runs(&self, sentence: Span, budget: usize, tokenizer: &PairTokenizer) -> Result<Vec<Span>> {
        let tokens = tokenizer.text(self.document.index().slice(sentence))?;
        let label = tokenizer.text(self.label(sentence))?.len();
        let budget = budget.saturating_sub(label).max(MIN_PIECE_TOKENS);
        let at = |offset: usize| sentence.start + offset;
        let mut spans = Vec::new();
        let mut first = 0;
        while first < tokens.len() {
            let mut last = (first + budget).min(tokens.len()) - 1;
            let mut span = Span { start: at(tokens.spans[first].0), end: at(tokens.spans[last].1) };
            // Cutting inside a word can change its tokens; shrink until it fits.
            while last > first && tokenizer.text(self.document.index().slice(span))?.len() > budget {
                last -= 1;
                span.end = at(tokens.spans[last].1);
            }
            spans.push(span);
            if last + 1 == tokens.len() {
                break;
            }
            first = (last + 1 - (budget / 4).min(last - first)).max(first + 1);
        }
        Ok(spans)
    }
}
