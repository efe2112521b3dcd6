//! The scale of the score, the limits of verdicts, and the exit codes that follow from them.
use crate::common;
use crate::common::Place;
use insta::assert_snapshot;
use serde_json::{Value, json};

const DOCUMENT: &str = "The bridge was closed. It cost 30 pounds. Rain fell on day 1.";
const SUMMARY: &str = "The bridge was closed. Rain fell.";

/// A place with a document, a summary, and for each verdict a rules file that gives it to every claim.
fn place() -> Place {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    place.write("rows.jsonl", format!("{}\n", json!({"document": DOCUMENT, "summary": SUMMARY})));
    for (verdict, supported, contradicted) in
        [("supported", 0.0, 1.0), ("unsupported", 1.0, 1.0), ("contradicted", 1.0, 0.0)]
    {
        place.write(&format!("{verdict}.toml"), rules(supported, contradicted));
    }
    place
}

fn score(place: &Place, more: &[&str]) -> common::Output {
    place.run_tiny(&[&["score", "document.txt", "summary.txt"], more].concat())
}

/// A rules file with these limits.
fn rules(supported: f64, contradicted: f64) -> String {
    format!("version = 1\nsupported = {supported:?}\ncontradicted = {contradicted:?}\nshared_words = 1\n")
}

/// The snapshot of score.rs has the default limits.
#[test]
fn the_applied_limits_are_in_the_result() {
    let place = place();
    let mut told = String::new();
    for more in [
        "--set quantity_nowhere=off --set contrast=off --abstain 0.2",
        "--profile paper",
        "--rules unsupported.toml",
    ] {
        let result = score(&place, &more.split(' ').chain(["--format", "json"]).collect::<Vec<_>>()).json();
        told += &format!("{more}\n    {}\n    {}\n", result["limits"], result["profile"]["verdicts"]);
    }
    assert_snapshot!("limits", told);
    let run = |output| {
        let fixed = ["run", "rows.jsonl", "--rules", "unsupported.toml", "-o", output, "--columns", "all"];
        place.run_tiny(&fixed).ok()
    };
    run("scores.jsonl");
    let row = serde_json::from_str::<Value>(place.read("scores.jsonl").trim_end()).unwrap();
    let one = score(&place, &["--format", "json", "--rules", "unsupported.toml"]).json();
    assert_eq!((&row["limits"], &row["score"]), (&one["limits"], &one["score"]));
    run("scores.tsv");
    let table = place.read("scores.tsv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let cell = |name: &str| lines[1][lines[0].iter().position(|other| *other == name).unwrap()];
    let cells = ["verdict", "limits.scale", "limits.supported"].map(cell);
    assert_eq!(cells, ["unsupported", "probability", "1.0"]);
}

#[test]
fn fail_on_exits_with_1_for_the_verdicts_that_it_names() {
    let place = place();
    for (verdict, on_contradicted, on_unsupported) in
        [("supported", 0, 0), ("unsupported", 0, 1), ("contradicted", 1, 1)]
    {
        for (on, code) in [("contradicted", on_contradicted), ("unsupported", on_unsupported)] {
            let file = format!("{verdict}.toml");
            place.write("broken.jsonl", place.read("rows.jsonl") + "{}\n");
            let one = score(&place, &["--rules", &file, "--fail-on", on]);
            assert!(one.stdout.contains(verdict), "{}", one.stdout);
            assert_eq!(one.code, code, "score, {verdict}, --fail-on {on}: {}", one.stderr);
            // First judged, then read from the journal, which the row that fails keeps.
            for resume in [None, Some("--resume")] {
                let output = format!("{verdict}-{on}.jsonl");
                let fixed = ["run", "broken.jsonl", "--rules", &file, "--fail-on", on, "-o", &output];
                let fixed = [&fixed[..], &["--on-error", "skip"]].concat();
                let rows = place.run_tiny(&fixed.into_iter().chain(resume).collect::<Vec<_>>());
                assert_eq!(rows.code, code, "run, {verdict}, --fail-on {on}: {}", rows.stderr);
            }
        }
    }
}

#[test]
fn fail_under_is_on_the_scale_of_the_score() {
    let place = place();
    assert_eq!(score(&place, &["--profile", "paper", "--fail-under", "-1"]).code, 0);
    let error = score(&place, &["--rules", "supported.toml", "--fail-under", "-0.5"]).error();
    assert_snapshot!(error, @"veridic: --fail-under -0.5: scores are probabilities, between 0 and 1");
    let help = place.run(["score", "--help"]).ok();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("a probability from 0 to 1, or from -1 to 1 under the papers' profiles"), "{help}");
}
