//! Rows of a table by id, checked against the table's size.

use candle_core::Tensor;

use crate::error::Result;

/// `(rows, width)`, ids `(tokens)` -> `(tokens, width)`; `what` names an id in errors.
pub(crate) fn pick(table: &Tensor, ids: &[u32], what: &str) -> Result<Tensor> {
    check_ids(table.dim(0)?, ids, what)?;
    Ok(table.index_select(&Tensor::new(ids, table.device())?, 0)?)
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
