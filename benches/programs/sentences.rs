//! Reads JSON Lines and prints the sentence spans of each row's `document`, one JSON array per line, for `scripts/measure.py
//! sentences`.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use anyhow::{Context, Result};
use veridic::text::sentences;

fn main() -> Result<()> {
    let mut output = BufWriter::new(stdout().lock());
    for (number, line) in stdin().lock().lines().enumerate() {
        let place = || format!("line {} of the input", number + 1);
        let row: serde_json::Value = serde_json::from_str(&line?).with_context(place)?;
        let document = row["document"].as_str().context("no text in field `document`");
        let spans = sentences(document.with_context(place)?);
        writeln!(output, "{}", serde_json::to_string(&spans)?)?;
    }
    output.flush()?;
    Ok(())
}
