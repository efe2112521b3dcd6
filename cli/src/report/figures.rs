//! Figures over all rows: the distribution of scores and, with people's labels, the ROC curve, the share of consistent rows by
//! score, and the share of wrong verdicts among the surest rows. Pure.

use serde::Serialize;

use super::abstention::{Abstention, Weakest};
use veridic::corpus::rates::wilson;
use veridic::pipeline::Verdict;
use veridic_stats::{roc_auc, roc_curve};

/// Bars of the distribution.
const BARS: usize = 40;
/// Bins of the calibration.
const BINS: usize = 10;

/// The least distance between two points of the ROC curve.
const STEP: f64 = 1.0 / 400.0;

/// The scale of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScoreKind {
    /// The calibrated probability that people call a summary consistent, 0 to 1.
    Probability,
    /// The entailment probability, 0 to 1.
    Share,
    /// Entailment minus contradiction or neutral, -1 to 1.
    Difference,
}

impl ScoreKind {
    fn range(self) -> [f64; 2] {
        match self {
            Self::Probability | Self::Share => [0.0, 1.0],
            Self::Difference => [-1.0, 1.0],
        }
    }
}

/// A row, as the figures read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) score: f64,
    pub(super) scores: ScoreKind,
    pub(super) verdict: Verdict,
    /// Whether people call the row consistent.
    pub(super) label: Option<bool>,
    /// Its weakest claim, where the limit of support is known.
    pub(super) weakest: Option<Weakest>,
}

/// The figures of a report.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    mean: f64,
    /// The range of the plots' score axis.
    range: [f64; 2],
    /// Whether all scores are probabilities, which can be compared with shares of labels.
    are_probabilities: bool,
    /// Rows in each bar, by verdict, the better ones first.
    bars: Vec<[usize; 4]>,
    labelled: Option<Labelled>,
}

/// Figures of the rows with labels.
#[derive(Debug, Serialize)]
struct Labelled {
    rows: usize,
    consistent: usize,
    roc_auc: Option<f64>,
    /// False and true positive rates, from (0, 0) to (1, 1).
    roc: Vec<[f64; 2]>,
    calibration: Vec<Bin>,
    /// Wrong verdicts by the share of rows that are answered; none unless all rows have a limit of support.
    abstention: Option<Abstention>,
}

/// Rows of similar scores.
#[derive(Debug, PartialEq, Serialize)]
struct Bin {
    /// Their mean score.
    score: f64,
    rows: usize,
    consistent: usize,
    /// Wilson's interval of the share of consistent rows, 95%.
    interval: [f64; 2],
}

impl Figures {
    /// The figures of these rows.
    pub(super) fn of(points: &[Point]) -> Self {
        let range = range(points);
        let mut bars = vec![[0; 4]; BARS];
        for point in points {
            bars[place(point.score, range, BARS)][point.verdict as usize] += 1;
        }
        let mean = points.iter().map(|point| point.score).sum::<f64>() / points.len().max(1) as f64;
        let are_probabilities = points.iter().all(|point| point.scores == ScoreKind::Probability);
        Self { mean, range, are_probabilities, bars, labelled: Labelled::of(points, range) }
    }
}

impl Labelled {
    fn of(points: &[Point], range: [f64; 2]) -> Option<Self> {
        let rows: Vec<(f64, bool)> =
            points.iter().filter_map(|point| Some((point.score, point.label?))).collect();
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().copied().unzip();
        (!rows.is_empty()).then(|| Self {
            rows: rows.len(),
            consistent: labels.iter().filter(|label| **label).count(),
            roc_auc: roc_auc(&scores, &labels),
            roc: roc(&scores, &labels),
            calibration: calibration(&rows, range),
            abstention: abstention(points),
        })
    }
}

fn abstention(points: &[Point]) -> Option<Abstention> {
    let labelled = points.iter().filter_map(|point| Some((point.weakest, point.label?)));
    let rows: Option<Vec<(Weakest, bool)>> =
        labelled.map(|(weakest, label)| Some((weakest?, label))).collect();
    Abstention::of(&rows?)
}

/// The range that covers the scales of all rows and all scores.
fn range(points: &[Point]) -> [f64; 2] {
    let wider =
        |[low, high]: [f64; 2], [other_low, other_high]: [f64; 2]| [low.min(other_low), high.max(other_high)];
    points.iter().fold([0.0, 1.0], |range, point| wider(wider(range, point.scores.range()), [point.score; 2]))
}

/// The index of a score's bin, of `count` bins of equal width over the range.
fn place(score: f64, [low, high]: [f64; 2], count: usize) -> usize {
    let share = (score - low) / (high - low);
    ((share * count as f64) as usize).min(count - 1)
}

/// The ROC curve without points closer than [`STEP`]. Empty unless both labels occur.
fn roc(scores: &[f64], labels: &[bool]) -> Vec<[f64; 2]> {
    let mut curve: Vec<[f64; 2]> = Vec::new();
    let points = roc_curve(scores, labels).unwrap_or_default();
    let points = points.iter().map(|point| [point.false_positive_rate, point.true_positive_rate]);
    for point in points {
        let is_far = |last: &[f64; 2]| point[0] - last[0] + point[1] - last[1] >= STEP;
        if curve.last().is_none_or(is_far) || point == [1.0, 1.0] {
            curve.push(point);
        }
    }
    curve
}

/// The rows in bins of equal width; empty bins are left out.
fn calibration(rows: &[(f64, bool)], range: [f64; 2]) -> Vec<Bin> {
    let mut sums = [(0.0, 0usize, 0usize); BINS];
    for (score, label) in rows {
        let sum = &mut sums[place(*score, range, BINS)];
        *sum = (sum.0 + score, sum.1 + 1, sum.2 + usize::from(*label));
    }
    let filled = sums.into_iter().filter(|(_, rows, _)| *rows > 0);
    let bin = |(score, rows, consistent)| Bin {
        score: score / rows as f64,
        rows,
        consistent,
        interval: wilson(consistent as f64 / rows as f64, rows as f64),
    };
    filled.map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[(f64, Option<bool>)]) -> Vec<Point> {
        let point = |&(score, label)| Point {
            score,
            scores: ScoreKind::Difference,
            verdict: Verdict::Unsupported,
            label,
            weakest: None,
        };
        rows.iter().map(point).collect()
    }

    /// The diagonal of the calibration went from -1 to 1 for probabilities, which are never below 0.
    #[test]
    fn axes_follow_the_scale_of_scores() {
        let of = |kinds: &[ScoreKind]| {
            let point = |(place, scores): (usize, &ScoreKind)| Point {
                score: 0.2 + 0.3 * place as f64,
                scores: *scores,
                verdict: Verdict::Unsupported,
                label: Some(place == 0),
                weakest: None,
            };
            Figures::of(&kinds.iter().enumerate().map(point).collect::<Vec<_>>())
        };
        let probabilities = of(&[ScoreKind::Probability, ScoreKind::Probability]);
        assert_eq!((probabilities.range, probabilities.are_probabilities), ([0.0, 1.0], true));
        // A score of 0.2 is in the bar with the index 8 of 40 from 0 to 1.
        assert_eq!(probabilities.bars.iter().position(|bar| bar[2] > 0), Some(8));
        let shares = of(&[ScoreKind::Share]);
        assert_eq!((shares.range, shares.are_probabilities), ([0.0, 1.0], false));
        let mixed = of(&[ScoreKind::Probability, ScoreKind::Difference]);
        assert_eq!((mixed.range, mixed.are_probabilities), ([-1.0, 1.0], false));
    }

    #[test]
    fn every_row_has_a_bar() {
        let figures = Figures::of(&points(&[(-1.0, None), (1.0, None), (0.0, None), (-0.0, None)]));
        assert_eq!(figures.bars.iter().map(|bar| bar[2]).sum::<usize>(), 4);
        assert_eq!((figures.bars[0][2], figures.bars[BARS - 1][2], figures.bars[BARS / 2][2]), (1, 1, 2));
        assert!(figures.labelled.is_none());
        assert_eq!(Figures::of(&points(&[(5.0, None)])).range, [-1.0, 5.0]);
    }

    #[test]
    fn the_area_under_the_curve_is_the_auc() {
        let rows: Vec<(f64, Option<bool>)> =
            (0..60).map(|i| (f64::from(i * i % 17) / 17.0, (i % 7 != 0).then_some(i * i % 5 < 2))).collect();
        let labelled = Figures::of(&points(&rows)).labelled.unwrap();
        let area: f64 =
            labelled.roc.windows(2).map(|p| (p[1][0] - p[0][0]) * (p[1][1] + p[0][1]) / 2.0).sum();
        assert!((area - labelled.roc_auc.unwrap()).abs() < 1e-9);
        assert_eq!((labelled.roc[0], labelled.roc[labelled.roc.len() - 1]), ([0.0, 0.0], [1.0, 1.0]));
    }

    #[test]
    fn no_roc_curve_with_one_label() {
        let labelled = Figures::of(&points(&[(0.5, Some(true)), (0.1, None)])).labelled.unwrap();
        assert_eq!((labelled.rows, labelled.roc_auc, labelled.roc.len()), (1, None, 0));
        assert_eq!(labelled.calibration.len(), 1);
    }

    #[test]
    fn long_curve_is_thinned() {
        let (scores, labels): (Vec<f64>, Vec<bool>) = (0..10_000).map(|i| (f64::from(i), i % 3 == 0)).unzip();
        assert!(roc(&scores, &labels).len() < 900);
    }
}
