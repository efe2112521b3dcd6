//! The decoder, one token per step: self-attention over each row's tokens so far, cross-attention over the encoder's
//! states, and a feed-forward part.
//!
//! The key-value cache only grows; a row has the cache indices of its own history, so that rows can branch, change their
//! order and end without copies. Keys and values of the encoder's states are computed once.

use candle_core::Tensor;
use veridic_kernels::{Keys, Linear, Precision, RmsNorm, StepAttention};

use super::config::T5Config;
use super::encoder::Encoded;
use super::feed_forward::FeedForward;
use super::history::{Histories, History};
use super::parts::{joint_linear, rms_norm};
use crate::error::Result;
use crate::generation::DecoderRow;
use crate::transformer::unbiased_linear;
use crate::weights::Weights;

pub(super) struct Decoder {
    config: T5Config,
    /// By bucket: (buckets, heads).
    bias: Vec<Vec<f32>>,
    layers: Vec<Layer>,
    norm: RmsNorm,
}

struct Layer {
    self_norm: RmsNorm,
    /// Queries, keys and values: (hidden, 3 * width).
    self_projection: Linear,
    self_output: Linear,
    cross_norm: RmsNorm,
    cross_query: Linear,
    /// Keys and values of the encoder's states: (hidden, 2 * width).
    cross_key_value: Linear,
    cross_output: Linear,
    feed_forward: FeedForward,
}

/// The state of a decoder between steps.
#[derive(Debug, Clone)]
pub struct DecoderState {
    layers: Vec<LayerCache>,
    histories: Histories,
}

/// Keys and values of one layer.
#[derive(Debug, Clone)]
struct LayerCache {
    /// Of the decoder's tokens, (cached tokens, 2 * width).
    own: Vec<f32>,
    /// Of the encoder's states, (encoded tokens, 2 * width).
    encoded: Vec<f32>,
}

impl DecoderState {
    /// The encoded sequence of a row of the last step.
    pub(super) fn sequence(&self, row: usize) -> usize {
        self.histories.rows()[row].sequence
    }
}

impl Decoder {
    pub(super) fn load(config: &T5Config, weights: &Weights, precision: Precision) -> Result<Self> {
        let name = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
        Ok(Self {
            config: config.clone(),
            bias: weights.tensor(name, &[config.buckets, config.heads.count])?.to_vec2()?,
            layers: (0..config.decoder_layers)
                .map(|index| Layer::load(config, weights, index, precision))
                .collect::<Result<_>>()?,
            norm: rms_norm(weights, "decoder.final_layer_norm", config)?,
        })
    }

    pub(super) fn start(&self, encoded: &Encoded) -> Result<DecoderState> {
        let cache = |layer: &Layer| -> Result<LayerCache> {
            let encoded = layer.cross_key_value.forward(&encoded.states)?; // (tokens, 2 * width)
            Ok(LayerCache { own: Vec::new(), encoded: encoded.flatten_all()?.to_vec1()? })
        };
        Ok(DecoderState {
            layers: self.layers.iter().map(cache).collect::<Result<_>>()?,
            histories: Histories::start(&encoded.offsets),
        })
    }

    /// `(rows, hidden) -> (rows, hidden)`
    pub(super) fn forward(
        &self,
        embedded: Tensor,
        state: &mut DecoderState,
        rows: &[DecoderRow],
    ) -> Result<Tensor> {
        let DecoderState { layers, histories } = state;
        histories.advance(rows)?;
        let bias = self.bias_of(histories.position());
        let own: Vec<Keys<'_>> = histories.rows().iter().map(|row| Keys::Rows(&row.cached)).collect();
        let span = |row: &History| {
            let (first, count) = histories.span(row);
            Keys::Span { first, count }
        };
        let encoded: Vec<Keys<'_>> = histories.rows().iter().map(span).collect();
        let mut states = embedded;
        for (layer, cache) in self.layers.iter().zip(layers) {
            states = layer.self_attention(&self.config, states, &mut cache.own, &own, &bias)?;
            states = layer.cross_attention(&self.config, states, &cache.encoded, &encoded)?;
            states = layer.feed_forward.forward(&states)?;
        }
        Ok(self.norm.forward(&states)?)
    }

    /// The bias of the last of `count` positions to each position: (heads, positions).
    fn bias_of(&self, count: usize) -> Vec<Vec<f32>> {
        let row = |head: usize| {
            (0..count)
                .map(|position| {
                    self.bias[self.config.distance_buckets().backward((count - 1 - position) as u64)][head]
                })
                .collect()
        };
        (0..self.config.heads.count).map(row).collect()
    }
}

impl Layer {
    fn load(config: &T5Config, weights: &Weights, index: usize, precision: Precision) -> Result<Self> {
        let name = |part: &str| format!("decoder.block.{index}.layer.{part}");
        let (hidden, width) = (config.hidden_size, config.width());
        let own = ["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}")));
        let cross = ["k", "v"].map(|part| name(&format!("1.EncDecAttention.{part}")));
        Ok(Self {
            self_norm: rms_norm(weights, &name("0.layer_norm"), config)?,
            self_projection: joint_linear(weights, &own, hidden, width, precision)?,
            self_output: unbiased_linear(weights, &name("0.SelfAttention.o"), width, hidden, precision)?,
            cross_norm: rms_norm(weights, &name("1.layer_norm"), config)?,
            cross_query: unbiased_linear(weights, &name("1.EncDecAttention.q"), hidden, width, precision)?,
            cross_key_value: joint_linear(weights, &cross, hidden, width, precision)?,
            cross_output: unbiased_linear(weights, &name("1.EncDecAttention.o"), width, hidden, precision)?,
            feed_forward: FeedForward::load(config, weights, &name("2"), precision)?,
        })
    }

    /// Adds the rows' keys and values to `cache` and attends to their own tokens.
    fn self_attention(
        &self,
        config: &T5Config,
        states: Tensor,
        cache: &mut Vec<f32>,
        keys: &[Keys<'_>],
        bias: &[Vec<f32>],
    ) -> Result<Tensor> {
        let width = config.width();
        let all = self.self_projection.forward(&self.self_norm.forward(&states)?)?; // (rows, 3 * width)
        let query = all.narrow(1, 0, width)?.contiguous()?;
        cache.extend(all.narrow(1, width, 2 * width)?.contiguous()?.flatten_all()?.to_vec1::<f32>()?);
        let attention = StepAttention { heads: config.heads, scale: 1.0, cache, bias: Some(bias) };
        Ok((states + self.self_output.forward(&attention.forward(&query, keys)?)?)?)
    }

    fn cross_attention(
        &self,
        config: &T5Config,
        states: Tensor,
        encoded: &[f32],
        keys: &[Keys<'_>],
    ) -> Result<Tensor> {
        let query = self.cross_query.forward(&self.cross_norm.forward(&states)?)?; // (rows, width)
        let attention = StepAttention { heads: config.heads, scale: 1.0, cache: encoded, bias: None };
        Ok((states + self.cross_output.forward(&attention.forward(&query, keys)?)?)?)
    }
}
