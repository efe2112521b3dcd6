//! A Veridic program as one function that parses, runs and returns the exit code: `veridic` or the laboratory's
//! `veridic-bench`. The library's messages name settings by their keys; here the keys become the command's flags.

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

/// A program: its command line and the settings that its commands accept.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// All commands with their flags.
    pub command: fn() -> Command,
    /// Looks up the setting of a key.
    pub find: fn(&str) -> Option<&'static Setting>,
}

/// The program running in this process and its command: the first words after its name.
struct Running {
    program: Program,
    command: Vec<OsString>,
}

static RUNNING: OnceLock<Running> = OnceLock::new();

/// Runs a command line of `program`, which starts with the program's name, using `command`. An error prints one line on
/// stderr and exits with 2. A process runs one program only.
pub fn run(
    program: Program,
    arguments: impl IntoIterator<Item = OsString>,
    command: impl FnOnce(Vec<OsString>) -> Result<ExitCode>,
) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let _ = RUNNING.set(Running { program, command: arguments.iter().skip(1).take(2).cloned().collect() });
    let done = command(arguments).and_then(|code| {
        // Callers other than Rust programs do not flush it at exit.
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

/// Parses a command line. If it requests help or is invalid, prints that and returns the exit code as the error.
///
/// # Errors
/// If nothing can be printed.
pub fn parse<A: CommandFactory + FromArgMatches>(arguments: &[OsString]) -> Result<Result<A, ExitCode>> {
    let matches = args::with_help(A::command()).try_get_matches_from(arguments);
    match matches.and_then(|matches| A::from_arg_matches(&matches)) {
        Ok(parsed) => Ok(Ok(parsed)),
        Err(shown) => help_or_usage(&shown).map(Err),
    }
}

/// Prints the requested help or version, or the usage error.
fn help_or_usage(shown: &clap::Error) -> Result<ExitCode> {
    let takes_settings = RUNNING.get().is_some_and(|running| running.argument("set").is_some());
    let wrong = |kind| match shown.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let instead = match shown.kind() {
        ErrorKind::UnknownArgument if takes_settings => wrong(ContextKind::InvalidArg).and_then(|flag| {
            let instead = args::instead_of(flag.split('=').next().unwrap_or(flag))?;
            Some(format!("{flag} is no flag here: {instead}"))
        }),
        ErrorKind::InvalidSubcommand => wrong(ContextKind::InvalidSubcommand)
            .filter(|name| ["calibrate", "compare", "extract", "prompts"].contains(name))
            .map(|name| format!("{name} is a command of the laboratory: veridic bench {name}")),
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

/// Returns how a setting is set to `value` on the command line of the running program.
pub(crate) fn setting(key: &str, value: &str) -> String {
    RUNNING.get().map_or_else(|| format!("--set {key}={value}"), |running| running.setting(key, value))
}

/// Returns the setting of a key that the running program accepts.
pub(crate) fn find(key: &str) -> Option<&'static Setting> {
    (RUNNING.get()?.program.find)(key)
}

impl Running {
    /// Returns the long flag of an argument of the command by its key, without hyphens.
    fn argument(&self, key: &str) -> Option<String> {
        args::flag_of_argument(&(self.program.command)(), &self.command, key)
    }

    /// Returns the flag of an argument or setting, given as `key` or `key=value`.
    fn flag_of(&self, key: &str) -> Option<String> {
        let (key, value) = key.split_once('=').unwrap_or((key, ""));
        let flag = match self.argument(key) {
            Some(long) => format!("--{long} {value}"),
            None => self.setting((self.program.find)(key)?.key, value),
        };
        Some(flag.trim_end_matches([' ', '=']).to_owned())
    }

    /// Returns how a setting is set to `value` on the command line.
    fn setting(&self, key: &str, value: &str) -> String {
        // `models` accepts a few settings, through flags only.
        let is_models = self.command.first().is_some_and(|name| name == "models");
        match is_models || (self.program.find)(key).is_none_or(|setting| setting.has_flag) {
            true => format!("{} {value}", args::long(key)),
            false => format!("--set {key}={value}"),
        }
    }
}

/// Words after which a name is not a flag.
const NOT_FLAGS: [&str; 4] = ["field ", "fields ", "feature ", "did you mean "];

/// Replaces the keys of settings and arguments in a library message with the command's flags: `input_format` becomes
/// `--input-format`. Names of row fields are kept.
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

/// Formats the error and its causes, writing settings as flags.
fn message(error: &anyhow::Error) -> String {
    let cause = |cause: &(dyn std::error::Error + 'static)| {
        match cause.downcast_ref::<veridic::Error>() {
            // Files use the keys themselves.
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
