//! Beam search as in Python's `transformers` 5: each step takes the best `(1 + end tokens) * beams` continuations of all
//! beams; those among the first `beams` that end become complete outputs, scored by their length; the best of the others
//! continue. Each sequence is searched independently of its batch.

use super::options::{EarlyStopping, GenerationOptions};
use super::scores::{log_softmax, process};
use super::step::{DecoderRow, Output, Step};
use crate::error::Result;

/// Outputs of `count` sequences; the rows of a finished sequence are dropped.
pub(super) fn search(options: &GenerationOptions, count: usize, step: &mut Step<'_>) -> Result<Vec<Output>> {
    let mut searches: Vec<Search> = (0..count).map(|sequence| Search::new(options, sequence)).collect();
    loop {
        let rows: Vec<DecoderRow> = searches.iter().flat_map(|search| search.rows()).collect();
        if rows.is_empty() {
            return Ok(searches.into_iter().map(Search::output).collect());
        }
        let mut logits = step(&rows)?.into_iter();
        let mut first_row = 0;
        for search in &mut searches {
            let count = search.running.len();
            search.advance(options, logits.by_ref().take(count).collect(), first_row);
            first_row += count;
        }
    }
}

/// A beam, running or complete.
#[derive(Debug, Clone)]
struct Beam {
    tokens: Vec<u32>,
    /// Sum of log-probabilities; for a complete beam, divided by its length to the power of the length penalty.
    score: f32,
    /// The row of the last step that it continues.
    row: usize,
}

/// The search of one sequence.
struct Search {
    running: Vec<Beam>,
    /// Complete outputs, best first.
    complete: Vec<Beam>,
}

/// A continuation of a running beam.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    beam: usize,
    token: u32,
    score: f32,
}

impl Search {
    fn new(options: &GenerationOptions, sequence: usize) -> Self {
        let start = Beam { tokens: vec![options.decoder_start_token_id], score: 0.0, row: sequence };
        Self { running: vec![start], complete: Vec::new() }
    }

    fn rows(&self) -> impl Iterator<Item = DecoderRow> + '_ {
        self.running
            .iter()
            .filter_map(|beam| Some(DecoderRow { token: *beam.tokens.last()?, continues: beam.row }))
    }

    /// Advances by one token; `logits` are those of the running beams, whose rows begin at `first_row`.
    fn advance(&mut self, options: &GenerationOptions, logits: Vec<Vec<f32>>, first_row: usize) {
        let Some(length) = self.running.first().map(|beam| beam.tokens.len()) else { return };
        let candidates = self.candidates(options, logits);
        let ends = |candidate: &Candidate| {
            options.eos_token_ids.contains(&candidate.token) || length + 1 >= options.max_length
        };
        let extend = |candidate: &Candidate, score: f32| {
            let mut tokens = self.running[candidate.beam].tokens.clone();
            tokens.push(candidate.token);
            Beam { tokens, score, row: first_row + candidate.beam }
        };
        let running: Vec<Beam> = candidates
            .iter()
            .filter(|candidate| !ends(candidate))
            .take(options.num_beams)
            .map(|candidate| extend(candidate, candidate.score))
            .collect();
        // The start token is not part of the length.
        let penalty = (length as f64).powf(options.length_penalty) as f32;
        let complete: Vec<Beam> = candidates
            .iter()
            .take(options.num_beams)
            .filter(|candidate| ends(candidate))
            .map(|candidate| extend(candidate, candidate.score / penalty))
            .collect();
        self.complete.extend(complete);
        self.complete.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.complete.truncate(options.num_beams);
        self.running = if self.is_finished(options, &running, length) { Vec::new() } else { running };
    }

    /// The best continuations of all beams, best first.
    fn candidates(&self, options: &GenerationOptions, logits: Vec<Vec<f32>>) -> Vec<Candidate> {
        let keep = (1 + options.eos_token_ids.len()).max(2) * options.num_beams;
        let better = |a: &Candidate, b: &Candidate| {
            b.score.total_cmp(&a.score).then(a.beam.cmp(&b.beam)).then(a.token.cmp(&b.token))
        };
        let best_of = |mut candidates: Vec<Candidate>| {
            if candidates.len() > keep {
                candidates.select_nth_unstable_by(keep, better);
                candidates.truncate(keep);
            }
            candidates
        };
        let mut all = Vec::new();
        for (beam, mut scores) in logits.into_iter().enumerate() {
            let running = &self.running[beam];
            log_softmax(&mut scores);
            process(options, &running.tokens, &mut scores);
            let candidate = |(token, score): (usize, &f32)| Candidate {
                beam,
                token: token as u32,
                score: score + running.score,
            };
            all.extend(best_of(scores.iter().enumerate().map(candidate).collect()));
        }
        let mut best = best_of(all);
        best.sort_by(better);
        best
    }

    /// Whether no running beam can still change the outputs; `length`: tokens of the running beams without the start
    /// token.
    fn is_finished(&self, options: &GenerationOptions, running: &[Beam], length: usize) -> bool {
        let Some(best) = running.first() else { return true };
        if self.complete.len() < options.num_beams {
            return false;
        }
        let furthest = match options.early_stopping {
            EarlyStopping::Always => return true,
            EarlyStopping::Never if options.length_penalty > 0.0 => options.max_length - 1,
            EarlyStopping::Never | EarlyStopping::Heuristic => length,
        };
        let possible = best.score / (furthest as f64).powf(options.length_penalty) as f32;
        self.complete.last().is_some_and(|worst| possible <= worst.score)
    }

    fn output(self) -> Output {
        let best = self.complete.into_iter().next();
        best.map_or(Output::default(), |beam| Output { tokens: beam.tokens, score: Some(beam.score) })
    }
}
