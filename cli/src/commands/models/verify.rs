//! `veridic models verify`: compares every file with the digest that the first pull recorded.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic_models::store::{FileState, HubModel, HubSettings, LocalModel, Manifest, Store, StoreError};

use veridic_program::output;

pub(super) fn run(names: &[String]) -> Result<ExitCode> {
    let store = Store::new(HubSettings::from_environment()?);
    let mut good = true;
    for found in chosen(&store, names)? {
        good &= verify(&store, &found)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn chosen(store: &Store, names: &[String]) -> Result<Vec<LocalModel>> {
    if names.is_empty() {
        let named = Manifest::get().models.iter().filter_map(|entry| HubModel::parse_all(&entry.name).ok());
        let here = named.flatten().filter_map(|model| store.cached(&model).ok());
        let here: Vec<LocalModel> = here.filter(|found| found.record.is_some()).collect();
        ensure!(
            !here.is_empty(),
            "no named model was pulled on this machine: `veridic models pull NAME` fetches one"
        );
        return Ok(here);
    }
    let mut found = Vec::new();
    for name in names {
        let wanted = match HubModel::parse_all(name) {
            Err(StoreError::Unknown { .. }) => vec![],
            wanted => wanted?,
        };
        if wanted.is_empty() {
            found.push(store.find(name)?);
        }
        for one in wanted {
            found.push(store.cached(&one)?);
        }
    }
    Ok(found)
}

/// Prints one line per file; returns whether all are unchanged.
fn verify(store: &Store, found: &LocalModel) -> Result<bool> {
    let verification = store.verify(found, &mut |_| {})?;
    let mut good = true;
    for file in &verification.files {
        let name = format!("{}: {}", found.id, file.file);
        good &= matches!(file.state, FileState::Same { .. });
        match &file.state {
            FileState::Same { sha256 } => output::line(&format!("same     {name}  {sha256}"))?,
            FileState::Missing => output::line(&format!("MISSING  {name}"))?,
            FileState::Unrecorded => output::line(&format!("UNKNOWN  {name}: not part of the first pull"))?,
            FileState::Changed { recorded, found } => {
                output::line(&format!(
                    "CHANGED  {name}\n           recorded {recorded}\n           found    {found}"
                ))?;
            }
        }
    }
    if !good {
        let id = &found.id;
        output::note(&format!(
            "veridic: {id} differs from what was pulled: `veridic models pull {id}` restores it"
        ));
    }
    Ok(good)
}
