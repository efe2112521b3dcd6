//! Why a pair could not be judged.

use veridic_models::ModelError;

use crate::pipeline::evidence::CalibrationError;
#[cfg(feature = "cache")]
use crate::schedule::score_cache::ScoreCacheError;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// A pair could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model cannot be loaded or run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The file of weights and thresholds beside a model is not one.
    #[error("{file}: {error}")]
    Calibration {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: CalibrationError,
    },
    /// A model that an option names cannot be loaded.
    #[error("{option}: {error}")]
    Option {
        /// The option, as it is typed.
        option: String,
        /// Why.
        error: Box<ModelError>,
    },
    /// The folder that keeps scores between runs cannot be used.
    #[cfg(feature = "cache")]
    #[error(transparent)]
    Store(#[from] ScoreCacheError),
    /// A text is not one that can be judged.
    #[error("the {role} {reason}")]
    Text {
        /// `document` or `summary`.
        role: &'static str,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// A claim leaves no room for a premise; claims are never cut.
    #[error(
        "claim {claim} has {tokens} tokens, too many for pairs of {limit}: split the sentence, or use a model or --max-tokens with a higher limit"
    )]
    ClaimTooLong {
        /// Number of the claim in its summary, from 1.
        claim: usize,
        /// Its tokens.
        tokens: usize,
        /// Longest pair.
        limit: usize,
    },
    /// The model gave something that is not a number for one pair.
    #[error(
        "{file}: the model's outputs for claim {claim} (`{text}`) are not finite: the weights are damaged or overflow"
    )]
    NotFinite {
        /// The model's weights.
        file: String,
        /// Number of the claim in its summary, from 1.
        claim: usize,
        /// The claim.
        text: String,
    },
    /// The work was ended before the pair was decided.
    #[error("stopped before it was decided")]
    Stopped,
    /// A setting has no meaning.
    #[error("{0}")]
    Setting(String),
}
