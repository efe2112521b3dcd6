//! `claims` and `--claims`: every extractor through the real binary, on ordinary and awkward summaries.
use crate::common::{Output, Place, finish, list, slice, splitter};
use insta::assert_snapshot;
use serde_json::{Value, json};

const TEXT: &str = "Anna and Bob visited Paris and bought a car. It rained.";

fn claims(place: &Place, file: &str, how: &str, more: &[&str]) -> Output {
    place.run(["claims", file, "--claims", how].iter().chain(more))
}

fn texts(row: &Value) -> Vec<String> {
    list(&row["claims"]).iter().map(|claim| claim["text"].as_str().unwrap().to_owned()).collect()
}

/// Spans and sentences are parts of the summary.
fn assert_claims(row: &Value, summary: &str) {
    assert!(!list(&row["claims"]).is_empty());
    for claim in list(&row["claims"]) {
        assert!(!claim["text"].as_str().unwrap().trim().is_empty());
        assert!(summary.contains(claim["sentence"].as_str().unwrap()), "{claim}");
        for span in list(&claim["spans"]) {
            assert!(!slice(summary, span).trim().is_empty(), "{claim}");
        }
    }
}

#[test]
fn claims_of_a_text_file_are_shown_under_their_sentences() {
    let place = Place::new();
    place.write("summary.txt", TEXT);
    assert_snapshot!(claims(&place, "summary.txt", &splitter(), &[]).ok(), @"
    Anna and Bob visited Paris and bought a car.
      - Anna visited Paris.
      - Anna bought a car.
      - Bob visited Paris.
      - Bob bought a car.
    It rained.
      - It rained.
    ");
    let row = claims(&place, "summary.txt", &splitter(), &["--format", "json"]).json();
    assert_claims(&row, TEXT);
    assert_eq!(row["id"], Value::Null);
}

#[test]
fn rows_keep_their_order_and_ids() {
    let place = Place::new();
    let rows = [
        json!({"id": 7, "summary": TEXT}),
        json!({"id": "b", "summary": "It rained."}),
        json!({"summary": "No."}),
    ];
    place.write("rows.jsonl", rows.clone().map(|row| row.to_string()).join("\n"));
    for how in ["sentence", &splitter()] {
        let out = claims(&place, "rows.jsonl", how, &["--format", "json", "--quiet"]).json_lines();
        assert_eq!(
            out.iter().map(|row| &row["id"]).collect::<Vec<_>>(),
            [&json!(7), &json!("b"), &Value::Null]
        );
        for (row, input) in out.iter().zip(&rows) {
            assert_claims(row, input["summary"].as_str().unwrap());
        }
    }
    assert_eq!(
        texts(&claims(&place, "rows.jsonl", "sentence", &["--format", "json"]).json_lines()[0]).len(),
        2
    );
}

#[test]
fn a_model_writes_claims_and_no_sentence_is_lost() {
    let place = Place::new();
    let summary = "Anna and Bob visited Paris and bought a car.\n\nQuarks were zzyzx in Xanadu.";
    place.write("summary.txt", summary);
    let out = claims(&place, "summary.txt", &splitter(), &["--format", "json"]);
    let row = out.json();
    assert_claims(&row, summary);
    let sentences: Vec<&str> =
        list(&row["claims"]).iter().map(|claim| claim["sentence"].as_str().unwrap()).collect();
    assert!(sentences.contains(&"Quarks were zzyzx in Xanadu."), "{row}");
    let alone = claims(&place, "summary.txt", &splitter(), &["--format", "json"]).json();
    assert_eq!(alone, row);
}

#[test]
fn a_note_names_the_default_output_length() {
    let place = Place::new();
    place.write("summary.txt", "Anna and Bob visited Paris.");
    let notes = |more: &[&str]| place.plain(&claims(&place, "summary.txt", &splitter(), more).stderr);
    assert_snapshot!(notes(&[]), @"note: models/tests/fixtures/t5/splitter sets no output length; at most 512 tokens are generated for a group of sentences");
    assert_eq!(notes(&["--quiet"]), "");
}

#[test]
fn given_claims_are_used_only_with_claims_given() {
    let place = Place::new();
    let row = json!({"document": "The cat sat on the mat.", "summary": "The cat sat.", "claims": ["A cat sat.", "A mat was there."]});
    place.write("rows.jsonl", row.to_string());
    let run = |how: &str| place.run_tiny(&["run", "rows.jsonl", "-o", "-", "--claims", how]).json();
    let given = run("given");
    assert_eq!(texts(&given), ["A cat sat.", "A mat was there."]);
    assert_eq!(given["ledger"]["claims_from"], "given");
    assert_eq!(texts(&run("sentence")), ["The cat sat."]);
    place.write("none.jsonl", json!({"document": "A.", "summary": "B."}).to_string());
    place.write("text.jsonl", json!({"document": "A.", "summary": "B.", "claims": "x"}).to_string());
    let bad =
        ["none", "text"].map(|name| format!("run {name}.jsonl -o out.jsonl --on-error fail --claims given"));
    assert_snapshot!("bad_claims", place.refusals(&bad));
}

#[test]
fn scores_name_the_extractor_and_its_model() {
    let place = Place::new();
    let document = "Anna closed the shop. Then Anna walked home.";
    for (how, model) in [("sentence".to_owned(), None), (splitter(), Some("splitter"))] {
        let result = place.score_tiny(document, TEXT, &["--claims", &how]).json();
        for claim in list(&result["claims"]) {
            assert_eq!(
                slice(document, &claim["evidence"]["span"]),
                claim["evidence"]["text"].as_str().unwrap()
            );
            assert!(
                list(&claim["summary_spans"]).iter().all(|span| !slice(TEXT, span).is_empty()),
                "{claim}"
            );
        }
        assert_eq!(result["profile"]["claims"], how.split('=').next().unwrap());
        match model {
            None => assert_eq!(result["models"]["claims"], Value::Null),
            Some(name) => assert!(result["models"]["claims"]["id"].as_str().unwrap().ends_with(name)),
        }
    }
}

#[test]
fn awkward_summaries_give_claims() {
    let place = Place::new();
    let long = "The council met and the mayor spoke about it. ".repeat(600);
    let summaries = [
        "Rain",
        "Heavy rain in the north",
        "MAYOR RESIGNS AFTER VOTE AND LEAVES TOWN",
        "- Shops closed\n- Roads flooded, two bridges shut\n* Schools open",
        "¿Por qué? 雨が降った。 🎉🎉",
        "\"No,\" he said; \"never.\"",
        &long,
    ];
    let splitter = splitter();
    for (how, summaries) in
        [("sentence", &summaries[..]), (&splitter, &["Rain", "MAYOR RESIGNS", "雨が降った。"])]
    {
        let rows = summaries.iter().map(|summary| json!({"summary": summary}).to_string() + "\n");
        place.write("rows.jsonl", rows.collect::<String>());
        let found = claims(&place, "rows.jsonl", how, &["--format", "json", "--quiet"]).json_lines();
        assert_eq!(found.len(), summaries.len());
        found.iter().zip(summaries).for_each(|(row, summary)| assert_claims(row, summary));
    }
}

#[test]
fn impossible_requests_are_errors() {
    let place = Place::new();
    place.write("summary.txt", TEXT);
    place.write("empty.txt", "  ");
    let commands = [
        "claims summary.txt --claims t5=nowhere",
        "claims summary.txt --claims given",
        "claims empty.txt",
        "claims missing.txt",
        "score summary.txt summary.txt --claims given",
    ];
    assert_snapshot!("impossible", place.refusals(&commands));
    let mut t5 = place.command(["claims", "summary.txt", "--claims", "t5"]);
    t5.env("HF_HOME", place.path("empty")).env_remove("HF_HUB_CACHE");
    assert_snapshot!(place.told(finish(t5)), @"--claims t5=Babelscape/t5-base-summarization-claim-extractor: Babelscape/t5-base-summarization-claim-extractor is not on this machine: empty/hub has no snapshot of it; fetch it with `veridic models pull Babelscape/t5-base-summarization-claim-extractor`");
}
