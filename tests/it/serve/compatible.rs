//! The endpoints that clients of other servers call: `/alignscore_base` as NeMo Guardrails does, `/predict` as clients of
//! text-embeddings-inference do. Scores are those of the program's own commands.
use crate::common::server::{Response, Server};
use crate::common::{Place, SENTENCES, article, list, models, number, splitter, summary, test_each};
use insta::assert_snapshot;
use serde_json::{Value, json};

fn evidence() -> Value {
    json!({"evidence": article(), "claim": summary()})
}

#[track_caller]
fn refused(response: &Response, field: &str) {
    assert_eq!(response.status, 422, "{response:?}");
    let error = &response.json()["error"];
    assert_eq!(
        (error["code"].as_str(), error["field"].as_str()),
        (Some("invalid"), Some(field)),
        "{response:?}"
    );
}

/// The labels and scores of one input.
fn outputs(prediction: &Value) -> Vec<(String, f64)> {
    let output = |one: &Value| (one["label"].as_str().unwrap().to_owned(), number(&one["score"]));
    list(prediction).iter().map(output).collect()
}

/// A probability is returned unchanged; a difference of probabilities is mapped from -1..1 to 0..1.
#[test]
fn align_score_is_the_score_of_sentences_from_zero_to_one() {
    // The server's own claims do not change it.
    let splitter = splitter();
    let more: [&[&str]; 3] = [&[], &["--claims", &splitter], &["--profile", "paper"]];
    test_each(more, |more| {
        let profile = if more.contains(&"paper") { more } else { &[] };
        let fixed = [profile, &["--claims", "sentence"]].concat();
        let result = Place::new().score_tiny(&article(), &summary(), &fixed).json();
        let score = number(&result["score"]);
        let expected = if result["limits"]["scale"] == "score" { (1.0 + score) / 2.0 } else { score };
        let server = Server::tiny(more);
        let answer = server.post("/alignscore_base", &evidence()).ok();
        assert_eq!(answer, json!({"alignscore": expected}));
        let passages: Vec<String> = article().split("\n\n").map(ToOwned::to_owned).collect();
        let listed = json!({"evidence": passages, "claim": summary()});
        assert_eq!(server.post("/alignscore_base", &listed).ok(), answer);
    });
}

#[test]
fn predictions_of_pairs_are_the_probabilities_of_nli() {
    for model in models() {
        let server = Server::start(&["--model", &model, "--set", "screen=words:8"]);
        let pairs: Vec<[&str; 2]> =
            SENTENCES.iter().map(|premise| [*premise, "The bakery opened in 1962."]).collect();
        let batch = server.post("/predict", &json!({"inputs": pairs})).ok();
        let raw = server.post("/predict", &json!({"inputs": pairs, "raw_scores": true})).ok();
        assert_eq!(list(&batch).len(), pairs.len());
        for (number, pair) in pairs.iter().enumerate() {
            let nli = json!({"premise": pair[0], "hypothesis": pair[1]});
            let nli = server.post("/v1/nli", &nli).ok();
            let predicted = outputs(&batch[number]);
            assert_eq!(server.post("/predict", &json!({"inputs": pair})).ok(), batch[number]);
            for (label, score) in &predicted {
                assert_eq!(*score, nli[label.to_lowercase()].as_f64().unwrap(), "{model} {label}");
            }
            assert!(predicted.is_sorted_by(|one, other| one.1 >= other.1), "{predicted:?}");
            // The logits have the same order, and their softmax is the probabilities.
            let logits = outputs(&raw[number]);
            let total: f64 = logits.iter().map(|(_, logit)| logit.exp()).sum();
            for ((label, score), (raw_label, logit)) in predicted.iter().zip(&logits) {
                assert_eq!(label, raw_label);
                assert!((logit.exp() / total - score).abs() < 1e-5, "{model}: {logits:?} {predicted:?}");
            }
        }
    }
}

#[test]
fn one_text_is_classified_alone() {
    let server = Server::tiny(&[]);
    let text = SENTENCES[0];
    let alone = server.post("/predict", &json!({"inputs": text})).ok();
    assert_eq!(outputs(&alone).len(), 3);
    assert_eq!(server.post("/predict", &json!({"inputs": [text]})).ok(), alone);
    let mixed = server.post("/predict", &json!({"inputs": [[text, SENTENCES[1]], [text]]})).ok();
    assert_eq!(mixed[1], alone);
    assert_ne!(mixed[0], alone);
}

/// The tiny model reads 4,096 tokens.
#[test]
fn long_inputs_are_errors_unless_they_may_be_cut() {
    let server = Server::tiny(&[]);
    let long = "cat ".repeat(5000);
    for inputs in [json!(long), json!([long, "A cat."])] {
        refused(&server.post("/predict", &json!({"inputs": inputs})), "inputs");
        let cut = server.post("/predict", &json!({"inputs": inputs, "truncate": true})).ok();
        assert_eq!(outputs(&cut).len(), 3);
    }
    refused(&server.post("/predict", &json!({"inputs": [["A cat.", "A cat."], [long]]})), "inputs[1]");
    let by_nli = json!({"premise": long, "hypothesis": "A cat.", "truncate": "longest_first"});
    let by_nli = server.post("/v1/nli", &by_nli).ok();
    let cut = server.post("/predict", &json!({"inputs": [long, "A cat."], "truncate": true})).ok();
    for (label, score) in outputs(&cut) {
        assert_eq!(by_nli[label.to_lowercase()].as_f64(), Some(score));
    }
}

#[test]
fn bad_input_is_an_error_and_the_server_goes_on() {
    let server = Server::tiny(&["--max-body-mb", "1"]);
    let align_score = "/alignscore_base";
    let long = |count: usize| json!({"claim": "cat ".repeat(count), "evidence": "A cat."}).to_string();
    // The second has a sentence that leaves no room for a premise.
    let (too_long, no_room) = (long(60_000), long(5000));
    let align_scores = [
        r#"{"claim":"A"}"#,
        r#"{"evidence":"","claim":"A cat."}"#,
        r#"{"evidence":"A cat.","claim":""}"#,
        r#"{"evidence":"A","claim":"?"}"#,
        r#"{"evidence":"A","claim":null}"#,
        r#"{"evidence":5,"claim":"A cat."}"#,
        r#"{"evidence":[],"claim":"A"}"#,
        r#"{"evidence":["A",2],"claim":"A"}"#,
        r#"{"evidence":{"text":"A"},"claim":"A cat."}"#,
        r#"{"evidence":"A cat.","claim":["A cat."]}"#,
        r#"{"evidence":"A","claim":"A","model":"x"}"#,
        &too_long,
        &no_room,
    ];
    let predictions = [
        "{}",
        r#"{"inputs":null}"#,
        r#"{"inputs":7}"#,
        r#"{"inputs":""}"#,
        r#"{"inputs":[]}"#,
        r#"{"inputs":["A","B","C"]}"#,
        r#"{"inputs":["A",["B"]]}"#,
        r#"{"inputs":[["A","B"],"C"]}"#,
        r#"{"inputs":[["A","B"],["C",1]]}"#,
        r#"{"inputs":[["A","B"],["C","..."]]}"#,
        r#"{"inputs":[[]]}"#,
        r#"{"inputs":"A","truncate":"yes"}"#,
        r#"{"inputs":"A","truncation_direction":"left"}"#,
        r#"{"inputs":"A","parameters":{}}"#,
    ];
    let mut posts: Vec<_> = align_scores.iter().map(|body| (align_score, (*body).to_owned())).collect();
    posts.extend(predictions.map(|body| ("/predict", body.to_owned())));
    for path in [align_score, "/predict"] {
        posts.extend(["{", "[]", &" ".repeat((1 << 20) + 1)].map(|body| (path, body.to_owned())));
        assert_eq!(server.get(path).status, 405);
    }
    assert_snapshot!("bad_input", server.refusals(&posts));
    assert!(server.post(align_score, &evidence()).ok()["alignscore"].is_number());
}

#[test]
fn the_token_guards_these_addresses_too() {
    let place = Place::new();
    let file = place.write("token", "a-token-of-some-length\n");
    let server = Server::tiny(&["--token-file", file.to_str().unwrap()]);
    for path in ["/alignscore_base", "/predict"] {
        assert_eq!(server.post(path, &evidence()).status, 401, "{path}");
    }
}
