//! Lines for people, and data for programs. Colour only on a terminal and without NO_COLOR (anstream decides); outside text
//! is printed without its control characters.

use std::io::Write;

use anyhow::{Context, Result};
use veridic::text::NormalizedText;

use crate::fold::folded;

/// Prints a line on stderr; a failure to print it is ignored.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a note about settings or results on stderr, unless `--quiet` is given.
pub fn note_unless(quiet: bool, text: &str) {
    if !quiet {
        note(&format!("note: {text}"));
    }
}

/// Prints a line of data.
pub fn line(text: &str) -> Result<()> {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// Prints a line for people, folded at the terminal's width with later lines indented by `indent` columns.
pub fn wrapped(text: &str, indent: usize) -> Result<()> {
    line(&folded(text, indent))
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
pub fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write JSON")
}

/// Returns a count with its noun, in the plural if need be: "1 claim", "2 claims".
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Returns the text on one line, without control and direction characters.
pub fn visible(text: &str) -> String {
    NormalizedText::of(text).text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether nobody can read standard output any more. A pipe tells otherwise only at the next write.
#[cfg(unix)]
#[must_use]
pub fn is_closed() -> bool {
    use std::os::fd::AsFd;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let stdout = std::io::stdout();
    let mut asked = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    let is_answered = poll(&mut asked, PollTimeout::ZERO).is_ok();
    let closed = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
    is_answered && asked[0].revents().is_some_and(|events| events.intersects(closed))
}

/// Other systems do not tell.
#[cfg(not(unix))]
#[must_use]
pub fn is_closed() -> bool {
    false
}
