//! `bench jsonl`: its figures on a small labelled file, recomputed here from the scores of `run`, and the files that it
//! rejects.
use crate::common::{Output, Place, list, number, tiny};
use serde_json::Value;

/// Twelve rows over six documents, two each; the labels do not follow any score.
fn rows() -> Vec<String> {
    let summaries =
        ["The cat sat.", "No boat left early in the rain.", "He said that it is not open.", "The mayor."];
    (0..12)
        .map(|row| {
            let document =
                format!("The {} sat. The old bridge was closed.", ["cat", "dog", "mayor"][row / 2 % 3]);
            let document = if row < 6 { document } else { format!("{document} Rain fell on the river.") };
            let label = [1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0][row];
            let summary = summaries[row * 7 % 4];
            serde_json::json!({"id": row, "document": document, "summary": summary, "label": label})
                .to_string()
        })
        .collect()
}

fn bench(place: &Place, rows: &[String], more: &[&str]) -> Output {
    place.write("data.jsonl", rows.join("\n"));
    let tiny = tiny();
    place.run(["jsonl", "--data", "data.jsonl", "--model", &tiny].iter().chain(more))
}

/// Returns (score, label) of each row, by `run`.
fn scored(place: &Place, rows: &[String]) -> Vec<(f64, bool)> {
    place.write("data.jsonl", rows.join("\n"));
    place.run(["run", "data.jsonl", "-o", "scores.jsonl", "--model", &tiny()]).ok();
    let output = place.read("scores.jsonl");
    let values = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    values.map(|row| (number(&row["score"]), row["input"]["label"] == 1)).collect()
}

/// The share of (consistent, inconsistent) pairs in the right order; a tie counts half.
fn roc_auc(scored: &[(f64, bool)]) -> f64 {
    let of = |label: bool| scored.iter().filter(move |row| row.1 == label).map(|row| row.0);
    let (positives, negatives) = (of(true).count(), of(false).count());
    let wins: f64 = of(true)
        .flat_map(|high| of(false).map(move |low| (high, low)))
        .map(|(high, low)| if high > low { 1.0 } else { f64::from(high == low) / 2.0 })
        .sum();
    wins / (positives * negatives) as f64
}

/// Sum over distinct scores, highest first, of (recall gained) x (precision there), as in scikit-learn.
fn average_precision(scored: &[(f64, bool)]) -> f64 {
    let mut thresholds: Vec<f64> = scored.iter().map(|row| row.0).collect();
    thresholds.sort_by(|a, b| b.total_cmp(a));
    thresholds.dedup();
    let positives = scored.iter().filter(|row| row.1).count() as f64;
    let mut before = 0.0;
    thresholds
        .iter()
        .map(|threshold| {
            let chosen: Vec<bool> =
                scored.iter().filter(|row| row.0 >= *threshold).map(|row| row.1).collect();
            let right = chosen.iter().filter(|label| **label).count() as f64;
            let gained = (right - before) / positives;
            before = right;
            gained * right / chosen.len() as f64
        })
        .sum()
}

/// Regression: one blank summary ended the whole benchmark.
#[test]
fn texts_without_words_are_left_out_and_reported() {
    let place = Place::new();
    let expected = bench(&place, &rows(), &["--format", "json"]).json();
    let mut rows = rows();
    let blank =
        |text: &str| serde_json::json!({"document": "A dog.", "summary": text, "label": 1}).to_string();
    rows.insert(3, blank(" "));
    rows.insert(7, blank("\u{0}\u{200b}..."));
    let output = bench(&place, &rows, &["--format", "json"]);
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
fn auc_and_average_precision_match_the_scores() {
    let place = Place::new();
    let rows = rows();
    let scored = scored(&place, &rows);
    let result = bench(&place, &rows, &["--format", "json"]).json();
    assert_eq!(
        (&result["rows"], &result["consistent"], &result["documents"]),
        (&12.into(), &6.into(), &6.into())
    );
    assert!((number(&result["roc_auc"]) - roc_auc(&scored)).abs() < 1e-9, "{result}");
    assert!((number(&result["average_precision"]) - average_precision(&scored)).abs() < 1e-9, "{result}");
}

#[test]
fn balanced_accuracy_is_the_mean_of_five_seeded_splits() {
    let place = Place::new();
    let result = bench(&place, &rows(), &["--format", "json"]).json();
    let splits: Vec<f64> = list(&result["splits"]).iter().map(number).collect();
    assert_eq!(splits.len(), 5);
    assert!(splits.iter().all(|split| (0.0..=1.0).contains(split)), "{splits:?}");
    let mean = splits.iter().sum::<f64>() / 5.0;
    assert!((number(&result["balanced_accuracy"]) - mean).abs() < 1e-9, "{result}");
    assert_eq!(bench(&place, &rows(), &["--format", "json"]).json(), result, "the seeds are fixed");
}

#[test]
fn figures_do_not_depend_on_the_order_of_the_rows() {
    let place = Place::new();
    let mut reversed = rows();
    let plain = bench(&place, &reversed, &["--format", "json"]).json();
    reversed.reverse();
    let result = bench(&place, &reversed, &["--format", "json"]).json();
    for figure in ["roc_auc", "average_precision"] {
        assert_eq!(result[figure], plain[figure], "{figure}");
    }
}

#[test]
fn text_shows_figures_in_percent() {
    let place = Place::new();
    let text = bench(&place, &rows(), &[]).ok();
    let result = bench(&place, &rows(), &["--format", "json"]).json();
    for figure in ["roc_auc", "average_precision", "balanced_accuracy"] {
        assert!(text.contains(&format!(" {:.1}", 100.0 * number(&result[figure]))), "{figure} in {text}");
    }
    assert!(text.contains("12") && text.contains("ROC AUC") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn perfect_separation_gives_one() {
    let place = Place::new();
    let scored = scored(&place, &rows());
    let mut scores: Vec<f64> = scored.iter().map(|row| row.0).collect();
    scores.sort_by(f64::total_cmp);
    let middle = scores[6];
    let relabelled: Vec<String> = rows()
        .iter()
        .zip(&scored)
        .map(|(row, (score, _))| {
            let mut row: Value = serde_json::from_str(row).unwrap();
            row["label"] = u8::from(*score >= middle).into();
            row.to_string()
        })
        .collect();
    let result = bench(&place, &relabelled, &["--format", "json"]).json();
    assert_eq!(number(&result["roc_auc"]), 1.0);
    assert_eq!(number(&result["average_precision"]), 1.0);
}

#[test]
fn bad_labels_name_file_and_line() {
    let place = Place::new();
    for label in ["2", "-1", "0.5", "null", "\"yes\"", "[1]"] {
        let mut rows = rows();
        rows[3] = rows[3].replace("\"label\":1", &format!("\"label\":{label}"));
        let error = bench(&place, &rows, &[]).error();
        assert!(
            error.contains("data.jsonl") && error.contains('4') && error.contains("label"),
            "{label}: {error}"
        );
    }
    let mut rows = rows();
    rows[3] = rows[3].replace("\"label\":1", "\"lable\":1");
    let error = bench(&place, &rows, &[]).error();
    assert!(error.contains("data.jsonl") && error.contains('4') && error.contains("label"), "{error}");
}

#[test]
fn rows_of_one_class_are_an_error() {
    let place = Place::new();
    for (from, to) in [("\"label\":0", "\"label\":1"), ("\"label\":1", "\"label\":0")] {
        let rows: Vec<String> = rows().iter().map(|row| row.replace(from, to)).collect();
        let error = bench(&place, &rows, &[]).error();
        assert!(error.contains("data.jsonl") && error.contains("label"), "{error}");
    }
}

#[test]
fn single_document_cannot_be_split() {
    let place = Place::new();
    let rows: Vec<String> = ["The cat sat.", "No dog.", "It is late."]
        .iter()
        .enumerate()
        .map(|(label, summary)| {
            let label = label % 2;
            serde_json::json!({"document": "The cat sat.", "summary": summary, "label": label}).to_string()
        })
        .collect();
    assert!(bench(&place, &rows, &[]).error().contains("document"));
}
