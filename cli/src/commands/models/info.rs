//! `veridic models info NAME`: prints a model's manifest entry and, if they are on this machine, its files.

use std::process::ExitCode;

use anyhow::Result;
use veridic::find_model;
use veridic_models::store::{Checker, Entry, HubModel, Manifest, StoreError, Task};
use veridic_models::{ModelError, ModelInfo, ModelSource, NliModel};

use super::list::{millions, task_name};
use veridic_program::output;

pub(super) fn run(name: &str) -> Result<ExitCode> {
    if let Some(bundle) = Manifest::get().bundle(name) {
        output::line(&format!("{name}: {} ({})", bundle.models.join(", "), bundle.good_for))?;
        for model in &bundle.models {
            output::line("")?;
            one(model)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    one(name)?;
    Ok(ExitCode::SUCCESS)
}

fn one(name: &str) -> Result<()> {
    let rows = match find_model(name) {
        Ok(source) => local(&source)?,
        Err(ModelError::Store(StoreError::NotCached { model, cache, missing, offline })) => {
            let Some(entry) = entry(name) else {
                return Err(StoreError::NotCached { model, cache, missing, offline }.into());
            };
            let mut rows = manifest_entry(entry);
            rows.push(("here", format!("no: `veridic models pull {name}` fetches it")));
            rows
        }
        Err(error) => return Err(error.into()),
    };
    rows.iter().try_for_each(|(field, value)| output::line(&format!("{field:<13} {value}")))
}

fn entry(name: &str) -> Option<&'static Entry> {
    let wanted = HubModel::parse(name).ok()?;
    Manifest::get().model_of(&wanted.source.repository, wanted.contents)
}

fn local(source: &ModelSource) -> Result<Vec<(&'static str, String)>> {
    let entry = source.entry();
    let mut rows = match entry {
        Some(entry) if !matches!(entry.task, Task::Nli | Task::Checker) => manifest_entry(entry),
        _ => model_info(&NliModel::describe(source)?),
    };
    if let Some(Entry { checker: Some(checker), .. }) = entry {
        rows.extend(checker_rows(checker));
    }
    if let ModelSource::Shipped { folder, .. } = source {
        rows.push(("here", folder.display().to_string()));
    }
    if let ModelSource::Pulled(found) = source {
        rows.push(("here", found.folder.display().to_string()));
        rows.extend(found.repository.as_ref().map(|hub| ("repository", hub.to_string())));
        rows.extend(found.commit.clone().map(|commit| ("commit", commit)));
        let recorded = if found.record.is_some() { "yes" } else { "no: `veridic models pull` records them" };
        rows.push(("digests", format!("recorded: {recorded}")));
    }
    Ok(rows)
}

fn model_info(info: &ModelInfo) -> Vec<(&'static str, String)> {
    vec![
        ("name", info.id.clone()),
        ("architecture", info.architecture.clone()),
        ("parameters", millions(info.parameters as u64)),
        ("size", format!("{:.1} MB of weights", info.weight_bytes as f64 / 1e6)),
        ("labels", info.labels.join(", ")),
        ("token limit", info.token_limit.to_string()),
        ("licence", info.licence.clone().unwrap_or_else(|| "not stated in README.md".into())),
        (
            "languages",
            info.languages.as_ref().map_or("not stated in README.md".into(), |codes| codes.join(", ")),
        ),
        ("sha256", info.sha256.clone()),
    ]
}

fn manifest_entry(entry: &Entry) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("name", entry.name.clone()),
        ("for", task_name(entry.task).to_owned()),
        ("good for", entry.good_for.clone()),
        ("architecture", entry.architecture.clone()),
        ("parameters", millions(entry.parameters)),
        ("download", format!("{} MB", entry.size_mb)),
    ];
    if !entry.labels.is_empty() {
        rows.push(("labels", entry.labels.join(", ")));
    }
    rows.extend(entry.layer.map(|layer| ("best layer", layer.to_string())));
    rows.extend([
        ("token limit", entry.token_limit.to_string()),
        ("licence", entry.licence.clone()),
        ("repository", entry.hub.to_string()),
    ]);
    if !entry.unconfirmed.is_empty() {
        rows.push(("unconfirmed", entry.unconfirmed.join(", ")));
    }
    rows.extend(entry.checker.iter().flat_map(checker_rows));
    rows
}

fn checker_rows(checker: &Checker) -> Vec<(&'static str, String)> {
    vec![
        ("asked as", format!("{:?}", checker.template)),
        ("outputs", checker.label_meaning.clone()),
        ("chunks", format!("of up to {} {}", checker.chunk_size, checker.chunk_unit.name())),
        ("supported", format!("above {}", checker.threshold)),
        ("published at", checker.source.clone()),
    ]
}
