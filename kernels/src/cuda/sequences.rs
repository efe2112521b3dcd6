//! Operations on the rows of each sequence: unfolding for convolutions, and means.

use super::arguments::{MeanArguments, UnfoldArguments};
use super::device::{Cuda, Matrix};
use super::error::{CudaError, Result};
use super::layout::Layout;

const THREADS: usize = 128;

/// Places each token's row and its neighbours in the same sequence side by side, from `taps / 2` before to `taps / 2` after,
/// for a convolution (im2col): `(tokens, columns) -> (tokens, taps * columns)`. Rows beyond the sequence are 0.
///
/// # Errors
/// When `x` does not have the layout's tokens, or the number of taps is even.
pub fn unfold(cuda: &Cuda, x: &Matrix, layout: &Layout, taps: usize) -> Result<Matrix> {
    let (tokens, columns) = x.shape();
    if tokens != layout.tokens() || taps.is_multiple_of(2) {
        return Err(CudaError::Shape(format!(
            "cannot unfold {tokens} tokens with {taps} taps: the layout differs, or the number of taps is even"
        )));
    }
    let out = cuda.matrix(tokens, taps * columns)?;
    let arguments = UnfoldArguments {
        x: cuda.address(x)?,
        offsets: cuda.address(&layout.offsets())?,
        out: cuda.address(&out)?,
        sequences: layout.sequences() as i32,
        tokens: tokens as i32,
        columns: columns as i32,
        taps: taps as i32,
    };
    let name = format!("unfold_{}", cuda.dtype().name());
    // SAFETY: `out` is allocated for the taps, and the offsets end at the number of tokens.
    unsafe { cuda.launch(&name, ((tokens, taps), THREADS), 0, &arguments)? };
    Ok(out)
}

/// The mean row of each sequence: `(tokens, columns) -> (sequences, columns)`.
///
/// # Errors
/// When `x` does not have the layout's tokens.
pub fn means(cuda: &Cuda, x: &Matrix, layout: &Layout) -> Result<Matrix> {
    let (tokens, columns) = x.shape();
    if tokens != layout.tokens() {
        return Err(CudaError::Shape(format!(
            "cannot take means of {tokens} tokens: the layout has {}",
            layout.tokens()
        )));
    }
    let out = cuda.matrix(layout.sequences(), columns)?;
    let arguments = MeanArguments {
        x: cuda.address(x)?,
        offsets: cuda.address(&layout.offsets())?,
        out: cuda.address(&out)?,
        columns: columns as i32,
    };
    let name = format!("mean_rows_{}", cuda.dtype().name());
    let blocks = (layout.sequences(), columns.div_ceil(THREADS));
    // SAFETY: `out` is allocated for the sequences, and the offsets end at the number of tokens.
    unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments)? };
    Ok(out)
}
