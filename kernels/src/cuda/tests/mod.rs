//! The kernels against their definitions in f64, on awkward shapes, in the emulation or, without it, on the machine's first
//! GPU. Inputs are rounded to 16 bits first, so that only the kernels' own error is measured.

mod attention;
mod rotary;
mod rows;
mod sequences;
mod step;

use candle_core::{Device, Tensor};

use super::{Cuda, Download, Dtype};
use crate::test_numbers;

/// Both 16-bit dtypes.
const DTYPES: [Dtype; 2] = [Dtype::F16, Dtype::Bf16];

/// The GPU under test.
fn cuda(dtype: Dtype) -> Cuda {
    Cuda::open(0, dtype).expect("feature `cuda-emulation`, or a GPU")
}

/// The relative spacing of a dtype's values.
fn step(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::F16 => 2f64.powi(-11),
        Dtype::Bf16 => 2f64.powi(-8),
    }
}

/// Pseudo-random values in -size..size, rounded to the dtype.
fn tensor(shape: &[usize], seed: u32, size: f32, dtype: Dtype) -> Tensor {
    let values = test_numbers(shape.iter().product(), seed);
    let values: Vec<f32> = values.iter().map(|x| dtype.to_f32(dtype.round_to_bits(x * size))).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

/// A tensor's values in f64.
fn wide(tensor: &Tensor) -> Vec<f64> {
    tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap().into_iter().map(f64::from).collect()
}

fn wait(download: Download) -> Vec<f32> {
    download.wait().unwrap()
}

/// Asserts that values are within `steps` spacings of the dtype of the expected ones, relative to the largest of these (at
/// least 0.01).
fn assert_near(got: &[f32], expected: &[f64], dtype: Dtype, steps: f64, what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(0.01, |largest: f64, x| largest.max(x.abs()));
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        let difference = (f64::from(*got) - expected).abs();
        assert!(
            difference <= steps * step(dtype) * largest,
            "{what}: {got} instead of {expected} at {index}"
        );
    }
}
