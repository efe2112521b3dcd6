//! The statistics agree with numpy, scipy, scikit-learn, statsmodels and krippendorff on every row of
//! tests/fixtures/stats.json, which scripts/fixtures/make_stats.py makes and describes. Where the reference has no value
//! (null), there is none here, except in the cases that a test names.

use serde_json::Value;
use veridic_stats::*;

/// Relative; values below 1e-3 are compared as if they were 1e-3.
const TOLERANCE: f64 = 1e-9;
const SMALL: f64 = 1e-3;

/// The rows of a section.
fn section(name: &str) -> Vec<Value> {
    let mut fixture: Value =
        serde_json::from_str(include_str!("../fixtures/stats.json")).expect("the fixture is ours");
    let Value::Array(rows) = fixture[name].take() else { panic!("{name}: no rows") };
    assert!(rows.len() >= 3, "{name}");
    rows
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}: a number is expected"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value}: a list is expected"))
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

fn table(value: &Value) -> Vec<Vec<f64>> {
    list(value).iter().map(numbers).collect()
}

fn integers(value: &Value) -> Vec<u64> {
    list(value).iter().map(|value| value.as_u64().expect("an integer")).collect()
}

fn flags(value: &Value) -> Vec<bool> {
    integers(value).into_iter().map(|flag| flag == 1).collect()
}

/// Fails unless both are close or both are missing.
fn check(ours: Option<f64>, expected: &Value, what: impl std::fmt::Display) {
    match (ours, expected.as_f64()) {
        (None, None) => {}
        (Some(ours), Some(expected)) => {
            let close = (ours - expected).abs() <= TOLERANCE * expected.abs().max(SMALL);
            assert!(close, "{what}: {ours}, expected {expected}");
        }
        _ => panic!("{what}: {ours:?}, expected {expected}"),
    }
}

/// The same for a probability, relative however small it is.
fn check_probability(ours: f64, expected: &Value, what: impl std::fmt::Display) {
    let expected = number(expected);
    assert!((ours - expected).abs() <= TOLERANCE * expected, "{what}: p {ours}, expected {expected}");
}

fn check_all(ours: &[f64], expected: &Value, what: impl std::fmt::Display) {
    assert_eq!(ours.len(), list(expected).len(), "{what}");
    ours.iter().zip(list(expected)).for_each(|(ours, expected)| check(Some(*ours), expected, &what));
}

#[test]
fn rankings_and_decisions() {
    for row in section("decisions") {
        let (name, scores, labels) = (&row["name"], numbers(&row["scores"]), flags(&row["labels"]));
        check(roc_auc(&scores, &labels), &row["roc_auc"], name);
        check(average_precision(&scores, &labels), &row["average_precision"], name);
        assert_eq!(list(&row["at"]).len(), 5, "{name}");
        for at in list(&row["at"]) {
            let threshold = number(&at["threshold"]);
            let counts = Confusion::at(&scores, &labels, threshold).unwrap();
            let [tp, fp, tn, fn_] = integers(&at["counts"])[..] else { panic!("{name}: four counts") };
            let ours = [
                counts.true_positives,
                counts.false_positives,
                counts.true_negatives,
                counts.false_negatives,
            ];
            assert_eq!(ours.map(|count| count as u64), [tp, fp, tn, fn_], "{name} above {threshold}");
            check(counts.accuracy(), &at["accuracy"], name);
            check(counts.recall(), &at["recall"], name);
            check(counts.false_positive_rate(), &at["false_positive_rate"], name);
            check(counts.false_negative_rate(), &at["false_negative_rate"], name);
            check(balanced_accuracy(&scores, &labels, threshold), &at["balanced_accuracy"], name);
        }
    }
}

#[test]
fn roc_curves() {
    for row in section("decisions").iter().filter(|row| !row["roc_curve"].is_null()) {
        let curve = roc_curve(&numbers(&row["scores"]), &flags(&row["labels"])).unwrap();
        assert_eq!(curve[0].from_score, f64::INFINITY);
        assert_eq!((curve[0].false_positive_rate, curve[0].true_positive_rate), (0.0, 0.0));
        assert_eq!(curve.len() - 1, list(&row["roc_curve"]).len());
        for (point, expected) in curve[1..].iter().zip(list(&row["roc_curve"])) {
            let ours = [point.from_score, point.false_positive_rate, point.true_positive_rate];
            check_all(&ours, expected, &row["name"]);
        }
    }
}

#[test]
fn aggrefact_thresholds_are_bit_exact() {
    for row in section("decisions") {
        let ours = aggrefact_threshold(&numbers(&row["scores"]), &flags(&row["labels"]));
        assert_eq!(ours.ok(), row["aggrefact_threshold"].as_f64(), "{}", row["name"]);
    }
}

#[test]
fn ranks() {
    for row in section("ranks") {
        assert_eq!(average_ranks(&numbers(&row["values"])).unwrap(), numbers(&row["ranks"]));
    }
}

#[test]
fn percentiles_are_bit_exact() {
    for row in section("percentiles") {
        let ours = percentiles(&numbers(&row["values"]), &numbers(&row["percents"])).unwrap();
        assert_eq!(ours, numbers(&row["expected"]));
    }
}

#[test]
fn correlations() {
    for row in section("correlations") {
        let (first, second) = (numbers(&row["first"]), numbers(&row["second"]));
        check(pearson(&first, &second).ok(), &row["pearson"][0], format!("pearson of {}", row["name"]));
        check(spearman(&first, &second).ok(), &row["spearman"][0], format!("spearman of {}", row["name"]));
        check(kendall(&first, &second).ok(), &row["kendall"][0], format!("kendall of {}", row["name"]));
    }
}

#[test]
fn correlations_of_deviations() {
    for row in section("partial") {
        let groups = integers(&row["groups"]);
        // Rounded as the reference is, since rounding errors break ties.
        let deviations = |values: &Value| -> Vec<f64> {
            let deviations = group_deviations(&numbers(values), &groups).unwrap();
            deviations.into_iter().map(|value| (value * 1e10).round() / 1e10).collect()
        };
        let (first, second) = (deviations(&row["first"]), deviations(&row["second"]));
        check(pearson(&first, &second).ok(), &row["grouped_pearson"][0], "pearson");
        check(spearman(&first, &second).ok(), &row["grouped_spearman"][0], "spearman");
    }
}

#[test]
fn williams_test() {
    for row in section("williams") {
        let [r12, r13, r23] = numbers(&row["coefficients"])[..] else { panic!("three coefficients") };
        let ours = williams(r12, r13, r23, number(&row["rows"]) as usize).unwrap();
        check_probability(ours, &row["p_value"], &row);
    }
}

#[test]
fn mcnemars_test() {
    for row in section("mcnemar") {
        let [only_first, only_second] = integers(&row["counts"])[..] else { panic!("two counts") };
        let counts = Discordant { only_first, only_second };
        check_probability(mcnemar_exact(counts), &row["exact"][1], &row);
        match mcnemar_chi_square(counts) {
            Some(p_value) => check_probability(p_value, &row["chi_square"][1], &row),
            None => assert!(row["chi_square"][0].is_null(), "{row}"),
        }
    }
}

#[test]
fn agreement_of_two_raters() {
    for row in section("kappa") {
        let (first, second) = (integers(&row["first"]), integers(&row["second"]));
        check(cohen_kappa(&first, &second).ok(), &row["nominal"], &row);
    }
}

#[test]
fn agreement_of_many_raters() {
    for row in section("fleiss") {
        let counts: Vec<Vec<u32>> = table(&row["counts"])
            .iter()
            .map(|item| item.iter().map(|count| *count as u32).collect())
            .collect();
        check(fleiss_kappa(counts.iter().map(|counts| (counts, 1.0))).ok(), &row["kappa"], &row);
    }
    for row in section("krippendorff") {
        check(krippendorff_alpha(&table(&row["items"])).ok(), &row["nominal"], &row);
    }
}

#[test]
fn intervals() {
    for row in section("intervals") {
        let (name, level, values) = (&row["name"], number(&row["level"]), numbers(&row["values"]));
        let plain = percentile_interval(&values, level).unwrap();
        check_all(&[plain.low, plain.high], &row["percentile"], name);
        check(
            aggrefact_half_width(number(&row["observed"]), &values).ok(),
            &row["aggrefact_half_width"],
            name,
        );
    }
}

#[test]
fn calibration() {
    for row in section("calibration").iter().filter(|row| row["strategy"] == "quantile") {
        let (probabilities, labels) = (numbers(&row["probabilities"]), flags(&row["labels"]));
        let bins = number(&row["bins"]) as usize;
        let curve = reliability_curve(&probabilities, &labels, bins).unwrap();
        assert_eq!(curve.len(), list(&row["curve"]).len(), "{row}");
        for (bin, expected) in curve.iter().zip(list(&row["curve"])) {
            check_all(&[bin.rows as f64, bin.mean_probability, bin.positive_share], expected, row);
        }
    }
}
