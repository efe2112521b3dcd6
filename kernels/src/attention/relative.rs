//! The relative terms of a layer: projections of the positions, or a bias by distance.

use candle_core::{Error, Result, Tensor};

use super::heads::Heads;
use crate::distances::DistanceTable;
use crate::host::host_values;

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
    pub(super) rows: Vec<f32>,
    pub(super) slots: usize,
    pub(super) size: usize,
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
