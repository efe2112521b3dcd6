//! The program `veridic` inside the Python package: a command line, run in this process without the interpreter's lock.
//! `python/veridic/__main__.py` calls it once, and the interpreter exits with its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// Runs `veridic` with a command line that starts with its own name, and returns its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let run = move || veridic_cli::main(arguments);
    // The message of a panic has been printed by then; a Python traceback would add nothing.
    py.detach(|| std::panic::catch_unwind(|| number(run())).unwrap_or(PANICKED))
}

/// Returns the number of an exit code, which the standard library can compare but does not expose.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
