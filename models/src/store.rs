//! Where a model's files come from: the binary itself, or a folder.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{ModelError, Result};
use crate::weights::Weights;

/// Files beside the weights that decide what a model says.
const SETTINGS_FILES: [&str; 4] = ["config.json", "generation_config.json", "tokenizer.json", "spiece.model"];

/// A model that is part of the program.
#[derive(Debug)]
pub struct BundledModel {
    /// The name that `--model` takes.
    pub name: &'static str,
    pub(crate) config: &'static [u8],
    pub(crate) tokenizer: &'static [u8],
    pub(crate) weights: &'static [u8],
    pub(crate) card: &'static str,
    pub(crate) calibration: Option<&'static str>,
    /// SHA-256 of the weights, in hexadecimal; a test compares it with the file.
    pub(crate) sha256: &'static str,
}

#[cfg(feature = "bundled")]
static MINI: BundledModel = BundledModel {
    name: "mini",
    config: include_bytes!("../weights/mini/config.json"),
    tokenizer: include_bytes!("../weights/mini/tokenizer.json"),
    weights: include_bytes!("../weights/mini/model.safetensors"),
    card: include_str!("../weights/mini/README.md"),
    calibration: Some(include_str!("../weights/mini/calibration.json")),
    sha256: "140b796945f68b431d365071afc4a412d1b8f415d034abdf2a3f31e018bb712f",
};

/// The models inside this build; none without the feature `bundled`.
#[must_use]
pub fn bundled_models() -> &'static [&'static BundledModel] {
    #[cfg(feature = "bundled")]
    static MODELS: &[&BundledModel] = &[&MINI];
    #[cfg(not(feature = "bundled"))]
    static MODELS: &[&BundledModel] = &[];
    MODELS
}

/// Where a model is.
#[derive(Debug, Clone)]
pub enum ModelSource {
    /// In the program.
    Bundled(&'static BundledModel),
    /// In a folder of config.json, tokenizer.json, and model.safetensors or pytorch_model.bin.
    Folder(PathBuf),
}

impl ModelSource {
    /// A known name, or a folder.
    ///
    /// # Errors
    /// When it is neither.
    pub fn find(name: &str) -> Result<Self> {
        if let Some(model) = bundled_models().iter().find(|model| model.name == name) {
            return Ok(Self::Bundled(model));
        }
        let folder = Path::new(name);
        if folder.is_dir() {
            return Ok(Self::Folder(folder.to_owned()));
        }
        let known: Vec<&str> = bundled_models().iter().map(|model| model.name).collect();
        let known = if known.is_empty() { "none in this build".to_owned() } else { known.join(", ") };
        Err(ModelError::Unknown { name: name.to_owned(), known })
    }

    /// What results call the model: its name, or its folder as given.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Bundled(model) => model.name.to_owned(),
            Self::Folder(folder) => folder.display().to_string(),
        }
    }

    /// The bytes of config.json or tokenizer.json, and what errors call that file.
    pub(crate) fn small_file(&self, file: &'static str) -> Result<(Vec<u8>, String)> {
        match self {
            Self::Bundled(model) => {
                let bytes = if file == "config.json" { model.config } else { model.tokenizer };
                Ok((bytes.to_vec(), format!("bundled model {}: {file}", model.name)))
            }
            Self::Folder(folder) => {
                let path = present(folder, file)?;
                let name = path.display().to_string();
                match fs::read(&path) {
                    Ok(bytes) => Ok((bytes, name)),
                    Err(source) => Err(ModelError::Read { file: name, source }),
                }
            }
        }
    }

    /// A file that a model need not have.
    pub(crate) fn optional_file(&self, file: &'static str) -> Result<Option<(Vec<u8>, String)>> {
        match self {
            Self::Folder(folder) if folder.join(file).is_file() => self.small_file(file).map(Some),
            Self::Bundled(_) if matches!(file, "config.json" | "tokenizer.json") => {
                self.small_file(file).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// SHA-256 over all that the model is made of beside its weights, in hexadecimal: its files of settings and
    /// tokens, and what the caller `adds`.
    pub(crate) fn settings_sha256(&self, adds: &str) -> Result<String> {
        let mut digest = Sha256::new();
        for name in SETTINGS_FILES {
            if let Some((bytes, _)) = self.optional_file(name)? {
                digest.update(format!("{name} {} ", bytes.len()));
                digest.update(&bytes);
            }
        }
        digest.update(adds);
        Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    pub(crate) fn weights(&self) -> Result<Weights> {
        match self {
            Self::Bundled(model) => Weights::from_static(
                &format!("bundled model {}: model.safetensors", model.name),
                model.weights,
            ),
            Self::Folder(folder) => {
                let old = folder.join("pytorch_model.bin");
                match present(folder, "model.safetensors") {
                    Err(_) if old.is_file() => Weights::from_file(&old),
                    path => Weights::from_file(&path?),
                }
            }
        }
    }

    /// The text of `calibration.json` beside the model, if there is one, and what errors call that file.
    ///
    /// # Errors
    /// When the file cannot be read or is no text.
    pub fn calibration(&self) -> Result<Option<(String, String)>> {
        if let Self::Bundled(model) = self {
            let file = format!("bundled model {}: calibration.json", model.name);
            return Ok(model.calibration.map(|text| (text.to_owned(), file)));
        }
        let Some((bytes, file)) = self.optional_file("calibration.json")? else { return Ok(None) };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some((text, file))),
            Err(_) => Err(ModelError::Config { file, reason: "is not UTF-8 text".into() }),
        }
    }

    /// The licence that the model's card states, if it has one.
    pub(crate) fn licence(&self) -> Option<String> {
        match self {
            Self::Bundled(model) => licence_of(model.card),
            Self::Folder(folder) => licence_of(&fs::read_to_string(folder.join("README.md")).ok()?),
        }
    }
}

fn present(folder: &Path, file: &'static str) -> Result<PathBuf> {
    let path = folder.join(file);
    if path.is_file() { Ok(path) } else { Err(ModelError::MissingFile { folder: folder.to_owned(), file }) }
}

/// `license:` of a model card's front matter (the block between two `---` lines at its top).
fn licence_of(card: &str) -> Option<String> {
    let mut lines = card.lines();
    if lines.next()?.trim() != "---" {
        return None;
    }
    lines
        .take_while(|line| line.trim() != "---")
        .find_map(|line| line.strip_prefix("license:"))
        .map(|licence| licence.trim().trim_matches(['"', '\'']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_licence_comes_from_the_front_matter_only() {
        assert_eq!(licence_of("---\nlanguage: en\nlicense: mit\n---\n# X").as_deref(), Some("mit"));
        assert_eq!(licence_of("# X\nlicense: mit"), None);
        assert_eq!(licence_of("---\nlanguage: en\n---\nlicense: mit"), None);
    }
}
