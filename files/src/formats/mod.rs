//! Documents with markup, as text; a file or folder for each kind.

mod block;
mod blocks;
mod charset;
mod docx;
mod html;
mod mail;
mod pdf;
mod rtf;
mod table;

use crate::error::FileError;
use crate::recognise::Markup;

/// Returns the text of a document.
pub(crate) fn text(bytes: &[u8], markup: Markup) -> Result<String, FileError> {
    match markup {
        Markup::Pdf => pdf::text(bytes),
        Markup::Zip => docx::text(bytes),
        Markup::Html => html::text(&html::decoded(bytes)?),
        Markup::Eml => mail::text(bytes),
        Markup::Rtf => rtf::text(bytes),
    }
}
