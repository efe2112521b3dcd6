//! `veridic`: parse, run, exit code. 0: done; 1: the score is under `--fail-under`; 2: an error,
//! told in one line on stderr.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) if cli::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("veridic: {error:#}");
            ExitCode::from(2)
        }
    }
}
