//! The note on rows that are left out because they lack something.

use veridic_program::output;

/// Prints how many rows were left out, and what they lack.
pub(super) fn note(rows: usize, of: usize, lack: &str) {
    let (have, are) = if rows == 1 { ("has", "is") } else { ("have", "are") };
    if rows > 0 {
        output::note(&format!("note: {rows} of {of} rows {have} no {lack} and {are} left out"));
    }
}
