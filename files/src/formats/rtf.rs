//! Rich Text Format: groups in braces, words that begin with a backslash, and text between them. Tables become Markdown; what is struck
//! or hidden, headers, footers, pictures and all groups that a reader may skip are left out.

use crate::error::FileError;
use crate::formats::block::Mark;
use crate::formats::blocks::Blocks;
use crate::formats::charset::in_code_page;
use crate::formats::table::Cell;

/// Groups that hold no text of the document.
const LEFT_OUT: [&str; 21] = [
    "annotation",
    "colortbl",
    "comment",
    "data",
    "datastore",
    "fldinst",
    "fonttbl",
    "footer",
    "footerf",
    "footerl",
    "footerr",
    "header",
    "headerf",
    "headerl",
    "headerr",
    "info",
    "listtable",
    "object",
    "pict",
    "stylesheet",
    "themedata",
];
/// The most groups in groups.
const MAX_DEPTH: usize = 1000;
const WESTERN: u32 = 1252;

/// What holds until the end of a group.
#[derive(Debug, Clone)]
struct Group {
    is_left_out: bool,
    is_struck: bool,
    is_hidden: bool,
    /// How many characters stand for one that is given by its number, for readers that do not know it.
    replacements: usize,
}

/// A piece of the format.
enum Token<'b> {
    Open,
    Close,
    Word {
        name: &'b str,
        value: Option<i32>,
    },
    /// A backslash and one character that is no letter.
    Symbol(u8),
    Byte(u8),
}

/// Returns the text of a document.
pub(crate) fn text(bytes: &[u8]) -> Result<String, FileError> {
    let mut reader = Reader::new();
    let mut rest = bytes.trim_ascii_start();
    while let Some(token) = next_token(&mut rest) {
        match token {
            Token::Open => reader.open(),
            Token::Close => reader.close(),
            Token::Word { name: "bin", value } => {
                // Bytes that are no tokens follow.
                let length = value.and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
                rest = rest.get(length..).unwrap_or_default();
            }
            Token::Word { name, value } => reader.word(name, value),
            Token::Symbol(b'\'') => {
                let code = rest.get(..2).and_then(|code| str::from_utf8(code).ok());
                if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
                    rest = &rest[2..];
                    reader.byte(byte);
                }
            }
            Token::Symbol(symbol) => reader.symbol(symbol),
            Token::Byte(byte) => reader.byte(byte),
        }
    }
    reader.end_table();
    Ok(reader.blocks.finish())
}

/// Takes the next token from the start of `rest`.
fn next_token<'b>(rest: &mut &'b [u8]) -> Option<Token<'b>> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    match first {
        b'{' => return Some(Token::Open),
        b'}' => return Some(Token::Close),
        b'\\' => {}
        byte => return Some(Token::Byte(*byte)),
    }
    let letters = after.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if letters == 0 {
        let (symbol, after) = after.split_first()?;
        *rest = after;
        return Some(Token::Symbol(*symbol));
    }
    let (name, after) = after.split_at(letters);
    let sign = usize::from(after.first() == Some(&b'-'));
    let digits = sign + after[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = if digits == sign { 0 } else { digits };
    let (number, after) = after.split_at(digits);
    // One space ends a word and is no text.
    *rest = after.strip_prefix(b" ").unwrap_or(after);
    Some(Token::Word { name: str::from_utf8(name).ok()?, value: str::from_utf8(number).ok()?.parse().ok() })
}

struct Reader {
    blocks: Blocks,
    group: Group,
    groups: Vec<Group>,
    /// How many groups are open beyond those that are kept.
    too_deep: usize,
    code_page: u32,
    /// How many characters are still to be skipped, since one was given by its number.
    to_skip: usize,
    /// The first half of a character beyond the first 65,536.
    first_half: Option<u16>,
    /// Whether the paragraph is in a row of a table.
    is_in_row: bool,
    has_cell: bool,
}

impl Reader {
    fn new() -> Self {
        Self {
            blocks: Blocks::default(),
            group: Group { is_left_out: false, is_struck: false, is_hidden: false, replacements: 1 },
            groups: Vec::new(),
            too_deep: 0,
            code_page: WESTERN,
            to_skip: 0,
            first_half: None,
            is_in_row: false,
            has_cell: false,
        }
    }

    fn open(&mut self) {
        self.to_skip = 0;
        if self.groups.len() < MAX_DEPTH {
            self.groups.push(self.group.clone());
        } else {
            self.too_deep += 1;
        }
    }

    fn close(&mut self) {
        self.to_skip = 0;
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(group) = self.groups.pop() {
            self.group = group;
        }
    }

    fn word(&mut self, name: &str, value: Option<i32>) {
        let is_on = value != Some(0);
        match name {
            "u" => return self.unit(value.unwrap_or(0)),
            "uc" => {
                self.group.replacements = value.and_then(|count| usize::try_from(count).ok()).unwrap_or(1)
            }
            "ansicpg" => self.code_page = value.and_then(|page| u32::try_from(page).ok()).unwrap_or(WESTERN),
            "strike" | "striked" => self.group.is_struck = is_on,
            "v" => self.group.is_hidden = is_on,
            "plain" => (self.group.is_struck, self.group.is_hidden) = (false, false),
            name if LEFT_OUT.contains(&name) => self.group.is_left_out = true,
            _ => {}
        }
        if !self.group.is_left_out {
            self.layout(name);
        }
    }

    /// Reads a word that ends something, or stands for a character.
    fn layout(&mut self, name: &str) {
        match name {
            "pard" => self.is_in_row = false,
            "intbl" => self.is_in_row = true,
            "par" | "sect" | "page" if self.is_in_row => self.blocks.break_line(),
            "par" | "sect" | "page" => {
                self.end_table();
                self.blocks.end();
            }
            "cell" => {
                self.begin_cell();
                self.blocks.end();
                self.has_cell = false;
            }
            "row" => {
                self.blocks.begin_row();
                self.has_cell = false;
            }
            "line" => self.blocks.break_line(),
            "bullet" => self.blocks.mark(Mark::Item { depth: 0, number: None }),
            _ => {
                if let Some(character) = character(name) {
                    self.push(character);
                }
            }
        }
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'*' => self.group.is_left_out = true,
            b'~' => self.push('\u{a0}'),
            b'_' => self.push('-'),
            b'\n' | b'\r' => self.word("par", None),
            b'\\' | b'{' | b'}' => self.push(char::from(symbol)),
            _ => {}
        }
    }

    fn byte(&mut self, byte: u8) {
        match byte {
            b'\n' | b'\r' | 0 => {}
            _ if self.to_skip > 0 => self.to_skip -= 1,
            _ => self.push(in_code_page(byte, self.code_page)),
        }
    }

    /// Reads a character, or one half of it, that is given by its number; halves are negative numbers, too.
    fn unit(&mut self, value: i32) {
        self.to_skip = self.group.replacements;
        let unit = value as u16;
        let halves = self.first_half.take().into_iter().chain([unit]);
        for character in char::decode_utf16(halves) {
            match character {
                Ok(character) => self.push_now(character),
                Err(half) => self.first_half = Some(half.unpaired_surrogate()),
            }
        }
    }

    fn push(&mut self, character: char) {
        self.first_half = None;
        self.push_now(character);
    }

    fn push_now(&mut self, character: char) {
        if self.group.is_left_out || self.group.is_struck || self.group.is_hidden {
            return;
        }
        self.begin_cell();
        self.blocks.push(character.encode_utf8(&mut [0; 4]));
    }

    /// Begins a cell, and a table, before the first character of a cell.
    fn begin_cell(&mut self) {
        if !self.is_in_row {
            return self.end_table();
        }
        if !self.blocks.in_table() {
            self.blocks.begin_table();
        }
        if !self.has_cell {
            self.blocks.begin_cell(Cell::default());
            self.has_cell = true;
        }
    }

    fn end_table(&mut self) {
        if self.blocks.in_table() {
            self.blocks.end_table();
            self.has_cell = false;
        }
    }
}

/// Returns the character that a word stands for.
fn character(name: &str) -> Option<char> {
    Some(match name {
        "tab" | "emspace" | "enspace" | "qmspace" => ' ',
        "emdash" => '—',
        "endash" => '–',
        "lquote" => '‘',
        "rquote" => '’',
        "ldblquote" => '“',
        "rdblquote" => '”',
        _ => return None,
    })
}
