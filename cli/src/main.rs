//! The program `veridic`: the command line of this process, run by the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    veridic_cli::run(std::env::args_os())
}
