//! The errors of this crate. Each names the file, tensor or setting and, where there is one, the remedy.

use std::path::PathBuf;

use veridic_store::{Manifest, did_you_mean};

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, ModelError>;

/// Names of outputs in output order, as an example in messages.
pub(crate) const LABELS_EXAMPLE: &str = "entailment,neutral,contradiction or not_entailment,entailment";

/// A model could not be loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The name is not that of a known model or of a folder.
    #[error(
        "no model `{name}`{}: known names are {known}; or give a folder that holds config.json, model.safetensors and tokenizer.json, or a hub id (OWNER/NAME)",
        did_you_mean(name, known.split(", ").chain(Manifest::get().names()))
    )]
    Unknown {
        /// The name.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// The folder of a model that comes with the program is missing.
    #[error(
        "the model `{name}` is not beside the program, where releases have it in the folder models/{name}: put it there, or choose another model; searched {}",
        places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    NotShipped {
        /// Its name.
        name: &'static str,
        /// The folders that were searched.
        places: Vec<PathBuf>,
    },
    /// A model folder lacks a file.
    #[error("model folder {} has no {file}: a model needs config.json, model.safetensors and tokenizer.json", folder.display())]
    MissingFile {
        /// The folder.
        folder: PathBuf,
        /// The missing file.
        file: String,
    },
    /// A model has no tokenizer files.
    #[error("model {model} has no tokenizer: it needs {needed}")]
    MissingTokenizer {
        /// Its name, or its folder as given.
        model: String,
        /// The files, one of which is needed.
        needed: &'static str,
    },
    /// A file could not be read.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A file is damaged, does not fit the others, or describes what cannot be computed exactly.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// The problem and the remedy.
        reason: String,
    },
    /// The configuration does not name the model's outputs.
    #[error("{file}: {reason}; give `labels`, their names in output order, such as {LABELS_EXAMPLE}")]
    Labels {
        /// The configuration.
        file: String,
        /// The missing part.
        reason: String,
    },
    /// A setting has a value that this model, device or build does not support.
    #[error("`{setting}` {value}: {expected}")]
    Setting {
        /// The setting: `dtype`, `device`, `labels` or `align_head`.
        setting: &'static str,
        /// Its value.
        value: String,
        /// The supported values, and the reason.
        expected: String,
    },
    /// A pair has more tokens than the model or the caller allows.
    #[error("the pair has {tokens} tokens, the limit is {limit}")]
    TooLong {
        /// Tokens of the pair, special ones included.
        tokens: usize,
        /// The limit.
        limit: usize,
    },
    /// A sequence of a batch has no token.
    #[error("sequence {sequence} of the batch is empty")]
    Empty {
        /// Its index.
        sequence: usize,
    },
    /// An output of the network is not a finite number.
    #[error("{file}: the model's outputs are not finite: the weights are damaged or overflow")]
    NotFinite {
        /// The model's weights.
        file: String,
        /// Index of the first such sequence in its batch.
        sequence: usize,
    },
    /// A device's memory is too small.
    #[error(
        "{device} has too little memory for {what}: free some of it, or choose a smaller model or `device` cpu ({reason})"
    )]
    Memory {
        /// The device.
        device: String,
        /// What it has no room for, with its size.
        what: String,
        /// The device's own message.
        reason: String,
    },
    /// The model was not pulled, or has changed since.
    #[error(transparent)]
    Store(#[from] veridic_store::StoreError),
    /// A tensor operation failed.
    #[error("tensor operation failed: {0}")]
    Tensor(#[from] candle_core::Error),
}

/// The error on a file.
pub(crate) fn refuse(file: &str, reason: String) -> ModelError {
    ModelError::File { file: file.to_owned(), reason }
}
