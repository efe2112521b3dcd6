//! `veridic models`: lists, describes, fetches, verifies and checks models.

mod check;
mod info;
mod list;
mod pull;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::args::{ModelsAction, ModelsArgs};
use crate::stopping::{as_typed, end_on_signal};

pub(super) fn run(args: &ModelsArgs, typed: &[OsString]) -> Result<ExitCode> {
    match &args.action {
        ModelsAction::List => list::run(),
        ModelsAction::Info { name } => info::run(name),
        ModelsAction::Pull { names, update, offline, quiet } => {
            let again = as_typed(typed);
            end_on_signal(move || format!("stopped; what was fetched is kept. Continue with: {again}"))?;
            pull::run(names, *update, *offline, *quiet)
        }
        ModelsAction::Verify { names } => verify::run(names),
        ModelsAction::Check(args) => check::run(args),
    }
}

fn millions(parameters: u64) -> String {
    format!("{:.1} M", parameters as f64 / 1e6)
}
