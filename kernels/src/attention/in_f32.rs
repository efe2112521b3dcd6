//! Attention with products in f32.

use super::positions::{PackedPositions, Positions, ProductRow, add_by_key};
use super::sequence::{BLOCK_QUERIES, HeadRow, Sequence};
use crate::aligned::Aligned;
use crate::functions::{LANES, softmax};
use crate::isa::{Isa, vectorised};
use crate::matmul::{PackedMatrix, Rows, whole_tiles};
use crate::scratch::{Scratch, sized};

/// All queries of a sequence, block by block, with the product kernel.
pub(super) fn all_queries(
    packed: &PackedPositions<PackedMatrix>,
    sequence: &Sequence<'_>,
    scratch: &mut Scratch,
    out: &mut [HeadRow<'_>],
) {
    let (size, length) = (sequence.size, sequence.length());
    let Scratch { keys, values, scores, by_key, by_query, tile, .. } = scratch;
    sequence.prefetch();
    keys.fill_transposed(sequence.key, size); // (head size, length)
    values.fill(sequence.value, size); // (length, head size)
    let positions = Positions::new(packed, sequence, sequence.key, by_key);
    let stride = keys.panel_count() * keys.panel_width();
    let scores = sized(scores, BLOCK_QUERIES * stride);
    for block in sequence.blocks() {
        let queries = sequence.query.part(block.clone(), 0);
        keys.times_panels(0..keys.panel_count(), queries, scores, stride); // (queries, length)
        let content = positions.by_query(queries, block.clone(), by_query);
        let whole = queries.count.next_multiple_of(16) * stride;
        vectorised!(Isa::best(), add_by_key(&positions, block.start, &mut scores[..whole], stride));
        for (query, row) in scores.chunks_exact_mut(stride).take(queries.count).enumerate() {
            // Padded to whole lanes; the padding has no weight.
            let row = &mut row[..length.next_multiple_of(LANES)];
            row[length..].fill(f32::NEG_INFINITY);
            let content = content.map(|content| content.row(query));
            vectorised!(
                Isa::best(),
                probabilities(&positions, block.start + query, content, row, sequence.scale)
            );
        }
        let rows = Rows { values: scores, stride, count: queries.count };
        product(values, rows, tile, &mut out[block.start..]); // (queries, head size)
    }
}

/// Adds the relative terms to a query's content scores and applies the softmax, in place.
#[inline(always)]
fn probabilities<const FMA: bool>(
    positions: &Positions<'_, PackedMatrix>,
    query: usize,
    content: Option<ProductRow<'_>>,
    row: &mut [f32],
    scale: f32,
) {
    positions.add(query, content, row);
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
