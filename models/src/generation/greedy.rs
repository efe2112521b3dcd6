//! Greedy search: the best token at each step.

use super::options::GenerationOptions;
use super::scores::process;
use super::step::{DecoderRow, Output, Step};
use crate::error::Result;

/// Outputs of `count` sequences; the rows of a finished sequence are dropped.
pub(super) fn search(options: &GenerationOptions, count: usize, step: &mut Step<'_>) -> Result<Vec<Output>> {
    let mut outputs = vec![Output { tokens: vec![options.decoder_start_token_id], score: None }; count];
    // Unfinished sequences, in the order of their rows at the last step.
    let mut running: Vec<usize> = (0..count).collect();
    let mut rows: Vec<DecoderRow> = (0..count)
        .map(|sequence| DecoderRow { token: options.decoder_start_token_id, continues: sequence })
        .collect();
    while !running.is_empty() {
        let logits = step(&rows)?;
        rows.clear();
        let before = std::mem::take(&mut running);
        for (row, (sequence, mut scores)) in before.into_iter().zip(logits).enumerate() {
            let tokens = &mut outputs[sequence].tokens;
            process(options, tokens, &mut scores);
            let token = best(&scores);
            tokens.push(token);
            if !options.eos_token_ids.contains(&token) && tokens.len() < options.max_length {
                running.push(sequence);
                rows.push(DecoderRow { token, continues: row });
            }
        }
    }
    Ok(outputs)
}

/// The first of the largest scores.
fn best(scores: &[f32]) -> u32 {
    let mut best = 0;
    for (id, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = id;
        }
    }
    best as u32
}
