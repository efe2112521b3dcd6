//! A Word document as Markdown: what it says when its changes are accepted, without comments, headers and footers.

mod body;
mod other_zips;
mod package;
mod styles;

use std::collections::HashMap;

use self::body::{Mention, read_body};
use self::package::Package;
use self::styles::Styles;
use crate::error::FileError;

/// Returns the text of a Word document, with its notes at the end.
pub(crate) fn text(bytes: &[u8]) -> Result<String, FileError> {
    let mut package = Package::open(bytes)?;
    let document = package.document()?;
    let styles = Styles::read(&package.part("word/styles.xml")?.unwrap_or_default());
    let mut notes: HashMap<Mention, String> = HashMap::new();
    for part in ["word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(xml) = package.part(part)? {
            notes.extend(read_body(&xml, &styles)?.notes);
        }
    }
    let mut body = read_body(&document, &styles)?;
    let mentioned = body.mentions.iter().filter_map(|mention| notes.get(mention));
    for (number, note) in (1..).zip(mentioned) {
        body.blocks.end();
        body.blocks.push(&format!("[{number}] {note}"));
    }
    Ok(body.blocks.finish())
}
