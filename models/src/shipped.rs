//! The models that come with a program: compiled into it, or as folders beside it, since a hundred megabytes of weights
//! are read from disk rather than compiled in. Searches for such a folder first in the caller's folders, then beside
//! the program as in a release, then in the checkout that the program was built in.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::{ModelError, Result};

/// The NLI model that is used unless another is chosen.
pub const DEFAULT_MODEL: &str = "base";

/// Names of the models that come as folders.
const IN_FOLDERS: [&str; 1] = [DEFAULT_MODEL];

/// Number of folders, from the program's own upwards, that are tried as a checkout: target/debug/deps, or
/// target/TARGET/release.
const MAX_FOLDERS_ABOVE: usize = 5;

/// The files of a model that is compiled into the program.
#[derive(Debug, Clone, Copy)]
pub struct EmbeddedModel {
    /// Its name.
    pub name: &'static str,
    /// config.json.
    pub config: &'static [u8],
    /// tokenizer.json.
    pub tokenizer: &'static [u8],
    /// Weights in the safetensors format.
    pub weights: &'static [u8],
    /// SHA-256 of the weights, in hexadecimal.
    pub sha256: &'static str,
    /// README.md, the model's card.
    pub card: &'static str,
    /// rules.toml, if there is one.
    pub rules: Option<&'static str>,
}

/// The models that come with the program.
#[derive(Debug, Clone, Default)]
pub struct ShippedModels {
    /// Models that are compiled in.
    pub embedded: Vec<EmbeddedModel>,
    /// Folders of models that are searched before those beside the program.
    pub folders: Vec<PathBuf>,
}

impl ShippedModels {
    /// Their names, the default first.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        IN_FOLDERS.into_iter().chain(self.embedded.iter().map(|model| model.name)).collect()
    }

    /// The model with this name that is compiled in.
    pub(crate) fn embedded(&self, name: &str) -> Option<EmbeddedModel> {
        self.embedded.iter().copied().find(|model| model.name == name)
    }

    /// The name and the folder of a model that comes as a folder; `None` for any other name.
    ///
    /// # Errors
    /// [`ModelError::NotShipped`] when its folder is not found.
    pub(crate) fn in_folder(&self, name: &str) -> Result<Option<(&'static str, PathBuf)>> {
        let Some(name) = IN_FOLDERS.into_iter().find(|known| *known == name) else { return Ok(None) };
        Ok(Some((name, self.folder_of(name)?)))
    }

    fn folder_of(&self, name: &'static str) -> Result<PathBuf> {
        let places: Vec<PathBuf> = self.places().into_iter().map(|place| place.join(name)).collect();
        match places.iter().find(|place| place.join("config.json").is_file()) {
            Some(folder) => Ok(folder.clone()),
            None => Err(ModelError::NotShipped { name, places }),
        }
    }

    fn places(&self) -> Vec<PathBuf> {
        let mut places = self.folders.clone();
        if let Some(folder) = program_folder() {
            places.push(folder.join("models"));
            places.extend(folder.parent().map(|prefix| prefix.join("share/veridic/models")));
            let above =
                folder.ancestors().take(MAX_FOLDERS_ABOVE).map(|folder| folder.join("models/weights"));
            places.extend(above.filter(|place| place.is_dir()));
        }
        places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("weights"));
        places.dedup();
        places
    }
}

fn program_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    program.canonicalize().ok()?.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_lists_every_place() {
        let shipped = ShippedModels { folders: vec!["first".into()], ..ShippedModels::default() };
        let error = shipped.folder_of("nowhere").unwrap_err().to_string();
        for part in [
            "`nowhere`",
            "first/nowhere",
            "models/nowhere",
            "share/veridic/models/nowhere",
            "weights/nowhere",
            "another model",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn the_default_model_is_in_the_checkout() {
        let (name, folder) = ShippedModels::default().in_folder(DEFAULT_MODEL).unwrap().unwrap();
        assert_eq!(name, DEFAULT_MODEL);
        assert!(folder.ends_with("weights/base") && folder.join("README.md").is_file(), "{folder:?}");
        assert!(ShippedModels::default().in_folder("nowhere").unwrap().is_none());
    }
}
