//! `calibrate`: from labelled scores to a limit of support, as a rules file that `--rules` reads, through the real binary.
use crate::common::labelled::{json_lines, rows, rows_with, run};
use crate::common::{Place, list, number};
use crate::files::tiny;
use serde_json::{Value, json};

/// Scores and the rules file fitted to them, `c.toml`.
fn calibrated() -> Place {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "c.toml"]).ok();
    place
}

/// The report of a fit of `scores.jsonl`, whose file is `name`.
fn fitted(place: &Place, name: &str, more: &[&str]) -> Value {
    let fixed = ["calibrate", "scores.jsonl", "--label", "label", "--format", "json", "-o", name];
    place.run(fixed.iter().chain(more)).json()
}

/// The value of a key in a rules file.
fn value<'t>(file: &'t str, key: &str) -> &'t str {
    let line = file.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    line.unwrap_or_else(|| panic!("no {key} in {file}"))
}

/// The share of right verdicts on rows with label 1 and on the others, their mean.
fn balanced_accuracy(rows: &[Value], is_supported: impl Fn(&Value) -> bool) -> f64 {
    let of = |label: u64| {
        let rows: Vec<&Value> = rows.iter().filter(|row| row["input"]["label"] == label).collect();
        rows.iter().filter(|row| is_supported(row) == (label == 1)).count() as f64 / rows.len() as f64
    };
    f64::midpoint(of(0), of(1))
}

#[test]
fn the_limit_is_the_best_and_its_file_gives_the_verdicts() {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    let report = fitted(&place, "c.toml", &[]);
    let limit = number(&report["supported"]["value"]);
    let [low, high] = ["low", "high"].map(|end| number(&report["supported"][end]));
    assert!(0.0 < low && low <= limit && limit <= high && high < 1.0, "{report}");
    assert_eq!((&report["rows"], &report["consistent"]), (&json!(80), &json!(44)));
    let scored = json_lines(&place.read("scores.jsonl"));
    let accuracy = |limit: f64| balanced_accuracy(&scored, |row| number(&row["score"]) >= limit);
    for row in &scored {
        assert!(accuracy(number(&row["score"])) <= accuracy(limit) + 1e-9, "{row}");
    }
    // Two scores alone decide these rows, so every fold has the limit of all.
    assert!((number(&report["balanced_accuracy"]) - accuracy(limit)).abs() < 1e-9, "{report}");
    assert!((number(&report["balanced_accuracy_before"]) - accuracy(0.5)).abs() < 1e-9, "{report}");
    let file = place.read("c.toml");
    assert_eq!((value(&file, "version"), value(&file, "profile")), ("1", "\"veridic\""));
    let written: f64 = value(&file, "supported").parse().unwrap();
    assert!((written - limit).abs() < 1e-3, "{file}");
    assert!(file.contains("80 rows (44 consistent) of scores.jsonl"), "{file}");
    assert!(file.contains("# 95% interval of the limit"), "{file}");
    assert_eq!(value(&file, "sha256").trim_matches('"'), scored[0]["models"]["nli"]["sha256"]);
    run(&place, &rows(), "after.jsonl", &["--rules", "c.toml"]);
    let after = json_lines(&place.read("after.jsonl"));
    for (row, before) in after.iter().zip(&scored) {
        assert_eq!(row["score"], before["score"], "a limit changes no score");
        assert_eq!(row["verdict"] == "supported", number(&row["score"]) >= limit, "{row}");
        assert!((number(&row["limits"]["supported"]) - written).abs() < 1e-6);
        assert_eq!(row["limits"]["supported"], row["profile"]["verdicts"]["supported"]);
        assert_ne!(row["profile"]["digest"], before["profile"]["digest"]);
    }
    let supported = after.iter().filter(|row| row["verdict"] == "supported").count();
    assert!((number(&report["coverage"]) - supported as f64 / 80.0).abs() < 1e-9, "{report}");
    // Another model's file is refused; an explicit setting overrides the file.
    let one = ["run", "rows.jsonl", "-o", "-", "--rules", "c.toml", "--quiet", "--model"];
    let more = [&one[..], &[tiny(), "--dtype", "f32", "--set", "supported=0.9"]].concat();
    assert!(place.run(more).json_lines().iter().all(|row| row["limits"]["supported"] == 0.9));
}

/// Limits were written with three digits: between two scores that differ by less, the file gave other verdicts than the
/// report.
#[test]
fn a_limit_between_two_close_scores_is_written_in_full() {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    let mut scored = json_lines(&place.read("scores.jsonl"));
    for row in &mut scored {
        let score = if row["input"]["label"] == 1 { 0.999_8 } else { 0.999_6 };
        row["score"] = json!(score);
    }
    place.write("scores.jsonl", scored.iter().map(|row| format!("{row}\n")).collect::<String>());
    fitted(&place, "c.toml", &[]);
    let limit: f64 = value(&place.read("c.toml"), "supported").parse().unwrap();
    assert!(0.999_6 < limit && limit <= 0.999_8, "{limit}");
}

#[test]
fn a_number_from_nowhere_caps_the_score_and_is_a_veto_where_it_decides() {
    let place = calibrated();
    for (more, decides) in [(&[][..], false), (&["--rules", "c.toml"][..], true)] {
        let output = format!("{decides}.jsonl");
        run(&place, &rows(), &output, more);
        for row in json_lines(&place.read(&output)) {
            let claim = &row["claims"][0];
            let is_from_nowhere = row["id"].as_u64().unwrap() % 2 == 1;
            let entailment = number(&claim["probabilities"]["entailment"]);
            let most = number(&row["limits"]["quantity_nowhere"]);
            assert!(0.0 < most && most < entailment, "{row}");
            let (score, cap) =
                if is_from_nowhere { (most, json!("quantity_nowhere")) } else { (entailment, Value::Null) };
            assert!((number(&claim["score"]) - score).abs() < 1e-6, "{claim}");
            assert_eq!(claim["cap"], cap, "{claim}");
            assert!((0.0..=1.0).contains(&number(&row["score"])) && row.get("probability").is_none());
            assert_eq!(row["limits"]["scale"], "probability");
            let told = |is_told: bool| {
                if is_told {
                    json!(["the amount 59.57 pounds is nowhere in the document"])
                } else {
                    json!([])
                }
            };
            assert_eq!(claim["support"]["not_found"], told(is_from_nowhere), "{row}");
            assert_eq!(claim["support"]["vetoes"], told(is_from_nowhere && decides), "{row}");
            assert_eq!(row["verdict"] == "supported", decides && !is_from_nowhere, "{row}");
        }
    }
}

#[test]
fn the_lowest_limit_of_a_precision_is_chosen() {
    let place = Place::new();
    run(&place, &rows(), "scores.jsonl", &[]);
    let scored = json_lines(&place.read("scores.jsonl"));
    // Among the rows without a foreign number 36 of 40 have label 1; among all rows 44 of 80.
    let precision = |limit: f64| {
        let supported = scored.iter().filter(|row| number(&row["score"]) >= limit);
        let (right, all) = supported
            .fold((0, 0), |(right, all), row| (right + u32::from(row["input"]["label"] == 1), all + 1));
        f64::from(right) / f64::from(all)
    };
    let strict = fitted(&place, "strict.toml", &["--precision", "0.9"]);
    let limit = number(&strict["supported"]["value"]);
    assert!((precision(limit) - 0.9).abs() < 1e-9 && precision(0.0) < 0.9, "{strict}");
    assert!((number(&strict["precision"]) - 0.9).abs() < 1e-9, "{strict}");
    assert!(place.read("strict.toml").contains("for a precision of 0.9"));
    let lax = fitted(&place, "lax.toml", &["--precision", "0.5"]);
    let lowest = scored.iter().map(|row| number(&row["score"])).fold(1.0, f64::min);
    assert!(number(&lax["supported"]["value"]) <= lowest && lowest < limit, "{lax}");
    let fixed = ["calibrate", "scores.jsonl", "--label", "label", "-o", "x.toml", "--precision"];
    let error = place.run(fixed.iter().chain(&["0.95"])).error();
    assert!(error.contains("no limit has a precision of 0.95: the highest is 0.900"), "{error}");
    for wrong in ["2", "0", "-1", "x"] {
        let output = place.run(fixed[..6].iter().chain(&[format!("--precision={wrong}").as_str()]));
        assert!(output.code == 2 && output.stderr.contains("--precision"), "{wrong}: {}", output.stderr);
    }
    assert!(!place.path("x.toml").exists());
}

#[test]
fn the_report_says_what_was_fitted_and_the_same_rows_give_the_same_file() {
    let place = calibrated();
    let text = place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "d.toml"]).ok();
    for part in [
        "80 (44 consistent), 80 documents",
        "ROC AUC",
        "supported from",
        "by limits fitted to other documents",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(number(&fitted(&place, "e.toml", &[])["roc_auc"]["value"]) > 0.7);
    assert_eq!(place.read("c.toml"), place.read("d.toml"), "the same rows give the same file");
    let file = place.read("c.toml");
    let settings = file.lines().take_while(|line| *line != "[model]");
    let keys: Vec<&str> = settings.filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    assert_eq!(keys, ["version", "profile", "supported"], "only what differs from the profile");
    let exists = place.run(["calibrate", "scores.jsonl", "--label", "label", "-o", "d.toml"]).error();
    assert!(exists.contains("d.toml exists"), "{exists}");
}

#[test]
fn a_result_shows_what_is_nowhere_and_the_models_part() {
    let place = calibrated();
    place.write("document.txt", "The bridge was closed. It cost 30 pounds. Rain fell on day 1.");
    place.write("summary.txt", "The bridge cost 59 pounds.");
    let fixed = ["score", "document.txt", "summary.txt", "--format", "json", "--model", tiny()];
    let claim = |more: &[&str]| {
        let result: Value = serde_json::from_str(&place.run(fixed.iter().chain(more)).ok()).unwrap();
        result["claims"][0].clone()
    };
    for more in [&[][..], &["--rules", "c.toml"]] {
        let claim = claim(more);
        assert_eq!(claim["support"]["not_found"], json!(["the amount 59 pounds is nowhere in the document"]));
        assert_eq!(claim["cap"], json!("quantity_nowhere"));
        assert!(number(&claim["score"]) < number(&claim["probabilities"]["entailment"]), "{claim}");
    }
    assert!(claim(&["--set", "quantity_nowhere=off"])["cap"].is_null());
}

#[test]
fn a_difference_of_probabilities_has_a_limit_too() {
    let place = Place::new();
    // The tiny model scores such a number higher.
    let mut rows = rows();
    rows.iter_mut().for_each(|row| row["label"] = json!(1 - row["label"].as_u64().unwrap()));
    run(&place, &rows, "mean.jsonl", &["--profile", "paper"]);
    let mean = place.run(["calibrate", "mean.jsonl", "--label", "label", "-o", "x.toml"]).error();
    assert!(
        mean.contains("mean.jsonl: scores are the mean of their claims'")
            && mean.contains("`over_claims=minimum`"),
        "{mean}"
    );
    run(&place, &rows, "scores.jsonl", &["--profile", "paper", "--set", "over_claims=minimum"]);
    let limit = number(&fitted(&place, "c.toml", &[])["supported"]["value"]);
    let file = place.read("c.toml");
    assert_eq!(value(&file, "profile"), "\"paper\"");
    run(&place, &rows, "after.jsonl", &["--rules", "c.toml"]);
    let before = json_lines(&place.read("scores.jsonl"));
    for (row, before) in json_lines(&place.read("after.jsonl")).iter().zip(&before) {
        assert_eq!((&row["score"], &row["profile"]["name"]), (&before["score"], &json!("paper")));
        let is_supported = list(&row["claims"]).iter().all(|claim| number(&claim["score"]) >= limit);
        assert_eq!(row["verdict"] == "supported", is_supported, "{row}");
        assert_eq!(row["limits"]["scale"], "score");
        assert!(row["claims"][0].get("support").is_none());
    }
}

#[test]
fn several_files_are_one_sample() {
    let place = calibrated();
    run(&place, &rows()[..40], "a.jsonl", &[]);
    run(&place, &rows()[40..], "b.jsonl", &[]);
    let text = place.run(["calibrate", "a.jsonl", "b.jsonl", "--label", "label", "-o", "d.toml"]).ok();
    assert!(text.contains("80 (44 consistent)"), "{text}");
    let file = place.read("d.toml");
    assert!(file.contains("of a.jsonl, b.jsonl."), "{file}");
    assert_eq!(value(&file, "supported"), value(&place.read("c.toml"), "supported"));
}

#[test]
fn rows_of_a_document_are_kept_together() {
    let place = Place::new();
    let mut rows = rows_with("59");
    for (number, row) in rows.iter_mut().enumerate() {
        let document = row["document"].as_str().unwrap().split(" Rain").next().unwrap().to_owned();
        row["document"] = format!("{document} Rain fell on day {}.", number / 8).into();
        row["source"] = (number / 16).into();
        row["page"] = (number / 20).into();
    }
    run(&place, &rows, "scores.jsonl", &[]);
    let mut files = 0;
    let mut documents = |more: &[&str]| {
        files += 1;
        fitted(&place, &format!("{files}.toml"), more)["documents"].clone()
    };
    // Four numbers in every eight rows.
    assert_eq!(documents(&[]), 40);
    assert_eq!(documents(&["--document", "source"]), 5);
    let fixed = ["calibrate", "scores.jsonl", "--label", "label", "-o", "x.toml", "--document"];
    let few = place.run(fixed.iter().chain(&["page"])).error();
    assert!(few.contains("all rows are of 4 documents: at least 5"), "{few}");
    assert!(place.run(fixed.iter().chain(&["pages"])).error().contains("`pages`"));
    let unknown: String =
        place.read("scores.jsonl").lines().map(|line| line.replace("document_digest", "x") + "\n").collect();
    place.write("scores.jsonl", unknown);
    assert_eq!(documents(&[]), 80);
}

/// One row without a label ended the fit.
#[test]
fn rows_without_a_label_are_left_out_and_counted() {
    let place = Place::new();
    let mut rows = rows();
    rows[7]["label"] = Value::Null;
    rows[8].as_object_mut().unwrap().remove("label");
    rows[9]["summary"] = json!("");
    rows[9]["label"] = Value::Null;
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    place.write("rows.jsonl", lines.join("\n"));
    place.run(["run", "rows.jsonl", "-o", "scores.jsonl", "--model", tiny(), "--dtype", "f32", "--quiet"]);
    let fixed = ["calibrate", "scores.jsonl", "--label", "label", "--format", "json", "-o", "c.toml"];
    let output = place.run(fixed);
    for note in ["1 of 80 rows has no score and is left out", "2 of 80 rows have no label and are left out"] {
        assert!(output.stderr.contains(note), "{note}: {}", output.stderr);
    }
    assert_eq!(output.json()["rows"], 77);
}

#[test]
fn unusable_rows_are_errors() {
    let place = calibrated();
    let calibrate =
        |more: &[&str]| place.run(["calibrate"].iter().chain(more).chain(&["-o", "x.toml"])).error();
    run(&place, &rows()[..20], "few.jsonl", &[]);
    run(&place, &rows(), "sentences.jsonl", &["--set", "levels=sentence"]);
    run(&place, &rows(), "limit.jsonl", &["--rules", "c.toml"]);
    let one_label: Vec<Value> = rows().into_iter().filter(|row| row["label"] == 1).collect();
    run(&place, &one_label, "one.jsonl", &[]);
    place.write("scores.csv", "score,label\n0.5,1\n");
    run(&place, &rows(), "paper.jsonl", &["--profile", "paper", "--set", "over_claims=minimum"]);
    let other = place.read("scores.jsonl").replace("\"sha256\":\"", "\"sha256\":\"0");
    place.write("other.jsonl", other);
    for (more, parts) in [
        (&["few.jsonl", "--label", "label"][..], &["20 rows", "at least 50"][..]),
        (&["one.jsonl", "--label", "label"], &["at least", "each label"]),
        (
            &["scores.jsonl", "--label", "lable"],
            &["scores.jsonl", "none of its 80 rows", "`lable`", "set --label"],
        ),
        (&["scores.jsonl", "--label", "id"], &["`id`", "1 (consistent) or 0"]),
        (
            &["scores.jsonl", "sentences.jsonl", "--label", "label"],
            &["sentences.jsonl", "line 1", "other rules", "one only"],
        ),
        (&["scores.jsonl", "limit.jsonl", "--label", "label"], &["limit.jsonl", "line 1", "other rules"]),
        (
            &["scores.jsonl", "other.jsonl", "--label", "label"],
            &["other.jsonl", "line 1", "another NLI model"],
        ),
        (&["scores.csv", "--label", "label"], &["scores.csv", "models", ".jsonl"]),
        (&["none.jsonl", "--label", "label"], &["none.jsonl"]),
        // The tiny model scores such a number higher.
        (&["paper.jsonl", "--label", "label"], &["paper.jsonl", "ROC AUC 1"]),
    ] {
        let error = calibrate(more);
        assert!(parts.iter().all(|part| error.contains(part)), "{more:?}: {error}");
    }
    assert!(!place.path("x.toml").exists());
}
