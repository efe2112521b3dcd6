//! Layer normalisation (Ba, Kiros, Hinton 2016), row by row: `(x - mean) / sqrt(var + eps) * w + b`
//! with the biased variance.

use candle_core::{Result, Tensor};
use rayon::prelude::*;

use crate::host::with_values;

/// Rows are handed to threads in groups of this size.
const ROWS_A_TASK: usize = 64;

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
        Ok(Self {
            weight: with_values(weight, <[f32]>::to_vec)?,
            bias: with_values(bias, <[f32]>::to_vec)?,
            epsilon: epsilon as f32,
        })
    }

    /// `(rows, hidden) -> (rows, hidden)`.
    ///
    /// # Errors
    /// When `x` is not a contiguous f32 matrix with as many columns as there are weights.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let shape = x.dims2()?;
        let mut values = with_values(x, <[f32]>::to_vec)?;
        let hidden = self.weight.len();
        if shape.1 != hidden {
            return Err(candle_core::Error::Msg(format!(
                "layer norm over {hidden} columns was given {shape:?}"
            )));
        }
        values
            .par_chunks_mut(hidden * ROWS_A_TASK)
            .for_each(|rows| rows.chunks_mut(hidden).for_each(|row| self.row(row)));
        Tensor::from_vec(values, shape, x.device())
    }

    /// `forward(x + residual)`.
    ///
    /// # Errors
    /// As `forward`.
    pub fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        self.forward(&(x + residual)?)
    }

    fn row(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = row.iter().sum::<f32>() / count;
        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / count;
        let scale = 1.0 / (variance + self.epsilon).sqrt();
        for ((value, weight), bias) in row.iter_mut().zip(&self.weight).zip(&self.bias) {
            *value = (*value - mean) * scale * weight + bias;
        }
    }
}
