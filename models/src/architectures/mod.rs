//! The architectures of classifiers and encoders behind one interface; `model_type` of config.json selects one.

use candle_core::Tensor;
use serde::Deserialize;
use veridic_kernels::Precision;
use veridic_store::Entry;
use veridic_store::quoting::{short_id, short_ids, without_values};

use crate::bert::{BertConfig, Family};
use crate::deberta::{DebertaConfig, Version};
use crate::error::{ModelError, Result};
use crate::modernbert::ModernBertConfig;
use crate::packed::PackedBatch;
#[cfg(feature = "candle")]
use crate::padded::{PaddedNetwork, Target};
use crate::t5::T5JudgeConfig;
use crate::tokenizer::PromptTemplate;
use crate::weights::Weights;

/// The configuration of a classifier.
pub(crate) trait NetworkConfig: Send + Sync {
    /// Names of the outputs, in order.
    fn labels(&self) -> &[String];

    /// Rows of the word embedding.
    fn vocab_size(&self) -> usize;

    /// Maximum tokens of a sequence.
    fn token_limit(&self) -> usize;

    /// Floating-point operations of one sequence of `tokens` tokens.
    fn operations(&self, tokens: usize) -> u64;

    /// Number of layers.
    fn layers(&self) -> usize;

    /// Columns of a token's state.
    fn hidden(&self) -> usize;

    /// The architecture's name and the number of its heads, as shown to users.
    fn name_and_heads(&self) -> (&'static str, usize);

    /// The template of a model that reads premise and hypothesis as one text.
    fn prompt(&self) -> Option<&PromptTemplate> {
        None
    }

    /// Builds the classifier; `precision` is the dtype of the layers' products.
    fn classifier(&self, weights: &Weights, precision: Precision) -> Result<Box<dyn Classifier>>;

    /// Builds the same classifier by candle's operations on padded batches.
    #[cfg(feature = "candle")]
    fn padded(&self, weights: &Weights, target: &Target) -> Result<Box<dyn PaddedNetwork>>;
}

/// The configuration of a network whose states are vectors of tokens.
pub(crate) trait EncoderConfig: NetworkConfig {
    /// The same network without its last layers.
    fn keep_layers(&mut self, layers: usize);

    /// The prefix of the encoder's tensor names.
    fn prefix(&self) -> &'static str;

    /// Whether `bert-score` puts a space before each text of its tokenizer.
    fn adds_space(&self) -> bool {
        false
    }

    /// Builds the network below the head, in f32.
    fn encoder(&self, weights: &Weights) -> Result<Box<dyn Encoder>>;

    /// Builds the layers of a token classifier between the states and its output layer; most have none.
    fn token_layers(&self, _weights: &Weights) -> Result<Option<Box<dyn TokenLayers>>> {
        Ok(None)
    }
}

/// Layers of a token classifier between the states and its output layer.
pub(crate) trait TokenLayers: Send + Sync {
    /// `(tokens, hidden)` from `(tokens, hidden)`.
    fn forward(&self, states: &Tensor) -> Result<Tensor>;
}

/// A sequence classifier with its weights.
pub(crate) trait Classifier: Send + Sync {
    /// Logits, `(sequences, labels)`, and the states of all tokens before the last layer, `(tokens, hidden)`.
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)>;

    /// The states of all tokens before the last layer, `(tokens, hidden)`.
    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor>;
}

/// The network below a head, with its weights.
pub(crate) trait Encoder: Send + Sync {
    /// The last states of all tokens, `(tokens, hidden)`.
    fn states(&self, batch: &PackedBatch) -> Result<Tensor>;
}

/// The fields that select the architecture.
#[derive(Deserialize)]
struct Kind {
    model_type: Option<String>,
    architectures: Option<Vec<String>>,
}

/// The architectures.
enum Architecture {
    Deberta(Version),
    Bert(Family),
    ModernBert,
    T5,
}

impl Kind {
    fn read(json: &[u8], file: &str) -> Result<Self> {
        serde_json::from_slice(json).map_err(|e| ModelError::Config {
            file: file.to_owned(),
            reason: format!("is not a model configuration: {}", without_values(&e)),
        })
    }

    fn architecture(&self) -> Option<Architecture> {
        let kind = self.model_type.as_deref()?;
        match kind {
            ModernBertConfig::MODEL_TYPE => Some(Architecture::ModernBert),
            _ if T5JudgeConfig::MODEL_TYPES.contains(&kind) => Some(Architecture::T5),
            _ => Family::of(kind)
                .map(Architecture::Bert)
                .or_else(|| DebertaConfig::version_of(kind).map(Architecture::Deberta)),
        }
    }

    /// The error on a type that is not supported.
    fn unsupported(&self, file: &str, models: &str, more: &[&str]) -> ModelError {
        let given = self.model_type.as_deref().map_or("missing", short_id);
        let families = Family::ALL.map(Family::model_type);
        let debertas = DebertaConfig::MODEL_TYPES.map(|(name, _)| name);
        let kinds = families.iter().chain(&[ModernBertConfig::MODEL_TYPE]).chain(more).chain(&debertas);
        let kinds: Vec<String> = kinds.map(|kind| format!("`{kind}`")).collect();
        let (last, others) = kinds.split_last().expect("there are architectures");
        let reason = format!(
            "model_type is `{given}`; {models} of type {} and {last} are supported",
            others.join(", ")
        );
        ModelError::Config { file: file.to_owned(), reason }
    }
}

/// Reads the `config.json` of a sequence classifier; `file` is named in errors, and `entry` is the manifest's for the
/// model.
pub(crate) fn classifier_config(
    json: &[u8],
    file: &str,
    entry: Option<&Entry>,
) -> Result<Box<dyn NetworkConfig>> {
    let kind = Kind::read(json, file)?;
    let class = match kind.architecture() {
        Some(Architecture::T5) => {
            let checker = entry.and_then(|entry| entry.checker.as_ref());
            return Ok(Box::new(T5JudgeConfig::parse(json, file, checker)?));
        }
        Some(Architecture::Deberta(Version::One)) => "DebertaForSequenceClassification",
        Some(Architecture::Deberta(Version::Two)) => "DebertaV2ForSequenceClassification",
        Some(Architecture::Bert(family)) => family.classifier_class(),
        Some(Architecture::ModernBert) => "ModernBertForSequenceClassification",
        None => return Err(kind.unsupported(file, "NLI models", &T5JudgeConfig::MODEL_TYPES)),
    };
    let architectures = kind.architectures.unwrap_or_default();
    if !architectures.is_empty() && !architectures.iter().any(|given| given == class) {
        let reason = format!("architectures is {:?}; a {class} is needed", short_ids(&architectures));
        return Err(ModelError::Config { file: file.to_owned(), reason });
    }
    Ok(encoder_config(json, file)?)
}

/// The same for any head: only the encoder is used.
pub(crate) fn encoder_config(json: &[u8], file: &str) -> Result<Box<dyn EncoderConfig>> {
    let kind = Kind::read(json, file)?;
    Ok(match kind.architecture() {
        Some(Architecture::Deberta(_)) => Box::new(DebertaConfig::parse(json, file)?),
        Some(Architecture::Bert(_)) => Box::new(BertConfig::parse(json, file)?),
        Some(Architecture::ModernBert) => Box::new(ModernBertConfig::parse(json, file)?),
        Some(Architecture::T5) | None => return Err(kind.unsupported(file, "encoders", &[])),
    })
}

/// Architecture and main sizes, as shown to users.
pub(crate) fn summary(config: &dyn NetworkConfig) -> String {
    let (name, heads) = config.name_and_heads();
    format!("{name}, {} layers, hidden size {}, {heads} heads", config.layers(), config.hidden())
}
