//! A page of HTML as Markdown: what a reader sees of it, without scripts, styles, navigation, controls, hidden and struck text.
//! It is read tag by tag, as they come; that a tag is missing is no error, as in a browser.

use html5gum::{StartTag, State, Token, Tokenizer};

use crate::error::FileError;
use crate::formats::block::Mark;
use crate::formats::blocks::Blocks;
use crate::formats::charset::in_charset;
use crate::formats::table::Cell;
use crate::unicode::utf8;

/// Elements that are left out with everything in them.
const LEFT_OUT: [&str; 24] = [
    "audio", "button", "canvas", "datalist", "del", "dialog", "head", "iframe", "math", "nav", "noembed",
    "noframes", "noscript", "object", "s", "script", "select", "strike", "style", "svg", "template",
    "textarea", "title", "video",
];
/// Elements without content, whose end is not waited for.
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
/// Elements that stand alone.
const BLOCKS: [&str; 24] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "legend",
    "main",
    "p",
    "section",
    "summary",
];
/// The text of an image that has as many words is a sentence of its own; a shorter one, such as an emoji, belongs to its line.
const WORDS_OF_A_CAPTION: usize = 4;

/// Returns the characters of a page: UTF-8, or what the page itself says in a `meta`.
pub(crate) fn decoded(bytes: &[u8]) -> Result<String, FileError> {
    let not_utf8 = match utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).to_ascii_lowercase();
    let charset = start.split_once("charset=").map(|(_, after)| {
        let after = after.trim_start_matches(['"', '\'']);
        after.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)).next().unwrap_or("")
    });
    charset.and_then(|charset| in_charset(bytes, charset)).ok_or(not_utf8)
}

/// Returns the text of a page.
pub(crate) fn text(page: &str) -> Result<String, FileError> {
    let mut reader = Reader::default();
    let mut tokens = Tokenizer::new(page);
    while let Some(Ok(token)) = tokens.next() {
        match token {
            Token::StartTag(tag) => {
                // What is in these is no markup.
                match tag.name.as_slice() {
                    b"script" => tokens.set_state(State::ScriptData),
                    b"style" | b"iframe" | b"noembed" | b"noframes" | b"noscript" => {
                        tokens.set_state(State::RawText)
                    }
                    b"title" | b"textarea" => tokens.set_state(State::RcData),
                    _ => {}
                }
                reader.start(&tag);
            }
            Token::EndTag(tag) => reader.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => reader.characters(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Ok(reader.blocks.finish())
}

/// A list that is open.
#[derive(Debug)]
struct List {
    /// The number of its next item, if its items have numbers.
    number: Option<usize>,
}

/// An element that is left out: its name, and how many of this name are open.
#[derive(Debug)]
struct LeftOut {
    name: String,
    open: usize,
}

impl LeftOut {
    /// Whether it ends without a tag of its own, since this element cannot be in it.
    fn is_ended_by(&self, name: &str) -> bool {
        match self.name.as_str() {
            "head" => name == "body",
            "p" => BLOCKS.contains(&name) || name == "table" || name == "ul" || name == "ol",
            _ => false,
        }
    }
}

#[derive(Debug, Default)]
struct Reader {
    blocks: Blocks,
    lists: Vec<List>,
    left_out: Option<LeftOut>,
    /// How many elements are open that keep their white space.
    preformatted: usize,
}

impl Reader {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let is_void = tag.self_closing || VOID.contains(&name.as_str());
        if let Some(left_out) = &mut self.left_out {
            left_out.open += usize::from(left_out.name == name && !is_void);
            if !left_out.is_ended_by(&name) {
                return;
            }
            self.left_out = None;
        }
        if !is_void && (LEFT_OUT.contains(&name.as_str()) || is_hidden(tag)) {
            self.left_out = Some(LeftOut { name, open: 1 });
            return;
        }
        match name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.blocks.begin(Mark::Heading(usize::from(name.as_bytes()[1] - b'0')));
            }
            "ul" | "menu" => self.begin_list(None),
            "ol" => self
                .begin_list(Some(attribute(tag, "start").and_then(|start| start.parse().ok()).unwrap_or(1))),
            "li" => self.begin_item(),
            "table" => self.blocks.begin_table(),
            "tr" => self.blocks.begin_row(),
            "td" | "th" => self.blocks.begin_cell(Cell {
                further_columns: span(tag, "colspan"),
                further_rows: span(tag, "rowspan"),
                ..Cell::default()
            }),
            "br" => self.blocks.break_line(),
            "img" => self.image(tag),
            "pre" => {
                self.blocks.end();
                self.preformatted += 1;
            }
            name if BLOCKS.contains(&name) => self.blocks.end(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(left_out) = &mut self.left_out {
            left_out.open -= usize::from(left_out.name == name);
            if left_out.open == 0 {
                self.left_out = None;
            }
            return;
        }
        match name {
            "ul" | "menu" | "ol" => {
                self.blocks.begin(Mark::Paragraph);
                self.lists.pop();
            }
            "li" => self.blocks.begin(Mark::Paragraph),
            "table" => self.blocks.end_table(),
            "pre" => {
                self.blocks.end();
                self.preformatted = self.preformatted.saturating_sub(1);
            }
            "td" | "th" | "tr" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.blocks.end(),
            name if BLOCKS.contains(&name) => self.blocks.end(),
            _ => {}
        }
    }

    fn characters(&mut self, text: &str) {
        if self.left_out.is_some() {
            return;
        }
        // Marks of where a word may break, and what fills the previews of mails.
        let text = text.replace(['\u{ad}', '\u{200b}', '\u{200c}', '\u{2060}', '\u{feff}'], "");
        match self.preformatted {
            0 => self.blocks.push(&text),
            _ => self.blocks.push_as_is(&text),
        }
    }

    fn begin_list(&mut self, number: Option<usize>) {
        self.blocks.end();
        self.lists.push(List { number });
    }

    fn begin_item(&mut self) {
        let depth = self.lists.len().saturating_sub(1);
        let number = self.lists.last().and_then(|list| list.number);
        if let Some(next) = self.lists.last_mut().and_then(|list| list.number.as_mut()) {
            *next = next.saturating_add(1);
        }
        self.blocks.begin(Mark::Item { depth, number });
    }

    /// Reads what an image shows, as its author says it.
    fn image(&mut self, tag: &StartTag<()>) {
        let Some(text) = attribute(tag, "alt") else { return };
        if text.split_whitespace().count() < WORDS_OF_A_CAPTION {
            self.blocks.push(&text);
            return;
        }
        self.blocks.end();
        self.blocks.push(&text);
        self.blocks.end();
    }
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned())
}

/// Whether an element is not shown.
fn is_hidden(tag: &StartTag<()>) -> bool {
    let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    tag.attributes.contains_key(b"hidden".as_slice())
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

/// Returns how many further columns or rows a cell spans.
fn span(tag: &StartTag<()>, name: &str) -> usize {
    let cells: usize = attribute(tag, name).and_then(|value| value.trim().parse().ok()).unwrap_or(1);
    cells.saturating_sub(1)
}
