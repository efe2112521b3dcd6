//! Risk against coverage: the share of wrong answers among those that are given, by the share of rows that are answered.

use super::axis::Axis;
use super::frame::{Frame, Mark, chart, draw_line};
use super::reliability::Curve;
use super::style::{BLUE, GREY};
use super::{PlotError, check_range};
use crate::Undefined;

/// One curve; its points are (coverage, risk), of which the last is that of all rows. `area` is shown with it.
///
/// # Errors
/// No points, and shares outside 0..=1.
pub fn risk_coverage(curve: &Curve<'_>, area: f64) -> Result<String, PlotError> {
    let Some((_, all)) = curve.points.last() else {
        return Err(Undefined::TooFew { rows: 0, needed: 1 }.into());
    };
    let shares: Vec<f64> = curve.points.iter().flat_map(|(coverage, risk)| [*coverage, *risk]).collect();
    check_range(&shares, 0.0, 1.0)?;
    let (line, guide) = (Mark::Line(BLUE), Mark::Dashed(GREY));
    let highest = curve.points.iter().map(|(_, risk)| *risk).fold(0.0, f64::max);
    let frame = Frame {
        title: "Risk and coverage",
        subtitle: curve.name.to_owned(),
        legend: vec![
            (line, format!("the least risky rows are answered: mean {:.1}%", 100.0 * area)),
            (guide, format!("rows are answered in any order: {:.1}%", 100.0 * all)),
        ],
        width: 1200,
        height: 860,
    };
    frame.svg(|drawing| {
        let x = Axis::percent("rows that are answered (%)");
        let y = Axis::shares((1.1 * highest).min(1.0), "wrong answers (% of those given)");
        let mut chart = chart(drawing, &x, &y)?;
        draw_line(&mut chart, &[(0.0, *all), (1.0, *all)], guide)?;
        draw_line(&mut chart, curve.points, line)
    })
}
