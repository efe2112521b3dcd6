//! `veridic models list|info`

use std::process::ExitCode;

use anyhow::Result;
use veridic_models::{ModelInfo, ModelSource, NliModel, bundled_models};

use super::args::{ModelsAction, ModelsArgs};
use super::show;

pub(super) fn run(args: &ModelsArgs) -> Result<ExitCode> {
    match &args.action {
        ModelsAction::List => list()?,
        ModelsAction::Info { name } => {
            for (field, value) in facts(&NliModel::describe(&ModelSource::find(name)?)?) {
                show::line(&format!("{field:<13} {value}"))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list() -> Result<()> {
    if bundled_models().is_empty() {
        return show::line("this build has no model inside: pass --model DIR");
    }
    show::line(&format!(
        "{:<8} {:<54} {:>10} {:>8}  licence",
        "name", "architecture", "parameters", "tokens"
    ))?;
    for model in bundled_models() {
        let info = NliModel::describe(&ModelSource::Bundled(model))?;
        show::line(&format!(
            "{:<8} {:<54} {:>10} {:>8}  {}",
            info.id,
            info.architecture,
            millions(info.parameters),
            info.token_limit,
            licence(&info)
        ))?;
    }
    Ok(())
}

fn facts(info: &ModelInfo) -> Vec<(&'static str, String)> {
    vec![
        ("name", info.id.clone()),
        ("architecture", info.architecture.clone()),
        ("parameters", millions(info.parameters)),
        ("size", format!("{:.1} MB of weights", info.weight_bytes as f64 / 1e6)),
        ("labels", info.labels.join(", ")),
        ("token limit", info.token_limit.to_string()),
        ("licence", licence(info)),
        ("sha256", info.sha256.clone()),
    ]
}

fn licence(info: &ModelInfo) -> String {
    info.licence.clone().unwrap_or_else(|| "not stated in README.md".into())
}

fn millions(parameters: usize) -> String {
    format!("{:.1} M", parameters as f64 / 1e6)
}
