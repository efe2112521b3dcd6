//! The encoder on a GPU: the counterpart of `t5/encoder.rs`.

use veridic_kernels::Queries;
use veridic_kernels::cuda::{
    Attention, AttentionInputs, Cuda, Distances, Download, Layout, Linear, Matrix, Norm, RelativePositions,
    Table, gather,
};

use super::super::T5Config;
use super::parts::{FeedForward, added_linear, linear, norm};
use crate::error::Result;
use crate::transformer::{ResidualStream, all_but_last};
use crate::weights::Weights;

/// Tokens of a sequence whose distances are uploaded at load; longer sequences upload their own.
const INITIAL_TOKENS: usize = 1024;

pub(super) struct Encoder {
    config: T5Config,
    attention: Attention,
    distances: Distances,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    norm: Norm,
    /// Queries, keys and values: (hidden, 3 * width).
    projection: Linear,
    output: Linear,
    feed_forward: FeedForward,
}

impl Encoder {
    pub(super) fn load(cuda: &Cuda, config: &T5Config, weights: &Weights) -> Result<Self> {
        let name = config.encoder_tensor("block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let bias = weights.tensor(&name, &[config.buckets, config.heads.count])?;
        let relative = Some(RelativePositions::from_bias(cuda, &config.distance_buckets().by_slot(&bias)?)?);
        Ok(Self {
            config: config.clone(),
            attention: Attention { heads: config.heads, scale: 1.0, relative, reach: None },
            distances: distances(cuda, config, INITIAL_TOKENS)?,
            layers: (0..config.encoder_layers)
                .map(|index| Layer::load(cuda, config, weights, index))
                .collect::<Result<_>>()?,
            norm: norm(cuda, weights, &config.encoder_tensor("final_layer_norm"), config)?,
        })
    }

    /// States of all tokens, `(tokens, hidden)`, and where they lie.
    pub(super) fn forward(
        &self,
        cuda: &Cuda,
        words: &Matrix,
        ids: &[u32],
        offsets: &[usize],
    ) -> Result<(Matrix, Layout)> {
        let (mut stream, layout) = self.run(cuda, &self.layers, (words, ids, offsets))?;
        Ok((stream.normed(cuda, &self.norm)?, layout))
    }

    /// Starts to copy the scaled states before the last layer to the host, `(tokens, hidden)`.
    pub(super) fn before_last(
        &self,
        cuda: &Cuda,
        words: &Matrix,
        ids: &[u32],
        offsets: &[usize],
    ) -> Result<Download> {
        self.run(cuda, all_but_last(&self.layers), (words, ids, offsets))?.0.download(cuda)
    }

    /// The stream after these layers, `(tokens, hidden)`, and where the tokens lie.
    fn run(
        &self,
        cuda: &Cuda,
        layers: &[Layer],
        (words, ids, offsets): (&Matrix, &[u32], &[usize]),
    ) -> Result<(ResidualStream, Layout)> {
        let layout = Layout::new(cuda, offsets, &[ids])?;
        let longer = match layout.longest() > self.distances.longest() {
            true => Some(distances(cuda, &self.config, layout.longest())?),
            false => None,
        };
        let distances = longer.as_ref().unwrap_or(&self.distances);
        let ids = layout.other(0);
        let mut stream = ResidualStream::start(gather(cuda, &[Table { rows: words, indices: Some(&ids) }])?);
        for layer in layers {
            let all = layer.projection.forward(cuda, &stream.normed(cuda, &layer.norm)?)?; // (tokens, 3 * width)
            let part = |index: usize| all.from_column(index * self.config.width());
            let inputs = AttentionInputs { query: part(0), key: part(1), value: part(2) };
            let context = self.attention.forward(cuda, inputs, &layout, Some(distances), Queries::All)?;
            stream.add(layer.output.forward(cuda, &context)?);
            layer.feed_forward.forward(cuda, &mut stream)?;
        }
        Ok((stream, layout))
    }
}

impl Layer {
    fn load(cuda: &Cuda, config: &T5Config, weights: &Weights, index: usize) -> Result<Self> {
        let name = |part: &str| config.encoder_tensor(&format!("block.{index}.layer.{part}"));
        let projections = ["q", "k", "v"].map(|part| name(&format!("0.SelfAttention.{part}")));
        let (hidden, width) = (config.hidden_size, config.width());
        Ok(Self {
            norm: norm(cuda, weights, &name("0.layer_norm"), config)?,
            projection: linear(cuda, weights, &projections, (hidden, width))?,
            output: added_linear(cuda, weights, &name("0.SelfAttention.o"), (width, hidden))?,
            feed_forward: FeedForward::load(cuda, config, weights, &name("1"))?,
        })
    }
}

/// The distances of sequences of up to `longest` tokens.
fn distances(cuda: &Cuda, config: &T5Config, longest: usize) -> Result<Distances> {
    Ok(Distances::new(cuda, &config.distance_buckets().slots(longest))?)
}
