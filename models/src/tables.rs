//! Rows of a table by id, checked against the table's size.

use candle_core::{DType, Device, Tensor};

use crate::error::Result;
use crate::weights::Matrix;

/// `(rows, width)`, ids `(tokens)` -> `(tokens, width)`; `what` names an id in errors.
pub(crate) fn pick(table: &Tensor, ids: &[u32], what: &str) -> Result<Tensor> {
    check_ids(table.dim(0)?, ids, what)?;
    Ok(table.index_select(&Tensor::new(ids, table.device())?, 0)?)
}

/// The same of a table as it is stored: the rows that are asked for become f32.
pub(crate) fn pick_stored(table: &Matrix, ids: &[u32], what: &str) -> Result<Tensor> {
    let rows = match table {
        Matrix::Floats(table) => return Ok(pick(table, ids, what)?.to_dtype(DType::F32)?),
        Matrix::Rows8(rows) => rows,
    };
    check_ids(rows.count(), ids, what)?;
    let wide = rows.wide(ids.iter().map(|&id| id as usize));
    Ok(Tensor::from_vec(wide, (ids.len(), rows.columns()), &Device::Cpu)?)
}

/// Refuses an id that is not a row of a table of `rows`.
pub(crate) fn check_ids(rows: usize, ids: &[u32], what: &str) -> Result<()> {
    match ids.iter().find(|&&id| id as usize >= rows) {
        None => Ok(()),
        Some(id) => {
            let message = format!("{what} {id} is outside the model's table of {rows}");
            Err(candle_core::Error::Msg(message).into())
        }
    }
}
