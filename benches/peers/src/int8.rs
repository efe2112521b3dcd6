//! Measures whether 8-bit weights and activations pay on AVX2 without VNNI. `int8` prints, for one thread and the shapes of
//! the networks, the rate of the f32 layer (AVX2 tiles), of an 8-bit layer, and their ratio.
//!
//! The 8-bit layer: weights are quantised once, with a scale per output, to -127..=127; activations are quantised row by row
//! to 0..=127 around 64 (seven bits, so that the saturating 16-bit sums of `vpmaddubsw` are exact); sums have 32 bits;
//! scales, the correction for the 64 and the result are f32. Everything but the quantisation of the weights is timed, as it
//! would occur in the network.

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    eprintln!("int8: this comparison is about x86-64 with AVX2");
}

#[cfg(target_arch = "x86_64")]
fn main() -> candle_core::Result<()> {
    use candle_core::{Device, Tensor};
    use std::time::Instant;
    use veridic_kernels::{Isa, Linear};

    if !Isa::Avx2.prefer() {
        eprintln!("int8: this machine has no AVX2");
        return Ok(());
    }
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was built before");
    println!("  rows    in   out   f32 GFLOP/s   int8 GFLOP/s   ratio   largest error / largest output");
    for (rows, inputs, outputs) in
        [(2048, 384, 1152), (2048, 384, 1536), (2048, 1536, 384), (2048, 1024, 4096)]
    {
        let x = Tensor::randn(0f32, 1.0, (rows, inputs), &Device::Cpu)?;
        let weight = Tensor::randn(0f32, 0.05, (outputs, inputs), &Device::Cpu)?;
        let layer = Linear::new(&weight, None)?;
        let quantised = avx2::Quantised::new(&weight.flatten_all()?.to_vec1()?, outputs, inputs);
        let values: Vec<f32> = x.flatten_all()?.to_vec1()?;
        let mut out = vec![0.0; rows * outputs];
        let (mut f32_seconds, mut int8_seconds) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..7 {
            let start = Instant::now();
            std::hint::black_box(layer.forward(&x)?);
            f32_seconds = f32_seconds.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            quantised.forward(&values, &mut out);
            int8_seconds = int8_seconds.min(start.elapsed().as_secs_f64());
        }
        let exact: Vec<f32> = layer.forward(&x)?.flatten_all()?.to_vec1()?;
        let largest = exact.iter().fold(0f32, |most, value| most.max(value.abs()));
        let error = exact.iter().zip(&out).fold(0f32, |most, (a, b)| most.max((a - b).abs()));
        let operations = (2 * rows * inputs * outputs) as f64 / 1e9;
        println!(
            "{rows:>6} {inputs:>5} {outputs:>5} {:>13.1} {:>14.1} {:>7.2} {:>12.4}",
            operations / f32_seconds,
            operations / int8_seconds,
            f32_seconds / int8_seconds,
            error / largest
        );
    }
    Ok(())
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    /// Rows and columns of a tile. Registers: 8 accumulators, 2 for the panel, 1 broadcast, 1 of ones, 2 temporaries.
    const ROWS: usize = 4;
    const COLUMNS: usize = 16;
    /// The number of rows quantised and multiplied together.
    const BLOCK_ROWS: usize = 96;

    pub struct Quantised {
        /// (panels, inputs / 4, columns, 4)
        panels: Vec<i8>,
        scales: Vec<f32>,
        /// 64 times the sum of a column's weights.
        corrections: Vec<i32>,
        inputs: usize,
        outputs: usize,
    }

    impl Quantised {
        /// `weight`: (outputs, inputs); inputs a multiple of 4, outputs a multiple of the tile's columns.
        pub fn new(weight: &[f32], outputs: usize, inputs: usize) -> Self {
            assert!(inputs.is_multiple_of(4) && outputs.is_multiple_of(COLUMNS));
            let mut quantised = Self {
                panels: vec![0; inputs * outputs],
                scales: Vec::new(),
                corrections: Vec::new(),
                inputs,
                outputs,
            };
            for (output, row) in weight.chunks_exact(inputs).enumerate() {
                let scale = row.iter().fold(0f32, |most, w| most.max(w.abs())) / 127.0;
                let panel = &mut quantised.panels[output / COLUMNS * COLUMNS * inputs..][..COLUMNS * inputs];
                let mut sum = 0;
                for (input, w) in row.iter().enumerate() {
                    let number = (w / scale).round() as i8;
                    sum += i32::from(number);
                    panel[input / 4 * COLUMNS * 4 + output % COLUMNS * 4 + input % 4] = number;
                }
                quantised.scales.push(scale);
                quantised.corrections.push(64 * sum);
            }
            quantised
        }

        /// `x`: (rows, inputs), rows a multiple of the tile's rows; `out`: (rows, outputs).
        pub fn forward(&self, x: &[f32], out: &mut [f32]) {
            let (mut bytes, mut scales) = (vec![0u8; BLOCK_ROWS * self.inputs], vec![0f32; BLOCK_ROWS]);
            let blocks = x.chunks(BLOCK_ROWS * self.inputs).zip(out.chunks_mut(BLOCK_ROWS * self.outputs));
            for (x, out) in blocks {
                let rows = x.len() / self.inputs;
                assert!(rows.is_multiple_of(ROWS));
                // SAFETY: `main` checked that AVX2 is available.
                unsafe { quantise(x, self.inputs, &mut bytes, &mut scales) };
                for panel in 0..self.outputs / COLUMNS {
                    for row in (0..rows).step_by(ROWS) {
                        // SAFETY: as above; tile and panel lie within the buffers, whose sizes were checked.
                        unsafe {
                            self.tile(
                                &bytes[row * self.inputs..],
                                &scales[row..],
                                panel,
                                &mut out[row * self.outputs..],
                            )
                        };
                    }
                }
            }
        }

        #[target_feature(enable = "avx2,fma")]
        unsafe fn tile(&self, rows: &[u8], scales: &[f32], panel: usize, out: &mut [f32]) {
            let ones = _mm256_set1_epi16(1);
            let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
            let weights = self.panels[panel * COLUMNS * self.inputs..].as_ptr();
            for group in 0..self.inputs / 4 {
                // SAFETY: group, row and panel are within the sizes that `new` and `forward` checked.
                unsafe {
                    let at = weights.add(group * COLUMNS * 4);
                    let left = _mm256_loadu_si256(at.cast());
                    let right = _mm256_loadu_si256(at.add(32).cast());
                    for (row, sums) in sums.iter_mut().enumerate() {
                        let four =
                            rows.as_ptr().add(row * self.inputs + group * 4).cast::<i32>().read_unaligned();
                        let four = _mm256_set1_epi32(four);
                        let product = |weights| _mm256_madd_epi16(_mm256_maddubs_epi16(four, weights), ones);
                        sums[0] = _mm256_add_epi32(sums[0], product(left));
                        sums[1] = _mm256_add_epi32(sums[1], product(right));
                    }
                }
            }
            let first = panel * COLUMNS;
            for (row, sums) in sums.iter().enumerate() {
                for (half, sum) in sums.iter().enumerate() {
                    let column = first + half * 8;
                    // SAFETY: the tile lies within out, scales and corrections.
                    unsafe {
                        let correction = _mm256_loadu_si256(self.corrections[column..].as_ptr().cast());
                        let sum = _mm256_cvtepi32_ps(_mm256_sub_epi32(*sum, correction));
                        let scale = _mm256_mul_ps(
                            _mm256_loadu_ps(self.scales[column..].as_ptr()),
                            _mm256_set1_ps(scales[row]),
                        );
                        _mm256_storeu_ps(
                            out[row * self.outputs + column..].as_mut_ptr(),
                            _mm256_mul_ps(sum, scale),
                        );
                    }
                }
            }
        }
    }

    /// Quantises rows to bytes around 64, with a scale per row.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn quantise(x: &[f32], inputs: usize, bytes: &mut [u8], scales: &mut [f32]) {
        for ((row, bytes), scale) in x.chunks_exact(inputs).zip(bytes.chunks_exact_mut(inputs)).zip(scales) {
            let most = row.iter().fold(1e-20f32, |most, value| most.max(value.abs()));
            *scale = most / 63.0;
            let inverse = 63.0 / most;
            for (byte, value) in bytes.iter_mut().zip(row) {
                *byte = (value * inverse + 64.5) as u8;
            }
        }
    }
}
