//! `calibrate --extend` and `--abstain`: a risk is fitted to scores, and verdicts of a high risk are unsure.
use crate::calibrate::{calibrated, json_lines, rows, run};
use crate::common::server::Server;
use crate::common::{Place, list, number, tiny};
use serde_json::{Value, json};

/// The place of the calibration's tests, with scores by that calibration.
fn abstaining() -> Place {
    let place = calibrated();
    run(&place, &rows(), "weighed.jsonl", &["--calibration", "c.json"]);
    place
}

fn with_risk(place: &Place, more: &[&str]) -> Value {
    let fixed = ["calibrate", "weighed.jsonl", "--label", "label", "--extend", "c.json", "-o", "r.json"];
    place.run(fixed.iter().chain(&["--format", "json"]).chain(more)).json()
}

#[test]
fn an_extension_adds_a_risk_and_keeps_the_rest() {
    let place = abstaining();
    let report = with_risk(&place, &["--plots", "plots"]);
    let (old, new): (Value, Value) = (
        serde_json::from_str(&place.read("c.json")).unwrap(),
        serde_json::from_str(&place.read("r.json")).unwrap(),
    );
    for (name, value) in old.as_object().unwrap() {
        if name != "risk" {
            assert_eq!(&new[name], value, "{name}");
        }
    }
    let limits = list(&new["risk"]["limits"]);
    assert_eq!(limits.len(), 20);
    for (limit, at) in limits.iter().zip(list(&report["abstention"]["at"])) {
        assert_eq!((&limit["rate"], &limit["risk"]), (&at["rate"], &at["unsure_above_risk"]), "{limit}");
    }
    let all = &report["abstention"]["at"][0];
    assert_eq!(number(&all["coverage"]), 1.0);
    assert!((number(&all["precision"]) + number(&report["abstention"]["wrong"]) - 1.0).abs() < 1e-9);
    assert!(place.read("plots/risk_coverage.svg").starts_with("<svg"));
    let text = place
        .run(["calibrate", "weighed.jsonl", "--label", "label", "--extend", "c.json", "-o", "s.json"])
        .ok();
    assert!(text.contains("unsure above risk") && text.contains("20%"), "{text}");
    assert_eq!(place.read("s.json"), place.read("r.json"));
}

#[test]
fn an_extension_refuses_what_it_was_not_scored_with() {
    let place = abstaining();
    let extend = |scores: &str, more: &[&str]| {
        let fixed = ["calibrate", scores, "--label", "label", "--extend", "c.json", "-o", "r.json"];
        place.run(fixed.iter().chain(more)).error()
    };
    let error = extend("scores.jsonl", &[]);
    assert!(error.contains("plain rule") && error.contains("calibration to extend"), "{error}");
    place.write("other.json", place.read("c.json").replace("\"quantity_nowhere\"", " \"quantity_nowhere\""));
    run(&place, &rows(), "other.jsonl", &["--calibration", "other.json"]);
    assert!(extend("other.jsonl", &[]).contains("calibration to extend"));
    let alone = place.run(["calibrate", "weighed.jsonl", "--label", "label", "--full", "a", "-o", "r.json"]);
    assert!(alone.code == 2 && alone.stderr.contains("--extend"), "{}", alone.stderr);
    // Full scores must be of the same rows, and differ in the screen alone.
    let full = ["--calibration", "c.json", "--set", "screen=off"];
    run(&place, &rows(), "full.jsonl", &full);
    run(&place, &rows()[..79], "fewer.jsonl", &full);
    run(&place, &rows(), "epsilon.jsonl", &[&full[..], &["--set", "epsilon=0"]].concat());
    let clauses: Vec<&str> = full.into_iter().chain(["--claims", "clause"]).collect();
    run(&place, &rows(), "clauses.jsonl", &clauses);
    for (files, part) in [
        (&["fewer.jsonl"][..], "one file only"),
        (&["epsilon.jsonl"], "differ in `epsilon`"),
        (&["clauses.jsonl"], "differ in `claims`"),
        (&["weighed.jsonl"], "was scored with a screen"),
        (&["full.jsonl", "full.jsonl"], "2 files of full scores for 1"),
    ] {
        let error = extend("weighed.jsonl", &[&["--full"], files].concat());
        assert!(error.contains(part), "{files:?}: {error}");
    }
    assert!(extend("full.jsonl", &["--full", "full.jsonl"]).contains("without a screen"));
    assert!(!place.path("r.json").exists());
    let report = with_risk(&place, &["--full", "full.jsonl"]);
    let file: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    assert_eq!(file["escalate_within"], report["escalation"]["within"], "{report}");
    assert_eq!(report["escalation"]["claims"], 80);
}

#[test]
fn the_distance_of_escalation_holds_the_claims_that_change() {
    let place = abstaining();
    let full = ["--calibration", "c.json", "--set", "screen=off"];
    run(&place, &rows(), "full.jsonl", &full);
    // Two claims cross the limit, by steps of their own.
    let mut rows = json_lines(&place.read("full.jsonl"));
    let screened = json_lines(&place.read("weighed.jsonl"));
    let limit = number(&screened[0]["limits"]["supported"]);
    let distance = |row: usize| (number(&screened[row]["claims"][0]["score"]) - limit).abs();
    for row in [5, 8] {
        let is_supported = number(&screened[row]["claims"][0]["score"]) >= limit;
        rows[row]["claims"][0]["score"] = json!(if is_supported { 0.0 } else { 1.0 });
    }
    place.write("full.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let escalation = with_risk(&place, &["--full", "full.jsonl"])["escalation"].clone();
    assert_eq!(escalation["changed"], 2, "{escalation}");
    let farthest = distance(5).max(distance(8));
    assert!((number(&escalation["within"]) - farthest).abs() < 1e-6, "{escalation}: {farthest}");
    let near = (0..80).filter(|row| distance(*row) <= farthest + 1e-6).count();
    assert!((number(&escalation["escalated"]) - near as f64 / 80.0).abs() < 1e-9, "{escalation}: {near}");
}

#[test]
fn abstaining_marks_the_verdicts_of_high_risk() {
    let place = abstaining();
    with_risk(&place, &[]);
    let on = |output: &str, rate: &str, more: &[&str]| {
        let fixed = ["--calibration", "r.json", "--abstain", rate];
        run(&place, &rows(), output, &fixed.iter().chain(more).copied().collect::<Vec<_>>());
        json_lines(&place.read(output))
    };
    let plain = {
        run(&place, &rows(), "plain.jsonl", &["--calibration", "r.json"]);
        json_lines(&place.read("plain.jsonl"))
    };
    assert!(plain.iter().all(|row| row["claims"][0].get("risk").is_none()));
    assert!(plain[0]["limits"].get("unsure_above_risk").is_none());
    // 0 is off, to the byte.
    on("off.jsonl", "0", &[]);
    assert_eq!(place.read("off.jsonl"), place.read("plain.jsonl"));
    let abstained = on("abstained.jsonl", "0.3", &[]);
    let mut unsure = 0;
    for (row, plain) in abstained.iter().zip(&plain) {
        let (claim, limit) = (&row["claims"][0], number(&row["limits"]["unsure_above_risk"]));
        let is_unsure = number(&claim["risk"]) > limit;
        let expected = if is_unsure { &json!("unsure") } else { &plain["verdict"] };
        assert_eq!((&claim["verdict"], &row["verdict"]), (expected, expected), "{row}");
        assert_eq!((&row["score"], &row["profile"]["abstain"]), (&plain["score"], &json!(0.3)), "{row}");
        assert!((0.0..=1.0).contains(&number(&row["limits"]["precision_of_rest"])), "{row}");
        assert!(
            !is_unsure || claim["counter_evidence"].is_null() && claim.get("unsupported_words").is_none()
        );
        unsure += usize::from(is_unsure);
    }
    // The rate is that of the fit, whose rows these are; rows of one risk are unsure together.
    assert!(0 < unsure && unsure <= 24, "{unsure}");
    // Alone, in other batches and other order as together.
    let mut reversed = rows();
    reversed.reverse();
    let alone = ["--calibration", "r.json", "--abstain", "0.3", "--set", "batch_tokens=1"];
    run(&place, &reversed, "reversed.jsonl", &alone);
    let mut again = json_lines(&place.read("reversed.jsonl"));
    again.reverse();
    for (row, again) in abstained.iter().zip(&again) {
        assert_eq!((&row["claims"], &row["verdict"]), (&again["claims"], &again["verdict"]));
    }
}

#[test]
fn unsure_rows_are_told_and_never_fail() {
    let place = abstaining();
    with_risk(&place, &[]);
    // A limit of risk below every risk.
    let mut file: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    for limit in file["risk"]["limits"].as_array_mut().unwrap() {
        limit["risk"] = json!(0.0);
    }
    place.write("r.json", file.to_string());
    let lines: Vec<String> = rows().iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let with = ["--model", &tiny, "--dtype", "f32", "--calibration", "r.json", "--abstain", "0.5"];
    for on in ["contradicted", "unsupported"] {
        let output = place
            .run(["run", "rows.jsonl", "-o", &format!("{on}.jsonl"), "--fail-on", on].iter().chain(&with));
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stderr.contains("80 of 80 verdicts are unsure"), "{}", output.stderr);
    }
    let table = place.run(
        ["report", "unsupported.jsonl", "--source", "rows.jsonl", "--label", "label", "-o", "r.html"].iter(),
    );
    assert_eq!(table.code, 0, "{}", table.stderr);
    let row = rows()[0].clone();
    place.write("document.txt", row["document"].as_str().unwrap());
    place.write("summary.txt", row["summary"].as_str().unwrap());
    let output =
        place.run(["score", "document.txt", "summary.txt", "--fail-on", "unsupported"].iter().chain(&with));
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("unsure") && output.stdout.contains("times in 100"), "{}", output.stdout);
    let bench = place
        .run(["bench", "jsonl", "--data", "rows.jsonl", "--label", "label", "--quiet"].iter().chain(&with));
    assert!(bench.error().contains("--abstain: the verdicts on all 80 texts are unsure"));
    for (rate, calibration, parts) in [
        ("1", "r.json", &["--abstain 1", "below 1"][..]),
        ("-0.1", "r.json", &["--abstain", "at least 0"]),
        ("nan", "r.json", &["--abstain", "below 1"]),
        ("0.2", "off", &["--abstain 0.2", "no calibration", "veridic calibrate"]),
        ("0.2", "bare.json", &["--abstain 0.2", "does not tell", "veridic calibrate"]),
    ] {
        let mut bare = file.clone();
        bare.as_object_mut().unwrap().remove("risk");
        place.write("bare.json", bare.to_string());
        let fixed = ["score", "document.txt", "summary.txt", "--model", &tiny, "--calibration", calibration];
        let error = place.run(fixed.iter().chain(&["--abstain", rate])).error();
        assert!(parts.iter().all(|part| error.contains(part)), "{rate} {calibration}: {error}");
    }
}

#[test]
fn benchmarks_leave_unsure_rows_out() {
    let place = abstaining();
    with_risk(&place, &[]);
    let lines: Vec<String> = rows().iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let fixed =
        ["bench", "jsonl", "--data", "rows.jsonl", "--label", "label", "--format", "json", "--model", &tiny];
    let with = ["--dtype", "f32", "--calibration", "r.json", "--abstain", "0.3"];
    let output = place.run(fixed.iter().chain(&with));
    let notes = output.stderr.clone();
    let report = output.json();
    run(&place, &rows(), "abstained.jsonl", &with[2..]);
    let unsure =
        json_lines(&place.read("abstained.jsonl")).iter().filter(|row| row["verdict"] == "unsure").count();
    assert!(unsure > 0);
    assert_eq!(report["data"]["rows_left_out"]["texts with the verdict unsure"], unsure, "{report}");
    assert_eq!(report["data"]["texts_measured"], 80 - unsure, "{report}");
    assert!(notes.contains(&format!("left out: {unsure} of 80 texts")), "{notes}");
}

#[test]
fn the_server_abstains_as_the_program_does() {
    let place = abstaining();
    with_risk(&place, &[]);
    run(&place, &rows()[..8], "abstained.jsonl", &["--calibration", "r.json", "--abstain", "0.3"]);
    let calibration = place.path("r.json");
    let with = ["--dtype", "f32", "--calibration", calibration.to_str().unwrap(), "--abstain", "0.3"];
    let server = Server::tiny(&with);
    for (row, expected) in rows().iter().zip(json_lines(&place.read("abstained.jsonl"))) {
        let pair = json!({"document": row["document"], "summary": row["summary"]});
        let answer = server.post("/v1/score", &pair).ok();
        for field in ["verdict", "claims", "limits"] {
            assert_eq!(answer[field], expected[field], "{field}");
        }
    }
}
