//! Self-attention over a packed batch, one task a (sequence, head), with DeBERTa's two relative
//! terms (He et al. 2021, equation 4):
//!
//! `score(i, j) = (q_i . k_j + q_i . pos_key[slot(i - j)] + k_j . pos_query[slot(i - j)]) * scale`
//!
//! followed by a softmax over j and the product with the values. `slot` maps a distance to a row
//! of the position projections; which distances share a slot is the model's decision.

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

use crate::host::with_values;

/// How a row of queries, keys and values is cut into heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// Number of heads.
    pub count: usize,
    /// Columns of one head.
    pub size: usize,
}

/// The position projections of one layer, computed once from its weights.
#[derive(Debug, Clone)]
pub struct RelativePositions {
    /// Content to position: `(heads, slots, head size)`.
    pub key: Option<Tensor>,
    /// Position to content: `(heads, slots, head size)`.
    pub query: Option<Tensor>,
}

/// The attention of one layer.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Cut of the columns.
    pub heads: Heads,
    /// Factor on the sum of the score's terms.
    pub scale: f64,
    /// The relative terms, if the layer has them.
    pub relative: Option<RelativePositions>,
}

impl Attention {
    /// `query`, `key`, `value`: `(tokens, heads * head size)`; `offsets`: where each sequence
    /// begins, and the number of tokens at the end; `slots[i + longest - 1]` is the slot of
    /// distance `i`, for distances `-(longest - 1)..=longest - 1`. Returns `(tokens, heads * head size)`.
    ///
    /// # Errors
    /// When shapes and offsets do not fit together.
    pub fn forward(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        offsets: &[usize],
        slots: &[u32],
    ) -> Result<Tensor> {
        let (tokens, width) = query.dims2()?;
        if width != self.heads.count * self.heads.size || offsets.last() != Some(&tokens) {
            return Err(Error::Msg(format!(
                "attention of {:?} over offsets {offsets:?} was given ({tokens}, {width})",
                self.heads
            )));
        }
        let tasks: Vec<(usize, usize, usize)> = offsets
            .windows(2)
            .flat_map(|o| (0..self.heads.count).map(move |head| (o[0], o[1] - o[0], head)))
            .collect();
        let parts = tasks
            .par_iter()
            .map(|&(start, length, head)| {
                let part = |x: &Tensor| {
                    x.narrow(0, start, length)?
                        .narrow(1, head * self.heads.size, self.heads.size)?
                        .contiguous()
                };
                let longest = slots.len().div_ceil(2);
                let slots = slots.get(longest.saturating_sub(length)..).unwrap_or(&[]);
                self.one_head(head, &part(query)?, &part(key)?, &part(value)?, slots)
            })
            .collect::<Result<Vec<_>>>()?;
        self.gather(&parts, offsets)
    }

    /// One sequence, one head: `(length, head size)` each; `slots[0]` is distance `-(length - 1)`.
    fn one_head(&self, head: usize, q: &Tensor, k: &Tensor, v: &Tensor, slots: &[u32]) -> Result<Tensor> {
        let length = q.dim(0)?;
        let mut scores = q.matmul(&k.t()?)?.flatten_all()?.to_vec1::<f32>()?; // (length, length)
        if let Some(relative) = &self.relative {
            if let Some(pos_key) = &relative.key {
                let terms = q.matmul(&pos_key.get(head)?.t()?)?; // (length, slots)
                add_terms(&mut scores, length, &terms, slots, |i, _| i)?;
            }
            if let Some(pos_query) = &relative.query {
                let terms = k.matmul(&pos_query.get(head)?.t()?)?; // (length, slots)
                add_terms(&mut scores, length, &terms, slots, |_, j| j)?;
            }
        }
        for row in scores.chunks_mut(length) {
            softmax(row, self.scale as f32);
        }
        Tensor::from_vec(scores, (length, length), q.device())?.matmul(v) // (length, head size)
    }

    /// Parts in (sequence, head) order, `(length, head size)` each, back to `(tokens, heads * head size)`.
    fn gather(&self, parts: &[Tensor], offsets: &[usize]) -> Result<Tensor> {
        let rows = parts
            .chunks(self.heads.count)
            .zip(offsets.windows(2))
            .filter(|(_, o)| o[1] > o[0])
            .map(|(heads, _)| Tensor::cat(heads, 1))
            .collect::<Result<Vec<_>>>()?;
        Tensor::cat(&rows, 0)
    }
}

/// Adds `terms[owner(i, j)][slot(i - j)]` to every score.
fn add_terms(
    scores: &mut [f32],
    length: usize,
    terms: &Tensor,
    slots: &[u32],
    owner: impl Fn(usize, usize) -> usize,
) -> Result<()> {
    let width = terms.dim(1)?;
    with_values(&terms.contiguous()?, |terms| {
        for (i, row) in scores.chunks_mut(length).enumerate() {
            for (j, score) in row.iter_mut().enumerate() {
                let slot = slots[i + length - 1 - j] as usize;
                *score += terms[owner(i, j) * width + slot];
            }
        }
    })
}

/// In place: `exp(scale * (x - max)) / sum`.
fn softmax(row: &mut [f32], scale: f32) {
    let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in row.iter_mut() {
        *value = ((*value - max) * scale).exp();
        sum += *value;
    }
    for value in row.iter_mut() {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn random(shape: (usize, usize)) -> Tensor {
        Tensor::randn(0f32, 1.0, shape, &Device::Cpu).unwrap()
    }

    fn attention(heads: Heads, slots: usize) -> Attention {
        let positions = || Tensor::randn(0f32, 1.0, (heads.count, slots, heads.size), &Device::Cpu).unwrap();
        Attention {
            heads,
            scale: 0.3,
            relative: Some(RelativePositions { key: Some(positions()), query: Some(positions()) }),
        }
    }

    /// Slots for distances -(longest-1)..longest, clamped into `count` slots.
    fn slots(longest: usize, count: usize) -> Vec<u32> {
        let longest = longest as i64;
        (1 - longest..longest).map(|d| (d + count as i64 / 2).clamp(0, count as i64 - 1) as u32).collect()
    }

    #[test]
    fn agrees_with_the_equation() {
        let heads = Heads { count: 2, size: 3 };
        let layer = attention(heads, 4);
        let (q, k, v) = (random((5, 6)), random((5, 6)), random((5, 6)));
        let table = slots(5, 4);
        let out = layer.forward(&q, &k, &v, &[0, 5], &table).unwrap().to_vec2::<f32>().unwrap();
        let [q, k, v] = [q, k, v].map(|x| x.to_vec2::<f32>().unwrap());
        let relative = layer.relative.unwrap();
        let pos_key = relative.key.unwrap().to_vec3::<f32>().unwrap();
        let pos_query = relative.query.unwrap().to_vec3::<f32>().unwrap();
        for h in 0..heads.count {
            let columns = h * 3..h * 3 + 3;
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            for i in 0..5 {
                let scores: Vec<f32> = (0..5)
                    .map(|j| {
                        let slot = table[i + 4 - j] as usize;
                        let (q, k) = (&q[i][columns.clone()], &k[j][columns.clone()]);
                        ((dot(q, k) + dot(q, &pos_key[h][slot]) + dot(k, &pos_query[h][slot])) * 0.3).exp()
                    })
                    .collect();
                let sum: f32 = scores.iter().sum();
                for (c, column) in columns.clone().enumerate() {
                    let expected: f32 = (0..5).map(|j| scores[j] / sum * v[j][column]).sum();
                    assert!((expected - out[i][h * 3 + c]).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_sequence_does_not_depend_on_its_neighbours() {
        let layer = attention(Heads { count: 3, size: 8 }, 16);
        let lengths = [7usize, 1, 40, 2, 64];
        let mut offsets = vec![0];
        for length in lengths {
            offsets.push(offsets.last().unwrap() + length);
        }
        let total = *offsets.last().unwrap();
        let (q, k, v) = (random((total, 24)), random((total, 24)), random((total, 24)));
        let together = layer.forward(&q, &k, &v, &offsets, &slots(64, 16)).unwrap();
        for (sequence, length) in lengths.into_iter().enumerate() {
            let part = |x: &Tensor| x.narrow(0, offsets[sequence], length).unwrap().contiguous().unwrap();
            let alone =
                layer.forward(&part(&q), &part(&k), &part(&v), &[0, length], &slots(length, 16)).unwrap();
            assert_eq!(alone.to_vec2::<f32>().unwrap(), part(&together).to_vec2::<f32>().unwrap());
        }
    }
}
