//! The transformer layer by candle's own operations, for devices that we have no kernels for: the twin of `layer.rs`, over
//! the same tensors by the same plan. Plain: sequences are attended to one after the other, with every score in memory.

use candle_core::{D, Device, Tensor};
use veridic_kernels::{Activation, Heads};

use super::{LayerPlan, Projection};
use crate::error::Result;
use crate::weights::Weights;

pub(crate) struct CandleLayer {
    query: CandleLinear,
    key: CandleLinear,
    value: CandleLinear,
    heads: Heads,
    scale: f64,
    relative: CandleRelative,
    attention_output: CandleLinear,
    attention_norm: CandleNorm,
    up: CandleLinear,
    activation: Activation,
    down: CandleLinear,
    norm: CandleNorm,
}

/// Projected relative positions, content to position and position to content: `(heads, slots, head size)` each; and a
/// number for each slot, whatever the content: `(heads, slots)`.
#[derive(Default)]
pub(crate) struct CandleRelative {
    pub(crate) key: Option<Tensor>,
    pub(crate) query: Option<Tensor>,
    pub(crate) bias: Option<Tensor>,
}

/// The slots of a sequence's distances: `(tokens, tokens)`, for queries and keys, and for keys and queries.
pub(crate) struct SlotTables {
    by_query: Tensor,
    by_key: Tensor,
}

impl SlotTables {
    /// `slot`: of the distance query position minus key position.
    pub(crate) fn new(device: &Device, tokens: usize, slot: impl Fn(i64) -> u32) -> Result<Self> {
        let table = |distance: fn(i64, i64) -> i64| -> Result<Tensor> {
            let places = 0..tokens as i64;
            let slots: Vec<u32> = places
                .clone()
                .flat_map(|row| places.clone().map(move |column| (row, column)))
                .map(|(row, column)| slot(distance(row, column)))
                .collect();
            Ok(Tensor::from_vec(slots, (1, tokens, tokens), device)?)
        };
        Ok(Self { by_query: table(|query, key| query - key)?, by_key: table(|key, query| query - key)? })
    }
}

impl CandleLayer {
    /// `relative` makes the layer's relative positions of its query and key projections.
    pub(crate) fn load(
        device: &Device,
        weights: &Weights,
        plan: &LayerPlan,
        relative: impl FnOnce(&Projection, &Projection) -> Result<CandleRelative>,
    ) -> Result<Self> {
        let LayerPlan { hidden, inner, names, .. } = *plan;
        let name = |part: &str| format!("{}.{part}", plan.name);
        let [query, key, value] = plan.projections(weights)?;
        let relative = relative(&query, &key)?;
        let projected = |part: &Projection| -> Result<CandleLinear> {
            let (weight, bias) = Projection::tensors(&[part])?;
            CandleLinear::new(device, &weight, Some(&bias))
        };
        let linear =
            |part: &str, inputs, outputs| CandleLinear::load(device, weights, &name(part), inputs, outputs);
        let norm = |part: &str| CandleNorm::load(device, weights, &name(part), hidden, plan.norm_epsilon);
        Ok(Self {
            query: projected(&query)?,
            key: projected(&key)?,
            value: projected(&value)?,
            heads: plan.heads,
            scale: f64::from(plan.scale),
            relative: CandleRelative {
                key: relative.key.map(|tensor| tensor.to_device(device)).transpose()?,
                query: relative.query.map(|tensor| tensor.to_device(device)).transpose()?,
                bias: relative.bias.map(|tensor| tensor.to_device(device)).transpose()?,
            },
            attention_output: linear(names.attention_output, hidden, hidden)?,
            attention_norm: norm(names.attention_norm)?,
            up: linear(names.up, hidden, inner)?,
            activation: plan.activation,
            down: linear(names.down, inner, hidden)?,
            norm: norm(names.norm)?,
        })
    }

    /// `(tokens, hidden) -> (tokens, hidden)`; `slots` of each sequence, where there are relative positions.
    pub(crate) fn forward(
        &self,
        states: &Tensor,
        offsets: &[usize],
        slots: &[Option<SlotTables>],
    ) -> Result<Tensor> {
        let [query, key, value] =
            [&self.query, &self.key, &self.value].map(|projection| projection.forward(states));
        let (query, key, value) = (query?, key?, value?); // (tokens, hidden)
        let mut contexts = Vec::with_capacity(slots.len());
        for (bounds, slots) in offsets.windows(2).zip(slots) {
            let part = |all: &Tensor| self.by_head(&all.narrow(0, bounds[0], bounds[1] - bounds[0])?);
            contexts.push(self.attend(&part(&query)?, &part(&key)?, &part(&value)?, slots.as_ref())?);
        }
        let context = Tensor::cat(&contexts, 0)?; // (tokens, hidden)
        let attended = self.attention_norm.forward(&(self.attention_output.forward(&context)? + states)?)?;
        let inner = activated(&self.up.forward(&attended)?, self.activation)?; // (tokens, inner)
        self.norm.forward(&(self.down.forward(&inner)? + &attended)?)
    }

    /// `(tokens, hidden) -> (heads, tokens, head size)`
    fn by_head(&self, states: &Tensor) -> Result<Tensor> {
        let cut = states.reshape(((), self.heads.count, self.heads.size))?;
        Ok(cut.transpose(0, 1)?.contiguous()?)
    }

    /// One sequence's context, `(tokens, hidden)`, of its parts by head.
    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        slots: Option<&SlotTables>,
    ) -> Result<Tensor> {
        let mut scores = query.matmul(&key.t()?)?; // (heads, queries, keys)
        if let (Some(slots), Some(positions)) = (slots, &self.relative.key) {
            scores = (scores + at_slots(query, positions, &slots.by_query)?)?;
        }
        if let (Some(slots), Some(positions)) = (slots, &self.relative.query) {
            scores = (scores + at_slots(key, positions, &slots.by_key)?.t()?)?;
        }
        if let (Some(slots), Some(bias)) = (slots, &self.relative.bias) {
            let (_, queries, keys) = scores.dims3()?;
            let all = bias.index_select(&slots.by_query.flatten_all()?, 1)?; // (heads, queries * keys)
            scores = (scores + all.reshape((self.heads.count, queries, keys))?)?;
        }
        let scores = (scores * self.scale)?;
        let shares = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
        let shares = shares.broadcast_div(&shares.sum_keepdim(D::Minus1)?)?;
        let context = shares.matmul(value)?; // (heads, queries, head size)
        Ok(context.transpose(0, 1)?.flatten_from(1)?)
    }
}

/// Products with all slots' positions, of which each row takes those of its distances: `(heads, tokens, tokens)`.
fn at_slots(content: &Tensor, positions: &Tensor, slots: &Tensor) -> Result<Tensor> {
    let products = content.matmul(&positions.t()?)?; // (heads, tokens, slots)
    let (heads, tokens, _) = products.dims3()?;
    Ok(products.gather(&slots.broadcast_as((heads, tokens, tokens))?.contiguous()?, 2)?)
}

/// A product with a weight, and a bias.
pub(crate) struct CandleLinear {
    /// (in, out)
    weight: Tensor,
    /// (out)
    bias: Option<Tensor>,
}

impl CandleLinear {
    /// `weight`: `(out, in)`.
    pub(crate) fn new(device: &Device, weight: &Tensor, bias: Option<&Tensor>) -> Result<Self> {
        Ok(Self {
            weight: weight.t()?.contiguous()?.to_device(device)?,
            bias: bias.map(|bias| bias.to_device(device)).transpose()?,
        })
    }

    /// The layer `name.weight`, `name.bias`.
    pub(crate) fn load(
        device: &Device,
        weights: &Weights,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self> {
        let weight = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        let bias = weights.tensor(&format!("{name}.bias"), &[outputs])?;
        Self::new(device, &weight, Some(&bias))
    }

    /// `(rows, in) -> (rows, out)`
    pub(crate) fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let product = states.matmul(&self.weight)?;
        Ok(match &self.bias {
            Some(bias) => product.broadcast_add(bias)?,
            None => product,
        })
    }
}

/// A layer norm over columns (Ba, Kiros, Hinton 2016).
pub(crate) struct CandleNorm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl CandleNorm {
    /// The layer norm `name.weight`, `name.bias` over `columns`.
    pub(crate) fn load(
        device: &Device,
        weights: &Weights,
        name: &str,
        columns: usize,
        epsilon: f64,
    ) -> Result<Self> {
        let vector = |part: &str| -> Result<Tensor> {
            Ok(weights.tensor(&format!("{name}.{part}"), &[columns])?.to_device(device)?)
        };
        Ok(Self { weight: vector("weight")?, bias: vector("bias")?, epsilon })
    }

    /// `(rows, columns) -> (rows, columns)`
    pub(crate) fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let centred = states.broadcast_sub(&states.mean_keepdim(D::Minus1)?)?;
        let deviation = (centred.sqr()?.mean_keepdim(D::Minus1)? + self.epsilon)?.sqrt()?;
        Ok(centred.broadcast_div(&deviation)?.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)?)
    }
}

/// A classifier's head on first tokens: a layer, a function, and scores.
pub(crate) struct CandleHead {
    dense: CandleLinear,
    activation: Activation,
    scores: CandleLinear,
}

impl CandleHead {
    /// The layers `dense` and `output` by name.
    pub(crate) fn load(
        device: &Device,
        weights: &Weights,
        (dense, activation, output): (&str, Activation, &str),
        (hidden, labels): (usize, usize),
    ) -> Result<Self> {
        Ok(Self {
            dense: CandleLinear::load(device, weights, dense, hidden, hidden)?,
            activation,
            scores: CandleLinear::load(device, weights, output, hidden, labels)?,
        })
    }

    /// `(sequences, hidden) -> (sequences, labels)`
    pub(crate) fn forward(&self, first: &Tensor) -> Result<Tensor> {
        self.scores.forward(&activated(&self.dense.forward(first)?, self.activation)?)
    }
}

fn activated(states: &Tensor, activation: Activation) -> Result<Tensor> {
    Ok(match activation {
        Activation::Gelu => states.gelu_erf()?,
        Activation::GeluTanh => states.gelu()?,
        Activation::Relu => states.relu()?,
        Activation::Silu => states.silu()?,
        Activation::Tanh => states.tanh()?,
    })
}

/// Rows of a table on the device: `(rows, columns) -> (indices, columns)`. `what` is named in errors.
pub(crate) fn candle_pick(table: &Tensor, indices: &[u32], what: &'static str) -> Result<Tensor> {
    crate::tables::check_ids(table.dim(0)?, indices, what)?;
    Ok(table.index_select(&Tensor::new(indices, table.device())?, 0)?)
}
