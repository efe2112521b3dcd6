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

/// [coefficient, p value] or null.
fn check_correlation(ours: Result<Correlation, Undefined>, expected: &Value, what: &str) {
    check(ours.ok().map(|ours| ours.coefficient), &expected[0], what);
    let Ok(ours) = ours else { return };
    if expected[1].is_null() {
        assert_eq!(ours.p_value, 1.0, "{what}: two rows");
    } else if ours.coefficient.abs() > 1.0 - 1e-12 && number(&expected[1]) < 1e-6 {
        // The last bit of a perfect coefficient decides all digits.
        assert!(ours.p_value < 1e-6, "{what}: {}", ours.p_value);
    } else {
        check_probability(ours.p_value, &expected[1], what);
    }
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
            check(counts.precision(), &at["precision"], name);
            check(counts.recall(), &at["recall"], name);
            check(counts.f1(), &at["f1"], name);
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
        let (name, first, second) =
            (row["name"].to_string(), numbers(&row["first"]), numbers(&row["second"]));
        check_correlation(pearson(&first, &second), &row["pearson"], &format!("pearson of {name}"));
        check_correlation(spearman(&first, &second), &row["spearman"], &format!("spearman of {name}"));
        check_correlation(kendall(&first, &second), &row["kendall"], &format!("kendall of {name}"));
    }
}

#[test]
fn partial_correlations() {
    for row in section("partial") {
        let (first, second, covariates) =
            (numbers(&row["first"]), numbers(&row["second"]), table(&row["covariates"]));
        let what = format!("{} rows, {} covariates", first.len(), covariates.len());
        check_correlation(partial_pearson(&first, &second, &covariates), &row["pearson"], &what);
        check_correlation(partial_spearman(&first, &second, &covariates), &row["spearman"], &what);
        let groups = integers(&row["groups"]);
        // Rounded as the reference is, since rounding errors break ties.
        let deviations = |values: &[f64]| -> Vec<f64> {
            let deviations = group_deviations(values, &groups).unwrap();
            deviations.into_iter().map(|value| (value * 1e10).round() / 1e10).collect()
        };
        let (first, second) = (deviations(&first), deviations(&second));
        check_correlation(pearson(&first, &second), &row["grouped_pearson"], &what);
        check_correlation(spearman(&first, &second), &row["grouped_spearman"], &what);
    }
}

#[test]
fn williams_test() {
    for row in section("williams") {
        let [r12, r13, r23] = numbers(&row["coefficients"])[..] else { panic!("three coefficients") };
        let ours = williams(r12, r13, r23, number(&row["rows"]) as usize).unwrap();
        check(Some(ours.statistic), &row["statistic"], &row);
        check_probability(ours.p_value, &row["p_value"], &row);
        check_probability(ours.p_greater, &row["p_greater"], &row);
    }
}

#[test]
fn mcnemars_test() {
    for row in section("mcnemar") {
        let [only_first, only_second] = integers(&row["counts"])[..] else { panic!("two counts") };
        let counts = Discordant { only_first, only_second };
        let exact = mcnemar_exact(counts);
        check(Some(exact.statistic), &row["exact"][0], &row);
        check_probability(exact.p_value, &row["exact"][1], &row);
        let square = mcnemar_chi_square(counts);
        check(square.map(|square| square.statistic), &row["chi_square"][0], &row);
        if let Some(square) = square {
            check_probability(square.p_value, &row["chi_square"][1], &row);
        }
    }
}

#[test]
fn agreement_of_two_raters() {
    for row in section("kappa") {
        let (first, second) = (integers(&row["first"]), integers(&row["second"]));
        for (name, disagreement) in [
            ("nominal", Disagreement::Nominal),
            ("linear", Disagreement::Linear),
            ("quadratic", Disagreement::Quadratic),
        ] {
            check(cohen_kappa(&first, &second, disagreement).ok(), &row[name], &row);
        }
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
        let items = table(&row["items"]);
        for (name, scale) in
            [("nominal", Scale::Nominal), ("ordinal", Scale::Ordinal), ("interval", Scale::Interval)]
        {
            check(krippendorff_alpha(&items, scale).ok(), &row[name], format!("{name} of {row}"));
        }
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
    for row in section("calibration") {
        let (probabilities, labels) = (numbers(&row["probabilities"]), flags(&row["labels"]));
        let count = number(&row["bins"]) as usize;
        let bins =
            if row["strategy"] == "uniform" { Bins::EqualWidth(count) } else { Bins::EqualMass(count) };
        let curve = reliability_curve(&probabilities, &labels, bins).unwrap();
        assert_eq!(curve.len(), list(&row["curve"]).len(), "{row}");
        for (bin, expected) in curve.iter().zip(list(&row["curve"])) {
            check_all(&[bin.rows as f64, bin.mean_probability, bin.positive_share], expected, &row);
        }
    }
}
