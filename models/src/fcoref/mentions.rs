//! Finds mentions by the score of spans: `score(i, j) = start(i) . w_s + end(j) . w_e + start(i) W end(j)` for every
//! start i and end j within the longest mention (Kirstain, Ram, Levy 2021, equation 4); a fixed share of the number of
//! tokens is kept, the best spans first.

use candle_core::Tensor;
use veridic_kernels::{Activation, LayerNorm, Linear, Precision};

use super::config::FCorefConfig;
use crate::error::Result;
use crate::transformer::{layer_norm, linear};
use crate::weights::Weights;

/// Starts whose scores are computed together.
const BLOCK_STARTS: usize = 96;

/// A span of tokens that is a candidate for a mention.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MentionSpan {
    /// Its first token.
    pub start: usize,
    /// Its last token.
    pub end: usize,
    /// Its mention score.
    pub score: f32,
}

/// A layer of the heads: `norm(activation(dense(x)))`.
pub(super) struct Representation {
    dense: Linear,
    activation: Activation,
    norm: LayerNorm,
}

impl Representation {
    pub(super) fn load(config: &FCorefConfig, weights: &Weights, name: &str) -> Result<Self> {
        let (hidden, size) = (config.encoder.hidden_size, config.head_size);
        Ok(Self {
            dense: linear(weights, &format!("{name}.dense"), hidden, size, Precision::F32)?,
            activation: config.encoder.activation,
            norm: layer_norm(
                weights,
                &format!("{name}.layer_norm"),
                size,
                config.encoder.layer_norm_epsilon,
            )?,
        })
    }

    /// `(tokens, hidden) -> (tokens, head size)`
    pub(super) fn forward(&self, states: &Tensor) -> Result<Tensor> {
        Ok(self.norm.forward(&self.dense.forward_activated(states, self.activation)?)?)
    }
}

pub(super) struct MentionHead {
    start: Representation,
    end: Representation,
    start_score: Linear,
    end_score: Linear,
    pair_score: Linear,
}

/// The scores and representations of a text's tokens as first and last tokens of mentions.
pub(super) struct Boundaries {
    /// start(i) . w_s of each token.
    start_scores: Vec<f32>,
    /// end(j) . w_e of each token.
    end_scores: Vec<f32>,
    /// start(i) W, (tokens, head size).
    projected: Tensor,
    /// end(j), (tokens, head size).
    end: Tensor,
}

impl MentionHead {
    pub(super) fn load(config: &FCorefConfig, weights: &Weights) -> Result<Self> {
        let size = config.head_size;
        let classifier = |part: &str, outputs: usize| {
            linear(weights, &format!("mention_{part}_classifier"), size, outputs, Precision::F32)
        };
        Ok(Self {
            start: Representation::load(config, weights, "start_mention_mlp")?,
            end: Representation::load(config, weights, "end_mention_mlp")?,
            start_score: classifier("start", 1)?,
            end_score: classifier("end", 1)?,
            pair_score: classifier("s2e", size)?,
        })
    }

    /// `states`: `(tokens, hidden)`.
    pub(super) fn boundaries(&self, states: &Tensor) -> Result<Boundaries> {
        let (start, end) = (self.start.forward(states)?, self.end.forward(states)?); // (tokens, head size)
        Ok(Boundaries {
            start_scores: column(&self.start_score.forward(&start)?)?,
            end_scores: column(&self.end_score.forward(&end)?)?,
            projected: self.pair_score.forward(&start)?, // (tokens, head size)
            end,
        })
    }
}

impl Boundaries {
    /// The best spans, sorted by start, then end; ties go to the first.
    pub(super) fn mentions(&self, config: &FCorefConfig) -> Result<Vec<MentionSpan>> {
        // In f32, like the reference.
        let kept = (self.start_scores.len() as f32 * config.mentions_per_token) as usize;
        let mut mentions = self.all(config.max_mention_tokens)?;
        let kept = kept.min(mentions.len());
        let better = |a: &MentionSpan, b: &MentionSpan| b.score.total_cmp(&a.score).then(order(a, b));
        if (1..mentions.len()).contains(&kept) {
            mentions.select_nth_unstable_by(kept - 1, better);
        }
        mentions.truncate(kept);
        mentions.sort_unstable_by(order);
        Ok(mentions)
    }

    /// Every span of at most `max_tokens`.
    fn all(&self, max_tokens: usize) -> Result<Vec<MentionSpan>> {
        let Self { start_scores, end_scores, projected, end } = self;
        let tokens = start_scores.len();
        let mut mentions = Vec::with_capacity(tokens * max_tokens);
        for first in (0..tokens).step_by(BLOCK_STARTS) {
            let starts = BLOCK_STARTS.min(tokens - first);
            let ends = (starts + max_tokens - 1).min(tokens - first);
            let keys = Linear::new(&end.narrow(0, first, ends)?.contiguous()?, None)?;
            let queries = projected.narrow(0, first, starts)?.contiguous()?;
            let pairs = keys.forward(&queries)?.to_vec2::<f32>()?; // (starts, ends)
            for (row, pairs) in pairs.iter().enumerate() {
                let last = ends.min(row + max_tokens);
                mentions.extend((row..last).map(|column| MentionSpan {
                    start: first + row,
                    end: first + column,
                    score: pairs[column] + start_scores[first + row] + end_scores[first + column],
                }));
            }
        }
        Ok(mentions)
    }
}

fn order(a: &MentionSpan, b: &MentionSpan) -> std::cmp::Ordering {
    (a.start, a.end).cmp(&(b.start, b.end))
}

/// `(rows, 1)` as a list.
fn column(x: &Tensor) -> Result<Vec<f32>> {
    Ok(x.flatten_all()?.to_vec1()?)
}
