//! One transformer layer: disentangled attention and a feed-forward part, each followed by a
//! residual layer norm. Position projections depend on the weights alone and are made at load.

use candle_core::Tensor;
use veridic_kernels::{Activation, Attention, LayerNorm, Linear, RelativePositions};

use super::config::RelativeConfig;
use super::{DebertaConfig, layer_norm, linear};
use crate::error::Result;
use crate::weights::Weights;

pub(super) struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attention: Attention,
    attention_output: Linear,
    attention_norm: LayerNorm,
    intermediate: Linear,
    activation: Activation,
    output: Linear,
    output_norm: LayerNorm,
}

impl Layer {
    /// `positions`: the relative embeddings `(2 * span, hidden)`, if the model has them.
    pub(super) fn load(
        config: &DebertaConfig,
        weights: &Weights,
        index: usize,
        positions: Option<&Tensor>,
    ) -> Result<Self> {
        let layer = format!("deberta.encoder.layer.{index}");
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let query = linear(weights, &format!("{layer}.attention.self.query_proj"), hidden, hidden)?;
        let key = linear(weights, &format!("{layer}.attention.self.key_proj"), hidden, hidden)?;
        let relative = match (&config.relative, positions) {
            (Some(relative), Some(positions)) => {
                Some(project(config, relative, weights, &layer, positions, (&query, &key))?)
            }
            _ => None,
        };
        let scale = 1.0 / ((config.heads.size * config.score_terms) as f64).sqrt();
        Ok(Self {
            query,
            key,
            value: linear(weights, &format!("{layer}.attention.self.value_proj"), hidden, hidden)?,
            attention: Attention { heads: config.heads, scale, relative },
            attention_output: linear(weights, &format!("{layer}.attention.output.dense"), hidden, hidden)?,
            attention_norm: layer_norm(weights, &format!("{layer}.attention.output.LayerNorm"), config)?,
            intermediate: linear(weights, &format!("{layer}.intermediate.dense"), hidden, inner)?,
            activation: config.activation,
            output: linear(weights, &format!("{layer}.output.dense"), inner, hidden)?,
            output_norm: layer_norm(weights, &format!("{layer}.output.LayerNorm"), config)?,
        })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`
    pub(super) fn forward(&self, states: &Tensor, offsets: &[usize], slots: &[u32]) -> Result<Tensor> {
        let query = self.query.forward(states)?; // (tokens, hidden)
        let key = self.key.forward(states)?;
        let value = self.value.forward(states)?;
        let context = self.attention.forward(&query, &key, &value, offsets, slots)?;
        let attended =
            self.attention_norm.forward_residual(&self.attention_output.forward(&context)?, states)?;
        let inner = self.activation.apply(&self.intermediate.forward(&attended)?)?; // (tokens, inner)
        Ok(self.output_norm.forward_residual(&self.output.forward(&inner)?, &attended)?)
    }
}

/// The layer's projections of the relative embeddings, cut into heads. With shared projections the
/// content's own query and key layers (biases included) project the positions.
fn project(
    config: &DebertaConfig,
    relative: &RelativeConfig,
    weights: &Weights,
    layer: &str,
    positions: &Tensor,
    (query, key): (&Linear, &Linear),
) -> Result<RelativePositions> {
    let own = |name: &str| {
        linear(weights, &format!("{layer}.attention.self.{name}"), config.hidden_size, config.hidden_size)
    };
    let by_head = |projection: &Linear| -> Result<Tensor> {
        let projected = projection.forward(positions)?; // (slots, hidden)
        let cut = projected.reshape(((), config.heads.count, config.heads.size))?;
        Ok(cut.transpose(0, 1)?.contiguous()?) // (heads, slots, head size)
    };
    let term = |wanted: bool, shared: &Linear, name: &str| match (wanted, relative.shared_projections) {
        (false, _) => Ok(None),
        (true, true) => by_head(shared).map(Some),
        (true, false) => own(name).and_then(|own| by_head(&own)).map(Some),
    };
    Ok(RelativePositions {
        key: term(relative.content_to_position, key, "pos_key_proj")?,
        query: term(relative.position_to_content, query, "pos_query_proj")?,
    })
}
