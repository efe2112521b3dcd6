//! Rotary positions (Su et al. 2021, section 3.2.2): each head's columns `i` and `i + size / 2` are a point in a plane,
//! turned by `position * theta^(-2 i / size)`. Angles are computed in f32, as in Python's `transformers`.

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

use crate::attention::Heads;
use crate::host::host_values;

/// Rows of one parallel task.
const ROWS_PER_TASK: usize = 64;

/// The rotation of a layer's queries and keys.
#[derive(Debug, Clone)]
pub struct Rotary {
    heads: Heads,
    /// Angles of position 1: (head size / 2).
    steps: Vec<f32>,
}

impl Rotary {
    /// `theta`: the base of the wavelengths.
    ///
    /// # Errors
    /// When the size of a head is odd, or `theta` is not a positive number.
    pub fn new(heads: Heads, theta: f64) -> Result<Self> {
        if !heads.size.is_multiple_of(2) || !theta.is_finite() || theta <= 0.0 {
            return Err(Error::Msg(format!("rotary positions of theta {theta} do not fit {heads:?}")));
        }
        let step = |i: usize| 1.0 / (theta as f32).powf((2 * i) as f32 / heads.size as f32);
        Ok(Self { heads, steps: (0..heads.size / 2).map(step).collect() })
    }

    /// Turns queries and keys, the first `2 * width` columns of `projections`, with `width = heads * head size`; the
    /// columns after them, the values, stay as they are. `positions`: one a row.
    ///
    /// # Errors
    /// When shapes do not fit together, or the matrix is not contiguous f32 in host memory.
    pub fn forward(&self, projections: &Tensor, positions: &[u32]) -> Result<Tensor> {
        let (rows, columns) = projections.dims2()?;
        let turned = 2 * self.heads.count * self.heads.size;
        if rows != positions.len() || columns < turned {
            return Err(Error::Msg(format!(
                "rotary positions of {:?} were given {rows} rows of {columns} columns and {} positions",
                self.heads,
                positions.len()
            )));
        }
        let mut values = host_values(projections)?.to_vec();
        let tasks = values.par_chunks_mut(columns * ROWS_PER_TASK).zip(positions.par_chunks(ROWS_PER_TASK));
        tasks.for_each(|(rows, positions)| {
            for (row, position) in rows.chunks_exact_mut(columns).zip(positions) {
                self.turn(&mut row[..turned], *position);
            }
        });
        Tensor::from_vec(values, (rows, columns), projections.device())
    }

    /// Turns all heads of one row.
    fn turn(&self, row: &mut [f32], position: u32) {
        let turns: Vec<(f32, f32)> =
            self.steps.iter().map(|step| (position as f32 * step).sin_cos()).collect();
        for head in row.chunks_exact_mut(self.heads.size) {
            let (first, second) = head.split_at_mut(turns.len());
            for ((a, b), (sin, cos)) in first.iter_mut().zip(second).zip(&turns) {
                (*a, *b) = (*a * cos - *b * sin, *b * cos + *a * sin);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::test_numbers;

    const HEADS: Heads = Heads { count: 2, size: 6 };

    /// Against the complex product of the definition in f64.
    #[test]
    fn queries_and_keys_are_turned_and_values_are_not() {
        let (rows, columns) = (70, 36);
        let x = test_numbers(rows * columns, 5);
        let positions: Vec<u32> = (0..rows as u32).map(|row| row * 7 % 53).collect();
        let tensor = Tensor::from_vec(x.clone(), (rows, columns), &Device::Cpu).unwrap();
        let ours = Rotary::new(HEADS, 100.0).unwrap().forward(&tensor, &positions).unwrap();
        for (row, ours) in ours.to_vec2::<f32>().unwrap().iter().enumerate() {
            let x = &x[row * columns..][..columns];
            assert_eq!(ours[24..], x[24..]);
            for (column, ours) in ours[..24].iter().enumerate() {
                let (head, i) = (column / 6 * 6, column % 6);
                let angle = f64::from(positions[row]) * 100f64.powf(-2.0 * (i % 3) as f64 / 6.0);
                let (re, im) = (f64::from(x[head + i % 3]), f64::from(x[head + i % 3 + 3]));
                let expected = if i < 3 {
                    re * angle.cos() - im * angle.sin()
                } else {
                    re * angle.sin() + im * angle.cos()
                };
                assert!((f64::from(*ours) - expected).abs() < 1e-5, "{row}, {column}");
            }
        }
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let odd = Heads { count: 2, size: 5 };
        assert!(Rotary::new(odd, 100.0).is_err() && Rotary::new(HEADS, 0.0).is_err());
        let rotary = Rotary::new(HEADS, 100.0).unwrap();
        let x = Tensor::zeros((2, 36), candle_core::DType::F32, &Device::Cpu).unwrap();
        assert!(rotary.forward(&x, &[0]).is_err());
        assert!(rotary.forward(&x.narrow(1, 0, 23).unwrap(), &[0, 1]).is_err());
    }
}
