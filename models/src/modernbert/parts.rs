//! Linear layers and norms by the names of their tensors, with biases or without them, as the configuration says.

use candle_core::{DType, Device, Tensor};
use veridic_kernels::{LayerNorm, Linear, Precision};

use super::config::ModernBertConfig;
use crate::error::Result;
use crate::transformer;
use crate::weights::Weights;

/// The layer `name.weight`, with `name.bias` if it has one.
pub(super) fn linear(
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
    has_bias: bool,
    precision: Precision,
) -> Result<Linear> {
    let load = if has_bias { transformer::linear } else { transformer::unbiased_linear };
    load(weights, name, inputs, outputs, precision)
}

/// The norm `name.weight`, `name.bias`; the bias is 0 if the configuration has none.
pub(super) fn norm(config: &ModernBertConfig, weights: &Weights, name: &str) -> Result<LayerNorm> {
    let shape = [config.hidden_size];
    let weight = weights.tensor(&format!("{name}.weight"), &shape)?;
    let bias = if config.norm_bias {
        weights.tensor(&format!("{name}.bias"), &shape)?
    } else {
        Tensor::zeros(&shape, DType::F32, &Device::Cpu)?
    };
    Ok(LayerNorm::new(&weight, &bias, config.norm_epsilon)?)
}
