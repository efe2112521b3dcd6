//! The rows of a page as data: JSON values are collected into parts, and each part is compressed (zlib) and written in
//! base64 into a `script` element that browsers do not run. A part is decoded when one of its values is opened, so a page
//! with many rows opens fast. Base64 has no meaning in HTML, whatever the texts contain.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The size at which a part is written, in bytes of JSON.
const PART_BYTES: usize = 256 << 10;

/// The number of a part, and the index of a value in it.
pub(super) type Place = [usize; 2];

/// Numbers the parts of a page.
#[derive(Debug, Default)]
pub(super) struct PartCounter(usize);

impl PartCounter {
    fn next(&mut self) -> usize {
        self.0 += 1;
        self.0 - 1
    }
}

/// Collects values and writes them in parts.
#[derive(Debug, Default)]
pub(super) struct PartWriter {
    /// The number of the open part.
    part: Option<usize>,
    json: Vec<u8>,
    values: usize,
}

impl PartWriter {
    /// Adds a value and writes the part if it is full.
    pub(super) fn add(
        &mut self,
        value: &impl Serialize,
        counter: &mut PartCounter,
        out: &mut dyn Write,
    ) -> io::Result<Place> {
        let part = *self.part.get_or_insert_with(|| counter.next());
        self.json.push(if self.values == 0 { b'[' } else { b',' });
        serde_json::to_writer(&mut self.json, value)?;
        let place = [part, self.values];
        self.values += 1;
        if self.json.len() >= PART_BYTES {
            self.finish(out)?;
        }
        Ok(place)
    }

    /// Writes the open part.
    pub(super) fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(part) = self.part.take() {
            self.json.push(b']');
            write_element(&format!("part-{part}"), &self.json, out)?;
            (self.values, self.json) = (0, Vec::new());
        }
        Ok(())
    }
}

/// Writes an element of compressed data.
pub(super) fn write_element(id: &str, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    let data = STANDARD.encode(encoder.finish()?);
    writeln!(out, "<script type=\"text/plain\" id=\"{id}\">{data}</script>")
}
