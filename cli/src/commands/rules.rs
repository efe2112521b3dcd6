//! `veridic rules`: prints the resolved rules and the origin of each value, as a rules file or as JSON.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, json};
use veridic::rules::rules_text;

use crate::args::RulesArgs;
use veridic_program::args::Format;
use veridic_program::{load, output};

pub(super) fn run(args: &RulesArgs) -> Result<ExitCode> {
    let resolved = load::builder(&args.settings).resolve()?;
    match args.format {
        Format::Text => output::text(&rules_text(&resolved, &args.settings.model))?,
        Format::Json => {
            let mut keys = Map::new();
            for (key, value) in resolved.values() {
                keys.insert(key.to_owned(), json!({"value": value, "from": resolved.origin(key)}));
            }
            let digest = resolved.rules.digest();
            output::json(&json!({"model": args.settings.model, "digest": digest, "rules": keys}))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
