//! Steps that a language model answers: requests are written, a small stand-in in the test answers them with the content
//! that the test needs, and the program reads the answers back.

mod answers;
mod commands;
mod files;
mod judge;
mod metrics;
mod server;

use serde_json::{Value, json};

use crate::common::Place;
use crate::files::tiny;

/// A row whose second sentence is wrong.
pub fn shop() -> Value {
    json!({
        "id": "shop",
        "document": "Anna Berg closed the shop in Oslo on Monday. It had been open for ten years.",
        "summary": "Anna Berg closed the shop. It was open for twelve years.",
        "reference": "Anna Berg closed her shop in Oslo. It was ten years old.",
        "key_facts": ["Anna Berg closed the shop.", "The shop was in Oslo."],
    })
}

/// A row without an error.
pub fn council() -> Value {
    json!({
        "id": "council",
        "document": "The council met on Tuesday and rejected the plan.",
        "summary": "The council rejected the plan.",
        "reference": "The council rejected the plan on Tuesday.",
        "key_facts": ["The council rejected the plan."],
    })
}

/// A folder with the rows.
pub fn with_rows() -> Place {
    let place = Place::new();
    place.write("rows.jsonl", [shop(), council()].map(|row| row.to_string()).join("\n"));
    place
}

/// Writes the requests of a metric to NAME and returns them.
pub fn requests(place: &Place, metric: &str, name: &str, more: &[&str]) -> Vec<Value> {
    let fixed = ["prompts", metric, "rows.jsonl", "-o", name, "--model", tiny()];
    let output = place.run([&fixed[..], more].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    lines(&place.read(name))
}

pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the question of a request: the text of its last message.
pub fn asked(request: &Value) -> &str {
    let messages = request["messages"].as_array().or(request["body"]["messages"].as_array()).unwrap();
    messages.last().unwrap()["content"].as_str().unwrap()
}

/// Answers the requests in a file by `model` and adds the answers to a file; `None` leaves one out.
pub fn answer(place: &Place, requests: &[Value], file: &str, model: impl Fn(&Value) -> Option<String>) {
    let old = if place.path(file).exists() { place.read(file) } else { String::new() };
    let new = requests.iter().filter_map(|request| {
        Some(json!({ "id": request["id"], "answer": model(request)? }).to_string() + "\n")
    });
    place.write(file, old + &new.collect::<String>());
}

/// Judges the rows of the file by a metric; returns one result per row.
pub fn run(place: &Place, metric: &str, more: &[&str]) -> (Vec<Value>, String) {
    for name in ["out.jsonl", "out.jsonl.journal"] {
        let _ = std::fs::remove_file(place.path(name));
    }
    let metric = format!("metric={metric}");
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--set", &metric, "--model", tiny()];
    let output = place.run([&fixed[..], more].concat());
    let results = if place.path("out.jsonl").exists() { lines(&place.read("out.jsonl")) } else { Vec::new() };
    (results, output.stderr)
}

/// The part of a request after a line, up to an empty line.
pub fn part<'t>(text: &'t str, after: &str) -> Vec<&'t str> {
    let begin = text.find(after).unwrap_or_else(|| panic!("{after} in {text}")) + after.len();
    text[begin..].trim_start_matches('\n').lines().take_while(|line| !line.is_empty()).collect()
}

/// A reader that knows the rows: twelve is wrong; everything with Oslo is in no summary.
pub fn finesure(request: &Value) -> Option<String> {
    let text = asked(request);
    Some(match request["step"].as_str().unwrap() {
        "finesure:facts" => {
            let judged = part(text, "sentences:").into_iter().map(|sentence| {
                let category = if sentence.contains("twelve") { "circumstantial error" } else { "no error" };
                json!({ "sentence": sentence, "reason": "It was ten.", "category": category })
            });
            json!({ "sentences": judged.collect::<Vec<_>>() }).to_string()
        }
        "finesure:key-facts" => {
            let facts = part(text, "Text:").join(" ");
            let facts: Vec<&str> = facts.split_inclusive('.').map(str::trim).collect();
            format!("Here they are:\n```json\n{}\n```", json!({ "key facts": facts }))
        }
        "finesure:alignment" => {
            let aligned = part(text, "Key facts:").into_iter().map(|fact| {
                let said = if fact.contains("Oslo") { "No" } else { "Yes" };
                json!({ "key fact": fact, "response": said, "line number": [1] })
            });
            json!({ "key facts": aligned.collect::<Vec<_>>() }).to_string()
        }
        step => panic!("{step}"),
    })
}
