//! The architectures that an NLI model may have, behind one face: `model_type` of config.json decides.

use candle_core::Tensor;
use serde::Deserialize;
use veridic_kernels::Precision;

use crate::deberta::{DebertaClassifier, DebertaConfig};
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::roberta::{RobertaClassifier, RobertaConfig};
use crate::weights::Weights;

/// The configuration of a sequence classifier.
pub(crate) enum ClassifierConfig {
    Deberta(DebertaConfig),
    Roberta(RobertaConfig),
}

/// A sequence classifier with its weights.
pub(crate) enum Classifier {
    Deberta(Box<DebertaClassifier>),
    Roberta(Box<RobertaClassifier>),
}

/// What decides the architecture.
#[derive(Deserialize)]
struct Kind {
    model_type: Option<String>,
    architectures: Option<Vec<String>>,
}

impl ClassifierConfig {
    /// Reads `config.json`; `file` is named in errors.
    pub(crate) fn parse(json: &[u8], file: &str) -> Result<Self> {
        let refuse = |reason: String| ModelError::Config { file: file.to_owned(), reason };
        let kind: Kind =
            serde_json::from_slice(json).map_err(|e| refuse(format!("is not a model configuration: {e}")))?;
        let (name, class) = match kind.model_type.as_deref() {
            Some(name @ "deberta-v2") => (name, "DebertaV2ForSequenceClassification"),
            Some(name @ "roberta") => (name, "RobertaForSequenceClassification"),
            other => {
                return Err(refuse(format!(
                    "model_type is `{}`; NLI models of type `deberta-v2` and `roberta` are supported",
                    other.unwrap_or("missing")
                )));
            }
        };
        let architectures = kind.architectures.unwrap_or_default();
        if !architectures.is_empty() && !architectures.iter().any(|given| given == class) {
            return Err(refuse(format!("architectures is {architectures:?}; a {class} is needed")));
        }
        match name {
            "roberta" => RobertaConfig::parse(json, file).map(Self::Roberta),
            _ => DebertaConfig::parse(json, file).map(Self::Deberta),
        }
    }

    /// Builds the network; `precision` is that of the layers' products.
    pub(crate) fn load(&self, weights: &Weights, precision: Precision) -> Result<Classifier> {
        match self {
            Self::Deberta(config) => DebertaClassifier::load(config, weights, precision)
                .map(|network| Classifier::Deberta(Box::new(network))),
            Self::Roberta(config) => RobertaClassifier::load(config, weights, precision)
                .map(|network| Classifier::Roberta(Box::new(network))),
        }
    }

    /// Names of the outputs, in order.
    pub(crate) fn labels(&self) -> &[String] {
        match self {
            Self::Deberta(config) => &config.labels,
            Self::Roberta(config) => &config.labels,
        }
    }

    /// Rows of the word embedding.
    pub(crate) fn vocab_size(&self) -> usize {
        match self {
            Self::Deberta(config) => config.vocab_size,
            Self::Roberta(config) => config.vocab_size,
        }
    }

    /// Longest sequence that the model takes.
    pub(crate) fn token_limit(&self) -> usize {
        match self {
            Self::Deberta(config) => config.token_limit(),
            Self::Roberta(config) => config.token_limit(),
        }
    }

    /// Floating-point operations of one sequence of `tokens` tokens.
    pub(crate) fn operations(&self, tokens: usize) -> u64 {
        match self {
            Self::Deberta(config) => config.operations(tokens),
            Self::Roberta(config) => config.operations(tokens),
        }
    }

    /// Architecture and main sizes, for people.
    pub(crate) fn summary(&self) -> String {
        let (name, layers, hidden, heads) = match self {
            Self::Deberta(c) => ("DeBERTa-v2", c.layers, c.hidden_size, c.heads.count),
            Self::Roberta(c) => ("RoBERTa", c.layers, c.hidden_size, c.heads.count),
        };
        format!("{name}, {layers} layers, hidden size {hidden}, {heads} heads")
    }
}

impl Classifier {
    /// Logits of every sequence, `(sequences, labels)`.
    pub(crate) fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        match self {
            Self::Deberta(network) => network.logits(batch),
            Self::Roberta(network) => network.logits(batch),
        }
    }
}
