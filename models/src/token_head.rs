//! Finds the tokens of a hypothesis that its premise does not support, by a second, linear head that a checkpoint may
//! have. It reads the states before the last layer, since the last layer computes first tokens only.

#[cfg(feature = "candle")]
use candle_core::DType;
use candle_core::Tensor;

use crate::error::{ModelError, Result};
use crate::weights::Weights;

const WEIGHT: &str = "token_head.weight";
const BIAS: &str = "token_head.bias";

/// The head's weights.
pub(crate) struct TokenHead {
    /// (hidden)
    weight: Vec<f32>,
    bias: f32,
}

impl TokenHead {
    /// The checkpoint's head, if it has one; `hidden`: columns of the states.
    ///
    /// # Errors
    /// When its weights have another width.
    pub(crate) fn load(weights: &Weights, hidden: usize) -> Result<Option<Self>> {
        if !weights.has(WEIGHT) {
            return Ok(None);
        }
        let weight = weights.tensor(WEIGHT, &[1, hidden])?.flatten_all()?.to_vec1()?;
        let bias = weights.tensor(BIAS, &[1])?.to_vec1::<f32>()?[0];
        Ok(Some(Self { weight, bias }))
    }

    /// The logit of each token, (tokens), from `states`, `(tokens, hidden)`.
    pub(crate) fn logits(&self, states: &Tensor) -> Result<Vec<f64>> {
        let of = |state: &[f32]| {
            let products = state.iter().zip(&self.weight).map(|(x, w)| f64::from(*x) * f64::from(*w));
            products.sum::<f64>() + f64::from(self.bias)
        };
        Ok(states.flatten_all()?.to_vec1()?.chunks_exact(self.weight.len()).map(of).collect())
    }

    /// The same by candle's operations, `(..., tokens, 1)` in f32 from `(..., tokens, hidden)`.
    #[cfg(feature = "candle")]
    pub(crate) fn on_device(&self, states: &Tensor) -> Result<Tensor> {
        let weight = Tensor::new(&self.weight[..], states.device())?.unsqueeze(1)?;
        Ok((states.to_dtype(DType::F32)?.broadcast_matmul(&weight)? + f64::from(self.bias))?)
    }
}

/// The probabilities that the tokens of a sequence are not supported, from their logits.
///
/// # Errors
/// [`ModelError::NotFinite`] with `file` and `sequence` when one is not a finite number.
pub(crate) fn unsupported(logits: &[f64], file: &str, sequence: usize) -> Result<Vec<f32>> {
    let probabilities: Vec<f32> = logits.iter().map(|logit| (1.0 / (1.0 + (-logit).exp())) as f32).collect();
    if probabilities.iter().all(|probability| probability.is_finite()) {
        Ok(probabilities)
    } else {
        Err(ModelError::NotFinite { file: file.to_owned(), sequence })
    }
}
