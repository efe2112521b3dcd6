//! `veridic models`: lists, describes, fetches, verifies and checks models.

mod check;
mod info;
mod list;
mod pull;
mod verify;

use std::process::ExitCode;

use anyhow::Result;

use crate::args::{ModelsAction, ModelsArgs};

pub(super) fn run(args: &ModelsArgs) -> Result<ExitCode> {
    match &args.action {
        ModelsAction::List => list::run(),
        ModelsAction::Info { name } => info::run(name),
        ModelsAction::Pull { names, update, offline, quiet } => pull::run(names, *update, *offline, *quiet),
        ModelsAction::Verify { names } => verify::run(names),
        ModelsAction::Check(args) => check::run(args),
    }
}

fn millions(parameters: u64) -> String {
    format!("{:.1} M", parameters as f64 / 1e6)
}
