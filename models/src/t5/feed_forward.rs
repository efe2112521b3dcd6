//! The feed-forward part of a layer: `x + down(act(up(norm(x))))`, or gated,
//! `x + down(act(gate(norm(x))) * up(norm(x)))` (Shazeer 2020).

use candle_core::Tensor;
use veridic_kernels::{Activation, Linear, Precision, RmsNorm};

use super::config::T5Config;
use super::parts::rms_norm;
use crate::error::Result;
use crate::transformer::unbiased_linear;
use crate::weights::Weights;

pub(super) struct FeedForward {
    norm: RmsNorm,
    activated: Linear,
    activation: Activation,
    /// The second projection of a gated part.
    multiplied: Option<Linear>,
    down: Linear,
}

impl FeedForward {
    /// `layer`: the name of the part, such as `encoder.block.0.layer.1`.
    pub(super) fn load(
        config: &T5Config,
        weights: &Weights,
        layer: &str,
        precision: Precision,
    ) -> Result<Self> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let part = |name: &str, inputs, outputs| {
            unbiased_linear(weights, &format!("{layer}.DenseReluDense.{name}"), inputs, outputs, precision)
        };
        let up = |name: &str| part(name, hidden, inner);
        let (activated, multiplied) =
            if config.gated { (up("wi_0")?, Some(up("wi_1")?)) } else { (up("wi")?, None) };
        Ok(Self {
            norm: rms_norm(weights, &format!("{layer}.layer_norm"), config)?,
            activated,
            activation: config.activation,
            multiplied,
            down: part("wo", inner, hidden)?,
        })
    }

    /// `(rows, hidden) -> (rows, hidden)`
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let normed = self.norm.forward(x)?;
        let mut inner = self.activated.forward_activated(&normed, self.activation)?; // (rows, inner)
        if let Some(multiplied) = &self.multiplied {
            inner = (inner * multiplied.forward(&normed)?)?;
        }
        Ok((x + self.down.forward(&inner)?)?)
    }
}
