//! `score` with answers, and a run that is resumed after new answers.
use serde_json::Value;

use super::{answer, finesure, requests, shop};
use crate::common::{Place, tiny};

#[test]
fn one_summary_is_scored_by_answers() {
    let place = Place::new();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    answer(&place, &asked, "a.jsonl", finesure);
    let row = shop();
    place.write("d.txt", row["document"].as_str().unwrap());
    place.write("s.txt", row["summary"].as_str().unwrap());
    let output = place.run([
        "score",
        "d.txt",
        "s.txt",
        "--set",
        "metric=finesure:faithfulness",
        "--set",
        "answers=a.jsonl",
        "--format",
        "json",
        "--model",
        &tiny(),
    ]);
    let result: Value = serde_json::from_str(&output.ok()).unwrap();
    assert_eq!(result["faithfulness"], 0.5);
}

#[test]
fn a_run_is_updated_when_answers_come_later() {
    let place = Place::new();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    answer(&place, &asked[..1], "a.jsonl", finesure);
    let tiny = tiny();
    let run = |more: &[&str]| {
        let fixed = [
            "run",
            "rows.jsonl",
            "-o",
            "out.jsonl",
            "--set",
            "metric=finesure:faithfulness",
            "--set",
            "answers=a.jsonl",
            "--model",
            &tiny,
        ];
        place.run([&fixed[..], more].concat())
    };
    assert_eq!(run(&[]).code, 2);
    answer(&place, &asked[1..], "a.jsonl", finesure);
    assert_eq!(run(&["--resume"]).code, 0);
    let results = super::lines(&place.read("out.jsonl"));
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0]);
}
