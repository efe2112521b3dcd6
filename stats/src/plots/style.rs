//! Colours, fonts and strokes. Pictures are drawn at twice the size at which they are shown, since `plotters` draws on
//! whole pixels.

use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// The palette of Okabe and Ito ("Color Universal Design", 2008), without its yellow, which is lost on white.
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(super) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(super) const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const SKY: RGBColor = RGBColor(86, 180, 233);

/// Text, and the line that matters most.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// What is said beside, and lines of reference.
pub(super) const GREY: RGBColor = RGBColor(102, 102, 102);
/// The lines of the grid.
pub(super) const PALE: RGBColor = RGBColor(225, 225, 225);

/// Colours of several lines of equal standing.
pub(super) const SERIES: [RGBColor; 7] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, INK];

pub(super) const LINE: u32 = 5;
pub(super) const THIN: u32 = 3;
/// A dash, and the gap behind it.
pub(super) const DASH: (u32, u32) = (14, 10);

/// The drawing crate writes sizes of fonts divided by this.
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

/// A name in a picture: without what XML does not have, and not longer than there is room for.
pub(super) fn shortened(name: &str) -> String {
    const ROOM: usize = 46;
    let is_allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut room = ROOM;
    let mut text = String::new();
    for c in name.chars().map(|c| if is_allowed(c) { c } else { ' ' }) {
        // What is no Latin, Greek or Cyrillic letter may be twice as wide.
        let width = if c < '\u{1100}' { 1 } else { 2 };
        if width > room {
            text.push('…');
            break;
        }
        room -= width;
        text.push(c);
    }
    text
}
