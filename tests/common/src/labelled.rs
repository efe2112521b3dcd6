//! Labelled rows whose claims are decided by a number: half of the summaries contain a number that is not in their document.

use serde_json::{Value, json};

use super::{Place, tiny};

const NUMBERS: [&str; 4] = ["12", "30", "47", "86"];

/// Eighty rows; the inconsistent half has a number that is not in its document, which the tiny model does not notice.
pub fn rows() -> Vec<Value> {
    rows_with("59.57")
}

pub fn rows_with(other: &str) -> Vec<Value> {
    (0..80)
        .map(|row| {
            let correct = NUMBERS[row % 4];
            let document =
                format!("The bridge was closed. It cost {correct} pounds. Rain fell on day {row}.");
            let stated = if row % 2 == 0 { correct } else { other };
            let summary = format!("The bridge cost {stated} pounds.");
            // A few labels are wrong on both sides, as with human annotators.
            let label = usize::from(row % 2 == 0) ^ usize::from(row % 10 == 3 || row % 20 == 4);
            json!({"id": row, "document": document, "summary": summary, "label": label})
        })
        .collect()
}

pub fn run(place: &Place, rows: &[Value], output: &str, more: &[&str]) {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let fixed = ["run", "rows.jsonl", "-o", output, "--model", &tiny, "--dtype", "f32", "--quiet"];
    place.run(fixed.iter().chain(more)).ok();
}

pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
