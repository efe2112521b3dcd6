//! `y = x W^T + b` on a GPU, by cuBLASLt: 16-bit weights and rows, sums in f32.

use candle_core::Tensor;

use super::device::{Cuda, Matrix, Vector};
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
        Self::of(cuda, weight, bias, false)
    }

    fn of(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>, is_wide: bool) -> Result<Self> {
        let (outputs, inputs) = weight.dims2()?;
        if bias.is_some_and(|bias| bias.dims() != [outputs]) {
            return Err(CudaError::Shape(format!(
                "a linear layer of {outputs} outputs was given other biases"
            )));
        }
        let (has_bias, dtype) = (bias.is_some(), cuda.dtype());
        Ok(Self {
            plan: cuda.driver().plan(ProductShape { inputs, outputs, has_bias, dtype, is_wide })?,
            weight: cuda.upload(weight)?,
            bias: bias.map(|bias| cuda.upload(bias)).transpose()?,
        })
    }

    /// Columns of its results.
    pub(super) fn outputs(&self) -> usize {
        self.weight.shape().0
    }

    /// `(rows, inputs) -> (rows, outputs)`.
    ///
    /// # Errors
    /// When the columns of `x` are not the layer's inputs, or the GPU fails.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Matrix> {
        let out = cuda.matrix(x.shape().0, self.outputs())?;
        // SAFETY: `out` was made for these rows.
        unsafe { self.multiply(cuda, x, cuda.address(&out)?)? };
        Ok(out)
    }

    /// # Safety
    /// At `out` there is room for `(rows of x, outputs)`, of the plan's numbers.
    pub(super) unsafe fn multiply(&self, cuda: &Cuda, x: &Matrix, out: u64) -> Result<()> {
        let ((rows, columns), inputs) = (x.shape(), self.weight.shape().1);
        if columns != inputs {
            return Err(CudaError::Shape(format!(
                "a layer of {inputs} inputs was given {rows} rows of {columns}"
            )));
        }
        let (weight, bias) = (cuda.address(&self.weight)?, cuda.address_of(self.bias.as_ref())?);
        let operands = Operands { weight, bias, x: cuda.address(x)?, out, rows };
        match rows {
            0 => Ok(()),
            // SAFETY: weight, bias and x have the shapes of the plan and live on after this call; `out` is the caller's.
            _ => unsafe { cuda.driver().multiply(&self.plan, &operands) },
        }
    }
}

/// A last layer of many outputs, without biases, whose results stay in f32.
pub struct WideLinear(Linear);

impl WideLinear {
    /// `weight`: `(outputs, inputs)`.
    ///
    /// # Errors
    /// When there is no algorithm or memory for it.
    pub fn new(cuda: &Cuda, weight: &Tensor) -> Result<Self> {
        Ok(Self(Linear::of(cuda, weight, None, true)?))
    }

    /// Number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.0.outputs()
    }

    /// `(rows, inputs) -> (rows * outputs)`.
    ///
    /// # Errors
    /// When the columns of `x` are not the inputs, or the GPU fails.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Vector> {
        let out = cuda.empty_vector(x.shape().0 * self.outputs())?;
        // SAFETY: `out` was made for these rows, in f32 as the plan has it.
        unsafe { self.0.multiply(cuda, x, cuda.address(&out)?)? };
        Ok(out)
    }
}
