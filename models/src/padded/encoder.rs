//! The encoder of BERT's family and DeBERTa on padded batches: embeddings, and layers of attention and feed-forward parts with
//! relative positions if the network has them.

use candle_core::{D, Tensor};
use candle_nn::{LayerNorm, Linear, Module};
use veridic_kernels::{Activation, Heads};

use super::batches::PaddedBatch;
use super::network::PaddedNetwork;
use super::parts::{Target, by_head, context, rows_of, scores};
use crate::error::Result;
use crate::transformer::{
    ConvPlan, DistanceSlots, EmbeddingPlan, EmbeddingTables, EncoderPlan, LayerPlan, Projection, Relative,
    Widening, position_rows,
};
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct PaddedEncoder {
    target: Target,
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// The layers that are computed, in order.
    order: Vec<usize>,
    slots: Option<DistanceSlots>,
    convolution: Option<Convolution>,
    token_limit: Option<usize>,
}

impl PaddedEncoder {
    pub(crate) fn load(plan: EncoderPlan<'_>, weights: &Weights, target: &Target) -> Result<Self> {
        let layer = |layer: &LayerPlan| {
            Layer::load(target, weights, layer, |query, key| (plan.relative)(layer, query, key))
        };
        Ok(Self {
            embeddings: Embeddings::load(&plan.embeddings, weights, target)?,
            layers: plan.layers.iter().map(layer).collect::<Result<_>>()?,
            order: plan.order,
            slots: plan.slots,
            convolution: plan
                .convolution
                .map(|conv| Convolution::load(&conv, weights, target))
                .transpose()?,
            token_limit: plan.token_limit,
            target: target.clone(),
        })
    }
}

impl PaddedEncoder {
    /// The states before the last layer and after it, each `(sequences, longest, hidden)`.
    pub(super) fn run(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let (mask, slots) =
            (self.target.mask(batch)?, self.slots.as_ref().map(|slots| slots(batch.shape().1)));
        let embedded = self.embeddings.forward(batch)?; // (sequences, longest, hidden)
        let (mut before, mut states) = (embedded.clone(), embedded.clone());
        for (place, layer) in self.order.iter().enumerate() {
            before = states;
            states = self.layers[*layer].forward(&before, &mask, slots.as_deref())?;
            if let (0, Some(convolution)) = (place, &self.convolution) {
                states = convolution.forward(&embedded, &states, batch)?;
            }
        }
        Ok([before, states])
    }
}

impl PaddedNetwork<1> for PaddedEncoder {
    fn padding_id(&self) -> u32 {
        self.embeddings.padding_id.unwrap_or(0)
    }

    fn token_limit(&self) -> Option<usize> {
        self.token_limit
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 1]> {
        let [_, states] = self.run(batch)?;
        Ok([states])
    }
}

/// From token ids to the first states: the sum of tables, normed, projected before or after the norm.
struct Embeddings {
    words: Tensor,
    positions: Option<Tensor>,
    types: Option<Tensor>,
    padding_id: Option<u32>,
    before_norm: Option<Linear>,
    norm: LayerNorm,
    after_norm: Option<Linear>,
}

impl Embeddings {
    fn load(plan: &EmbeddingPlan, weights: &Weights, target: &Target) -> Result<Self> {
        let EmbeddingTables { words, positions, types } = plan.tables(weights)?;
        let placed = |table: Option<Tensor>| table.map(|table| target.place(&table)).transpose();
        let projection =
            |name: &str, has_bias| target.linear(weights, name, plan.width, plan.hidden, has_bias);
        let (before_norm, after_norm) = match plan.projection {
            Widening::None => (None, None),
            Widening::BeforeNorm(name) => (Some(projection(name, false)?), None),
            Widening::AfterNorm(name) => (None, Some(projection(name, true)?)),
        };
        let (norm, columns) = plan.norm();
        Ok(Self {
            words: target.place(&words.to_f32()?)?,
            positions: placed(positions)?,
            types: placed(types)?,
            padding_id: plan.padding_id,
            before_norm,
            norm: target.norm(weights, &norm, columns, plan.norm_epsilon, true)?,
            after_norm,
        })
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<Tensor> {
        let mut sum = rows_of(&self.words, batch.tokens.ids(), batch, "token id")?;
        if let Some(table) = &self.positions {
            sum = (sum + rows_of(table, &position_rows(self.padding_id, &batch.tokens), batch, "position")?)?;
        }
        if let Some(table) = &self.types {
            sum = (sum + rows_of(table, batch.tokens.types(), batch, "token type")?)?;
        }
        if let Some(projection) = &self.before_norm {
            sum = projection.forward(&sum)?;
        }
        let normed = self.norm.forward(&sum)?;
        Ok(match &self.after_norm {
            Some(projection) => projection.forward(&normed)?,
            None => normed,
        })
    }
}

impl Relative {
    /// The same on a target, with terms of `(heads, size, slots)`.
    fn placed(self, target: &Target) -> Result<Self> {
        let placed = |term: Option<Tensor>| {
            term.map(|term| target.place(&term.transpose(1, 2)?.contiguous()?)).transpose()
        };
        Ok(match self {
            Self::Bias(bias) => Self::Bias(target.place(&bias)?),
            Self::Terms { key, query } => Self::Terms { key: placed(key)?, query: placed(query)? },
        })
    }

    /// Adds the relative positions to `scores`. `slots`: the slots of all distances, query's position minus key's, from the
    /// smallest on.
    fn add(&self, scores: Tensor, query: &Tensor, key: &Tensor, slots: &[u32]) -> Result<Tensor> {
        let longest = scores.dim(3)?;
        let slot = |i: usize, j: usize| slots[i + longest - 1 - j];
        match self {
            Self::Bias(bias) => Ok(scores.broadcast_add(&bias_of_pairs(bias, slots)?)?),
            Self::Terms { key: to_position, query: from_position } => {
                let mut scores = scores;
                if let Some(term) = to_position {
                    let count = term.dim(2)? as u32;
                    let places = places(longest, |i, j| i as u32 * count + slot(i, j));
                    scores = (scores + picked(query, term, places)?)?;
                }
                if let Some(term) = from_position {
                    let count = term.dim(2)? as u32;
                    let places = places(longest, |i, j| j as u32 * count + slot(i, j));
                    scores = (scores + picked(key, term, places)?)?;
                }
                Ok(scores)
            }
        }
    }
}

/// The bias of all pairs of tokens, `(1, heads, longest, longest)`, from that of slots, `(heads, slots)`.
pub(super) fn bias_of_pairs(bias: &Tensor, slots: &[u32]) -> Result<Tensor> {
    let longest = slots.len().div_ceil(2);
    let places = places(longest, |i, j| slots[i + longest - 1 - j]);
    let bias = bias.index_select(&Tensor::new(places, bias.device())?, 1)?;
    Ok(bias.reshape((1, (), longest, longest))?)
}

/// The place of each pair of a query and a key.
fn places(longest: usize, place: impl Fn(usize, usize) -> u32) -> Vec<u32> {
    (0..longest * longest).map(|pair| place(pair / longest, pair % longest)).collect()
}

/// The products of contents and positions at the places of all pairs of tokens: `(sequences, heads, longest, longest)`.
fn picked(content: &Tensor, term: &Tensor, places: Vec<u32>) -> Result<Tensor> {
    let (sequences, heads, longest, _) = content.dims4()?;
    let products = content.broadcast_matmul(&term.unsqueeze(0)?)?; // (sequences, heads, longest, slots)
    let flat = products.reshape((sequences * heads, ()))?;
    let picked = flat.index_select(&Tensor::new(places, content.device())?, 1)?;
    Ok(picked.reshape((sequences, heads, longest, longest))?)
}

/// Attention and a feed-forward part, each followed by a residual layer norm.
struct Layer {
    /// Queries, keys and values: (hidden, 3 * hidden).
    projection: Linear,
    heads: Heads,
    scale: f64,
    relative: Option<Relative>,
    attention_output: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    activation: Activation,
    down: Linear,
    norm: LayerNorm,
}

impl Layer {
    /// `relative` computes the layer's relative positions from its query and key projections.
    fn load(
        target: &Target,
        weights: &Weights,
        plan: &LayerPlan,
        relative: impl FnOnce(&Projection, &Projection) -> Result<Option<Relative>>,
    ) -> Result<Self> {
        let LayerPlan { hidden, inner, names, .. } = *plan;
        let name = |part: &str| format!("{}.{part}", plan.name);
        let [query, key, value] = plan.projections(weights)?;
        let (weight, bias) = Projection::stacked(&[&query, &key, &value])?;
        let linear = |part: &str, inputs, outputs| target.linear(weights, &name(part), inputs, outputs, true);
        let norm = |part: &str| target.norm(weights, &name(part), hidden, plan.norm_epsilon, true);
        Ok(Self {
            projection: target.layer(&weight, Some(&bias))?,
            heads: plan.heads,
            scale: f64::from(plan.scale),
            relative: relative(&query, &key)?.map(|relative| relative.placed(target)).transpose()?,
            attention_output: linear(names.attention_output, hidden, hidden)?,
            attention_norm: norm(names.attention_norm)?,
            up: linear(names.up, hidden, inner)?,
            activation: plan.activation,
            down: linear(names.down, inner, hidden)?,
            norm: norm(names.norm)?,
        })
    }

    /// `(sequences, longest, hidden) -> (sequences, longest, hidden)`
    fn forward(&self, states: &Tensor, mask: &Tensor, slots: Option<&[u32]>) -> Result<Tensor> {
        let [query, key, value] = by_head(&self.projection.forward(states)?, self.heads)?;
        let mut all = scores(&query, &key)?;
        if let (Some(relative), Some(slots)) = (&self.relative, slots) {
            all = relative.add(all, &query, &key, slots)?;
        }
        let context = context(&(all * self.scale)?, mask, &value)?;
        let attended = self.attention_norm.forward(&(self.attention_output.forward(&context)? + states)?)?;
        let inner = self.activation.apply(&self.up.forward(&attended)?)?;
        Ok(self.norm.forward(&(self.down.forward(&inner)? + &attended)?)?)
    }
}

/// The convolution parallel to the first layer (deberta-v2-xlarge).
struct Convolution {
    /// (hidden, hidden / groups, kernel)
    weight: Tensor,
    /// (hidden)
    bias: Tensor,
    groups: usize,
    activation: Activation,
    norm: LayerNorm,
}

impl Convolution {
    fn load(plan: &ConvPlan, weights: &Weights, target: &Target) -> Result<Self> {
        let [weight, bias] = plan.tensors(weights)?;
        Ok(Self {
            weight: target.place(&weight)?,
            bias: target.place(&bias)?,
            groups: plan.groups,
            activation: plan.activation,
            norm: target.norm(weights, &plan.norm(), plan.hidden, plan.norm_epsilon, true)?,
        })
    }

    fn forward(&self, embedded: &Tensor, states: &Tensor, batch: &PaddedBatch) -> Result<Tensor> {
        let (sequences, longest) = batch.shape();
        let of_row = |&length: &usize| (0..longest).map(move |token| f32::from(u8::from(token < length)));
        let kept: Vec<f32> = batch.lengths.iter().flat_map(of_row).collect();
        let kept =
            Tensor::from_vec(kept, (sequences, longest, 1), embedded.device())?.to_dtype(embedded.dtype())?;
        let channels = embedded.broadcast_mul(&kept)?.transpose(1, 2)?.contiguous()?; // (sequences, hidden, longest)
        let padding = (self.weight.dim(D::Minus1)? - 1) / 2;
        let convolved = channels.conv1d(&self.weight, padding, 1, 1, self.groups)?.transpose(1, 2)?;
        let convolved = self.activation.apply(&convolved.contiguous()?.broadcast_add(&self.bias)?)?;
        Ok(self.norm.forward(&(convolved + states)?)?)
    }
}
