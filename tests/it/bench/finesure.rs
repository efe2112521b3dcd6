//! FineSurE's files of FRANK and REALSumm through the real program.
use crate::common::benchmarks::DOCUMENTS;
use crate::common::runs::json_lines;
use crate::common::{Place, list, number, tiny};
use serde_json::{Value, json};

const SYSTEMS: [&str; 2] = ["bart", "pgn"];

/// Sentences of the summary of a document by a system.
fn sentences(number: usize) -> Vec<&'static str> {
    let all = ["The mayor was late .", "An otter flew over Peru .", "Nobody was hurt ;", "it rained ."];
    (0..1 + number % 3).map(|place| all[(number + place) % 4]).collect()
}

/// The field of three annotators who say the same.
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
    let tiny = tiny();
    place.run([&["bench"], more, &["--format", "json", "--model", &tiny]].concat()).json()
}

#[test]
fn frank_needs_no_annotations_beside_finesures_file() {
    let place = Place::new();
    place.write("frank-data.json", json_lines(&frank_rows()));
    let data = ["frank", "--data", "frank-data.json"];
    let sentences: usize = (0..10).map(|number| sentences(number).len()).sum();
    // Without FineSurE's metric each sentence is a text of its own.
    let by_text = bench(&place, &data);
    assert_eq!(by_text["data"]["texts_measured"], 10 + sentences);
    assert_eq!(by_text["parts"][1]["sentences"]["sentences"], sentences);
    let answered = bench(&place, &[&data[..], &["--metric", "finesure:errors"]].concat());
    assert_eq!(answered["data"]["texts_measured"], 10);
    let all = &answered["parts"][1];
    assert_eq!(all["sentences"]["sentences"], sentences);
    assert!(all["sentences"]["balanced_accuracy"].is_object(), "yes or no needs no tuned threshold: {all}");
    assert_eq!((&answered["ratings"], &answered["threshold"]), (&json!("sentences"), &json!(0.5)));
    let types = list(&all["localisation"]["types"]);
    assert_eq!((types.len(), &types[0]["type"]), (7, &json!("OutE")));
    assert!(number(&types[0]["sentences"]) > 0.0 && types[1]["recall"].is_null(), "{types:?}");
    // The same by `run`: the share of sentences without error of each summary.
    let row = |row: Value| {
        let texts = row["sentences"].clone();
        let summary = list(&texts).iter().map(|text| text.as_str().unwrap()).collect::<Vec<_>>().join(" ");
        json!({"document": row["transcript"], "summary": summary, "summary_sentences": texts})
    };
    place.write("rows.jsonl", json_lines(&frank_rows().into_iter().map(row).collect::<Vec<_>>()));
    let tiny = tiny();
    let run = ["run", "rows.jsonl", "-o", "-", "-q", "--metric", "finesure:errors", "--model", &tiny];
    let results = place.run(run).json_lines();
    let wrong = |result: &Value, row: Value| {
        let annotated = list(&row["raw_annotations"]["annotator_0"]["factuality_types"]).to_vec();
        let judged = list(&result["finesure"]["sentences"]).to_vec();
        assert_eq!(judged.len(), annotated.len());
        let both = judged.into_iter().zip(annotated).filter(|(_, annotated)| *annotated == "OutE");
        both.map(|(judged, _)| judged["error"]["type"] == "out-of-context").collect::<Vec<bool>>()
    };
    let right: Vec<bool> =
        results.iter().zip(frank_rows()).flat_map(|(result, row)| wrong(result, row)).collect();
    let share = right.iter().filter(|right| **right).count() as f64 / right.len() as f64;
    assert_eq!(number(&types[0]["sentences"]), right.len() as f64);
    assert!((number(&types[0]["recall"]) - share).abs() < 1e-12, "{types:?} {share}");
    let paper = place.run(
        [&["bench"], &data[..], &["--metric", "finesure:errors", "--paper", "-q", "--model", &tiny]].concat(),
    );
    let paper = paper.ok();
    for words in ["BART-large, fine-tuned", "UniEval", "differs, all figures: a sentence's type"] {
        assert!(paper.contains(words), "{words}: {paper}");
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
    let tiny = tiny();
    let text = place.run([&["bench"], &data[..], &["-q", "--model", &tiny]].concat()).ok();
    assert!(text.contains("Krippendorff's alpha on 20 key facts, among people: 1.00"), "{text}");
    let without = place.run(["bench", "realsumm", "--data", "realsumm-data.json", "--model", &tiny]);
    without.clear_error(&["realsumm-data.json", "line 1", "human-keyfact-list.json"]).unwrap();
}
