//! Colours, fonts and strokes. Plots are drawn at twice their size, since `plotters` draws on whole pixels.

use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// The palette of Okabe and Ito ("Color Universal Design", 2008), without yellow, which is hard to see on white.
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(super) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(super) const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const SKY: RGBColor = RGBColor(86, 180, 233);

/// Text, and the most important line.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// Subtitles and reference lines.
pub(super) const GREY: RGBColor = RGBColor(102, 102, 102);
/// The lines of the grid.
pub(super) const PALE: RGBColor = RGBColor(225, 225, 225);

/// Colours of several lines of equal importance.
pub(super) const SERIES: [RGBColor; 7] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, INK];

/// The maximum number of lists in a plot: one per distinguishable colour.
pub const MOST_LISTS: usize = SERIES.len();

pub(super) const LINE: u32 = 5;
pub(super) const THIN: u32 = 3;
/// A dash and the gap after it.
pub(super) const DASH: (u32, u32) = (14, 10);

/// The drawing crate divides font sizes by this.
const OF_FONTS: f64 = 1.24;
pub(super) const TITLE: f64 = 38.0 * OF_FONTS;
pub(super) const TEXT: f64 = 27.0 * OF_FONTS;
pub(super) const TICK: f64 = 24.0 * OF_FONTS;

pub(super) fn text(size: f64, colour: RGBColor) -> TextStyle<'static> {
    TextStyle { color: colour.to_backend_color(), ..("sans-serif", size).into_font().into() }
}

pub(super) fn bold(size: f64) -> TextStyle<'static> {
    TextStyle {
        color: INK.to_backend_color(),
        ..("sans-serif", size).into_font().style(FontStyle::Bold).into()
    }
}

pub(super) fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    colour.stroke_width(width)
}

/// A name in a plot: without characters that XML forbids, and shortened.
pub(super) fn shortened(name: &str) -> String {
    const LONGEST: usize = 46;
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut left = LONGEST;
    let mut text = String::new();
    for c in name.chars().map(|c| if is_allowed(c) { c } else { ' ' }) {
        // Characters after the Latin, Greek and Cyrillic ones may be twice as wide.
        let width = if c < '\u{1100}' { 1 } else { 2 };
        if width > left {
            text.push('…');
            break;
        }
        left -= width;
        text.push(c);
    }
    text
}
