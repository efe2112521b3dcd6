//! A layer: attention with rotary positions, to all tokens or to near ones, and a gated feed-forward part
//! `down(act(x up_1) * (x up_2))` (Shazeer 2020). Norms precede both parts; before the first layer's attention there is
//! none, since the embeddings are normed.

use candle_core::Tensor;
use veridic_kernels::{
    Activation, Attention, Columns, DistanceTable, LayerNorm, Linear, Precision, Queries, RelativePositions,
    Rotary,
};

use super::config::ModernBertConfig;
use super::parts::{linear, norm};
use crate::error::Result;
use crate::weights::Weights;

/// Added to the scores of tokens out of reach, so that their weight after the softmax is 0.
const OUT_OF_REACH: f32 = -1e30;

pub(super) struct Layer {
    attention_norm: Option<LayerNorm>,
    /// Queries, keys and values: (hidden, 3 * hidden).
    projection: Linear,
    rotary: Rotary,
    attention: Attention,
    is_local: bool,
    output: Linear,
    norm: LayerNorm,
    /// Both projections of the gated part: (hidden, 2 * inner).
    up: Linear,
    activation: Activation,
    down: Linear,
    inner: usize,
}

/// The positions of a batch's tokens, and the distances that local layers attend over.
pub(super) struct Places {
    positions: Vec<u32>,
    distances: DistanceTable,
}

impl Places {
    pub(super) fn new(positions: Vec<u32>, longest: usize, reach: usize) -> Result<Self> {
        let (longest, reach) = (longest as i64, reach as i64);
        // Slots: later tokens out of reach, those within, earlier ones out of reach.
        let slot = |distance: i64| u32::from(distance >= -reach) + u32::from(distance > reach);
        let distances = DistanceTable::new((1 - longest..longest).map(slot).collect())?;
        Ok(Self { positions, distances })
    }
}

impl Layer {
    pub(super) fn load(
        config: &ModernBertConfig,
        weights: &Weights,
        index: usize,
        precision: Precision,
    ) -> Result<Self> {
        let name = |part: &str| format!("model.layers.{index}.{part}");
        let (hidden, inner, heads) = (config.hidden_size, config.intermediate_size, config.heads);
        let linear = |part: &str, inputs, outputs, has_bias| {
            linear(weights, &name(part), inputs, outputs, has_bias, precision)
        };
        let is_local = config.local[index];
        let reach = is_local.then(|| within_reach(heads.count)).transpose()?;
        let scale = (1.0 / (heads.size as f64).sqrt()) as f32;
        Ok(Self {
            attention_norm: (index > 0).then(|| norm(config, weights, &name("attn_norm"))).transpose()?,
            projection: linear("attn.Wqkv", hidden, 3 * hidden, config.attention_bias)?,
            rotary: Rotary::new(heads, config.thetas[usize::from(is_local)])?,
            attention: Attention::new(heads, scale, reach, precision)?,
            is_local,
            output: linear("attn.Wo", hidden, hidden, config.attention_bias)?,
            norm: norm(config, weights, &name("mlp_norm"))?,
            up: linear("mlp.Wi", hidden, 2 * inner, config.inner_bias)?,
            activation: config.activation,
            down: linear("mlp.Wo", inner, hidden, config.inner_bias)?,
            inner,
        })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`
    pub(super) fn forward(&self, states: &Tensor, offsets: &[usize], places: &Places) -> Result<Tensor> {
        let normed = match &self.attention_norm {
            Some(norm) => norm.forward(states)?,
            None => states.clone(),
        };
        let all = self.projection.forward(&normed)?; // (tokens, 3 * hidden)
        let all = self.rotary.forward(&all, &places.positions)?;
        let width = states.dim(1)?;
        let part = |index: usize| Columns { matrix: &all, first_column: index * width };
        let everywhere = DistanceTable::default();
        let distances = if self.is_local { &places.distances } else { &everywhere };
        let context = self.attention.forward(part(0), part(1), part(2), offsets, distances, Queries::All)?;
        let states = (states + self.output.forward(&context)?)?;
        let up = self.up.forward(&self.norm.forward(&states)?)?; // (tokens, 2 * inner)
        let activated = self.activation.apply(&up.narrow(1, 0, self.inner)?.contiguous()?)?;
        let inner = (activated * up.narrow(1, self.inner, self.inner)?)?;
        Ok((states + self.down.forward(&inner)?)?)
    }
}

/// The bias of each slot of [`Places`], in all heads alike.
fn within_reach(heads: usize) -> Result<RelativePositions> {
    let slots: Vec<f32> = [OUT_OF_REACH, 0.0, OUT_OF_REACH].repeat(heads);
    Ok(RelativePositions::from_bias(&Tensor::from_vec(slots, (heads, 3), &candle_core::Device::Cpu)?)?)
}
