//! The program `veridic` as one function, so that another front door can be it too: the Python package is the same
//! program under the same name. Parse, run, exit code. 0: done; 1: the score is under `--fail-under`, or the verdict is
//! one of `--fail-on`; 2: an error, in one line on stderr.

mod args;
mod asking;
mod collecting;
mod commands;
mod files;
#[cfg(feature = "judge")]
mod judge;
#[cfg(feature = "mcp")]
mod mcp;
mod plan;
mod plot_files;
mod progress;
mod report;
#[cfg(feature = "server")]
mod server;
mod show;
mod stopping;
mod telemetry;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use veridic::settings::Flag;
use veridic_bench::plan::find;
use veridic_models::ModelError;

/// Runs the program with a command line, the name of the program first. It reads and writes this process's standard
/// streams, may set its handlers of Ctrl-C and SIGTERM, and is meant to be called once, by a process that ends with the
/// exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let spelling = Spelling::of(arguments.get(1));
    // A second call in one process would have the flags of the first.
    let _ = COMMAND.set(arguments.iter().skip(1).take(2).cloned().collect());
    let done = commands::run(arguments).and_then(|code| {
        // A caller that is not a Rust program does not do it at its end.
        io::stdout().flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::note(&format!("veridic: {}", one_line(&message(&error, spelling))));
            ExitCode::from(2)
        }
    }
}

/// Which settings a command has a flag of its own for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// Those of commands that judge.
    Judging,
    /// Those of benchmarks, requests and extracts, too.
    Measuring,
    /// Every setting that it takes.
    All,
}

impl Spelling {
    /// That of a command by its name.
    fn of(command: Option<&OsString>) -> Self {
        match command.and_then(|command| command.to_str()) {
            Some("bench" | "prompts" | "extract") => Self::Measuring,
            Some("models") => Self::All,
            _ => Self::Judging,
        }
    }

    /// How `setting` is set to `value` on the command line.
    fn flag(self, setting: &str, value: &str) -> String {
        match find(setting).map(|setting| setting.flag) {
            Some(Flag::None) if self != Self::All => format!("--set {setting}={value}"),
            Some(Flag::Measuring) if self == Self::Judging => format!("--set {setting}={value}"),
            _ => format!("--{} {value}", setting.replace('_', "-")),
        }
    }
}

/// The command and what follows it, which is the name of a benchmark where the command is `bench`.
static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// What stands before a name that is not one of a flag.
const NOT_FLAGS: [&str; 4] = ["field ", "fields ", "feature ", "did you mean "];

/// A message in which the library names settings and arguments by their keys, with the flags of the command in their places:
/// `input_format` becomes `--input-format`. Names of a row's fields stay.
fn as_typed(message: &str) -> String {
    let command = COMMAND.get().map_or(&[][..], Vec::as_slice);
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
        match Some(piece).filter(|_| is_key && !is_field).and_then(|key| flag_of(key, command)) {
            Some(flag) => typed.push_str(&flag),
            None => typed.push_str(piece),
        }
    }
    typed
}

/// The flag of an argument or a setting by its key, or by `key=value`.
fn flag_of(key: &str, command: &[OsString]) -> Option<String> {
    let (key, value) = key.split_once('=').unwrap_or((key, ""));
    let flag = match args::flag_of_argument(command, key) {
        Some(long) => format!("--{long} {value}"),
        None => Spelling::of(command.first()).flag(find(key)?.key, value),
    };
    Some(flag.trim_end_matches([' ', '=']).to_owned())
}

/// The error and its causes; a setting is written as the flag that sets it.
fn message(error: &anyhow::Error, spelling: Spelling) -> String {
    let flag = |setting: &str, value: &str| spelling.flag(setting, value);
    let cause = |cause: &(dyn std::error::Error + 'static)| {
        match cause.downcast_ref::<veridic::Error>() {
            // In a file keys are typed as they are.
            Some(error @ (veridic::Error::InFile { .. } | veridic::Error::RulesFile { .. })) => {
                return error.message(flag);
            }
            Some(error) => return as_typed(&error.message(flag)),
            None => {}
        }
        match cause.downcast_ref::<ModelError>() {
            Some(ModelError::Setting { setting, value, expected }) => {
                format!("{}: {expected}", flag(setting, value))
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

    fn flag(key: &str, command: &[&str]) -> Option<String> {
        flag_of(key, &command.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn keys_have_the_flags_of_their_command() {
        for (key, command, expected) in [
            ("input_format", &["run", "a.txt"][..], Some("--input-format")),
            ("label", &["compare"], Some("--label")),
            ("decide_at", &["bench", "tofueval"], Some("--decide-at")),
            ("max_tokens", &["run"], Some("--set max_tokens")),
            ("languages", &["score"], Some("--set languages")),
            ("over_claims=minimum", &["calibrate"], Some("--set over_claims=minimum")),
            ("claims", &["run"], Some("--claims")),
            ("answers", &["bench", "frank"], Some("--answers")),
            ("label", &["score"], None),
            ("id", &["run"], None),
        ] {
            assert_eq!(flag(key, command).as_deref(), expected, "{key} of {command:?}");
        }
    }

    #[test]
    fn names_of_fields_are_no_flags() {
        // No command: only settings are known.
        for (message, expected) in [
            ("raise `max_tokens`, or", "raise `--set max_tokens`, or"),
            (
                "give it in its field `key_facts`, or give `key_facts=document`",
                "give it in its field `key_facts`, or give `--set key_facts=document`",
            ),
            (
                "has no fields `claims`, `coref` and `window`: `levels`",
                "has no fields `claims`, `coref` and `window`: `--set levels`",
            ),
            ("an odd ` stays", "an odd ` stays"),
        ] {
            assert_eq!(as_typed(message), expected);
        }
    }
}
