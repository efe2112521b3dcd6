//! `veridic`: parse, run, exit code. 0: done; 1: the score is under `--fail-under`, or the verdict is
//! one of `--fail-on`; 2: an error,
//! told in one line on stderr.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) if cli::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::note(&format!("veridic: {}", one_line(&format!("{error:#}"))));
            ExitCode::from(2)
        }
    }
}

/// Control characters, which an argument or a file name may hold, never reach the terminal.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}
