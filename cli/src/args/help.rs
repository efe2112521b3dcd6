//! The two lengths of help. `-h` has one line a flag; `--help` has the rest of its text, and what each value means.
//! Refuses nothing: it only moves lists of values out of the short help, where they would not fit.

use clap::builder::PossibleValue;
use clap::{Arg, Command};

/// The command with its help, and so all its subcommands.
pub(crate) fn with_help(command: Command) -> Command {
    command.mut_args(values_in_long_help).mut_subcommands(with_help)
}

/// A flag of a few values: `-h` leaves them to `--help`, to completions and to errors.
fn values_in_long_help(arg: Arg) -> Arg {
    let values: Vec<PossibleValue> = arg.get_possible_values();
    if values.is_empty() || !arg.get_action().takes_values() {
        return arg;
    }
    let text = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let told = values.iter().map(|value| match value.get_help() {
        Some(help) => format!("- {}: {help}", value.get_name()),
        None => format!("- {}", value.get_name()),
    });
    let told: Vec<String> = told.collect();
    arg.long_help(format!("{text}\n\nPossible values:\n{}", told.join("\n"))).hide_possible_values(true)
}
