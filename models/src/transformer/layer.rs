//! One transformer layer: attention and a feed-forward part, each followed by a residual layer norm (Vaswani et al.
//! 2017; post-norm, as in BERT), with relative positions if the network has them.
//!
//! A classifier's last layer computes first tokens only, since the head reads nothing else.

use candle_core::Tensor;
use veridic_kernels::{
    Attention, Columns, DistanceTable, FeedForward, LayerNorm, Linear, Precision, Queries, RelativePositions,
};

use super::parts::{first_tokens, layer_norm, linear};
use super::plan::{LayerPlan, Projection, Relative};
use crate::error::Result;
use crate::weights::Weights;

pub(crate) struct Layer {
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

impl Layer {
    /// `queries`: the tokens whose states a last layer computes; `relative` computes the layer's relative positions from
    /// its query and key projections.
    pub(crate) fn load(
        weights: &Weights,
        plan: &LayerPlan,
        queries: Queries,
        precision: Precision,
        relative: impl FnOnce(&Projection, &Projection) -> Result<Option<Relative>>,
    ) -> Result<Self> {
        let LayerPlan { hidden, inner, names, .. } = *plan;
        let queries = if plan.is_last { queries } else { Queries::All };
        let name = |part: &str| format!("{}.{part}", plan.name);
        let [query, key, value] = plan.projections(weights)?;
        let relative = match relative(&query, &key)? {
            None => None,
            Some(Relative::Bias(bias)) => Some(RelativePositions::from_bias(&bias)?),
            Some(Relative::Terms { key, query }) => {
                Some(RelativePositions::new(key.as_ref(), query.as_ref())?)
            }
        };
        let norm = |part: &str| layer_norm(weights, &name(part), hidden, plan.norm_epsilon);
        Ok(Self {
            projections: Projections::new(&query, &key, &value, queries, precision)?,
            hidden,
            attention: Attention::new(plan.heads, plan.scale, relative, precision)?,
            attention_output: linear(weights, &name(names.attention_output), hidden, hidden, precision)?,
            attention_norm: norm(names.attention_norm)?,
            feed_forward: FeedForward::new(
                linear(weights, &name(names.up), hidden, inner, precision)?,
                plan.activation,
                linear(weights, &name(names.down), inner, hidden, precision)?,
                norm(names.norm)?,
            )?,
        })
    }

    /// Whether it returns the states of first tokens only.
    pub(crate) fn returns_first_tokens(&self) -> bool {
        matches!(self.projections, Projections::FirstTokens { .. })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`, or `(sequences, hidden)` for first tokens.
    pub(crate) fn forward(
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

/// All layers, two at a time: more would keep more unpacked tensors in memory.
pub(crate) fn load_layers(count: usize, load: impl Fn(usize) -> Result<Layer> + Sync) -> Result<Vec<Layer>> {
    let mut layers = Vec::with_capacity(count);
    for index in (0..count).step_by(2) {
        let has_next = index + 1 < count;
        let (layer, next) = rayon::join(|| load(index), || has_next.then(|| load(index + 1)).transpose());
        layers.push(layer?);
        layers.extend(next?);
    }
    Ok(layers)
}
