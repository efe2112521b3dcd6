//! Models that come with the program as folders, since weights of a hundred megabytes are read and not compiled in, and
//! where such a folder is looked for: where a front door says, beside the program as a release has it, in the checkout
//! that the program was built in.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use crate::error::{ModelError, Result};

/// The model that judges unless another is asked for.
pub const DEFAULT_MODEL: &str = "base";

/// Names of the models that come with the program as folders.
pub(crate) const NAMES: [&str; 1] = [DEFAULT_MODEL];

/// Folders above the program's that may be a checkout: target/debug/deps, or target/TARGET/release.
const MOST_FOLDERS_ABOVE: usize = 5;

static ADDED: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Adds a folder of models that is looked in first. A front door whose program is another's, as a Python package is,
/// says here where its own files are.
pub fn add_models_folder(folder: PathBuf) {
    ADDED.write().unwrap_or_else(PoisonError::into_inner).push(folder);
}

/// The folder of a model that comes with the program.
///
/// # Errors
/// When it is nowhere, with all places.
pub(crate) fn folder_of(name: &'static str) -> Result<PathBuf> {
    let places = places().into_iter().map(|place| place.join(name)).collect::<Vec<_>>();
    match places.iter().find(|place| place.join("config.json").is_file()) {
        Some(folder) => Ok(folder.clone()),
        None => Err(ModelError::NotBeside { name, places }),
    }
}

fn places() -> Vec<PathBuf> {
    let mut places = ADDED.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(folder) = program_folder() {
        places.push(folder.join("models"));
        places.extend(folder.parent().map(|prefix| prefix.join("share/veridic/models")));
        let above = folder.ancestors().take(MOST_FOLDERS_ABOVE).map(|folder| folder.join("models/weights"));
        places.extend(above.filter(|place| place.is_dir()));
    }
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("weights"));
    places.dedup();
    places
}

fn program_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    program.canonicalize().ok()?.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_nowhere_is_told_with_all_places() {
        let error = folder_of("nowhere").unwrap_err().to_string();
        for part in
            ["`nowhere`", "models/nowhere", "share/veridic/models/nowhere", "weights/nowhere", "models list"]
        {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn the_default_is_in_the_checkout() {
        let folder = folder_of(DEFAULT_MODEL).unwrap();
        assert!(
            folder.ends_with("weights/base") && folder.join("README.md").is_file(),
            "{}",
            folder.display()
        );
    }
}
