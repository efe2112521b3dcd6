//! Self-attention over a packed batch, one task a (sequence, head), with DeBERTa's two relative
//! terms (He et al. 2021, equation 4):
//!
//! `score(i, j) = (q_i . k_j + q_i . pos_key[slot(i - j)] + k_j . pos_query[slot(i - j)]) * scale`
//!
//! followed by a softmax over j and the product with the values. `slot` maps a distance to a row
//! of the position projections; which distances share a slot is the model's decision. Only slots
//! that the sequence's length can reach are multiplied, and no gathered (length, length) tensor is
//! made: the two position products are added to the scores run by run.

use candle_core::{Error, Result, Tensor};
use rayon::prelude::*;

use crate::distances::{DistanceTable, Run};
use crate::functions::softmax;
use crate::host::host_values;
use crate::isa::{Isa, vectorised};
use crate::matmul::{PackedMatrix, Rows, whole_tiles};
use crate::scratch::{Scratch, room, with_scratch};

/// Queries whose scores are in the cache together; a multiple of every tile's rows.
const BLOCK_QUERIES: usize = 48;

/// How a row of queries, keys and values is cut into heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// Number of heads.
    pub count: usize,
    /// Columns of one head.
    pub size: usize,
}

/// Which tokens of each sequence ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queries {
    /// Every token.
    All,
    /// The first one, for a last layer of which only that state is used.
    First,
}

/// A matrix of which the columns from `first_column` on are meant.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'t> {
    /// `(rows, columns)`
    pub matrix: &'t Tensor,
    /// Where the meant columns begin.
    pub first_column: usize,
}

impl Columns<'_> {
    /// The meant columns of each row, of the matrix's values.
    fn rows<'v>(&self, values: &'v [f32]) -> Result<Rows<'v>> {
        let (count, stride) = self.matrix.dims2()?;
        Ok(Rows { values: values.get(self.first_column..).unwrap_or(&[]), stride, count })
    }
}

/// The position projections of one layer, computed once from its weights.
#[derive(Debug, Clone)]
pub struct RelativePositions {
    /// Content to position.
    key: Option<Projection>,
    /// Position to content.
    query: Option<Projection>,
}

/// Position projections by head.
#[derive(Debug, Clone)]
struct Projection {
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
        Ok(Self { key: projection(key)?, query: projection(query)? })
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
    fn row(&self, head: usize, slot: usize, size: usize) -> &[f32] {
        &self.rows[(head * self.slots + slot) * size..][..size]
    }
}

/// The attention of one layer.
#[derive(Debug, Clone)]
pub struct Attention {
    /// Cut of the columns.
    pub heads: Heads,
    /// Factor on the sum of the score's terms.
    pub scale: f32,
    /// The relative terms, if the layer has them.
    pub relative: Option<RelativePositions>,
}

/// One sequence's part of the queries, keys and values of one head.
struct Sequence<'v> {
    head: usize,
    query: Rows<'v>,
    key: Rows<'v>,
    value: Rows<'v>,
}

impl Attention {
    /// `query`: `(tokens, width)`, or `(sequences, width)` for [`Queries::First`]; `key` and `value`:
    /// `(tokens, width)`, with `width = heads * head size`; `offsets`: where each sequence begins, and
    /// the number of tokens at the end. Returns as many rows as there are queries, `width` columns.
    ///
    /// # Errors
    /// When shapes, offsets and table do not fit together.
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
        check(query, query_count, width)?;
        check(key, tokens, width)?;
        check(value, tokens, width)?;
        self.check_distances(offsets, distances)?;
        // Blocks of (sequence, head), each (queries, head size), one after the other.
        let mut blocks = vec![0.0; query_count * width];
        let (queries_held, keys_held, values_held) =
            (host_values(query.matrix)?, host_values(key.matrix)?, host_values(value.matrix)?);
        let (query_rows, key_rows, value_rows) =
            (query.rows(&queries_held)?, key.rows(&keys_held)?, value.rows(&values_held)?);
        self.tasks(&mut blocks, &query_offsets).into_par_iter().for_each(|(sequence, head, out)| {
            let column = head * self.heads.size;
            let tokens = offsets[sequence]..offsets[sequence + 1];
            let sequence = Sequence {
                head,
                query: cut(query_rows, query_offsets[sequence]..query_offsets[sequence + 1], column),
                key: cut(key_rows, tokens.clone(), column),
                value: cut(value_rows, tokens, column),
            };
            self.one_head(&sequence, distances, queries, out);
        });
        Tensor::from_vec(self.by_rows(&blocks, &query_offsets), (query_count, width), query.matrix.device())
    }

    fn check_distances(&self, offsets: &[usize], distances: &DistanceTable) -> Result<()> {
        let longest = offsets.windows(2).map(|o| o[1].saturating_sub(o[0])).max().unwrap_or(0);
        if self.relative.is_some() && distances.longest() < longest {
            return Err(Error::Msg(format!(
                "a distance table for {} tokens was given for a sequence of {longest}",
                distances.longest()
            )));
        }
        Ok(())
    }

    /// (sequence, head, its block of the result).
    fn tasks<'b>(&self, mut blocks: &'b mut [f32], offsets: &[usize]) -> Vec<(usize, usize, &'b mut [f32])> {
        let mut tasks = Vec::with_capacity((offsets.len() - 1) * self.heads.count);
        for (sequence, o) in offsets.windows(2).enumerate().filter(|(_, o)| o[1] > o[0]) {
            for head in 0..self.heads.count {
                let (block, rest) = blocks.split_at_mut((o[1] - o[0]) * self.heads.size);
                tasks.push((sequence, head, block));
                blocks = rest;
            }
        }
        tasks
    }

    /// Blocks of (sequence, head) to rows of (token, head).
    fn by_rows(&self, blocks: &[f32], offsets: &[usize]) -> Vec<f32> {
        let size = self.heads.size;
        let width = self.heads.count * size;
        let mut rows = vec![0.0; blocks.len()];
        for o in offsets.windows(2) {
            let block = &blocks[o[0] * width..o[1] * width];
            let length = o[1] - o[0];
            for (token, row) in rows[o[0] * width..o[1] * width].chunks_exact_mut(width).enumerate() {
                for (head, part) in row.chunks_exact_mut(size).enumerate() {
                    part.copy_from_slice(&block[(head * length + token) * size..][..size]);
                }
            }
        }
        rows
    }

    fn one_head(
        &self,
        sequence: &Sequence<'_>,
        distances: &DistanceTable,
        queries: Queries,
        out: &mut [f32],
    ) {
        match queries {
            Queries::All => with_scratch(|scratch| self.all_queries(sequence, distances, scratch, out)),
            Queries::First => self.one_query(sequence, 0, distances, out),
        }
    }

    /// One query by the definition, without packing. It serves last layers, and is the plain twin
    /// of [`Self::all_queries`].
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

    /// Every query of a sequence, by blocks, on the product kernel.
    fn all_queries(
        &self,
        sequence: &Sequence<'_>,
        distances: &DistanceTable,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) {
        let (size, length) = (self.heads.size, sequence.key.count);
        let Scratch { keys, values, scores, by_key, by_query, tile, .. } = scratch;
        keys.fill_transposed(sequence.key, size); // (head size, length)
        values.fill(sequence.value, size); // (length, head size)
        let positions = Positions::new(self, sequence.head, length, distances, keys, by_key);
        let stride = keys.panel_count() * keys.panel_width();
        let scores = room(scores, BLOCK_QUERIES * stride);
        for first in (0..length).step_by(BLOCK_QUERIES) {
            let queries = cut(sequence.query, first..length.min(first + BLOCK_QUERIES), 0);
            times(keys, 0..keys.panel_count(), queries, scores, stride); // (queries, length)
            let content = positions.by_query(queries, by_query);
            for (query, row) in scores.chunks_exact_mut(stride).take(queries.count).enumerate() {
                let row = &mut row[..length];
                positions.add((first + query) as i64, content.row(query), row);
                vectorised!(Isa::best(), softmax(row, self.scale));
            }
            let rows = Rows { values: scores, stride, count: queries.count };
            let out = &mut out[first * size..];
            product(values, rows, tile, out, size); // (queries, head size)
        }
    }
}

/// The two position products of one (sequence, head), and how they join the scores.
struct Positions<'a> {
    distances: &'a DistanceTable,
    /// Lowest reachable slot.
    low: usize,
    /// `k_j . pos_query[slot]`: `(reachable slots, length)`.
    by_key: Option<(&'a [f32], usize)>,
    /// Content to position, with the panels that hold reachable slots.
    key: Option<(&'a PackedMatrix, std::ops::Range<usize>)>,
    length: usize,
}

/// `q_i . pos_key[slot]` for a block of queries.
struct ByQuery<'b> {
    values: &'b [f32],
    stride: usize,
    /// Slot of the first column.
    first_slot: usize,
}

impl ByQuery<'_> {
    /// A query's products and the slot of the first.
    fn row(&self, query: usize) -> Option<(&[f32], usize)> {
        (self.stride > 0).then(|| (&self.values[query * self.stride..][..self.stride], self.first_slot))
    }
}

impl<'a> Positions<'a> {
    fn new(
        attention: &'a Attention,
        head: usize,
        length: usize,
        distances: &'a DistanceTable,
        keys: &PackedMatrix,
        by_key: &'a mut Vec<f32>,
    ) -> Self {
        let none = Self { distances, low: 0, by_key: None, key: None, length };
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
            times(keys, 0..keys.panel_count(), rows, products, stride);
            (&*products, stride)
        });
        let key = relative.key.as_ref().map(|projection| {
            let packed = &projection.packed[head];
            (packed, low / packed.panel_width()..high / packed.panel_width() + 1)
        });
        Self { low, by_key, key, ..none }
    }

    fn by_query<'b>(&self, queries: Rows<'_>, buffer: &'b mut Vec<f32>) -> ByQuery<'b> {
        let Some((packed, panels)) = &self.key else {
            return ByQuery { values: &[], stride: 0, first_slot: 0 };
        };
        let stride = panels.len() * packed.panel_width();
        let values = room(buffer, whole_tiles(packed.isa(), queries.count) * stride);
        times(packed, panels.clone(), queries, values, stride);
        ByQuery { values, stride, first_slot: panels.start * packed.panel_width() }
    }

    /// Adds both terms to the scores of query `i`, `(length)`.
    fn add(&self, i: i64, content: Option<(&[f32], usize)>, scores: &mut [f32]) {
        if content.is_none() && self.by_key.is_none() {
            return;
        }
        for run in self.distances.runs(i - (self.length as i64 - 1)..=i) {
            // Keys j = i - distance: the run's last distance is its first key.
            let first_key = (i - (run.first + run.count - 1)) as usize;
            let scores = &mut scores[first_key..first_key + run.count as usize];
            if let Some((content, first_slot)) = content {
                add_content(&run, &content[run.slot - first_slot..], scores);
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

/// `rows` times some panels, side by side in `out`.
fn times(
    matrix: &PackedMatrix,
    panels: std::ops::Range<usize>,
    rows: Rows<'_>,
    out: &mut [f32],
    stride: usize,
) {
    for (index, panel) in panels.enumerate() {
        matrix.times_panel(rows, panel, &mut out[index * matrix.panel_width()..], stride);
    }
}

/// `rows` times the whole matrix into `out`, row stride `columns`, without scratch rows.
fn product(matrix: &PackedMatrix, rows: Rows<'_>, tile: &mut Vec<f32>, out: &mut [f32], columns: usize) {
    let width = matrix.panel_width();
    let tile = room(tile, whole_tiles(matrix.isa(), rows.count) * width);
    for panel in 0..matrix.panel_count() {
        matrix.times_panel(rows, panel, tile, width);
        let first = panel * width;
        let count = width.min(columns - first);
        for (out, tile) in out.chunks_exact_mut(columns).zip(tile.chunks_exact(width)).take(rows.count) {
            out[first..first + count].copy_from_slice(&tile[..count]);
        }
    }
}

/// Some rows, from a column on.
fn cut(rows: Rows<'_>, range: std::ops::Range<usize>, column: usize) -> Rows<'_> {
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
            "attention over {rows} rows of {width} columns from column {} was given {shape:?}",
            columns.first_column
        )));
    }
    Ok(())
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn random(rows: usize, columns: usize) -> Tensor {
        Tensor::randn(0f32, 1.0, (rows, columns), &Device::Cpu).unwrap()
    }

    fn attention(heads: Heads, slots: usize, terms: (bool, bool)) -> Attention {
        let positions = || Tensor::randn(0f32, 1.0, (heads.count, slots, heads.size), &Device::Cpu).unwrap();
        let (key, query) = (terms.0.then(positions), terms.1.then(positions));
        Attention {
            heads,
            scale: 0.3,
            relative: Some(RelativePositions::new(key.as_ref(), query.as_ref()).unwrap()),
        }
    }

    /// Slots for distances -(longest-1)..longest: half as many slots as distances far away.
    fn distances(longest: usize, slots: usize) -> DistanceTable {
        let (longest, half) = (longest as i64, slots as i64 / 2);
        let slot = |d: i64| {
            let near = d.clamp(-half / 2, half / 2);
            (near + (d - near) / 3 + half).clamp(0, slots as i64 - 1) as u32
        };
        DistanceTable::new((1 - longest..longest).map(slot).collect()).unwrap()
    }

    fn offsets(lengths: &[usize]) -> Vec<usize> {
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    }

    fn whole(matrix: &Tensor) -> Columns<'_> {
        Columns { matrix, first_column: 0 }
    }

    /// The kernel on one matrix of queries, keys and values side by side.
    fn joint(layer: &Attention, qkv: &Tensor, lengths: &[usize], table: &DistanceTable) -> Vec<Vec<f32>> {
        let width = layer.heads.count * layer.heads.size;
        let part = |index: usize| Columns { matrix: qkv, first_column: index * width };
        layer
            .forward(part(0), part(1), part(2), &offsets(lengths), table, Queries::All)
            .unwrap()
            .to_vec2::<f32>()
            .unwrap()
    }

    #[test]
    fn agrees_with_its_plain_twin_on_awkward_sizes() {
        for (size, count) in [(1, 2), (8, 3), (20, 1), (32, 2), (64, 2)] {
            for terms in [(true, true), (true, false), (false, true)] {
                let layer = attention(Heads { count, size }, 16, terms);
                let lengths = [7, 1, 49, 2, 97, 31];
                let (table, width) = (distances(97, 16), count * size);
                let qkv = random(lengths.iter().sum(), 3 * width);
                let got = joint(&layer, &qkv, &lengths, &table);
                let values = qkv.flatten_all().unwrap().to_vec1::<f32>().unwrap();
                for (sequence, o) in offsets(&lengths).windows(2).enumerate() {
                    for head in 0..count {
                        let rows = |part: usize| {
                            let all = Rows {
                                values: &values,
                                stride: 3 * width,
                                count: values.len() / (3 * width),
                            };
                            cut(all, o[0]..o[1], part * width + head * size)
                        };
                        let parts = Sequence { head, query: rows(0), key: rows(1), value: rows(2) };
                        for query in 0..lengths[sequence] {
                            let mut plain = vec![0.0; size];
                            layer.one_query(&parts, query, &table, &mut plain);
                            let got = &got[o[0] + query][head * size..][..size];
                            let difference =
                                plain.iter().zip(got).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                            assert!(difference < 2e-5, "size {size}, {terms:?}, query {query}: {difference}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_plain_twin_agrees_with_the_equation() {
        let heads = Heads { count: 2, size: 3 };
        let layer = attention(heads, 4, (true, true));
        let (q, k, v) = (random(5, 6), random(5, 6), random(5, 6));
        let table = distances(5, 4);
        let queries = q.narrow(0, 0, 1).unwrap();
        let out = layer
            .forward(whole(&queries), whole(&k), whole(&v), &[0, 5], &table, Queries::First)
            .unwrap()
            .to_vec2::<f32>()
            .unwrap();
        let [q, k, v] = [q, k, v].map(|x| x.to_vec2::<f32>().unwrap());
        let relative = layer.relative.as_ref().unwrap();
        for h in 0..heads.count {
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            let row = |p: &Option<Projection>, slot: usize| p.as_ref().unwrap().row(h, slot, 3).to_vec();
            let q = &q[0][h * 3..][..3];
            let scores: Vec<f32> = (0..5)
                .map(|j| {
                    let (slot, k) = (table.slot(-(j as i64)), &k[j][h * 3..][..3]);
                    ((dot(q, k) + dot(q, &row(&relative.key, slot)) + dot(k, &row(&relative.query, slot)))
                        * 0.3)
                        .exp()
                })
                .collect();
            for c in 0..3 {
                let expected: f32 =
                    (0..5).map(|j| scores[j] * v[j][h * 3 + c]).sum::<f32>() / scores.iter().sum::<f32>();
                assert!((expected - out[0][h * 3 + c]).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_sequence_does_not_depend_on_its_neighbours() {
        let layer = attention(Heads { count: 3, size: 8 }, 16, (true, true));
        let lengths = [7, 1, 40, 2, 64];
        let qkv = random(lengths.iter().sum(), 72);
        let together = joint(&layer, &qkv, &lengths, &distances(64, 16));
        for (o, length) in offsets(&lengths).windows(2).zip(lengths) {
            let alone = qkv.narrow(0, o[0], length).unwrap().contiguous().unwrap();
            assert_eq!(joint(&layer, &alone, &[length], &distances(length, 16)), together[o[0]..o[1]]);
        }
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let layer = attention(Heads { count: 2, size: 4 }, 8, (true, true));
        let x = random(5, 8);
        let run = |offsets: &[usize], longest| {
            layer.forward(whole(&x), whole(&x), whole(&x), offsets, &distances(longest, 8), Queries::All)
        };
        assert!(run(&[0, 5], 5).is_ok());
        assert!(run(&[0, 5], 4).is_err());
        assert!(run(&[0, 6], 6).is_err());
    }
}
