//! The scale of the score, the limits of verdicts, and the exit codes that follow from them.
use crate::common;
use crate::common::{Place, list, number};
use insta::assert_snapshot;
use serde_json::{Value, json};

const DOCUMENT: &str = "The bridge was closed. It cost 30 pounds. Rain fell on day 1.";
const SUMMARY: &str = "The bridge was closed. Rain fell.";

/// A place with a document, a summary, and for each verdict a rules file that gives it to every claim.
fn place() -> Place {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    place.write("rows.jsonl", json!({"document": DOCUMENT, "summary": SUMMARY}).to_string());
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

#[test]
fn the_applied_limits_are_in_the_result() {
    let place = place();
    let plain = score(&place, &["--format", "json"]).json();
    assert_eq!(
        plain["limits"],
        json!({
            "scale": "probability", "supported": 0.5, "contradicted": 0.7, "shared_words": 3,
            "quantity_nowhere": 0.15, "date_nowhere": 0.15, "instead": 0.04,
        })
    );
    let off = ["--set", "quantity_nowhere=off", "--set", "contrast=off", "--abstain", "0.2"];
    let off = score(&place, &[&["--format", "json"], &off[..]].concat()).json();
    assert_eq!(
        off["limits"],
        json!({
            "scale": "probability", "supported": 0.5, "contradicted": 0.7, "shared_words": 3,
            "date_nowhere": 0.15, "unsure_within": 0.2,
        })
    );
    let paper = score(&place, &["--format", "json", "--profile", "paper"]).json();
    assert_eq!(
        paper["limits"],
        json!({"scale": "score", "supported": 0.5, "contradicted": 0.7, "shared_words": 3})
    );
    let limited = score(&place, &["--format", "json", "--rules", "unsupported.toml"]).json();
    let limits = json!({"supported": 1.0, "contradicted": 1.0, "shared_words": 1});
    assert_eq!(limited["profile"]["verdicts"], limits);
    assert_eq!(limited["limits"]["scale"], "probability");
    for name in ["supported", "contradicted", "shared_words"] {
        assert_eq!(limited["limits"][name], limits[name], "{name}");
    }
    assert!((0.0..=1.0).contains(&number(&limited["score"])) && limited.get("probability").is_none());
    let run = |output| place.run_tiny(&["run", "rows.jsonl", "--rules", "unsupported.toml", "-o", output]);
    run("scores.jsonl").ok();
    let row = serde_json::from_str::<Value>(place.read("scores.jsonl").trim_end()).unwrap();
    assert_eq!((&row["limits"], &row["score"]), (&limited["limits"], &limited["score"]));
    run("scores.tsv").ok();
    let table = place.read("scores.tsv");
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let cells: Vec<&str> = lines.next().unwrap().split('\t').collect();
    assert_eq!(cells[column("verdict")], "unsupported");
    assert_eq!((cells[column("limits.scale")], cells[column("limits.supported")]), ("probability", "1.0"));
    assert!(!names.contains(&"probability"));
}

#[test]
fn fail_on_exits_with_1_for_the_verdicts_that_it_names() {
    let place = place();
    for (verdict, on_contradicted, on_unsupported) in
        [("supported", 0, 0), ("unsupported", 0, 1), ("contradicted", 1, 1)]
    {
        for (on, code) in [("contradicted", on_contradicted), ("unsupported", on_unsupported)] {
            let file = format!("{verdict}.toml");
            let one = score(&place, &["--rules", &file, "--fail-on", on]);
            assert!(one.stdout.contains(verdict), "{}", one.stdout);
            assert_eq!(one.code, code, "score, {verdict}, --fail-on {on}: {}", one.stderr);
            // First judged, then read from the journal.
            for resume in [None, Some("--resume")] {
                let output = format!("{verdict}-{on}.jsonl");
                let fixed = ["run", "rows.jsonl", "--rules", &file, "--fail-on", on, "-o", &output];
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

#[test]
fn a_higher_score_never_has_a_worse_verdict() {
    let place = Place::new();
    let halves = [
        "The bridge was closed.",
        "It cost 30 pounds.",
        "Rain fell on day 1.",
        "The dog was old.",
        "Nobody came.",
    ];
    let mut rows = Vec::new();
    for first in halves {
        for second in halves {
            rows.push(json!({"document": DOCUMENT, "summary": format!("{first} {second}")}).to_string());
        }
    }
    place.write("rows.jsonl", rows.join("\n"));
    place.run_tiny(&["run", "rows.jsonl", "-o", "plain.jsonl"]).ok();
    let weakest = |row: &Value| -> f64 {
        list(&row["claims"]).iter().map(|claim| number(&claim["score"])).fold(2.0, f64::min)
    };
    let lines = |name: &str| -> Vec<Value> {
        place.read(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // A limit between the rows' scores.
    let mut scores: Vec<f64> = lines("plain.jsonl").iter().map(|row| number(&row["score"])).collect();
    scores.sort_by(f64::total_cmp);
    place.write("middle.toml", rules(scores[scores.len() / 2], 1.0));
    place.run_tiny(&["run", "rows.jsonl", "-o", "middle.jsonl", "--rules", "middle.toml"]).ok();
    let rows = lines("middle.jsonl");
    for row in &rows {
        assert_eq!(number(&row["score"]), weakest(row), "{row}");
        assert_eq!(
            row["verdict"] == "supported",
            number(&row["score"]) >= number(&row["limits"]["supported"])
        );
    }
    let supported = rows.iter().filter(|row| row["verdict"] == "supported").count();
    assert!(0 < supported && supported < rows.len(), "{supported} of {}", rows.len());
}
