//! Why a file cannot be read. Each message follows the file's name: it says what the file is, and what to do.

use crate::kind::Kind;

/// A file has no text that could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// A PDF whose pages are pictures.
    #[error(
        "has no text layer: it is scanned; run it through text recognition (OCR) first, such as ocrmypdf"
    )]
    Scanned,
    /// A PDF whose fonts have their own numbers for characters and do not say which they are.
    #[error(
        "has text in fonts that do not say which characters they show: run it through text recognition (OCR) first, such as ocrmypdf --force-ocr"
    )]
    Unmapped,
    /// A PDF that needs a password.
    #[error("is an encrypted PDF: save it without a password first, such as by `qpdf --decrypt`")]
    Encrypted,
    /// A PDF or a Word document that cannot be read to its end.
    #[error("is a damaged {kind}: open it in its program and save it again, or get the file once more")]
    Damaged {
        /// What it would be.
        kind: Kind,
    },
    /// A document that only other builds read.
    #[error(
        "looks like {kind}, which this build does not read: use one with the feature `files`, or convert it to text"
    )]
    NotBuilt {
        /// What it would be.
        kind: Kind,
    },
    /// A picture.
    #[error("is an image ({format}): run it through text recognition (OCR) first, such as tesseract")]
    Image {
        /// The picture's format.
        format: &'static str,
    },
    /// A document of a kind that is not read.
    #[error("is {what}: export it as {export} first")]
    Unread {
        /// What it is.
        what: &'static str,
        /// What it can be exported as.
        export: &'static str,
    },
    /// A ZIP archive that is no document.
    #[error("is a ZIP archive: give the documents in it as files of their own")]
    Zip,
    /// UTF-16 text that does not say so.
    #[error("is UTF-16 text without a byte order mark: convert it to UTF-8 first")]
    Utf16WithoutMark,
    /// UTF-16 text with half a character.
    #[error("is not valid UTF-16 text (byte {byte}): convert it to UTF-8 first")]
    NotUtf16 {
        /// Where it is wrong.
        byte: usize,
    },
    /// Bytes that are no text.
    #[error("is a binary file: give a text, or the document as PDF, Word, HTML, RTF or mail (.eml)")]
    Binary,
    /// Text in an unknown encoding.
    #[error("line {line} is not UTF-8 text (byte {byte}): convert it to UTF-8 first")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
        /// The byte, from 0.
        byte: usize,
    },
    /// A part of a file inflates to more than anyone would read.
    #[error(
        "inflates to more than {megabytes} MB when it is read as {kind}: give its text as a file of its own"
    )]
    Inflates {
        /// What it is.
        kind: Kind,
        /// The limit.
        megabytes: usize,
    },
    /// More text than a document may have.
    #[error("has more than {} characters when it is read as {kind}: split it", crate::limits::MAX_CHARACTERS)]
    TooLong {
        /// What it is.
        kind: Kind,
    },
}

impl FileError {
    /// The message with the file's name.
    #[must_use]
    pub fn of(&self, file: &str) -> String {
        match self {
            Self::NotUtf8 { .. } => format!("{file}: {self}"),
            _ => format!("{file} {self}"),
        }
    }
}
