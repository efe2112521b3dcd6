//! Describes what the document says instead of a part of a claim, and prints corrected summaries.

use std::io::Write;

use anyhow::Result;
use veridic::corrected::Corrected;
use veridic::result::{FillingKind, Instead};

use veridic_program::output::{note_unless, visible};

/// Returns the heading of a correction's line, and its text.
pub(super) fn described(instead: &Instead) -> (&'static str, String) {
    let (text, document) = (visible(&instead.text), visible(&instead.document));
    match instead.kind {
        FillingKind::Roles | FillingKind::Denial => ("the document says:", document),
        _ => ("the document says", format!("{document}, not {text}")),
    }
}

/// Prints a corrected summary unchanged, without adding a line end, and lists the corrections on stderr.
pub(crate) fn corrected(corrected: &Corrected<'_>, quiet: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(corrected.text.as_bytes())?;
    out.flush()?;
    note_unless(quiet, &made(corrected.made.len()));
    for instead in &corrected.left_out {
        note_unless(quiet, &format!("not corrected: {}", left_out(instead)));
    }
    Ok(())
}

fn made(count: usize) -> String {
    match count {
        0 => "no corrections".into(),
        1 => "1 correction".into(),
        many => format!("{many} corrections"),
    }
}

/// Describes a correction that was not made, with the reason.
fn left_out(instead: &Instead) -> String {
    let (head, correction) = described(instead);
    let reason = match instead.summary_span {
        None if instead.kind == FillingKind::Name => {
            "the document has both names, or its place in the summary is not certain"
        }
        None => "its place in the summary is not certain",
        Some(_) => "another correction changes the same words",
    };
    format!("{head} {correction} ({reason})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_counted() {
        assert_eq!([0, 1, 2].map(made), ["no corrections", "1 correction", "2 corrections"]);
    }
}
