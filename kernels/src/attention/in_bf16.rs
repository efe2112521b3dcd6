//! Attention with products in bf16: queries, keys, values, position projections and probabilities are rounded to bf16;
//! scores and softmax are in f32. Softmax's division is applied once to the weighted sum of values instead of to each
//! probability.

use super::panels::Panels;
use super::positions::{PackedPositions, Positions, ProductRow, add_by_key};
use super::sequence::{BLOCK_QUERIES, HeadRow, Sequence};
use crate::functions::{LANES, exponentials};
use crate::isa::{Isa, vectorised};
use crate::matmul::{Bf16Isa, Bf16Matrix};
use crate::scratch::{Bf16Scratch, Scratch, sized};

/// All queries of a sequence, block by block.
pub(super) fn all_queries(
    isa: Bf16Isa,
    packed: &PackedPositions<Bf16Matrix>,
    sequence: &Sequence<'_>,
    scratch: &mut Scratch,
    out: &mut [HeadRow<'_>],
) {
    let (size, length) = (sequence.size, sequence.length());
    let Scratch { bf16, scores, by_key, by_query, tile, .. } = scratch;
    let Bf16Scratch { keys, values, key_rows, query_rows, probabilities } = bf16.of(isa);
    sequence.prefetch();
    keys.fill_transposed(sequence.key, size); // (head size, length)
    values.fill(sequence.value, size); // (length, head size)
    if packed.reads_keys() {
        key_rows.fill(isa, sequence.key, size);
    }
    let positions = Positions::new(packed, sequence, &*key_rows, by_key);
    let stride = keys.panel_count() * keys.width();
    let scores = sized(scores, BLOCK_QUERIES * stride);
    for block in sequence.blocks() {
        let queries = sequence.query.part(block.clone(), 0);
        query_rows.fill(isa, queries, size);
        keys.times_panels(0..keys.panel_count(), query_rows, scores, stride); // (queries, length)
        let content = positions.by_query(query_rows, block.clone(), by_query);
        let whole = queries.count.next_multiple_of(16) * stride;
        vectorised!(Isa::best(), add_by_key(&positions, block.start, &mut scores[..whole], stride));
        probabilities.reset(isa, queries.count, length);
        let mut factors = [0.0; BLOCK_QUERIES];
        for (query, row) in scores.chunks_exact_mut(stride).take(queries.count).enumerate() {
            // Padded to whole lanes; the padding has no weight.
            let row = &mut row[..length.next_multiple_of(LANES)];
            row[length..].fill(f32::NEG_INFINITY);
            let content = content.map(|content| content.row(query));
            let sum = vectorised!(
                Isa::best(),
                weights(&positions, block.start + query, content, row, sequence.scale)
            );
            factors[query] = 1.0 / sum;
            probabilities.set_row(query, row);
        }
        let tile = sized(tile, values.tiled_rows(probabilities) * values.width());
        for panel in 0..values.panel_count() {
            values.times_panel(probabilities, panel, tile, values.width()); // (queries, columns of a panel)
            let columns = panel * values.width()..size.min((panel + 1) * values.width());
            let rows = out[block.start..].iter_mut().zip(tile.chunks_exact(values.width()));
            for ((out, tile), factor) in rows.zip(&factors[..queries.count]) {
                out[columns.clone()].iter_mut().zip(tile).for_each(|(out, sum)| *out = sum * factor);
            }
        }
    }
}

/// Adds the relative terms to a query's content scores and turns the scores into unnormalised weights, in place. Returns
/// the sum of the weights.
#[inline(always)]
fn weights<const FMA: bool>(
    positions: &Positions<'_, Bf16Matrix>,
    query: usize,
    content: Option<ProductRow<'_>>,
    row: &mut [f32],
    scale: f32,
) -> f32 {
    positions.add(query, content, row);
    exponentials::<FMA>(row, scale)
}
