//! The expected figures were computed with scikit-learn 1.9 and SciPy 1.17.

use std::sync::Arc;

use proptest::prelude::*;

use super::comparison::PairedComparison;
use super::*;
use crate::labelled_scores::{LabelledRow, LabelledScores, Outcome};
use crate::protocol::{Estimate, Figures};
use veridic::corpus::read::{Origin, Place};

fn origin(file: &str, number: usize) -> Origin {
    Origin { file: Arc::from(file), place: Place::Line(number + 1) }
}

/// Rows with the ids `r0`, `r1`, ...
fn file(name: &str, rows: impl IntoIterator<Item = (f64, bool)>) -> LabelledScores {
    let row = |(number, (score, label)): (usize, (f64, bool))| {
        let (origin, id) = (origin(name, number), Some(format!("r{number}")));
        LabelledRow { origin, id, outcome: Outcome::Judged { score, label } }
    };
    LabelledScores(rows.into_iter().enumerate().map(row).collect())
}

fn without_ids(mut scores: LabelledScores) -> LabelledScores {
    scores.0.iter_mut().for_each(|row| row.id = None);
    scores
}

/// Two files of scores with many ties; the second is the better one.
fn files(rows: i32) -> (LabelledScores, LabelledScores) {
    let label = |row: i32| row * 7 % 5 < 2;
    let bonus = |row: i32, points: i32| points * i32::from(label(row));
    let first = (0..rows).map(|row| (f64::from((row * 37 % 101 + bonus(row, 20)) / 4) / 25.0, label(row)));
    let second = (0..rows).map(|row| (f64::from((row * 53 % 97 + bonus(row, 50)) / 4) / 25.0, label(row)));
    (file("a.jsonl", first), file("b.jsonl", second))
}

fn fixed(threshold: f64) -> PairedOptions {
    PairedOptions { threshold: Some(threshold), ..PairedOptions::default() }
}

fn compared(first: &LabelledScores, second: &LabelledScores) -> PairedComparison {
    compare_scores(first, second, &PairedOptions::default()).unwrap()
}

fn value(figure: &Figures) -> f64 {
    figure.value().unwrap()
}

fn refusal(first: &LabelledScores, second: &LabelledScores) -> String {
    compare_scores(first, second, &PairedOptions::default()).unwrap_err().to_string()
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn figures_match_scikit_learn() {
    let (first, second) = files(400);
    let compared = compare_scores(&first, &second, &fixed(0.6)).unwrap();
    let figures = &compared.figures;
    let counts = ["rows", "positives"].map(|name| value(&figures[name]));
    assert_eq!((counts, figures["matched_by"].text()), ([400.0, 160.0], "id"));
    let expected = [
        ("roc_auc", 0.6879036458333333, 0.883046875),
        ("average_precision", 0.6349842551370221, 0.8508136042880223),
        ("balanced_accuracy", 0.6041666666666667, 0.75625),
    ];
    let measures = figures["measures"].list();
    assert_eq!(measures.len(), expected.len());
    for (found, (measure, first, second)) in measures.iter().zip(expected) {
        assert_eq!(found["measure"].text(), measure);
        assert_close(value(&found["first"]), first);
        assert_close(value(&found["second"]), second);
        assert_close(value(&found["difference"]), second - first);
        let of = ["p_value", "undefined_samples"].map(|name| value(&found[name]));
        assert_eq!(of, [2.0 / 1001.0, 0.0]);
    }
    // NumPy's generator draws other samples: 0.139 to 0.256.
    let Figures::Estimate(Estimate { low, high, .. }) = measures[0]["difference"] else {
        panic!("{measures:?}")
    };
    assert!(
        (low.unwrap() - 0.139).abs() < 0.015 && (high.unwrap() - 0.256).abs() < 0.015,
        "{low:?} {high:?}"
    );
}

#[test]
fn mcnemar_matches_scipy() {
    for (rows, only_first, only_second, p_value) in
        [(60, 9, 16, 0.230_139_340_443_413_13), (400, 62, 112, 0.000_203_460_667_943_672_33)]
    {
        let (first, second) = files(rows);
        let decided = compare_scores(&first, &second, &fixed(0.6)).unwrap().figures["decided"].clone();
        let counts = ["only_first_right", "only_second_right", "rows"].map(|name| value(&decided[name]));
        assert_eq!(counts, [only_first, only_second, rows].map(f64::from));
        assert_eq!(decided["test"].text(), "chi_square");
        assert_close(value(&decided["p_value"]), p_value);
    }
    // Of 7 discordant rows 2 against 5: binomtest(2, 7) has p = 0.453125.
    let labels = [true, true, true, true, true, false, false, true, false];
    let first = [0.1, 0.2, 0.3, 0.1, 0.2, 0.4, 0.4, 0.9, 0.1];
    let second = [0.9, 0.9, 0.9, 0.9, 0.9, 0.6, 0.7, 0.9, 0.2];
    let of = |name, scores: [f64; 9]| file(name, scores.into_iter().zip(labels));
    let compared = compare_scores(&of("a", first), &of("b", second), &fixed(0.5)).unwrap();
    let decided = &compared.figures["decided"];
    let of = ["only_first_right", "only_second_right", "p_value"].map(|name| value(&decided[name]));
    assert_eq!((of, decided["test"].text()), ([2.0, 5.0, 0.453125], "exact"));
}

#[test]
fn most_different_rows_have_the_largest_rank_change() {
    let (first, second) = files(400);
    let figures = compared(&first, &second).figures;
    let found = figures["most_different"].list();
    assert_eq!(found.len(), 10);
    let shown = |row: &Figures| {
        let ranks = ["first_rank", "second_rank"].map(|name| value(&row[name]));
        (row["id"].cell(), row["label"] == Figures::Flag(true), ranks, row["better"].cell())
    };
    let expected = [
        ("r183", true, [71.5, 398.0], "second"),
        ("r355", true, [71.5, 398.0], "second"),
        ("r251", false, [355.5, 35.5], "second"),
    ];
    let expected = expected.map(|(id, label, ranks, better)| (id.into(), label, ranks, better.into()));
    assert_eq!(found[..3].iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(["first_score", "second_score"].map(|name| value(&found[0][name])), [0.24, 1.44]);
    assert_eq!(compared(&second, &first).figures["most_different"][0]["better"].text(), "first");
    let same = compared(&first, &first).figures;
    assert!(same["most_different"].list().is_empty(), "rows without a difference are not listed");
}

#[test]
fn file_against_itself_has_no_difference() {
    let (first, _) = files(60);
    let same = compared(&first, &first).figures;
    for measure in same["measures"].list() {
        let zero = Estimate { value: 0.0, low: Some(0.0), high: Some(0.0) };
        assert_eq!((&measure["difference"], value(&measure["p_value"])), (&zero.into(), 1.0));
        assert_eq!(measure["first"], measure["second"]);
    }
    assert_eq!(value(&same["decided"]["p_value"]), 1.0);
}

#[test]
fn swapped_files_negate_differences() {
    let (first, second) = files(120);
    let (there, back) = (compared(&first, &second).figures, compared(&second, &first).figures);
    for (there, back) in there["measures"].list().iter().zip(back["measures"].list()) {
        assert_eq!((&there["first"], &there["second"]), (&back["second"], &back["first"]));
        assert_eq!(value(&there["difference"]), -value(&back["difference"]));
        assert_eq!(there["p_value"], back["p_value"]);
    }
    assert_eq!(there["decided"]["p_value"], back["decided"]["p_value"]);
}

#[test]
fn ids_match_rows_in_any_order() {
    let (first, second) = files(60);
    let mut reversed = second.clone();
    reversed.0.reverse();
    assert_eq!(compared(&first, &second), compared(&first, &reversed));
    let by_order = compared(&first, &without_ids(second.clone()));
    assert_eq!(by_order.figures["matched_by"].text(), "order");
    assert_eq!(by_order.figures["measures"], compared(&first, &second).figures["measures"]);
}

#[test]
fn rows_without_a_score_or_a_label_are_left_out_of_both_files() {
    let (first, second) = files(60);
    let without = |scores: &LabelledScores, number: usize, outcome: Outcome| {
        let mut scores = scores.clone();
        scores.0[number].outcome = outcome;
        scores
    };
    let (some, others) = (without(&first, 3, Outcome::NotJudged), without(&second, 40, Outcome::NotJudged));
    let found = compared(&some, &others).figures;
    let counts = ["rows", "not_judged_by_first", "not_judged_by_second"].map(|name| value(&found[name]));
    assert_eq!(counts, [58.0, 1.0, 1.0]);
    let unlabelled = compared(&without(&first, 3, Outcome::NoLabel), &without(&second, 40, Outcome::NoLabel));
    assert_eq!((unlabelled.without_label, unlabelled.of_rows), (2, 60));
    let counts = ["rows", "without_label"].map(|name| value(&unlabelled.figures[name]));
    assert_eq!((counts, &unlabelled.figures["measures"]), ([58.0, 2.0], &found["measures"]));
    let by_order = compared(&without_ids(some), &without_ids(others));
    assert_eq!((value(&by_order.figures["rows"]), by_order.figures["matched_by"].text()), (58.0, "order"));
    assert_eq!(by_order.figures["measures"], found["measures"]);
}

#[test]
fn rows_that_do_not_match_are_an_error() {
    let (first, second) = files(20);
    let mut other = second.clone();
    other.0[4].id = Some("r99".into());
    assert_eq!(
        refusal(&first, &other),
        "rows that are in one file only: 2, the first at a.jsonl: line 5 (id r4); give files of the same rows, those that could not be judged included"
    );
    // With a repeated id rows are matched by order, and ids must not contradict it.
    other.0[4].id = Some("r5".into());
    let error = refusal(&first, &other);
    assert!(error.contains("a.jsonl: line 5 has id r4") && error.contains("b.jsonl: line 5"), "{error}");
    let mut other = without_ids(second.clone());
    other.0.pop();
    assert!(refusal(&first, &other).starts_with("20 rows against 19: "));
    let mut other = second.clone();
    let Outcome::Judged { label, .. } = &mut other.0[6].outcome else { panic!("it is judged") };
    *label ^= true;
    let error = refusal(&first, &other);
    assert!(error.contains("a.jsonl: line 7 and b.jsonl: line 7") && error.contains("labels"), "{error}");
}

#[test]
fn one_label_is_an_error() {
    let one = |label| file("a", [(0.1, label), (0.2, label)]);
    assert!(refusal(&one(true), &one(true)).starts_with("all 2 rows have label 1"));
    assert!(refusal(&one(false), &one(false)).starts_with("all 2 rows have label 0"));
    let none = LabelledScores::default();
    assert!(refusal(&none, &none).contains("no row"));
    assert!(compare_scores(&one(true), &one(true), &fixed(f64::NAN)).is_err());
}

#[test]
fn too_few_rows_have_no_balanced_accuracy() {
    let first = file("a", [(0.1, false), (0.2, true)]);
    let compared = compared(&first, &first);
    let measures = compared.figures["measures"].list();
    assert_eq!((measures.len(), &compared.figures["decided"]), (2, &Figures::None));
    assert!(compared.table("a", "b").iter().any(|line| line.contains("--decide-at")));
    assert!(value(&measures[0]["undefined_samples"]) > 300.0, "a sample of one row twice has one label");
}

#[test]
fn table_shows_figures_and_rows() {
    let (first, second) = files(400);
    let lines = compare_scores(&first, &second, &fixed(0.6)).unwrap().table("a\u{1b}[31m.jsonl", "b.jsonl");
    let text = lines.join("\n");
    for words in [
        "B  b.jsonl",
        "400 rows, 160 with label 1, matched by id",
        "ROC AUC            68.8 [",
        "+19.5 [+1",
        "0.002",
        "only A is right on 62, only B on 112; p <0.001.",
        "r183",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(lines.iter().all(|line| !line.contains(char::is_control)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// No scores cause a panic, and figures do not depend on the scale of one file.
    #[test]
    fn figures_depend_on_order_of_scores_only(
        rows in prop::collection::vec((-8_i32..8, -8_i32..8, any::<bool>()), 1..40),
    ) {
        let first = file("a", rows.iter().map(|row| (f64::from(row.0), row.2)));
        let second = file("b", rows.iter().map(|row| (f64::from(row.1), row.2)));
        let scaled = file("b", rows.iter().map(|row| (4.0 * f64::from(row.1) + 1.0, row.2)));
        let options = PairedOptions::default();
        match (compare_scores(&first, &second, &options), compare_scores(&first, &scaled, &options)) {
            (Ok(plain), Ok(scaled)) => {
                let (plain, scaled) = (plain.figures, scaled.figures);
                prop_assert_eq!(&plain["measures"], &scaled["measures"]);
                for of in ["only_first_right", "only_second_right"] {
                    prop_assert_eq!(&plain["decided"][of], &scaled["decided"][of]);
                }
                let is_share = |measure: &Figures| (0.0..=1.0).contains(&value(&measure["p_value"]));
                prop_assert!(plain["measures"].list().iter().all(is_share));
                prop_assert!(serde_json::to_string(&plain).is_ok());
            }
            (Err(plain), Err(scaled)) => {
                prop_assert!(plain.to_string().contains("rows of both labels"), "{}", plain);
                prop_assert_eq!(plain.to_string(), scaled.to_string());
            }
            (plain, scaled) => prop_assert!(false, "{:?} {:?}", plain, scaled),
        }
    }
}
