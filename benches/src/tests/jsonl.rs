use super::*;
use crate::benchmarks::jsonl::{self, Labelled};
use crate::protocol::figures;
use veridic::corpus::read::RowNames;

fn plain() -> Labelled {
    Labelled::default()
}

fn split_and_grouped() -> Labelled {
    Labelled {
        names: RowNames::new(Some("text".into()), None).unwrap(),
        label: "good".into(),
        split: Some("part".into()),
        group: Some("set".into()),
    }
}

/// Twenty documents with two rows each, consistent and not.
fn forty() -> Reading<jsonl::Label> {
    let row = |number: usize| {
        let label = u8::from(number.is_multiple_of(2));
        format!("{{\"document\":\"d{}\",\"summary\":\"s\",\"label\":{label}}}\n", number / 2)
    };
    read_file(&plain(), "rows.jsonl", (0..40).map(row).collect::<String>()).unwrap()
}

#[test]
fn perfect_scores_give_perfect_figures() {
    let reading = forty();
    let scores: Vec<f64> = reading.cases.iter().map(|case| f64::from(u8::from(case.is_consistent))).collect();
    let figures = plain().figures(&reading.cases, &scores).unwrap();
    let of = ["documents", "roc_auc", "balanced_accuracy"].map(|name| value(&figures[name]));
    assert_eq!(of, [20.0, 1.0, 1.0]);
    let interval = Figures::from([1.0, 1.0]);
    assert_eq!((figures["splits"].list().len(), &figures["intervals"]["roc_auc"]), (5, &interval));
    assert!(figures["groups"].list().is_empty() && figures["threshold"] == Figures::None);
    let lines = plain().show("this run", &figures).lines;
    assert!(lines[3].starts_with("ROC AUC            100.0 [100.0, 100.0]"), "{lines:#?}");
    assert!(lines[5].contains("5 of 5 splits: 100.0, 100.0"), "{lines:#?}");
}

#[test]
fn tables_are_read_with_given_field_names() {
    let file = "text\tsummary\tgood\tpart\tset
A\tx\t1\tdev\tb\nA\ty\t0\tdev\tb\nB\tx\t1\ttest\tb\nB\ty\t0\ttest\tb\nC\tx\t1\ttest\ta\n";
    let benchmark = split_and_grouped();
    let reading = read_file(&benchmark, "rows.tsv", file).unwrap();
    let figures = benchmark.figures(&reading.cases, &[0.8, 0.2, 0.6, 0.1, 0.3]).unwrap();
    let of = ["rows", "val_rows", "threshold", "roc_auc", "balanced_accuracy"];
    assert_eq!(of.map(|name| value(&figures[name])), [3.0, 2.0, 0.5, 1.0, 0.75]);
    let group =
        |group: &Figures| (group["group"].cell(), value(&group["rows"]), group["balanced_accuracy"].value());
    let groups: Vec<_> = figures["groups"].list().iter().map(group).collect();
    assert_eq!(groups, [("a".to_owned(), 1.0, None), ("b".to_owned(), 2.0, Some(1.0))]);
    let means = figures! { "roc_auc": None::<f64>, "balanced_accuracy": None::<f64> };
    assert_eq!(figures["group_means"], means);
    let lines = benchmark.show("this run", &figures).lines;
    assert_line(&lines, "a 1 1 - - -");
    assert!(lines[5].contains("threshold 0.5000 from 2 val rows"), "{lines:#?}");
}

#[test]
fn unmeasurable_rows_are_errors() {
    let one_label = "{\"document\":\"d\",\"summary\":\"s\",\"label\":1}\n".repeat(4);
    let reading = read_file(&plain(), "rows.jsonl", one_label).unwrap();
    let error = plain().check(&reading.cases).unwrap_err().to_string();
    assert_eq!(error, "rows of both labels are needed, 1 and 0");
    let one_document = "{\"document\":\"d\",\"summary\":\"s\",\"label\":1}\n{\"document\":\"d\",\"summary\":\"s\",\"label\":0}\n";
    let reading = read_file(&plain(), "rows.jsonl", one_document).unwrap();
    assert!(plain().check(&reading.cases).unwrap_err().to_string().contains("more documents"));
    let benchmark = split_and_grouped();
    for (rows, words) in [
        ("A\tx\t1\ttest\tb\nA\ty\t0\ttest\tb\n", "no val rows"),
        ("A\tx\t1\tdev\tb\nA\ty\t0\tdev\tb\n", "test: rows of both labels"),
        ("A\tx\t1\tdev\tb\nA\ty\t0\ttest\tb\nA\ty\t1\ttest\tb\n", "val: rows of both labels"),
    ] {
        let reading =
            read_file(&benchmark, "rows.tsv", format!("text\tsummary\tgood\tpart\tset\n{rows}")).unwrap();
        let error = benchmark.check(&reading.cases).unwrap_err().to_string();
        assert_says(error, words);
    }
}

#[test]
fn bad_rows_are_errors() {
    let good = r#"{"document":"d","summary":"s","label":1}"#;
    for (bad, words) in [
        (r#"{"document":"d","summary":"s","label":2}"#, "`label`"),
        (r#"{"document":"d","summary":"s"}"#, "no field `label`|document, summary"),
        (r#"{"document":"d","label":1}"#, "summary"),
        (r#"{"document":"d","summary":"s","label":1"#, "JSON"),
    ] {
        assert_refused(&plain(), "rows.jsonl", &format!("{good}\n{bad}\n"), 2, words);
    }
    let row = r#"{"text":"d","summary":"s","good":1,"part":"train","set":"a"}"#;
    assert_refused(&split_and_grouped(), "rows.jsonl", row, 1, "`part`|val or dev");
    let row = r#"{"text":"d","summary":"s","good":1,"part":"dev","set":[1]}"#;
    assert_refused(&split_and_grouped(), "rows.jsonl", row, 1, "`set`|a list");
}
