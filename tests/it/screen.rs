//! The premises that a screen leaves out at each level, and that a row's context does not change them.
use crate::common::{Place, SENTENCES, article, summary, tiny};
use insta::assert_snapshot;
use serde_json::{Value, json};

const FLAGS: [&str; 6] = ["--set", "window=3", "--set", "epsilon=0", "--coref", "off"];

fn screened(place: &Place, screen: &str, more: &[&str]) -> Value {
    let screen = format!("screen={screen}");
    let flags = [&FLAGS[..], &["--set", &screen], more].concat();
    place.score_tiny(&article(), &summary(), &flags).json()
}

fn ledger(result: &Value, fields: &[&str]) -> Vec<u64> {
    fields.iter().map(|field| result["ledger"][*field].as_u64().unwrap()).collect()
}

const COUNTS: [&str; 4] = ["premises", "premises_skipped", "premises_screened", "screen_pairs"];

#[test]
fn words_limit_the_premises_of_each_level() {
    let place = Place::new();
    let result = screened(&place, "words:4", &[]);
    // Three claims; seven sentences, five windows and the document.
    assert_eq!(ledger(&result, &COUNTS), [(4 + 2 + 1) * 3, 0, (3 + 3) * 3, 0]);
    let screen = json!({"method": "words", "sentences": 4, "windows": 2, "runs": 1});
    assert_eq!(result["profile"]["screen"], screen);
    assert!(result["models"].get("screen").is_none());
    let (all, off) = (screened(&place, "words:10", &[]), screened(&place, "off", &[]));
    assert_eq!(all["claims"], off["claims"]);
    assert!(off["profile"]["screen"].is_null());
    assert_eq!(ledger(&off, &COUNTS), [(7 + 5 + 1) * 3, 0, 0, 0]);
    // "The bakery opened in 1962." shares most with the first sentence.
    let one = screened(&place, "words:1", &["--set", "levels=sentence"]);
    assert_eq!(one["claims"][0]["evidence"]["text"], SENTENCES[0], "{one}");
}

#[test]
#[cfg(feature = "bundled")]
fn the_small_model_reads_sentences_and_is_named() {
    let place = Place::new();
    for method in ["mini", "mini+words"] {
        let result = screened(&place, &format!("{method}:2"), &[]);
        assert_eq!(ledger(&result, &COUNTS), [(2 + 1 + 1) * 3, 0, (5 + 4) * 3, 7 * 3], "{method}");
        assert_eq!(result["models"]["screen"]["id"], "mini");
        assert_eq!(result["profile"]["screen"]["method"], method);
    }
}

#[test]
#[cfg(feature = "bundled")]
fn the_default_screens_by_the_small_model_unless_it_judges() {
    let place = Place::new();
    for (model, method, sentences, windows) in
        [(tiny(), "mini+words", 6, 3), ("mini".to_owned(), "words", 8, 4)]
    {
        let result = place.score(&model, &article(), &summary(), &[]).json();
        let screen = json!({"method": method, "sentences": sentences, "windows": windows, "runs": 1});
        assert_eq!(result["profile"]["screen"], screen, "{model}");
    }
}

/// Rows of different lengths, together and alone, with one thread and with several, and after a resume.
#[test]
#[cfg(feature = "bundled")]
fn what_a_screen_keeps_depends_on_the_row_alone() {
    let place = Place::new();
    let documents =
        [article(), SENTENCES[..3].join(" "), [&SENTENCES[..], &SENTENCES[..2]].concat().join(" ")];
    let rows: Vec<String> = documents
        .iter()
        .enumerate()
        .map(|(id, document)| json!({"id": id, "document": document, "summary": summary()}).to_string())
        .collect();
    let flags = ["--model", &tiny(), "--set", "screen=mini+words:2", "--quiet"];
    let run = |input: &str, output: &str, more: &[&str]| {
        let command = [&["run", input, "-o", output], &flags[..], more].concat();
        place.run(command).ok();
        place.read(output)
    };
    place.write("all.jsonl", rows.join("\n"));
    let together = run("all.jsonl", "together.jsonl", &[]);
    assert_eq!(
        run(
            "all.jsonl",
            "narrow.jsonl",
            &["--threads", "1", "--set", "batch_tokens=64", "--set", "cache_mb=0"]
        ),
        together
    );
    let mut alone = String::new();
    for (id, row) in rows.iter().enumerate() {
        place.write("one.jsonl", row);
        alone += &run("one.jsonl", &format!("alone{id}.jsonl"), &[]);
    }
    assert_eq!(alone, together);
}

#[test]
fn invalid_screens_are_clear_errors() {
    let place = Place::new();
    place.write("d.txt", article());
    let settings = [
        "screen=words:4 --set levels=window",
        "screen=words:4 --profile paper",
        "screen=words:4 --profile released",
        "screen=words:0",
        "screen=words:few",
        "screen=word:4",
        "screen=4,3,2",
    ];
    let commands = settings.map(|more| format!("score d.txt d.txt --set {more}"));
    assert_snapshot!("refused", place.refusals(&commands));
}
