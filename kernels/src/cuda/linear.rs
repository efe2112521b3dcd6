//! Linear layers on a GPU, `y = x W^T + b`, by cuBLASLt: 16-bit weights and rows, sums in f32.

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
    /// When the shapes do not fit together, or there is no algorithm or memory for them.
    pub fn new(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>) -> Result<Self> {
        Self::of(cuda, weight, bias, false)
    }

    fn of(cuda: &Cuda, weight: &Tensor, bias: Option<&Tensor>, is_wide: bool) -> Result<Self> {
        let (outputs, inputs) = weight.dims2()?;
        if bias.is_some_and(|bias| bias.dims() != [outputs]) {
            return Err(CudaError::Shape(format!(
                "the bias of a linear layer does not fit {outputs} outputs"
            )));
        }
        let (has_bias, dtype) = (bias.is_some(), cuda.dtype());
        Ok(Self {
            plan: cuda.driver().plan(ProductShape { inputs, outputs, has_bias, dtype, is_wide })?,
            weight: cuda.upload(weight)?,
            bias: bias.map(|bias| cuda.upload(bias)).transpose()?,
        })
    }

    /// The number of outputs.
    pub(super) fn outputs(&self) -> usize {
        self.weight.shape().0
    }

    /// `(rows, inputs) -> (rows, outputs)`.
    ///
    /// # Errors
    /// When `x` does not have the layer's input columns, or the GPU fails.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Matrix> {
        let out = cuda.matrix(x.shape().0, self.outputs())?;
        // SAFETY: `out` is allocated for these rows.
        unsafe { self.multiply(cuda, x, cuda.address(&out)?)? };
        Ok(out)
    }

    /// # Safety
    /// `out` points to a buffer for `(rows of x, outputs)` in the plan's dtype.
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
            // SAFETY: weight, bias and x have the plan's shapes and outlive this call; the caller guarantees `out`.
            _ => unsafe { cuda.driver().multiply(&self.plan, &operands) },
        }
    }
}

/// A linear layer without bias whose outputs stay in f32, such as a vocabulary projection.
pub struct WideLinear(Linear);

impl WideLinear {
    /// `weight`: `(outputs, inputs)`.
    ///
    /// # Errors
    /// When there is no algorithm or memory for it.
    pub fn new(cuda: &Cuda, weight: &Tensor) -> Result<Self> {
        Ok(Self(Linear::of(cuda, weight, None, true)?))
    }

    /// The number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.0.outputs()
    }

    /// `(rows, inputs) -> (rows * outputs)`.
    ///
    /// # Errors
    /// When `x` does not have the layer's input columns, or the GPU fails.
    pub fn forward(&self, cuda: &Cuda, x: &Matrix) -> Result<Vector> {
        let out = cuda.empty_vector(x.shape().0 * self.outputs())?;
        // SAFETY: `out` is allocated for these rows in f32, the plan's output dtype.
        unsafe { self.0.multiply(cuda, x, cuda.address(&out)?)? };
        Ok(out)
    }
}
