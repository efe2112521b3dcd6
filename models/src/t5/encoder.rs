//! The encoder: layers of self-attention in both directions and a feed-forward part, on a packed batch.

use candle_core::Tensor;
use veridic_kernels::{
    Attention, Columns, DistanceTable, Linear, Precision, Queries, RelativePositions, RmsNorm,
};

use super::config::T5Config;
use super::feed_forward::FeedForward;
use super::parts::{joint_linear, rms_norm};
use crate::error::Result;
use crate::transformer::{all_but_last, unbiased_linear};
use crate::weights::Weights;

/// Encoded sequences.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// States of all tokens, `(tokens, hidden)`.
    pub states: Tensor,
    /// The first token of each sequence, and the number of all tokens.
    pub offsets: Vec<usize>,
}

pub(super) struct Encoder {
    config: T5Config,
    attention: Attention,
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
    /// `precision`: the dtype of the layers' products.
    pub(super) fn load(config: &T5Config, weights: &Weights, precision: Precision) -> Result<Self> {
        let name = config.encoder_tensor("block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let bias = weights.tensor(&name, &[config.buckets, config.heads.count])?;
        let relative = Some(RelativePositions::from_bias(&config.distance_buckets().by_slot(&bias)?)?);
        Ok(Self {
            config: config.clone(),
            attention: Attention::new(config.heads, 1.0, relative, precision)?,
            layers: (0..config.encoder_layers)
                .map(|index| Layer::load(config, weights, index, precision))
                .collect::<Result<_>>()?,
            norm: rms_norm(weights, &config.encoder_tensor("final_layer_norm"), config)?,
        })
    }

    /// The states before the last layer, `(tokens, hidden)`.
    pub(super) fn before_last(&self, embedded: Tensor, offsets: &[usize]) -> Result<Tensor> {
        Ok(self.run(all_but_last(&self.layers), embedded, offsets)?.1)
    }

    /// The normed states after the last layer, and the states before it, each `(tokens, hidden)`.
    pub(super) fn forward(&self, embedded: Tensor, offsets: &[usize]) -> Result<(Tensor, Tensor)> {
        let (before, states) = self.run(&self.layers, embedded, offsets)?;
        Ok((self.norm.forward(&states)?, before))
    }

    /// The states before the last of these layers, and after it.
    fn run(&self, layers: &[Layer], embedded: Tensor, offsets: &[usize]) -> Result<(Tensor, Tensor)> {
        let longest = offsets.windows(2).map(|o| o[1] - o[0]).max().unwrap_or(0);
        let distances = DistanceTable::new(self.config.distance_buckets().slots(longest))?;
        let width = self.config.width();
        let mut states = embedded;
        let mut before = states.clone();
        for layer in layers {
            before = states.clone();
            let all = layer.projection.forward(&layer.norm.forward(&states)?)?; // (tokens, 3 * width)
            let part = |index: usize| Columns { matrix: &all, first_column: index * width };
            let context =
                self.attention.forward(part(0), part(1), part(2), offsets, &distances, Queries::All)?;
            states = (states + layer.output.forward(&context)?)?;
            states = layer.feed_forward.forward(&states)?;
        }
        Ok((before, states))
    }
}

impl Layer {
    fn load(config: &T5Config, weights: &Weights, index: usize, precision: Precision) -> Result<Self> {
        let name = |part: &str| config.encoder_tensor(&format!("block.{index}.layer.{part}"));
        let projections = ["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}")));
        let (hidden, width) = (config.hidden_size, config.width());
        Ok(Self {
            norm: rms_norm(weights, &name("0.layer_norm"), config)?,
            projection: joint_linear(weights, &projections, hidden, width, precision)?,
            output: unbiased_linear(weights, &name("0.SelfAttention.o"), width, hidden, precision)?,
            feed_forward: FeedForward::load(config, weights, &name("1"), precision)?,
        })
    }
}
