//! One transformer layer: disentangled attention and a feed-forward part, each followed by a
//! residual layer norm. Position projections depend on the weights alone and are made at load.
//!
//! Of the last layer only the state of each sequence's first token is used, so it computes only
//! that.

use candle_core::Tensor;
use veridic_kernels::{
    Attention, Columns, DistanceTable, FeedForward, LayerNorm, Linear, Precision, Queries, RelativePositions,
};

use super::config::RelativeConfig;
use super::{DebertaConfig, first_tokens, layer_norm, linear};
use crate::error::Result;
use crate::weights::Weights;

pub(super) struct Layer {
    projections: Projections,
    hidden: usize,
    attention: Attention,
    attention_output: Linear,
    attention_norm: LayerNorm,
    feed_forward: FeedForward,
}

/// Queries, keys and values of the hidden states.
enum Projections {
    /// For all tokens: one product, (hidden, 3 * hidden).
    Joint(Linear),
    /// Queries for first tokens, (hidden, hidden); keys and values for all, (hidden, 2 * hidden).
    FirstTokens { query: Linear, key_value: Linear },
}

/// Which layer, and how it computes.
pub(super) struct LayerPlan {
    pub(super) index: usize,
    /// The tokens whose states are wanted.
    pub(super) queries: Queries,
    pub(super) precision: Precision,
}

impl Layer {
    /// `positions`: the relative embeddings `(2 * span, hidden)`, if the model has them.
    pub(super) fn load(
        config: &DebertaConfig,
        weights: &Weights,
        positions: Option<&Tensor>,
        plan: LayerPlan,
    ) -> Result<Self> {
        let LayerPlan { index, queries, precision } = plan;
        let name = |part: &str| format!("deberta.encoder.layer.{index}.{part}");
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let content = ["query_proj", "key_proj", "value_proj"]
            .map(|part| Projection::load(weights, &name(&format!("attention.self.{part}")), hidden));
        let [query, key, value] = content;
        let (query, key, value) = (query?, key?, value?);
        let relative = match (&config.relative, positions) {
            (Some(relative), Some(positions)) => {
                let own =
                    |part: &str| Projection::load(weights, &name(&format!("attention.self.{part}")), hidden);
                Some(project(config, relative, positions, (&query, &key), own)?)
            }
            _ => None,
        };
        let scale = 1.0 / ((config.heads.size * config.score_terms) as f64).sqrt();
        Ok(Self {
            projections: Projections::new(&query, &key, &value, queries, precision)?,
            hidden,
            attention: Attention { heads: config.heads, scale: scale as f32, relative },
            attention_output: linear(weights, &name("attention.output.dense"), hidden, hidden, precision)?,
            attention_norm: layer_norm(weights, &name("attention.output.LayerNorm"), config)?,
            feed_forward: FeedForward::new(
                linear(weights, &name("intermediate.dense"), hidden, inner, precision)?,
                config.activation,
                linear(weights, &name("output.dense"), inner, hidden, precision)?,
                layer_norm(weights, &name("output.LayerNorm"), config)?,
            )?,
        })
    }

    /// Whether its states are those of first tokens only.
    pub(super) fn gives_first_tokens(&self) -> bool {
        matches!(self.projections, Projections::FirstTokens { .. })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`, or `(sequences, hidden)` for first tokens.
    pub(super) fn forward(
        &self,
        states: &Tensor,
        offsets: &[usize],
        distances: &DistanceTable,
    ) -> Result<Tensor> {
        let part = |matrix, index: usize| Columns { matrix, first_column: index * self.hidden };
        let (context, residual) = match &self.projections {
            Projections::Joint(projection) => {
                let all = projection.forward(states)?; // (tokens, 3 * hidden)
                let (query, key, value) = (part(&all, 0), part(&all, 1), part(&all, 2));
                let context = self.attention.forward(query, key, value, offsets, distances, Queries::All)?;
                (context, states.clone())
            }
            Projections::FirstTokens { query, key_value } => {
                let first = first_tokens(states, offsets)?; // (sequences, hidden)
                let queries = query.forward(&first)?;
                let all = key_value.forward(states)?; // (tokens, 2 * hidden)
                let (query, key, value) = (part(&queries, 0), part(&all, 0), part(&all, 1));
                let context =
                    self.attention.forward(query, key, value, offsets, distances, Queries::First)?;
                (context, first)
            }
        };
        let attended =
            self.attention_output.forward_residual_norm(&context, &residual, &self.attention_norm)?;
        Ok(self.feed_forward.forward(&attended)?)
    }
}

impl Projections {
    fn new(
        query: &Projection,
        key: &Projection,
        value: &Projection,
        queries: Queries,
        precision: Precision,
    ) -> Result<Self> {
        Ok(match queries {
            Queries::All => Self::Joint(Projection::join(&[query, key, value], precision)?),
            Queries::First => Self::FirstTokens {
                query: Projection::join(&[query], precision)?,
                key_value: Projection::join(&[key, value], precision)?,
            },
        })
    }
}

/// Weights of a projection, before it is packed.
struct Projection {
    /// (out, in)
    weight: Tensor,
    /// (out)
    bias: Tensor,
}

impl Projection {
    fn load(weights: &Weights, name: &str, hidden: usize) -> Result<Self> {
        Ok(Self {
            weight: weights.tensor(&format!("{name}.weight"), &[hidden, hidden])?,
            bias: weights.tensor(&format!("{name}.bias"), &[hidden])?,
        })
    }

    /// Several projections of the same states as one layer, outputs side by side.
    fn join(parts: &[&Self], precision: Precision) -> Result<Linear> {
        let weights: Vec<&Tensor> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|part| &part.bias).collect();
        let (weight, bias) = (Tensor::cat(&weights, 0)?, Tensor::cat(&biases, 0)?);
        Ok(Linear::in_precision(&weight, Some(&bias), precision)?)
    }
}

/// The layer's projections of the relative embeddings, cut into heads. With shared projections the
/// content's own query and key layers (biases included) project the positions.
fn project(
    config: &DebertaConfig,
    relative: &RelativeConfig,
    positions: &Tensor,
    (query, key): (&Projection, &Projection),
    own: impl Fn(&str) -> Result<Projection>,
) -> Result<RelativePositions> {
    let by_head = |projection: &Projection| -> Result<Tensor> {
        let projected = Projection::join(&[projection], Precision::F32)?.forward(positions)?; // (slots, hidden)
        let cut = projected.reshape(((), config.heads.count, config.heads.size))?;
        Ok(cut.transpose(0, 1)?.contiguous()?) // (heads, slots, head size)
    };
    let term = |wanted: bool, shared: &Projection, name: &str| match (wanted, relative.shared_projections) {
        (false, _) => Ok(None),
        (true, true) => by_head(shared).map(Some),
        (true, false) => own(name).and_then(|own| by_head(&own)).map(Some),
    };
    let key = term(relative.content_to_position, key, "pos_key_proj")?;
    let query = term(relative.position_to_content, query, "pos_query_proj")?;
    Ok(RelativePositions::new(key.as_ref(), query.as_ref())?)
}
