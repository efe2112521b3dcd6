//! Hostile lists: NaN, infinities, both zeros, tiny and huge numbers, lists that are empty, constant or of different
//! lengths. No function panics, and every defined result is finite.

use veridic_stats::*;

/// Sums of squares of the largest stay in range; larger values are out of scope.
const VALUES: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    0.5,
    0.25,
    2.0,
    -3.0,
    1e-310,
    1e-150,
    1e100,
    -1e100,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

struct Lists {
    generator: SplitMix64,
    /// How many of the values are used: fewer make clean and constant lists more likely.
    kinds: usize,
    rows: usize,
}

impl Lists {
    /// The length of the round, or another in one of twenty cases.
    fn size(&mut self) -> usize {
        if self.generator.below(20) == 0 { self.generator.below(9) } else { self.rows }
    }

    fn values(&mut self) -> Vec<f64> {
        (0..self.size()).map(|_| VALUES[self.generator.below(self.kinds)]).collect()
    }

    fn labels(&mut self) -> Vec<bool> {
        (0..self.size()).map(|_| self.generator.below(2) == 0).collect()
    }

    fn classes(&mut self) -> Vec<usize> {
        (0..self.size()).map(|_| self.generator.below(3)).collect()
    }
}

fn finite<E>(what: &str, result: Result<impl IntoIterator<Item = f64>, E>) {
    for value in result.into_iter().flatten() {
        assert!(value.is_finite(), "{what}: {value}");
    }
}

fn one(what: &str, value: Option<f64>) {
    finite(what, value.map(|value| [value]).ok_or(()));
}

fn correlation(what: &str, result: Result<f64, Undefined>) {
    assert!(result.is_ok_and(|found| (-1.0..=1.0).contains(&found)) || result.is_err(), "{what}: {result:?}");
}

fn rounds() -> impl Iterator<Item = Lists> {
    (0..4_000).map(|seed| {
        let mut generator = SplitMix64::new(seed);
        let (kinds, rows) = (1 + generator.below(VALUES.len()), generator.below(9));
        Lists { generator, kinds, rows }
    })
}

#[test]
fn decisions_and_rankings() {
    for mut lists in rounds() {
        let (scores, labels) = (lists.values(), lists.labels());
        one("roc_auc", roc_auc(&scores, &labels));
        one("average_precision", average_precision(&scores, &labels));
        one("balanced_accuracy", balanced_accuracy(&scores, &labels, 0.5));
        let _ = best_threshold(&scores, &labels);
        finite("aggrefact_threshold", aggrefact_threshold(&scores, &labels).map(|threshold| [threshold]));
        let shares = |point: &RocPoint| [point.false_positive_rate, point.true_positive_rate];
        finite(
            "roc_curve",
            roc_curve(&scores, &labels).map(|curve| curve.iter().flat_map(shares).collect::<Vec<_>>()),
        );
        for bins in [3, 0] {
            let shares = |bin: &ReliabilityBin| [bin.mean_probability, bin.positive_share];
            let curve = reliability_curve(&scores, &labels, bins);
            finite("reliability", curve.map(|curve| curve.iter().flat_map(shares).collect::<Vec<_>>()));
        }
    }
}

#[test]
fn correlations_and_agreement() {
    for mut lists in rounds() {
        let (first, second, third) = (lists.values(), lists.values(), lists.values());
        correlation("pearson", pearson(&first, &second));
        correlation("spearman", spearman(&first, &second));
        correlation("kendall", kendall(&first, &second));
        finite("percentiles", percentiles(&first, &[0.0, 33.3, 100.0]));
        let (one, other) = (lists.classes(), lists.classes());
        finite("group_deviations", group_deviations(&first, &one));
        finite("cohen_kappa", cohen_kappa(&one, &other).map(|kappa| [kappa]));
        let counts: Vec<[u32; 2]> = one.iter().map(|count| [*count as u32, 2 - *count as u32]).collect();
        finite("fleiss_kappa", fleiss_kappa(counts.iter().map(|counts| (counts, 1.0))).map(|kappa| [kappa]));
        finite("alpha", krippendorff_alpha(&[&first, &second, &third]).map(|alpha| [alpha]));
        if let [r12, r13, r23, ..] = first[..] {
            finite("williams", williams(r12, r13, r23, second.len()).map(|p_value| [p_value]));
        }
    }
}

#[test]
fn resamples_and_fits() {
    for mut lists in rounds() {
        let (scores, labels) = (lists.values(), lists.labels());
        let area = |rows: &[usize]| {
            let pick = |row: &usize| Some((*scores.get(*row)?, *labels.get(*row)?));
            let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().filter_map(pick).unzip();
            roc_auc(&scores, &labels)
        };
        let found = paired_bootstrap(scores.len(), 20, 1, 0.9, area, |_| Some(0.5));
        finite("paired_bootstrap", found.map(|found| [found.difference, found.interval.low, found.p_value]));
    }
}
