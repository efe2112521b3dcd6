//! Self-attention over a packed batch, one task per (sequence, head), with DeBERTa's two relative terms (He et al. 2021,
//! equation 4) or T5's bias by distance:
//!
//! `score(i, j) = (q_i . k_j + q_i . pos_key[slot(i - j)] + k_j . pos_query[slot(i - j)]) * scale`
//!
//! followed by a softmax over j and the product with the values. `slot` maps a distance to a row of the position
//! projections; the model decides which distances share a slot. Only slots within reach of the sequence's length are
//! multiplied, and no gathered (length, length) tensor is built: the position products are added to the scores block
//! by block.

mod heads;
mod in_bf16;
mod in_f32;
mod panels;
mod positions;
mod relative;
mod sequence;
mod step;

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

pub use heads::Heads;
use positions::PackedPositions;
use relative::Projection;
pub use relative::RelativePositions;
use sequence::{HeadRow, Sequence};
pub use step::{Keys, StepAttention};

use crate::distances::DistanceTable;
use crate::functions::softmax;
use crate::host::host_values;
use crate::isa::{Isa, vectorised};
use crate::matmul::{Bf16Isa, Bf16Matrix, PackedMatrix, Precision, Rows};
use crate::scratch::with_scratch;

/// The tokens of each sequence that are queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queries {
    /// Every token.
    All,
    /// The first token, for a last layer whose other states are not used.
    First,
}

/// The columns of a matrix from `first_column` on.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'t> {
    /// `(rows, columns)`
    pub matrix: &'t Tensor,
    /// The first of the columns.
    pub first_column: usize,
}

impl Columns<'_> {
    /// The columns of each row within the matrix's values.
    fn rows<'v>(&self, values: &'v [f32]) -> Result<Rows<'v>> {
        let (count, stride) = self.matrix.dims2()?;
        Ok(Rows { values: values.get(self.first_column..).unwrap_or(&[]), stride, count })
    }
}

/// The attention of one layer.
#[derive(Debug, Clone)]
pub struct Attention {
    heads: Heads,
    scale: f32,
    relative: Option<RelativePositions>,
    products: Products,
}

/// The arithmetic of the products, with the packed position projections.
#[derive(Debug, Clone)]
enum Products {
    F32(PackedPositions<PackedMatrix>),
    Bf16(Bf16Isa, PackedPositions<Bf16Matrix>),
}

/// A (sequence, head), and its part of each row of the result.
struct Task<'o> {
    sequence: usize,
    head: usize,
    out: Vec<HeadRow<'o>>,
}

impl Attention {
    /// `scale`: the factor on the sum of a score's terms; `relative`: the relative terms, if the layer has them;
    /// `precision`: the layer's precision.
    ///
    /// # Errors
    /// When this processor does not support `precision`.
    pub fn new(
        heads: Heads,
        scale: f32,
        relative: Option<RelativePositions>,
        precision: Precision,
    ) -> Result<Self> {
        Ok(Self::with(heads, scale, relative, precision.of_attention()?))
    }

    /// With products in bf16 by this instruction set, or in f32.
    fn with(heads: Heads, scale: f32, relative: Option<RelativePositions>, bf16: Option<Bf16Isa>) -> Self {
        let products = match bf16 {
            None => Products::F32(PackedPositions::of(relative.as_ref(), |rows, size| {
                let mut packed = PackedMatrix::empty(Isa::best());
                packed.fill_transposed(rows, size);
                packed
            })),
            Some(isa) => Products::Bf16(
                isa,
                PackedPositions::of(relative.as_ref(), |rows, size| {
                    let mut packed = Bf16Matrix::empty(isa);
                    packed.fill_transposed(rows, size);
                    packed
                }),
            ),
        };
        Self { heads, scale, relative, products }
    }

    /// `query`: `(tokens, width)`, or `(sequences, width)` for [`Queries::First`]; `key` and `value`:
    /// `(tokens, width)`, with `width = heads * head size`; `offsets`: the start of each sequence, and the number of
    /// tokens at the end. Returns `(queries, width)`.
    ///
    /// # Errors
    /// When shapes, offsets and distances do not fit together.
    pub fn forward(
        &self,
        query: Columns<'_>,
        key: Columns<'_>,
        value: Columns<'_>,
        offsets: &[usize],
        distances: &DistanceTable,
        queries: Queries,
    ) -> Result<Tensor> {
        let width = self.heads.count * self.heads.size;
        let tokens = offsets.last().copied().unwrap_or(0);
        let query_offsets: Vec<usize> = match queries {
            Queries::All => offsets.to_vec(),
            Queries::First => (0..offsets.len()).collect(),
        };
        let query_count = query_offsets.last().copied().unwrap_or(0);
        if width == 0 || offsets.first() != Some(&0) || !offsets.is_sorted() {
            return Err(Error::Msg(format!(
                "invalid heads {:?} or offsets {offsets:?} of attention",
                self.heads
            )));
        }
        check(query, query_count, width)?;
        check(key, tokens, width)?;
        check(value, tokens, width)?;
        self.check_distances(offsets, distances)?;
        let mut out = vec![0.0; query_count * width];
        let (query_values, key_values, value_values) =
            (host_values(query.matrix)?, host_values(key.matrix)?, host_values(value.matrix)?);
        let (query_rows, key_rows, value_rows) =
            (query.rows(&query_values)?, key.rows(&key_values)?, value.rows(&value_values)?);
        self.tasks(&mut out, &query_offsets).into_par_iter().for_each(|Task { sequence, head, mut out }| {
            let Heads { size, .. } = self.heads;
            let tokens = offsets[sequence]..offsets[sequence + 1];
            let sequence = Sequence {
                head,
                size,
                scale: self.scale,
                distances,
                query: query_rows.part(query_offsets[sequence]..query_offsets[sequence + 1], head * size),
                key: key_rows.part(tokens.clone(), head * size),
                value: value_rows.part(tokens, head * size),
            };
            self.attend(&sequence, queries, &mut out);
        });
        Tensor::from_vec(out, (query_count, width), query.matrix.device())
    }

    fn check_distances(&self, offsets: &[usize], distances: &DistanceTable) -> Result<()> {
        let longest = offsets.windows(2).map(|o| o[1].saturating_sub(o[0])).max().unwrap_or(0);
        if let Some(relative) = &self.relative {
            relative.check(self.heads, distances)?;
        }
        if self.relative.is_some() && distances.longest() < longest {
            return Err(Error::Msg(format!(
                "a distance table for {} tokens was given for a sequence of {longest} tokens",
                distances.longest()
            )));
        }
        Ok(())
    }

    fn tasks<'o>(&self, out: &'o mut [f32], offsets: &[usize]) -> Vec<Task<'o>> {
        let mut tasks = Vec::with_capacity((offsets.len() - 1) * self.heads.count);
        let mut rows = out.chunks_exact_mut(self.heads.count * self.heads.size);
        for (sequence, o) in offsets.windows(2).enumerate().filter(|(_, o)| o[1] > o[0]) {
            let first = tasks.len();
            let heads = 0..self.heads.count;
            tasks.extend(heads.map(|head| Task { sequence, head, out: Vec::with_capacity(o[1] - o[0]) }));
            for row in rows.by_ref().take(o[1] - o[0]) {
                let parts = row.chunks_exact_mut(self.heads.size);
                tasks[first..].iter_mut().zip(parts).for_each(|(task, part)| task.out.push(part));
            }
        }
        tasks
    }

    fn attend(&self, sequence: &Sequence<'_>, queries: Queries, out: &mut [HeadRow<'_>]) {
        match queries {
            Queries::All => with_scratch(|scratch| match &self.products {
                Products::F32(packed) => in_f32::all_queries(packed, sequence, scratch, out),
                Products::Bf16(isa, packed) => in_bf16::all_queries(*isa, packed, sequence, scratch, out),
            }),
            Queries::First => self.one_query(sequence, 0, out[0]),
        }
    }

    /// One query by the definition, without packing. Used for last layers, and as the plain reference of
    /// all queries.
    fn one_query(&self, sequence: &Sequence<'_>, query: usize, out: &mut [f32]) {
        let size = sequence.size;
        let query_row = &sequence.query.values[query * sequence.query.stride..][..size];
        let mut scores: Vec<f32> = (0..sequence.key.count)
            .map(|j| {
                let key = &sequence.key.values[j * sequence.key.stride..][..size];
                let mut score = dot(query_row, key);
                if let Some(relative) = &self.relative {
                    let slot = sequence.distances.slot(query as i64 - j as i64);
                    let row = |projection: &Option<Projection>, other: &[f32]| {
                        projection.as_ref().map_or(0.0, |p| dot(other, p.row(sequence.head, slot, size)))
                    };
                    score += row(&relative.key, query_row) + row(&relative.query, key);
                    score += relative.bias.as_ref().map_or(0.0, |bias| bias[sequence.head][slot]);
                }
                score
            })
            .collect();
        vectorised!(Isa::best(), softmax(&mut scores, sequence.scale));
        out.fill(0.0);
        for (j, probability) in scores.iter().enumerate() {
            let value = &sequence.value.values[j * sequence.value.stride..][..size];
            for (out, value) in out.iter_mut().zip(value) {
                *out += probability * value;
            }
        }
    }
}

fn check(columns: Columns<'_>, rows: usize, width: usize) -> Result<()> {
    let shape = columns.matrix.dims2()?;
    if shape.0 != rows || shape.1 < columns.first_column + width {
        return Err(Error::Msg(format!(
            "attention over {rows} rows and {width} columns from column {} was given a matrix of shape {shape:?}",
            columns.first_column
        )));
    }
    Ok(())
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests;
