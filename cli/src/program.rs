//! A program of Veridic as one function: it parses, runs and returns the exit code. `veridic` and the laboratory's
//! `veridic-bench` are such programs. Messages of the library name settings by their keys; here they get the flags that
//! the command has for them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use veridic::settings::Setting;
use veridic_models::ModelError;

use crate::{args, show};

/// A program: its command line, and the settings that its commands take.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// All commands with their flags.
    pub command: fn() -> Command,
    /// The setting of a key.
    pub find: fn(&str) -> Option<&'static Setting>,
    /// Whether a command, by its name, has a flag of its own for a setting.
    pub has_flag: fn(&str, &Setting) -> bool,
}

/// The program that runs in this process, and its command: the first words after its name.
struct Running {
    program: Program,
    command: Vec<OsString>,
}

static RUNNING: OnceLock<Running> = OnceLock::new();

/// Runs a command line of `program`, the program's name first, by `command`. The exit code is 2 after an error, which is
/// one line on stderr. A process runs one program once.
pub fn run(
    program: Program,
    arguments: impl IntoIterator<Item = OsString>,
    command: impl FnOnce(Vec<OsString>) -> Result<ExitCode>,
) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let _ = RUNNING.set(Running { program, command: arguments.iter().skip(1).take(2).cloned().collect() });
    let done = command(arguments).and_then(|code| {
        // A caller that is not a Rust program does not do it at its end.
        io::stdout().flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::note(&format!("veridic: {}", one_line(&message(&error))));
            ExitCode::from(2)
        }
    }
}

/// Parses a command line; where it asks for help or is wrong, that is printed, and the exit code is the error.
///
/// # Errors
/// When nothing can be printed.
pub fn parse<A: CommandFactory + FromArgMatches>(arguments: &[OsString]) -> Result<Result<A, ExitCode>> {
    let matches = args::with_help(A::command()).try_get_matches_from(arguments);
    match matches.and_then(|matches| A::from_arg_matches(&matches)) {
        Ok(parsed) => Ok(Ok(parsed)),
        Err(shown) => help_or_usage(arguments, &shown).map(Err),
    }
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
fn help_or_usage(arguments: &[OsString], shown: &clap::Error) -> Result<ExitCode> {
    let command = arguments.get(1).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let wrong = |kind| match shown.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let instead = match shown.kind() {
        ErrorKind::UnknownArgument => wrong(ContextKind::InvalidArg).and_then(|flag| {
            let instead = args::instead_of(&command, flag.split('=').next().unwrap_or(flag))?;
            Some(format!("{flag} is no flag here: {instead}"))
        }),
        _ => None,
    };
    if let Some(instead) = instead {
        show::note(&format!("veridic: {instead}"));
        return Ok(ExitCode::from(2));
    }
    let printed = shown.print();
    match u8::try_from(shown.exit_code()) {
        Ok(0) => Ok(printed.map(|()| ExitCode::SUCCESS)?),
        code => Ok(ExitCode::from(code.unwrap_or(2))),
    }
}

/// The setting of a key that the running program takes.
pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    (RUNNING.get()?.program.find)(key)
}

impl Running {
    /// The flag of an argument or a setting by its key, or by `key=value`.
    fn flag_of(&self, key: &str) -> Option<String> {
        let (key, value) = key.split_once('=').unwrap_or((key, ""));
        let flag = match args::flag_of_argument(&(self.program.command)(), &self.command, key) {
            Some(long) => format!("--{long} {value}"),
            None => self.setting((self.program.find)(key)?.key, value),
        };
        Some(flag.trim_end_matches([' ', '=']).to_owned())
    }

    /// How a setting is set to `value` on the command line.
    fn setting(&self, key: &str, value: &str) -> String {
        let command = self.command.first().and_then(|name| name.to_str()).unwrap_or_default();
        match (self.program.find)(key).is_none_or(|setting| (self.program.has_flag)(command, setting)) {
            true => format!("{} {value}", args::long(key)),
            false => format!("--set {key}={value}"),
        }
    }
}

/// What stands before a name that is not one of a flag.
const NOT_FLAGS: [&str; 4] = ["field ", "fields ", "feature ", "did you mean "];

/// A message in which the library names settings and arguments by their keys, with the flags of the command in their places:
/// `input_format` becomes `--input-format`. Names of a row's fields stay.
pub(crate) fn as_typed(message: &str) -> String {
    RUNNING.get().map_or_else(|| message.to_owned(), |running| with_flags(message, running))
}

fn with_flags(message: &str, running: &Running) -> String {
    let (mut typed, mut before, mut is_field) = (String::new(), "", false);
    for (place, piece) in message.split('`').enumerate() {
        let is_key = place % 2 == 1;
        if place > 0 {
            typed.push('`');
        }
        if is_key {
            let is_next = is_field && matches!(before, ", " | " and " | " or " | " nor ");
            is_field = is_next || NOT_FLAGS.iter().any(|words| before.ends_with(words));
        } else {
            before = piece;
        }
        match Some(piece).filter(|_| is_key && !is_field).and_then(|key| running.flag_of(key)) {
            Some(flag) => typed.push_str(&flag),
            None => typed.push_str(piece),
        }
    }
    typed
}

/// The error and its causes; a setting is written as the flag that sets it.
fn message(error: &anyhow::Error) -> String {
    let setting = |key: &str, value: &str| match RUNNING.get() {
        Some(running) => running.setting(key, value),
        None => format!("--set {key}={value}"),
    };
    let cause = |cause: &(dyn std::error::Error + 'static)| {
        match cause.downcast_ref::<veridic::Error>() {
            // In a file keys are typed as they are.
            Some(error @ (veridic::Error::InFile { .. } | veridic::Error::RulesFile { .. })) => {
                return error.message(setting);
            }
            Some(error) => return as_typed(&error.message(setting)),
            None => {}
        }
        match cause.downcast_ref::<ModelError>() {
            Some(ModelError::Setting { setting: key, value, expected }) => {
                format!("{}: {expected}", setting(key, value))
            }
            _ => as_typed(&cause.to_string()),
        }
    };
    error.chain().map(cause).collect::<Vec<_>>().join(": ")
}

/// Whether the reader of our output went away, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Control characters, which an argument or a file name may hold, never reach the terminal.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(command: &[&str]) -> Running {
        Running { program: crate::PROGRAM, command: command.iter().map(OsString::from).collect() }
    }

    #[test]
    fn keys_have_the_flags_of_their_command() {
        for (key, command, expected) in [
            ("input_format", &["run", "a.txt"][..], Some("--input-format")),
            ("label", &["report"], Some("--label")),
            ("max_tokens", &["run"], Some("--set max_tokens")),
            ("languages", &["score"], Some("--set languages")),
            ("over_claims=minimum", &["run"], Some("--set over_claims=minimum")),
            ("claims", &["run"], Some("--claims")),
            ("label", &["score"], None),
            ("id", &["run"], None),
        ] {
            assert_eq!(running(command).flag_of(key).as_deref(), expected, "{key} of {command:?}");
        }
    }

    #[test]
    fn names_of_fields_are_no_flags() {
        for (message, expected) in [
            ("raise `max_tokens`, or", "raise `--set max_tokens`, or"),
            (
                "give it in its field `max_tokens`, or give `over_claims=mean`",
                "give it in its field `max_tokens`, or give `--set over_claims=mean`",
            ),
            (
                "has no fields `claims`, `coref` and `window`: `levels`",
                "has no fields `claims`, `coref` and `window`: `--set levels`",
            ),
            ("an odd ` stays", "an odd ` stays"),
        ] {
            assert_eq!(with_flags(message, &running(&[])), expected);
        }
    }
}
