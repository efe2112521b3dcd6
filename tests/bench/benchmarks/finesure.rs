//! FineSurE's files of FRANK and REALSumm through the real program.
use crate::common::runs::json_lines;
use crate::common::{Place, list, number};
use crate::files::{DOCUMENTS, assert_words, tiny};
use serde_json::{Value, json};

const SYSTEMS: [&str; 2] = ["bart", "pgn"];

/// Returns the sentences of a system's summary of a document.
fn sentences(number: usize) -> Vec<&'static str> {
    let all = ["The mayor was late .", "An otter flew over Peru .", "Nobody was hurt ;", "it rained ."];
    (0..1 + number % 3).map(|place| all[(number + place) % 4]).collect()
}

/// Returns the field of three annotators who agree.
fn annotations(of: impl Fn() -> Value) -> Value {
    json!({"annotator_0": of(), "annotator_1": of(), "annotator_2": of()})
}

fn frank_rows() -> Vec<Value> {
    let row = |number: usize| {
        let texts = sentences(number);
        let labels: Vec<usize> = (0..texts.len()).map(|place| (number + place) % 2).collect();
        let types: Vec<&str> = labels.iter().map(|label| ["NoE", "OutE"][*label]).collect();
        json!({"doc_id": format!("h{}", number / 2), "source": "cnndm", "model": SYSTEMS[number % 2],
               "split": (["valid", "test"][number / 2 % 2]), "transcript": DOCUMENTS[number / 2], "reference": "x",
               "sentences": texts, "raw_annotations":
                   annotations(|| json!({"factuality_labels": labels, "factuality_types": types}))})
    };
    (0..10).map(row).collect()
}

fn bench(place: &Place, more: &[&str]) -> Value {
    place.run([more, &["--format", "json", "--model", tiny()]].concat()).json()
}

#[test]
fn frank_needs_no_annotations_beside_finesures_file() {
    let place = Place::new();
    place.write("frank-data.json", json_lines(&frank_rows()));
    let data = ["frank", "--data", "frank-data.json"];
    let sentences: usize = (0..10).map(|number| sentences(number).len()).sum();
    // Without FineSurE's metric each sentence is judged as a separate text.
    let by_text = bench(&place, &data);
    assert_eq!(by_text["data"]["texts_measured"], 10 + sentences);
    assert_eq!(by_text["parts"][1]["sentences"]["sentences"], sentences);
    let faithfulness = [&data[..], &["--metric", "finesure:faithfulness"]].concat();
    let judged = bench(&place, &faithfulness);
    assert_eq!(judged["data"]["texts_measured"], 10);
    assert!(judged["parts"][1]["localisation"].is_null(), "claims have no types of errors: {judged}");
    // A language model names them.
    place.run([&faithfulness[..], &["--prompts", "p.jsonl"]].concat()).ok();
    let answer = |request: &str| {
        let request: Value = serde_json::from_str(request).unwrap();
        let question = request["messages"][0]["content"].as_str().unwrap();
        let lines = question.rsplit_once("sentences:\n").unwrap().1.trim().lines();
        let judged: Vec<Value> = lines.map(|line| json!({ "category": category(line) })).collect();
        let answer = json!({ "sentences": judged }).to_string();
        json!({ "id": request["id"], "answer": answer })
    };
    place.write("a.jsonl", json_lines(&place.read("p.jsonl").lines().map(answer).collect::<Vec<_>>()));
    let answered = bench(&place, &[&faithfulness[..], &["--answers", "a.jsonl"]].concat());
    let all = &answered["parts"][1];
    assert_eq!(all["sentences"]["sentences"], sentences);
    assert!(all["sentences"]["balanced_accuracy"].is_object(), "yes or no needs no tuned threshold: {all}");
    assert_eq!((&answered["ratings"], &answered["threshold"]), (&json!("sentences"), &json!(0.5)));
    let types = list(&all["localisation"]["types"]);
    assert_eq!((types.len(), &types[0]["type"]), (7, &json!("OutE")));
    let mut wrong = Vec::new();
    for row in frank_rows() {
        let annotated = list(&row["raw_annotations"]["annotator_0"]["factuality_types"]).to_vec();
        let texts = list(&row["sentences"]).to_vec().into_iter().zip(annotated);
        wrong.extend(texts.filter(|(_, annotated)| annotated == "OutE").map(|(text, _)| text));
    }
    let right =
        wrong.iter().filter(|text| category(text.as_str().unwrap()) == "out-of-context error").count();
    assert_eq!((number(&types[0]["sentences"]), &types[1]["recall"]), (wrong.len() as f64, &Value::Null));
    assert!(right > 0, "{wrong:?}");
    assert!((number(&types[0]["recall"]) - right as f64 / wrong.len() as f64).abs() < 1e-12, "{types:?}");
    let paper = ["--answers", "a.jsonl", "--paper", "-q", "--model", tiny()];
    let paper = place.run([&faithfulness[..], &paper].concat()).ok();
    assert_words(&paper, "BART-large, fine-tuned|UniEval|differs, all figures: a sentence's type");
}

/// The category that a small stand-in for a language model names.
fn category(sentence: &str) -> &'static str {
    match sentence {
        otter if otter.contains("otter") => "out-of-context error",
        mayor if mayor.contains("mayor") => "entity error",
        _ => "no error",
    }
}

fn realsumm_rows() -> Vec<Value> {
    let row = |number: usize| {
        let texts = sentences(number);
        let labels: Vec<usize> = (0..texts.len()).map(|place| (number * 3 + place) % 2).collect();
        let facts = [number % 2, number / 3 % 2];
        json!({"doc_id": format!("d{}", number / 2), "source": "cnndm", "split": "test", "model": SYSTEMS[number % 2],
               "transcript": DOCUMENTS[number / 2], "reference": "<t> The mayor was late . </t>", "sentences": texts,
               "raw_annotations": annotations(|| json!({"key_fact_labels": facts, "sentence_labels": labels}))})
    };
    (0..10).map(row).collect()
}

#[test]
fn realsumm_joins_its_list_of_key_facts() {
    let place = Place::new();
    place.write("realsumm-data.json", json_lines(&realsumm_rows()));
    let fact = |number: usize| {
        json!({"doc_id": format!("d{number}"), "transcript": DOCUMENTS[number], "reference": "x",
               "key_facts": ["The mayor was late.", "An otter flew."]})
    };
    place.write("human-keyfact-list.json", json_lines(&(0..5).map(fact).collect::<Vec<_>>()));
    let data = ["realsumm", "--data", "realsumm-data.json", "--key-fact-list", "human-keyfact-list.json"];
    let completeness = bench(&place, &data);
    assert_eq!(
        (&completeness["dimension"], &completeness["summaries"]),
        (&json!("completeness"), &json!(10))
    );
    assert_eq!(completeness["scores"]["metric"], "finesure:completeness");
    assert_eq!(completeness["key_fact_agreement"]["key_facts"], 20);
    assert_eq!(completeness["agreement_of_people"], json!({"key_facts": 20, "alpha": 1.0}));
    let concise = bench(&place, &[&data[..], &["--metric", "finesure:conciseness"]].concat());
    assert_eq!(concise["dimension"], "conciseness");
    assert_eq!(concise["published"][0]["table"], "conciseness");
    let rouge = bench(&place, &[&data[..], &["--metric", "rouge:1", "--dimension", "conciseness"]].concat());
    assert_eq!((&rouge["dimension"], &rouge["key_fact_agreement"]), (&json!("conciseness"), &Value::Null));
    let text = place.run([&data[..], &["-q", "--model", tiny()]].concat()).ok();
    assert!(text.contains("Krippendorff's alpha on 20 key facts, among people: 1.00"), "{text}");
    let without = place.run(["realsumm", "--data", "realsumm-data.json", "--model", tiny()]);
    without.clear_error(&["realsumm-data.json", "line 1", "human-keyfact-list.json"]).unwrap();
}

/// Adds the fields of `more` to a row.
fn with(mut row: Value, more: Value) -> Value {
    row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    row
}

/// The authors' output files contain their rows and a language model's answers: nothing is judged.
#[test]
fn given_answers_of_frank_are_measured_without_a_model() {
    let place = Place::new();
    let rows = frank_rows().into_iter().map(|row| {
        let labels = row["raw_annotations"]["annotator_0"]["factuality_labels"].clone();
        let name = |label: &Value| if *label == 1 { "out-of-context error" } else { "no error" };
        let types: Vec<&str> = list(&labels).iter().map(name).collect();
        with(row, json!({"pred_faithfulness_labels": labels, "pred_faithfulness_error_type": types}))
    });
    place.write("frank-result.json", json_lines(&rows.collect::<Vec<_>>()));
    let right = bench(&place, &["frank", "--data", "frank-result.json", "--given-answers"]);
    let all = &right["parts"][1];
    for of in ["pearson", "spearman", "system_spearman"] {
        assert!((number(&all[of]["value"]) - 1.0).abs() < 1e-9, "{of}: {all}");
    }
    assert_eq!(all["sentences"]["balanced_accuracy"]["value"], 1.0);
    let localisation = &all["localisation"];
    assert_eq!([&localisation["types"][0]["recall"], &localisation["mean"]], [1.0, 1.0]);
    assert_eq!(right["scores"]["file"], "frank-result.json");
}

#[test]
fn given_answers_of_realsumm_are_measured_without_a_model() {
    let place = Place::new();
    let rows = realsumm_rows().into_iter().enumerate().map(|(number, row)| {
        let labels = row["raw_annotations"]["annotator_0"].clone();
        let said = list(&labels["sentence_labels"]).iter().zip(1..);
        let lines: Vec<usize> = said.filter(|(label, _)| **label == 1).map(|(_, line)| line).collect();
        // One row is a reply that was not parsed.
        let facts = if number == 3 { json!([]) } else { labels["key_fact_labels"].clone() };
        with(row, json!({"pred_alignment_labels": facts, "pred_sentence_line_numbers": lines}))
    });
    place.write("realsumm-result.json", json_lines(&rows.collect::<Vec<_>>()));
    let fact = |number: usize| json!({"doc_id": format!("d{number}"), "transcript": "x", "key_facts": ["a b", "c d"]});
    place.write("list.json", json_lines(&(0..5).map(fact).collect::<Vec<_>>()));
    let data =
        ["realsumm", "--data", "realsumm-result.json", "--key-fact-list", "list.json", "--given-answers"];
    for dimension in ["completeness", "conciseness"] {
        let output = place.run([&data[..], &["--dimension", dimension, "--format", "json"]].concat());
        let last = output.stderr.lines().last().unwrap_or_default();
        assert!(last.contains("lack 1 of 10 texts: summaries whose answers do not fit"), "{last}");
        assert_eq!(output.code, 2);
        let right: Value = serde_json::from_str(&output.stdout).unwrap();
        assert!((number(&right["pearson"]["value"]) - 1.0).abs() < 1e-9, "{dimension}: {right}");
        let answers = &right["scores"]["answers"][0];
        assert_eq!([&answers["requests"], &answers["read"]], [10, 9]);
        assert_eq!(right["key_fact_agreement"], json!({"key_facts": 18, "alpha": 1.0, "unlabelled": 0}));
        let left_out = json!({"summaries whose answers do not fit their key facts": 1});
        assert_eq!(right["data"]["rows_left_out"], left_out);
    }
    let text = place.run([&data[..], &["-q"]].concat()).stdout;
    let last = "given answers: 9 of 10 answers read (success ratio 0.900), 1 cannot be read\n";
    assert!(text.ends_with(last), "{text}");
}
