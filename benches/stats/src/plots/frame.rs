//! The frame of every plot: title, subtitle, legend and below them the drawing with its axes; and the text of the SVG, with
//! a title for screen readers.

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::{Color, RGBColor, WHITE};

use super::axis::Axis;
use super::error::PlotError;
use super::style::{DASH, GREY, INK, LINE, PALE, TEXT, THIN, TICK, TITLE, bold, stroke, text};

pub(super) type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;
pub(super) type Chart<'c, 's> = ChartContext<'c, SVGBackend<'s>, Cartesian2d<Axis, Axis>>;

const MARGIN: i32 = 36;
const TITLE_HEIGHT: i32 = 56;
const SUBTITLE_HEIGHT: i32 = 54;
const LEGEND_HEIGHT: i32 = 44;
/// The top of the legend.
const LEGEND: i32 = MARGIN + TITLE_HEIGHT + SUBTITLE_HEIGHT;
const LEFT_OF_AXIS: u32 = 130;
const BELOW_AXIS: u32 = 104;

/// The style of a series.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mark {
    Line(RGBColor),
    Dashed(RGBColor),
    Filled(RGBColor),
    Dot(RGBColor),
}

/// Title and legend above a drawing, and its size.
pub(super) struct Frame {
    pub(super) title: &'static str,
    pub(super) subtitle: String,
    pub(super) legend: Vec<(Mark, String)>,
    /// The width of the drawing with its axes.
    pub(super) width: u32,
    /// The height of the drawing with its axes.
    pub(super) height: u32,
}

impl Frame {
    /// The SVG of the plot; `draw` draws into the area below the legend.
    pub(super) fn svg(
        &self,
        draw: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
    ) -> Result<String, PlotError> {
        let above = LEGEND + LEGEND_HEIGHT * self.legend.len() as i32 + MARGIN / 3;
        let (width, height) = (self.width, self.height + above as u32);
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
            root.fill(&WHITE)?;
            let (head, body) = root.split_vertically(above);
            self.draw_head(&head)?;
            draw(&body)?;
            root.present()?;
        }
        Ok(self.described(&svg, width, height))
    }

    fn draw_head(&self, head: &Area<'_>) -> Result<(), PlotError> {
        head.draw_text(self.title, &bold(TITLE), (MARGIN, MARGIN))?;
        head.draw_text(&self.subtitle, &text(TEXT, GREY), (MARGIN, MARGIN + TITLE_HEIGHT))?;
        for (row, (mark, name)) in (0..).zip(&self.legend) {
            let top = LEGEND + LEGEND_HEIGHT * row;
            draw_mark(head, *mark, top + 13)?;
            head.draw_text(name, &text(TEXT, INK), (MARGIN + 74, top))?;
        }
        Ok(())
    }

    /// The SVG at half the size, with its title for screen readers.
    fn described(&self, svg: &str, width: u32, height: u32) -> String {
        let body = svg.split_once('>').map_or("", |(_, body)| body);
        let escaped: String = self.subtitle.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\">\n<title>{}. {escaped}</title>{body}",
            width / 2,
            height / 2,
            self.title
        )
    }
}

/// The mark of a series in the legend.
fn draw_mark(head: &Area<'_>, mark: Mark, y: i32) -> Result<(), PlotError> {
    let (left, right) = (MARGIN, MARGIN + 56);
    match mark {
        Mark::Line(colour) => {
            head.draw(&PathElement::new([(left, y), (right, y)], stroke(colour, LINE)))?;
        }
        Mark::Dashed(colour) => {
            for (from, to) in [(left, left + 14), (left + 21, left + 35), (left + 42, right)] {
                head.draw(&PathElement::new([(from, y), (to, y)], stroke(colour, LINE)))?;
            }
        }
        Mark::Filled(colour) => {
            let corners = [(left, y - 12), (right, y + 12)];
            head.draw(&Rectangle::new(corners, colour.mix(0.3).filled()))?;
            head.draw(&Rectangle::new(corners, stroke(colour, THIN)))?;
        }
        Mark::Dot(colour) => head.draw(&Circle::new(((left + right) / 2, y), 10, colour.filled()))?,
    }
    Ok(())
}

/// Axes and grid.
pub(super) fn chart<'c, 's>(area: &'c Area<'s>, x: &Axis, y: &Axis) -> Result<Chart<'c, 's>, PlotError> {
    let below = if x.name.is_empty() { 0 } else { BELOW_AXIS };
    let mut chart = ChartBuilder::on(area)
        .margin_right(MARGIN + 20)
        .margin_left(MARGIN / 2)
        .margin_top(MARGIN / 2)
        .margin_bottom(MARGIN / 2)
        .x_label_area_size(below)
        .y_label_area_size(LEFT_OF_AXIS)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .bold_line_style(stroke(PALE, 2))
        .axis_style(stroke(GREY, 2))
        .set_all_tick_mark_size(10)
        .label_style(text(TICK, INK))
        .axis_desc_style(text(TEXT, INK))
        .x_desc(x.name.as_str())
        .y_desc(y.name.as_str())
        .draw()?;
    Ok(chart)
}

/// A line through points.
pub(super) fn draw_line(
    chart: &mut Chart<'_, '_>,
    points: &[(f64, f64)],
    mark: Mark,
) -> Result<(), PlotError> {
    let points = distinct(points, chart);
    match mark {
        Mark::Dashed(colour) => {
            let dashes = DashedLineSeries::new(points, DASH.0, DASH.1, stroke(colour, LINE - 1));
            chart.draw_series(dashes)?;
        }
        Mark::Line(colour) | Mark::Filled(colour) | Mark::Dot(colour) => {
            chart.draw_series(LineSeries::new(points, stroke(colour, LINE)))?;
        }
    }
    Ok(())
}

/// The points without those that are drawn at the same pixel as the one before.
fn distinct(points: &[(f64, f64)], chart: &Chart<'_, '_>) -> Vec<(f64, f64)> {
    let mut points = points.to_vec();
    points.dedup_by_key(|point| chart.backend_coord(point));
    points
}
