//! Self-attention over a packed batch, one task per (sequence, head), with DeBERTa's two relative terms (He et al. 2021,
//! equation 4) or T5's bias by distance:
//!
//! `score(i, j) = (q_i . k_j + q_i . pos_key[slot(i - j)] + k_j . pos_query[slot(i - j)]) * scale`
//!
//! followed by a softmax over j and the product with the values. `slot` maps a distance to a row of the position
//! projections; the model decides which distances share a slot. Only slots within reach of the sequence's length are
//! multiplied, and no gathered (length, length) tensor is built: the position products are added to the scores block
//! by block.

mod bf16;
mod positions;
mod step;

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

pub use positions::RelativePositions;
use positions::{PackedPositions, Panels, Positions, Projection};
pub use step::{Keys, StepAttention};

use crate::aligned::Aligned;
use crate::distances::DistanceTable;
use crate::functions::{LANES, softmax};
use crate::host::host_values;
use crate::isa::{Isa, vectorised};
use crate::matmul::{Bf16Isa, Bf16Matrix, PackedMatrix, Precision, Rows, whole_tiles};
use crate::scratch::{Scratch, sized, with_scratch};

/// Queries of a block, whose scores fit in the cache; a multiple of every tile's rows.
const BLOCK_QUERIES: usize = 48;

/// The heads of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// Number of heads.
    pub count: usize,
    /// Columns of one head.
    pub size: usize,
}

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

/// The result of one query in one head, a part of a row.
type HeadRow<'o> = &'o mut [f32];

/// The queries, keys and values of one (sequence, head).
struct Sequence<'v> {
    head: usize,
    query: Rows<'v>,
    key: Rows<'v>,
    value: Rows<'v>,
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
        self.tasks(&mut out, &query_offsets).into_par_iter().for_each(|(sequence, head, mut out)| {
            let column = head * self.heads.size;
            let tokens = offsets[sequence]..offsets[sequence + 1];
            let sequence = Sequence {
                head,
                query: slice_rows(query_rows, query_offsets[sequence]..query_offsets[sequence + 1], column),
                key: slice_rows(key_rows, tokens.clone(), column),
                value: slice_rows(value_rows, tokens, column),
            };
            self.attend(&sequence, distances, queries, &mut out);
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

    /// The tasks: (sequence, head, the head's part of each row of the result).
    fn tasks<'o>(&self, out: &'o mut [f32], offsets: &[usize]) -> Vec<(usize, usize, Vec<HeadRow<'o>>)> {
        let mut tasks = Vec::with_capacity((offsets.len() - 1) * self.heads.count);
        let mut rows = out.chunks_exact_mut(self.heads.count * self.heads.size);
        for (sequence, o) in offsets.windows(2).enumerate().filter(|(_, o)| o[1] > o[0]) {
            let first = tasks.len();
            let heads = 0..self.heads.count;
            tasks.extend(heads.map(|head| (sequence, head, Vec::with_capacity(o[1] - o[0]))));
            for row in rows.by_ref().take(o[1] - o[0]) {
                let parts = row.chunks_exact_mut(self.heads.size);
                tasks[first..].iter_mut().zip(parts).for_each(|((.., rows), part)| rows.push(part));
            }
        }
        tasks
    }

    fn attend(
        &self,
        sequence: &Sequence<'_>,
        distances: &DistanceTable,
        queries: Queries,
        out: &mut [HeadRow<'_>],
    ) {
        match queries {
            Queries::All => with_scratch(|scratch| match &self.products {
                Products::F32(packed) => self.all_queries(packed, sequence, distances, scratch, out),
                Products::Bf16(isa, packed) => {
                    self.all_queries_in_bf16(*isa, packed, sequence, distances, scratch, out);
                }
            }),
            Queries::First => self.one_query(sequence, 0, distances, out[0]),
        }
    }

    /// One query by the definition, without packing. Used for last layers, and as the plain reference of
    /// [`Self::all_queries`].
    fn one_query(&self, sequence: &Sequence<'_>, query: usize, distances: &DistanceTable, out: &mut [f32]) {
        let size = self.heads.size;
        let query_row = &sequence.query.values[query * sequence.query.stride..][..size];
        let mut scores: Vec<f32> = (0..sequence.key.count)
            .map(|j| {
                let key = &sequence.key.values[j * sequence.key.stride..][..size];
                let mut score = dot(query_row, key);
                if let Some(relative) = &self.relative {
                    let slot = distances.slot(query as i64 - j as i64);
                    let row = |projection: &Option<Projection>, other: &[f32]| {
                        projection.as_ref().map_or(0.0, |p| dot(other, p.row(sequence.head, slot, size)))
                    };
                    score += row(&relative.key, query_row) + row(&relative.query, key);
                    score += relative.bias.as_ref().map_or(0.0, |bias| bias[sequence.head][slot]);
                }
                score
            })
            .collect();
        vectorised!(Isa::best(), softmax(&mut scores, self.scale));
        out.fill(0.0);
        for (j, probability) in scores.iter().enumerate() {
            let value = &sequence.value.values[j * sequence.value.stride..][..size];
            for (out, value) in out.iter_mut().zip(value) {
                *out += probability * value;
            }
        }
    }

    /// All queries of a sequence, block by block, with the product kernel.
    fn all_queries(
        &self,
        packed: &PackedPositions<PackedMatrix>,
        sequence: &Sequence<'_>,
        distances: &DistanceTable,
        scratch: &mut Scratch,
        out: &mut [HeadRow<'_>],
    ) {
        let (size, length) = (self.heads.size, sequence.key.count);
        let Scratch { keys, values, scores, by_key, by_query, tile, .. } = scratch;
        [sequence.query, sequence.key, sequence.value].into_iter().for_each(|rows| prefetch(rows, size));
        keys.fill_transposed(sequence.key, size); // (head size, length)
        values.fill(sequence.value, size); // (length, head size)
        let positions =
            Positions::new(self, packed, sequence.head, distances, (sequence.key, length), by_key);
        let stride = keys.panel_count() * keys.panel_width();
        let scores = sized(scores, BLOCK_QUERIES * stride);
        for first in (0..length).step_by(BLOCK_QUERIES) {
            let queries = slice_rows(sequence.query, first..length.min(first + BLOCK_QUERIES), 0);
            keys.times_panels(0..keys.panel_count(), queries, scores, stride); // (queries, length)
            let content = positions.by_query(queries, first..first + queries.count, by_query);
            let whole = queries.count.next_multiple_of(16) * stride;
            vectorised!(Isa::best(), add_by_key(&positions, first, &mut scores[..whole], stride));
            for (query, row) in scores.chunks_exact_mut(stride).take(queries.count).enumerate() {
                // Padded to whole lanes; the padding has no weight.
                let row = &mut row[..length.next_multiple_of(LANES)];
                row[length..].fill(f32::NEG_INFINITY);
                let query_terms = (first + query, content.map(|content| content.row(query)));
                vectorised!(Isa::best(), probabilities(&positions, query_terms, length, row, self.scale));
            }
            let rows = Rows { values: scores, stride, count: queries.count };
            product(values, rows, tile, &mut out[first..]); // (queries, head size)
        }
    }
}

/// Reads one value of each cache line of some rows. The rows are far apart, so the processor cannot predict the next
/// one; independent reads let the cache misses overlap.
fn prefetch(rows: Rows<'_>, size: usize) {
    const LINE: usize = 16;
    let line = |row: usize, first: usize| rows.values[row * rows.stride + first].to_bits();
    let read = (0..rows.count).flat_map(|row| (0..size).step_by(LINE).map(move |first| line(row, first)));
    std::hint::black_box(read.fold(0, u32::wrapping_add));
}

#[inline(always)]
fn add_by_key<const FMA: bool>(
    positions: &Positions<'_, impl Panels>,
    first: usize,
    scores: &mut [f32],
    stride: usize,
) {
    positions.add_by_key(first, scores, stride);
}

/// Adds the relative terms to a query's content scores and applies the softmax, in place.
#[inline(always)]
fn probabilities<const FMA: bool>(
    positions: &Positions<'_, PackedMatrix>,
    (query, content): (usize, Option<(&[f32], usize)>),
    length: usize,
    row: &mut [f32],
    scale: f32,
) {
    positions.add(query, content, &mut row[..length]);
    softmax::<FMA>(row, scale);
}

/// Multiplies `rows` by the whole matrix into `out`, without padding rows.
fn product(matrix: &PackedMatrix, rows: Rows<'_>, tile: &mut Aligned<f32>, out: &mut [HeadRow<'_>]) {
    let width = matrix.panel_width();
    let tile = sized(tile, whole_tiles(matrix.isa(), rows.count) * width);
    for panel in 0..matrix.panel_count() {
        matrix.times_panel(rows, panel, tile, width);
        let first = panel * width;
        for (out, tile) in out.iter_mut().zip(tile.chunks_exact(width)).take(rows.count) {
            out[first..].iter_mut().zip(tile).for_each(|(out, tile)| *out = *tile);
        }
    }
}

/// A range of rows, from a column on.
fn slice_rows(rows: Rows<'_>, range: std::ops::Range<usize>, column: usize) -> Rows<'_> {
    Rows {
        values: &rows.values[range.start * rows.stride + column..],
        stride: rows.stride,
        count: range.len(),
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
