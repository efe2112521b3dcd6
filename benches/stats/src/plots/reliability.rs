//! Reliability: the share of rows with label 1 in each bin against its mean probability (or score), with curves such as a
//! fitted calibration. A strip below shows the number of rows of each bin.

use plotters::element::{Circle, PathElement};
use plotters::style::Color;

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Area, Frame, Mark, chart, draw_line};
use super::range::{GREATEST, check_range};
use super::style::{BLUE, GREEN, GREY, INK, SERIES, VERMILION, shortened, stroke};
use crate::{ReliabilityBin, Undefined};

/// The values that are binned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// Probabilities from 0 to 1; a diagonal shows perfect calibration.
    Probability,
    /// Scores of any range: a bin's `mean_probability` is its mean score.
    Score,
}

/// A curve in the plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve<'d> {
    /// Its name in the legend.
    pub name: &'d str,
    /// From left to right: a probability or score, and its share of rows with label 1.
    pub points: &'d [(f64, f64)],
}

const HEIGHT: u32 = 1180;
const STRIP_HEIGHT: u32 = 290;

/// Bins and curves; `name` is the name of the rows, such as a file's name.
///
/// # Errors
/// No bins, more curves than colours, and numbers that cannot be drawn.
pub fn reliability(
    name: &str,
    across: Across,
    bins: &[ReliabilityBin],
    curves: &[Curve<'_>],
) -> Result<String, PlotError> {
    check(across, bins, curves)?;
    let colours = [VERMILION, GREEN].into_iter().chain(SERIES.into_iter().skip(3));
    let dots = Mark::Dot(BLUE);
    let mut legend = vec![(dots, "bins of rows".to_owned())];
    // Every second curve is dashed.
    let marks: Vec<Mark> =
        colours.zip([Mark::Line, Mark::Dashed].into_iter().cycle()).map(|(c, mark)| mark(c)).collect();
    legend.extend(curves.iter().zip(&marks).map(|(curve, mark)| (*mark, shortened(curve.name))));
    if across == Across::Probability {
        legend.push((Mark::Dashed(GREY), "where probabilities come true".into()));
    }
    let rows: usize = bins.iter().map(|bin| bin.rows).sum();
    let subtitle = format!("{}: {rows} rows in {} bins", shortened(name), bins.len());
    let frame = Frame { title: "Reliability", subtitle, legend, width: 1200, height: HEIGHT };
    let x = match across {
        Across::Probability => Axis::percent("probability of label 1 (%)"),
        Across::Score => {
            let of_curves = curves.iter().flat_map(|curve| curve.points).map(|point| point.0);
            Axis::of_values(bins.iter().map(|bin| bin.mean_probability).chain(of_curves), "score")
        }
    };
    frame.svg(|area| {
        let (upper, strip) = area.split_vertically(HEIGHT - STRIP_HEIGHT);
        draw_rows(&strip, &x, bins)?;
        let mut chart = chart(&upper, &x.unnamed(), &Axis::percent("rows with label 1 (%)"))?;
        if across == Across::Probability {
            draw_line(&mut chart, &[(0.0, 0.0), (1.0, 1.0)], Mark::Dashed(GREY))?;
        }
        curves.iter().zip(&marks).try_for_each(|(curve, mark)| draw_line(&mut chart, curve.points, *mark))?;
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

fn check(across: Across, bins: &[ReliabilityBin], curves: &[Curve<'_>]) -> Result<(), PlotError> {
    if bins.is_empty() {
        return Err(Undefined::TooFew { rows: 0, needed: 1 }.into());
    }
    const MOST_CURVES: usize = SERIES.len() - 1;
    if curves.len() > MOST_CURVES {
        return Err(PlotError::Lists(curves.len()));
    }
    let (low, high) = match across {
        Across::Probability => (0.0, 1.0),
        Across::Score => (-GREATEST, GREATEST),
    };
    let (at, shares): (Vec<f64>, Vec<f64>) =
        bins.iter().map(|bin| (bin.mean_probability, bin.positive_share)).unzip();
    check_range(&at, low, high)?;
    check_range(&shares, 0.0, 1.0)?;
    for curve in curves {
        let (at, shares): (Vec<f64>, Vec<f64>) = curve.points.iter().copied().unzip();
        let named = |cause| PlotError::List { name: curve.name.to_owned(), cause };
        check_range(&at, low, high).and_then(|()| check_range(&shares, 0.0, 1.0)).map_err(named)?;
    }
    Ok(())
}
