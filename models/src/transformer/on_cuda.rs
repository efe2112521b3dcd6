//! The transformer layer on a GPU: the counterpart of `layer.rs`, with the same tensors and plan.

use candle_core::Tensor;
use veridic_kernels::cuda::{
    Attention, AttentionInputs, Cuda, Distances, Layout, Linear, Matrix, Norm, RelativePositions, ScoreHead,
    Table, activate, gather,
};
use veridic_kernels::{Activation, Queries};

use super::{LayerPlan, Projection};
use crate::error::Result;
use crate::weights::Weights;

pub(crate) struct CudaLayer {
    projections: Projections,
    hidden: usize,
    attention: Attention,
    attention_output: Linear,
    attention_norm: Norm,
    up: Linear,
    activation: Activation,
    down: Linear,
    norm: Norm,
}

/// Queries, keys and values of the hidden states.
enum Projections {
    /// For all tokens: one product, (hidden, 3 * hidden).
    Joint(Linear),
    /// Queries for first tokens, (hidden, hidden); keys and values for all, (hidden, 2 * hidden).
    FirstTokens { query: Linear, key_value: Linear },
}

impl CudaLayer {
    /// `relative` computes the layer's relative positions from its query and key projections.
    pub(crate) fn load(
        cuda: &Cuda,
        weights: &Weights,
        plan: &LayerPlan,
        relative: impl FnOnce(&Projection, &Projection) -> Result<Option<RelativePositions>>,
    ) -> Result<Self> {
        let LayerPlan { hidden, inner, names, .. } = *plan;
        let name = |part: &str| format!("{}.{part}", plan.name);
        let [query, key, value] = plan.projections(weights)?;
        let joined = |parts: &[&Projection]| -> Result<Linear> {
            let (weight, bias) = Projection::tensors(parts)?;
            Ok(Linear::new(cuda, &weight, Some(&bias))?)
        };
        let linear = |part: &str, inputs, outputs| cuda_linear(cuda, weights, &name(part), inputs, outputs);
        let norm = |part: &str| cuda_norm(cuda, weights, &name(part), hidden, plan.norm_epsilon);
        Ok(Self {
            attention: Attention {
                heads: plan.heads,
                scale: plan.scale,
                relative: relative(&query, &key)?,
                reach: None,
            },
            projections: match plan.queries {
                Queries::All => Projections::Joint(joined(&[&query, &key, &value])?),
                Queries::First => Projections::FirstTokens {
                    query: joined(&[&query])?,
                    key_value: joined(&[&key, &value])?,
                },
            },
            hidden,
            attention_output: linear(names.attention_output, hidden, hidden)?,
            attention_norm: norm(names.attention_norm)?,
            up: linear(names.up, hidden, inner)?,
            activation: plan.activation,
            down: linear(names.down, inner, hidden)?,
            norm: norm(names.norm)?,
        })
    }

    /// Whether it returns the states of first tokens only.
    pub(crate) fn returns_first_tokens(&self) -> bool {
        matches!(self.projections, Projections::FirstTokens { .. })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`, or `(sequences, hidden)` for first tokens.
    pub(crate) fn forward(
        &self,
        cuda: &Cuda,
        states: Matrix,
        layout: &Layout,
        distances: Option<&Distances>,
    ) -> Result<Matrix> {
        let hidden = self.hidden;
        let (context, residual) = match &self.projections {
            Projections::Joint(projection) => {
                let all = projection.forward(cuda, &states)?; // (tokens, 3 * hidden)
                let part = |index: usize| all.from_column(index * hidden);
                let inputs = AttentionInputs { query: part(0), key: part(1), value: part(2) };
                (self.attention.forward(cuda, inputs, layout, distances, Queries::All)?, states)
            }
            Projections::FirstTokens { query, key_value } => {
                let first = first_tokens(cuda, &states, layout)?; // (sequences, hidden)
                let queries = query.forward(cuda, &first)?;
                let all = key_value.forward(cuda, &states)?; // (tokens, 2 * hidden)
                let inputs = AttentionInputs {
                    query: queries.from_column(0),
                    key: all.from_column(0),
                    value: all.from_column(hidden),
                };
                (self.attention.forward(cuda, inputs, layout, distances, Queries::First)?, first)
            }
        };
        let attended = self.attention_output.forward(cuda, &context)?;
        let attended = self.attention_norm.of_sum(cuda, &[(&attended).into(), (&residual).into()])?;
        let inner = activate(cuda, &self.up.forward(cuda, &attended)?, self.activation)?; // (.., inner)
        let out = self.down.forward(cuda, &inner)?;
        Ok(self.norm.of_sum(cuda, &[(&out).into(), (&attended).into()])?)
    }
}

/// The state of each sequence's first token: `(tokens, hidden) -> (sequences, hidden)`.
pub(crate) fn first_tokens(cuda: &Cuda, states: &Matrix, layout: &Layout) -> Result<Matrix> {
    let firsts = layout.first_tokens();
    Ok(gather(cuda, &[Table { rows: states, indices: Some(&firsts) }])?)
}

/// The layer `name.weight`, `name.bias`.
pub(crate) fn cuda_linear(
    cuda: &Cuda,
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
) -> Result<Linear> {
    cuda_linear_of(cuda, weights, name, (inputs, outputs), true)
}

/// The layer `name.weight`, `(inputs, outputs)`, with `name.bias` if it has one.
pub(crate) fn cuda_linear_of(
    cuda: &Cuda,
    weights: &Weights,
    name: &str,
    (inputs, outputs): (usize, usize),
    has_bias: bool,
) -> Result<Linear> {
    let weight = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
    let bias = has_bias.then(|| weights.tensor(&format!("{name}.bias"), &[outputs])).transpose()?;
    Ok(Linear::new(cuda, &weight, bias.as_ref())?)
}

/// The layer norm `name.weight`, `name.bias` over `columns`.
pub(crate) fn cuda_norm(
    cuda: &Cuda,
    weights: &Weights,
    name: &str,
    columns: usize,
    epsilon: f64,
) -> Result<Norm> {
    let vector = |part: &str| weights.tensor(&format!("{name}.{part}"), &[columns]);
    Ok(Norm::new(cuda, &vector("weight")?, Some(&vector("bias")?), epsilon)?)
}

/// A classifier's head on first tokens: a layer, an activation, and scores in f32.
pub(crate) struct CudaHead {
    dense: Linear,
    activation: Activation,
    scores: ScoreHead,
}

impl CudaHead {
    /// The layers `dense` and `output` by name.
    pub(crate) fn load(
        cuda: &Cuda,
        weights: &Weights,
        (dense, activation, output): (&str, Activation, &str),
        (hidden, labels): (usize, usize),
    ) -> Result<Self> {
        let tensor = |part: &str, shape: &[usize]| -> Result<Tensor> {
            weights.tensor(&format!("{output}.{part}"), shape)
        };
        Ok(Self {
            dense: cuda_linear(cuda, weights, dense, hidden, hidden)?,
            activation,
            scores: ScoreHead::new(cuda, &tensor("weight", &[labels, hidden])?, &tensor("bias", &[labels])?)?,
        })
    }

    /// Starts the logits, `(sequences, hidden) -> (sequences, labels)`.
    pub(crate) fn forward(&self, cuda: &Cuda, first: &Matrix) -> Result<veridic_kernels::cuda::Download> {
        let pooled = activate(cuda, &self.dense.forward(cuda, first)?, self.activation)?;
        Ok(self.scores.forward(cuda, &pooled)?.download(cuda, self.scores.outputs())?)
    }
}
