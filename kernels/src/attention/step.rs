//! Attention of a decoding step: one query per row, each over its own selection of rows in the key-value cache. Since a
//! query lists the cache rows of its keys, nothing is copied when beams are reordered.

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

use super::heads::Heads;
use crate::functions::{add_scaled, dot, softmax};
use crate::host::host_values;
use crate::isa::{Isa, vectorised};

/// The cache rows that a query attends to, in position order.
#[derive(Debug, Clone, Copy)]
pub enum Keys<'k> {
    /// `count` rows from `first` on.
    Span {
        /// The first row.
        first: usize,
        /// Their number.
        count: usize,
    },
    /// The rows with these indices.
    Rows(&'k [u32]),
}

impl Keys<'_> {
    fn count(&self) -> usize {
        match self {
            Self::Span { count, .. } => *count,
            Self::Rows(rows) => rows.len(),
        }
    }

    fn row(&self, position: usize) -> usize {
        match self {
            Self::Span { first, .. } => first + position,
            Self::Rows(rows) => rows[position] as usize,
        }
    }
}

/// `softmax((q . k + bias) * scale) v`, for each row and head.
#[derive(Debug, Clone, Copy)]
pub struct StepAttention<'a> {
    /// The heads of the layer.
    pub heads: Heads,
    /// The factor on the scores, including the bias.
    pub scale: f32,
    /// The key-value cache, `(rows, 2 * width)`, each row a key and a value, with `width = heads * head size`.
    pub cache: &'a [f32],
    /// The bias of each head and position, `(heads, positions)`, the same for all queries.
    pub bias: Option<&'a [Vec<f32>]>,
}

impl StepAttention<'_> {
    /// `query`: `(queries, width)`; `keys`: the keys of each query. Returns `(queries, width)`.
    ///
    /// # Errors
    /// When shapes do not fit together, a cache row does not exist, or a query has no keys.
    pub fn forward(&self, query: &Tensor, keys: &[Keys<'_>]) -> Result<Tensor> {
        let width = self.heads.count * self.heads.size;
        if width == 0 || query.dims2()? != (keys.len(), width) {
            return Err(Error::Msg(format!(
                "{} lists of keys were given for queries of shape {:?}",
                keys.len(),
                query.shape()
            )));
        }
        keys.iter().try_for_each(|keys| self.check(keys))?;
        let queries = host_values(query)?;
        let queries: &[f32] = &queries;
        let mut out = vec![0.0; queries.len()];
        out.par_chunks_mut(width)
            .zip(queries.par_chunks(width))
            .zip(keys)
            .for_each(|((out, query), keys)| self.one_row(query, keys, out));
        Tensor::from_vec(out, (keys.len(), width), query.device())
    }

    fn check(&self, keys: &Keys<'_>) -> Result<()> {
        let rows = self.cache.len() / (2 * self.heads.count * self.heads.size);
        let beyond = match keys {
            Keys::Span { first, count } => first + count > rows,
            Keys::Rows(all) => all.iter().any(|row| *row as usize >= rows),
        };
        let biased = |bias: &[Vec<f32>]| {
            bias.len() == self.heads.count && bias.iter().all(|row| row.len() >= keys.count())
        };
        if beyond || keys.count() == 0 || !self.bias.is_none_or(biased) {
            return Err(Error::Msg(format!(
                "{} keys do not fit a cache of {rows} rows or the position bias",
                keys.count()
            )));
        }
        Ok(())
    }

    /// All heads of one query together, so that each cache row is read sequentially and once.
    fn one_row(&self, query: &[f32], keys: &Keys<'_>, out: &mut [f32]) {
        let (isa, size, count) = (Isa::best(), self.heads.size, keys.count());
        let mut scores = vec![0.0; self.heads.count * count]; // (heads, positions)
        for position in 0..count {
            let key = self.cached(keys.row(position), 0);
            vectorised!(isa, key_scores(query, key, size, &mut scores[position..], count));
        }
        for (head, scores) in scores.chunks_exact_mut(count).enumerate() {
            if let Some(bias) = self.bias {
                scores.iter_mut().zip(&bias[head]).for_each(|(score, bias)| *score += bias);
            }
            vectorised!(isa, softmax(scores, self.scale));
        }
        for position in 0..count {
            let value = self.cached(keys.row(position), 1);
            vectorised!(isa, add_values(out, &scores[position..], count, value, size));
        }
    }

    /// The key (`part` 0) or value (`part` 1) of a cache row, `(width)`.
    fn cached(&self, row: usize, part: usize) -> &[f32] {
        let width = self.heads.count * self.heads.size;
        &self.cache[(2 * row + part) * width..][..width]
    }
}

/// The scores of one key with each head's query, `stride` apart.
#[inline(always)]
fn key_scores<const FMA: bool>(query: &[f32], key: &[f32], size: usize, scores: &mut [f32], stride: usize) {
    for (head, (query, key)) in query.chunks_exact(size).zip(key.chunks_exact(size)).enumerate() {
        scores[head * stride] = dot::<FMA>(query, key);
    }
}

/// Adds one value times each head's probability (`stride` apart).
#[inline(always)]
fn add_values<const FMA: bool>(
    out: &mut [f32],
    probabilities: &[f32],
    stride: usize,
    value: &[f32],
    size: usize,
) {
    for (head, (out, value)) in out.chunks_exact_mut(size).zip(value.chunks_exact(size)).enumerate() {
        add_scaled::<FMA>(out, probabilities[head * stride], value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_numbers;
    use candle_core::Device;

    #[test]
    fn agrees_with_the_definition_and_rows_are_independent() {
        for (count, size) in [(1, 1), (2, 8), (3, 20), (2, 64)] {
            let heads = Heads { count, size };
            let width = count * size;
            let cache = test_numbers(40 * 2 * width, 1);
            let bias: Vec<Vec<f32>> = (0..count).map(|head| test_numbers(30, 50 + head as u32)).collect();
            let attention = StepAttention { heads, scale: 0.7, cache: &cache, bias: Some(&bias) };
            let query = Tensor::from_vec(test_numbers(3 * width, 2), (3, width), &Device::Cpu).unwrap();
            let rows = [7, 7, 39, 0, 12];
            let keys =
                [Keys::Span { first: 3, count: 30 }, Keys::Rows(&rows), Keys::Span { first: 39, count: 1 }];
            let got = attention.forward(&query, &keys).unwrap().to_vec2::<f32>().unwrap();
            let queries = query.to_vec2::<f32>().unwrap();
            for (row, keys) in keys.iter().enumerate() {
                for (column, got) in got[row].iter().enumerate() {
                    let head = column / size;
                    let cell = |position: usize, column: usize| {
                        f64::from(cache[keys.row(position) * 2 * width + column])
                    };
                    let score = |position: usize| {
                        let columns = head * size..(head + 1) * size;
                        let dot: f64 = columns.map(|c| f64::from(queries[row][c]) * cell(position, c)).sum();
                        ((dot + f64::from(bias[head][position])) * 0.7).exp()
                    };
                    let total: f64 = (0..keys.count()).map(score).sum();
                    let expected: f64 =
                        (0..keys.count()).map(|p| score(p) / total * cell(p, width + column)).sum();
                    assert!((f64::from(*got) - expected).abs() < 1e-5, "{heads:?}, row {row}");
                }
            }
            let alone = attention.forward(&query.narrow(0, 1, 1).unwrap(), &keys[1..2]).unwrap();
            assert_eq!(alone.to_vec2::<f32>().unwrap()[0], got[1]);
        }
    }

    #[test]
    fn cache_rows_that_do_not_exist_are_errors() {
        let heads = Heads { count: 1, size: 4 };
        let cache = test_numbers(5 * 8, 1);
        let attention = StepAttention { heads, scale: 1.0, cache: &cache, bias: None };
        let query = Tensor::zeros((1, 4), candle_core::DType::F32, &Device::Cpu).unwrap();
        for keys in [Keys::Rows(&[5]), Keys::Span { first: 4, count: 2 }, Keys::Rows(&[])] {
            assert!(attention.forward(&query, &[keys]).is_err(), "{keys:?}");
        }
    }
}
