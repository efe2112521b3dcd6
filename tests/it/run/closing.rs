//! The closing remarks of a run on its rows: those that fail the check, those that repeat an id, and the rates of claims.
use std::collections::BTreeMap;

use crate::common::runs::{closing, corpus, json_lines, with_a_broken_row};
use crate::common::{Output, Place, list, number};
use serde_json::{Value, json};

fn place(rows: &[Value]) -> Place {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(rows));
    place
}

/// The scores of the rows, which no limit changes.
fn scores(place: &Place) -> Vec<f64> {
    assert_eq!(place.judge("rows.jsonl", "scores.jsonl", &["--quiet"]).code, 0);
    place.json_rows("scores.jsonl").iter().map(|row| number(&row["score"])).collect()
}

fn line<'o>(output: &'o Output, part: &str) -> &'o str {
    let lines: Vec<&str> = output.stderr.lines().filter(|line| line.contains(part)).collect();
    let [line] = lines[..] else { panic!("{part}: {}", output.stderr) };
    line
}

/// `run` had no `--fail-under`, and did not say which rows fail.
#[test]
fn rows_under_a_score_fail_the_run_and_are_named() {
    let mut rows = corpus(61, 30, 2);
    rows[3]["id"] = Value::Null;
    let place = place(&rows);
    let scores = scores(&place);
    let mut sorted = scores.clone();
    sorted.sort_by(f64::total_cmp);
    let limit = format!("{:.5}", f64::midpoint(sorted[14], sorted[15]));
    let number: f64 = limit.parse().unwrap();
    assert!(sorted[14] < number && number < sorted[15], "{sorted:?}");
    let under: Vec<String> = (0..30)
        .filter(|row| scores[*row] < sorted[15])
        .map(|row| if row == 3 { "rows.jsonl: line 4".to_owned() } else { row.to_string() })
        .collect();
    let expected =
        format!("veridic: 15 of 30 rows fail --fail-under {limit}: {} and 5 more", under[..10].join(", "));
    // First judged, then from the journal, which a row that fails keeps.
    place.write("broken.jsonl", with_a_broken_row(&rows));
    for resume in [&[][..], &["--resume", "--quiet"]] {
        let flags = [&["--on-error", "skip", "--fail-under", &limit], resume].concat();
        let output = place.judge("broken.jsonl", "out.jsonl", &flags);
        let expected = expected.replace("rows.jsonl", "broken.jsonl");
        assert_eq!((output.code, line(&output, "rows fail")), (1, &*expected));
        assert!(place.has("out.jsonl"), "the output is complete");
    }
    let none = place.judge("rows.jsonl", "out.jsonl", &["--fail-under", "0", "--resume"]);
    assert!(none.code == 0 && !none.stderr.contains(" fail "), "{}", none.stderr);
    let summary = place.judge("rows.jsonl", "json.jsonl", &["--fail-under", &limit, "--progress", "json"]);
    assert_eq!(closing(&summary)["failing"], json!({"rows": 15, "first": under[..10]}));
    let error = place.judge("rows.jsonl", "none.jsonl", &["--fail-under", "1.5"]).error();
    assert!(error.contains("--fail-under 1.5") && error.contains("between 0 and 1"), "{error}");
}

#[test]
fn rows_with_a_verdict_are_named_beside_those_that_cannot_be_judged() {
    let mut rows = corpus(62, 4, 2);
    rows[2]["summary"] = json!("");
    let place = place(&rows);
    let more =
        ["--set", "supported=1", "--set", "contradicted=1", "--fail-on", "unsupported", "--fail-under", "0"];
    let output = place.judge("rows.jsonl", "out.jsonl", &more);
    assert_eq!(output.code, 2, "a row could not be judged");
    let expected = "veridic: 3 of 3 rows fail --fail-under 0 or --fail-on unsupported: 0, 1, 3";
    assert_eq!(line(&output, "rows fail -"), expected);
    assert!(output.stderr.contains("1 of 4 rows failed: see `error` in out.jsonl"), "{}", output.stderr);
}

/// Rows that share an id gave a note each in some places, and none here.
#[test]
fn repeated_ids_are_remarked_once() {
    let mut rows = corpus(63, 20, 1);
    for row in 12..20 {
        rows[row]["id"] = rows[row % 4]["id"].clone();
    }
    let place = place(&rows);
    let output = place.judge("rows.jsonl", "out.jsonl", &[]);
    let expected = "note: 8 rows repeat the id of a row before: 0, 1, 2, 3, 0, 1, 2, 3";
    assert_eq!((output.code, line(&output, "repeat")), (0, expected));
    assert!(!place.judge("rows.jsonl", "quiet.jsonl", &["--quiet"]).stderr.contains("repeat"));
    let json = closing(&place.judge("rows.jsonl", "json.jsonl", &["--progress", "json"]));
    assert_eq!(json["repeated_ids"]["rows"], 8);
}

/// A run did not say which share of claims a system invents.
#[test]
fn a_run_ends_with_the_rates_of_its_claims_by_group() {
    let mut rows = corpus(64, 40, 2);
    for (number, row) in rows.iter_mut().enumerate() {
        let summary = row["summary"].as_str().unwrap().to_owned();
        row["summary"] = json!([&*summary, "The old cat sat.", "Rain was late."][..1 + number % 3].join(" "));
        row["system"] = [json!("b"), json!("a"), Value::Null][number % 3].clone();
    }
    rows[5]["summary"] = json!("");
    let place = place(&rows);
    let scores = place.judge("rows.jsonl", "scores.jsonl", &["--quiet"]);
    assert_eq!(scores.code, 2);
    let limit = {
        let rows = place.json_rows("scores.jsonl");
        let judged = rows.iter().filter_map(|row| row["claims"].as_array()).flatten();
        let mut scores: Vec<f64> = judged.map(|claim| number(&claim["score"])).collect();
        scores.sort_by(f64::total_cmp);
        format!("supported={}", f64::midpoint(scores[scores.len() / 2 - 1], scores[scores.len() / 2]))
    };
    let run = |name: &str, more: &[&str]| {
        place.judge("rows.jsonl", name, &[&["--set", &limit, "--group-by", "system"], more].concat())
    };
    let json = closing(&run("json.jsonl", &["--progress", "json"]));
    let rates = &json["rates"];
    // (rows, claims, unsupported, contradicted) of each group.
    let mut expected: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for row in place.json_rows("json.jsonl").iter().filter(|row| row["score"].is_number()) {
        for group in ["all".to_owned(), row["input"]["system"].to_string()] {
            let counts = expected.entry(group).or_default();
            counts[0] += 1;
            for claim in list(&row["claims"]) {
                counts[1] += 1;
                counts[2] += u64::from(claim["verdict"] == "unsupported");
                counts[3] += u64::from(claim["verdict"] == "contradicted");
            }
        }
    }
    let counted = |rates: &Value| {
        let count = |value: &Value| value.as_u64().unwrap();
        let of = |verdict: &str| &rates[verdict]["claims"];
        [&rates["rows"], &rates["claims"], of("unsupported"), of("contradicted")].map(count)
    };
    assert_eq!(counted(rates), expected["all"]);
    assert!(expected["all"][1] > 60 && expected["all"][2] + expected["all"][3] > 20, "{expected:?}");
    assert_eq!(rates["group_by"], "system");
    let groups: Vec<String> = list(&rates["groups"]).iter().map(|of| of["group"].to_string()).collect();
    assert_eq!(groups, ["\"b\"", "\"a\"", "null"], "in the order of the rows");
    for of in list(&rates["groups"]) {
        assert_eq!(counted(of), expected[&of["group"].to_string()], "{of}");
        for rate in ["unsupported", "contradicted"].map(|verdict| &of[verdict]) {
            let [share, low, high] = ["share", "low", "high"].map(|name| number(&rate[name]));
            assert!((share - number(&rate["claims"]) / number(&of["claims"])).abs() < 1e-9, "{of}");
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0 && low < high, "{of}");
        }
    }
    // The same from the journal, in a different order of work, as a table.
    let text = run("json.jsonl", &["--resume", "--threads", "1"]).stderr;
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("system ")).take(5).collect();
    let [claims, percent] = [counted(rates)[1], counted(rates)[2]];
    let all = format!("{:.1} [", 100.0 * percent as f64 / claims as f64);
    assert!(table[1].starts_with("b ") && table[3].starts_with("(none)"), "{text}");
    assert!(table[4].starts_with("all") && table[4].contains(&all), "{text}");
    let refused = place.judge("rows.jsonl", "x.jsonl", &["--group-by", "system", "--keep", "label"]).error();
    assert!(refused.contains("--group-by system") && refused.contains("--keep"), "{refused}");
    let missing = place.judge("rows.jsonl", "x.jsonl", &["--group-by", "sytem"]);
    assert_eq!(line(&missing, "group-by"), "note: --group-by sytem: no row has this field");
}
