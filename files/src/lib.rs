//! Documents as people have them in files: bytes in, text out. What a file is follows from its content, never from its name.
//! Nothing is read from disk, nothing is printed, and no input makes it panic or use memory without a bound.

mod error;
#[cfg(feature = "formats")]
mod formats;
mod kind;
mod limits;
mod recognise;
mod unicode;

pub use self::error::FileError;
pub use self::kind::Kind;
pub use self::limits::MAX_CHARACTERS;
use self::recognise::{Form, Markup, form_of};

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
    match form_of(bytes)? {
        Form::Plain(text) => Ok(Text { kind: Kind::Plain, text: text.to_owned() }),
        Form::Utf16(order) => Ok(Text { kind: Kind::Utf16, text: unicode::utf16(&bytes[2..], order)? }),
        Form::Markup(markup) => marked_up(bytes, markup),
    }
}

/// Reads a document with markup.
#[cfg(feature = "formats")]
fn marked_up(bytes: &[u8], markup: Markup) -> Result<Text, FileError> {
    let (kind, text) = (markup.kind(), formats::text(bytes, markup)?);
    match text.chars().nth(MAX_CHARACTERS) {
        Some(_) => Err(FileError::TooLong { kind }),
        None => Ok(Text { kind, text }),
    }
}

/// Refuses a document with markup, which this build does not read.
#[cfg(not(feature = "formats"))]
fn marked_up(_: &[u8], markup: Markup) -> Result<Text, FileError> {
    Err(FileError::NotBuilt { kind: markup.kind() })
}
