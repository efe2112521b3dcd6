//! The relative terms of attention: a layer's position projections, their products with the queries and keys of one
//! (sequence, head), and the addition of these products to the scores, block by block.

use std::ops::Range;

use candle_core::{Error, Result, Tensor};

use super::{Attention, Heads, slice_rows};
use crate::aligned::Aligned;
use crate::distances::DistanceTable;
use crate::host::host_values;
use crate::matmul::{Bf16Matrix, Bf16Rows, PackedMatrix, Rows, whole_tiles};
use crate::scratch::sized;

/// The position projections of one layer, computed once from its weights.
#[derive(Debug, Clone)]
pub struct RelativePositions {
    /// Content to position.
    pub(super) key: Option<Projection>,
    /// Position to content.
    pub(super) query: Option<Projection>,
    /// A bias for each slot, independent of the content: (heads, slots).
    pub(super) bias: Option<Vec<Vec<f32>>>,
}

/// Position projections of all heads.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    /// (heads, slots, head size)
    rows: Vec<f32>,
    slots: usize,
    size: usize,
}

/// A layer's position projections packed as right sides of products: for each head the transpose, (head size, slots).
#[derive(Debug, Clone)]
pub(super) struct PackedPositions<P> {
    /// Slots in reverse order, so that a query's products are in key order.
    key: Option<Vec<P>>,
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
        Self {
            key: relative.and_then(|relative| relative.key.as_ref()).map(reversed),
            query: relative.and_then(|relative| relative.query.as_ref()).map(in_order),
            bias: relative
                .and_then(|relative| relative.bias.as_ref())
                .map(|heads| heads.iter().map(|slots| slots.iter().rev().copied().collect()).collect()),
        }
    }
}

/// A packed right side of products.
pub(super) trait Panels {
    type Left<'v>: Copy;
    fn width(&self) -> usize;
    /// The rows of a left side, rounded up to whole tiles.
    fn tiled_rows(&self, left: Self::Left<'_>) -> usize;
    /// Multiplies a range of rows of the left side, starting at a tile, by a range of panels, side by side in `out`.
    fn multiply(
        &self,
        panels: Range<usize>,
        left: Self::Left<'_>,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    );
}

impl Panels for PackedMatrix {
    type Left<'v> = Rows<'v>;

    fn width(&self) -> usize {
        self.panel_width()
    }

    fn tiled_rows(&self, left: Rows<'_>) -> usize {
        whole_tiles(self.isa(), left.count)
    }

    fn multiply(
        &self,
        panels: Range<usize>,
        left: Rows<'_>,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    ) {
        self.times_panels(panels, slice_rows(left, rows, 0), out, stride);
    }
}

impl Panels for Bf16Matrix {
    type Left<'v> = &'v Bf16Rows;

    fn width(&self) -> usize {
        self.shape().columns
    }

    fn tiled_rows(&self, left: &Bf16Rows) -> usize {
        left.count().next_multiple_of(self.shape().rows)
    }

    fn multiply(
        &self,
        panels: Range<usize>,
        left: &Bf16Rows,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    ) {
        for (index, panel) in panels.enumerate() {
            self.times_panel_of(left, rows.clone(), panel, &mut out[index * self.width()..], stride);
        }
    }
}

impl RelativePositions {
    /// `key` and `query`: contiguous, `(heads, slots, head size)`.
    ///
    /// # Errors
    /// When a tensor has other dimensions, or is not a contiguous f32 tensor in host memory.
    pub fn new(key: Option<&Tensor>, query: Option<&Tensor>) -> Result<Self> {
        let projection = |tensor: Option<&Tensor>| tensor.map(Projection::new).transpose();
        Ok(Self { key: projection(key)?, query: projection(query)?, bias: None })
    }

    /// A bias by distance alone, `(heads, slots)` (T5; Raffel et al. 2020, section 2.1).
    ///
    /// # Errors
    /// When it is not an f32 matrix.
    pub fn from_bias(bias: &Tensor) -> Result<Self> {
        Ok(Self { key: None, query: None, bias: Some(bias.to_vec2()?) })
    }

    /// Checks the number and size of heads, and that every slot of the table exists.
    pub(super) fn check(&self, heads: Heads, distances: &DistanceTable) -> Result<()> {
        if let Some(bias) = &self.bias
            && (bias.len() != heads.count || bias.iter().any(|row| row.len() < distances.slots()))
        {
            return Err(Error::Msg(format!(
                "a position bias for {} heads does not fit {heads:?}",
                bias.len()
            )));
        }
        for projection in [&self.key, &self.query].into_iter().flatten() {
            let fits = projection.rows.len() == heads.count * projection.slots * heads.size
                && projection.size == heads.size
                && distances.slots() <= projection.slots;
            if !fits {
                return Err(Error::Msg(format!(
                    "position projections of {} slots do not fit {heads:?}",
                    projection.slots
                )));
            }
        }
        Ok(())
    }
}

impl Projection {
    fn new(tensor: &Tensor) -> Result<Self> {
        let (_, slots, size) = tensor.dims3()?;
        Ok(Self { rows: host_values(tensor)?.to_vec(), slots, size })
    }

    /// The projection of one slot: `(head size)`.
    pub(super) fn row(&self, head: usize, slot: usize, size: usize) -> &[f32] {
        &self.rows[(head * self.slots + slot) * size..][..size]
    }
}

/// The position products of one (sequence, head).
pub(super) struct Positions<'a, P> {
    distances: &'a DistanceTable,
    /// `k_j . pos_query[slot]`: `(length, slots)`.
    by_key: Option<Products<'a>>,
    /// Content to position, with the number of slots.
    key: Option<(&'a P, usize)>,
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

/// Keys of a block of products with positions; few keys reach fewer slots. A multiple of every tile's rows.
const BLOCK_KEYS: usize = 48;

impl<'b> Products<'b> {
    /// A row's products, and the index of the first one's slot.
    pub(super) fn row(&self, row: usize) -> (&'b [f32], usize) {
        (&self.values[row * self.stride..][..self.stride], self.first)
    }
}

/// The panels that hold the columns `first..=last`.
fn panels_of(packed: &impl Panels, first: usize, last: usize) -> Range<usize> {
    first / packed.width()..last / packed.width() + 1
}

impl<'a, P: Panels> Positions<'a, P> {
    /// `keys`: the `length` keys of the sequence in one head.
    pub(super) fn new(
        attention: &'a Attention,
        packed: &'a PackedPositions<P>,
        head: usize,
        distances: &'a DistanceTable,
        (keys, length): (P::Left<'_>, usize),
        by_key: &'a mut Aligned<f32>,
    ) -> Self {
        let none = Self { distances, by_key: None, key: None, bias: None, length };
        let Some(relative) = &attention.relative else { return none };
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
        let slots = |projection: &Projection| projection.slots;
        let key = packed.key.as_ref().map(|heads| &heads[head]).zip(relative.key.as_ref().map(slots));
        let bias = packed.bias.as_ref().map(|heads| &heads[head][..]);
        Self { by_key, key, bias, ..none }
    }

    /// `q_i . pos_key[slot]` for a range of queries, over the slots within reach in reverse order.
    pub(super) fn by_query<'b>(
        &self,
        rows: P::Left<'_>,
        queries: Range<usize>,
        buffer: &'b mut Aligned<f32>,
    ) -> Option<Products<'b>> {
        let (packed, slots) = self.key?;
        let column = |query: usize, key: usize| slots - 1 - self.distances.slot(query as i64 - key as i64);
        let panels = panels_of(packed, column(queries.end - 1, 0), column(queries.start, self.length - 1));
        let (stride, first) = (panels.len() * packed.width(), panels.start * packed.width());
        let values = sized(buffer, packed.tiled_rows(rows) * stride);
        packed.multiply(panels, rows, 0..queries.len(), values, stride);
        Some(Products { values, stride, first })
    }

    /// Adds the products of keys with positions to the scores of the queries from `first` on. `scores`: `(whole blocks
    /// of queries, stride)`, with `stride` a multiple of the block's side.
    #[inline(always)]
    pub(super) fn add_by_key(&self, first: usize, scores: &mut [f32], stride: usize) {
        let Some(by_key) = self.by_key else { return };
        for (band, scores) in scores.chunks_exact_mut(SIDE * stride).enumerate() {
            for key in (0..self.length).step_by(SIDE) {
                let block = self.block(&by_key, first + band * SIDE, key);
                for (row, block) in scores.chunks_exact_mut(stride).zip(transposed(block)) {
                    for (score, product) in row[key..key + SIDE].iter_mut().zip(block) {
                        *score += product;
                    }
                }
            }
        }
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
            let (row, _) = by_key.row(key + offset);
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

    /// Adds the terms of query `i` to its scores, `(length)`.
    #[inline(always)]
    pub(super) fn add(&self, i: usize, content: Option<(&[f32], usize)>, scores: &mut [f32]) {
        if let (Some((content, first)), Some((_, slots))) = (content, self.key) {
            add_by_slot(
                self.distances.slots_in_key_order(i, self.length),
                content,
                slots - 1 - first,
                scores,
            );
        }
        if let Some(bias) = self.bias {
            add_by_slot(self.distances.slots_in_key_order(i, self.length), bias, bias.len() - 1, scores);
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
