//! A table has everything that JSON Lines have, so its rows can be restored.

use serde_json::Value;

use super::super::{is_of_table, row_of_table};
use super::*;

/// Returns the cells of a table written in `format`.
fn cells(format: OutputFormat, explode: bool, rows: &[&str]) -> Vec<Fields> {
    rows_of(format, &bytes(format, explode, rows)).collect()
}

/// Returns a line as it can be restored from a table: without null, and with texts for the fields that passed through.
fn restorable(row: &str) -> Value {
    fn without_null(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
                Value::Object(fields.map(|(name, value)| (name, without_null(value))).collect())
            }
            value => value,
        }
    }
    let mut row = without_null(serde_json::from_str(row).unwrap());
    for value in row["input"].as_object_mut().unwrap().values_mut() {
        if !value.is_string() {
            *value = value.to_string().into();
        }
    }
    row
}

#[test]
fn rows_of_tables_are_restored_as_lines() {
    let strange = RESULT
        .replace(r#""levels":["sentence","window"]"#, r#""levels":"all","younger":{"a.b":[1,"x"]}"#)
        .replace(r#""score":0.7521485"#, r#""score":0.7521485,"ratings":{"faithfulness":0.5}"#);
    for format in TABLES {
        for row in [RESULT, ERROR, &strange] {
            let cells = &cells(*format, false, &[RESULT, row])[1];
            assert!(is_of_table(cells));
            let back = serde_json::to_string(&row_of_table(cells).unwrap()).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), restorable(row), "{format:?}");
        }
    }
}

#[test]
fn lines_are_not_taken_for_rows_of_a_table() {
    for row in [RESULT, ERROR] {
        assert!(!is_of_table(&serde_json::from_str(row).unwrap()));
    }
}

#[test]
fn tables_of_claims_and_cells_that_run_does_not_write_are_refused() {
    for format in TABLES {
        for cells in cells(*format, true, &[RESULT, ERROR]) {
            let error = row_of_table(&cells).unwrap_err();
            assert!(error.reason.contains("without `explode`"), "{error}");
        }
    }
    let text = text(OutputFormat::Csv, false, &[RESULT]).replace("0.7521485", "high");
    let cells: Vec<Fields> = rows_of(OutputFormat::Csv, text.as_bytes()).collect();
    let error = row_of_table(&cells[0]).unwrap_err();
    assert!(error.reason.contains("`score`"), "{error}");
}
