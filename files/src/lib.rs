//! Documents as people have them in files: bytes in, text out. What a file is follows from its content, never from its name.
//! Nothing is read from disk, nothing is printed, and no input makes it panic or use memory without a bound.

mod blocks;
mod docx;
mod error;
mod html;
mod mail;
mod pdf;
mod recognise;
mod rtf;
mod table;
mod unicode;

use std::fmt;

use serde::Serialize;

pub use self::error::FileError;
use self::recognise::{Form, form_of};

/// The most characters that a document may have once it is read. Plain text has no such limit.
pub const MAX_CHARACTERS: usize = 2_000_000;

/// What a file was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// UTF-8 text, as it is.
    Plain,
    /// UTF-16 text with a byte order mark.
    Utf16,
    /// A PDF with a text layer.
    Pdf,
    /// A Word document.
    Docx,
    /// A page of HTML, as Markdown.
    Html,
    /// A mail with its headers.
    Eml,
    /// Rich Text Format.
    Rtf,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain text",
            Self::Utf16 => "UTF-16 text",
            Self::Pdf => "PDF",
            Self::Docx => "Word document",
            Self::Html => "HTML",
            Self::Eml => "mail",
            Self::Rtf => "RTF",
        })
    }
}

/// What a file may be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReadAs {
    /// What its content says that it is.
    #[default]
    Auto,
    /// UTF-8 text, whatever it looks like.
    Text,
}

/// A document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it was read as.
    pub kind: Kind,
    /// The text; of plain text every character.
    pub text: String,
}

/// Reads a file.
///
/// # Errors
/// If it has no text that could be read: the message says what it is and what to do.
pub fn read(bytes: &[u8], read_as: ReadAs) -> Result<Text, FileError> {
    if read_as == ReadAs::Text {
        return Ok(Text { kind: Kind::Plain, text: unicode::utf8(bytes)?.to_owned() });
    }
    let (kind, text) = match form_of(bytes)? {
        Form::Plain(text) => return Ok(Text { kind: Kind::Plain, text: text.to_owned() }),
        Form::Utf16(order) => (Kind::Utf16, unicode::utf16(&bytes[2..], order)?),
        Form::Pdf => (Kind::Pdf, pdf::text(bytes)?),
        Form::Zip => (Kind::Docx, docx::text(bytes)?),
        Form::Html => (Kind::Html, html::text(&html::decoded(bytes)?)?),
        Form::Eml => (Kind::Eml, mail::text(bytes)?),
        Form::Rtf => (Kind::Rtf, rtf::text(bytes)?),
    };
    match text.chars().nth(MAX_CHARACTERS) {
        Some(_) => Err(FileError::TooLong { kind }),
        None => Ok(Text { kind, text }),
    }
}
