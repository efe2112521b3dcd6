//! Several named lines over one quantity, such as correlations by the length of extracts, and a level to compare them with.

use super::axis::Axis;
use super::error::PlotError;
use super::frame::{Frame, Mark, chart, draw_line};
use super::range::{GREATEST, check_range};
use super::style::{GREY, MOST_LISTS, SERIES, shortened};
use crate::Undefined;

/// The format of an axis's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// As numbers.
    Number,
    /// Shares from 0 to 1, in percent.
    Share,
}

/// A line of the plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve<'d> {
    /// Its name in the legend.
    pub name: &'d str,
    /// From left to right.
    pub points: &'d [(f64, f64)],
}

/// The texts and axes of a plot of lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineChart<'d> {
    /// The title.
    pub title: &'static str,
    /// The subtitle, which names the data.
    pub subtitle: &'d str,
    /// The name of the horizontal axis, and its scale.
    pub x: (&'d str, Scale),
    /// The name of the vertical axis, and its scale.
    pub y: (&'d str, Scale),
}

/// The lines, in order, and a dashed one at the height of `level`, with its name.
///
/// # Errors
/// No line or more than [`MOST_LISTS`], a line without points, values that are not finite or beyond 1e100, and shares
/// outside 0..=1.
pub fn lines(
    about: &LineChart<'_>,
    lines: &[Curve<'_>],
    level: Option<(&str, f64)>,
) -> Result<String, PlotError> {
    if !(1..=MOST_LISTS).contains(&lines.len()) {
        return Err(PlotError::Lists(lines.len()));
    }
    for line in lines {
        let cause = |cause| PlotError::List { name: line.name.to_owned(), cause };
        if line.points.is_empty() {
            return Err(cause(Undefined::TooFew { rows: 0, needed: 1 }));
        }
        let (xs, ys): (Vec<f64>, Vec<f64>) = line.points.iter().copied().unzip();
        for (values, (_, scale)) in [(xs, about.x), (ys, about.y)] {
            let (low, high) = scale.range();
            check_range(&values, low, high).map_err(cause)?;
        }
    }
    let dashed = Mark::Dashed(GREY);
    let mut legend: Vec<(Mark, String)> =
        lines.iter().zip(SERIES).map(|(line, colour)| (Mark::Line(colour), shortened(line.name))).collect();
    if let Some((name, value)) = level {
        let (low, high) = about.y.1.range();
        check_range(&[value], low, high)?;
        legend.push((dashed, shortened(name)));
    }
    let subtitle = shortened(about.subtitle);
    let frame = Frame { title: about.title, subtitle, legend, width: 1200, height: 860 };
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let x = about.x.1.axis(points().map(|(x, _)| x), about.x.0);
    let y = about.y.1.axis(points().map(|(_, y)| y).chain(level.map(|(_, value)| value)), about.y.0);
    frame.svg(|area| {
        let mut chart = chart(area, &x, &y)?;
        if let Some((_, value)) = level {
            draw_line(&mut chart, &[(x.low, value), (x.high, value)], dashed)?;
        }
        // The first line of the legend is drawn on top.
        let mut marked = lines.iter().zip(SERIES).rev();
        marked.try_for_each(|(line, colour)| draw_line(&mut chart, line.points, Mark::Line(colour)))
    })
}

impl Scale {
    fn range(self) -> (f64, f64) {
        match self {
            Self::Number => (-GREATEST, GREATEST),
            Self::Share => (0.0, 1.0),
        }
    }

    fn axis(self, values: impl Iterator<Item = f64>, name: &str) -> Axis {
        match self {
            Self::Number => Axis::of_values(values, name),
            Self::Share => Axis::shares((1.05 * values.fold(0.0, f64::max)).min(1.0), name),
        }
    }
}
