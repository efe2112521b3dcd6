//! The statistics agree with scikit-learn on every case of tests/fixtures/stats.json, which
//! scripts/fixtures/make_stats.py makes.

use serde::Deserialize;
use veridic::stats::{average_precision, balanced_accuracy, roc_auc};

const TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    scores: Vec<f64>,
    labels: Vec<u8>,
    roc_auc: f64,
    average_precision: f64,
    at: Vec<At>,
}

#[derive(Deserialize)]
struct At {
    threshold: f64,
    balanced_accuracy: f64,
}

impl Case {
    fn labels(&self) -> Vec<bool> {
        self.labels.iter().map(|label| *label == 1).collect()
    }
}

fn cases() -> Vec<Case> {
    let fixture: Fixture =
        serde_json::from_str(include_str!("fixtures/stats.json")).expect("the fixture is ours");
    assert!(fixture.cases.len() >= 20);
    fixture.cases
}

fn assert_close(ours: Option<f64>, expected: f64, what: &str) {
    let ours = ours.unwrap_or_else(|| panic!("{what}: nothing, expected {expected}"));
    assert!((ours - expected).abs() <= TOLERANCE, "{what}: {ours}, expected {expected}");
}

#[test]
fn roc_auc_agrees_with_scikit_learn() {
    for case in cases() {
        assert_close(roc_auc(&case.scores, &case.labels()), case.roc_auc, &case.name);
    }
}

#[test]
fn average_precision_agrees_with_scikit_learn() {
    for case in cases() {
        assert_close(average_precision(&case.scores, &case.labels()), case.average_precision, &case.name);
    }
}

#[test]
fn balanced_accuracy_agrees_with_scikit_learn() {
    for case in cases() {
        assert_eq!(case.at.len(), 5, "{}", case.name);
        for at in &case.at {
            let ours = balanced_accuracy(&case.scores, &case.labels(), at.threshold);
            assert_close(ours, at.balanced_accuracy, &format!("{} above {}", case.name, at.threshold));
        }
    }
}
