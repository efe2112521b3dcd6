//! Metrics: numbers besides FENICE's, recomputed from the probabilities of `nli` and the facts in the output.
mod alignscore;
mod summac_conv;
mod topic;

use veridic::pipeline::{NliPair, NliResult, Settings};
use veridic::schedule::ignore_events;

use crate::common;
use crate::common::{Place, list, number, scorer};
use crate::files::tiny;
use serde_json::{Value, json};

const PARAGRAPHS: [&str; 2] = ["The pool in Harwell will close. It opened in 1974.", "Its beams are rusty."];
const SUMMARY: [&str; 2] = ["The pool closes.", "Rust was found in the beams."];

fn row() -> Value {
    json!({
        "id": 1,
        "document": PARAGRAPHS.join("\n\n"),
        "summary": SUMMARY.join(" "),
        "key_facts": ["The pool closes.", {"text": "Rust was found in the beams."}, "A dog barked at noon."],
        "reference": "The pool will close because of rust.",
    })
}

/// Runs the row with these settings, separated by spaces, and returns its result.
fn run(place: &Place, row: &Value, sets: &str) -> Value {
    place.write("rows.jsonl", row.to_string());
    for name in ["out.jsonl", "out.jsonl.journal"] {
        let _ = std::fs::remove_file(place.path(name));
    }
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--model", tiny()];
    place.run(fixed.into_iter().chain(flags(sets)));
    serde_json::from_str(place.read("out.jsonl").lines().next().unwrap()).unwrap()
}

/// The flags of settings that are separated by spaces.
fn flags(sets: &str) -> Vec<&str> {
    sets.split(' ').flat_map(|set| ["--set", set]).collect()
}

/// Returns entailment minus contradiction, and entailment, for every premise and hypothesis.
pub(super) fn nli(premises: &[&str], hypothesis: &str) -> Vec<[f64; 2]> {
    let pairs = premises.iter().map(|premise| NliPair { premise, hypothesis }).collect::<Vec<_>>();
    let scorer = scorer(tiny(), Settings::default());
    let results = scorer.classify(&pairs, &ignore_events).unwrap();
    let both = |result: &NliResult| [result.probabilities.entailment, result.probabilities.contradiction];
    results.iter().map(|result| both(result).map(f64::from)).collect()
}

fn highest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn assert_near(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() < 1e-6, "{value} is not {expected}");
}

#[test]
fn baselines_are_their_formulas() {
    let place = Place::new();
    let result = run(&place, &row(), "metric=summac-zs:difference,entailment;menli;nli-sent");
    let sentences = ["The pool in Harwell will close.", "It opened in 1974.", "Its beams are rusty."];
    let (mut summac, mut entailment, mut nli_sent) = (0.0, 0.0, 0.0);
    for sentence in SUMMARY {
        let of = nli(&PARAGRAPHS, sentence);
        let (e, t) = (highest(of.iter().map(|p| p[0])), highest(of.iter().map(|p| p[1])));
        summac += (e - t) / 2.0;
        entailment += e / 2.0;
        nli_sent += highest(nli(&sentences, sentence).iter().map(|p| p[0] - p[1])) / 2.0;
    }
    assert_near(&result["summac_zs"], summac);
    assert_near(&result["summac_zs_entailment"], entailment);
    assert_near(&result["nli_sent"], nli_sent);
    let [whole] = nli(&[&PARAGRAPHS.join("\n\n")], &SUMMARY.join(" "))[..] else { panic!() };
    assert_near(&result["menli"], whole[0] - whole[1]);
    assert_near(&result["menli_entailment"], whole[0]);
    assert_near(&result["score"], number(&result["summac_zs"]));
    assert!(result.get("claims").is_none(), "claims are judged only for metrics that need them");
}

#[test]
fn finesure_counts_its_own_facts() {
    let place = Place::new();
    let result = run(&place, &row(), "metric=finesure;fenice claims=sentence");
    let facts = &result["finesure"];
    let sentences = list(&facts["sentences"]);
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence["text"].as_str().unwrap()).collect();
    assert_eq!(texts, SUMMARY);
    let faithful = sentences.iter().filter(|sentence| sentence["is_faithful"] == true).count();
    assert_near(&result["faithfulness"], faithful as f64 / 2.0);
    for (sentence, claim) in sentences.iter().zip(list(&result["claims"])) {
        assert_eq!(sentence["is_faithful"] == true, claim["verdict"] == "supported");
    }
    let edges = list(&facts["edges"]);
    let found = |count: usize, in_edge: &dyn Fn(&Value, usize) -> bool| {
        (0..count).filter(|&index| edges.iter().any(|edge| in_edge(edge, index))).count() as f64
    };
    let key_facts = found(3, &|edge, index| edge["key_fact"] == index);
    let covered = found(2, &|edge, index| list(&edge["sentences"]).contains(&json!(index)));
    assert_near(&result["completeness"], key_facts / 3.0);
    assert_near(&result["conciseness"], covered / 2.0);
    assert_eq!(list(&facts["key_facts"]).len(), 3);
    assert_eq!(facts["key_facts_from"], "row");
}

#[test]
fn a_summary_without_text_has_no_error_and_no_key_fact() {
    let place = Place::new();
    let mut row = row();
    row["summary"] = json!("");
    let result = run(&place, &row, "metric=finesure");
    let numbers = ["faithfulness", "completeness", "conciseness", "score"].map(|name| &result[name]);
    assert_eq!(numbers, [&json!(1.0), &json!(0.0), &json!(0.0), &json!(1.0)]);
    assert_eq!(result["finesure"]["sentences"], json!([]));
    row["key_facts"] = Value::Null;
    row["summary"] = json!(" ...");
    assert_eq!(run(&place, &row, "metric=finesure:completeness")["score"], 0.0);
    // Other metrics have nothing to judge, and so has a row without a document.
    place.write("rows.jsonl", row.to_string());
    let both = ["run", "rows.jsonl", "-o", "-", "-q", "--model", tiny(), "--set", "metric=finesure;rouge"];
    let failed = place.run(both);
    assert!(failed.code == 2 && failed.stdout.contains("the summary has no word"), "{}", failed.stdout);
    row["document"] = json!("...");
    place.write("rows.jsonl", row.to_string());
    let failed = place.run(&both[..9]);
    assert!(failed.code == 2 && failed.stdout.contains("the document has no word"), "{}", failed.stdout);
}

#[test]
fn a_repeated_metric_is_in_the_output_once() {
    let place = Place::new();
    let whole = run(&place, &row(), "metric=finesure:faithfulness,completeness");
    let twice = run(&place, &row(), "metric=finesure:completeness;finesure:faithfulness,completeness");
    assert_eq!(twice, whole);
    let line = place.read("out.jsonl");
    for name in ["finesure", "faithfulness", "completeness"] {
        assert_eq!(line.matches(&format!("\"{name}\":")).count(), 1, "{name} in {line}");
    }
    let with_all = run(&place, &row(), "metric=all;finesure:faithfulness");
    assert_eq!((&with_all["faithfulness"], with_all["menli"].is_number()), (&whole["faithfulness"], true));
}

/// A row whose given claims do not cover the second sentence of its summary.
fn half_claimed(claims: &[&str]) -> Value {
    let summary = "The pool closes. Aliens bought the Moon.\n\n* * *";
    json!({"document": PARAGRAPHS.join("\n\n"), "summary": summary, "claims": claims})
}

#[test]
fn a_sentence_that_no_claim_covers_is_judged_whole() {
    let place = Place::new();
    let faithfulness = |claims: &[&str]| {
        run(&place, &half_claimed(claims), "claims=given metric=fenice;finesure:faithfulness")
    };
    let result = faithfulness(&["The pool closes."]);
    let sentences = list(&result["finesure"]["sentences"]);
    let texts: Vec<&Value> = sentences.iter().map(|sentence| &sentence["text"]).collect();
    assert_eq!(texts, ["The pool closes.", "Aliens bought the Moon."], "marks alone are not a sentence");
    assert_eq!((&sentences[0]["claims"], sentences[0].get("judged_whole")), (&json!([0]), None));
    let whole = &sentences[1]["judged_whole"];
    let claimed = faithfulness(&["The pool closes.", "Aliens bought the Moon."]);
    assert_eq!(whole["verdict"], claimed["claims"][1]["verdict"]);
    assert_near(&whole["score"], number(&claimed["claims"][1]["score"]));
    assert_eq!(result["faithfulness"], claimed["faithfulness"]);
    assert_eq!(list(&result["claims"]).len(), 1, "the whole sentence is a claim for this metric only");
}

#[cfg(feature = "bundled")]
#[test]
fn an_uncovered_false_sentence_is_not_faithful() {
    let place = Place::new();
    place.write("rows.jsonl", half_claimed(&["The pool closes."]).to_string());
    let more = flags("claims=given metric=finesure:faithfulness");
    place.run(["run", "rows.jsonl", "-o", "out.jsonl", "-q"].into_iter().chain(more)).ok();
    let result: Value = serde_json::from_str(&place.read("out.jsonl")).unwrap();
    assert_near(&result["faithfulness"], 0.5);
    assert_near(&result["score"], 0.5);
}

#[cfg(feature = "bundled")]
#[test]
fn key_facts_of_the_summary_are_found() {
    let place = Place::new();
    place.write("rows.jsonl", row().to_string());
    let metric = ["--set", "metric=finesure:completeness,conciseness"];
    place.run(["run", "rows.jsonl", "-o", "out.jsonl", "-q"].into_iter().chain(metric)).ok();
    let result: Value = serde_json::from_str(&place.read("out.jsonl")).unwrap();
    let found: Vec<&Value> =
        list(&result["finesure"]["key_facts"]).iter().map(|fact| &fact["is_in_summary"]).collect();
    assert_eq!(found, [&json!(true), &json!(true), &json!(false)]);
    assert_near(&result["completeness"], 2.0 / 3.0);
    assert_near(&result["conciseness"], 1.0);
    assert!(result.get("faithfulness").is_none());
}

#[test]
fn key_facts_can_come_from_the_reference_or_the_document() {
    let place = Place::new();
    for (from, part) in [("reference", "The pool will close"), ("document", "pool in Harwell")] {
        let result = run(&place, &row(), &format!("metric=finesure:completeness key_facts={from}"));
        let facts = list(&result["finesure"]["key_facts"]);
        assert!(facts.iter().any(|fact| fact["text"].as_str().unwrap().contains(part)), "{result}");
        assert_eq!(result["finesure"]["key_facts_from"], from);
    }
}

#[test]
fn rouge_has_its_shares() {
    let place = Place::new();
    let result = run(&place, &row(), "metric=rouge;rouge-stemmed:1");
    // the pool closes rust was found in the beams / the pool will close because of rust: the, pool, rust.
    let (precision, recall) = (3.0 / 9.0, 3.0 / 7.0);
    assert_near(&result["rouge1"], 2.0 * precision * recall / (precision + recall));
    assert_near(&result["rouge"]["1"]["precision"], precision);
    assert_near(&result["rouge"]["1"]["recall"], recall);
    // With stems, close too.
    assert_near(&result["rouge_stemmed"]["1"]["recall"], 4.0 / 7.0);
}

fn tiny_encoder() -> String {
    common::repository("models/tests/fixtures/bertscore/roberta").to_str().unwrap().to_owned()
}

#[test]
fn bertscore_has_its_facts() {
    let place = Place::new();
    let encoder = tiny_encoder();
    let fixed = format!("metric=bertscore bertscore_model={encoder}");
    let result = run(&place, &row(), &fixed);
    let facts = &result["bertscore_facts"];
    let (precision, recall) = (number(&facts["precision"]), number(&facts["recall"]));
    assert!(0.0 < precision && precision < 1.0 && precision != recall, "{result}");
    assert_near(&result["bertscore"], 2.0 * precision * recall / (precision + recall));
    assert_near(&result["score"], number(&result["bertscore"]));
    assert_eq!(facts["model"], encoder.as_str());
    assert_eq!((&facts["layer"], &facts["idf"]), (&json!(3), &Value::Null));
    assert_eq!(facts["cut"], json!({"summary": 0, "reference": 0}));

    place.write("references.txt", "The pool will close.\n\nThe road is wide.\n");
    let weighed = run(&place, &row(), &format!("{fixed} bertscore_layer=2 bertscore_idf=references.txt"));
    assert_eq!(weighed["bertscore_facts"]["idf"]["sentences"], 2);
    assert_eq!(weighed["bertscore_facts"]["layer"], 2);
    assert_ne!(weighed["bertscore"], result["bertscore"]);

    let mut long = row();
    long["reference"] = "The pool will close because of rust. ".repeat(20).into();
    let cut = run(&place, &long, &fixed);
    assert_eq!(cut["bertscore_facts"]["cut"]["summary"], 0);
    assert!(number(&cut["bertscore_facts"]["cut"]["reference"]) > 100.0, "{cut}");
}

#[test]
fn bertscores_of_many_rows_are_those_of_each_alone() {
    let place = Place::new();
    let encoder = tiny_encoder();
    let rows: Vec<Value> = (0..60)
        .map(|index| {
            let mut row = row();
            let words = PARAGRAPHS.join(" ").repeat(2 + index % 4);
            row["reference"] = words.split_at(20 + 7 * index % 60).0.into();
            if index % 9 == 4 {
                row.as_object_mut().unwrap().remove("reference");
            }
            row
        })
        .collect();
    let metric = format!("metric=bertscore bertscore_model={encoder}");
    place.write("many.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let many = ["run", "many.jsonl", "-o", "many.out.jsonl", "-q", "--model", tiny()];
    assert_eq!(place.run(many.into_iter().chain(flags(&metric))).code, 2);
    let together: Vec<Value> =
        place.read("many.out.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(together.len(), rows.len());
    for index in [0, 4, 17, 40, 58, 59] {
        let alone = run(&place, &rows[index], &metric);
        assert_eq!(alone["bertscore"], together[index]["bertscore"]);
        assert_eq!(alone["bertscore"].is_null(), index % 9 == 4, "{alone}");
    }
}

#[test]
fn bertscore_without_its_inputs_is_an_error_or_left_out() {
    let place = Place::new();
    let encoder = tiny_encoder();
    let of_encoder = format!("bertscore_model={encoder}");
    for (sets, parts) in [
        (format!("metric=bertscore {of_encoder} bertscore_layer=4"), ["has 3 layers", "layer 4"]),
        (format!("metric=bertscore {of_encoder} bertscore_idf=nowhere.txt"), ["nowhere.txt", "cannot read"]),
        (format!("metric=bertscore {of_encoder}"), ["has no `reference`", "row"]),
        ("metric=bertscore bertscore_model=nosuch".into(), ["--bertscore-model nosuch", "known names"]),
        (format!("metric=rouge {of_encoder}"), [&encoder, ": is for the metric bertscore"]),
    ] {
        let error = place.score_tiny("A b.", "A b.", &flags(&sets)).error();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    }
    let result = run(&place, &row(), "metric=all");
    assert!(result["not_measured"]["bertscore"].as_str().unwrap().contains("--bertscore-model"), "{result}");
    let result = run(&place, &row(), &format!("metric=all {of_encoder}"));
    assert!(result["bertscore"].is_number() && result["rouge1"].is_number(), "{result}");
}

#[test]
fn missing_texts_are_an_error_row_or_left_out() {
    let place = Place::new();
    let bare = json!({"document": "The pool closes.", "summary": "The pool closes."});
    for (metric, part) in [("finesure", "has no key facts"), ("rouge", "has no `reference`")] {
        let result = run(&place, &bare, &format!("metric={metric}"));
        assert!(result["error"]["reason"].as_str().unwrap().contains(part), "{result}");
    }
    let result = run(&place, &bare, "metric=all");
    for name in ["score", "faithfulness", "summac_zs", "menli", "nli_sent"] {
        assert!(result[name].is_number(), "{name} in {result}");
    }
    for name in ["completeness", "conciseness", "rouge"] {
        assert!(result["not_measured"][name].as_str().unwrap().contains("the row has no"), "{result}");
    }
    let bad = json!({"document": "A b.", "summary": "A b.", "key_facts": [1]});
    let wrong = run(&place, &bad, "metric=finesure");
    assert!(wrong["error"]["reason"].as_str().unwrap().contains("`key_facts` is not a list"), "{wrong}");
    let wrong = place.score_tiny("A b.", "A b.", &["--set", "metric=rough"]).error();
    assert!(wrong.contains("`rough`") && wrong.contains("finesure"), "{wrong}");
}

#[test]
fn one_table_shows_all_numbers() {
    let place = Place::new();
    place.write("document.txt", PARAGRAPHS.join("\n\n"));
    place.write("summary.txt", SUMMARY.join(" "));
    let fixed = ["score", "document.txt", "summary.txt", "-q", "--model", tiny()];
    let text = place.run(fixed.into_iter().chain(flags("metric=all"))).ok();
    for name in ["fenice ", "faithfulness ", "summac_zs ", "menli ", "nli_sent ", "completeness "] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{name} in {text}");
    }
}

#[test]
fn other_metrics_judge_all_rows_again() {
    let place = Place::new();
    // The row that fails keeps the journal.
    place.write("rows.jsonl", format!("{}\n{{}}\n", row()));
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--on-error", "skip", "--model", tiny()];
    place.run(fixed).ok();
    let first = place.read("out.jsonl");
    place.run(fixed.iter().chain(&["--resume", "--set", "metric=menli"])).ok();
    let second = place.read("out.jsonl");
    assert_ne!(first, second);
    assert!(second.contains("\"menli\":"), "{second}");
}

#[test]
fn score_takes_the_texts_for_metrics_from_files() {
    let place = Place::new();
    let row = row();
    place.write("d.txt", row["document"].as_str().unwrap());
    place.write("s.txt", row["summary"].as_str().unwrap());
    place.write("r.txt", row["reference"].as_str().unwrap());
    place.write("k.txt", "The pool closes.\n\n  Rust was found in the beams.\nA dog barked at noon.\n");
    let files = ["--format", "json", "--reference", "r.txt"];
    let score = ["score", "d.txt", "s.txt", "-q", "--model", tiny()];
    let sets = flags("metric=rouge;finesure key_facts=k.txt");
    let mut ours = place.run([&score[..], &files, &sets].concat()).json();
    let mut theirs = run(&place, &row, "metric=rouge;finesure");
    for result in [&mut ours, &mut theirs] {
        result.as_object_mut().unwrap().retain(|name, _| !["id", "input"].contains(&name.as_str()));
    }
    assert_eq!(ours, theirs);
    let error = place.run([&score[..], &["--set", "metric=rouge", "--reference", "no.txt"]].concat()).error();
    assert!(error.contains("no.txt"), "{error}");
}

#[test]
fn a_file_of_key_facts_is_for_one_summary() {
    let place = Place::new();
    place.write("rows.jsonl", row().to_string());
    for (file, parts) in [
        ("facts.txt", ["--key-facts facts.txt: ", "the field key_facts"]),
        ("referense", ["did you mean `reference`?", ""]),
    ] {
        let sets = format!("metric=finesure key_facts={file}");
        let fixed = ["run", "rows.jsonl", "-o", "-", "--model", tiny()];
        place.run(fixed.into_iter().chain(flags(&sets))).clear_error(&parts).unwrap();
    }
}
