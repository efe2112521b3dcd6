//! A linear layer whose row results do not depend on the number of rows.
//!
//! General matrix products choose another code path for one row or for few columns, and then the
//! last bits differ. Here every product has the same shape: blocks of [`BLOCK_ROWS`] rows, the last
//! one filled up with zeros, so that a row meets the same instructions whatever stands beside it.

use candle_core::{Result, Tensor};
use rayon::prelude::*;

/// Rows of one product.
const BLOCK_ROWS: usize = 64;

/// `y = x W^T + b`.
#[derive(Debug, Clone)]
pub struct Linear {
    /// (in, out), a transposed view.
    weight: Tensor,
    /// (out)
    bias: Option<Tensor>,
}

impl Linear {
    /// `weight`: `(out, in)` as checkpoints store it, `bias`: `(out)`.
    ///
    /// # Errors
    /// When `weight` is not a matrix.
    pub fn new(weight: &Tensor, bias: Option<Tensor>) -> Result<Self> {
        Ok(Self { weight: weight.t()?, bias })
    }

    /// `(rows, in) -> (rows, out)`.
    ///
    /// # Errors
    /// When the columns of `x` are not the layer's.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let rows = x.dim(0)?;
        let padded_rows = rows.next_multiple_of(BLOCK_ROWS);
        let padded =
            if padded_rows == rows { x.clone() } else { x.pad_with_zeros(0, 0, padded_rows - rows)? };
        let blocks = (0..padded_rows / BLOCK_ROWS)
            .into_par_iter()
            .map(|block| {
                let x = padded.narrow(0, block * BLOCK_ROWS, BLOCK_ROWS)?;
                let y = x.matmul(&self.weight)?; // (BLOCK_ROWS, out)
                match &self.bias {
                    Some(bias) => y.broadcast_add(bias),
                    None => Ok(y),
                }
            })
            .collect::<Result<Vec<_>>>()?;
        Tensor::cat(&blocks, 0)?.narrow(0, 0, rows)?.contiguous()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_row_does_not_depend_on_the_rows_beside_it() {
        for (inputs, outputs) in [(384, 1536), (1536, 384), (384, 3), (17, 5), (1, 1)] {
            let weight = Tensor::randn(0f32, 1.0, (outputs, inputs), &Device::Cpu).unwrap();
            let bias = Tensor::randn(0f32, 1.0, outputs, &Device::Cpu).unwrap();
            let layer = Linear::new(&weight, Some(bias)).unwrap();
            let x = Tensor::randn(0f32, 1.0, (300, inputs), &Device::Cpu).unwrap();
            let all = layer.forward(&x).unwrap().to_vec2::<f32>().unwrap();
            for (start, count) in [(0, 1), (5, 1), (299, 1), (3, 2), (60, 9), (1, 64), (100, 131)] {
                let part = x.narrow(0, start, count).unwrap();
                let part = layer.forward(&part).unwrap().to_vec2::<f32>().unwrap();
                assert_eq!(part, all[start..start + count], "{inputs}x{outputs}, {start}+{count}");
            }
        }
    }

    #[test]
    fn agrees_with_the_definition() {
        let weight = Tensor::new(&[[1f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &Device::Cpu).unwrap();
        let bias = Tensor::new(&[0.5f32, 0.0, -1.0], &Device::Cpu).unwrap();
        let x = Tensor::new(&[[1f32, 10.0]], &Device::Cpu).unwrap();
        let y = Linear::new(&weight, Some(bias)).unwrap().forward(&x).unwrap();
        assert_eq!(y.to_vec2::<f32>().unwrap(), [[21.5, 43.0, 64.0]]);
    }
}
