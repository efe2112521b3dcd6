//! The program `veridic` inside the Python package: its command line, run in this process without the interpreter's lock.
//! Decides nothing itself; `python/veridic/__main__.py` calls it once, and the interpreter ends with its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// Runs the program with a command line, its own name first, and returns its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    // The message of a panic is printed by then; a traceback of Python would add nothing to it.
    py.detach(|| std::panic::catch_unwind(|| number(veridic_cli::run(arguments))).unwrap_or(PANICKED))
}

/// The number of an exit code, which the standard library compares but does not tell.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
