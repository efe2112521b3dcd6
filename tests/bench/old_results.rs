//! Results of versions with calibrations can still be read.
use crate::common::old::{ROWS, lines, old_row, place};
use crate::common::{list, number};
use crate::files::tiny;
use serde_json::{Value, json};

#[test]
fn old_results_are_compared_with_new_ones() {
    let place = place();
    let more = ["--model", tiny(), "--set", "screen=off", "-q"];
    place.run(["run", "rows.jsonl", "-o", "new.jsonl"].iter().chain(&more)).ok();
    let fixed = ["compare", "old.jsonl", "new.jsonl", "--label", "label", "--format", "json"];
    let result = place.run(fixed).json();
    let area = list(&result["measures"]).iter().find(|measure| measure["measure"] == "roc_auc");
    let area = area.unwrap_or_else(|| panic!("{result}"));
    assert!(area.to_string().contains('1'), "{area}");
    assert_eq!(place.run(["compare", "old.jsonl", "old.jsonl", "--label", "label"]).code, 0);
}

/// A limit can be fitted to old scores as well as to new ones.
#[test]
fn a_limit_is_fitted_to_old_results() {
    let place = place();
    let fixed = ["calibrate", "old.jsonl", "--label", "label", "--format", "json", "--document", "id"];
    let rows: Vec<Value> = (0..ROWS)
        .map(|number| {
            let mut row = old_row(number);
            row["input"]["id"] = json!(number);
            row
        })
        .collect();
    place.write("old.jsonl", lines(&rows));
    let report = place.run(fixed.iter().chain(&["-o", "c.toml"])).json();
    assert_eq!((&report["rows"], &report["documents"]), (&json!(ROWS), &json!(ROWS)));
    let limit = number(&report["supported"]["value"]);
    assert!((0.35..0.61).contains(&limit), "{report}");
    assert!(place.read("c.toml").contains("id = \"base\""));
}
