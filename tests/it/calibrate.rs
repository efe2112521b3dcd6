//! `calibrate` and `--calibration`: from labelled scores to probabilities, through the real binary.
use crate::common::{Place, list, number, tiny};
use serde_json::{Value, json};

const NUMBERS: [&str; 4] = ["12", "30", "47", "86"];

/// Eighty rows; the inconsistent half has a number that is not in its document, which the tiny model does not notice.
pub(crate) fn rows() -> Vec<Value> {
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

pub(crate) fn run(place: &Place, rows: &[Value], output: &str, more: &[&str]) {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let fixed = ["run", "rows.jsonl", "-o", output, "--model", &tiny, "--dtype", "f32", "--quiet"];
    place.run(fixed.iter().chain(more)).ok();
}

/// Scores and their calibration, `c.json`.
pub(crate) fn calibrated() -> Place {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "c.json"]).ok();
    place
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
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
    run(&place, &rows(), "sentences.jsonl", &["--set", "levels=sentence"]);
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
        (&["c.json", "--set", "levels=sentence"], "another list of levels"),
        (&["broken.json"], "broken.json"),
        (&["none.json"], "none.json"),
    ] {
        let error = score(more);
        assert!(error.contains(part), "{more:?}: {error}");
    }
}
