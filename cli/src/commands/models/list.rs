//! `veridic models list`: lists the bundled models and those of the manifest.

use std::process::ExitCode;

use anyhow::Result;
use veridic::{find_model, shipped_models};
use veridic_models::store::{Entry, HubSettings, Manifest, Store, Task};
use veridic_models::{DEFAULT_MODEL, ModelError, ModelInfo, ModelSource, NliModel};

use veridic_program::output;

pub(super) fn run() -> Result<ExitCode> {
    let store = Store::new(HubSettings::from_environment()?);
    let mut rows = vec![
        ["name", "for", "parameters", "download", "tokens", "licence", "here", "good for"].map(str::to_owned),
    ];
    for model in shipped_models().names() {
        rows.push(own_row(model)?);
    }
    let manifest = Manifest::get();
    rows.extend(manifest.models.iter().map(|entry| row(entry, &store)));
    print(&rows)?;
    output::line("")?;
    for bundle in &manifest.bundles {
        output::line(&format!("{}: {} ({})", bundle.name, bundle.models.join(", "), bundle.good_for))?;
    }
    output::line("`veridic models pull NAME` fetches a model; `veridic models info NAME` describes it.")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the row of a bundled model, which is listed even if its files are missing.
fn own_row(name: &str) -> Result<[String; 8]> {
    let (found, here) = match find_model(name) {
        Ok(source) => {
            let here = if matches!(source, ModelSource::Embedded(_)) { "inside" } else { "beside" };
            (Some(NliModel::describe(&source)?), here)
        }
        Err(ModelError::NotShipped { .. }) => (None, "no"),
        Err(error) => return Err(error.into()),
    };
    let of = |field: fn(&ModelInfo) -> String| found.as_ref().map(field).unwrap_or_default();
    let good_for = match name {
        DEFAULT_MODEL => "the default: the best one that needs no download",
        _ => "speed; often wrong",
    };
    Ok([
        name.to_owned(),
        "nli".into(),
        of(|info| millions(info.parameters as u64)),
        "-".into(),
        of(|info| info.token_limit.to_string()),
        of(|info| info.licence.clone().unwrap_or_default()),
        here.into(),
        good_for.into(),
    ])
}

fn row(entry: &Entry, store: &Store) -> [String; 8] {
    [
        entry.name.clone(),
        task_name(entry.task).into(),
        millions(entry.parameters),
        format!("{} MB", entry.size_mb),
        entry.token_limit.to_string(),
        entry.licence.clone(),
        if store.find(&entry.name).is_ok() { "yes" } else { "no" }.into(),
        entry.good_for.clone(),
    ]
}

pub(super) fn millions(parameters: u64) -> String {
    format!("{:.1} M", parameters as f64 / 1e6)
}

pub(super) fn task_name(task: Task) -> &'static str {
    match task {
        Task::Nli => "nli",
        Task::Checker => "checker",
        Task::Claims => "claims",
        Task::Coref => "coref",
        Task::Encoder => "encoder",
        Task::TokenClassifier => "token-classifier",
    }
}

/// Prints columns as wide as their widest cell, numbers right-aligned.
fn print(rows: &[[String; 8]]) -> Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..8).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            2..=4 => format!("{cell:>width$}"),
            7 => cell.clone(),
            _ => format!("{cell:<width$}"),
        });
        output::line(&cells.collect::<Vec<_>>().join("  "))?;
    }
    Ok(())
}
