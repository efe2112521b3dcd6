//! `calibrate` and `--calibration`: from labelled scores to probabilities, through the real binary.
use crate::common::{Place, list, number, tiny};
use serde_json::{Value, json};

const NUMBERS: [&str; 4] = ["12", "30", "47", "86"];

/// Eighty rows; the inconsistent half has a number that is not in its document, which the tiny model does not notice.
fn rows() -> Vec<Value> {
    rows_with("59")
}

fn rows_with(other: &str) -> Vec<Value> {
    (0..80)
        .map(|row| {
            let correct = NUMBERS[row % 4];
            let document =
                format!("The bridge was closed. It cost {correct} pounds. Rain fell on day {row}.");
            let stated = if row % 2 == 0 { correct } else { other };
            let summary = format!("The bridge cost {stated} pounds.");
            // A few labels are wrong on both sides, as with people.
            let label = usize::from(row % 2 == 0) ^ usize::from(row % 10 == 3 || row % 20 == 4);
            json!({"id": row, "document": document, "summary": summary, "label": label})
        })
        .collect()
}

fn run(place: &Place, rows: &[Value], output: &str, more: &[&str]) {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let fixed = ["run", "rows.jsonl", "-o", output, "--model", &tiny, "--dtype", "f32", "--quiet"];
    place.run(fixed.iter().chain(more)).ok();
}

/// Scores and their calibration, `c.json`.
fn calibrated() -> Place {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "c.json"]).ok();
    place
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn unsupported_number_vetoes_and_facts_add_up() {
    let place = Place::new();
    let rows = || rows_with("59.57");
    run(&place, &rows(), "scores.jsonl", &[]);
    // The plain rule ranks these perfectly.
    place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "c.json", "--even-if-worse"]).ok();
    let file: Value = serde_json::from_str(&place.read("c.json")).unwrap();
    assert!(number(&file["weights"]["facts"]["numbers_in_document"]["weight"]) > 0.0, "{file}");
    // Eight of the forty rows with such a number are consistent, with one more row of each label.
    let most = number(&file["quantity_nowhere"]);
    assert!(
        (most - 9.0 / 42.0).abs() < 1e-6 && file["weights"]["facts"].get("quantity_nowhere").is_none(),
        "{file}"
    );
    run(&place, &rows(), "after.jsonl", &["--calibration", "c.json"]);
    for row in json_lines(&place.read("after.jsonl")) {
        let claim = &row["claims"][0];
        let adds: f64 = list(&claim["support"]["contributions"]).iter().map(|c| number(&c["adds"])).sum();
        let odds = number(&file["weights"]["intercept"]) + adds;
        let is_from_nowhere = row["id"].as_u64().unwrap() % 2 == 1;
        let weighed = 1.0 / (1.0 + (-odds).exp());
        let expected = if is_from_nowhere { weighed.min(most) } else { weighed };
        assert!((number(&claim["score"]) - expected).abs() < 1e-6, "{claim}");
        assert!((number(&row["limits"]["quantity_nowhere"]) - most).abs() < 1e-6);
        assert!((0.0..=1.0).contains(&number(&row["score"])) && row.get("probability").is_none(), "{row}");
        assert_eq!(row["limits"]["scale"], "probability");
        assert_eq!(row["limits"]["supported"], row["profile"]["verdicts"]["supported"]);
        let vetoes = if is_from_nowhere {
            json!(["the amount 59.57 pounds is nowhere in the document"])
        } else {
            json!([])
        };
        assert_eq!(claim["support"]["vetoes"], vetoes, "{row}");
        assert_eq!(row["verdict"] == "supported", !is_from_nowhere, "{row}");
        assert_eq!(row["profile"]["calibration"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn cross_validated_scores_rank_rows() {
    let place = calibrated();
    let report = place
        .run(["calibrate", "scores.jsonl", "--label", "label", "-o", "d.json", "--format", "json"])
        .json();
    assert_eq!((&report["rows"], &report["consistent"]), (&json!(80), &json!(44)));
    assert!(number(&report["roc_auc_after"]["value"]) > 0.7, "{report}");
    assert!(number(&report["expected_calibration_error"]) < 0.3, "{report}");
    assert_eq!(place.read("c.json"), place.read("d.json"), "the same rows give the same file");
}

#[test]
fn explanation_shows_vetoes_and_weights() {
    let place = calibrated();
    let document = "The bridge was closed. It cost 30 pounds. Rain fell on day 1.";
    place.write("document.txt", document);
    place.write("summary.txt", "The bridge cost 59 pounds.");
    let tiny = tiny();
    let fixed = ["score", "document.txt", "summary.txt", "--model", &tiny, "--calibration"];
    let text = place.run(fixed.iter().chain(&["c.json", "--explain"])).ok();
    assert!(text.contains("the amount 59 pounds is nowhere in the document"), "{text}");
    assert!(text.contains("weighed against it: only 0% of its numbers and dates in the document"), "{text}");
    let plain = place.run(fixed.iter().chain(&["off", "--explain"])).ok();
    assert!(!plain.contains("weighed"), "{plain}");
}

#[test]
fn profile_without_facts_gets_a_curve() {
    let place = Place::new();
    // The tiny model scores such a number higher.
    let mut rows = rows_with("59.57");
    rows.iter_mut().for_each(|row| row["label"] = json!(1 - row["label"].as_u64().unwrap()));
    run(&place, &rows, "scores.jsonl", &["--profile", "paper"]);
    place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "c.json"]).ok();
    let file: Value = serde_json::from_str(&place.read("c.json")).unwrap();
    assert!(file["weights"].is_null(), "{file}");
    assert!(file["probability"]["slope"].is_f64(), "{file}");
    let supported = number(&file["thresholds"]["supported"]);
    run(&place, &rows, "after.jsonl", &["--profile", "paper", "--calibration", "c.json"]);
    let before = json_lines(&place.read("scores.jsonl"));
    for (row, before) in json_lines(&place.read("after.jsonl")).iter().zip(&before) {
        let curve = |at: &str| number(&file["probability"][at]);
        for (claim, before) in list(&row["claims"]).iter().zip(list(&before["claims"])) {
            let odds = curve("intercept") + curve("slope") * number(&before["score"]);
            assert!((number(&claim["score"]) - 1.0 / (1.0 + (-odds).exp())).abs() < 1e-6, "{row}");
        }
        let is_supported = list(&row["claims"]).iter().all(|claim| number(&claim["score"]) >= supported);
        assert_eq!(row["verdict"] == "supported", is_supported, "{row}");
        assert_eq!(row["limits"]["scale"], "probability");
        assert!(row["claims"][0].get("support").is_none());
    }
}

#[test]
fn several_files_are_cross_validated() {
    let place = Place::new();
    run(&place, &rows()[..40], "a.jsonl", &[]);
    run(&place, &rows()[40..], "b.jsonl", &[]);
    let text = place.run(["calibrate", "a.jsonl", "b.jsonl", "--label", "label", "-o", "c.json"]).ok();
    assert!(text.contains("each file by a fit on the others") && text.contains("b.jsonl"), "{text}");
    assert!(text.contains("the new weights are better than the plain rule: ROC AUC +"), "{text}");
}

#[test]
fn weights_that_are_not_better_are_not_written() {
    let place = calibrated();
    // The old weights were fitted to these rows: cross-validated weights cannot be better.
    run(&place, &rows(), "weighed.jsonl", &["--calibration", "c.json"]);
    let fixed = ["calibrate", "weighed.jsonl", "--label", "label", "--format", "json", "-o", "d.json"];
    let output = place.run(fixed);
    assert_eq!(output.code, 1, "{}", output.stderr);
    let digest = json_lines(&place.read("weighed.jsonl"))[0]["profile"]["calibration"].clone();
    let message = "d.json was not written: the new weights are ";
    assert!(
        output.stderr.contains(message) && output.stderr.contains("--even-if-worse"),
        "{}",
        output.stderr
    );
    let comparison = serde_json::from_str::<Value>(&output.stdout).unwrap()["comparison"].clone();
    let [low, difference, high] = ["low", "difference", "high"].map(|name| number(&comparison[name]));
    assert!(low <= difference && difference <= high && low <= 0.0, "{comparison}");
    assert!(comparison["old"].as_str().unwrap().contains(&digest.as_str().unwrap()[..8]), "{comparison}");
    for file in ["d.json", "d.json.partial"] {
        assert!(!place.path(file).exists(), "{file}");
    }
    place.run(fixed.iter().chain(&["--even-if-worse"])).ok();
    assert!(place.read("d.json").contains("veridic calibration"));
    let mixed = place.run(["calibrate", "scores.jsonl", "weighed.jsonl", "--label", "label", "-o", "e.json"]);
    assert!(mixed.error().contains("another calibration"));
}

#[test]
fn rows_of_a_document_share_a_fold() {
    let place = Place::new();
    let mut rows = rows();
    for (number, row) in rows.iter_mut().enumerate() {
        let document = row["document"].as_str().unwrap().split(" Rain").next().unwrap().to_owned();
        row["document"] = format!("{document} Rain fell on day {}.", number / 8).into();
        row["source"] = (number / 16).into();
    }
    run(&place, &rows, "scores.jsonl", &[]);
    let report = |more: &[&str]| {
        let _ = std::fs::remove_file(place.path("c.json"));
        let fixed = ["calibrate", "scores.jsonl", "--label", "label", "--format", "json", "-o", "c.json"];
        let output = place.run(fixed.iter().chain(more).chain(&["--even-if-worse"]));
        output.json()
    };
    let by_digest = report(&[]);
    // Four numbers in every eight rows.
    assert_eq!(by_digest["documents"], 40);
    assert_eq!(by_digest["kept_apart"], "each fifth of the documents by a fit on the others");
    assert_eq!(report(&["--document", "source"])["documents"], 5);
    let unknown: String =
        place.read("scores.jsonl").lines().map(|line| line.replace("document_digest", "x") + "\n").collect();
    place.write("scores.jsonl", unknown);
    let without = report(&[]);
    assert_eq!(without["documents"], 80);
    assert!(without["kept_apart"].as_str().unwrap().contains("not known"), "{without}");
    let fixed = ["calibrate", "scores.jsonl", "--label", "label", "-o", "d.json", "--document", "page"];
    assert!(place.run(fixed).error().contains("`page`"));
}

#[test]
fn unusable_rows_are_errors() {
    let place = calibrated();
    let calibrate =
        |more: &[&str]| place.run(["calibrate"].iter().chain(more).chain(&["-o", "x.json"])).error();
    run(&place, &rows()[..20], "few.jsonl", &[]);
    run(&place, &rows(), "sentences.jsonl", &["--levels", "sentence"]);
    let one_label: Vec<Value> = rows().into_iter().filter(|row| row["label"] == 1).collect();
    run(&place, &one_label, "one.jsonl", &[]);
    place.write("scores.csv", "score,label\n0.5,1\n");
    run(&place, &rows_with("59.57"), "paper.jsonl", &["--profile", "paper"]);
    for (more, parts) in [
        (&["few.jsonl", "--label", "label"][..], &["20 rows", "at least 50"][..]),
        (&["one.jsonl", "--label", "label"], &["at least", "each label"]),
        (&["scores.jsonl", "--label", "lable"], &["scores.jsonl", "line 1", "`lable`", "label"]),
        (&["scores.jsonl", "--label", "id"], &["`id`", "1 (consistent) or 0"]),
        (&["scores.jsonl", "sentences.jsonl", "--label", "label"], &["sentences.jsonl", "line 1", "levels"]),
        (&["scores.csv", "--label", "label"], &["scores.csv", "claims", ".jsonl"]),
        (&["none.jsonl", "--label", "label"], &["none.jsonl"]),
        // The tiny model scores such a number higher.
        (&["paper.jsonl", "--label", "label"], &["paper.jsonl", "ROC AUC 1"]),
    ] {
        let error = calibrate(more);
        assert!(parts.iter().all(|part| error.contains(part)), "{more:?}: {error}");
    }
    assert!(!place.path("x.json").exists());
}

#[test]
fn calibration_of_another_profile_is_an_error() {
    let place = calibrated();
    place.write("document.txt", "The bridge was closed.");
    place.write("broken.json", "{\"format\": 1}");
    let tiny = tiny();
    let score = |more: &[&str]| {
        let fixed = ["score", "document.txt", "document.txt", "--model", &tiny, "--calibration"];
        place.run(fixed.iter().chain(more)).error()
    };
    for (more, part) in [
        (&["c.json", "--profile", "paper"][..], "another profile"),
        (&["c.json", "--levels", "sentence"], "another list of levels"),
        (&["broken.json"], "broken.json"),
        (&["none.json"], "none.json"),
    ] {
        let error = score(more);
        assert!(error.contains(part), "{more:?}: {error}");
    }
}

/// Rows of two claims' worth of doubt: scores of the plain rule are far from perfect.
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
    let full = ["--calibration", "c.json", "--screen", "off"];
    run(&place, &rows(), "full.jsonl", &full);
    run(&place, &rows()[..79], "fewer.jsonl", &full);
    run(&place, &rows(), "epsilon.jsonl", &[&full[..], &["--epsilon", "0"]].concat());
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
    let full = ["--calibration", "c.json", "--screen", "off"];
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
    let alone = ["--calibration", "r.json", "--abstain", "0.3", "--batch-tokens", "1"];
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
