//! The other metrics by a language model's answers, and claims.
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{answer, asked, lines, part, requests, run, with_rows};
use crate::common::{Place, list};
use crate::files::tiny;

#[test]
fn a_rating_is_the_number_that_the_model_says() {
    let place = with_rows();
    let axes = "rating:consistency,relevance,faithfulness";
    let requests = requests(&place, axes, "p.jsonl", &[]);
    assert_eq!(requests.len(), 6);
    answer(&place, &requests, "a.jsonl", |request| {
        let wrong = asked(request).contains("twelve");
        Some(match (request["step"].as_str().unwrap(), wrong) {
            ("rating:faithfulness", true) => "Rating: 3".to_owned(),
            ("rating:faithfulness", false) => "7".to_owned(),
            (_, true) => "2".to_owned(),
            (_, false) => "5".to_owned(),
        })
    });
    let (results, notes) = run(&place, axes, &["--set", "answers=a.jsonl"]);
    let numbers = |row: &Value| {
        ["rating_consistency", "rating_relevance", "rating_faithfulness"]
            .map(|name| row[name].as_f64().unwrap())
    };
    assert_eq!(numbers(&results[0]), [2.0, 2.0, 3.0], "{notes}");
    assert_eq!(numbers(&results[1]), [5.0, 5.0, 7.0]);
    assert_eq!(results[0]["score"], 2.0);
}

#[test]
fn a_rating_reads_the_extracts_of_the_documents() {
    let place = Place::new();
    let source = "Anna closed the shop in Oslo. It had been open for ten years. Nobody came on the last day.";
    let row = |(system, rating): (&str, u8)| {
        json!({"doc_id": "1", "system_id": system, "source": source, "reference": "A shop closed.",
                     "system_output": "Anna closed the shop.", "scores": {"relevance": rating, "consistency": rating}})
    };
    place.write(
        "gov_benchmark.json",
        json!([row(("bart", 0)), row(("pegasus", 1)), row(("t5", 2))]).to_string(),
    );
    let fixed = ["longeval", "--data", "gov_benchmark.json", "--model", tiny(), "--metric", "rating"];
    let more = ["--prompts", "p.jsonl", "--methods", "lead", "--budgets", "12"];
    place.run([&fixed[..], &more].concat()).ok();
    let texts: Vec<String> =
        lines(&place.read("p.jsonl")).iter().map(|request| asked(request).to_owned()).collect();
    let is_extract = |text: &&String| text.contains("closed the shop in Oslo") && !text.contains("ten years");
    assert_eq!(
        texts.iter().filter(is_extract).count(),
        texts.len() / 2,
        "whole documents and extracts: {texts:?}"
    );
}

#[test]
fn a_summary_is_consistent_if_all_its_sentences_are_and_runs_are_averaged() {
    let place = with_rows();
    let axes = "tofueval:sentence,sentence-explained,summary";
    let runs = ["--set", "judge_runs=2", "--set", "judge_temperature=0.7"];
    let requests = requests(&place, axes, "p.jsonl", &runs);
    // Two sentences and one, with and without explanation, and two summaries; each twice.
    assert_eq!(requests.len(), 16);
    assert!(requests.iter().all(|request| request["temperature"] == 0.7));
    answer(&place, &requests, "a.jsonl", |request| {
        let twelve = asked(request).contains("twelve");
        let said = match (request["step"].as_str().unwrap(), twelve, request["run"].as_u64().unwrap()) {
            ("tofueval:sentence", true, 1) => "Yes",
            ("tofueval:sentence-explained", true, _) => "No. It was ten.",
            (_, true, _) => "no",
            ("tofueval:sentence-explained", ..) => "Yes. The document says so.",
            _ => "Yes",
        };
        Some(said.to_owned())
    });
    let (results, notes) = run(&place, axes, &[&["--set", "answers=a.jsonl"], &runs[..]].concat());
    let numbers = |row: &Value| {
        ["tofueval_sentence", "tofueval_sentence_explained", "tofueval_summary"]
            .map(|name| row[name].as_f64().unwrap())
    };
    assert_eq!(numbers(&results[0]), [0.5, 0.0, 0.0], "{notes}");
    assert_eq!(numbers(&results[1]), [1.0, 1.0, 1.0]);
    // Of three sentences the runs agree on two, as by chance: the first run says yes to all.
    for kappa in ["sentence: Cohen's kappa 0.000, over 3 texts", "summary: Cohen's kappa 1.000, over 2 texts"]
    {
        assert!(notes.contains(&format!("self-agreement of tofueval:{kappa}")), "{notes}");
    }
    let facts = &results[0]["tofueval_sentence_explained_facts"];
    assert_eq!(facts[1]["explanations"], json!(["It was ten.", "It was ten."]));
    assert_eq!(results[0]["tofueval_sentence_facts"][1]["is_consistent"], json!([true, false]));
}

#[test]
fn claims_of_a_language_model_are_judged() {
    let place = with_rows();
    let requests = requests(&place, "fenice", "p.jsonl", &[]);
    answer(&place, &requests, "a.jsonl", |request| {
        let claims = if asked(request).contains("twelve") {
            json!({ "claims": ["Anna Berg closed the shop.", "The shop was open for twelve years."] })
        } else {
            json!({ "claims": ["The council rejected the plan."] })
        };
        Some(claims.to_string())
    });
    let (results, notes) = run(&place, "fenice", &["--claims", "answers=a.jsonl"]);
    let texts: Vec<&str> =
        list(&results[0]["claims"]).iter().map(|claim| claim["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Anna Berg closed the shop.", "The shop was open for twelve years."], "{notes}");
    assert_eq!(results[0]["ledger"]["claims_from"], "answers");
    assert_eq!(results[0]["profile"]["claims"], "answers");
    assert!(notes.contains("fenice:claims: 2 of 2 answers read"), "{notes}");
    // The same by --answers, and in a benchmark.
    let (same, _) = run(&place, "fenice", &["--claims", "answers", "--set", "answers=a.jsonl"]);
    assert_eq!(same[0]["score"], results[0]["score"]);
    // Several documents, for a threshold that is set on other ones; requests are about summaries alone.
    let rows = lines(&place.read("rows.jsonl"));
    let labelled = (0..16).map(|number| {
        let mut row = rows[number % 2].clone();
        row["document"] = json!(format!("{} It was case {}.", row["document"].as_str().unwrap(), number / 2));
        row["label"] = json!(number % 2);
        row.to_string()
    });
    place.write("labelled.jsonl", labelled.collect::<Vec<_>>().join("\n"));
    let fixed = ["jsonl", "--data", "labelled.jsonl", "--model", tiny(), "--claims"];
    let written = place.run([&fixed[..], &["answers", "--prompts", "bench.jsonl"]].concat());
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_eq!(place.read("bench.jsonl"), place.read("p.jsonl"));
    let measured = place.run([&fixed[..], &["answers=a.jsonl"]].concat());
    assert_eq!(measured.code, 0, "{}", measured.stderr);
    assert!(measured.stderr.contains("fenice:claims: 2 of 2 answers read"), "{}", measured.stderr);
}

#[test]
fn claims_need_no_document_and_are_compared_with_peoples() {
    let place = Place::new();
    let rows = [
        json!({ "summary": "Rain fell and wind blew.", "claims": ["Rain fell.", "Wind blew."] }),
        json!({ "summary": "Snow fell.", "claims": ["Snow fell."] }),
        json!({ "summary": " ", "claims": ["Nothing."] }),
    ];
    place.write("rose.jsonl", rows.each_ref().map(|row| row.to_string()).join("\n"));
    let output = place.run(["prompts", "fenice", "rose.jsonl", "-o", "p.jsonl"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("line 3: the summary is empty"), "{}", output.stderr);
    let requests = lines(&place.read("p.jsonl"));
    assert_eq!(requests.len(), 2);
    answer(&place, &requests[..1], "a.jsonl", |_| Some("['Rain fell.', 'Wind blew.']".to_owned()));
    place.write("two.jsonl", rows[..2].iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
    let measured =
        place.run(["rose", "--data", "two.jsonl", "--claims", "answers=a.jsonl", "--format", "json"]);
    assert_eq!(measured.code, 2);
    let id = requests[1]["id"].as_str().unwrap();
    assert!(
        measured.stderr.contains(id) && measured.stderr.contains("is not answered"),
        "{}",
        measured.stderr
    );
    let figures: Value = serde_json::from_str(&measured.stdout).unwrap();
    assert_eq!([&figures["f1"], &figures["summaries"]], [&json!(1.0), &json!(1)], "{figures}");
}

/// Entities are sentences, their sources the same; twelve is contradicted by everything, Oslo is in no summary.
fn sumautoeval(request: &Value) -> Option<String> {
    let text = asked(request);
    let says = |answer: &str| json!({ "reason": "So it is.", "answer": answer }).to_string();
    Some(match request["step"].as_str().unwrap().strip_prefix("sumautoeval:").unwrap() {
        "entities" => {
            let text = part(text, "Text:").join(" ");
            let entities: Vec<&str> =
                text.split_inclusive('.').map(str::trim).filter(|text| !text.is_empty()).collect();
            json!({ "entities": entities }).to_string()
        }
        "verified" => {
            let entities: Vec<&str> =
                part(text, "Entities:").iter().map(|line| line.split_once("] ").unwrap().1).collect();
            json!({ "entities": entities }).to_string()
        }
        "sources" => {
            let sourced = part(text, "Entities:").into_iter().enumerate().map(
                |(place, line)| json!({ "entity": place + 1, "sources": [line.split_once("] ").unwrap().1] }),
            );
            json!({ "entities": sourced.collect::<Vec<_>>() }).to_string()
        }
        "presence" if part(text, "Entity:")[0].contains("Oslo") => says("Partially"),
        "presence" | "coverage" | "evidence" => {
            let wrong =
                ["twelve", "ten", "Tuesday"].iter().any(|word| part(text, "Entity:")[0].contains(word));
            says(if wrong { "No" } else { "Yes" })
        }
        "definition" => says(if text.contains("Imaging") { "Yes" } else { "No" }),
        "section" => says("No"),
        "flow" => json!({ "issues": [] }).to_string(),
        "writing" => json!({ "issues": [{ "line": 1, "kind": "grammar", "issue": "Odd." }] }).to_string(),
        step => panic!("{step}"),
    })
}

/// Asks and answers in four rounds; returns the steps of each.
fn answer_in_rounds(place: &Place, axes: &str) -> Vec<BTreeSet<String>> {
    let mut seen = Vec::new();
    for round in ["1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"] {
        let known: &[&str] = if place.path("a.jsonl").exists() { &["--answers", "a.jsonl"] } else { &[] };
        let fixed = ["prompts", axes, "rows.jsonl", "-o", round, "-q", "--model", tiny()];
        place.run([&fixed[..], known].concat()).ok();
        let requests = lines(&place.read(round));
        seen.push(requests.iter().map(|it| it["step"].as_str().unwrap().to_owned()).collect());
        answer(place, &requests, "a.jsonl", sumautoeval);
    }
    seen
}

#[test]
fn sumautoeval_votes_on_the_models_answers() {
    let place = with_rows();
    let axes = "sumautoeval:completeness,correctness,readability";
    let seen = answer_in_rounds(&place, axes);
    for (seen, step) in seen.iter().zip(["entities", "verified", "sources"]) {
        assert!(seen.iter().eq([&format!("sumautoeval:{step}")]), "{seen:?}");
    }
    assert_eq!(seen[3].len(), 5, "{:?}", seen[3]);
    let (results, notes) = run(&place, axes, &["--set", "answers=a.jsonl"]);
    let numbers = |row: &Value| {
        ["completeness", "correctness", "readability"].map(|axis| {
            row[format!("sumautoeval_{axis}")].as_f64().unwrap_or_else(|| panic!("{row} {notes}"))
        })
    };
    // Of the reference's two entities one is found: partially, yes, yes. Of the summary's two the one without twelve is true.
    assert_eq!(numbers(&results[0])[..2], [0.5, 0.5]);
    assert_eq!(numbers(&results[1])[..2], [0.0, 1.0]);
    let sentences = list(&results[0]["sumautoeval"]["summary"]["sentences"]);
    assert_eq!(sentences[0]["issues"][0]["message"], "Odd.");
    let truth = list(&results[0]["sumautoeval"]["ground_truth"]["entities"]);
    let answers = json!({ "presence": "partial", "coverage": "yes", "evidence": "yes" });
    assert_eq!(truth[0]["completeness"]["answers"], answers);
}

#[test]
fn sections_are_checked_by_two_prompts() {
    let place = Place::new();
    let sections = "# Imaging\nAn X-ray was taken.\n# Plan\nRest was advised.";
    let document = "An X-ray was taken. Rest was advised.";
    let row = json!({ "document": document, "summary": sections, "reference": sections });
    place.write("rows.jsonl", row.to_string());
    answer_in_rounds(&place, "sumautoeval:alignment");
    // By definition only what is under Imaging fits; no section of the reference has it.
    for (rule, expected) in [("alignment_rule=any", 0.5), ("alignment_rule=all", 0.0)] {
        let sets = ["--set", "answers=a.jsonl", "--set", rule];
        let (results, notes) = run(&place, "sumautoeval:alignment", &sets);
        assert_eq!(results[0]["sumautoeval_alignment"], expected, "{notes}");
    }
}
