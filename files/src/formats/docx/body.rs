//! A part of a Word document that has text, which is its body or its notes: paragraphs, items and tables in order. Deleted, struck and
//! hidden text is left out.

use std::collections::HashMap;
use std::mem;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::styles::{Styles, attribute};
use crate::error::FileError;
use crate::formats::block::Mark;
use crate::formats::blocks::Blocks;
use crate::formats::table::Cell;
use crate::kind::Kind;

/// Elements that are left out with everything in them: what was deleted or moved away, how a paragraph looked before a change, and
/// what other programs show in the place of a drawing.
const LEFT_OUT: [&str; 5] = ["del", "moveFrom", "pPrChange", "rPrChange", "Fallback"];

/// A mention of a note in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Mention {
    is_endnote: bool,
    id: String,
}

/// What a part says.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) blocks: Blocks,
    /// The notes that are mentioned, in order.
    pub(super) mentions: Vec<Mention>,
    /// The notes that are in this part.
    pub(super) notes: HashMap<Mention, String>,
}

/// Reads a part.
pub(super) fn read_body(xml: &str, styles: &Styles) -> Result<Body, FileError> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut walk =
        Walk { body: Body::default(), styles, left_out: 0, is_text: false, is_shown: true, note: None };
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if walk.left_out > 0 || LEFT_OUT.contains(&tag.local_name().as_ref()) => {
                walk.left_out += 1;
            }
            Ok(Event::Start(tag)) => walk.start(&tag),
            Ok(Event::End(_)) if walk.left_out > 0 => walk.left_out -= 1,
            Ok(Event::End(tag)) => walk.end(tag.local_name().as_ref()),
            Ok(Event::Text(text)) => walk.characters(&text),
            Ok(Event::CData(text)) => walk.characters(&text),
            Ok(Event::GeneralRef(reference)) => walk.characters(&referenced(&reference)),
            Ok(Event::Eof) => return Ok(walk.body),
            Ok(_) => {}
            Err(_) => return Err(FileError::Damaged { kind: Kind::Docx }),
        }
    }
}

/// Where the reading of a part stands.
struct Walk<'s> {
    body: Body,
    styles: &'s Styles,
    /// How many elements are open in, and with, the one that is left out.
    left_out: usize,
    /// Whether characters are text, not space between tags.
    is_text: bool,
    /// Whether the run is neither struck nor hidden.
    is_shown: bool,
    /// The note that is open.
    note: Option<Mention>,
}

impl Walk<'_> {
    fn start(&mut self, tag: &BytesStart<'_>) {
        let blocks = &mut self.body.blocks;
        match tag.local_name().as_ref() {
            "p" => blocks.begin(Mark::Paragraph),
            "pStyle" => blocks.mark(self.styles.mark(&attribute(tag, "val").unwrap_or_default())),
            "numPr" => blocks.make_item(),
            "ilvl" => {
                blocks.set_depth(attribute(tag, "val").and_then(|level| level.parse().ok()).unwrap_or(0))
            }
            "r" => self.is_shown = true,
            "strike" | "dstrike" | "vanish" if is_on(tag) => self.is_shown = false,
            "t" => self.is_text = true,
            "tab" => blocks.push(" "),
            "br" | "cr" => blocks.break_line(),
            "noBreakHyphen" => blocks.push("-"),
            "tbl" => blocks.begin_table(),
            "tr" => blocks.begin_row(),
            "tc" => blocks.begin_cell(Cell::default()),
            "gridSpan" => {
                let columns: usize = attribute(tag, "val").and_then(|value| value.parse().ok()).unwrap_or(1);
                self.change_cell(|cell| cell.further_columns = columns.saturating_sub(1));
            }
            "vMerge" if attribute(tag, "val").is_none_or(|value| value == "continue") => {
                self.change_cell(|cell| cell.continues = true);
            }
            "footnoteReference" | "endnoteReference" => self.body.mentions.extend(mention(tag)),
            "footnote" | "endnote" => self.note = mention(tag),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.is_text = false,
            "p" => self.body.blocks.end(),
            "tbl" => self.body.blocks.end_table(),
            "footnote" | "endnote" => {
                let text = mem::take(&mut self.body.blocks).finish();
                self.body.notes.extend(self.note.take().map(|note| (note, text.trim().to_owned())));
            }
            _ => {}
        }
    }

    fn characters(&mut self, text: &str) {
        if self.left_out == 0 && self.is_text && self.is_shown {
            self.body.blocks.push(text);
        }
    }

    fn change_cell(&mut self, change: impl FnOnce(&mut Cell)) {
        if let Some(cell) = self.body.blocks.open_cell() {
            change(cell);
        }
    }
}

/// Returns the note that an element is, or mentions.
fn mention(tag: &BytesStart<'_>) -> Option<Mention> {
    let is_endnote = tag.local_name().as_ref().starts_with("endnote");
    attribute(tag, "id").map(|id| Mention { is_endnote, id })
}

/// Whether a property of a run is on; without a value it is.
fn is_on(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "val").is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off"))
}

/// Returns the character that a reference such as `&amp;` or `&#8211;` stands for.
fn referenced(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    quick_xml::escape::resolve_xml_entity(reference).unwrap_or_default().to_owned()
}
