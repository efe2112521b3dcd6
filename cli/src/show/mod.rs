//! Output for people, and JSON for programs. Colour only on a terminal and without NO_COLOR (anstream decides); outside text
//! is printed without its control characters.

mod corrections;
mod fold;
mod judgement;
mod passage;

use std::io::Write;

use anstyle::Style;
use anyhow::{Context, Result};
use serde_json::value::RawValue;
use veridic::result::ClaimRecord;
use veridic::text::NormalizedText;
use veridic_models::Probabilities;

use veridic::corpus::run::RowCounts;
use veridic::result::PairResult;
use veridic::{Scorer, notes};

pub(crate) use self::corrections::corrected;

/// Prints a note on stderr; a failure to print it is ignored.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a note about settings or results on stderr, unless `--quiet` is given.
pub fn note_unless(quiet: bool, text: &str) {
    if !quiet {
        note(&format!("note: {}", crate::program::as_typed(text)));
    }
}

/// Prints how many rows were left out, and what they lack.
pub fn left_out(rows: usize, of: usize, lack: &str) {
    let (have, are) = if rows == 1 { ("has", "is") } else { ("have", "are") };
    if rows > 0 {
        note(&format!("note: {rows} of {of} rows {have} no {lack} and {are} left out"));
    }
}

/// Prints how many rows of a run are in languages that the model's card does not list.
pub fn unread_rows(scorer: &Scorer, counts: &RowCounts, quiet: bool) {
    if counts.unread > 0 {
        let (nli, listed) = (scorer.models().nli, scorer.stamp().rules.languages.unwrap_or_default());
        note_unless(quiet, &notes::unread_rows(&nli.id, &listed, counts.unread, counts.judged));
    }
}

/// Prints a line of data.
pub fn line(text: &str) -> Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// Prints a line for people, folded at the terminal's width with later lines indented by `indent` columns.
pub fn wrapped(text: &str, indent: usize) -> Result<()> {
    line(&fold::folded(text, indent))
}

/// Prints a text of several lines unchanged.
pub fn text(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints lines of data unchanged.
pub fn lines(lines: &[String]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Prints a line of JSON unchanged: `line` would strip control characters from its texts together with colours.
pub fn json(value: &impl serde::Serialize) -> Result<()> {
    lines(&[to_json(value)?])
}

/// Returns a value as JSON, on one line.
///
/// # Errors
/// If JSON cannot represent the value.
pub(crate) fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write JSON")
}

/// The claims of a row, printed as one line of JSON.
#[derive(serde::Serialize)]
pub(crate) struct RowClaims<'r> {
    pub(crate) id: Option<&'r RawValue>,
    pub(crate) claims: Vec<ClaimRecord<'r>>,
}

/// Prints the sentences of a summary with their claims; `line` is the row's line in a file of rows.
pub fn claims(line: Option<usize>, sentences: &[(String, Vec<&str>)]) -> Result<()> {
    let dim = Style::new().dimmed();
    if let Some(number) = line {
        self::line(&format!("{dim}line {number}{dim:#}"))?;
    }
    for (sentence, claims) in sentences {
        wrapped(&format!("{dim}{}{dim:#}", visible(sentence)), 0)?;
        claims.iter().try_for_each(|claim| wrapped(&format!("  - {}", visible(claim)), 4))?;
    }
    Ok(())
}

/// Prints the judgement of a pair; `explains` adds what decided each claim.
///
/// # Errors
/// If standard output cannot be written.
pub fn judged(judged: &PairResult, explains: bool) -> Result<()> {
    judgement::pair(judged, explains)
}

/// Prints the probabilities of one pair.
pub fn probabilities(p: &Probabilities) -> Result<()> {
    let rows = [("entailment", p.entailment), ("neutral", p.neutral), ("contradiction", p.contradiction)];
    let best = rows.iter().map(|row| row.1).fold(0.0, f32::max);
    for (name, value) in rows {
        let style = if value == best { Style::new().bold() } else { Style::new() };
        line(&format!("{style}{name:<14} {value:.4}{style:#}"))?;
    }
    Ok(())
}

/// Returns the text on one line, without control and direction characters.
pub fn visible(text: &str) -> String {
    NormalizedText::of(text).text().split_whitespace().collect::<Vec<_>>().join(" ")
}
