//! Reliability: the share of rows with label 1 in each bin against its mean score. A strip below shows the number of rows of
//! each bin.

use plotters::element::{Circle, PathElement};
use plotters::style::Color;

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Area, Frame, Mark, chart};
use super::range::{GREATEST, check_range};
use super::style::{BLUE, INK, shortened, stroke};
use crate::{ReliabilityBin, Undefined};

const HEIGHT: u32 = 1180;
const STRIP_HEIGHT: u32 = 290;

/// Bins of scores of any range: a bin's `mean_probability` is its mean score. `name` is the name of the rows, such as a
/// file's name.
///
/// # Errors
/// No bins, and numbers that cannot be drawn.
pub fn reliability(name: &str, bins: &[ReliabilityBin]) -> Result<String, PlotError> {
    if bins.is_empty() {
        return Err(Undefined::TooFew { rows: 0, needed: 1 }.into());
    }
    let (scores, shares): (Vec<f64>, Vec<f64>) =
        bins.iter().map(|bin| (bin.mean_probability, bin.positive_share)).unzip();
    check_range(&scores, -GREATEST, GREATEST)?;
    check_range(&shares, 0.0, 1.0)?;
    let legend = vec![(Mark::Dot(BLUE), "bins of rows".to_owned())];
    let rows: usize = bins.iter().map(|bin| bin.rows).sum();
    let subtitle = format!("{}: {rows} rows in {} bins", shortened(name), bins.len());
    let frame = Frame { title: "Reliability", subtitle, legend, width: 1200, height: HEIGHT };
    let x = Axis::of_values(scores.into_iter(), "score");
    frame.svg(|area| {
        let (upper, strip) = area.split_vertically(HEIGHT - STRIP_HEIGHT);
        draw_rows(&strip, &x, bins)?;
        let mut chart = chart(&upper, &x.unnamed(), &Axis::percent("rows with label 1 (%)"))?;
        let dots =
            bins.iter().map(|bin| Circle::new((bin.mean_probability, bin.positive_share), 11, BLUE.filled()));
        chart.draw_series(dots)?;
        Ok(())
    })
}

/// The number of rows of each bin.
fn draw_rows(strip: &Area<'_>, x: &Axis, bins: &[ReliabilityBin]) -> Result<(), PlotError> {
    let most = bins.iter().map(|bin| bin.rows).max().unwrap_or_default();
    let mut chart = chart(strip, x, &Axis::counts(most, "rows"))?;
    chart.draw_series(bins.iter().map(|bin| {
        let (at, rows) = (bin.mean_probability, bin.rows as f64);
        PathElement::new([(at, 0.0), (at, rows)], stroke(INK, 8))
    }))?;
    Ok(())
}
