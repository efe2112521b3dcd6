//! `veridic bench COMMAND`: starts the laboratory's program, `veridic-bench`, which is installed beside this one.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, io};

use anyhow::{Context, Result, anyhow};

/// The laboratory's program.
const PROGRAM: &str = "veridic-bench";

/// `typed` is the name by which this program was called.
pub(super) fn run(typed: &OsStr, arguments: &[OsString]) -> Result<ExitCode> {
    let program = find(typed).ok_or_else(|| {
        anyhow!(
            "`veridic bench` needs the program {PROGRAM} beside this one or on PATH: the releases and the Python package \
             have both; in a checkout, `cargo build --release -p {PROGRAM}` builds it"
        )
    })?;
    let mut command = Command::new(&program);
    command.args(arguments);
    start(command).with_context(|| format!("cannot start {}", program.display()))
}

/// The laboratory's program: beside this one as it was called, beside this executable, or on PATH.
fn find(typed: &OsStr) -> Option<PathBuf> {
    let called = Path::new(typed).parent().filter(|folder| !folder.as_os_str().is_empty());
    let executable = env::current_exe().ok();
    let beside =
        [called, executable.as_deref().and_then(Path::parent)].into_iter().flatten().map(Path::to_owned);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = beside.chain(env::split_paths(&path));
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    folders.find_map(|folder| Some(folder.join(&name)).filter(|program| program.is_file()))
}

/// Replaces this process with the other program, which inherits its terminal and signals.
#[cfg(unix)]
fn start(mut command: Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn start(mut command: Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(2)))
}
