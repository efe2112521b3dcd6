//! `veridic-bench compare`: two runs of one model under different settings, the formats of their files, what is left out, and
//! errors. `benches/src/paired/tests.rs` has the figures.
use crate::common::runs::json_lines;
use crate::common::{Output, Place, list, number, test_each};
use crate::files::{assert_svg, labelled_rows, tiny};
use serde_json::{Value, json};

const SENTENCES: [&str; 2] = ["--set", "levels=sentence"];
const ALL_LEVELS: [&str; 0] = [];

fn judge(place: &Place, rows: &[Value], output: &str, more: &[&str]) {
    place.write("rows.jsonl", json_lines(rows));
    place.run(["run", "rows.jsonl", "-o", output, "--model", tiny(), "--quiet"].iter().chain(more));
    assert!(place.path(output).exists(), "{output}");
}

/// Returns a place with a.jsonl and b.jsonl of different settings.
fn two_runs(rows: &[Value]) -> Place {
    let place = Place::new();
    judge(&place, rows, "a.jsonl", &SENTENCES);
    judge(&place, rows, "b.jsonl", &ALL_LEVELS);
    place
}

fn compare(place: &Place, a: &str, b: &str, more: &[&str]) -> Output {
    place.run(["compare", "--label", "label", a, b].iter().chain(more))
}

fn compared(place: &Place, a: &str, b: &str, more: &[&str]) -> Value {
    compare(place, a, b, &[&["--format", "json"], more].concat()).json()
}

#[test]
fn text_and_json_agree() {
    let place = two_runs(&labelled_rows());
    let text = compare(&place, "a.jsonl", "b.jsonl", &["--rows", "4"]).ok();
    let result = compared(&place, "a.jsonl", "b.jsonl", &["--rows", "4"]);
    for (one, title) in
        list(&result["measures"]).iter().zip(["ROC AUC", "average precision", "balanced accuracy"])
    {
        let line =
            text.lines().find(|line| line.starts_with(title)).unwrap_or_else(|| panic!("{title} in {text}"));
        let percent = |side: &str| 100.0 * number(&one[side]["value"]);
        let [first, second] = ["first", "second"].map(|side| format!("{:.1} [", percent(side)));
        assert!(line.contains(&first) && line.contains(&second), "{line}: {one}");
        let p = format!("{:.3}", number(&one["p_value"]));
        assert!(
            line.contains(&format!("{:+.1} [", percent("difference"))) && line.ends_with(&p),
            "{line}: {one}"
        );
    }
    for row in list(&result["most_different"]) {
        assert!(text.contains(&format!("\n{} ", row["id"].as_str().unwrap())), "{row} in {text}");
    }
    assert!(text.contains("40 rows") && text.contains("McNemar") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(compared(&place, "a.jsonl", "b.jsonl", &["--rows", "0"])["most_different"], json!([]));
    assert!(compare(&place, "b.jsonl", "b.jsonl", &[]).ok().contains("+0.0 [+0.0, +0.0]"));
}

#[test]
fn seed_changes_intervals_only() {
    let place = two_runs(&labelled_rows());
    let plain = compared(&place, "a.jsonl", "b.jsonl", &[]);
    assert_eq!(compared(&place, "a.jsonl", "b.jsonl", &["--seed", "0"]), plain);
    let seeded = compared(&place, "a.jsonl", "b.jsonl", &["--seed", "1"]);
    let [one, other] = [&seeded, &plain].map(|result| &result["measures"][0]["difference"]);
    assert!(one["value"] == other["value"] && one["low"] != other["low"], "{one} and {other}");
}

#[test]
fn a_table_of_a_run_is_read() {
    let place = two_runs(&labelled_rows());
    judge(&place, &labelled_rows(), "b.parquet", &ALL_LEVELS);
    let [plain, table] = ["b.jsonl", "b.parquet"].map(|b| compared(&place, "a.jsonl", b, &[]));
    assert_eq!(table["measures"], plain["measures"]);
}

/// One row without a label ended the comparison.
#[test]
fn rows_without_a_score_or_a_label_are_left_out_and_counted() {
    let mut rows = labelled_rows();
    let plain = compared(&two_runs(&rows), "a.jsonl", "b.jsonl", &[]);
    rows.push(json!({"id": "bad", "document": "", "summary": "The cat sat.", "label": 1}));
    rows.push(json!({"id": "open", "document": "The cat sat.", "summary": "The cat sat.", "label": null}));
    let place = two_runs(&rows);
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--format", "json"]);
    assert_eq!(output.stderr, "note: 1 of 42 rows has no label and is left out\n");
    let result = output.json();
    assert_eq!(result["measures"], plain["measures"]);
    let counts = ["rows", "not_judged_by_first", "not_judged_by_second", "without_label"];
    assert_eq!(counts.map(|name| &result[name]), [&json!(40), &json!(1), &json!(1), &json!(1)]);
    let text = compare(&place, "a.jsonl", "b.jsonl", &[]).ok();
    assert!(text.contains("40 rows") && text.contains("left out: 1"), "{text}");
}

#[test]
fn plot_shows_both_curves() {
    let place = two_runs(&labelled_rows());
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--plots", "pictures", "--format", "json"]);
    assert!(output.stderr.contains("roc.svg"), "{}", output.stderr);
    output.json();
    let text = place.read("pictures/roc.svg");
    assert_svg(&text);
    assert!(text.contains("a.jsonl") && text.contains("b.jsonl"), "the legend names the files");
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--plots", "b.jsonl"]);
    assert_eq!(output.clear_error(&["b.jsonl"]).err(), None);
}

#[test]
fn unusable_files_and_arguments_are_errors() {
    let place = two_runs(&labelled_rows());
    place.write("other.jsonl", place.read("b.jsonl").replace("\"id\":\"r2\"", "\"id\":\"z\""));
    place.write("empty.jsonl", "");
    test_each(
        [
            ("other.jsonl --label label", "a.jsonl: line 3|r2"),
            ("empty.jsonl --label label", "empty.jsonl|no rows"),
            ("gone.jsonl --label label", "gone.jsonl"),
            ("b.jsonl --label mark", "a.jsonl|none of its 40 rows|`mark`|--label"),
            ("b.jsonl --label label --decide-at nan", "finite"),
        ],
        |(arguments, parts)| {
            let output = place.run(["compare", "a.jsonl"].into_iter().chain(arguments.split(' ')));
            output.clear_error(&parts.split('|').collect::<Vec<_>>()).unwrap();
        },
    );
}

#[test]
fn file_of_unknown_format_is_an_error_without_input_format_advice() {
    let place = two_runs(&labelled_rows());
    place.write("b.dat", place.read("b.jsonl"));
    let error = compare(&place, "a.jsonl", "b.dat", &[]).error();
    assert!(error.contains("b.dat") && error.contains("format"), "{error}");
    assert!(!error.contains("input_format"), "compare has no such option: {error}");
}

#[test]
fn shards_and_rows_of_claims_are_errors() {
    let place = two_runs(&labelled_rows());
    judge(&place, &labelled_rows(), "shard.jsonl", &["--shard", "1/2"]);
    judge(&place, &labelled_rows(), "claims.jsonl", &["--explode", "claims"]);
    for (name, part) in [("shard.jsonl", "veridic merge"), ("claims.jsonl", "claim")] {
        assert_eq!(compare(&place, "b.jsonl", name, &[]).clear_error(&[name, part]).err(), None);
    }
}
