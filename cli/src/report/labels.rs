//! Human labels: 1 for consistent, 0 for inconsistent, as numbers, booleans or, in tables, text. Refuses anything else; a
//! row has no label if the field is missing or null.

/// Reads the label from a field's JSON.
pub(super) fn read(json: Option<&str>, field: &str) -> Result<Option<bool>, String> {
    match json {
        None | Some("null" | "\"\"") => Ok(None),
        Some("1" | "1.0" | "true" | "\"1\"" | "\"1.0\"" | "\"true\"") => Ok(Some(true)),
        Some("0" | "0.0" | "false" | "\"0\"" | "\"0.0\"" | "\"false\"") => Ok(Some(false)),
        Some(_) => Err(format!("field `{field}` must be 1 (consistent) or 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_booleans_and_their_text() {
        let label = |json| read(Some(json), "l");
        assert_eq!(label("1.0"), Ok(Some(true)));
        assert_eq!(label("\"0\""), Ok(Some(false)));
        assert_eq!(label("null"), Ok(None));
        assert_eq!(read(None, "l"), Ok(None));
        assert_eq!(label("0.5"), Err("field `l` must be 1 (consistent) or 0".into()));
    }
}
