//! Look-ups of table rows by id; refuses ids outside the table.

use candle_core::{DType, Device, Tensor};

use crate::error::Result;
use crate::weights::Matrix;

/// `(rows, width)`, ids `(tokens)` -> `(tokens, width)`; `what` is an id's name in errors.
pub(crate) fn pick(table: &Tensor, ids: &[u32], what: &str) -> Result<Tensor> {
    check_ids(table.dim(0)?, ids, what)?;
    Ok(table.index_select(&Tensor::new(ids, table.device())?, 0)?)
}

/// The same for a table in its stored dtype: only the selected rows become f32.
pub(crate) fn pick_stored(table: &Matrix, ids: &[u32], what: &str) -> Result<Tensor> {
    let rows = match table {
        Matrix::Floats(table) => return Ok(pick(table, ids, what)?.to_dtype(DType::F32)?),
        Matrix::Rows8(rows) => rows,
    };
    check_ids(rows.count(), ids, what)?;
    let values = rows.to_f32(ids.iter().map(|&id| id as usize));
    Ok(Tensor::from_vec(values, (ids.len(), rows.columns()), &Device::Cpu)?)
}

/// Refuses an id outside a table with this number of `rows`.
pub(crate) fn check_ids(rows: usize, ids: &[u32], what: &str) -> Result<()> {
    match ids.iter().find(|&&id| id as usize >= rows) {
        None => Ok(()),
        Some(id) => {
            let message = format!("{what} {id} is outside the model's table of {rows}");
            Err(candle_core::Error::Msg(message).into())
        }
    }
}
