//! Rows of a table by id, checked against the table's size.

use candle_core::Tensor;

use crate::error::Result;

/// `(rows, width)`, ids `(tokens)` -> `(tokens, width)`; `what` names an id in errors.
pub(crate) fn pick(table: &Tensor, ids: &[u32], what: &str) -> Result<Tensor> {
    let rows = table.dim(0)?;
    if let Some(id) = ids.iter().find(|&&id| id as usize >= rows) {
        let message = format!("{what} {id} is outside the model's table of {rows}");
        return Err(candle_core::Error::Msg(message).into());
    }
    Ok(table.index_select(&Tensor::new(ids, table.device())?, 0)?)
}
