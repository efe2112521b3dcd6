//! What BERT-like encoders share: a layer of attention and feed-forward parts, and reading their plain
//! parts by name. Which tensors, which positions and which head is each network's decision.

mod buckets;
mod layer;
mod on_candle;
#[cfg(feature = "cuda")]
mod on_cuda;

use candle_core::Tensor;
use veridic_kernels::{LayerNorm, Linear, Precision};

pub(crate) use buckets::DistanceBuckets;
pub(crate) use layer::{Layer, LayerNames, LayerPlan, Projection, load_layers};
pub(crate) use on_candle::{
    CandleHead, CandleLayer, CandleLinear, CandleNorm, CandleRelative, SlotTables, candle_pick,
};
#[cfg(feature = "cuda")]
pub(crate) use on_cuda::{CudaHead, CudaLayer, cuda_linear, cuda_norm, first_tokens as cuda_first_tokens};

use crate::error::Result;
use crate::weights::{Matrix, Weights};

/// The layer `name.weight`, `name.bias`.
pub(crate) fn linear(
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
    precision: Precision,
) -> Result<Linear> {
    let weight = weights.matrix(&format!("{name}.weight"), [outputs, inputs])?;
    let bias = weights.tensor(&format!("{name}.bias"), &[outputs])?;
    packed_linear(&weight, &bias, precision)
}

/// A layer of these weights: 8-bit rows are what they are where products are in 8 bits.
fn packed_linear(weight: &Matrix, bias: &Tensor, precision: Precision) -> Result<Linear> {
    Ok(match weight.rows8().filter(|_| precision == Precision::Int8) {
        Some(rows) => Linear::of_rows8(&rows.integers(), rows.scales(), Some(bias))?,
        None => Linear::in_precision(&weight.wide()?, Some(bias), precision)?,
    })
}

/// The layer norm `name.weight`, `name.bias` over `columns`.
pub(crate) fn layer_norm(weights: &Weights, name: &str, columns: usize, epsilon: f64) -> Result<LayerNorm> {
    let vector = |part: &str| weights.tensor(&format!("{name}.{part}"), &[columns]);
    Ok(LayerNorm::new(&vector("weight")?, &vector("bias")?, epsilon)?)
}

/// The state of each sequence's first token: `(tokens, hidden) -> (sequences, hidden)`.
pub(crate) fn first_tokens(states: &Tensor, offsets: &[usize]) -> Result<Tensor> {
    let starts: Vec<u32> = offsets[..offsets.len() - 1].iter().map(|&start| start as u32).collect();
    Ok(states.index_select(&Tensor::new(starts, states.device())?, 0)?)
}
