//! The products of a layer's position projections with the queries and keys of one (sequence, head), and their addition
//! to the scores, block by block.

use std::ops::Range;

use super::panels::Panels;
use super::relative::{Projection, RelativePositions};
use super::sequence::Sequence;
use crate::aligned::Aligned;
use crate::distances::DistanceTable;
use crate::matmul::Rows;
use crate::scratch::sized;

/// A layer's position projections packed as right sides of products: for each head the transpose, (head size, slots).
#[derive(Debug, Clone)]
pub(super) struct PackedPositions<P> {
    /// Slots in reverse order, so that a query's products are in key order.
    key: Option<Vec<P>>,
    /// Number of slots of `key`; 0 without it.
    key_slots: usize,
    query: Option<Vec<P>>,
    /// Each head's bias by slot, in reverse order.
    bias: Option<Vec<Vec<f32>>>,
}

impl<P> PackedPositions<P> {
    /// Whether the layer has position-to-content terms.
    pub(super) fn reads_keys(&self) -> bool {
        self.query.is_some()
    }

    /// Packs the projections; `pack(rows, size)` packs the transpose of rows of `size` values.
    pub(super) fn of(relative: Option<&RelativePositions>, pack: impl Fn(Rows<'_>, usize) -> P) -> Self {
        let packed = |rows: &[f32], slots: usize, size: usize| {
            let head = |values| pack(Rows { values, stride: size, count: slots }, size);
            rows.chunks_exact(slots * size).map(head).collect()
        };
        let reversed = |Projection { rows, slots, size }: &Projection| {
            let heads = rows.chunks_exact(slots * size);
            let rows: Vec<f32> =
                heads.flat_map(|head| head.rchunks_exact(*size)).flatten().copied().collect();
            packed(&rows, *slots, *size)
        };
        let in_order = |Projection { rows, slots, size }: &Projection| packed(rows, *slots, *size);
        let key = relative.and_then(|relative| relative.key.as_ref());
        Self {
            key: key.map(reversed),
            key_slots: key.map_or(0, |key| key.slots),
            query: relative.and_then(|relative| relative.query.as_ref()).map(in_order),
            bias: relative
                .and_then(|relative| relative.bias.as_ref())
                .map(|heads| heads.iter().map(|slots| slots.iter().rev().copied().collect()).collect()),
        }
    }
}

/// The position products of one (sequence, head).
pub(super) struct Positions<'a, P> {
    distances: &'a DistanceTable,
    /// `k_j . pos_query[slot]`: `(length, slots)`.
    by_key: Option<Products<'a>>,
    /// Content to position, and its number of slots.
    key: Option<&'a P>,
    key_slots: usize,
    /// (slots), in reverse order.
    bias: Option<&'a [f32]>,
    length: usize,
}

/// Products of queries or keys with the position projections of a range of slots.
#[derive(Clone, Copy)]
pub(super) struct Products<'b> {
    values: &'b [f32],
    stride: usize,
    /// The index of the first column's slot in packed order.
    first: usize,
}

/// The products of one query or key.
#[derive(Clone, Copy)]
pub(super) struct ProductRow<'b> {
    values: &'b [f32],
    /// The index of the first one's slot in packed order.
    first: usize,
}

/// Keys of a block of products with positions; few keys reach fewer slots. A multiple of every tile's rows.
const BLOCK_KEYS: usize = 48;

impl<'b> Products<'b> {
    pub(super) fn row(&self, row: usize) -> ProductRow<'b> {
        ProductRow { values: &self.values[row * self.stride..][..self.stride], first: self.first }
    }
}

/// The panels that hold the columns `first..=last`.
fn panels_of(packed: &impl Panels, first: usize, last: usize) -> Range<usize> {
    first / packed.width()..last / packed.width() + 1
}

impl<'a, P: Panels> Positions<'a, P> {
    /// `keys`: those of the sequence, as a left side.
    pub(super) fn new(
        packed: &'a PackedPositions<P>,
        sequence: &Sequence<'a>,
        keys: P::Left<'_>,
        by_key: &'a mut Aligned<f32>,
    ) -> Self {
        let Sequence { head, distances, .. } = *sequence;
        let length = sequence.length();
        let by_key = packed.query.as_ref().map(|heads| {
            let packed = &heads[head];
            let reached = |keys: Range<usize>| {
                let slot = |query: usize, key: usize| distances.slot(query as i64 - key as i64);
                panels_of(packed, slot(0, keys.end - 1), slot(length - 1, keys.start))
            };
            let all = reached(0..length);
            let (stride, first) = (all.len() * packed.width(), all.start * packed.width());
            let values = sized(by_key, packed.tiled_rows(keys) * stride);
            for start in (0..length).step_by(BLOCK_KEYS) {
                let block = start..length.min(start + BLOCK_KEYS);
                let panels = reached(block.clone());
                let position = start * stride + (panels.start - all.start) * packed.width();
                packed.multiply(panels, keys, block, &mut values[position..], stride);
            }
            Products { values, stride, first }
        });
        Self {
            distances,
            by_key,
            key: packed.key.as_ref().map(|heads| &heads[head]),
            key_slots: packed.key_slots,
            bias: packed.bias.as_ref().map(|heads| &heads[head][..]),
            length,
        }
    }

    /// `q_i . pos_key[slot]` for a range of queries, over the slots within reach in reverse order.
    pub(super) fn by_query<'b>(
        &self,
        rows: P::Left<'_>,
        queries: Range<usize>,
        buffer: &'b mut Aligned<f32>,
    ) -> Option<Products<'b>> {
        let packed = self.key?;
        let last = self.key_slots - 1;
        let column = |query: usize, key: usize| last - self.distances.slot(query as i64 - key as i64);
        let panels = panels_of(packed, column(queries.end - 1, 0), column(queries.start, self.length - 1));
        let (stride, first) = (panels.len() * packed.width(), panels.start * packed.width());
        let values = sized(buffer, packed.tiled_rows(rows) * stride);
        packed.multiply(panels, rows, 0..queries.len(), values, stride);
        Some(Products { values, stride, first })
    }

    /// The products of a block of keys with the slots of their distances from a block of queries: `(keys, queries)`.
    /// Neighbouring queries use neighbouring slots, so that a key's products are contiguous. Values beyond the sequence
    /// are unspecified.
    #[inline(always)]
    fn block(&self, by_key: &Products<'_>, query: usize, key: usize) -> Block {
        // The slots of all distances in the block, from (query, last key) to (last query, key).
        let nearest = query as i64 - key as i64 - (SIDE as i64 - 1);
        let furthest = self.length as i64 - 1;
        let slots: [usize; 2 * SIDE - 1] = std::array::from_fn(|index| {
            self.distances.slot((nearest + index as i64).clamp(-furthest, furthest)) - by_key.first
        });
        let is_consecutive = slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let mut block = [[0.0; SIDE]; SIDE];
        for (offset, out) in block.iter_mut().enumerate().take(self.length - key) {
            let row = by_key.row(key + offset).values;
            let slots = &slots[SIDE - 1 - offset..][..SIDE];
            let reached = &row[slots[0]..=slots[SIDE - 1]];
            if is_consecutive {
                out.copy_from_slice(reached);
            } else if reached.len() <= SIDE {
                let mut near = [0.0; SIDE];
                near[..reached.len()].copy_from_slice(reached);
                out.iter_mut().zip(slots).for_each(|(out, slot)| *out = near[(slot - slots[0]) % SIDE]);
            } else {
                out.iter_mut().zip(slots).for_each(|(out, slot)| *out = row[*slot]);
            }
        }
        block
    }

    /// Adds the terms of query `i`, with its row of [`Self::by_query`], to its scores, of which the first `length` are
    /// those of keys.
    #[inline(always)]
    pub(super) fn add(&self, i: usize, content: Option<ProductRow<'_>>, scores: &mut [f32]) {
        let scores = &mut scores[..self.length];
        let slots = || self.distances.slots_in_key_order(i, self.length);
        if let Some(content) = content {
            add_by_slot(slots(), content.values, self.key_slots - 1 - content.first, scores);
        }
        if let Some(bias) = self.bias {
            add_by_slot(slots(), bias, bias.len() - 1, scores);
        }
    }
}

/// Adds the products of keys with positions to the scores of the queries from `first` on. `scores`: `(whole blocks of
/// queries, stride)`, with `stride` a multiple of the block's side.
#[inline(always)]
pub(super) fn add_by_key<const FMA: bool>(
    positions: &Positions<'_, impl Panels>,
    first: usize,
    scores: &mut [f32],
    stride: usize,
) {
    let Some(by_key) = positions.by_key else { return };
    for (band, scores) in scores.chunks_exact_mut(SIDE * stride).enumerate() {
        for key in (0..positions.length).step_by(SIDE) {
            let block = positions.block(&by_key, first + band * SIDE, key);
            for (row, block) in scores.chunks_exact_mut(stride).zip(transposed(block)) {
                for (score, product) in row[key..key + SIDE].iter_mut().zip(block) {
                    *score += product;
                }
            }
        }
    }
}

/// Adds to each score the term of its slot, `terms[last - slot]`. Slots never increase from one score to the next, so
/// that terms of neighbouring scores are close in memory.
#[inline(always)]
fn add_by_slot(slots: &[u32], terms: &[f32], last: usize, scores: &mut [f32]) {
    let ((blocks, rest), (slots, rest_slots)) = (scores.as_chunks_mut::<SIDE>(), slots.as_chunks::<SIDE>());
    for (scores, slots) in blocks.iter_mut().zip(slots) {
        let highest = slots[0] as usize;
        let terms = &terms[last - highest..=last - slots[SIDE - 1] as usize];
        let mut near = [0.0; SIDE];
        if let Some(terms) =
            terms.first_chunk::<SIDE>().filter(|_| terms.len() == SIDE && is_consecutive(slots))
        {
            near = *terms;
        } else if terms.len() <= SIDE {
            let mut reached = [0.0; SIDE];
            reached[..terms.len()].copy_from_slice(terms);
            near.iter_mut()
                .zip(slots)
                .for_each(|(near, slot)| *near = reached[(highest - *slot as usize) % SIDE]);
        } else {
            near.iter_mut().zip(slots).for_each(|(near, slot)| *near = terms[highest - *slot as usize]);
        }
        scores.iter_mut().zip(near).for_each(|(score, term)| *score += term);
    }
    for (score, slot) in rest.iter_mut().zip(rest_slots) {
        *score += terms[last - *slot as usize];
    }
}

/// Whether each slot is one less than the slot before it.
#[inline(always)]
fn is_consecutive(slots: &[u32; SIDE]) -> bool {
    slots.iter().zip(0..).fold(true, |so_far, (slot, index)| so_far & (slot + index == slots[0]))
}

/// Side of the blocks in which products by key are added to the scores.
const SIDE: usize = 16;

type Block = [[f32; SIDE]; SIDE];

/// The transpose, by exchanging smaller and smaller squares.
#[inline(always)]
fn transposed(mut block: Block) -> Block {
    exchange::<8>(&mut block);
    exchange::<4>(&mut block);
    exchange::<2>(&mut block);
    exchange::<1>(&mut block);
    block
}

/// Exchanges the off-diagonal squares of side `HALF` in each square of twice that side.
#[inline(always)]
fn exchange<const HALF: usize>(block: &mut Block) {
    for row in (0..SIDE).filter(|row| row & HALF == 0) {
        let (upper, lower) = (block[row], block[row + HALF]);
        for column in 0..SIDE {
            let inside = column & HALF == 0;
            block[row][column] = if inside { upper[column] } else { lower[column - HALF] };
            block[row + HALF][column] = if inside { upper[column + HALF] } else { lower[column] };
        }
    }
}
