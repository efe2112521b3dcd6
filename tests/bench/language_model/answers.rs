//! `score` with answers, and a run that is resumed after new answers.
use serde_json::Value;

use super::{answer, finesure, requests, shop, with_rows};
use crate::files::tiny;

#[test]
fn one_summary_is_scored_by_answers() {
    let place = with_rows();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    answer(&place, &asked, "a.jsonl", finesure);
    let row = shop();
    place.write("d.txt", row["document"].as_str().unwrap());
    place.write("s.txt", row["summary"].as_str().unwrap());
    let fixed = ["score", "d.txt", "s.txt", "--format", "json", "--model", tiny()];
    let metric = ["--set", "metric=finesure:faithfulness", "--set", "answers=a.jsonl"];
    let output = place.run(fixed.into_iter().chain(metric));
    let result: Value = serde_json::from_str(&output.ok()).unwrap();
    assert_eq!(result["faithfulness"], 0.5);
}

#[test]
fn a_run_is_updated_when_answers_come_later() {
    let place = with_rows();
    let asked = requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    answer(&place, &asked[..1], "a.jsonl", finesure);
    let run = |more: &[&str]| {
        let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", tiny(), "--set", "answers=a.jsonl"];
        place.run([&fixed[..], &["--set", "metric=finesure:faithfulness"], more].concat())
    };
    assert_eq!(run(&[]).code, 2);
    answer(&place, &asked[1..], "a.jsonl", finesure);
    assert_eq!(run(&["--resume"]).code, 0);
    let results = super::lines(&place.read("out.jsonl"));
    assert_eq!([&results[0]["faithfulness"], &results[1]["faithfulness"]], [0.5, 1.0]);
}
