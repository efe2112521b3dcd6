//! The parts of encoder and decoder: layers without biases, norms, and the feed-forward part (the counterpart of
//! `t5/feed_forward.rs`).

use candle_core::Tensor;
use veridic_kernels::Activation;
use veridic_kernels::cuda::{Cuda, Linear, Norm, activate, gated};

use super::super::{T5Config, joint_weight};
use super::STREAM_SCALE;
use crate::error::Result;
use crate::transformer::ResidualStream;
use crate::weights::Weights;

/// Several layers with the same inputs as one, outputs side by side.
pub(super) fn linear(
    cuda: &Cuda,
    weights: &Weights,
    names: &[String],
    (inputs, outputs): (usize, usize),
) -> Result<Linear> {
    Ok(Linear::new(cuda, &joint_weight(weights, names, inputs, outputs)?, None)?)
}

/// The layer `name`, whose output is added to the residual stream.
pub(super) fn added_linear(
    cuda: &Cuda,
    weights: &Weights,
    name: &str,
    (inputs, outputs): (usize, usize),
) -> Result<Linear> {
    let weight: Tensor = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
    Ok(Linear::new(cuda, &(weight * STREAM_SCALE)?, None)?)
}

/// The norm `name.weight` of the residual stream.
pub(super) fn norm(cuda: &Cuda, weights: &Weights, name: &str, config: &T5Config) -> Result<Norm> {
    let weight = weights.tensor(&format!("{name}.weight"), &[config.hidden_size])?;
    Ok(Norm::new(cuda, &weight, None, config.norm_epsilon * STREAM_SCALE * STREAM_SCALE)?)
}

pub(super) struct FeedForward {
    norm: Norm,
    /// (hidden, inner); of a gated part both projections, (hidden, 2 * inner).
    up: Linear,
    activation: Activation,
    is_gated: bool,
    down: Linear,
}

impl FeedForward {
    /// `layer`: the name of the part, such as `encoder.block.0.layer.1`.
    pub(super) fn load(cuda: &Cuda, config: &T5Config, weights: &Weights, layer: &str) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let names: &[&str] = if config.gated { &["wi_0", "wi_1"] } else { &["wi"] };
        let names: Vec<String> = names.iter().map(|name| format!("{layer}.DenseReluDense.{name}")).collect();
        Ok(Self {
            norm: norm(cuda, weights, &format!("{layer}.layer_norm"), config)?,
            up: linear(cuda, weights, &names, (hidden, inner))?,
            activation: config.activation,
            is_gated: config.gated,
            down: added_linear(cuda, weights, &format!("{layer}.DenseReluDense.wo"), (inner, hidden))?,
        })
    }

    /// Adds its output to the residual stream.
    pub(super) fn forward(&self, cuda: &Cuda, stream: &mut ResidualStream) -> Result<()> {
        let up = self.up.forward(cuda, &stream.normed(cuda, &self.norm)?)?;
        let inner = match self.is_gated {
            true => gated(cuda, &up, self.activation)?,
            false => activate(cuda, &up, self.activation)?,
        };
        stream.add(self.down.forward(cuda, &inner)?);
        Ok(())
    }
}
