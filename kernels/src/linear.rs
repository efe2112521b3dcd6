//! Linear layers, alone and fused with the operations that follow: activation, residual and norm. Rows are processed in
//! blocks, so that a block's intermediate results stay in the processor's cache.

use std::mem::MaybeUninit;
use std::ops::Range;

use candle_core::{DType, Error, Result, Tensor};
use rayon::prelude::*;

use crate::activation::Activation;
use crate::aligned::Aligned;
use crate::functions::{LANES, add_scaled};
use crate::host::{host_values, host_values_of};
use crate::isa::{Isa, vectorised};
use crate::matmul::{LeftSide, Precision, Rows, Weight};
use crate::norm::LayerNorm;
use crate::scratch::{Scratch, sized, with_scratch};

/// Up to this many rows, threads divide the columns rather than the rows, so that no thread reads all weights.
const FEW_ROWS: usize = 32;

/// `y = x W^T + b`.
#[derive(Debug, Clone)]
pub struct Linear {
    pub(crate) weight: Weight,
    pub(crate) bias: Vec<f32>,
}

impl Linear {
    /// `weight`: `(out, in)` as checkpoints store it, `bias`: `(out)`.
    ///
    /// # Errors
    /// When the weights are not contiguous f32 tensors in host memory that fit together.
    pub fn new(weight: &Tensor, bias: Option<&Tensor>) -> Result<Self> {
        Self::with_precision(weight, bias, Precision::F32)
    }

    /// As `new`, computed in `precision`. `weight` may also be f16 or bf16; bf16 weights are used unconverted for
    /// products in bf16.
    ///
    /// # Errors
    /// As `new`, and when this processor does not support `precision`.
    pub fn with_precision(weight: &Tensor, bias: Option<&Tensor>, precision: Precision) -> Result<Self> {
        let (outputs, inputs) = weight.dims2()?;
        let bias = checked_bias(inputs, outputs, bias)?;
        let weight = match (weight.dtype(), precision) {
            (DType::BF16, Precision::Bf16) => Weight::from_bf16(&host_values_of(weight)?, outputs, inputs)?,
            _ => {
                let wide = weight.to_dtype(DType::F32)?;
                Weight::transposed(precision, &host_values(&wide)?, outputs, inputs)?
            }
        };
        Ok(Self { weight, bias })
    }

    /// From 8-bit weights: `integers`: `(out, in)`, `scales`: `(out)`, with `weight = integer * scale`. Products in
    /// 8 bits use these integers unchanged.
    ///
    /// # Errors
    /// When the weights do not fit together.
    pub fn from_rows8(
        integers: &[i8],
        scales: &[f32],
        bias: Option<&Tensor>,
        precision: Precision,
    ) -> Result<Self> {
        let (outputs, inputs) = (scales.len(), integers.len() / scales.len().max(1));
        if inputs * outputs != integers.len() {
            return Err(Error::Msg(format!("{} weights do not divide into {outputs} rows", integers.len())));
        }
        let bias = checked_bias(inputs, outputs, bias)?;
        Ok(Self { weight: Weight::from_rows8(precision, integers, scales, inputs)?, bias })
    }

    /// `(rows, in) -> (rows, out)`.
    ///
    /// # Errors
    /// When `x` does not have the layer's input columns.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.forward_then(x, |_, _| {})
    }

    /// `activation(forward(x))`.
    ///
    /// # Errors
    /// As `forward`.
    pub fn forward_activated(&self, x: &Tensor, activation: Activation) -> Result<Tensor> {
        self.forward_then(x, |_, out| activation.apply_to(Isa::best(), out))
    }

    /// `norm(forward(x) + residual)`; `residual`: `(rows, out)`.
    ///
    /// # Errors
    /// As `forward`, and when `residual` or `norm` does not fit the output.
    pub fn forward_residual_norm(&self, x: &Tensor, residual: &Tensor, norm: &LayerNorm) -> Result<Tensor> {
        let outputs = self.weight.columns();
        if residual.dims2()? != (x.dim(0)?, outputs) || norm.hidden() != outputs {
            return Err(Error::Msg(format!(
                "the residual of shape {:?} or the norm does not fit {outputs} outputs",
                residual.shape()
            )));
        }
        let residual = host_values(residual)?;
        let residual: &[f32] = &residual;
        self.forward_then(x, |row, out| {
            add(out, &residual[row * outputs..][..outputs]);
            norm.row(out);
        })
    }

    /// Computes the product, then calls `then(row, outputs)` for each row of outputs.
    fn forward_then(&self, x: &Tensor, then: impl Fn(usize, &mut [f32]) + Sync) -> Result<Tensor> {
        let (inputs, outputs) = (self.weight.inner(), self.weight.columns());
        let rows = checked_rows(x, inputs)?;
        if (1..=FEW_ROWS).contains(&rows) {
            let values = Rows { values: &host_values(x)?, stride: inputs, count: rows };
            let mut out = Vec::with_capacity(rows * outputs);
            self.by_columns(values, &mut out.spare_capacity_mut()[..rows * outputs], then);
            // SAFETY: `by_columns` has written all rows.
            unsafe { out.set_len(rows * outputs) };
            return Tensor::from_vec(out, (rows, outputs), x.device());
        }
        by_blocks(x, &self.weight, outputs, |first_row, rows, out| {
            with_scratch(|Scratch { left, products, row, .. }| {
                self.weight.prepare(rows, left);
                let products = self.products(0..outputs, left, rows.count, products);
                self.write_rows(&products, row, out, |row, values| then(first_row + row, values));
            });
        })
    }

    /// For few rows: multiplies the panels in parallel.
    fn by_columns(&self, rows: Rows<'_>, out: &mut [MaybeUninit<f32>], then: impl Fn(usize, &mut [f32])) {
        let (mut left, mut buffer) = (LeftSide::default(), Aligned::default());
        self.weight.prepare(rows, &mut left);
        let products = Products::sized(&self.weight, self.weight.columns(), rows.count, &mut buffer);
        let panels = products.values.par_chunks_mut(products.panel_size).with_min_len(4);
        panels.enumerate().for_each(|(panel, values)| {
            self.weight.times_panel(&left, panel, values, products.width);
        });
        self.write_rows(&products, &mut Aligned::default(), out, then);
    }

    /// Multiplies a block of prepared rows by the panels of a range of columns, which starts at a panel.
    pub(crate) fn products<'b>(
        &self,
        columns: Range<usize>,
        left: &LeftSide,
        count: usize,
        buffer: &'b mut Aligned<f32>,
    ) -> Products<'b> {
        let products = Products::sized(&self.weight, columns.len(), count, buffer);
        let first = columns.start / products.width;
        for (index, panel) in products.values.chunks_exact_mut(products.panel_size).enumerate() {
            self.weight.times_panel(left, first + index, panel, products.width);
        }
        products
    }

    /// Calls `then(row, outputs)` for each row of products with the bias, and writes the rows into `out`, all of it.
    pub(crate) fn write_rows(
        &self,
        products: &Products<'_>,
        row: &mut Aligned<f32>,
        out: &mut [MaybeUninit<f32>],
        then: impl Fn(usize, &mut [f32]),
    ) {
        let row = sized(row, self.weight.columns());
        for (index, out) in out.chunks_exact_mut(row.len()).enumerate() {
            products.row(index, &self.bias, row);
            then(index, row);
            out.write_copy_of_slice(row);
        }
    }
}

/// The products of a block of rows with all panels, panel by panel. Each is written and read once, in order of rows, so
/// that no row is spread over memory before all of its panels are multiplied.
pub(crate) struct Products<'b> {
    /// (panels, whole tiles of rows, panel width)
    pub(crate) values: &'b mut [f32],
    /// Values of a panel.
    pub(crate) panel_size: usize,
    pub(crate) width: usize,
}

impl<'b> Products<'b> {
    /// Unspecified products of `count` rows with `columns` columns.
    pub(crate) fn sized(weight: &Weight, columns: usize, count: usize, buffer: &'b mut Aligned<f32>) -> Self {
        let width = weight.panel_width();
        let panel_size = weight.whole_tiles(count) * width;
        Self { values: sized(buffer, columns.div_ceil(width) * panel_size), panel_size, width }
    }

    /// A row's products plus the bias.
    pub(crate) fn row(&self, row: usize, bias: &[f32], out: &mut [f32]) {
        vectorised!(Isa::best(), gather(self, row, bias, out));
    }
}

#[inline(always)]
fn gather<const FMA: bool>(products: &Products<'_>, row: usize, bias: &[f32], out: &mut [f32]) {
    let panels = products.values.chunks_exact(products.panel_size);
    let parts = out.chunks_mut(products.width).zip(bias.chunks(products.width));
    for (panel, (out, bias)) in panels.zip(parts) {
        let part = &panel[row * products.width..][..out.len()];
        let ((out, rest_out), (bias, rest_bias), (part, rest)) =
            (out.as_chunks_mut::<LANES>(), bias.as_chunks::<LANES>(), part.as_chunks::<LANES>());
        for ((out, bias), part) in out.iter_mut().zip(bias).zip(part) {
            *out = std::array::from_fn(|lane| part[lane] + bias[lane]);
        }
        for ((out, bias), part) in rest_out.iter_mut().zip(rest_bias).zip(rest) {
            *out = part + bias;
        }
    }
}

/// The bias as a vector; zeros without a bias.
fn checked_bias(inputs: usize, outputs: usize, bias: Option<&Tensor>) -> Result<Vec<f32>> {
    if inputs == 0 || outputs == 0 {
        return Err(Error::Msg(format!("a linear layer of {inputs} inputs and {outputs} outputs")));
    }
    let bias = match bias {
        Some(bias) => host_values(bias)?.to_vec(),
        None => vec![0.0; outputs],
    };
    match bias.len() {
        biases if biases == outputs => Ok(bias),
        biases => Err(Error::Msg(format!("a linear layer of {outputs} outputs was given {biases} biases"))),
    }
}

/// The number of rows of `x`, which must have `inputs` columns.
fn checked_rows(x: &Tensor, inputs: usize) -> Result<usize> {
    match x.dims2()? {
        (rows, columns) if columns == inputs => Ok(rows),
        (rows, columns) => {
            Err(Error::Msg(format!("a layer of {inputs} inputs was given {rows} rows of {columns}")))
        }
    }
}

/// Calls `job(first row, rows of x, rows of the result)` in parallel for blocks of rows sized for products with
/// `weight`. `job` writes all of its rows of the result.
pub(crate) fn by_blocks(
    x: &Tensor,
    weight: &Weight,
    outputs: usize,
    job: impl Fn(usize, Rows<'_>, &mut [MaybeUninit<f32>]) + Sync,
) -> Result<Tensor> {
    let inputs = weight.inner();
    let rows = checked_rows(x, inputs)?;
    let mut out = Vec::with_capacity(rows * outputs);
    let (tile_rows, most_rows) = weight.block_rows();
    let fair = rows.div_ceil(rayon::current_num_threads()).next_multiple_of(tile_rows);
    let block_rows = fair.clamp(tile_rows, most_rows);
    let held = host_values(x)?;
    let all: &[f32] = &held;
    let blocks = out.spare_capacity_mut()[..rows * outputs].par_chunks_mut(block_rows * outputs);
    blocks.enumerate().for_each(|(block, out)| {
        let first_row = block * block_rows;
        let count = out.len() / outputs;
        let values = &all[first_row * inputs..(first_row + count) * inputs];
        job(first_row, Rows { values, stride: inputs, count }, out);
    });
    // SAFETY: the jobs have written all rows.
    unsafe { out.set_len(rows * outputs) };
    Tensor::from_vec(out, (rows, outputs), x.device())
}

pub(crate) fn add(out: &mut [f32], other: &[f32]) {
    vectorised!(Isa::best(), add_scaled(out, 1.0, other));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed_forward::FeedForward;
    use candle_core::Device;

    fn random(rows: usize, columns: usize) -> Tensor {
        Tensor::randn(0f32, 1.0, (rows, columns), &Device::Cpu).unwrap()
    }

    fn random_linear(inputs: usize, outputs: usize) -> (Tensor, Tensor, Linear) {
        let (weight, bias) = (random(outputs, inputs), random(1, outputs).squeeze(0).unwrap());
        let layer = Linear::new(&weight, Some(&bias)).unwrap();
        (weight, bias, layer)
    }

    fn largest_difference(a: &Tensor, b: &Tensor) -> f32 {
        (a - b).unwrap().abs().unwrap().max_all().unwrap().to_scalar().unwrap()
    }

    fn norm(hidden: usize) -> LayerNorm {
        let vector = || random(1, hidden).squeeze(0).unwrap();
        LayerNorm::new(&vector(), &vector(), 1e-7).unwrap()
    }

    #[test]
    fn agrees_with_the_plain_product() {
        for (rows, inputs, outputs) in [(1, 1, 1), (1, 384, 3), (5, 17, 33), (97, 64, 48), (300, 48, 130)] {
            let (weight, bias, layer) = random_linear(inputs, outputs);
            let x = random(rows, inputs);
            let plain = x.matmul(&weight.t().unwrap()).unwrap().broadcast_add(&bias).unwrap();
            let tolerance = 1e-6 * inputs as f32 + 1e-6;
            assert!(largest_difference(&layer.forward(&x).unwrap(), &plain) < tolerance);
            let activated = layer.forward_activated(&x, Activation::Gelu).unwrap();
            assert!(largest_difference(&activated, &plain.gelu_erf().unwrap()) < tolerance + 2e-6);
        }
    }

    #[test]
    fn fused_layers_agree_with_their_parts() {
        for rows in [1, 11, 200] {
            let (hidden, inner) = (40, 150);
            let (_, _, up) = random_linear(hidden, inner);
            let (_, _, down) = random_linear(inner, hidden);
            let (x, norm) = (random(rows, hidden), norm(hidden));
            let inside = up.forward(&x).unwrap().gelu_erf().unwrap();
            let plain = norm.forward(&(down.forward(&inside).unwrap() + &x).unwrap()).unwrap();
            let residual = down.forward_residual_norm(&inside, &x, &norm).unwrap();
            assert!(largest_difference(&residual, &plain) < 1e-5);
            let fused = FeedForward::new(up, Activation::Gelu, down, norm).unwrap();
            assert!(largest_difference(&fused.forward(&x).unwrap(), &plain) < 1e-4);
        }
    }

    #[test]
    fn rows_are_independent() {
        for (inputs, outputs) in [(384, 1536), (1536, 384), (384, 3), (17, 5), (1, 1)] {
            let (_, _, layer) = random_linear(inputs, outputs);
            let x = random(300, inputs);
            let all = layer.forward(&x).unwrap().to_vec2::<f32>().unwrap();
            for (start, count) in [(0, 1), (5, 1), (299, 1), (3, 2), (60, 9), (1, 64), (100, 131)] {
                let part = x.narrow(0, start, count).unwrap();
                let part = layer.forward(&part).unwrap().to_vec2::<f32>().unwrap();
                assert_eq!(part, all[start..start + count], "{inputs}x{outputs}, {start}+{count}");
            }
        }
    }

    #[test]
    fn int8_layers_approximate_f32_and_rows_are_independent() {
        [200, 1700].into_iter().for_each(int8_layers_of);
    }

    /// `inner`: the inputs of the second layer; more than a group has, or fewer.
    fn int8_layers_of(inner: usize) {
        let (hidden, rows) = (96, 130);
        let (up_weight, down_weight) = (random(inner, hidden), random(hidden, inner));
        let layers = |precision| {
            let up = Linear::with_precision(&up_weight, None, precision).unwrap();
            let down = Linear::with_precision(&down_weight, None, precision).unwrap();
            (up.clone(), FeedForward::new(up, Activation::Gelu, down, norm_of_ones(hidden)).unwrap())
        };
        let (plain, plain_block) = layers(Precision::F32);
        let (eight, eight_block) = layers(Precision::Int8);
        let x = random(rows, hidden);
        // Sums of 96 products of unit variance; each factor has an error of up to 1/40.
        assert!(largest_difference(&eight.forward(&x).unwrap(), &plain.forward(&x).unwrap()) < 1.0);
        let all = eight_block.forward(&x).unwrap();
        assert!(largest_difference(&all, &plain_block.forward(&x).unwrap()) < 0.2);
        let all = all.to_vec2::<f32>().unwrap();
        for (start, count) in [(0, 1), (129, 1), (7, 50)] {
            let part = eight_block.forward(&x.narrow(0, start, count).unwrap()).unwrap();
            assert_eq!(part.to_vec2::<f32>().unwrap(), all[start..start + count]);
        }
    }

    #[test]
    fn sixteen_bit_weights_equal_the_same_weights_in_f32() {
        let (weight, x) = (random(70, 33), random(40, 33));
        for dtype in [DType::BF16, DType::F16] {
            let short = weight.to_dtype(dtype).unwrap();
            let wide = short.to_dtype(DType::F32).unwrap();
            let all = [Precision::F32, Precision::Bf16, Precision::Int8];
            for precision in all.into_iter().filter(|precision| precision.is_supported()) {
                let layer = |weight| Linear::with_precision(weight, None, precision).unwrap();
                let (short, wide) = (layer(&short).forward(&x).unwrap(), layer(&wide).forward(&x).unwrap());
                assert_eq!(largest_difference(&short, &wide), 0.0, "{dtype:?}, {precision:?}");
            }
        }
    }

    fn norm_of_ones(hidden: usize) -> LayerNorm {
        let ones = Tensor::ones(hidden, DType::F32, &Device::Cpu).unwrap();
        LayerNorm::new(&ones, &ones, 1e-7).unwrap()
    }

    #[test]
    fn rows8_weights_equal_integers_times_scales() {
        for (inputs, outputs) in [(1, 1), (5, 3), (33, 70)] {
            let integers: Vec<i8> = (0..inputs * outputs).map(|index| (index * 37 % 255) as i8).collect();
            let scales: Vec<f32> = (0..outputs).map(|row| 0.01 + row as f32).collect();
            let wide = integers.iter().enumerate().map(|(index, w)| f32::from(*w) * scales[index / inputs]);
            let wide = Tensor::from_vec(wide.collect(), (outputs, inputs), &Device::Cpu).unwrap();
            let (x, bias) = (random(40, inputs), random(1, outputs).squeeze(0).unwrap());
            let packed = Linear::from_rows8(&integers, &scales, Some(&bias), Precision::F32).unwrap();
            let plain = Linear::new(&wide, Some(&bias)).unwrap();
            assert_eq!(largest_difference(&packed.forward(&x).unwrap(), &plain.forward(&x).unwrap()), 0.0);
        }
    }

    #[test]
    fn mismatched_shapes_are_errors() {
        let (_, _, layer) = random_linear(4, 6);
        assert!(layer.forward(&random(2, 5)).is_err());
        assert!(layer.forward_residual_norm(&random(2, 4), &random(3, 6), &norm(6)).is_err());
        let bias = |outputs: usize| random(1, outputs).squeeze(0).unwrap();
        for precision in [Precision::F32, Precision::Int8] {
            assert!(Linear::from_rows8(&[1; 6], &[1.0; 2], Some(&bias(2)), precision).is_ok());
            assert!(Linear::from_rows8(&[1; 6], &[1.0; 2], Some(&bias(3)), precision).is_err());
            assert!(Linear::from_rows8(&[1; 5], &[1.0; 2], None, precision).is_err());
            assert!(Linear::from_rows8(&[], &[], None, precision).is_err());
        }
    }
}
