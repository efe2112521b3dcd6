//! Real-world text: control characters, zero-width characters, Windows-1252 bytes, lone surrogates. None of them ends a run
//! or moves a span; a text without words is an error row in its position.
use crate::common::found::{DOCUMENT, SUMMARY, any_text};
use crate::common::{Output, Place, assert_spans, list, slice};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

fn run(place: &Place, rows: &[String], more: &[&str]) -> (i32, Vec<Value>) {
    place.write("rows.jsonl", rows.join("\n"));
    let output = place.run_tiny(&[&["run", "rows.jsonl", "-o", "-", "-q"], more].concat());
    let lines = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(output.code == 0 || output.code == 2, "{}", output.stderr);
    (output.code, lines)
}

/// One U+0092 in a scraped text made the whole document an error.
#[test]
fn replaced_characters_are_counted_and_spans_are_of_the_text_as_given() {
    let place = Place::new();
    let result = place.score_tiny(DOCUMENT, SUMMARY, &["--claims", "sentence", "--set", "epsilon=0"]).json();
    assert_spans(&result, DOCUMENT, SUMMARY);
    assert_eq!(result["ledger"]["characters_replaced"], 11);
    let plain = place.score_tiny("The cat sat.", "The dog sat.", &[]).json();
    assert_eq!(plain["ledger"]["characters_replaced"], 0);
    let same = "The council’s cat sat on the mat. The dog left late. It was “open”.";
    let read = place.score_tiny(same, "The cat sat.  The dog left.", &["--claims", "sentence"]).json();
    assert_eq!(result["score"], read["score"], "both texts are normalised to the same");
    assert_ne!(
        result["ledger"]["document_digest"], read["ledger"]["document_digest"],
        "the digest is of the text as given"
    );
}

#[test]
fn rows_keep_spans_claims_and_sentences() {
    let place = Place::new();
    let row = json!({
        "document": DOCUMENT, "summary": SUMMARY, "claims": ["The ca\u{ad}t sat.", "The dog left."],
        "document_sentences": ["\u{feff}The council\u{92}s cat sat on the mat.", "The do\u{ad}g left\u{0} late.",
                               "It was \u{93}open\u{94}."],
        "summary_sentences": ["The ca\u{ad}t sat.", "The do\u{ad}g\u{0} left."],
    });
    let (code, lines) = run(&place, &[row.to_string()], &["--claims", "given"]);
    assert_eq!((code, lines.len()), (0, 1), "{lines:?}");
    let result = &lines[0];
    assert_spans(result, DOCUMENT, SUMMARY);
    assert_eq!(result["claims"][0]["text"], "The ca\u{ad}t sat.", "given claims keep their text");
    assert_eq!(result["claims"][0]["summary_spans"], json!([[0, 13]]));
}

/// A lone `\ud83d`, as written by programs that cut texts by UTF-16 units.
#[test]
fn a_lone_surrogate_is_read_as_a_replacement_character() {
    let place = Place::new();
    let document = r#""The cat \ud83d sat. The dog\ude00s left.""#;
    let row = |claims: &str| {
        format!("{{\"id\":1,\"document\":{document},\"summary\":\"The cat sat\\ud83d.\"{claims}}}")
    };
    let (code, lines) = run(&place, &[row("")], &[]);
    assert_eq!((code, lines.len()), (0, 1));
    assert_spans(&lines[0], "The cat \u{fffd} sat. The dog\u{fffd}s left.", "The cat sat\u{fffd}.");
    assert_eq!(lines[0]["ledger"]["characters_replaced"], 3);
    place.write("rows.jsonl", row(r#","extra":"\ud800""#));
    let passed = place.run_tiny(&["run", "rows.jsonl", "-o", "-", "-q"]).ok();
    assert!(
        passed.contains(r#""input":{"extra":"\ud800"}"#),
        "fields that pass through are unchanged: {passed}"
    );
}

/// The run ended at the first such row.
#[test]
fn claims_continue_after_an_invalid_row() {
    let place = Place::new();
    let rows = [
        json!({"id": 1, "summary": "The cat sat."}).to_string(),
        json!({"id": "b", "summary": "\u{0} "}).to_string(),
        "{\"summary\":".to_owned(),
        json!({"id": 4, "text": "The cat sat."}).to_string(),
        json!({"id": 5, "summary": "The dog left."}).to_string(),
    ];
    place.write("rows.jsonl", rows.join("\n"));
    let mut told = String::new();
    for more in [&["--format", "json"][..], &[], &["--claims", "given"]] {
        let Output { code, stdout, stderr } = place.run([&["claims", "rows.jsonl"], more].concat());
        told += &format!("{more:?}\nexit code {code}: {stderr}{stdout}\n");
    }
    assert_snapshot!("claims_of_invalid_rows", told);
}

#[test]
fn claims_are_of_the_text_as_given() {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    let claims = place.run(["claims", "summary.txt", "--claims", "sentence", "--format", "json"]).json();
    for claim in list(&claims["claims"]) {
        assert_eq!(slice(SUMMARY, &claim["spans"][0]), claim["text"].as_str().unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_in_any_field_ends_a_run_or_moves_a_span(
        texts in proptest::collection::vec([any_text(), any_text(), any_text(), any_text()], 1..12),
    ) {
        let place = Place::new();
        let rows: Vec<String> = texts.iter().map(|[document, summary, other, name]| {
            json!({"id": other, "document": document, "summary": summary, "key_facts": [other], "reference": other,
                   "topic": name, "references": [name, other], "sections": {name: other}, "x": {"y": name}})
            .to_string()
        }).collect();
        let (_, lines) = run(&place, &rows, &["--claims", "sentence"]);
        prop_assert_eq!(lines.len(), rows.len());
        for (line, [document, summary, other, _]) in lines.iter().zip(&texts) {
            prop_assert_eq!(line["id"].as_str().unwrap(), other);
            if line.get("error").is_none() {
                assert_spans(line, document, summary);
            }
        }
    }
}
