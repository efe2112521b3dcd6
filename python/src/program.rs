//! The programs `veridic` and `veridic-bench` inside the Python package: a command line, run in this process without the
//! interpreter's lock. `python/veridic/__main__.py` calls it once, and the interpreter ends with its exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// The exit code of a Rust program that panicked.
const PANICKED: u8 = 101;

/// Runs `veridic` with a command line, its own name first, and returns its exit code. `veridic bench`, which starts another
/// program elsewhere, is a call of the laboratory here.
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
    // The message of a panic is printed by then; a traceback of Python would add nothing to it.
    py.detach(|| std::panic::catch_unwind(|| number(run())).unwrap_or(PANICKED))
}

/// The number of an exit code, which the standard library compares but does not tell.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
