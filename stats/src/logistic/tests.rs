//! Properties of an optimum on synthetic rows.

use super::*;
use crate::SplitMix64;

const WEIGHTS: [f64; 5] = [1.5, -2.0, 0.0, 0.7, -0.1];
const SIGNS: [Sign; 5] =
    [Sign::NonNegative, Sign::NonNegative, Sign::Free, Sign::NonPositive, Sign::NonNegative];

fn unit(generator: &mut SplitMix64) -> f64 {
    generator.below(1 << 30) as f64 / f64::from(1 << 30)
}

/// Rows drawn from the model with these weights; the fourth feature is in other units and far from zero.
fn rows(seed: u64, count: usize) -> (Vec<[f64; 5]>, Vec<bool>) {
    let mut generator = SplitMix64::new(seed);
    (0..count)
        .map(|_| {
            let mut features = [0.0; 5].map(|_: f64| unit(&mut generator));
            let odds: f64 = features.iter().zip(WEIGHTS).map(|(value, weight)| 3.0 * value * weight).sum();
            features[3] = 1e4 * (features[3] + 7.0);
            (features, unit(&mut generator) < sigmoid(odds))
        })
        .unzip()
}

/// The derivatives of the penalized loss by each coefficient, then by the intercept.
fn gradient(model: &Logistic, features: &[[f64; 5]], labels: &[bool], l2: f64) -> [f64; 6] {
    let mut gradient = [0.0; 6];
    for (row, label) in features.iter().zip(labels) {
        let pull = model.probability(row).unwrap() - f64::from(u8::from(*label));
        (0..5).for_each(|i| gradient[i] += pull * row[i]);
        gradient[5] += pull;
    }
    (0..5).for_each(|i| gradient[i] += l2 * model.coefficients[i]);
    gradient
}

/// At an optimum the derivative of a free coefficient is zero, and that of a held one points into its bound.
#[test]
fn gradient_is_optimal_with_and_without_bounds() {
    for seed in 0..20 {
        let (features, labels) = rows(seed, 300);
        for (l2, signs) in
            [(0.0, &[][..]), (0.0, &SIGNS), (1.0, &[]), (1.0, &SIGNS), (1e-4, &SIGNS), (1e3, &SIGNS)]
        {
            let model = fit_logistic(&features, &labels, l2, signs).unwrap();
            let pulls = gradient(&model, &features, &labels, l2);
            assert!(pulls[5].abs() < 1e-8);
            for (i, weight) in model.coefficients.iter().copied().enumerate() {
                // The unit of the fourth feature scales its derivative.
                let pull = pulls[i] / if i == 3 { 1e4 } else { 1.0 };
                let held = weight == 0.0
                    && match signs.get(i) {
                        Some(Sign::NonNegative) => pull > 0.0,
                        Some(Sign::NonPositive) => pull < 0.0,
                        Some(Sign::Free) | None => false,
                    };
                assert!(held || pull.abs() < 1e-8, "seed {seed}, l2 {l2}, feature {i}: {weight}, {pull}");
                match signs.get(i) {
                    Some(Sign::NonNegative) => assert!(weight >= 0.0),
                    Some(Sign::NonPositive) => assert!(weight <= 0.0),
                    Some(Sign::Free) | None => {}
                }
            }
        }
    }
}

#[test]
fn row_order_and_units_do_not_matter() {
    let (features, labels) = rows(5, 400);
    let model = fit_logistic(&features, &labels, 0.0, &SIGNS).unwrap();
    let scaled: Vec<[f64; 5]> = features.iter().rev().map(|row| row.map(|value| value / 8.0)).collect();
    let reversed: Vec<bool> = labels.iter().rev().copied().collect();
    let other = fit_logistic(&scaled, &reversed, 0.0, &SIGNS).unwrap();
    for (one, other) in model.coefficients.iter().zip(&other.coefficients) {
        assert!((one - other / 8.0).abs() <= 1e-9 * one.abs(), "{one} {other}");
    }
}

#[test]
fn bounds_that_do_not_bind_change_nothing() {
    let (features, labels) = rows(6, 400);
    let free = fit_logistic(&features, &labels, 0.5, &[]).unwrap();
    let signs: Vec<Sign> = free
        .coefficients
        .iter()
        .map(|weight| if *weight > 0.0 { Sign::NonNegative } else { Sign::NonPositive })
        .collect();
    let bound = fit_logistic(&features, &labels, 0.5, &signs).unwrap();
    for (one, other) in free.coefficients.iter().zip(&bound.coefficients) {
        assert!((one - other).abs() <= 1e-10 * one.abs());
    }
}

#[test]
fn separated_labels_need_a_penalty() {
    let features = [[0.0, 0.3], [1.0, 0.1], [2.0, 0.2], [3.0, 0.4]];
    let labels = [false, false, true, true];
    assert_eq!(fit_logistic(&features, &labels, 0.0, &[]), Err(FitError::NoOptimum));
    assert!(fit_logistic(&features, &labels, 1e-6, &[]).is_ok());
    // All rows but those on the border are separated: the optimum is at infinity.
    let touching = [[0.0], [1.0], [1.0], [2.0]];
    assert_eq!(fit_logistic(&touching, &[false, false, true, true], 0.0, &[]), Err(FitError::NoOptimum));
    // A bound that prevents the separation gives an optimum.
    let bound = fit_logistic(&[[0.0], [1.0], [2.0], [3.0]], &labels, 0.0, &[Sign::NonPositive]).unwrap();
    assert_eq!(bound.coefficients, [0.0]);
    assert!(bound.intercept.abs() < 1e-12);
}

#[test]
fn dependent_features_need_a_penalty() {
    let (features, labels) = rows(7, 100);
    let doubled: Vec<[f64; 2]> = features.iter().map(|row| [row[0], 1.0 - 2.0 * row[0]]).collect();
    assert_eq!(fit_logistic(&doubled, &labels, 0.0, &[]), Err(FitError::NoOptimum));
    assert!(fit_logistic(&doubled, &labels, 0.1, &[]).is_ok());
    let constant: Vec<[f64; 2]> = features.iter().map(|row| [row[0], 3.0]).collect();
    assert_eq!(fit_logistic(&constant, &labels, 0.0, &[]), Err(FitError::NoOptimum));
    assert_eq!(fit_logistic(&constant, &labels, 0.1, &[]).unwrap().coefficients[1], 0.0);
}

#[test]
fn without_features_the_probability_is_the_share() {
    let model = fit_logistic(&[[]; 4] as &[[f64; 0]], &[true, true, true, false], 0.0, &[]).unwrap();
    assert!((model.probability(&[]).unwrap() - 0.75).abs() < 1e-12);
    assert_eq!(model.probability(&[1.0]), None);
}

#[test]
fn bad_rows_are_errors() {
    let fit = |features: &[Vec<f64>], labels: &[bool], l2, signs: &[Sign]| {
        fit_logistic(features, labels, l2, signs)
    };
    let rows = [vec![1.0], vec![2.0]];
    let both = [true, false];
    assert_eq!(fit(&rows, &[true, true], 1.0, &[]), Err(Undefined::OneClass.into()));
    assert_eq!(fit(&[], &[], 1.0, &[]), Err(Undefined::TooFew { rows: 0, needed: 2 }.into()));
    assert_eq!(fit(&rows, &[true], 1.0, &[]), Err(Undefined::Lengths { first: 2, second: 1 }.into()));
    let uneven = fit(&[vec![1.0], vec![]], &both, 1.0, &[]);
    assert_eq!(uneven, Err(FitError::Width { row: 2, found: 0, expected: 1 }));
    assert_eq!(
        fit(&[vec![1.0], vec![f64::NAN]], &both, 1.0, &[]),
        Err(Undefined::NotFinite { index: 1 }.into())
    );
    for l2 in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(fit(&rows, &both, l2, &[]).is_err());
    }
    assert!(fit(&rows, &both, 1.0, &[Sign::Free; 2]).is_err());
}
