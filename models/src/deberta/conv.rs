//! The convolution of deberta-v2-xlarge: parallel to the first layer, over the embeddings, added to that layer's output
//! and normed (`ConvLayer` in `transformers`).

use candle_core::Tensor;
use veridic_kernels::{Activation, LayerNorm};

use super::config::{ConvConfig, DebertaConfig};
use crate::error::Result;
use crate::transformer::layer_norm;
use crate::weights::Weights;

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

impl Conv {
    pub(super) fn load(config: &DebertaConfig, conv: &ConvConfig, weights: &Weights) -> Result<Self> {
        let hidden = config.hidden_size;
        let shape = [hidden, hidden / conv.groups, conv.kernel_size];
        Ok(Self {
            weight: weights.tensor("deberta.encoder.conv.conv.weight", &shape)?,
            bias: weights.tensor("deberta.encoder.conv.conv.bias", &[hidden])?.reshape((1, hidden, 1))?,
            groups: conv.groups,
            padding: (conv.kernel_size - 1) / 2,
            activation: conv.activation,
            norm: layer_norm(weights, "deberta.encoder.conv.LayerNorm", hidden, config.layer_norm_epsilon)?,
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
