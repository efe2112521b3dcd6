//! Describes what the document says instead of a part of a claim, and prints corrected summaries.

use std::io::Write;

use anyhow::Result;
use veridic::corrected::Corrected;
use veridic::result::{FillingKind, Instead};

use veridic_program::output::{counted, note_unless, visible};

/// Returns the heading of a correction's line, and its text.
fn described(instead: &Instead) -> (&'static str, String) {
    let (text, document) = (visible(&instead.text), visible(&instead.document));
    match instead.kind {
        FillingKind::Roles | FillingKind::Denial => ("the document says:", document),
        _ => ("the document says", format!("{document}, not {text}")),
    }
}

/// Prints a corrected summary unchanged, without adding a line end, and lists the corrections on stderr. `wrong`: the number
/// of claims that the document does not support.
pub(crate) fn corrected(corrected: &Corrected<'_>, wrong: usize, quiet: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(corrected.text.as_bytes())?;
    out.flush()?;
    note_unless(quiet, &made(corrected.made.len(), wrong));
    for instead in &corrected.left_out {
        note_unless(quiet, &format!("not corrected: {}", left_out(instead)));
    }
    Ok(())
}

fn made(count: usize, wrong: usize) -> String {
    if count == 0 && wrong > 0 {
        let claims = counted(wrong, "claim");
        let are = if wrong == 1 { "is" } else { "are" };
        return format!(
            "nothing corrected: {claims} {are} not supported, and nothing was found that belongs in the place of what is wrong"
        );
    }
    counted(count, "correction")
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
        let told = [0, 1, 2].map(|count| made(count, count));
        assert_eq!(told, ["0 corrections", "1 correction", "2 corrections"]);
        assert_eq!(
            made(0, 2),
            "nothing corrected: 2 claims are not supported, and nothing was found that belongs in the place of what is wrong"
        );
    }
}
