//! Files of requests and answers: ids, rounds, batches, success ratios, and what is refused.
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{answer, asked, finesure, lines, requests, run, with_rows};
use crate::common::Place;
use crate::files::tiny;

#[test]
fn every_request_is_written_once_and_always_the_same() {
    let place = with_rows();
    let first = requests(&place, "finesure", "a.jsonl", &[]);
    let steps: Vec<&str> = first.iter().map(|request| request["step"].as_str().unwrap()).collect();
    assert_eq!(steps.iter().filter(|step| **step == "finesure:facts").count(), 2);
    assert_eq!(steps.iter().filter(|step| **step == "finesure:alignment").count(), 2);
    let ids: BTreeSet<&str> = first.iter().map(|request| request["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 4);
    assert!(asked(&first[0]).contains("It was open for twelve years."));
    // The same rows twice, in a different file.
    let rows = place.read("rows.jsonl");
    place.write("twice.jsonl", format!("{rows}\n{rows}"));
    place.run(["prompts", "finesure", "twice.jsonl", "-o", "b.jsonl", "-q", "--model", tiny()]);
    assert_eq!(place.read("b.jsonl"), place.read("a.jsonl"));
}

#[test]
fn answers_are_measured_by_the_papers_formulas() {
    let place = with_rows();
    let asked = requests(&place, "finesure", "p.jsonl", &[]);
    answer(&place, &asked, "a.jsonl", finesure);
    let (results, notes) = run(&place, "finesure", &["--set", "answers=a.jsonl"]);
    let [shop, council] = &results[..] else { panic!("{notes}") };
    let numbers =
        |row: &Value| ["faithfulness", "completeness", "conciseness"].map(|name| row[name].as_f64().unwrap());
    assert_eq!(numbers(shop), [0.5, 0.5, 0.5]);
    assert_eq!(numbers(council), [1.0, 1.0, 1.0]);
    let sentences = &shop["finesure"]["sentences"];
    assert_eq!(sentences[1]["error"], json!({ "type": "circumstantial", "reason": "It was ten." }));
    assert_eq!(shop["finesure"]["edges"], json!([{ "key_fact": 0, "sentences": [0] }]));
    assert!(shop["profile"]["answers"].as_str().unwrap().starts_with("answers="), "{}", shop["profile"]);
    assert!(notes.contains("finesure:facts: 2 of 2 answers read (success ratio 1.000)"), "{notes}");
}

#[test]
fn a_step_that_needs_the_answers_of_another_comes_in_the_next_round() {
    let place = with_rows();
    let reference = ["--set", "key_facts=reference"];
    let first = requests(&place, "finesure:completeness", "1.jsonl", &reference);
    assert!(first.iter().all(|request| request["step"] == "finesure:key-facts"), "{first:?}");
    answer(&place, &first, "a.jsonl", finesure);
    let answers = [&reference[..], &["--set", "answers=a.jsonl"]].concat();
    let second = requests(&place, "finesure:completeness", "2.jsonl", &answers);
    assert!(second.iter().all(|request| request["step"] == "finesure:alignment"), "{second:?}");
    answer(&place, &second, "a.jsonl", finesure);
    let (results, notes) = run(&place, "finesure:completeness", &answers);
    // The second of "Anna Berg closed her shop in Oslo." and "It was ten years old.".
    assert_eq!(results[0]["completeness"], 0.5, "{notes}");
    assert!(requests(&place, "finesure:completeness", "3.jsonl", &answers).is_empty());
}

#[test]
fn answers_that_are_missing_or_cannot_be_read_are_counted_and_named() {
    let place = with_rows();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let model = |request: &Value| {
        (request["id"] == asked[0]["id"]).then(|| "[{\"category\": \"no error\"}]".to_owned())
    };
    answer(&place, &asked, "a.jsonl", model);
    let (results, notes) = run(&place, "finesure:faithfulness", &["--set", "answers=a.jsonl"]);
    let reason = |row: &Value| row["error"]["reason"].as_str().unwrap().to_owned();
    let [shop, council] = [reason(&results[0]), reason(&results[1])];
    assert!(shop.contains("cannot be read: it has 1 categories for 2 sentences"), "{shop}");
    assert!(
        council.contains(asked[1]["id"].as_str().unwrap()) && council.contains("is not answered"),
        "{council}"
    );
    assert!(
        notes.contains(
            "finesure:facts: 0 of 2 answers read (success ratio 0.000), 1 cannot be read, 1 missing"
        ),
        "{notes}"
    );
}

#[test]
fn batches_of_other_tools_are_written_and_read() {
    let place = with_rows();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &["--batch-model", "m"]);
    let request = &asked[0];
    assert_eq!([&request["method"], &request["url"]], ["POST", "/v1/chat/completions"]);
    assert_eq!(request["body"]["model"], "m");
    let output = asked.iter().map(|request| {
        let reply = finesure(&json!({ "step": "finesure:facts", "messages": request["body"]["messages"] }));
        let choices = json!([{ "message": { "role": "assistant", "content": reply } }]);
        let body = json!({ "model": "m", "choices": choices });
        json!({ "id": "r", "custom_id": request["custom_id"], "response": { "status_code": 200, "body": body }, "error": null })
            .to_string()
    });
    place.write("out-of-batch.jsonl", output.collect::<Vec<_>>().join("\n"));
    let (results, notes) = run(&place, "finesure:faithfulness", &["--set", "answers=out-of-batch.jsonl"]);
    assert_eq!(results[0]["faithfulness"], 0.5, "{notes}");
}

#[test]
fn a_template_of_ones_own_changes_requests_and_their_ids() {
    let place = with_rows();
    let ours = requests(&place, "rating", "a.jsonl", &[]);
    place.write("mine.txt", "[system]\nYou rate.\n[user]\nText: {{document}}\nSummary: {{summary}}");
    let mine = requests(&place, "rating", "b.jsonl", &["--prompt-template", "mine.txt"]);
    assert_eq!(mine[0]["messages"][0], json!({ "role": "system", "content": "You rate." }));
    assert!(asked(&mine[0]).starts_with("Text: Anna Berg closed"));
    assert_ne!(mine[0]["id"], ours[0]["id"]);
    assert_ne!(mine[0]["template"], ours[0]["template"]);
    place.write("bad.txt", "{{document}} {{summary}} {{claim}}");
    for (metric, given, parts) in [
        (
            "rating",
            "rating:consistency=bad.txt",
            &["--prompt-template rating:consistency", "names {{claim}}"][..],
        ),
        ("rating", "finesure:alignment=mine.txt", &["nothing here asks finesure:alignment"]),
        ("rating", "none.txt", &["none.txt"]),
        (
            "rating",
            "rating:x=mine.txt",
            &["--prompt-template rating:x=mine.txt: no such name", "rating:relevance"],
        ),
        ("finesure", "mine.txt", &["say which step", "finesure:facts"]),
    ] {
        let fixed = ["prompts", metric, "rows.jsonl", "-o", "c.jsonl", "--model", tiny()];
        place.run([&fixed[..], &["--prompt-template", given]].concat()).clear_error(parts).unwrap();
    }
    assert!(!place.path("c.jsonl").exists() && !place.path("c.jsonl.partial").exists());
}

#[test]
fn what_cannot_work_is_refused() {
    let place = with_rows();
    requests(&place, "rating", "p.jsonl", &[]);
    place.write("bad.jsonl", "{\"id\": \"7\", \"answer\": \"Yes\"}\n");
    place.write("empty.jsonl", "");
    place.write("a.jsonl", "");
    for (sets, parts) in [
        ("metric=rating", &["--metric rating", "language model"][..]),
        ("metric=rouge answers=empty.jsonl", &["--metric rouge", "nothing asks a language model"]),
        ("metric=rating answers=bad.jsonl", &["bad.jsonl, line 1", "`id`"]),
        ("metric=rating answers=none.jsonl", &["--answers none.jsonl", "cannot read it"]),
        // Requests have no answers.
        ("metric=rating answers=p.jsonl", &["p.jsonl, line 1", "is a request"]),
        ("claims=answers", &["--claims answers", "answers=FILE"]),
        ("metric=finesure:faithfulness judge_runs=3", &["--judge-runs is for a language model's answers"]),
        ("metric=rating judge_runs=3 answers=a.jsonl", &["--judge-runs", "tofueval"]),
        ("metric=rating judge=http://192.0.2.1/v1 judge_model=m", &["--judge-remote on", "192.0.2.1"]),
    ] {
        let sets = sets.split(' ').flat_map(|set| ["--set", set]);
        let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", tiny()];
        let refused = place.run(fixed.into_iter().chain(sets));
        refused.clear_error(parts).unwrap_or_else(|error| panic!("{parts:?}: {error}"));
    }
    for (metric, output, part) in
        [("rouge", "x.jsonl", "rouge asks no language model"), ("rating", "p.jsonl", "p.jsonl exists")]
    {
        place.run(["prompts", metric, "rows.jsonl", "-o", output]).clear_error(&[part]).unwrap();
    }
}

#[test]
fn rows_without_texts_are_reported_and_the_others_are_written() {
    let place = Place::new();
    place.write(
        "rows.jsonl",
        "{\"document\": \"It rained.\", \"summary\": \"It rained.\"}\n{\"document\": \"It rained.\"}\n",
    );
    let output = place.run(["prompts", "rating", "rows.jsonl", "-o", "p.jsonl", "--model", tiny()]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("line 2") && output.stderr.contains("1 requests in p.jsonl"),
        "{}",
        output.stderr
    );
    assert_eq!(lines(&place.read("p.jsonl")).len(), 1);
}

#[test]
fn long_documents_are_read_as_a_whole() {
    let place = Place::new();
    let document: String = (0..400).map(|number| format!("Room {number} was painted. ")).collect();
    place.write("long.jsonl", json!({ "document": document, "summary": "Room 7 was painted." }).to_string());
    place.run(["prompts", "tofueval:summary", "long.jsonl", "-o", "p.jsonl", "--model", tiny()]).ok();
    assert!(lines(&place.read("p.jsonl"))[0].to_string().len() > document.len());
}
