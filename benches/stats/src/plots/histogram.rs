//! The distribution of scores by label: a histogram for each label in percent of its rows, so that a rare label is as
//! tall as a common one.

use plotters::element::Rectangle;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Chart, Frame, Mark, chart, draw_line};
use super::scored_list::ScoredList;
use super::style::{BLUE, VERMILION};

/// The minimum and the maximum number of bars of a histogram.
const BARS: (usize, usize) = (8, 40);

/// The histograms of the labels that have rows.
///
/// # Errors
/// No rows, and scores that cannot be drawn.
pub fn histograms(list: &ScoredList<'_>) -> Result<String, PlotError> {
    list.check()?;
    let x = Axis::of_values(list.scores.iter().copied(), "score");
    let bars = ((list.scores.len() as f64).sqrt().ceil() as usize).clamp(BARS.0, BARS.1);
    let mut legend = Vec::new();
    let mut shown = Vec::new();
    for (label, colour, name) in
        [(false, VERMILION, "label 0 (not consistent)"), (true, BLUE, "label 1 (consistent)")]
    {
        let shares = shares(list, label, &x, bars);
        if let Some((rows, shares)) = shares {
            legend.push((
                Mark::Filled(colour),
                format!("{name}: {rows} {}", if rows == 1 { "row" } else { "rows" }),
            ));
            shown.push((colour, shares));
        }
    }
    let highest = shown.iter().flat_map(|(_, shares)| shares).copied().fold(0.0, f64::max);
    let y = Axis::shares(1.06 * highest, "rows of the label (%)");
    let frame =
        Frame { title: "Scores by label", subtitle: list.subtitle(), legend, width: 1400, height: 820 };
    frame.svg(|area| {
        let mut chart = chart(area, &x, &y)?;
        shown.iter().try_for_each(|(colour, shares)| draw_bars(&mut chart, &x, shares, *colour))?;
        shown.iter().try_for_each(|(colour, shares)| draw_outline(&mut chart, &x, shares, *colour))
    })
}

/// The number of rows with the label, and the share of them in each bar; None without rows.
fn shares(list: &ScoredList<'_>, label: bool, x: &Axis, bars: usize) -> Option<(usize, Vec<f64>)> {
    let mut counts = vec![0_usize; bars];
    for (score, _) in list.scores.iter().zip(list.labels).filter(|row| *row.1 == label) {
        let bar = (score - x.low) / (x.high - x.low) * bars as f64;
        counts[(bar as usize).min(bars - 1)] += 1;
    }
    let rows: usize = counts.iter().sum();
    (rows > 0).then(|| (rows, counts.into_iter().map(|count| count as f64 / rows as f64).collect()))
}

/// The left edge of a bar.
fn edge(x: &Axis, bar: usize, bars: usize) -> f64 {
    x.low + (x.high - x.low) * bar as f64 / bars as f64
}

fn draw_bars(chart: &mut Chart<'_, '_>, x: &Axis, shares: &[f64], colour: RGBColor) -> Result<(), PlotError> {
    let bars = shares.iter().enumerate().filter(|(_, share)| **share > 0.0).map(|(bar, share)| {
        let (left, right) = (edge(x, bar, shares.len()), edge(x, bar + 1, shares.len()));
        Rectangle::new([(left, 0.0), (right, *share)], colour.mix(0.3).filled())
    });
    chart.draw_series(bars)?;
    Ok(())
}

/// The outline of the bars.
fn draw_outline(
    chart: &mut Chart<'_, '_>,
    x: &Axis,
    shares: &[f64],
    colour: RGBColor,
) -> Result<(), PlotError> {
    let tops = shares.iter().enumerate().flat_map(|(bar, share)| {
        [(edge(x, bar, shares.len()), *share), (edge(x, bar + 1, shares.len()), *share)]
    });
    let points: Vec<(f64, f64)> = [(x.low, 0.0)].into_iter().chain(tops).chain([(x.high, 0.0)]).collect();
    // Each run of bars separately: between runs the line would lie on the axis.
    points.split(|point| point.1 == 0.0).filter(|run| !run.is_empty()).try_for_each(|run| {
        let (left, right) = (run[0].0, run[run.len() - 1].0);
        let closed: Vec<(f64, f64)> =
            [(left, 0.0)].into_iter().chain(run.iter().copied()).chain([(right, 0.0)]).collect();
        draw_line(chart, &closed, Mark::Line(colour))
    })
}
