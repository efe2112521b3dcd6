//! The two relative terms: a layer's position projections, their products with the keys and queries
//! of one (sequence, head), and how these join the scores, block by block.

use std::ops::Range;

use candle_core::{Error, Result, Tensor};

use super::{Attention, Heads, cut};
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
    /// A number for each slot, whatever the content: (heads, slots).
    pub(super) bias: Option<Vec<Vec<f32>>>,
}

/// Position projections by head.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    /// (heads, slots, head size)
    rows: Vec<f32>,
    slots: usize,
    size: usize,
}

/// A layer's position projections as right sides of products: of each head the transpose, (head size, slots).
#[derive(Debug, Clone)]
pub(super) struct PackedPositions<P> {
    /// Slots from the last to the first, so that a query's products lie in the order of its keys.
    key: Option<Vec<P>>,
    query: Option<Vec<P>>,
    /// Of each head the number of each slot, from the last to the first.
    bias: Option<Vec<Vec<f32>>>,
}

impl<P> PackedPositions<P> {
    /// Whether keys are multiplied by positions.
    pub(super) fn reads_keys(&self) -> bool {
        self.query.is_some()
    }

    /// `pack` makes a right side of the transpose of rows, each of so many values.
    pub(super) fn of(relative: Option<&RelativePositions>, pack: impl Fn(Rows<'_>, usize) -> P) -> Self {
        let packed = |rows: &[f32], slots: usize, size: usize| {
            let head = |values| pack(Rows { values, stride: size, count: slots }, size);
            rows.chunks_exact(slots * size).map(head).collect()
        };
        let backwards = |Projection { rows, slots, size }: &Projection| {
            let heads = rows.chunks_exact(slots * size);
            let rows: Vec<f32> =
                heads.flat_map(|head| head.rchunks_exact(*size)).flatten().copied().collect();
            packed(&rows, *slots, *size)
        };
        let forwards = |Projection { rows, slots, size }: &Projection| packed(rows, *slots, *size);
        Self {
            key: relative.and_then(|relative| relative.key.as_ref()).map(backwards),
            query: relative.and_then(|relative| relative.query.as_ref()).map(forwards),
            bias: relative
                .and_then(|relative| relative.bias.as_ref())
                .map(|heads| heads.iter().map(|slots| slots.iter().rev().copied().collect()).collect()),
        }
    }
}

/// A right side of products, and what its left sides are.
pub(super) trait Panels {
    type Left<'v>: Copy;
    fn width(&self) -> usize;
    /// Rows of a left side, rounded up to whole tiles.
    fn tiled_rows(&self, left: Self::Left<'_>) -> usize;
    /// Some rows of the left side, the first of which begins a tile, times some panels, side by side in `out`.
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
        self.times_panels(panels, cut(left, rows, 0), out, stride);
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
    /// Both: `(heads, slots, head size)`, contiguous.
    ///
    /// # Errors
    /// When a tensor is not such a one.
    pub fn new(key: Option<&Tensor>, query: Option<&Tensor>) -> Result<Self> {
        let projection = |tensor: Option<&Tensor>| tensor.map(Projection::new).transpose();
        Ok(Self { key: projection(key)?, query: projection(query)?, bias: None })
    }

    /// A bias by distance alone, `(heads, slots)` (T5; Raffel et al. 2020, section 2.1).
    ///
    /// # Errors
    /// When it is no such tensor of f32.
    pub fn from_bias(bias: &Tensor) -> Result<Self> {
        Ok(Self { key: None, query: None, bias: Some(bias.to_vec2()?) })
    }

    /// Whether they are of these heads and have every slot of the table.
    pub(super) fn check(&self, heads: Heads, distances: &DistanceTable) -> Result<()> {
        if let Some(bias) = &self.bias
            && (bias.len() != heads.count || bias.iter().any(|row| row.len() < distances.slots()))
        {
            return Err(Error::Msg(format!("a bias for {} heads does not fit {heads:?}", bias.len())));
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

/// The two position products of one (sequence, head), and how they join the scores.
pub(super) struct Positions<'a, P> {
    distances: &'a DistanceTable,
    /// `k_j . pos_query[slot]`: `(length, slots)`.
    by_key: Option<Products<'a>>,
    /// Content to position, with the number of slots.
    key: Option<(&'a P, usize)>,
    /// (slots), from the last to the first.
    bias: Option<&'a [f32]>,
    length: usize,
}

/// Products of rows, queries or keys, with the position projections of some slots.
#[derive(Clone, Copy)]
pub(super) struct Products<'b> {
    values: &'b [f32],
    stride: usize,
    /// Which of all slots, in the order in which they lie, is that of the first column.
    first: usize,
}

/// Keys whose products with positions are made together: of a few keys, fewer slots are reached. A multiple of every tile's
/// rows.
const BLOCK_KEYS: usize = 48;

impl<'b> Products<'b> {
    /// A row's products, and which of all slots is that of the first.
    pub(super) fn row(&self, row: usize) -> (&'b [f32], usize) {
        (&self.values[row * self.stride..][..self.stride], self.first)
    }
}

/// The panels that hold some columns.
fn panels_of(packed: &impl Panels, first: usize, last: usize) -> Range<usize> {
    first / packed.width()..last / packed.width() + 1
}

impl<'a, P: Panels> Positions<'a, P> {
    /// `keys`: the sequence's keys of one head, of which there are `length`.
    pub(super) fn new(
        attention: &'a Attention,
        packed: &'a PackedPositions<P>,
        head: usize,
        distances: &'a DistanceTable,
        (keys, length): (P::Left<'_>, usize),
        by_key: &'a mut Vec<f32>,
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
                let place = start * stride + (panels.start - all.start) * packed.width();
                packed.multiply(panels, keys, block, &mut values[place..], stride);
            }
            Products { values, stride, first }
        });
        let slots = |projection: &Projection| projection.slots;
        let key = packed.key.as_ref().map(|heads| &heads[head]).zip(relative.key.as_ref().map(slots));
        let bias = packed.bias.as_ref().map(|heads| &heads[head][..]);
        Self { by_key, key, bias, ..none }
    }

    /// `q_i . pos_key[slot]` for some queries, slots from the last that they reach to the first.
    pub(super) fn by_query<'b>(
        &self,
        rows: P::Left<'_>,
        queries: Range<usize>,
        buffer: &'b mut Vec<f32>,
    ) -> Option<Products<'b>> {
        let (packed, slots) = self.key?;
        let column = |query: usize, key: usize| slots - 1 - self.distances.slot(query as i64 - key as i64);
        let panels = panels_of(packed, column(queries.end - 1, 0), column(queries.start, self.length - 1));
        let (stride, first) = (panels.len() * packed.width(), panels.start * packed.width());
        let values = sized(buffer, packed.tiled_rows(rows) * stride);
        packed.multiply(panels, rows, 0..queries.len(), values, stride);
        Some(Products { values, stride, first })
    }

    /// Adds the products of keys with positions to the scores of the queries from `first` on: `(whole
    /// blocks of queries, stride)`, `stride` a multiple of the block's side.
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

    /// The products of some keys with the slots of their distances from some queries: `(keys, queries)`.
    /// Queries of one key ask for neighbouring slots, so they lie side by side. What is beyond the
    /// sequence means nothing.
    #[inline(always)]
    fn block(&self, by_key: &Products<'_>, query: usize, key: usize) -> Block {
        // The slots of the distances from (query, last key of the block) to (last query, key).
        let nearest = query as i64 - key as i64 - (SIDE as i64 - 1);
        let furthest = self.length as i64 - 1;
        let slots: [usize; 2 * SIDE - 1] = std::array::from_fn(|index| {
            self.distances.slot((nearest + index as i64).clamp(-furthest, furthest)) - by_key.first
        });
        let rises = slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let mut block = [[0.0; SIDE]; SIDE];
        for (place, out) in block.iter_mut().enumerate().take(self.length - key) {
            let (row, _) = by_key.row(key + place);
            let slots = &slots[SIDE - 1 - place..][..SIDE];
            let reached = &row[slots[0]..=slots[SIDE - 1]];
            if rises {
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

    /// Adds the relative terms to the scores of query `i`, `(length)`.
    #[inline(always)]
    pub(super) fn add(&self, i: usize, content: Option<(&[f32], usize)>, scores: &mut [f32]) {
        if let (Some((content, first)), Some((_, slots))) = (content, self.key) {
            add_by_slot(self.distances.falling_slots(i, self.length), content, slots - 1 - first, scores);
        }
        if let Some(bias) = self.bias {
            add_by_slot(self.distances.falling_slots(i, self.length), bias, bias.len() - 1, scores);
        }
    }
}

/// Adds to each score the term of its slot: `terms[last - slot]`. Slots fall or stay from one to the next, so terms of
/// neighbours are the same or near each other.
#[inline(always)]
fn add_by_slot(slots: &[u32], terms: &[f32], last: usize, scores: &mut [f32]) {
    let ((blocks, rest), (slots, rest_slots)) = (scores.as_chunks_mut::<SIDE>(), slots.as_chunks::<SIDE>());
    for (scores, slots) in blocks.iter_mut().zip(slots) {
        let highest = slots[0] as usize;
        let terms = &terms[last - highest..=last - slots[SIDE - 1] as usize];
        let mut near = [0.0; SIDE];
        if let Some(terms) = terms.first_chunk::<SIDE>().filter(|_| terms.len() == SIDE && each_falls(slots))
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

/// Whether each slot is the one below that before it.
#[inline(always)]
fn each_falls(slots: &[u32; SIDE]) -> bool {
    slots.iter().zip(0..).fold(true, |falls, (slot, place)| falls & (slot + place == slots[0]))
}

/// Side of the blocks in which products by key join the scores.
const SIDE: usize = 16;

type Block = [[f32; SIDE]; SIDE];

/// The transpose, by exchanging ever smaller squares.
#[inline(always)]
fn transposed(mut block: Block) -> Block {
    exchange::<8>(&mut block);
    exchange::<4>(&mut block);
    exchange::<2>(&mut block);
    exchange::<1>(&mut block);
    block
}

/// Exchanges the off-diagonal squares of `HALF` in each square of twice that side.
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
