//! `veridic models`: lists, describes, fetches, verifies and checks models.

mod check;
mod info;
mod list;
#[cfg(feature = "hub")]
mod pull;
mod verify;

/// Builds without the feature `hub` fetch nothing.
#[cfg(not(feature = "hub"))]
mod pull {
    pub(super) fn run(_: &[String], _: bool, _: bool, _: bool) -> anyhow::Result<std::process::ExitCode> {
        anyhow::bail!("models pull: this build cannot fetch; build it with the feature `hub`")
    }
}

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use veridic_models::ModelError;
use veridic_program::settings::long;
use veridic_program::signals::{as_typed, end_on_signal};

use crate::args::{ModelsAction, ModelsArgs};

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
        ModelsAction::Check(args) => check::run(args).map_err(with_flags),
    }
}

/// Names the setting of an error by its flag: these commands have no `--set`.
fn with_flags(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<ModelError>() {
        Some(ModelError::Setting { setting, value, expected }) => {
            anyhow!("{} {value}: {expected}", long(setting))
        }
        _ => error,
    }
}
