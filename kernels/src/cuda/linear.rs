//! `y = x W^T + b` on a GPU, by cuBLASLt: 16-bit weights and rows, sums in f32.

use candle_core::Tensor;

use super::device::{Cuda, Matrix};
use super::driver::{Operands, Plan, ProductShape};
use super::error::{CudaError, Result};

/// A linear layer.
pub struct Linear {
    /// (outputs, inputs)
    weight: Matrix,
    /// (1, outputs)
    bias: Option<Matrix>,
    plan: Plan,
}

impl Linear {
    /// `weight`: `(outputs, inputs)` as checkpoints store it, `bias`: `(outputs)`.
    ///
    /// # Errors
    /// When they do not fit together, or there is no algorithm or memory for them.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>) -> Result<Self> {
        let (outputs, inputs) = weight.dims2()?;
        if bias.is_some_and(|bias| bias.dims() != [outputs]) {
            return Err(CudaError::Shape(format!(
                "a linear layer of {outputs} outputs was given other biases"
            )));
        }
        let shape = ProductShape { inputs, outputs, has_bias: bias.is_some(), numbers: cuda.numbers() };
        Ok(Self {
            plan: cuda.driver().plan(shape)?,
            weight: cuda.upload(weight)?,
            bias: bias.map(|bias| cuda.upload(bias)).transpose()?,
        })
    }

    /// `(rows, inputs) -> (rows, outputs)`.
    ///
    /// # Errors
    /// When the columns of `x` are not the layer's inputs, or the GPU fails.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Matrix> {
        let ((rows, columns), (outputs, inputs)) = (x.shape(), self.weight.shape());
        if columns != inputs {
            return Err(CudaError::Shape(format!(
                "a layer of {inputs} inputs was given {rows} rows of {columns}"
            )));
        }
        let out = cuda.matrix(rows, outputs)?;
        let bias = self.bias.as_ref().map_or(0, Matrix::address);
        let (weight, x) = (self.weight.address(), x.address());
        let operands = Operands { weight, bias, x, out: out.address(), rows };
        if rows > 0 {
            // SAFETY: all matrices have the shapes that the plan was made for, and live on after this call.
            unsafe { cuda.driver().multiply(&self.plan, &operands)? };
        }
        Ok(out)
    }
}
