//! Properties of every plot: well-formed SVG, the same each time, everything inside the frame, and errors instead of
//! panics.

use proptest::prelude::*;

use super::*;
use crate::{ReliabilityBin, reliability_curve};

const SCORES: [f64; 8] = [0.05, 0.2, 0.35, 0.4, 0.55, 0.7, 0.8, 0.95];
const LABELS: [bool; 8] = [false, false, true, false, true, false, true, true];

fn list<'d>(scores: &'d [f64], labels: &'d [bool]) -> ScoredList<'d> {
    ScoredList { name: "run.jsonl", scores, labels }
}

/// The numbers of all attributes with this name.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let begin = format!(" {attribute}=\"");
    svg.split(&begin).skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

/// Fails unless the SVG is well-formed and inside its frame.
#[track_caller]
fn assert_sound(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert!(svg.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(svg.matches('<').count() == svg.matches('>').count());
    let size: Vec<f64> = svg
        .split("viewBox=\"")
        .nth(1)
        .unwrap()
        .split(['"', ' '])
        .take(4)
        .map(|n| n.parse().unwrap())
        .collect();
    for (names, most) in [(["x", "x1", "x2", "cx"], size[2]), (["y", "y1", "y2", "cy"], size[3])] {
        for number in names.iter().flat_map(|name| numbers(svg, name)) {
            assert!((0.0..=most).contains(&number), "{number} of {most}");
        }
    }
    for points in svg.split(" points=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        for point in points.split_whitespace() {
            let (x, y) = point.split_once(',').unwrap();
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            assert!((0.0..=size[2]).contains(&x) && (0.0..=size[3]).contains(&y), "{point}");
        }
    }
}

#[track_caller]
fn assert_shows(svg: &str, texts: &[&str]) {
    assert_sound(svg);
    for text in texts {
        assert!(svg.contains(text), "{text} in {svg}");
    }
}

#[test]
fn lines_have_names_axes_and_a_level() {
    let chart = LineChart {
        title: "Correlation by the length of extracts",
        subtitle: "arXiv",
        x: ("tokens", Scale::Number),
        y: ("Pearson's r", Scale::Number),
    };
    let curves = [
        Curve { name: "lead", points: &[(128.0, 0.2), (4096.0, 0.6)] },
        Curve { name: "nli", points: &[(128.0, -0.1)] },
    ];
    let svg = lines(&chart, &curves, Some(("whole documents", 0.61))).unwrap();
    assert_shows(&svg, &["arXiv", "lead", "nli", "whole documents", "tokens", "Pearson", "4000"]);
    assert_eq!(svg, lines(&chart, &curves, Some(("whole documents", 0.61))).unwrap());
    let shares = LineChart { x: ("place", Scale::Share), y: ("sentences", Scale::Share), ..chart };
    assert_shows(
        &lines(&shares, &[Curve { name: "lead", points: &[(0.05, 0.7), (0.95, 0.3)] }], None).unwrap(),
        &["70"],
    );
    let beyond = lines(&shares, &curves, None).unwrap_err().to_string();
    assert!(beyond.contains("lead") && beyond.contains("value 1 is not between 0 and 1"), "{beyond}");
    let without = Curve { name: "none", points: &[] };
    assert!(lines(&chart, &[without], None).unwrap_err().to_string().contains("none"));
    assert!(lines(&chart, &[], None).is_err() && lines(&chart, &[curves[0]; 8], None).is_err());
    assert!(lines(&chart, &[Curve { name: "x", points: &[(0.0, f64::NAN)] }], None).is_err());
}

#[test]
fn roc_curve_shows_its_area() {
    let one = list(&SCORES, &LABELS);
    let svg = roc(&[one]).unwrap();
    // 13 of the 16 pairs are concordant.
    assert_shows(
        &svg,
        &["ROC curve", "area 0.812", "chance", "false positive rate", "run.jsonl: 8 rows, 4 with label 1"],
    );
    assert_eq!(svg, roc(&[one]).unwrap());
    let other = ScoredList { name: "other.jsonl", scores: &[0.5; 8], labels: &LABELS };
    let svg = roc(&[one, other]).unwrap();
    assert_shows(&svg, &["ROC curves", "run.jsonl: area 0.812", "other.jsonl: area 0.500", "8 rows each"]);
}

#[test]
fn sweep_shows_the_best_threshold() {
    let svg = threshold_sweep(&list(&SCORES, &LABELS)).unwrap();
    assert_shows(
        &svg,
        &[
            "balanced accuracy",
            "false positive rate",
            "false negative rate",
            "best threshold 0.275, balanced accuracy 75.0%",
        ],
    );
    let constant = threshold_sweep(&list(&[0.5; 8], &LABELS)).unwrap();
    assert_shows(&constant, &["chance: no threshold is better"]);
}

#[test]
fn histograms_show_labels_with_rows() {
    let svg = histograms(&list(&SCORES, &LABELS)).unwrap();
    assert_shows(&svg, &["label 0 (not consistent): 4 rows", "label 1 (consistent): 4 rows"]);
    let svg = histograms(&list(&[0.5], &[true])).unwrap();
    assert_shows(
        &svg,
        &["label 1 (consistent): 1 row<", "1 row, 1 with label 1"].map(|text| text.trim_end_matches('<')),
    );
    assert!(!svg.contains("label 0 ("));
}

#[test]
fn reliability_shows_bins() {
    let bins = reliability_curve(&SCORES, &LABELS, 4).unwrap();
    let svg = reliability("run.jsonl", &bins).unwrap();
    assert_shows(&svg, &["Reliability", "score", "8 rows in 4 bins"]);
    assert_eq!(svg.matches("<circle").count(), 1 + 4, "one in the legend");
    let bin = ReliabilityBin { rows: 3, mean_probability: -4.0, positive_share: 0.1 };
    assert_sound(&reliability("x", &[bin]).unwrap());
    assert!(reliability("x", &[]).is_err());
    assert!(reliability("x", &[ReliabilityBin { mean_probability: f64::NAN, ..bin }]).is_err());
}

#[test]
fn bad_lists_are_errors() {
    let one_label = list(&[0.1, 0.2], &[true, true]);
    for error in [roc(&[one_label]), threshold_sweep(&one_label)] {
        assert_eq!(error.unwrap_err().to_string(), "run.jsonl: rows of both labels are needed");
    }
    for (scores, labels, expected) in [
        (&[][..], &[][..], "0 rows are too few"),
        (&[0.1], &[], "as many rows"),
        (&[0.1, f64::NAN], &[true, false], "value 2 is not a finite number"),
        (&[f64::INFINITY, 0.0], &[true, false], "value 1 is not a finite number"),
        (&[0.0, -1e200], &[true, false], "value 2 is not between"),
    ] {
        let list = list(scores, labels);
        for error in [roc(&[list]), threshold_sweep(&list), histograms(&list)] {
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("run.jsonl: ") && error.contains(expected), "{error}");
        }
    }
    let many = [list(&SCORES, &LABELS); MOST_LISTS + 1];
    assert!(roc(&many).unwrap_err().to_string().contains("8 lists"));
    assert!(roc(&many[..MOST_LISTS]).is_ok());
    assert!(roc(&[]).is_err());
}

#[test]
fn names_are_escaped() {
    let name = "<script>&\"'\u{0}\u{1b}\u{ffff}]]>";
    let list = ScoredList { name, ..list(&SCORES, &LABELS) };
    for svg in [roc(&[list, list]), histograms(&list), threshold_sweep(&list)] {
        let svg = svg.unwrap();
        assert_sound(&svg);
        assert!(!svg.contains("<script") && !svg.contains('\u{ffff}'));
    }
    let bins = reliability_curve(&SCORES, &LABELS, 2).unwrap();
    assert_sound(&reliability(name, &bins).unwrap());
    assert!(style::shortened(&"東".repeat(100)).chars().count() < 30);
    assert_eq!(style::shortened("short"), "short");
}

#[test]
fn plot_of_many_rows_is_small() {
    let scores: Vec<f64> = (0..200_000).map(|row| f64::from(row * 7919 % 200_003) / 200_003.0).collect();
    let labels: Vec<bool> = (0..200_000).map(|row| row * 31 % 17 < 5).collect();
    let list = list(&scores, &labels);
    for svg in [roc(&[list]), histograms(&list), threshold_sweep(&list)] {
        let svg = svg.unwrap();
        assert_sound(&svg);
        assert!(svg.len() < 150_000, "{}", svg.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_numbers_give_a_plot_or_an_error(
        rows in prop::collection::vec((any::<f64>(), any::<bool>()), 0..12),
        exponent in -310_i32..310,
    ) {
        let (wild, labels): (Vec<f64>, Vec<bool>) = rows.into_iter().unzip();
        let tame: Vec<f64> = wild.iter().map(|score| (score % 3.0) * 10_f64.powi(exponent)).collect();
        for scores in [&wild, &tame] {
            let list = list(scores, &labels);
            let plots = [
                roc(&[list]),
                histograms(&list),
                threshold_sweep(&list),
            ];
            plots.into_iter().flatten().for_each(|svg| assert_sound(&svg));
        }
    }
}
