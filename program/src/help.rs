//! The two lengths of help: `-h` has one line per flag, `--help` the whole text and the meaning of each value.

use clap::builder::PossibleValue;
use clap::{Arg, Command};

/// Adds this help to the command and its subcommands.
pub(crate) fn with_help(command: Command) -> Command {
    command.mut_args(values_in_long_help).mut_subcommands(with_help)
}

/// Lists the values of a flag in `--help`; in `-h` they would not fit.
fn values_in_long_help(arg: Arg) -> Arg {
    let values: Vec<PossibleValue> = arg.get_possible_values();
    if values.is_empty() || !arg.get_action().takes_values() {
        return arg;
    }
    let text = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let lines = values.iter().map(|value| match value.get_help() {
        Some(help) => format!("- {}: {help}", value.get_name()),
        None => format!("- {}", value.get_name()),
    });
    let lines: Vec<String> = lines.collect();
    arg.long_help(format!("{text}\n\nPossible values:\n{}", lines.join("\n"))).hide_possible_values(true)
}
