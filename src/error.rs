//! Why a pair could not be judged.

use veridic_models::ModelError;
use veridic_models::store::did_you_mean;
use veridic_models::store::quoting::quoted_name;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// A pair could not be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model cannot be loaded or run.
    #[error(transparent)]
    Model(ModelError),
    /// A rules file is invalid or was made for another model.
    #[error("{file}: {reason}")]
    RulesFile {
        /// The file.
        file: String,
        /// The problem.
        reason: String,
    },
    /// A setting in a file is invalid.
    #[error("{file}: {error}")]
    InFile {
        /// The file.
        file: String,
        /// Why.
        error: Box<Error>,
    },
    /// A model that a setting names cannot be loaded.
    #[error("`{setting}` {value}: {error}")]
    SettingModel {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// Why.
        error: Box<ModelError>,
    },
    /// A text cannot be judged.
    #[error("the {role} {reason}")]
    Text {
        /// `document` or `summary`.
        role: &'static str,
        /// The problem and the remedy.
        reason: String,
    },
    /// A claim leaves no room for a premise; claims are never cut.
    #[error(
        "claim {claim} has {tokens} tokens, too many for pairs of {limit}: split the sentence, raise `max_tokens`, or use a model with a higher limit"
    )]
    ClaimTooLong {
        /// Number of the claim in its summary, from 1.
        claim: usize,
        /// Its number of tokens.
        tokens: usize,
        /// Maximum tokens of a pair.
        limit: usize,
    },
    /// The model's outputs for a pair are not finite.
    #[error(
        "{file}: the model's outputs for claim {claim} are not finite: the weights are damaged or overflow"
    )]
    NotFinite {
        /// The model's weights.
        file: String,
        /// Number of the claim in its summary, from 1.
        claim: usize,
        /// The claim, which the message does not quote.
        text: String,
    },
    /// A part of the work that the caller does for this crate failed, such as writing claims
    /// ([`WriteClaims`](crate::WriteClaims)).
    #[error("{error}")]
    Caller {
        /// Why.
        error: Box<dyn std::error::Error + Send + Sync>,
        /// Whether a later run may succeed, so that a journal does not keep it.
        may_pass: bool,
    },
    /// The work was stopped before the pair was judged.
    #[error("stopped before it was decided")]
    Stopped,
    /// There is no setting with this name.
    #[error("there is no setting {}{}", quoted_name(.name), did_you_mean(.name, .known.iter().copied()))]
    UnknownSetting {
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<&'static str>,
    },
    /// The value of a setting is invalid, or contradicts another setting.
    #[error("`{setting}` {value}: {expected}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// The values that it accepts, or the setting that it contradicts.
        expected: String,
    },
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Setting { setting, value, expected } => Self::Setting { setting, value, expected },
            error => Self::Model(error),
        }
    }
}

impl Error {
    /// Whether it concerns one text only, so that others can still be judged.
    #[must_use]
    pub fn is_of_text(&self) -> bool {
        match self {
            Self::Text { .. } | Self::ClaimTooLong { .. } | Self::NotFinite { .. } | Self::Caller { .. } => {
                true
            }
            Self::Model(error) => matches!(error, ModelError::TooLong { .. }),
            _ => false,
        }
    }

    /// The error for an invalid value of a setting.
    #[must_use]
    pub fn setting(setting: &'static str, value: impl ToString, expected: impl Into<String>) -> Self {
        Self::Setting { setting, value: value.to_string(), expected: expected.into() }
    }

    /// The message, with the setting spelled as in the caller's interface: `--max-tokens 10` in the program,
    /// `max_tokens=10` in Python. `spell` gets the setting and its value.
    #[must_use]
    pub fn message(&self, spell: impl Fn(&str, &str) -> String) -> String {
        match self {
            Self::Setting { setting, value, expected } => {
                format!("{}: {expected}", spell(setting, value))
            }
            Self::SettingModel { setting, value, error } => format!("{}: {error}", spell(setting, value)),
            Self::ClaimTooLong { .. } => {
                self.to_string().replace("`max_tokens`", spell("max_tokens", "").trim_end_matches([' ', '=']))
            }
            Self::InFile { file, error } => {
                let as_in_file: &dyn Fn(&str, &str) -> String = &|key, value| format!("{key} = {value}");
                format!("{file}: {}", error.message(as_in_file))
            }
            other => other.to_string(),
        }
    }
}
