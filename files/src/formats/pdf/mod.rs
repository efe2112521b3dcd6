//! A PDF as text: what its pages show, in the order in which they write it. `content` runs a page's program, `fonts` makes characters of
//! its codes, `layout` makes lines and paragraphs of where they stand, and `pages` joins pages.

mod content;
mod encodings;
mod fonts;
mod geometry;
mod layout;
mod pages;
mod stream;
mod tables;

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use self::content::Content;
use crate::error::FileError;
use crate::kind::Kind;
use crate::limits::MAX_CHARACTERS;

/// How far from its end the last mark of a PDF may be.
const END_WITHIN: usize = 4096;

/// Returns the text of a PDF.
pub(crate) fn text(bytes: &[u8]) -> Result<String, FileError> {
    if !is_whole(bytes) {
        return Err(FileError::Damaged { kind: Kind::Pdf });
    }
    stream::check_streams_of_objects(bytes)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(
            DecryptionError::PasswordProtected | DecryptionError::UnsupportedAlgorithm,
        ) => FileError::Encrypted,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => FileError::Damaged { kind: Kind::Pdf },
    })?;
    let mut content = Content::default();
    let mut all = Vec::new();
    let mut characters = 0;
    let mut is_written = false;
    for page in pdf.pages().iter() {
        let page = content.run(page)?;
        is_written |= page.is_written;
        characters += page.pieces.iter().map(|piece| piece.text.len()).sum::<usize>();
        all.push(layout::lines(page.pieces));
        if characters > 4 * MAX_CHARACTERS {
            return Err(FileError::TooLong { kind: Kind::Pdf });
        }
    }
    match characters {
        0 if all.is_empty() => Err(FileError::Damaged { kind: Kind::Pdf }),
        0 if is_written => Err(FileError::Unmapped),
        0 => Err(FileError::Scanned),
        _ => Ok(pages::joined(all)),
    }
}

/// Whether a file ends as a PDF does. A reader finds pages in the first half of one, too, but what would be judged then is not the
/// document.
fn is_whole(bytes: &[u8]) -> bool {
    let end = &bytes[bytes.len().saturating_sub(END_WITHIN)..];
    [b"startxref".as_slice(), b"%%EOF"]
        .iter()
        .any(|mark| end.windows(mark.len()).any(|window| window == *mark))
}
