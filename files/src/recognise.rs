//! What a file is, by its content. A text with some tags in it is plain text, and so is a pasted thread of mails.

use std::str;

use crate::error::FileError;
use crate::kind::Kind;
use crate::unicode::{ByteOrder, looks_like_utf16, utf8};

/// How a file is to be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form<'b> {
    Plain(&'b str),
    Utf16(ByteOrder),
    Markup(Markup),
}

/// A kind of document whose text is among other things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    Pdf,
    /// A Word document, unless its parts say something else.
    Zip,
    Html,
    Eml,
    Rtf,
}

impl Markup {
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Pdf => Kind::Pdf,
            Self::Zip => Kind::Docx,
            Self::Html => Kind::Html,
            Self::Eml => Kind::Eml,
            Self::Rtf => Kind::Rtf,
        }
    }
}

/// How far into a file the header of a PDF may be.
const PDF_HEADER_WITHIN: usize = 1024;
/// The headers that are counted in a mail.
const HEADERS: [&str; 6] = ["from", "to", "subject", "date", "mime-version", "received"];
/// The headers that programs write and people do not paste.
const WRITTEN_BY_PROGRAMS: [&str; 4] = ["mime-version", "received", "message-id", "content-type"];

/// Says how a file is to be read.
pub(crate) fn form_of(bytes: &[u8]) -> Result<Form<'_>, FileError> {
    match bytes {
        [0xff, 0xfe, ..] => return Ok(Form::Utf16(ByteOrder::Little)),
        [0xfe, 0xff, ..] => return Ok(Form::Utf16(ByteOrder::Big)),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => return Ok(Form::Markup(Markup::Zip)),
        _ if is_pdf(bytes) => return Ok(Form::Markup(Markup::Pdf)),
        _ if trimmed(bytes).starts_with(br"{\rtf") => return Ok(Form::Markup(Markup::Rtf)),
        _ => {}
    }
    if let Some(error) = unread(bytes) {
        return Err(error);
    }
    if is_html(bytes) {
        return Ok(Form::Markup(Markup::Html));
    }
    if is_mail(bytes) {
        return Ok(Form::Markup(Markup::Eml));
    }
    if looks_like_utf16(bytes) {
        return Err(FileError::Utf16WithoutMark);
    }
    match utf8(bytes) {
        Ok(text) => Ok(Form::Plain(text)),
        // Text in another encoding has no zero bytes.
        Err(_) if bytes.contains(&0) => Err(FileError::Binary),
        Err(error) => Err(error),
    }
}

/// Whether the header of a PDF is at the start of a file; other bytes may precede it, but not the text of a document that
/// is about PDF.
fn is_pdf(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(PDF_HEADER_WITHIN)];
    let Some(at) = find(start, b"%PDF-") else { return false };
    trimmed(&start[..at]).is_empty() || str::from_utf8(bytes).is_err()
}

/// Returns why a file that is known by its first bytes is not read.
fn unread(bytes: &[u8]) -> Option<FileError> {
    let image = |format| Some(FileError::Image { format });
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => image("PNG"),
        [0xff, 0xd8, 0xff, ..] => image("JPEG"),
        [b'G', b'I', b'F', b'8', ..] => image("GIF"),
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => image("TIFF"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => image("WebP"),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => Some(FileError::Unread {
            what: "an old Office file (.doc, .xls, .ppt), or one with a password",
            export: "PDF or .docx without a password",
        }),
        _ => None,
    }
}

/// Whether a page begins: with a doctype or one of the elements that are around everything else.
fn is_html(bytes: &[u8]) -> bool {
    let mut rest = trimmed(bytes);
    // A declaration of XML and comments may come before.
    for (begin, end) in [("<?xml", "?>"), ("<!--", "-->"), ("<!--", "-->")] {
        if rest.starts_with(begin.as_bytes())
            && let Some(at) = find(rest, end.as_bytes())
        {
            rest = trimmed(&rest[at + end.len()..]);
        }
    }
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| {
        let (Some(start), Some(after)) = (rest.get(..tag.len()), rest.get(tag.len())) else { return false };
        start.eq_ignore_ascii_case(tag.as_bytes()) && (*after == b'>' || after.is_ascii_whitespace())
    })
}

/// Whether a mail begins: a block of headers, at least three of which are known, one of them written by a program.
fn is_mail(bytes: &[u8]) -> bool {
    let mut known: Vec<&str> = Vec::new();
    let mut by_program = false;
    for line in bytes[..bytes.len().min(64 * 1024)].split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(first) = line.first() else { break };
        if matches!(first, b' ' | b'\t') {
            continue;
        }
        let Some(name) = header_name(line) else { return false };
        let is = |header: &&&str| name.eq_ignore_ascii_case(header);
        known.extend(HEADERS.iter().find(is));
        by_program |= WRITTEN_BY_PROGRAMS.iter().find(is).is_some();
    }
    known.sort_unstable();
    known.dedup();
    known.len() >= 3 && by_program
}

/// Returns the name of a header: printable characters without spaces, up to a colon.
fn header_name(line: &[u8]) -> Option<&str> {
    let name = &line[..line.iter().position(|byte| *byte == b':')?];
    let printable = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    printable.then(|| str::from_utf8(name).ok()).flatten()
}

/// Returns bytes without white space and the mark of UTF-8 at their start.
fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start()
}

/// Returns where `needle` first is.
pub(crate) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}
