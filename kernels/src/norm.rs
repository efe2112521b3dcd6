//! Row-wise normalisation: layer norm (Ba, Kiros, Hinton 2016), `(x - mean) / sqrt(var + eps) * w + b` with the biased
//! variance, and RMS norm (Zhang, Sennrich 2019), `x / sqrt(mean(x^2) + eps) * w`.

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

use crate::functions::{layer_norm, rms_norm};
use crate::host::host_values;
use crate::isa::{Isa, vectorised};

/// Rows of one parallel task.
const ROWS_PER_TASK: usize = 64;

/// A layer norm with its weights.
#[derive(Debug, Clone)]
pub struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl LayerNorm {
    /// `weight` and `bias`: `(hidden)`.
    ///
    /// # Errors
    /// When the weights are not contiguous f32 vectors in host memory.
    pub fn new(weight: &Tensor, bias: &Tensor, epsilon: f64) -> Result<Self> {
        let (weight, bias) = (host_values(weight)?.to_vec(), host_values(bias)?.to_vec());
        if weight.is_empty() || weight.len() != bias.len() {
            let (weights, biases) = (weight.len(), bias.len());
            return Err(Error::Msg(format!("a layer norm was given {weights} weights and {biases} biases")));
        }
        Ok(Self { weight, bias, epsilon: epsilon as f32 })
    }

    /// Number of columns.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.weight.len()
    }

    /// `(rows, hidden) -> (rows, hidden)`.
    ///
    /// # Errors
    /// When `x` is not a contiguous f32 matrix with as many columns as there are weights.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        normalised(x, self.weight.len(), |row| self.row(row))
    }

    /// Normalises a row in place.
    pub(crate) fn row(&self, row: &mut [f32]) {
        vectorised!(Isa::best(), layer_norm(row, &self.weight, &self.bias, self.epsilon));
    }
}

/// An RMS norm with its weights.
#[derive(Debug, Clone)]
pub struct RmsNorm {
    weight: Vec<f32>,
    epsilon: f32,
}

impl RmsNorm {
    /// `weight`: `(hidden)`.
    ///
    /// # Errors
    /// When the weights are not a contiguous f32 vector in host memory.
    pub fn new(weight: &Tensor, epsilon: f64) -> Result<Self> {
        let weight = host_values(weight)?.to_vec();
        if weight.is_empty() {
            return Err(Error::Msg("an RMS norm was given no weights".into()));
        }
        Ok(Self { weight, epsilon: epsilon as f32 })
    }

    /// `(rows, hidden) -> (rows, hidden)`.
    ///
    /// # Errors
    /// When `x` is not a contiguous f32 matrix with as many columns as there are weights.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        normalised(x, self.weight.len(), |row| {
            vectorised!(Isa::best(), rms_norm(row, &self.weight, self.epsilon))
        })
    }
}

/// The rows of `x`, each normalised by `normalise`.
fn normalised(x: &Tensor, hidden: usize, normalise: impl Fn(&mut [f32]) + Sync) -> Result<Tensor> {
    let shape = x.dims2()?;
    if shape.1 != hidden {
        return Err(Error::Msg(format!(
            "a norm over {hidden} columns was given a matrix of shape {shape:?}"
        )));
    }
    let mut values = host_values(x)?.to_vec();
    let tasks = values.par_chunks_mut(hidden * ROWS_PER_TASK);
    tasks.for_each(|rows| rows.chunks_exact_mut(hidden).for_each(&normalise));
    Tensor::from_vec(values, shape, x.device())
}
