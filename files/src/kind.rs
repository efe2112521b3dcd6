//! The kinds of files whose text is read, as people call them.

use std::fmt;

use serde::Serialize;

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
