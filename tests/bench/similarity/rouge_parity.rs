//! ROUGE agrees with rouge-score, and its tokens with NLTK's stemmer, on every row of
//! tests/fixtures/rouge.json, which scripts/fixtures/make_rouge.py makes and describes.

use serde_json::Value;
use veridic_bench::similarity::rouge::{rouge, tokens};

const TOLERANCE: f64 = 1e-12;

/// The rows of a section.
fn section(name: &str) -> Vec<Value> {
    let mut fixture: Value =
        serde_json::from_str(include_str!("../../fixtures/rouge.json")).expect("the fixture is ours");
    let Value::Array(rows) = fixture[name].take() else { panic!("{name}: no rows") };
    rows
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn scores_are_those_of_rouge_score() {
    let rows = section("pairs");
    assert_eq!(rows.len(), 200);
    for row in &rows {
        let (reference, candidate) = (text(&row["reference"]), text(&row["candidate"]));
        for (stem, name) in [(false, "plain"), (true, "stemmed")] {
            let ours = rouge(reference, candidate, stem);
            let ours = [ours.unigram, ours.bigram, ours.longest, ours.longest_by_line];
            for (kind, ours) in ours.iter().enumerate() {
                for (index, ours) in [ours.precision, ours.recall, ours.f1].into_iter().enumerate() {
                    let expected = row[name][kind][index].as_f64().expect("a number");
                    let close = (ours - expected).abs() <= TOLERANCE;
                    assert!(close, "{name} {kind} {index}: {ours}, expected {expected}, of {row}");
                }
            }
        }
    }
}

#[test]
fn stems_are_those_of_nltk() {
    let rows = section("stems");
    assert!(rows.len() >= 3000);
    for row in &rows {
        assert_eq!(tokens(text(&row[0]), true), [text(&row[1])], "{row}");
    }
}
