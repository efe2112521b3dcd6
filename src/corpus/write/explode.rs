//! One row per claim: the row's fields unchanged, with `claim_index` (from 0), the number of `claims` and the `claim`
//! instead of the list of claims. An error row and a row without claims stay one row.

use serde_json::value::{RawValue, to_raw_value};

use super::error::Cause;
use crate::input::Fields;

const CLAIMS: &str = "claims";

/// Calls `write` with a row for each claim of `row`.
pub(super) fn each_claim(row: &str, mut write: impl FnMut(&str) -> Result<(), Cause>) -> Result<(), Cause> {
    let fields: Fields = serde_json::from_str(row)?;
    let claims = fields.get(CLAIMS).and_then(|claims| serde_json::from_str(claims.get()).ok());
    let Some(claims): Option<Vec<&RawValue>> = claims else { return write(row) };
    let row_of = |claim: Option<(usize, &RawValue)>| {
        let mut row = Fields::default();
        for (name, value) in fields.iter() {
            if name != CLAIMS {
                row.push(name, value.to_owned());
                continue;
            }
            if let Some((index, _)) = claim {
                row.push("claim_index", to_raw_value(&index)?);
            }
            row.push(CLAIMS, to_raw_value(&claims.len())?);
            if let Some((_, claim)) = claim {
                row.push("claim", claim.to_owned());
            }
        }
        serde_json::to_string(&row)
    };
    if claims.is_empty() {
        return write(&row_of(None)?);
    }
    claims.iter().enumerate().try_for_each(|(index, claim)| write(&row_of(Some((index, claim)))?))
}
