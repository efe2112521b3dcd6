//! `bench realsumm`, `frank`, `summeval` and `easiness` through the real program: the metric and its inputs, joins of
//! annotations, and errors.
use crate::common;
use crate::common::runs::json_lines;
use crate::common::{Place, list, number};
use crate::files::{DOCUMENTS, SUMMARIES, assert_words, tiny};
use serde_json::{Value, json};

const SYSTEMS: [&str; 3] = ["first", "second", "third"];

/// Summaries of two documents by three systems, with key facts and a reference.
fn realsumm_rows() -> Vec<Value> {
    let row = |number: usize| {
        let facts: Vec<Value> =
            SUMMARIES[..2].iter().map(|text| json!({"text": text, "present": 1.0})).collect();
        json!({"id": format!("d{}", number / 3), "model": SYSTEMS[number % 3], "document": DOCUMENTS[number / 3],
               "reference": "The mayor was late.", "summary": SUMMARIES[number * number / 3 % 4], "keyfacts": facts,
               "human_completeness": ([0.0, 0.5, 1.0][number * 7 % 5 % 3])})
    };
    (0..6).map(row).collect()
}

fn bench(place: &Place, name: &str, more: &[&str]) -> Value {
    place.run([&[name, "--format", "json", "--model", tiny()], more].concat()).json()
}

/// REALSumm by the bundled model, which distinguishes key facts.
fn bundled(place: &Place, more: &[&str]) -> Value {
    place.run([&["realsumm", "--format", "json"], more].concat()).json()
}

/// The figures of ranks: scores in a file have fewer digits.
fn ranked(report: &Value) -> [Value; 2] {
    ["spearman", "system_spearman"].map(|name| report[name].clone())
}

#[test]
fn realsumm_metric_is_completeness_by_default() {
    let place = Place::new();
    place.write("realsumm.jsonl", json_lines(&realsumm_rows()));
    // The same rows for `run`, which takes key facts from another field.
    let rows: Vec<Value> = realsumm_rows()
        .into_iter()
        .map(|mut row| {
            row["key_facts"] = json!(SUMMARIES[..2]);
            row
        })
        .collect();
    place.write("rows.jsonl", json_lines(&rows));
    for metric in ["finesure:completeness", "rouge:2"] {
        let asked = if metric.starts_with("rouge") { &["--metric", metric][..] } else { &[] };
        let report = bundled(&place, &[&["--data", "realsumm.jsonl"], asked].concat());
        assert_eq!(report["scores"]["metric"], metric);
        assert!(report["system_spearman"].is_object(), "{report}");
        assert_eq!(list(&report["published"][0]["rows"]).len(), 9);
        let output = format!("{}.jsonl", metric.replace(':', "-"));
        let set = format!("metric={metric}");
        place.run(["run", "rows.jsonl", "-o", &output, "--set", &set, "--quiet"]).ok();
        let read = bundled(&place, &["--data", "realsumm.jsonl", "--scores", &output]);
        assert_eq!(ranked(&report), ranked(&read), "{metric}");
    }
    let data = ["realsumm", "--data", "realsumm.jsonl"];
    let text = place.run([&data[..], &["--model", tiny()]].concat()).ok();
    assert!(text.contains("\nfinesure:completeness, veridic, "), "{text}");
    assert!(text.contains("6 summaries of 2 documents by 3 systems"), "{text}");
    let fenice = bench(&place, "realsumm", &["--data", "realsumm.jsonl", "--metric", "fenice"]);
    assert!(fenice["scores"].get("metric").is_none(), "{}", fenice["scores"]);
}

/// Returns the report of a benchmark that leaves texts out, and its message about them.
fn bench_partly(place: &Place, name: &str, more: &[&str]) -> (Value, String) {
    let output = place.run([&[name, "--format", "json", "--model", tiny()], more].concat());
    assert_eq!(output.code, 2, "{}", output.stderr);
    (serde_json::from_str(&output.stdout).unwrap(), output.stderr)
}

#[test]
fn rows_that_fail_are_left_out_and_named() {
    let place = Place::new();
    let mut rows = realsumm_rows();
    rows[3].as_object_mut().unwrap().remove("reference");
    place.write("realsumm.jsonl", json_lines(&rows));
    let data = ["--data", "realsumm.jsonl", "--metric", "rouge"];
    let (report, said) = bench_partly(&place, "realsumm", &data);
    assert_eq!(report["data"]["texts_measured"], 5);
    assert_eq!(report["data"]["rows_left_out"]["texts that failed"], 1);
    assert!(said.contains("left out: realsumm.jsonl: line 4: the row has no `reference`"), "{said}");
    // The figures are those of the other rows.
    rows.remove(3);
    place.write("realsumm.jsonl", json_lines(&rows));
    assert_eq!(bench(&place, "realsumm", &data)["spearman"], report["spearman"]);
    rows.iter_mut().for_each(|row| drop(row.as_object_mut().unwrap().remove("reference")));
    place.write("realsumm.jsonl", json_lines(&rows));
    let all_fail = place.run([&["realsumm", "-q", "--model", tiny()], &data[..]].concat());
    all_fail.clear_error(&["every text failed; the first: realsumm.jsonl: line 1", "reference"]).unwrap();
}

/// FineSurE, appendix H: a blank summary has no key fact and no error.
#[test]
fn summaries_without_text_are_scored_by_finesure() {
    let place = Place::new();
    let mut rows = realsumm_rows();
    rows[3]["summary"] = json!("");
    place.write("realsumm.jsonl", json_lines(&rows));
    for axis in ["completeness", "conciseness", "faithfulness"] {
        let metric = format!("finesure:{axis}");
        let data = ["--data", "realsumm.jsonl", "--metric", &metric, "--dimension", "completeness"];
        let report = bench(&place, "realsumm", &data);
        assert_eq!((&report["summaries"], &report["data"]["rows_left_out"]), (&json!(6), &json!({})));
    }
    let (report, said) = bench_partly(&place, "realsumm", &["--data", "realsumm.jsonl", "--metric", "rouge"]);
    assert_eq!(report["data"]["rows_left_out"]["texts that cannot be judged"], 1);
    assert!(said.contains("line 4: the summary is empty"), "{said}");
}

fn write_frank(place: &Place) {
    let summary = |number: usize| {
        json!({"hash": format!("h{}", number / 3), "model_name": SYSTEMS[number % 3],
               "split": (["valid", "test"][number / 6])})
    };
    let with = |number: usize, more: Value| {
        let mut row = summary(number);
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    let data = |number: usize| {
        let texts =
            json!({"article": DOCUMENTS[number / 3], "summary": SUMMARIES[number * 5 % 4], "reference": "x"});
        with(number, texts)
    };
    let human = |number: usize| with(number, json!({"Factuality": f64::from(number as u8 * 7 % 5) / 4.0}));
    let outputs = |number: usize| with(number, json!({"QAGS": f64::from(number as u8 * 5 % 7) / 7.0}));
    let sentences = |number: usize| {
        let marks = [["NoE"], ["OutE"]][number % 2];
        let texts = json!({"summary_sentences": [SUMMARIES[number * 5 % 4]],
                           "summary_sentences_annotations": [{"annotator_0": marks, "annotator_1": marks}]});
        with(number, texts)
    };
    place.write("benchmark_data.json", Value::from_iter((0..12).map(data)).to_string());
    place.write("human_annotations.json", Value::from_iter((0..12).map(human)).to_string());
    let others = Value::from_iter((0..12).map(outputs));
    place.write("baseline_factuality_metrics_outputs.json", others.to_string());
    place.write("human_annotations_sentence.json", Value::from_iter((0..12).map(sentences)).to_string());
}

#[test]
fn frank_joins_its_annotations() {
    let place = Place::new();
    write_frank(&place);
    let data = ["--data", "benchmark_data.json", "--annotations", "human_annotations.json"];
    let both = [&data[..], &["human_annotations_sentence.json"]].concat();
    let summaries = bench(&place, "frank", &data);
    assert_eq!(summaries["data"]["texts_measured"], 12);
    assert_eq!(summaries["parts"][0]["sentences"], Value::Null);
    let all = bench(&place, "frank", &both);
    assert_eq!(all["data"]["texts_measured"], 24);
    assert_eq!((&all["parts"][0]["part"], &all["parts"][0]["summaries"]), (&json!("test"), &json!(6)));
    assert_eq!(all["parts"][1]["sentences"]["sentences"], 12);
    assert_eq!(all["parts"][1]["partial_pearson"], summaries["parts"][1]["partial_pearson"]);
    let sentences =
        bench(&place, "frank", &[&both[..], &["--level", "sentence", "--decide-at", "0.1"]].concat());
    assert_eq!((&sentences["data"]["texts_measured"], &sentences["threshold"]), (&json!(12), &json!(0.1)));
    assert!(number(&sentences["parts"][1]["sentences"]["balanced_accuracy"]["value"]) >= 0.0);
    let beside = ["--metric-outputs", "baseline_factuality_metrics_outputs.json"];
    let with_others = bench(&place, "frank", &[&data[..], &beside].concat());
    let qags = &with_others["parts"][1]["other_metrics"][0];
    assert_eq!((&qags["metric"], &qags["summaries"]), (&json!("QAGS"), &json!(12)));
    assert!((0.0..=1.0).contains(&number(&qags["williams_p"])), "{qags}");
    let text = place.run([&["frank", "--model", tiny()][..], &both].concat()).ok();
    assert_words(&text, "QAFactEval|84.1|published|partial Spearman|a sentence is called faithful above");
}

#[test]
fn frank_names_the_files_that_do_not_join() {
    let place = Place::new();
    write_frank(&place);
    place.write("empty.json", "[]");
    for (annotations, parts) in [
        (&[][..], ["benchmark_data.json", "line 1", "human_annotations.json", "in --annotations"]),
        (&["--annotations", "empty.json"], ["empty.json", "no rows", "", ""]),
        (&["--annotations", "missing.json"], ["missing.json", "", "", ""]),
    ] {
        let output = place.run([&["frank", "--data", "benchmark_data.json"], annotations].concat());
        output.clear_error(&parts).unwrap();
    }
}

#[test]
fn summeval_measures_the_chosen_dimension() {
    let place = Place::new();
    let row = |number: usize| {
        let rate = |rating: usize| json!({"coherence": 1 + rating % 5, "consistency": 5 - rating % 2, "fluency": 3, "relevance": 1 + rating % 3});
        json!({"id": format!("d{}", number / 3), "decoded": SUMMARIES[number * 5 % 4], "model_id": format!("M{}", number % 3),
               "expert_annotations": [rate(number), rate(number * 3)], "references": ["A cat sat.", "A cat."],
               "text": DOCUMENTS[number / 3]})
    };
    let rows: Vec<Value> = (0..12).map(row).collect();
    place.write("paired.jsonl", json_lines(&rows));
    let of = |more: &[&str]| {
        bench(&place, "summeval", &[&["--data", "paired.jsonl", "--metric", "rouge"], more].concat())
    };
    let usual = of(&[]);
    assert_eq!((&usual["dimension"], &usual["scores"]["metric"]), (&json!("consistency"), &json!("rouge")));
    assert_eq!(list(&usual["published"][0]["rows"]).len(), 4);
    let agreed = of(&["--agreed"]);
    assert_eq!((&agreed["summaries"], &agreed["documents"]), (&json!(4), &json!(4)));
    let coherence = of(&["--dimension", "coherence"]);
    assert_ne!(coherence["over_summaries"], usual["over_summaries"]);
    let error = place.run(["summeval", "--data", "paired.jsonl", "--dimension", "fluency"]);
    error.clear_error(&["paired.jsonl", "fluency of all 12 summaries is 3"]).unwrap();
    place.write("aligned.jsonl", json_lines(&rows).replace("\"text\"", "\"filepath\""));
    let error = place.run(["summeval", "--data", "aligned.jsonl"]);
    error.clear_error(&["aligned.jsonl", "line 1", "`text`", "pair_data.py"]).unwrap();
}

#[test]
fn easiness_is_an_alias_of_rose_and_measures_given_claims() {
    let place = Place::new();
    let rows = [
        json!({"summary": "Anna closed the shop and walked home.", "claims": ["Anna closed the shop.", "Anna walked home."], "mine": ["Anna closed the shop."]}),
        json!({"summary": "It rained.", "claims": ["It rained."], "mine": ["It snowed."]}),
    ];
    place.write("rose.jsonl", json_lines(&rows));
    let of = |name: &str, more: &[&str]| {
        place.run([&[name, "--data", "rose.jsonl", "--format", "json"], more].concat()).json()
    };
    assert_eq!(of("easiness", &[]), of("rose", &[]));
    let given = of("easiness", &["--given", "mine"]);
    // Recall of the first: 1, and "anna" of four and three tokens; of the second: "it" of two and two.
    assert!((number(&given["precision"]) - 0.75).abs() < 1e-12);
    assert!((number(&given["recall"]) - (f64::midpoint(1.0, 2.0 / 7.0) + 0.5) / 2.0).abs() < 1e-12);
    assert_eq!((&given["claims"], list(&given["intervals"]["f1"]).len()), (&json!(2), 2));
    let text = place.run(["easiness", "--data", "rose.jsonl", "--given", "mine"]).ok();
    assert!(text.contains("GPT-3.5") && text.contains("74.9  published"), "{text}");
    let paper = place.run(["rose", "--data", "rose.jsonl", "--given", "mine", "--paper"]).ok();
    let words = "2 summaries, 2 claims|this run's: the claims of the field `mine`|differs, all figures";
    assert_words(&paper, words);
    let error = place.run(["easiness", "--data", "rose.jsonl", "--given", "yours"]);
    error.clear_error(&["rose.jsonl", "line 1", "`yours`"]).unwrap();
    let both = place.run(["easiness", "--data", "rose.jsonl", "--given", "mine", "--claims", "sentence"]);
    assert!(both.code == 2 && both.stderr.contains("--claims"), "{}", both.stderr);
}

#[test]
fn an_article_without_a_rubric_is_left_out() {
    let place = Place::new();
    let row = |number: usize| {
        let rate = |rating: usize| json!({"coherence": 3, "consistency": 3, "fluency": 3, "relevance": 1 + rating % 5});
        // The references of the last article have nothing in common.
        let references: Vec<String> = (0..5)
            .map(|other| if number < 4 { "The cat sat.".to_owned() } else { format!("Word{other} ran.") })
            .collect();
        json!({"id": format!("d{number}"), "decoded": SUMMARIES[number % 4], "model_id": format!("M{}", number % 2),
               "expert_annotations": [rate(number)], "references": references, "text": DOCUMENTS[number]})
    };
    place.write("paired.jsonl", json_lines(&(0..5).map(row).collect::<Vec<_>>()));
    let fixed = ["summeval", "--data", "paired.jsonl", "--dimension", "relevance", "--model", tiny()];
    let output = place.run([&fixed[..], &["--metric", "sumautoeval:relevance", "--format", "json"]].concat());
    assert!(
        output.code == 2 && output.stderr.contains("no entity that 5 of its `references` have"),
        "{}",
        output.stderr
    );
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((&report["summaries"], &report["data"]["rows"]), (&json!(4), &json!(5)));
}

#[test]
fn answers_about_entities_are_compared_with_peoples() {
    let place = Place::new();
    let labels = |answer: &str| {
        json!([{"axis": "readability", "span": [0, 10], "answer": answer},
               {"axis": "correctness", "span": [0, 16], "answer": "yes"}])
    };
    let row = |number: usize, answer: &str| {
        json!({"document": DOCUMENTS[number], "summary": SUMMARIES[number], "reference": "Anna closed the shop. She walked home.",
               "labels": labels(answer)})
    };
    place.write("notes.jsonl", json_lines(&[row(0, "yes"), row(1, "no"), row(2, "yes")]));
    let metric = "metric=sumautoeval:correctness,coherence";
    place.run(["run", "notes.jsonl", "-o", "results.jsonl", "--set", metric, "--model", tiny()]).ok();
    let fixed = ["entities", "--data", "results.jsonl"];
    let report = place.run([&fixed[..], &["--format", "json"]].concat()).json();
    let axes: Vec<&Value> = list(&report["axes"]).iter().map(|axis| &axis["axis"]).collect();
    assert_eq!((axes, &report["rows"]), (vec![&json!("correctness"), &json!("readability")], &json!(3)));
    assert_eq!(report["axes"][1]["labels"], json!(3));
    let paper = place.run([&fixed[..], &["--paper"]].concat()).ok();
    let words = "SumAutoEval, GPT-4o|this run's: the answers of results.jsonl|differs, all figures: the paper's notes";
    assert_words(&paper, words);
    let other = place.run([&fixed[..], &["--labels", "people"]].concat());
    other.clear_error(&["results.jsonl", "line 1", "`people`"]).unwrap();
}

#[test]
fn easiness_by_bertscore_matches_the_metric() {
    let place = Place::new();
    let row = json!({"summary": "The cat sat.", "claims": ["The cat sat.", "It rained."], "mine": ["A cat sat down."]});
    place.write("rose.jsonl", row.to_string());
    let encoder = common::repository("models/tests/fixtures/bertscore/roberta");
    let encoder = encoder.to_str().unwrap();
    let fixed = ["easiness", "--data", "rose.jsonl", "--format", "json", "-q", "--given", "mine"];
    let with = ["--similarity", "bertscore", "--bertscore-model", encoder, "--bertscore-layer", "2"];
    let figures = place.run(fixed.iter().chain(&with)).json();
    let score = |reference: &str| {
        let row = json!({"document": "x", "summary": "A cat sat down.", "reference": reference});
        place.write("rows.jsonl", row.to_string());
        let _ = std::fs::remove_file(place.path("out.jsonl"));
        let run =
            ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--model", tiny(), "--set", "metric=bertscore"];
        let model = format!("bertscore_model={encoder}");
        let set = ["--set", &model, "--set", "bertscore_layer=2", "--resume"];
        place.run(run.iter().chain(&set)).ok();
        let result: Value = serde_json::from_str(&place.read("out.jsonl")).unwrap();
        number(&result["bertscore"])
    };
    let scores = [score("The cat sat."), score("It rained.")];
    assert!((number(&figures["precision"]) - scores[0].max(scores[1])).abs() < 1e-9, "{figures} {scores:?}");
    assert!(
        (number(&figures["recall"]) - (scores[0] + scores[1]) / 2.0).abs() < 1e-9,
        "{figures} {scores:?}"
    );
    let unused = place.run(fixed.iter().chain(&with[2..])).error();
    assert!(unused.contains("--bertscore-model") && unused.contains("--similarity"), "{unused}");
}
