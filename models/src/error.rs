//! What can go wrong with a model, each with the file or tensor and, where there is one, the way out.

use std::path::PathBuf;

use veridic_store::{Manifest, did_you_mean};

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, ModelError>;

/// A model could not be loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The name is neither a known model nor a folder.
    #[error(
        "no model `{name}`{}: known names are {known}; or give a folder that holds config.json, model.safetensors and tokenizer.json, or a hub id (OWNER/NAME)",
        did_you_mean(name, known.split(", ").chain(Manifest::get().names()))
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that would have worked.
        known: String,
    },
    /// A model that comes with the program is not where its folder may be.
    #[error(
        "the model `{name}` is not beside the program, where its releases have it in the folder models/{name}: put it there, or name another model (`veridic models list`); looked for {}",
        places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    NotBeside {
        /// Its name.
        name: &'static str,
        /// Where it was looked for.
        places: Vec<PathBuf>,
    },
    /// A model folder lacks a file.
    #[error("model folder {} has no {file}: a model needs config.json, model.safetensors and tokenizer.json", folder.display())]
    MissingFile {
        /// The folder.
        folder: PathBuf,
        /// The file that is not there.
        file: String,
    },
    /// A model has none of the files that make a tokenizer.
    #[error("model {model} has no tokenizer: it needs {needed}")]
    MissingTokenizer {
        /// Its name, or its folder as given.
        model: String,
        /// The files that would do.
        needed: &'static str,
    },
    /// A file could not be read.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// The configuration is not one that we can build exactly.
    #[error("{file}: {reason}")]
    Config {
        /// The file.
        file: String,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// The weights are damaged or are not the configuration's.
    #[error("{file}: {reason}")]
    Weights {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The tokenizer is damaged or does not fit the model.
    #[error("{file}: {reason}")]
    Tokenizer {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The order of the model's outputs is not known.
    #[error("{file}: {reason}")]
    Labels {
        /// The file that should say it.
        file: String,
        /// What is missing, and how to give it.
        reason: String,
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
    /// The network gave something that is not a number.
    #[error("{file}: the model's outputs are not finite: the weights are damaged or overflow")]
    NotFinite {
        /// The model's weights.
        file: String,
        /// Index of the first such sequence in its batch.
        sequence: usize,
    },
    /// The store has no such model, or not the one that was pulled.
    #[error(transparent)]
    Store(#[from] veridic_store::StoreError),
    /// A device cannot be used, or not for this.
    #[error("--device {device}: {reason}")]
    Device {
        /// The device.
        device: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The GPU cannot be used, or failed.
    #[cfg(feature = "cuda")]
    #[error(transparent)]
    Cuda(#[from] veridic_kernels::cuda::CudaError),
    /// A tensor operation failed.
    #[error("tensor operation failed: {0}")]
    Tensor(#[from] candle_core::Error),
}
