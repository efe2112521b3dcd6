//! Errors by threshold: balanced accuracy, false positive and false negative rate if rows above the threshold are called
//! consistent, and the best threshold. It is chosen on the rows that are shown, so the plot calls it optimistic.

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Frame, Mark, chart, draw_line};
use super::scored_list::ScoredList;
use super::style::{BLUE, GREY, INK, VERMILION};
use crate::{RocPoint, Undefined, balanced_accuracy, best_threshold, roc_curve};

/// Thresholds along the axis: about one for each pixel.
const THRESHOLDS: u32 = 1200;

/// A rate as a function of the false positive and the false negative rate.
type Rate = fn(f64, f64) -> f64;

/// Balanced accuracy, false positive and false negative rate by threshold.
///
/// # Errors
/// No rows of one of the labels, and scores that cannot be drawn.
pub fn threshold_sweep(list: &ScoredList<'_>) -> Result<String, PlotError> {
    list.check()?;
    let curve = roc_curve(list.scores, list.labels).map_err(|cause| list.error(cause))?;
    let (best, accuracy) = best(list)?;
    let x = Axis::of_values(list.scores.iter().copied(), "threshold: a score above it means label 1");
    let y = Axis::percent("rate (%)");
    let lines: [(Mark, &str, Rate); 3] = [
        (Mark::Line(INK), "balanced accuracy", |wrong, missed| 1.0 - (wrong + missed) / 2.0),
        (Mark::Line(VERMILION), "false positive rate (label 0, called 1)", |wrong, _| wrong),
        (Mark::Dashed(BLUE), "false negative rate (label 1, called 0)", |_, missed| missed),
    ];
    let mut legend: Vec<(Mark, String)> =
        lines.iter().map(|(mark, name, _)| (*mark, (*name).into())).collect();
    let is_shown = accuracy > 0.5 && (x.low..=x.high).contains(&best);
    legend.push(if is_shown {
        (
            Mark::Dashed(GREY),
            format!(
                "best threshold {best:.3}, balanced accuracy {:.1}% (optimistic: chosen on these rows)",
                100.0 * accuracy
            ),
        )
    } else {
        (Mark::Dashed(GREY), "chance: no threshold is better".into())
    });
    let frame =
        Frame { title: "Errors by threshold", subtitle: list.subtitle(), legend, width: 1400, height: 860 };
    frame.svg(|area| {
        let mut chart = chart(area, &x, &y)?;
        let reference = if is_shown { [(best, 0.0), (best, 1.0)] } else { [(x.low, 0.5), (x.high, 0.5)] };
        draw_line(&mut chart, &reference, Mark::Dashed(GREY))?;
        for (mark, _, rate) in lines.into_iter().rev() {
            let at = |threshold: f64| {
                let (wrong, missed) = rates(&curve, threshold);
                rate(wrong, missed)
            };
            let points = steps(x.low, x.high, at);
            draw_line(&mut chart, &points, mark)?;
        }
        Ok(())
    })
}

/// A step function: a rate is constant between thresholds that change it.
fn steps(low: f64, high: f64, rate: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let mut last = rate(low);
    let mut points = vec![(low, last)];
    for step in 1..=THRESHOLDS {
        let threshold = low + (high - low) * f64::from(step) / f64::from(THRESHOLDS);
        let value = rate(threshold);
        if value != last {
            points.extend([(threshold, last), (threshold, value)]);
            last = value;
        }
    }
    points.push((high, last));
    points
}

fn best(list: &ScoredList<'_>) -> Result<(f64, f64), PlotError> {
    let threshold = best_threshold(list.scores, list.labels);
    let found = threshold
        .and_then(|threshold| Some((threshold, balanced_accuracy(list.scores, list.labels, threshold)?)));
    found.ok_or_else(|| list.error(Undefined::OneClass))
}

/// The false positive and false negative rate if rows above a threshold are called 1. The curve's points have
/// falling scores, the first an infinite one.
fn rates(curve: &[RocPoint], threshold: f64) -> (f64, f64) {
    let above = curve.partition_point(|point| point.from_score > threshold);
    let point = curve[above.saturating_sub(1)];
    (point.false_positive_rate, 1.0 - point.true_positive_rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confusion;

    #[test]
    fn rates_match_decisions() {
        let scores = [0.1, 0.4, 0.4, 0.7, 0.9];
        let labels = [false, true, false, false, true];
        let curve = roc_curve(&scores, &labels).unwrap();
        for threshold in [-1.0, 0.1, 0.2, 0.4, 0.5, 0.9, 2.0] {
            let counts = Confusion::at(&scores, &labels, threshold).unwrap();
            let expected = (counts.false_positive_rate().unwrap(), counts.false_negative_rate().unwrap());
            let found = rates(&curve, threshold);
            assert!(
                (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12,
                "{threshold}"
            );
        }
    }
}
