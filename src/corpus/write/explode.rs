//! One row per claim: the row's fields as they are, with `claim_index` (from 0), the number of `claims` and the `claim` in
//! place of the list of claims. An error row and a row without claims stay one row.

use serde_json::value::RawValue;

use super::error::Cause;
use super::members::{Members, Object};

const CLAIMS: &str = "claims";

/// Calls `write` with a row for each claim of `row`.
pub(super) fn each_claim(row: &str, mut write: impl FnMut(&str) -> Result<(), Cause>) -> Result<(), Cause> {
    let Members(fields) = serde_json::from_str(row)?;
    let claims = fields.iter().find(|(name, _)| name == CLAIMS);
    let claims: Option<Vec<&RawValue>> = claims.and_then(|(_, value)| serde_json::from_str(value.get()).ok());
    let Some(claims) = claims else { return write(row) };
    let row_of = |claim: Option<(usize, &RawValue)>| {
        let mut row = Object::default();
        for (name, value) in &fields {
            if name != CLAIMS {
                row.push(name, value.get());
                continue;
            }
            if let Some((index, _)) = claim {
                row.push("claim_index", &index.to_string());
            }
            row.push(CLAIMS, &claims.len().to_string());
            if let Some((_, claim)) = claim {
                row.push("claim", claim.get());
            }
        }
        row.json().expect("a row with claims has a field")
    };
    if claims.is_empty() {
        return write(&row_of(None));
    }
    claims.iter().enumerate().try_for_each(|(index, claim)| write(&row_of(Some((index, claim)))))
}
