//! `bench aggrefact`, `llm-aggrefact`, `qags`, `summedits` and `jsonl` on small files in their authors' formats: what is left
//! out, splits, scores of `run`, and the published rows. `parity` has the figures.
use crate::common::runs::json_lines;
use crate::common::{Place, list, number};
use crate::files::{self, Named, Row, aggrefact_rows, tiny};
use serde_json::{Value, json};

/// Labelled rows for `bench jsonl`.
fn jsonl(rows: &[Value]) -> Named {
    Named { files: vec![("data.jsonl", json_lines(rows))], ..files::labelled() }
}

/// Regression: one blank summary ended the whole benchmark.
#[test]
fn texts_without_words_are_left_out_and_reported() {
    let place = Place::new();
    let mut rows = files::labelled_rows();
    let expected = jsonl(&rows).bench_tiny(&place, &["--format", "json"]).json();
    let blank = |text: &str| json!({"document": "A dog.", "summary": text, "label": 1});
    rows.insert(3, blank(" "));
    rows.insert(7, blank("\u{0}\u{200b}..."));
    let output = jsonl(&rows).bench_tiny(&place, &["--format", "json"]);
    assert_eq!(output.code, 2);
    for words in ["data.jsonl: line 4: the summary is empty", "data.jsonl: line 8: the summary has no word"] {
        assert!(output.stderr.contains(words), "{}", output.stderr);
    }
    let mut result: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(result["data"]["rows_left_out"]["texts that cannot be judged"], 2);
    result["data"] = expected["data"].clone();
    assert_eq!(result, expected, "the figures are those of the other rows");
}

#[test]
fn text_shows_the_figures_of_json_in_percent_in_any_order_of_rows() {
    let (place, mut rows) = (Place::new(), files::labelled_rows());
    let result = jsonl(&rows).bench_tiny(&place, &["--format", "json"]).json();
    let text = jsonl(&rows).bench_tiny(&place, &[]).ok();
    for figure in ["roc_auc", "average_precision", "balanced_accuracy"] {
        assert!(text.contains(&format!(" {:.1}", 100.0 * number(&result[figure]))), "{figure} in {text}");
    }
    assert!(text.contains("40") && text.contains("ROC AUC") && !text.contains('\u{1b}'), "{text}");
    rows.reverse();
    let reversed = jsonl(&rows).bench_tiny(&place, &["--format", "json"]).json();
    for figure in ["roc_auc", "average_precision"] {
        assert_eq!(reversed[figure], result[figure], "{figure}");
    }
}

/// `parity` counts them, and has the figures without them.
#[test]
fn left_out_models_are_reported() {
    let mut rows = aggrefact_rows();
    let first = rows[0].clone();
    rows.extend(["LEAD3", "GOLD", "Sphinx", "bart", "LEAD3"].map(|model| Row { model, ..first.clone() }));
    let output = files::aggrefact(&rows).bench_tiny(&Place::new(), &[]);
    for (name, count) in [("LEAD3", "2"), ("GOLD", "1"), ("Sphinx", "1"), ("bart", "1")] {
        let reports = |line: &str| line.starts_with("note: ") && line.contains(name) && line.contains(count);
        assert!(output.stderr.lines().any(reports), "{name}: {}", output.stderr);
    }
}

#[test]
fn llm_aggrefact_reads_splits_from_names_or_a_field() {
    let (place, named) = (Place::new(), files::llm_aggrefact());
    let by_name = named.figures(&place, &["--tune", "dev"]);
    let with_split = |rows: usize, split: &str| {
        let mut rows = files::llm_aggrefact_rows(rows);
        rows.iter_mut().for_each(|row| row["split"] = json!(split));
        json_lines(&rows)
    };
    let given = named.figures(&place, &["--decide-at", "0.25"]);
    assert!(list(&given["datasets"]).iter().all(|dataset| dataset["threshold"] == 0.25));
    let rows = with_split(8, "dev") + &with_split(12, "test");
    let by_field = Named { files: vec![("rows.jsonl", rows)], ..named }.figures(&place, &["--tune", "dev"]);
    assert_eq!((&by_field["datasets"], &by_field["mean"]), (&by_name["datasets"], &by_name["mean"]));
}

#[test]
fn scores_of_run_give_the_same_figures_in_any_order() {
    for named in [files::summedits(), files::labelled()] {
        let place = Place::new();
        let direct = named.bench_tiny(&place, &["--format", "json"]).json();
        let files: Vec<&str> = named.files.iter().map(|(name, _)| *name).collect();
        place.run([&["run", "-o", "run.jsonl", "--model", tiny()], &files[..]].concat()).ok();
        let mut lines: Vec<String> = place.read("run.jsonl").lines().map(str::to_owned).collect();
        lines.reverse();
        place.write("run.jsonl", lines.join("\n"));
        let result = named.bench(&place, &["--scores", "run.jsonl", "--format", "json"]).json();
        assert_eq!(result["scores"]["matched_by"], "id");
        for figure in ["mean", "edit_types", "roc_auc", "average_precision", "balanced_accuracy"] {
            assert_eq!(result[figure], direct[figure], "{figure} of {}", named.name);
        }
    }
}
