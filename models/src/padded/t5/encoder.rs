//! The encoder: layers of self-attention in both directions, on a padded batch.

use candle_core::Tensor;
use candle_nn::{Linear, Module, RmsNorm};

use super::parts::{FeedForward, Parts};
use crate::error::Result;
use crate::padded::batches::PaddedBatch;
use crate::padded::encoder::bias_of_pairs;
use crate::padded::parts::{by_head, context, rows_of, scores};
use crate::t5::T5Config;

pub(super) struct Encoder {
    config: T5Config,
    words: Tensor,
    /// (heads, slots)
    bias: Tensor,
    layers: Vec<Layer>,
    norm: RmsNorm,
}

struct Layer {
    norm: RmsNorm,
    /// Queries, keys and values: (hidden, 3 * width).
    projection: Linear,
    output: Linear,
    feed_forward: FeedForward,
}

impl Encoder {
    /// `words`: the table of word embeddings on the target.
    pub(super) fn load(parts: &Parts<'_>, words: &Tensor) -> Result<Self> {
        let config = parts.config;
        let bias = config.encoder_tensor("block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let bias = parts.weights.tensor(&bias, &[config.buckets, config.heads.count])?;
        Ok(Self {
            words: words.clone(),
            bias: parts.target.place(&config.distance_buckets().by_slot(&bias)?)?,
            layers: (0..config.encoder_layers)
                .map(|index| Layer::load(parts, index))
                .collect::<Result<_>>()?,
            norm: parts.norm(&config.encoder_tensor("final_layer_norm"))?,
            config: config.clone(),
        })
    }

    /// The normed states after the last layer, and the states before it, each `(sequences, longest, hidden)`.
    pub(super) fn forward(&self, batch: &PaddedBatch, mask: &Tensor) -> Result<(Tensor, Tensor)> {
        let bias = bias_of_pairs(&self.bias, &self.config.distance_buckets().slots(batch.shape().1))?;
        let mut states = rows_of(&self.words, batch.tokens.ids(), batch, "token id")?;
        let mut before = states.clone();
        for layer in &self.layers {
            before = states;
            let projected = layer.projection.forward(&layer.norm.forward(&before)?)?;
            let [query, key, value] = by_head(&projected, self.config.heads)?;
            let context = context(&scores(&query, &key)?.broadcast_add(&bias)?, mask, &value)?;
            states = (&before + layer.output.forward(&context)?)?;
            states = layer.feed_forward.forward(&self.config, &states)?;
        }
        Ok((self.norm.forward(&states)?, before))
    }
}

impl Layer {
    fn load(parts: &Parts<'_>, index: usize) -> Result<Self> {
        let name = |part: &str| parts.config.encoder_tensor(&format!("block.{index}.layer.{part}"));
        let (hidden, width) = (parts.config.hidden_size, parts.config.width());
        let own = ["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}")));
        Ok(Self {
            norm: parts.norm(&name("0.layer_norm"))?,
            projection: parts.joint(&own, hidden, width)?,
            output: parts.linear(&name("0.SelfAttention.o"), width, hidden)?,
            feed_forward: parts.feed_forward(&name("1"))?,
        })
    }
}
