//! The two relative terms: a layer's position projections, their products with the keys and queries
//! of one (sequence, head), and how these join the scores, run by run of distances.

use std::ops::Range;

use candle_core::{Error, Result, Tensor};

use super::{Attention, Heads};
use crate::distances::{DistanceTable, Run};
use crate::host::host_values;
use crate::isa::Isa;
use crate::matmul::{PackedMatrix, Rows, whole_tiles};
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
    /// A head's transpose, (head size, slots).
    packed: Vec<PackedMatrix>,
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
                && projection.packed.len() == heads.count
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
        let rows = host_values(tensor)?.to_vec();
        let pack = |head: &[f32]| PackedMatrix::transposed(Isa::best(), head, slots, size);
        Ok(Self { packed: rows.chunks_exact(slots * size).map(pack).collect(), rows, slots })
    }

    /// The projection of one slot: `(head size)`.
    pub(super) fn row(&self, head: usize, slot: usize, size: usize) -> &[f32] {
        &self.rows[(head * self.slots + slot) * size..][..size]
    }
}

/// The two position products of one (sequence, head), and how they join the scores.
pub(super) struct Positions<'a> {
    distances: &'a DistanceTable,
    /// Lowest reachable slot.
    low: usize,
    /// `k_j . pos_query[slot]`: `(reachable slots, length)`.
    by_key: Option<(&'a [f32], usize)>,
    /// Content to position, with the panels that hold reachable slots.
    key: Option<(&'a PackedMatrix, Range<usize>)>,
    /// (slots)
    bias: Option<&'a [f32]>,
    length: usize,
}

/// `q_i . pos_key[slot]` for a block of queries.
pub(super) struct ByQuery<'b> {
    values: &'b [f32],
    stride: usize,
    /// Slot of the first column.
    first_slot: usize,
}

impl ByQuery<'_> {
    /// A query's products and the slot of the first.
    pub(super) fn row(&self, query: usize) -> Option<(&[f32], usize)> {
        (self.stride > 0).then(|| (&self.values[query * self.stride..][..self.stride], self.first_slot))
    }
}

impl<'a> Positions<'a> {
    pub(super) fn new(
        attention: &'a Attention,
        head: usize,
        length: usize,
        distances: &'a DistanceTable,
        keys: &PackedMatrix,
        by_key: &'a mut Vec<f32>,
    ) -> Self {
        let none = Self { distances, low: 0, by_key: None, key: None, bias: None, length };
        let Some(relative) = &attention.relative else { return none };
        let furthest = length as i64 - 1;
        let (low, high) = (distances.slot(-furthest), distances.slot(furthest));
        let by_key = relative.query.as_ref().map(|projection| {
            let size = attention.heads.size;
            let rows = Rows {
                values: &projection.rows[(head * projection.slots + low) * size..],
                stride: size,
                count: high - low + 1,
            };
            let stride = keys.panel_count() * keys.panel_width();
            let products = room(by_key, whole_tiles(keys.isa(), rows.count) * stride);
            keys.times_panels(0..keys.panel_count(), rows, products, stride);
            (&*products, stride)
        });
        let key = relative.key.as_ref().map(|projection| {
            let packed = &projection.packed[head];
            (packed, low / packed.panel_width()..high / packed.panel_width() + 1)
        });
        let bias = relative.bias.as_ref().map(|bias| &bias[head][..]);
        Self { low, by_key, key, bias, ..none }
    }

    pub(super) fn by_query<'b>(&self, queries: Rows<'_>, buffer: &'b mut Vec<f32>) -> ByQuery<'b> {
        let Some((packed, panels)) = &self.key else {
            return ByQuery { values: &[], stride: 0, first_slot: 0 };
        };
        let stride = panels.len() * packed.panel_width();
        let values = room(buffer, whole_tiles(packed.isa(), queries.count) * stride);
        packed.times_panels(panels.clone(), queries, values, stride);
        ByQuery { values, stride, first_slot: panels.start * packed.panel_width() }
    }

    /// Adds the relative terms to the scores of query `i`, `(length)`.
    pub(super) fn add(&self, i: i64, content: Option<(&[f32], usize)>, scores: &mut [f32]) {
        if content.is_none() && self.by_key.is_none() && self.bias.is_none() {
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
            if let Some((by_key, stride)) = self.by_key {
                let slot = run.slot - self.low;
                add_by_key(&run, &by_key[slot * stride..], stride, first_key, scores);
            }
        }
    }
}

/// `content[0]` belongs to the run's first slot; scores are in the order of keys, so slots fall.
fn add_content(run: &Run, content: &[f32], scores: &mut [f32]) {
    if run.rises {
        for (score, content) in scores.iter_mut().zip(content[..run.count as usize].iter().rev()) {
            *score += content;
        }
    } else {
        scores.iter_mut().for_each(|score| *score += content[0]);
    }
}

/// `by_key` begins with the run's first slot, a row of `stride` keys a slot.
fn add_by_key(run: &Run, by_key: &[f32], stride: usize, first_key: usize, scores: &mut [f32]) {
    if run.rises {
        for (index, score) in scores.iter_mut().enumerate() {
            *score += by_key[(run.count as usize - 1 - index) * stride + first_key + index];
        }
    } else {
        for (score, by_key) in scores.iter_mut().zip(&by_key[first_key..]) {
            *score += by_key;
        }
    }
}
