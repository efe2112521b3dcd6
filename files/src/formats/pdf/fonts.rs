//! The fonts of a PDF: which codes a string has, which text each code is, and how wide it is.

use std::collections::HashMap;

use hayro_cmap::{BfString, CMap};
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream};

use super::encodings::{Encoding, named_glyph, standard_width};
use super::stream::decoded;
use crate::error::FileError;

/// The width of a character whose font does not say it, in thousandths of the size.
const WIDTH: f32 = 500.0;

/// A font, as far as text needs it.
#[derive(Debug)]
pub(super) struct Font {
    /// Whether a code has two bytes.
    is_composite: bool,
    to_unicode: Option<CMap>,
    /// The text of the codes of a font whose codes have one byte.
    texts: Vec<Option<String>>,
    widths: HashMap<u32, f32>,
    default_width: Option<f32>,
    name: String,
}

/// A code of a string, as it is shown.
#[derive(Debug)]
pub(super) struct Glyph {
    /// Empty if nobody knows what it stands for.
    pub(super) text: String,
    /// Relative to the size.
    pub(super) width: f32,
    /// Whether the space between words is added after it.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn new(font: &Dict<'_>) -> Result<Self, FileError> {
        let to_unicode = match font.get::<Stream<'_>>("ToUnicode") {
            Some(stream) => decoded(&stream)?.and_then(|data| CMap::parse(&data, |_| None)),
            None => None,
        };
        let is_composite = font.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Type0");
        let name = font.get::<Name<'_>>("BaseFont").map(|name| name.as_str().to_owned()).unwrap_or_default();
        let mut new = Self {
            is_composite,
            to_unicode,
            texts: Vec::new(),
            widths: HashMap::new(),
            default_width: None,
            name,
        };
        if is_composite {
            let descendant =
                font.get::<Array<'_>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
            new.read_composite_widths(&descendant.unwrap_or_default());
        } else {
            new.texts = texts_of_codes(font);
            new.read_simple_widths(font);
        }
        Ok(new)
    }

    /// Returns the glyphs of a string.
    pub(super) fn glyphs(&self, string: &[u8]) -> Vec<Glyph> {
        let code_bytes = if self.is_composite { 2 } else { 1 };
        let codes = string.chunks_exact(code_bytes);
        codes.map(|code| self.glyph(code.iter().fold(0, |code, byte| code << 8 | u32::from(*byte)))).collect()
    }

    fn glyph(&self, code: u32) -> Glyph {
        let mapped =
            self.to_unicode.as_ref().and_then(|map| map.lookup_bf_string(code)).map(|text| match text {
                BfString::Char(character) => character.to_string(),
                BfString::String(text) => text,
            });
        let encoded = || self.texts.get(code as usize).cloned().flatten();
        // A map may say that a code is the character of number 0.
        let text = mapped.filter(|text| !text.contains('\0')).or_else(encoded).unwrap_or_default();
        let width = self
            .widths
            .get(&code)
            .copied()
            .or(self.default_width)
            .unwrap_or_else(|| text.chars().map(|character| standard_width(&self.name, character)).sum());
        Glyph { text, width: width / 1000.0, is_space: !self.is_composite && code == 32 }
    }

    fn read_simple_widths(&mut self, font: &Dict<'_>) {
        let Some(widths) = font.get::<Array<'_>>("Widths") else { return };
        let first = font.get::<i32>("FirstChar").and_then(|first| u32::try_from(first).ok()).unwrap_or(0);
        // A Type 3 font has units of its own.
        let matrix = font.get::<Array<'_>>("FontMatrix").and_then(|matrix| matrix.iter::<Number>().next());
        let unit = matrix.map_or(1.0, |scale| scale.as_f32() * 1000.0);
        self.default_width = Some(WIDTH);
        self.widths.extend((first..=255).zip(widths.iter::<Number>().map(|width| width.as_f32() * unit)));
    }

    /// Reads the widths of a font of two bytes: `first [width ...]` or `first last width`, any number of times.
    fn read_composite_widths(&mut self, font: &Dict<'_>) {
        self.default_width = Some(font.get::<Number>("DW").map_or(1000.0, |width| width.as_f32()));
        let Some(widths) = font.get::<Array<'_>>("W") else { return };
        let mut items = widths.iter::<Object<'_>>();
        while let (Some(Object::Number(first)), Some(next)) = (items.next(), items.next()) {
            let first = first.as_i64().clamp(0, 0xffff) as u32;
            match (next, &mut items) {
                (Object::Array(list), _) => {
                    self.widths
                        .extend((first..=0xffff).zip(list.iter::<Number>().map(|width| width.as_f32())));
                }
                (Object::Number(last), items) => {
                    let Some(Object::Number(width)) = items.next() else { return };
                    let last = last.as_i64().clamp(0, 0xffff) as u32;
                    self.widths.extend((first..=last).map(|code| (code, width.as_f32())));
                }
                _ => return,
            }
        }
    }
}

/// Returns the text of each code of one byte: what the font's encoding and its differences say.
fn texts_of_codes(font: &Dict<'_>) -> Vec<Option<String>> {
    let named = font.get::<Name<'_>>("Encoding").and_then(|name| Encoding::named(&name));
    let own = font.get::<Dict<'_>>("Encoding");
    let base = own
        .as_ref()
        .and_then(|own| own.get::<Name<'_>>("BaseEncoding"))
        .and_then(|name| Encoding::named(&name));
    let is_true_type = font.get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"TrueType");
    let default = if is_true_type { Encoding::Windows } else { Encoding::Standard };
    let encoding = named.or(base).unwrap_or(default);
    let mut texts: Vec<Option<String>> =
        (0..=255).map(|code| encoding.character(code).map(String::from)).collect();
    let differences = own.and_then(|own| own.get::<Array<'_>>("Differences"));
    let mut code = 0;
    for item in differences.iter().flat_map(|differences| differences.iter::<Object<'_>>()) {
        match item {
            Object::Number(number) => code = usize::try_from(number.as_i64()).unwrap_or(usize::MAX),
            Object::Name(name) => {
                if let Some(text) = texts.get_mut(code) {
                    *text = named_glyph(name.as_str());
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    texts
}
