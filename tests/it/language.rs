//! Texts in languages that the NLI model's card does not list: a note names them, and their claims are unsupported with the
//! reason `language`, unless the setting `languages` is any.
use std::fs;

use crate::common::server::Server;
use crate::common::{Place, list, repository};
use insta::assert_snapshot;
use serde_json::{Value, json};

const DOCUMENT: &str = "The town will close its only swimming pool in March, because the beams are rusty and the roof may fall. \
     Repairs would cost more than the town can pay in the next two years.";
const CHINESE: &str = "工程于十月开始。游泳池将在三月关闭。";

/// A folder with the tiny model and a card with this field `language`.
fn model(place: &Place, languages: &str) -> String {
    let folder = place.path("model");
    fs::create_dir_all(&folder).unwrap();
    let tiny = repository("models/tests/fixtures/deberta/tiny_with_tokenizer");
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny.join(file), folder.join(file)).unwrap();
    }
    fs::write(folder.join("README.md"), format!("---\nlicense: mit\n{languages}\n---\n# A model\n")).unwrap();
    folder.to_str().unwrap().to_owned()
}

fn reasons(result: &Value) -> Vec<&Value> {
    list(&result["claims"]).iter().map(|claim| &claim["reason"]).collect()
}

/// Three of three claims were supported, among them "Works begin in October", which is not in the document.
#[test]
fn a_summary_in_chinese_is_not_judged_by_a_model_of_english() {
    let place = Place::new();
    let english = model(&place, "language:\n- en");
    let output = place.score(&english, DOCUMENT, CHINESE, &["--claims", "sentence"]);
    assert_snapshot!(place.plain(&output.stderr), @"note: the summary is in Chinese, which the card of the model `model` does not list (en): the verdict is unsupported, with the reason `language`, unless `languages` names it, or is any");
    let result = output.json();
    assert_eq!((&result["verdict"], &result["reason"]), (&json!("unsupported"), &json!("language")));
    assert_eq!(reasons(&result), [&json!("language"), &json!("language")]);
    assert!(list(&result["claims"]).iter().all(|claim| claim["verdict"] == "unsupported"));
    assert_eq!(result["ledger"]["language"], json!({"document": "en", "summary": "zh"}));
    assert_eq!(result["profile"]["languages"], json!(["en"]));

    let asked = place.score(&english, DOCUMENT, CHINESE, &["--set=languages=any", "--claims", "sentence"]);
    assert!(!asked.stderr.contains("language"), "{}", asked.stderr);
    let asked = asked.json();
    assert_eq!((reasons(&asked), &asked["reason"]), (vec![&Value::Null; 2], &Value::Null));
    assert_eq!((&asked["profile"]["languages"], &asked["score"]), (&Value::Null, &result["score"]));
    assert_eq!(asked["ledger"]["language"], result["ledger"]["language"]);
}

#[test]
fn a_document_in_another_language_has_the_reason_too() {
    let place = Place::new();
    let english = model(&place, "language: en");
    let result = place.score(&english, CHINESE, "Works begin in October.", &[]).json();
    assert_eq!((&result["verdict"], &result["reason"]), (&json!("unsupported"), &json!("language")));
    assert_eq!(result["ledger"]["language"], json!({"document": "zh", "summary": null}));
}

/// Only texts that are certainly in another language get the reason, and only if the card lists the model's languages.
#[test]
fn texts_in_listed_languages_have_no_reason() {
    let place = Place::new();
    for (languages, document, summary) in [
        ("language: en", DOCUMENT, "Daniel Osei starts Monday."),
        ("language: en", DOCUMENT, "Juan Carlos de la Cruz met Wang Wei (王伟) in São Paulo."),
        ("language: [en, zh]", DOCUMENT, CHINESE),
        ("language: multilingual", DOCUMENT, CHINESE),
        ("tags: [nli]", DOCUMENT, CHINESE),
    ] {
        let model = model(&place, languages);
        let output = place.score(&model, document, summary, &["--set", "screen=words:8"]);
        assert!(!output.stderr.contains("language"), "{languages}: {}", output.stderr);
        let result = output.json();
        assert_eq!(result["reason"], Value::Null, "{languages}: {summary}");
        assert!(reasons(&result).into_iter().all(Value::is_null), "{languages}: {summary}");
    }
}

#[test]
fn a_claim_of_another_script_is_not_judged_among_others() {
    let place = Place::new();
    let english = model(&place, "language: en");
    let summary = format!("The town will close its only swimming pool in March. {}", &CHINESE[..24]);
    let output = place.score(&english, DOCUMENT, &summary, &["--claims", "sentence"]);
    assert_snapshot!(place.plain(&output.stderr), @"note: a claim is in another language, which the card of the model `model` does not list (en): the verdict is unsupported, with the reason `language`, unless `languages` names it, or is any");
    let result = output.json();
    assert_eq!(reasons(&result), [&Value::Null, &json!("language")]);
    assert_ne!(result["verdict"], "supported");
}

#[test]
fn rows_of_a_run_are_counted_and_have_columns() {
    let place = Place::new();
    let english = model(&place, "language: en");
    let row = |summary: &str| format!("{}\n", json!({"document": DOCUMENT, "summary": summary}));
    place.write("rows.jsonl", format!("{}{}", row("The pool will close in March."), row(CHINESE)));
    let run = |output: &str, more: &[&str]| {
        let fixed = ["run", "rows.jsonl", "-o", output, "--set", "screen=words:8", "--model", &english];
        place.run(fixed.iter().chain(more))
    };
    let output = run("scores.jsonl", &[]);
    let notes = output.stderr.lines().filter(|line| line.contains("does not list")).count();
    assert!(notes == 1 && output.stderr.contains("note: 1 of 2 rows is in a language"), "{}", output.stderr);
    output.ok();
    // Rows of the journal, which a row that fails keeps, count again: they are in the output.
    place.write("broken.jsonl", place.read("rows.jsonl") + "{}\n");
    let resumed = |more: &[&str]| {
        let fixed =
            ["run", "broken.jsonl", "-o", "resumed.jsonl", "--on-error", "skip", "--set", "screen=words:8"];
        place.run(fixed.iter().chain(&["--model", &english]).chain(more))
    };
    resumed(&[]).ok();
    assert!(resumed(&["--resume"]).stderr.contains("1 of 2 rows is in a language"));
    let quiet = run("claims.csv", &["--explode", "claims", "--columns", "all", "-q"]);
    assert_eq!(quiet.stderr, "");
    let table = place.read("claims.csv");
    let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for name in ["reason", "claim.reason", "ledger.language.document", "ledger.language.summary"] {
        assert!(columns.contains(&name), "{name} is not in {columns:?}");
    }
    assert!(table.contains(",unsupported,language,"), "{table}");

    let made = ["report", "scores.jsonl", "-o", "report.html", "--source", "rows.jsonl", "-q"];
    place.run(made).ok();
}

/// The server sends the note as an event, and its page names the model.
#[test]
fn the_server_notes_texts_in_other_languages() {
    let place = Place::new();
    let english = model(&place, "language: en");
    let server = Server::start(&["--model", &english]);
    let page = server.get("/").body;
    assert!(page.contains(&format!("judged by the model `{english}`")), "the page names the model");
    let events = |summary: &str| {
        let body = json!({"document": DOCUMENT, "summary": summary});
        server.post("/v1/score/events", &body).body
    };
    let told = events(CHINESE);
    let notes = told.split("event: notes\ndata: ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let notes: Value = serde_json::from_str(notes).unwrap();
    assert!(notes["notes"][0].as_str().unwrap().starts_with("the summary is in Chinese, which"), "{notes}");
    assert!(told.contains("event: result") && told.contains(r#""reason":"language""#));
    assert!(!events("The pool will close in March.").contains("event: notes"));
    drop(server);

    let asked = Server::start(&["--model", &english, "--set=languages=any"]);
    let body = json!({"document": DOCUMENT, "summary": CHINESE});
    assert_eq!(asked.post("/v1/score", &body).ok()["reason"], Value::Null);
}

#[cfg(feature = "bundled")]
#[test]
fn a_note_names_the_small_model_wherever_it_judges() {
    let place = Place::new();
    let note = "judged by the model `mini`, which is small and often wrong; `base`, the default, is better and slower";
    let output = place.score("mini", DOCUMENT, CHINESE, &[]);
    assert!(output.stderr.contains(&format!("note: {note}")), "{}", output.stderr);
    assert_eq!(output.json()["reason"], "language", "its card lists English");
    let folder = repository("models/weights/mini").to_str().unwrap().to_owned();
    for model in ["mini", &folder] {
        let server = Server::start(&["--model", model]);
        let note = note.replace("`mini`", &format!("`{model}`"));
        assert!(server.get("/").body.contains(&note), "the server's page has the note: {note}");
    }
}
