//! The parts that encoder and decoder share: linear layers without biases, norms and feed-forward parts.

use candle_core::Tensor;
use candle_nn::{Linear, Module, RmsNorm};

use crate::error::Result;
use crate::padded::parts::Target;
use crate::t5::T5Config;
use crate::weights::{Matrix, Weights};

/// Loads the parts of a network.
pub(super) struct Parts<'a> {
    pub(super) config: &'a T5Config,
    pub(super) weights: &'a Weights,
    pub(super) target: &'a Target,
}

impl Parts<'_> {
    pub(super) fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
        self.target.linear(self.weights, name, inputs, outputs, false)
    }

    /// Layers with the same inputs as one, outputs side by side.
    pub(super) fn joint(&self, names: &[String], inputs: usize, outputs: usize) -> Result<Linear> {
        let part = |name: &String| self.weights.matrix(&format!("{name}.weight"), [outputs, inputs]);
        let parts: Vec<Matrix> = names.iter().map(part).collect::<Result<_>>()?;
        self.target.layer(&Matrix::stacked(&parts.iter().collect::<Vec<_>>())?, None)
    }

    pub(super) fn norm(&self, name: &str) -> Result<RmsNorm> {
        let weight = self.weights.tensor(&format!("{name}.weight"), &[self.config.hidden_size])?;
        Ok(RmsNorm::new(self.target.place(&weight)?, self.config.norm_epsilon))
    }

    pub(super) fn feed_forward(&self, layer: &str) -> Result<FeedForward> {
        let (hidden, inner) = (self.config.hidden_size, self.config.intermediate_size);
        let up = |name: &str| self.linear(&format!("{layer}.DenseReluDense.{name}"), hidden, inner);
        let (activated, multiplied) =
            if self.config.gated { (up("wi_0")?, Some(up("wi_1")?)) } else { (up("wi")?, None) };
        Ok(FeedForward {
            norm: self.norm(&format!("{layer}.layer_norm"))?,
            activated,
            multiplied,
            down: self.linear(&format!("{layer}.DenseReluDense.wo"), inner, hidden)?,
        })
    }
}

/// The feed-forward part of a layer.
pub(super) struct FeedForward {
    norm: RmsNorm,
    activated: Linear,
    multiplied: Option<Linear>,
    down: Linear,
}

impl FeedForward {
    pub(super) fn forward(&self, config: &T5Config, x: &Tensor) -> Result<Tensor> {
        let normed = self.norm.forward(x)?;
        let mut inner = config.activation.apply(&self.activated.forward(&normed)?)?;
        if let Some(multiplied) = &self.multiplied {
            inner = (inner * multiplied.forward(&normed)?)?;
        }
        Ok((x + self.down.forward(&inner)?)?)
    }
}
