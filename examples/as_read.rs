//! Pairs of a premise and a hypothesis from standard input, one JSON object a line, with the premise as the judge reads it:
//! a table's rows with their headers, a mail's sentences with their senders. For training a judge on what it will read.
//!
//! ```text
//! cargo run --release --example as_read < pairs.jsonl > pairs_as_read.jsonl
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};

use serde_json::Value;
use veridic::Pair;
use veridic::pipeline::Normalized;
use veridic::schedule::ignore_events;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let mut row: Value = serde_json::from_str(&line?)?;
        if let Some(premise) = row["premise"].as_str() {
            let read = Normalized::of(&Pair::new(premise, ""), true, &ignore_events)?;
            row["premise"] = read.pair().document.into();
        }
        writeln!(out, "{row}")?;
    }
    Ok(())
}
