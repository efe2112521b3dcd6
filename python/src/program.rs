//! The programs `veridic` and `veridic-bench` inside the Python package: a command line, run in this process without the
//! interpreter's lock. `python/veridic/__main__.py` calls it once, and the interpreter exits with its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// Runs `veridic` with a command line that starts with its own name, and returns its exit code. `veridic-bench`, which
/// starts another program elsewhere, calls the laboratory directly here.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, mut arguments: Vec<OsString>) -> u8 {
    let is_bench = arguments.get(1).is_some_and(|command| command == "bench");
    let run = move || {
        if is_bench {
            arguments.splice(..2, ["veridic-bench".into()]);
            veridic_bench::main(arguments)
        } else {
            veridic_cli::main(arguments)
        }
    };
    // The message of a panic has been printed by then; a Python traceback would add nothing.
    py.detach(|| std::panic::catch_unwind(|| number(run())).unwrap_or(PANICKED))
}

/// Returns the number of an exit code, which the standard library can compare but does not expose.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
