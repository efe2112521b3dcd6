//! Compares matrix-product back ends: `y = x W^T` in f32, `x` and `y` by rows, `W` as checkpoints store it, `(out, in)`.
//!
//! `products` (a peer of scripts/bench.py peers) answers each line `product` on stdin with the best rate of every back end
//! on a 2,048-cubed product, in GFLOP/s. `products shapes` prints rates on the shapes of the networks, and whether a row's
//! result is bit for bit independent of the other rows. (gemmkit's prepacked operands require a result by columns, which the
//! networks do not have.) Threads: rayon's (RAYON_NUM_THREADS); for matrixmultiply MATMUL_NUM_THREADS.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use anyhow::{Result, bail};
use candle_core::{Device, Tensor};
use serde_json::{Map, Value, json};
use veridic_kernels::Linear;

/// The side length of the product that sets the limit.
const CUBE: usize = 2048;
/// (rows, in, out): projections and both feed-forward layers of the bundled model's shape, of DeBERTa-v3-base and -large;
/// then few rows.
const SHAPES: [(usize, usize, usize); 11] = [
    (2048, 384, 1152),
    (2048, 384, 384),
    (2048, 384, 1536),
    (2048, 1536, 384),
    (2048, 768, 2304),
    (2048, 3072, 768),
    (2048, 1024, 4096),
    (256, 384, 1536),
    (84, 384, 1536),
    (12, 384, 384),
    (1, 384, 384),
];

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => serve(),
        Some("shapes") => {
            shapes();
            Ok(())
        }
        Some(other) => bail!("`{other}`: give `shapes`, or nothing"),
    }
}

fn serve() -> Result<()> {
    let product = Product::random(CUBE, CUBE, CUBE);
    answer(&json!({ "versions": {
        "gemm": "0.19", "gemmkit": "0.1", "matrixmultiply": "0.3", "faer": "0.24", "veridic": "this commit",
    }}))?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "product" => {
                let rates: Map<String, Value> = BackEnd::ALL
                    .into_iter()
                    .map(|back_end| (back_end.name().to_owned(), json!(product.rate(back_end, 3))))
                    .collect();
                answer(&json!({ "gflops": rates }))?;
            }
            other => bail!("unknown command `{other}`"),
        }
    }
    Ok(())
}

fn answer(value: &Value) -> Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}

fn shapes() {
    print!("{:>6} {:>5} {:>5}", "rows", "in", "out");
    BackEnd::ALL.iter().for_each(|back_end| print!(" {:>15}", back_end.name()));
    println!("   GFLOP/s; * rows change with their neighbours");
    for (rows, inputs, outputs) in SHAPES {
        let product = Product::random(rows, inputs, outputs);
        print!("{rows:>6} {inputs:>5} {outputs:>5}");
        for back_end in BackEnd::ALL {
            let repeats = (4_000_000_000 / (2 * rows * inputs * outputs)).clamp(5, 2000);
            let mark = if product.rows_stand_alone(back_end) { ' ' } else { '*' };
            print!(" {:>14.1}{mark}", product.rate(back_end, repeats));
        }
        println!();
    }
}

#[derive(Clone, Copy)]
enum BackEnd {
    Veridic,
    Gemm,
    Gemmkit,
    MatrixMultiply,
    Faer,
}

impl BackEnd {
    const ALL: [Self; 5] = [Self::Veridic, Self::Gemm, Self::Gemmkit, Self::MatrixMultiply, Self::Faer];

    fn name(self) -> &'static str {
        match self {
            Self::Veridic => "veridic",
            Self::Gemm => "gemm",
            Self::Gemmkit => "gemmkit",
            Self::MatrixMultiply => "matrixmultiply",
            Self::Faer => "faer",
        }
    }
}

struct Product {
    rows: usize,
    inputs: usize,
    outputs: usize,
    x: Vec<f32>,
    weight: Vec<f32>,
    layer: Linear,
}

impl Product {
    fn random(rows: usize, inputs: usize, outputs: usize) -> Self {
        let (x, weight) = (numbers(rows * inputs, 1), numbers(outputs * inputs, 2));
        let tensor = Tensor::from_slice(&weight, (outputs, inputs), &Device::Cpu).expect("shapes fit");
        let layer = Linear::new(&tensor, None).expect("shapes fit");
        Self { rows, inputs, outputs, x, weight, layer }
    }

    /// Returns the GFLOP/s of the fastest of several runs, after an uncounted one.
    fn rate(&self, back_end: BackEnd, repeats: usize) -> f64 {
        let operations = (2 * self.rows * self.inputs * self.outputs) as f64;
        let x = Tensor::from_slice(&self.x, (self.rows, self.inputs), &Device::Cpu).expect("shapes fit");
        let mut out = vec![0.0; self.rows * self.outputs];
        let seconds = (0..=repeats).map(|_| {
            let start = Instant::now();
            match back_end {
                BackEnd::Veridic => drop(self.layer.forward(&x).expect("shapes fit")),
                _ => self.run(back_end, &self.x, &mut out),
            }
            start.elapsed().as_secs_f64()
        });
        operations / seconds.skip(1).fold(f64::INFINITY, f64::min) / 1e9
    }

    /// Whether one row, and a few, give the same results as among all rows.
    fn rows_stand_alone(&self, back_end: BackEnd) -> bool {
        let mut all = vec![0.0; self.rows * self.outputs];
        self.run(back_end, &self.x, &mut all);
        [(0, 1), (self.rows / 2, 1), (self.rows / 3, self.rows / 4)].into_iter().all(|(first, count)| {
            let x = &self.x[first * self.inputs..(first + count) * self.inputs];
            let mut some = vec![0.0; count * self.outputs];
            self.run(back_end, x, &mut some);
            some == all[first * self.outputs..(first + count) * self.outputs]
        })
    }

    fn run(&self, back_end: BackEnd, x: &[f32], out: &mut [f32]) {
        let (rows, inputs, outputs) = (x.len() / self.inputs, self.inputs, self.outputs);
        if rows == 0 {
            return;
        }
        let threads = rayon::current_num_threads();
        match back_end {
            BackEnd::Veridic => {
                let x = Tensor::from_slice(x, (rows, inputs), &Device::Cpu).expect("shapes fit");
                let y = self.layer.forward(&x).expect("shapes fit").flatten_all().expect("contiguous");
                out.copy_from_slice(&y.to_vec1::<f32>().expect("f32"));
            }
            // SAFETY: strides and sizes are those of the three slices.
            BackEnd::Gemm => unsafe {
                gemm::gemm(
                    rows,
                    outputs,
                    inputs,
                    out.as_mut_ptr(),
                    1,
                    outputs as isize,
                    false,
                    x.as_ptr(),
                    1,
                    inputs as isize,
                    self.weight.as_ptr(),
                    inputs as isize,
                    1,
                    0.0,
                    1.0,
                    false,
                    false,
                    false,
                    gemm::Parallelism::Rayon(threads),
                );
            },
            BackEnd::Gemmkit => gemmkit::gemm(
                1.0,
                gemmkit::MatRef::from_row_major(x, rows, inputs),
                gemmkit::MatRef::from_col_major(&self.weight, inputs, outputs),
                0.0,
                gemmkit::MatMut::from_row_major(out, rows, outputs),
                gemmkit::Parallelism::Rayon(threads),
            ),
            // SAFETY: as above.
            BackEnd::MatrixMultiply => unsafe {
                matrixmultiply::sgemm(
                    rows,
                    inputs,
                    outputs,
                    1.0,
                    x.as_ptr(),
                    inputs as isize,
                    1,
                    self.weight.as_ptr(),
                    1,
                    inputs as isize,
                    0.0,
                    out.as_mut_ptr(),
                    outputs as isize,
                    1,
                );
            },
            BackEnd::Faer => faer::linalg::matmul::matmul(
                faer::MatMut::from_row_major_slice_mut(out, rows, outputs),
                faer::Accum::Replace,
                faer::MatRef::from_row_major_slice(x, rows, inputs),
                faer::MatRef::from_column_major_slice(&self.weight, inputs, outputs),
                1.0,
                faer::Par::rayon(threads),
            ),
        }
    }
}

/// Returns numbers in -1..1, determined by the seed.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .collect()
}
