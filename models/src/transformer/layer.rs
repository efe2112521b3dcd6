//! One transformer layer: attention and a feed-forward part, each followed by a residual layer norm (Vaswani et al.
//! 2017; post-norm, as in BERT), with relative positions if the network has them.
//!
//! A classifier's last layer computes first tokens only, since the head reads nothing else.

use candle_core::{DType, Device, Tensor};
use veridic_kernels::{
    Activation, Attention, Columns, DistanceTable, FeedForward, Heads, LayerNorm, Linear, Precision, Queries,
    RelativePositions,
};

use super::{first_tokens, layer_norm, linear, packed_linear};
use crate::error::Result;
use crate::weights::{Matrix, Weights};

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

/// The names of a layer's queries, keys and values.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProjectionNames {
    /// Three layers.
    Separate([&'static str; 3]),
    /// One matrix with the rows of queries, keys and values of each head in turn, and biases of queries and values.
    ByHead { joint: &'static str, query_bias: &'static str, value_bias: &'static str },
}

/// The names of a layer's parts, each with `.weight` and `.bias`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerNames {
    pub(crate) projections: ProjectionNames,
    pub(crate) attention_output: &'static str,
    pub(crate) attention_norm: &'static str,
    pub(crate) up: &'static str,
    pub(crate) down: &'static str,
    pub(crate) norm: &'static str,
}

impl LayerNames {
    /// BERT's names (Devlin et al. 2019), which most other networks use too.
    pub(crate) const BERT: Self = Self {
        projections: ProjectionNames::Separate([
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
        ]),
        attention_output: "attention.output.dense",
        attention_norm: "attention.output.LayerNorm",
        up: "intermediate.dense",
        down: "output.dense",
        norm: "output.LayerNorm",
    };
}

/// A layer's names, sizes and arithmetic.
pub(crate) struct LayerPlan {
    /// The prefix of its tensor names.
    pub(crate) name: String,
    /// The names after the prefix.
    pub(crate) names: LayerNames,
    pub(crate) hidden: usize,
    pub(crate) inner: usize,
    pub(crate) heads: Heads,
    /// Factor on attention scores.
    pub(crate) scale: f32,
    pub(crate) activation: Activation,
    pub(crate) norm_epsilon: f64,
    /// The tokens whose states are computed.
    pub(crate) queries: Queries,
    /// The dtype of its products.
    pub(crate) precision: Precision,
}

impl LayerPlan {
    /// The weights of its queries, keys and values.
    pub(crate) fn projections(&self, weights: &Weights) -> Result<[Projection; 3]> {
        let (hidden, Heads { count, size }) = (self.hidden, self.heads);
        let name = |part: &str| format!("{}.{part}", self.name);
        let load = |part: &str| Projection::load(weights, &name(part), hidden);
        match self.names.projections {
            ProjectionNames::Separate([query, key, value]) => Ok([load(query)?, load(key)?, load(value)?]),
            ProjectionNames::ByHead { joint, query_bias, value_bias } => {
                let matrix = weights.matrix(&format!("{}.weight", name(joint)), [3 * hidden, hidden])?;
                let bias = |part: &str| weights.tensor(&name(part), &[hidden]);
                let part = |index: usize, bias: Tensor| -> Result<Projection> {
                    let of_head = |head: usize| (0..size).map(move |row| (3 * head + index) * size + row);
                    let rows: Vec<usize> = (0..count).flat_map(of_head).collect();
                    Ok(Projection { weight: matrix.picked(&rows)?, bias })
                };
                let none = Tensor::zeros(hidden, DType::F32, &Device::Cpu)?;
                Ok([part(0, bias(query_bias)?)?, part(1, none)?, part(2, bias(value_bias)?)?])
            }
        }
    }
}

impl Layer {
    /// `relative` computes the layer's relative positions from its query and key projections.
    pub(crate) fn load(
        weights: &Weights,
        plan: &LayerPlan,
        relative: impl FnOnce(&Projection, &Projection) -> Result<Option<RelativePositions>>,
    ) -> Result<Self> {
        let LayerPlan { hidden, inner, precision, names, .. } = *plan;
        let name = |part: &str| format!("{}.{part}", plan.name);
        let [query, key, value] = plan.projections(weights)?;
        let relative = relative(&query, &key)?;
        let norm = |part: &str| layer_norm(weights, &name(part), hidden, plan.norm_epsilon);
        Ok(Self {
            projections: Projections::new(&query, &key, &value, plan.queries, precision)?,
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

/// The weights of a projection before they are packed.
pub(crate) struct Projection {
    /// (out, in)
    weight: Matrix,
    /// (out)
    bias: Tensor,
}

impl Projection {
    pub(crate) fn load(weights: &Weights, name: &str, hidden: usize) -> Result<Self> {
        Ok(Self {
            weight: weights.matrix(&format!("{name}.weight"), [hidden, hidden])?,
            bias: weights.tensor(&format!("{name}.bias"), &[hidden])?,
        })
    }

    /// A projection without a bias.
    pub(crate) fn load_unbiased(weights: &Weights, name: &str, hidden: usize) -> Result<Self> {
        Ok(Self {
            weight: weights.matrix(&format!("{name}.weight"), [hidden, hidden])?,
            bias: Tensor::zeros(hidden, DType::F32, &Device::Cpu)?,
        })
    }

    /// Several projections of the same states as one layer, outputs side by side.
    pub(crate) fn join(parts: &[&Self], precision: Precision) -> Result<Linear> {
        let (weight, bias) = Self::stacked(parts)?;
        packed_linear(&weight, Some(&bias), precision)
    }

    /// The weight and the bias of that layer.
    pub(crate) fn stacked(parts: &[&Self]) -> Result<(Matrix, Tensor)> {
        let weights: Vec<&Matrix> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|part| &part.bias).collect();
        Ok((Matrix::stacked(&weights)?, Tensor::cat(&biases, 0)?))
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
