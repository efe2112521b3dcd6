//! Rows that a command could not read or judge: the note on them, and the exit code.

use std::process::ExitCode;

use veridic_program::output;

/// Reports how many rows of the input are error rows in the output; the exit code is 2 if there are any.
pub(super) fn error_rows(name: &str, failed: usize, rows: usize) -> ExitCode {
    if failed == 0 {
        return ExitCode::SUCCESS;
    }
    output::note(&format!("veridic: {name}: {failed} of {rows} rows are error rows in the output"));
    ExitCode::from(2)
}
