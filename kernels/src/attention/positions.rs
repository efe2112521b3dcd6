//! The two relative terms: a layer's position projections, their products with the keys and queries
//! of one (sequence, head), and how these join the scores, run by run of distances.

use std::ops::Range;

use candle_core::{Error, Result, Tensor};

use super::{Attention, Heads};
use crate::distances::{DistanceTable, Run};
use crate::host::host_values;
use crate::matmul::{Bf16Matrix, Bf16Rows, PackedMatrix, Rows, whole_tiles};
use crate::scratch::room;

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
    key: Option<Vec<P>>,
    query: Option<Vec<P>>,
}

impl<P> PackedPositions<P> {
    /// `pack` makes a right side of the transpose of rows, each of so many values.
    pub(super) fn of(relative: Option<&RelativePositions>, pack: impl Fn(Rows<'_>, usize) -> P) -> Self {
        let packed = |projection: &Projection| {
            let Projection { rows, slots, size } = projection;
            let head = |values| pack(Rows { values, stride: *size, count: *slots }, *size);
            rows.chunks_exact(slots * size).map(head).collect()
        };
        Self {
            key: relative.and_then(|relative| relative.key.as_ref()).map(packed),
            query: relative.and_then(|relative| relative.query.as_ref()).map(packed),
        }
    }
}

/// A right side of products, and what its left sides are.
pub(super) trait Panels {
    type Left<'v>: Copy;
    fn width(&self) -> usize;
    /// Rows of a left side, rounded up to whole tiles.
    fn tiled_rows(&self, left: Self::Left<'_>) -> usize;
    /// The left side times some panels, side by side in `out`.
    fn multiply(&self, panels: Range<usize>, left: Self::Left<'_>, out: &mut [f32], stride: usize);
}

impl Panels for PackedMatrix {
    type Left<'v> = Rows<'v>;

    fn width(&self) -> usize {
        self.panel_width()
    }

    fn tiled_rows(&self, left: Rows<'_>) -> usize {
        whole_tiles(self.isa(), left.count)
    }

    fn multiply(&self, panels: Range<usize>, left: Rows<'_>, out: &mut [f32], stride: usize) {
        self.times_panels(panels, left, out, stride);
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

    fn multiply(&self, panels: Range<usize>, left: &Bf16Rows, out: &mut [f32], stride: usize) {
        self.times_panels(panels, left, out, stride);
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
    pub fn biased(bias: &Tensor) -> Result<Self> {
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
    /// Content to position, with the panels that hold reachable slots.
    key: Option<(&'a P, Range<usize>)>,
    /// (slots)
    bias: Option<&'a [f32]>,
    length: usize,
}

/// Products of rows, queries or keys, with the position projections of some slots.
#[derive(Clone, Copy)]
pub(super) struct Products<'b> {
    values: &'b [f32],
    stride: usize,
    /// Slot of the first column.
    first_slot: usize,
}

impl<'b> Products<'b> {
    /// `rows` times the panels that hold the wanted slots.
    fn of<P: Panels>(packed: &P, panels: Range<usize>, rows: P::Left<'_>, buffer: &'b mut Vec<f32>) -> Self {
        let (stride, first_slot) = (panels.len() * packed.width(), panels.start * packed.width());
        let values = room(buffer, packed.tiled_rows(rows) * stride);
        packed.multiply(panels, rows, values, stride);
        Self { values, stride, first_slot }
    }

    /// A row's products, and the slot of the first.
    pub(super) fn row(&self, row: usize) -> (&'b [f32], usize) {
        (&self.values[row * self.stride..][..self.stride], self.first_slot)
    }
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
        let furthest = length as i64 - 1;
        let (low, high) = (distances.slot(-furthest), distances.slot(furthest));
        let panels = |packed: &P| low / packed.width()..high / packed.width() + 1;
        let by_key = packed.query.as_ref().map(|heads| {
            let packed = &heads[head];
            Products::of(packed, panels(packed), keys, by_key)
        });
        let key = packed.key.as_ref().map(|heads| (&heads[head], panels(&heads[head])));
        let bias = relative.bias.as_ref().map(|bias| &bias[head][..]);
        Self { by_key, key, bias, ..none }
    }

    /// `q_i . pos_key[slot]` for a block of queries.
    pub(super) fn by_query<'b>(
        &self,
        queries: P::Left<'_>,
        buffer: &'b mut Vec<f32>,
    ) -> Option<Products<'b>> {
        let (packed, panels) = self.key.as_ref()?;
        Some(Products::of(*packed, panels.clone(), queries, buffer))
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
            self.distances.slot((nearest + index as i64).clamp(-furthest, furthest)) - by_key.first_slot
        });
        let rises = slots.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let mut block = [[0.0; SIDE]; SIDE];
        for (place, out) in block.iter_mut().enumerate().take(self.length - key) {
            let (row, _) = by_key.row(key + place);
            let slots = &slots[SIDE - 1 - place..][..SIDE];
            if rises {
                out.copy_from_slice(&row[slots[0]..][..SIDE]);
            } else {
                out.iter_mut().zip(slots).for_each(|(out, slot)| *out = row[*slot]);
            }
        }
        block
    }

    /// Adds the relative terms to the scores of query `i`, `(length)`.
    #[inline(always)]
    pub(super) fn add(&self, i: i64, content: Option<(&[f32], usize)>, scores: &mut [f32]) {
        if content.is_none() && self.bias.is_none() {
            return;
        }
        for run in self.distances.runs(i - (self.length as i64 - 1)..=i) {
            // Keys j = i - distance: the run's last distance is its first key.
            let first_key = (i - (run.first + run.count - 1)) as usize;
            let scores = &mut scores[first_key..first_key + run.count as usize];
            if let Some((content, first_slot)) = content {
                add_content(&run, &content[run.slot - first_slot..], scores);
            }
            if let Some(bias) = self.bias {
                add_content(&run, &bias[run.slot..], scores);
            }
        }
    }
}

/// `content[0]` belongs to the run's first slot; scores are in the order of keys, so slots fall.
#[inline(always)]
fn add_content(run: &Run, content: &[f32], scores: &mut [f32]) {
    if run.rises {
        for (score, content) in scores.iter_mut().zip(content[..run.count as usize].iter().rev()) {
            *score += content;
        }
    } else {
        scores.iter_mut().for_each(|score| *score += content[0]);
    }
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
