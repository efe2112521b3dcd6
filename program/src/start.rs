//! A program as one function that parses its command line, runs the command and returns the exit code. An error is one line on
//! stderr, in which settings and arguments are named as they are typed.

use std::error::Error as StdError;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use veridic::Error;
use veridic::corpus::FileError;
use veridic::corpus::read::RowFault;
use veridic::corpus::run::RunError;
use veridic::settings::Setting;
use veridic_models::ModelError;

use crate::help::with_help;
use crate::hints::Hint;
use crate::output::note;
use crate::settings::{long, typed};
use crate::signals::ignore_size_signal;

/// What a program knows of itself.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Looks up the setting of a key.
    pub find: fn(&str) -> Option<&'static Setting>,
    /// A sentence for commands and flags that the program does not have; it may say which program has them.
    pub elsewhere: &'static str,
    /// What to give instead of arguments that it does not have.
    pub hints: &'static [Hint],
}

impl Program {
    /// Runs `command` and returns its exit code. If it fails, prints the error in one line on stderr and returns 2.
    pub fn run(&self, command: impl FnOnce() -> Result<ExitCode>) -> ExitCode {
        ignore_size_signal();
        let done = command().and_then(|code| {
            // Callers other than Rust programs do not flush it at exit.
            io::stdout().flush()?;
            Ok(code)
        });
        match done {
            Ok(code) => code,
            Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
            Err(error) => {
                note(&format!("veridic: {}", one_line(&self.message(&error))));
                ExitCode::from(2)
            }
        }
    }

    /// Parses a command line. If it requests help or is invalid, prints that and returns the exit code as the error.
    ///
    /// # Errors
    /// If nothing can be printed.
    pub fn parse<A: CommandFactory + FromArgMatches>(
        &self,
        arguments: &[OsString],
    ) -> Result<Result<A, ExitCode>> {
        let command = with_help(A::command());
        let takes_settings = has_argument(&command, arguments, "set");
        match command.try_get_matches_from(arguments).and_then(|matches| A::from_arg_matches(&matches)) {
            Ok(parsed) => Ok(Ok(parsed)),
            Err(shown) => {
                let command = arguments.get(1).and_then(|name| name.to_str()).unwrap_or_default();
                if let Some(hint) = self.hints.iter().find(|hint| hint.is_about(command, &shown)) {
                    note(&format!("veridic: {}", hint.message));
                    return Ok(Err(ExitCode::from(2)));
                }
                self.help_or_usage(&shown, takes_settings).map(Err)
            }
        }
    }

    /// Prints the requested help or version, or the usage error.
    fn help_or_usage(&self, shown: &clap::Error, takes_settings: bool) -> Result<ExitCode> {
        if let Some(instead) = self.setting_of_flag(shown).filter(|_| takes_settings) {
            note(&format!("veridic: {instead}"));
            return Ok(ExitCode::from(2));
        }
        let printed = shown.print();
        if matches!(shown.kind(), ErrorKind::InvalidSubcommand) && !self.elsewhere.is_empty() {
            note(&format!("\n{}", self.elsewhere));
        }
        match u8::try_from(shown.exit_code()) {
            Ok(0) => Ok(printed.map(|()| ExitCode::SUCCESS)?),
            code => Ok(ExitCode::from(code.unwrap_or(2))),
        }
    }

    /// Returns how to give an unknown flag that has the name of a setting.
    fn setting_of_flag(&self, shown: &clap::Error) -> Option<String> {
        let (ErrorKind::UnknownArgument, Some(ContextValue::String(flag))) =
            (shown.kind(), shown.get(ContextKind::InvalidArg))
        else {
            return None;
        };
        let flag = flag.split('=').next()?;
        let setting = (self.find)(&flag.strip_prefix("--")?.replace('-', "_"))?;
        Some(format!("{flag} is no flag here: give {}", typed(Some(setting), setting.key, setting.value)))
    }

    /// Formats the error and its causes.
    fn message(&self, error: &anyhow::Error) -> String {
        let causes = error.chain().map(|cause| self.message_of(cause));
        causes.collect::<Vec<_>>().join(": ")
    }

    /// Formats one cause, with settings and arguments as they are typed.
    fn message_of(&self, cause: &(dyn StdError + 'static)) -> String {
        let spell = |key: &str, value: &str| typed((self.find)(key), key, value);
        if let Some(error) = cause.downcast_ref::<Error>() {
            return error.message(spell);
        }
        if let Some(ModelError::Setting { setting, value, expected }) = cause.downcast_ref() {
            return format!("{}: {expected}", spell(setting, value));
        }
        match argument_of(cause) {
            Some(argument) => cause.to_string().replace(&format!("`{argument}`"), &long(argument)),
            None => cause.to_string(),
        }
    }
}

/// Returns the argument of a run that an error names by its key.
fn argument_of(cause: &(dyn StdError + 'static)) -> Option<&'static str> {
    let fault = match cause.downcast_ref::<RunError>() {
        Some(RunError::Fault(fault)) => Some(fault),
        _ => cause.downcast_ref::<RowFault>(),
    };
    fault.and_then(|fault| fault.argument).or_else(|| cause.downcast_ref::<FileError>()?.argument)
}

/// Whether the command that `arguments` name has an argument with this id.
fn has_argument(program: &Command, arguments: &[OsString], id: &str) -> bool {
    let command = arguments.get(1).and_then(|name| program.find_subcommand(name));
    command.is_some_and(|command| command.get_arguments().any(|argument| argument.get_id() == id))
}

/// Whether the reader of our output has closed it, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Replaces control characters, which an argument or a file name may hold, so that none reaches the terminal.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}
