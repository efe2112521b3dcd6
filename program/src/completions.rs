//! `veridic completions SHELL` prints the completions of a shell, `completions man` the manual pages. Both are generated from
//! the flags, so they agree with `--help`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result, bail};
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::output::note;

/// The flags of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell, or man for manual pages
    #[arg(value_enum, value_name = "SHELL|man")]
    pub of: CompletionsChoice,
    /// Folder for the manual pages of all commands
    ///
    /// It is created if it does not exist. Without it, `completions man` prints the page of `veridic` itself.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// The target of completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompletionsChoice {
    /// Bash
    Bash,
    /// Elvish
    Elvish,
    /// Fish
    Fish,
    /// PowerShell
    Powershell,
    /// Zsh
    Zsh,
    /// Manual pages
    Man,
}

/// Prints the completions or writes the manual pages of the program whose command line is `command`.
///
/// # Errors
/// If the folder cannot be written, or a folder is given for completions.
pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode> {
    let name = command.get_name().to_owned();
    let shell = match args.of {
        CompletionsChoice::Bash => Shell::Bash,
        CompletionsChoice::Elvish => Shell::Elvish,
        CompletionsChoice::Fish => Shell::Fish,
        CompletionsChoice::Powershell => Shell::PowerShell,
        CompletionsChoice::Zsh => Shell::Zsh,
        CompletionsChoice::Man => return manual(command, args.output.as_deref()),
    };
    if args.output.is_some() {
        bail!("--output is for manual pages alone; redirect the completions of a shell to a file with `>`");
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages of the program and of its commands into a folder; without one, prints the program's page.
fn manual(command: Command, folder: Option<&Path>) -> Result<ExitCode> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page).context("cannot generate the manual page")?;
        io::stdout().lock().write_all(&page)?;
        return Ok(ExitCode::SUCCESS);
    };
    let cannot = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(command, folder).with_context(cannot)?;
    note(&format!("wrote the manual pages into {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}
