//! Finds the tokens of a hypothesis that its premise does not support, by a second, linear head that a checkpoint may
//! have. It reads the states before the last layer, since the last layer computes first tokens only.

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

    /// For each token of `states`, `(tokens, hidden)` row by row, the probability that it is not supported.
    ///
    /// # Errors
    /// [`ModelError::NotFinite`] with `file` and `sequence` when one is not a finite number.
    pub(crate) fn probabilities(&self, states: &[f32], file: &str, sequence: usize) -> Result<Vec<f32>> {
        let of = |state: &[f32]| {
            let products = state.iter().zip(&self.weight).map(|(x, w)| f64::from(*x) * f64::from(*w));
            let logit = products.sum::<f64>() + f64::from(self.bias);
            (1.0 / (1.0 + (-logit).exp())) as f32
        };
        let probabilities: Vec<f32> = states.chunks_exact(self.weight.len()).map(of).collect();
        if probabilities.iter().all(|probability| probability.is_finite()) {
            Ok(probabilities)
        } else {
            Err(ModelError::NotFinite { file: file.to_owned(), sequence })
        }
    }
}
