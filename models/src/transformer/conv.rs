//! The convolution of deberta-v2-xlarge: parallel to the first layer, over the embeddings, added to that layer's output
//! and normed (`ConvLayer` in `transformers`).

use candle_core::Tensor;
use veridic_kernels::{Activation, LayerNorm};

use super::parts::layer_norm;
use crate::error::Result;
use crate::weights::Weights;

/// The names, sizes and arithmetic of a convolution.
pub(crate) struct ConvPlan {
    /// The prefix of its tensor names.
    pub(crate) name: &'static str,
    pub(crate) hidden: usize,
    pub(crate) kernel_size: usize,
    /// Groups of channels.
    pub(crate) groups: usize,
    pub(crate) activation: Activation,
    pub(crate) norm_epsilon: f64,
}

pub(super) struct Conv {
    /// (hidden, hidden / groups, kernel)
    weight: Tensor,
    /// (1, hidden, 1)
    bias: Tensor,
    groups: usize,
    padding: usize,
    activation: Activation,
    norm: LayerNorm,
}

impl ConvPlan {
    /// The weight, `(hidden, hidden / groups, kernel)`, and the bias, `(hidden)`.
    pub(crate) fn tensors(&self, weights: &Weights) -> Result<[Tensor; 2]> {
        let Self { name, hidden, kernel_size, groups, .. } = *self;
        let shape = [hidden, hidden / groups, kernel_size];
        let bias = weights.tensor(&format!("{name}.conv.bias"), &[hidden])?;
        Ok([weights.tensor(&format!("{name}.conv.weight"), &shape)?, bias])
    }

    /// The name of its norm.
    pub(crate) fn norm(&self) -> String {
        format!("{}.LayerNorm", self.name)
    }
}

impl Conv {
    pub(super) fn load(plan: &ConvPlan, weights: &Weights) -> Result<Self> {
        let [weight, bias] = plan.tensors(weights)?;
        Ok(Self {
            weight,
            bias: bias.reshape((1, plan.hidden, 1))?,
            groups: plan.groups,
            padding: (plan.kernel_size - 1) / 2,
            activation: plan.activation,
            norm: layer_norm(weights, &plan.norm(), plan.hidden, plan.norm_epsilon)?,
        })
    }

    /// `embedded` and `states`: `(tokens, hidden)`; each sequence is convolved by itself.
    pub(super) fn forward(&self, embedded: &Tensor, states: &Tensor, offsets: &[usize]) -> Result<Tensor> {
        let convolved = offsets
            .windows(2)
            .filter(|o| o[1] > o[0])
            .map(|o| self.one_sequence(&embedded.narrow(0, o[0], o[1] - o[0])?))
            .collect::<Result<Vec<_>>>()?;
        let convolved = self.activation.apply(&Tensor::cat(&convolved, 0)?)?;
        Ok(self.norm.forward(&(convolved + states)?)?)
    }

    /// `(length, hidden) -> (length, hidden)`
    fn one_sequence(&self, x: &Tensor) -> Result<Tensor> {
        let channels = x.t()?.contiguous()?.unsqueeze(0)?; // (1, hidden, length)
        let y = channels.conv1d(&self.weight, self.padding, 1, 1, self.groups)?;
        Ok(y.broadcast_add(&self.bias)?.squeeze(0)?.t()?.contiguous()?)
    }
}
