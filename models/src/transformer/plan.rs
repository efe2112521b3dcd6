//! The plan of a transformer layer, from which each network builds its own: the names of its tensors, its sizes and its
//! arithmetic, and the weights of its queries, keys and values.

use candle_core::{DType, Device, Tensor};
use veridic_kernels::{Activation, Heads, Linear, Precision};

use super::conv::ConvPlan;
use super::embeddings::EmbeddingPlan;
use super::parts::packed_linear;
use crate::error::Result;
use crate::weights::{Matrix, Weights};

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
    /// Whether a classifier reads no other states of it than those of first tokens.
    pub(crate) is_last: bool,
}

/// The relative positions of a layer, by slot.
#[derive(Clone)]
pub(crate) enum Relative {
    /// Added to the scores: `(heads, slots)`.
    Bias(Tensor),
    /// DeBERTa's terms, content to position and position to content: each `(heads, slots, size)`.
    Terms { key: Option<Tensor>, query: Option<Tensor> },
}

/// A layer's relative positions from its query and key projections.
type RelativeOf<'n> =
    Box<dyn Fn(&LayerPlan, &Projection, &Projection) -> Result<Option<Relative>> + Sync + 'n>;

/// The slots of all distances between the tokens of sequences up to a length.
pub(crate) type DistanceSlots = Box<dyn Fn(usize) -> Vec<u32> + Send + Sync>;

/// A network's parts, from which it is built by kernels or by candle's operations.
pub(crate) struct EncoderPlan<'n> {
    pub(crate) embeddings: EmbeddingPlan,
    /// By set of weights.
    pub(crate) layers: Vec<LayerPlan>,
    /// The sets of weights of the layers that are computed, in order.
    pub(crate) order: Vec<usize>,
    pub(crate) slots: Option<DistanceSlots>,
    pub(crate) relative: RelativeOf<'n>,
    pub(crate) convolution: Option<ConvPlan>,
    /// Rows of the position table.
    pub(crate) token_limit: Option<usize>,
    pub(crate) head: HeadPlan,
}

/// The head of a classifier, on the first token.
#[derive(Clone, Copy)]
pub(crate) struct HeadPlan {
    /// The name of its first layer.
    pub(crate) dense: &'static str,
    pub(crate) activation: Activation,
    /// The name of its output layer.
    pub(crate) output: &'static str,
    pub(crate) labels: usize,
}

impl LayerPlan {
    /// The weights of its queries, keys and values.
    pub(crate) fn projections(&self, weights: &Weights) -> Result<[Projection; 3]> {
        let (hidden, Heads { count, size }) = (self.hidden, self.heads);
        let name = |part: &str| format!("{}.{part}", self.name);
        let load = |part: &str| Projection::load(weights, &name(part), hidden, true);
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

/// The weights of a projection before they are packed.
pub(crate) struct Projection {
    /// (out, in)
    weight: Matrix,
    /// (out)
    bias: Tensor,
}

impl Projection {
    /// The layer `name.weight`, with `name.bias` if it has one.
    pub(crate) fn load(weights: &Weights, name: &str, hidden: usize, has_bias: bool) -> Result<Self> {
        let bias = if has_bias {
            weights.tensor(&format!("{name}.bias"), &[hidden])?
        } else {
            Tensor::zeros(hidden, DType::F32, &Device::Cpu)?
        };
        Ok(Self { weight: weights.matrix(&format!("{name}.weight"), [hidden, hidden])?, bias })
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
