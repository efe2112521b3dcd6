//! The feed-forward block of a transformer layer: two linear layers with all that follows them, block of rows by block of
//! rows, so that the inner values stay in the processor's cache.

use std::mem::MaybeUninit;

use candle_core::{Error, Result, Tensor};

use crate::activation::Activation;
use crate::aligned::Aligned;
use crate::isa::Isa;
use crate::linear::{Linear, Products, add, by_blocks};
use crate::matmul::{Int8Matrix, Precision, Rows, Weight};
use crate::norm::LayerNorm;
use crate::scratch::{Scratch, sized, with_scratch};

/// The feed-forward block of a transformer layer: `norm(x + down(activation(up(x))))`.
#[derive(Debug, Clone)]
pub struct FeedForward {
    up: Linear,
    activation: Activation,
    down: Linear,
    norm: LayerNorm,
}

impl FeedForward {
    /// `up`: hidden to inner, `down`: inner to hidden.
    ///
    /// # Errors
    /// When the sizes do not fit together.
    pub fn new(up: Linear, activation: Activation, down: Linear, norm: LayerNorm) -> Result<Self> {
        let (hidden, inner) = (up.weight.inner(), up.weight.columns());
        if (down.weight.inner(), down.weight.columns(), norm.hidden()) != (inner, hidden, hidden) {
            return Err(Error::Msg(format!(
                "the layers of a feed-forward block of {hidden} and {inner} columns do not fit together"
            )));
        }
        Ok(Self { up, activation, down, norm })
    }

    /// `(rows, hidden) -> (rows, hidden)`.
    ///
    /// # Errors
    /// When `x` does not have the block's hidden columns.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let hidden = self.up.weight.inner();
        by_blocks(x, &self.up.weight, hidden, |_, rows, out| {
            with_scratch(|scratch| match &self.down.weight {
                Weight::Int8(groups) => self.forward_by_groups(groups, rows, scratch, out),
                _ => self.forward_by_panels(rows, scratch, out),
            });
        })
    }

    /// Both products. The second one's left side is prepared panel by panel.
    fn forward_by_panels(&self, rows: Rows<'_>, scratch: &mut Scratch, out: &mut [MaybeUninit<f32>]) {
        let Scratch { left, inner_left, products, row, .. } = scratch;
        let width = self.up.weight.panel_width();
        self.up.weight.prepare(rows, left);
        self.down.weight.begin(rows.count, inner_left);
        let panel = sized(products, self.up.weight.whole_tiles(rows.count) * width);
        for (index, bias) in self.up.bias.chunks(width).enumerate() {
            self.up.weight.times_panel(left, index, panel, width);
            panel.chunks_exact_mut(width).for_each(|row| add(row, bias));
            self.activation.apply_before(self.down.weight.precision(), Isa::best(), panel);
            self.down.weight.prepare_columns(inner_left, index * width, bias.len(), panel, width);
        }
        let sums = self.down.products(0..self.norm.hidden(), inner_left, rows.count, products);
        self.finish(&sums, rows, row, out);
    }

    /// Adds the residual and normalises.
    fn finish(
        &self,
        sums: &Products<'_>,
        rows: Rows<'_>,
        row: &mut Aligned<f32>,
        out: &mut [MaybeUninit<f32>],
    ) {
        self.down.write_rows(sums, row, out, |row, values| {
            add(values, &rows.values[row * rows.stride..][..values.len()]);
            self.norm.row(values);
        });
    }

    /// Both products, one group of the second one's inputs after another. The left side of such a group needs whole rows of
    /// the group.
    fn forward_by_groups(
        &self,
        groups: &[Int8Matrix],
        rows: Rows<'_>,
        scratch: &mut Scratch,
        out: &mut [MaybeUninit<f32>],
    ) {
        let Scratch { left, group_left, products, inner, row, .. } = scratch;
        self.up.weight.prepare(rows, left);
        let sums = Products::sized(&self.down.weight, self.down.weight.columns(), rows.count, products);
        let mut first = 0;
        for (index, group) in groups.iter().enumerate() {
            let inputs = first..first + group.inner();
            let inner = self.up.products(inputs.clone(), left, rows.count, inner);
            let values = sized(row, inputs.len());
            group_left.begin(group, rows.count);
            for row in 0..rows.count {
                inner.row(row, &self.up.bias[inputs.clone()], values);
                self.activation.apply_before(Precision::Int8, Isa::best(), values);
                group_left.set_row(group, row, values);
            }
            for (panel, values) in sums.values.chunks_exact_mut(sums.panel_size).enumerate() {
                group.times_panel(group_left, panel, values, sums.width, index > 0);
            }
            first = inputs.end;
        }
        self.finish(&sums, rows, row, out);
    }
}
