//! Checks that errors do not quote the content of a file: a marked text is placed where every reader refuses it.

use std::ffi::OsStr;
use std::fs;

use serde_json::{Value, json};

use super::Place;

/// The beginning of the text, which must not occur in any error.
pub const MARK: &str = "Zyxwvut";
pub const TEXT: &str = "Zyxwvut was treated for a fever on Monday.";

/// Returns the fault of an invocation that must fail: it succeeds, or it prints the text.
pub fn leak(place: &Place, arguments: &[impl AsRef<OsStr>]) -> Option<String> {
    for name in ["out.jsonl", "out.jsonl.journal", "out.toml", "out.html"] {
        let _ = fs::remove_file(place.path(name));
    }
    let output = place.run(arguments);
    let rows = if place.path("out.jsonl").exists() { place.read("out.jsonl") } else { String::new() };
    // Fields of the row pass through, its error does not quote them.
    let errors = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()["error"].to_string());
    let printed = output.stdout + &output.stderr + &errors.collect::<String>();
    match output.code {
        2 if !printed.contains(MARK) => None,
        2 => Some(printed),
        code => Some(format!("exit code {code}: {printed}")),
    }
}

/// The faults of files of one name, each read by the same invocation.
pub fn faults(name: &str, files: &[String], arguments: &[impl AsRef<OsStr>]) -> Vec<(String, String)> {
    let place = Place::new();
    let leak = |text: &String| {
        place.write(name, text);
        Some((text.clone(), leak(&place, arguments)?))
    };
    files.iter().filter_map(leak).collect()
}

pub fn texts(rows: &[Value]) -> Vec<String> {
    rows.iter().map(Value::to_string).collect()
}

/// Lines that are no rows, whatever is read from them.
pub fn broken_lines() -> Vec<String> {
    let text = json!(TEXT);
    vec![
        TEXT.to_owned(),
        text.to_string(),
        format!("[{text}]"),
        format!("{{\"document\":{text}"),
        format!("{{\"document\" {text}}}"),
        format!("{{\"document\":{text},\"document\":{text}}}"),
        format!("{{{text}:1,{text}:2}}"),
        format!("{{{text}:1}}"),
    ]
}
