//! Documents that are lists of sources: no premise spans two of them, and every span names its source, in every interface;
//! invalid lists are errors that name the row and the source.
use serde_json::{Value, json};

use crate::common::server::Server;
use crate::common::{
    CLAIMS, Output, Place, SENTENCES, assert_spans, list, number as number_of, slice, summary,
};
use insta::assert_snapshot;

/// Three sources; the second one has characters of several bytes.
fn texts() -> [String; 3] {
    [SENTENCES[..3].join(" "), "Zoë’s café 🦀 never closed.".to_owned(), SENTENCES[3..].join(" ")]
}

fn sources() -> Value {
    let [first, second, third] = texts();
    json!([first, {"id": "doc-b", "text": second}, {"id": 33, "text": third}])
}

const IDS: [&str; 3] = ["1", "doc-b", "33"];

/// `run` of these rows with the tiny model and further arguments.
fn run(place: &Place, rows: &[Value], output: &str, more: &[&str]) -> Output {
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    place.run_tiny(&[&["run", "rows.jsonl", "-o", output, "-q"], more].concat())
}

/// Every piece of evidence has its sources, whose slices are those of the joined document.
#[track_caller]
fn assert_sources(result: &Value) {
    let joined = texts().join("\n\n");
    for (source, (id, text)) in list(&result["ledger"]["sources"]).iter().zip(IDS.iter().zip(texts())) {
        assert_eq!(source["id"], **id);
        assert_eq!(slice(&joined, &source["span"]), text);
    }
    assert_eq!(list(&result["ledger"]["sources"]).len(), 3);
    assert_spans(result, &joined, &summary());
    for claim in list(&result["claims"]) {
        for evidence in [&claim["evidence"], &claim["counter_evidence"]] {
            if !evidence.is_null() {
                let whole = list(&evidence["spans"]).iter().map(|span| slice(&joined, span));
                assert_same(&whole.collect::<String>(), &evidence["sources"]);
            }
        }
        for (span, sources) in [("mention_span", "mention_sources"), ("by_span", "by_sources")] {
            let by = &claim["substitution"];
            if !by.is_null() {
                assert_same(&slice(&joined, &by[span]), &by[sources]);
            }
        }
        if !claim["instead"].is_null() {
            let instead = &claim["instead"];
            assert_same(&slice(&joined, &instead["document_span"]), &instead["sources"]);
        }
    }
}

/// Asserts that the slices of the sources are this text, up to white space.
#[track_caller]
fn assert_same(text: &str, sources: &Value) {
    let all = texts();
    let mut inside = String::new();
    for source in list(sources) {
        let number = IDS.iter().position(|id| source["id"] == **id).unwrap();
        list(&source["spans"]).iter().for_each(|span| inside += &slice(&all[number], span));
    }
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(letters(&inside), letters(text));
}

/// A reading of all sources together overruled each of them.
#[test]
fn a_list_is_read_source_by_source() {
    let place = Place::new();
    let rows = [
        json!({"id": 1, "document": sources(), "summary": summary()}),
        json!({"id": 1, "contexts": sources(), "answer": summary()}),
    ];
    let all = ["--coref", "rules", "--set", "levels=sentence,coref,window,document", "--set", "screen=off"];
    run(&place, &rows, "out.jsonl", &all).ok();
    let results = place.json_rows("out.jsonl");
    assert_eq!(results[0], results[1], "whatever the field");
    assert_sources(&results[0]);
    for claim in list(&results[0]["claims"]) {
        assert_eq!(list(&claim["evidence"]["sources"]).len(), 1, "{claim}");
    }
    // Each source alone has the same premises, so the best of them decides.
    let alone: Vec<Value> =
        texts().iter().map(|text| json!({"id": 1, "document": text, "summary": summary()})).collect();
    run(&place, &alone, "alone.jsonl", &[&all[..], &["--set", "epsilon=0"]].concat()).ok();
    run(&place, &rows[..1], "whole.jsonl", &[&all[..], &["--set", "epsilon=0"]].concat()).ok();
    let (alone, whole) = (place.json_rows("alone.jsonl"), place.json_rows("whole.jsonl").swap_remove(0));
    for (number, claim) in list(&whole["claims"]).iter().enumerate() {
        let entailment = |result: &Value| number_of(&result["claims"][number]["probabilities"]["entailment"]);
        let best = alone.iter().map(entailment).fold(0.0, f64::max);
        assert_eq!(number_of(&claim["probabilities"]["entailment"]), best, "{claim}");
    }
}

#[test]
fn other_ids_are_another_result() {
    let place = Place::new();
    let row = |id: &str| json!({"document": [{"id": id, "text": SENTENCES[0]}], "summary": CLAIMS[0]});
    run(&place, &[row("a"), json!({})], "out.jsonl", &[]).error();
    run(&place, &[row("b")], "out.jsonl", &["--resume"]).ok();
    assert_eq!(place.json_rows("out.jsonl")[0]["ledger"]["sources"][0]["id"], "b");
}

#[test]
fn tables_have_columns_of_sources() {
    let place = Place::new();
    let rows = [
        json!({"document": sources(), "summary": summary()}),
        json!({"document": "A cat.", "summary": "A cat."}),
    ];
    run(&place, &rows, "out.csv", &["--explode", "claims", "--columns", "all"]).ok();
    let table = place.read("out.csv");
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for column in ["claim.evidence.sources", "claim.counter_evidence.sources", "ledger.sources"] {
        assert!(header.contains(&column), "{column}");
    }
    assert!(table.contains(r#"[{""id"":""1"",""span"":["#), "{table}");
}

#[test]
fn score_takes_several_files() {
    let place = Place::new();
    for (name, text) in ["a.txt", "b.txt", "c.txt"].iter().zip(texts()) {
        place.write(name, text);
    }
    place.write("summary.txt", summary());
    let score = |given: &[&str], more: &[&str]| {
        place.run_tiny(&[&["score", "summary.txt", "-q"], given, more].concat())
    };
    let files = ["--source", "a.txt", "--source", "doc-b=b.txt", "--source", "33=c.txt"];
    let result = score(&files, &["--format", "json"]).json();
    assert_sources(&result);
    let text = score(&files, &[]).ok();
    let first = &list(&result["claims"])[0]["evidence"]["sources"][0];
    let (id, spans) = (first["id"].as_str().unwrap(), list(&first["spans"]));
    let shown = format!("in {id} [{}, {}]", spans[0][0], spans[spans.len() - 1][1]);
    assert!(text.contains(&shown), "{shown} in {text}");
    let files = ["--source", "a.txt", "--source", "b.txt"];
    assert!(!score(&files, &["--format", "html"]).ok().is_empty());
    place.write("x=1.txt", "A cat sat.");
    let named = score(&["--source", "x=1.txt"], &["--format", "json"]).json();
    assert_eq!(named["ledger"]["sources"][0]["id"], "1", "a file of that name");
    place.write("empty.txt", " \n");
    let commands = [
        "score summary.txt --source a.txt --source empty.txt",
        "score summary.txt --source 2=a.txt --source b.txt",
        "score summary.txt --source missing.txt",
        "score summary.txt --source - --source -",
        "score a.txt summary.txt --source b.txt",
        "score summary.txt",
        "score a.txt summary.txt --citations",
    ];
    assert_snapshot!("unfit_files", place.refusals(&commands));
}

#[test]
fn server_judges_lists_as_run_does() {
    let place = Place::new();
    let row = json!({"id": 5, "document": sources(), "summary": summary()});
    run(&place, std::slice::from_ref(&row), "out.jsonl", &[]).ok();
    let mut expected = place.json_rows("out.jsonl").swap_remove(0);
    expected.as_object_mut().unwrap().remove("input");
    let server = Server::tiny(&[]);
    assert_eq!(server.post("/v1/score", &row).ok(), expected);
    assert_eq!(server.post("/v1/score/batch", &json!([row])).lines(), [expected.clone()]);
    let events = server.post("/v1/score/events", &row).body;
    let data = |name: &str| -> Vec<Value> {
        let begin = format!("event: {name}\ndata: ");
        events
            .split("\n\n")
            .filter_map(|event| event.strip_prefix(&begin))
            .map(|data| serde_json::from_str(data).unwrap())
            .collect()
    };
    assert_eq!(data("result"), [expected.clone()]);
    for event in data("claim") {
        let index = event["index"].as_u64().unwrap() as usize;
        assert_eq!(
            event["claim"], expected["claims"][index],
            "each claim has its sources when it is decided"
        );
    }
    let refused = server.post("/v1/score", &json!({"document": ["A cat.", " "], "summary": "A cat."}));
    assert!(refused.status == 422 || refused.status == 400, "{refused:?}");
    let error: Value = serde_json::from_str(&refused.body).unwrap();
    assert_eq!(error["error"]["field"], "document");
}

/// An answer with markers of every kind, and the same without them.
const CITING: &str = "The bakery opened in 1962 [1]. The shop will never close.[doc-b, 33] [9] Anna Berg owns three restaurants.";
const UNCITED: &str =
    "The bakery opened in 1962. The shop will never close. Anna Berg owns three restaurants.";

#[test]
fn citations_are_left_out_of_what_is_judged_and_checked() {
    let place = Place::new();
    let rows = [
        json!({"document": sources(), "summary": UNCITED}),
        json!({"document": sources(), "summary": CITING}),
        json!({"document": "A cat sat.", "summary": "A cat sat [1]."}),
    ];
    let output = run(&place, &rows, "out.jsonl", &["--citations", "--claims", "sentence"]);
    assert_eq!(output.code, 2, "the third row fails: {}", output.stderr);
    let lines = place.json_rows("out.jsonl");
    assert_spans(&lines[1], &texts().join("\n\n"), CITING);
    let scores =
        |line: &Value| list(&line["claims"]).iter().map(|claim| claim["score"].clone()).collect::<Vec<_>>();
    assert_eq!(scores(&lines[0]), scores(&lines[1]), "the judge reads no marker");
    let cited = |line: &Value, claim: usize| -> Vec<String> {
        let name =
            |one: &Value| format!("{} {}", one["marker"].as_str().unwrap(), one["source"].as_str().unwrap());
        list(&line["claims"][claim]["citations"]).iter().map(name).collect()
    };
    assert_eq!(cited(&lines[1], 0), ["[1] 1"]);
    assert_eq!(cited(&lines[1], 1), ["[doc-b, 33] doc-b", "[doc-b, 33] 33", "[9] 9"]);
    assert_eq!(cited(&lines[1], 2), Vec::<String>::new());
    for claim in list(&lines[1]["claims"]) {
        for one in list(&claim["citations"]) {
            assert_eq!(slice(CITING, &one["span"]), one["marker"].as_str().unwrap());
            assert_eq!(one["verdict"] == "unknown_source", one["source"] == "9", "{one}");
            assert_eq!(one["score"].is_null(), one["source"] == "9", "{one}");
            assert_eq!(one["other"].is_null(), one["verdict"] != "other_supports", "{one}");
        }
    }
    let uncited = list(&lines[0]["claims"]).iter().all(|claim| claim["citations"] == json!([]));
    assert!(uncited, "claims without a marker have an empty list");
    let error = lines[2]["error"]["reason"].as_str().unwrap();
    assert!(error.contains("is one text, and citations need a list of sources"), "{error}");
}

/// A citation's score is that of the claim against that source as the document.
#[test]
fn cited_source_is_judged_alone() {
    let place = Place::new();
    let [first, second, _] = texts();
    let (document, answer) = (json!([first.clone(), second]), "The bakery opened in 1962 [1].");
    let rows = [
        json!({"document": document, "summary": answer}),
        json!({"document": [first], "summary": "The bakery opened in 1962."}),
    ];
    run(&place, &rows, "out.jsonl", &["--citations", "--claims", "sentence"]).ok();
    let lines = place.json_rows("out.jsonl");
    let [citation] = list(&lines[0]["claims"][0]["citations"]) else { panic!("{}", lines[0]) };
    let alone = &lines[1]["claims"][0];
    assert_eq!(citation["score"], alone["score"]);
    assert_eq!(citation["verdict"] == "supports", alone["verdict"] == "supported");
    run(&place, &rows[..1], "exploded.csv", &["--citations", "--explode", "claims", "--columns", "all"]).ok();
    assert!(place.read("exploded.csv").contains("claim.citations"));
}

#[test]
fn citations_of_a_run_are_counted_and_the_same_through_every_door() {
    let place = Place::new();
    let row = json!({"document": sources(), "summary": CITING});
    place.write("rows.jsonl", format!("{row}\n"));
    let output = place.run_tiny(&["run", "rows.jsonl", "-o", "out.jsonl", "--citations"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let counts = output.stderr.lines().find(|line| line.starts_with("citations: ")).unwrap();
    assert_snapshot!(counts, @"citations: 0 of 4 supported by the cited source, 0 by the cited sources together, 0 by another source only, 3 by none, 1 name no source; 1 of 3 claims cite nothing");
    let mut expected = place.json_rows("out.jsonl").swap_remove(0);
    let fields = expected.as_object_mut().unwrap();
    fields.remove("input");
    fields.remove("id");
    let server = Server::tiny(&[]);
    let mut request = row.clone();
    request["citations"] = json!(true);
    assert_eq!(server.post("/v1/score", &request).ok(), expected);
    let events = server.post("/v1/score/events", &request).body;
    let result = events.split("\n\n").find_map(|event| event.strip_prefix("event: result\ndata: ")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(result).unwrap(), expected);
    request["document"] = json!("A cat sat.");
    let refused = server.post("/v1/score", &request);
    assert!(refused.status == 422 && refused.body.contains("need a list of sources"), "{refused:?}");
    for (name, text) in ["a.txt", "b.txt", "c.txt"].iter().zip(texts()) {
        place.write(name, text);
    }
    place.write("answer.txt", CITING);
    let score = |more: &[&str]| {
        let sources = ["--source", "a.txt", "--source", "doc-b=b.txt", "--source", "33=c.txt"];
        place.run_tiny(&[&["score", "answer.txt", "-q", "--citations"], &sources[..], more].concat())
    };
    assert_eq!(score(&["--format", "json"]).json(), expected);
    assert_snapshot!("cited", place.plain(&score(&["--dtype", "f32"]).ok()));
    let html = score(&["--format", "html"]).ok();
    assert!(html.contains("</html>"));
}
