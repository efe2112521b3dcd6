//! The program `veridic` inside the Python package: a command line, run in this process without the interpreter's lock.
//! `python/veridic/__main__.py` calls it once, and the interpreter exits with its exit code.

use std::ffi::OsString;

use pyo3::prelude::*;
use veridic_python_calls::exit_code;

/// Runs `veridic` with a command line that starts with its own name, and returns its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    exit_code(py, move || veridic_cli::main(arguments))
}
