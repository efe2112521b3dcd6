//! What a ZIP is that is no Word document.

use crate::error::FileError;
use crate::kind::Kind;
use crate::recognise::find;

/// A part that says what a ZIP is, what that is, and as what it can be exported.
const ZIPS: [(&str, &str, &str); 5] = [
    ("xl/workbook.xml", "an Excel workbook", "CSV or PDF"),
    ("xl/workbook.bin", "an Excel workbook", "CSV or PDF"),
    ("ppt/presentation.xml", "a PowerPoint presentation", "PDF"),
    ("content.xml", "an OpenDocument file", ".docx or PDF"),
    ("META-INF/container.xml", "an e-book (EPUB)", "PDF or HTML"),
];

/// The error for a ZIP that is no Word document; `has` says which parts it has.
pub(super) fn unread_zip(has: impl Fn(&str) -> bool) -> FileError {
    match ZIPS.iter().find(|(part, ..)| has(part)) {
        Some((_, what, export)) => FileError::Unread { what, export },
        None => FileError::Zip,
    }
}

/// The error for a ZIP whose list of parts, which is at its end, is missing or wrong.
pub(super) fn damaged_zip(bytes: &[u8]) -> FileError {
    match find(bytes, b"word/") {
        Some(_) => FileError::Damaged { kind: Kind::Docx },
        None => FileError::Zip,
    }
}
