//! The architectures of NLI models behind one interface; `model_type` of config.json selects one.

use candle_core::Tensor;
use serde::Deserialize;
use veridic_kernels::Precision;

#[cfg(feature = "cuda")]
use veridic_kernels::cuda::Download;

#[cfg(feature = "cuda")]
use crate::bert::BertOnCuda;
use crate::bert::{AlignHead, BertClassifier, BertConfig, Family};
#[cfg(feature = "cuda")]
use crate::deberta::DebertaOnCuda;
use crate::deberta::{DebertaClassifier, DebertaConfig};
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::in_dtype;
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// The configuration of a sequence classifier.
pub(crate) enum ClassifierConfig {
    Deberta(DebertaConfig),
    Bert(BertConfig),
}

/// A sequence classifier with its weights.
pub(crate) enum Classifier {
    Deberta(Box<DebertaClassifier>),
    Bert(Box<BertClassifier>),
    #[cfg(feature = "cuda")]
    DebertaOnCuda(Box<DebertaOnCuda>),
    #[cfg(feature = "cuda")]
    BertOnCuda(Box<BertOnCuda>),
}

/// Logits on the host, or still being computed on a device.
pub(crate) enum Logits {
    /// (sequences, labels)
    Ready(Tensor),
    #[cfg(feature = "cuda")]
    Pending(Download),
}

impl Logits {
    /// Waits for them and returns one row a sequence.
    pub(crate) fn wait(self) -> Result<Vec<Vec<f32>>> {
        match self {
            Self::Ready(logits) => Ok(logits.to_vec2()?),
            #[cfg(feature = "cuda")]
            Self::Pending(download) => {
                let (_, labels) = download.shape();
                Ok(download.wait()?.chunks_exact(labels).map(<[f32]>::to_vec).collect())
            }
        }
    }
}

/// The `model_type` of DeBERTa-v2 and v3.
const DEBERTA: &str = "deberta-v2";

/// The fields that select the architecture.
#[derive(Deserialize)]
struct Kind {
    model_type: Option<String>,
    architectures: Option<Vec<String>>,
}

impl Kind {
    fn read(json: &[u8], file: &str) -> Result<Self> {
        serde_json::from_slice(json).map_err(|e| ModelError::Config {
            file: file.to_owned(),
            reason: format!("is not a model configuration: {e}"),
        })
    }

    fn is_deberta(&self) -> bool {
        self.model_type.as_deref() == Some(DEBERTA)
    }

    fn family(&self) -> Option<Family> {
        self.model_type.as_deref().and_then(Family::of)
    }

    /// The error on a type that is not supported.
    fn unsupported(&self, file: &str, models: &str) -> ModelError {
        let given = self.model_type.as_deref().unwrap_or("missing");
        let family: Vec<String> = Family::ALL.map(|family| format!("`{}`", family.model_type())).to_vec();
        let family = family.join(", ");
        let reason =
            format!("model_type is `{given}`; {models} of type {family} and `{DEBERTA}` are supported");
        ModelError::Config { file: file.to_owned(), reason }
    }
}

impl ClassifierConfig {
    /// Reads the `config.json` of a sequence classifier; `file` is named in errors.
    pub(crate) fn parse(json: &[u8], file: &str) -> Result<Self> {
        let kind = Kind::read(json, file)?;
        let class = match (kind.is_deberta(), kind.family()) {
            (true, _) => "DebertaV2ForSequenceClassification",
            (false, Some(family)) => family.classifier_class(),
            (false, None) => return Err(kind.unsupported(file, "NLI models")),
        };
        let architectures = kind.architectures.unwrap_or_default();
        if !architectures.is_empty() && !architectures.iter().any(|given| given == class) {
            let reason = format!("architectures is {architectures:?}; a {class} is needed");
            return Err(ModelError::Config { file: file.to_owned(), reason });
        }
        Self::with_any_head(json, file)
    }

    /// Reads the `config.json` of the encoder of an AlignScore checkpoint, under one of its heads.
    pub(crate) fn of_align_score(json: &[u8], file: &str, head: AlignHead) -> Result<Self> {
        match Self::with_any_head(json, file)? {
            Self::Bert(config) if config.family != Family::Mpnet => {
                Ok(Self::Bert(config.with_align_head(head)))
            }
            _ => {
                let reason =
                    "is not of BERT or RoBERTa, which AlignScore's checkpoints have below their heads";
                Err(ModelError::Config { file: file.to_owned(), reason: reason.to_owned() })
            }
        }
    }

    /// The same for any head: only the encoder is used.
    pub(crate) fn with_any_head(json: &[u8], file: &str) -> Result<Self> {
        let kind = Kind::read(json, file)?;
        match (kind.is_deberta(), kind.family()) {
            (true, _) => DebertaConfig::parse(json, file).map(Self::Deberta),
            (false, Some(_)) => BertConfig::parse(json, file).map(Self::Bert),
            (false, None) => Err(kind.unsupported(file, "encoders")),
        }
    }

    /// Builds the network on a device; `precision` is the dtype of the layers' products.
    pub(crate) fn load(
        &self,
        weights: &Weights,
        device: &Device,
        precision: Precision,
    ) -> Result<Classifier> {
        device.check(precision)?;
        match (self, device) {
            (Self::Deberta(config), Device::Host) => DebertaClassifier::load(config, weights, precision)
                .map(|network| Classifier::Deberta(Box::new(network))),
            (Self::Bert(config), Device::Host) => BertClassifier::load(config, weights, precision)
                .map(|network| Classifier::Bert(Box::new(network))),
            #[cfg(feature = "cuda")]
            (Self::Deberta(config), Device::Cuda(cuda)) => {
                DebertaOnCuda::load(in_dtype(cuda, precision), config, weights)
                    .map(|network| Classifier::DebertaOnCuda(Box::new(network)))
            }
            #[cfg(feature = "cuda")]
            (Self::Bert(config), Device::Cuda(cuda)) => {
                BertOnCuda::load(in_dtype(cuda, precision), config, weights)
                    .map(|network| Classifier::BertOnCuda(Box::new(network)))
            }
        }
    }

    /// Whether it is a RoBERTa.
    pub(crate) fn is_roberta(&self) -> bool {
        matches!(self, Self::Bert(config) if config.family == Family::Roberta)
    }

    /// Names of the outputs, in order.
    pub(crate) fn labels(&self) -> &[String] {
        match self {
            Self::Deberta(config) => &config.labels,
            Self::Bert(config) => &config.labels,
        }
    }

    /// Rows of the word embedding.
    pub(crate) fn vocab_size(&self) -> usize {
        match self {
            Self::Deberta(config) => config.vocab_size,
            Self::Bert(config) => config.vocab_size,
        }
    }

    /// Longest sequence that the model takes.
    pub(crate) fn token_limit(&self) -> usize {
        match self {
            Self::Deberta(config) => config.token_limit(),
            Self::Bert(config) => config.token_limit(),
        }
    }

    /// Floating-point operations of one sequence of `tokens` tokens.
    pub(crate) fn operations(&self, tokens: usize) -> u64 {
        match self {
            Self::Deberta(config) => config.operations(tokens),
            Self::Bert(config) => config.operations(tokens),
        }
    }

    /// Number of layers.
    pub(crate) fn layers(&self) -> usize {
        match self {
            Self::Deberta(config) => config.layers,
            Self::Bert(config) => config.layers,
        }
    }

    /// The same network without its last layers.
    pub(crate) fn keep_layers(&mut self, layers: usize) {
        match self {
            Self::Deberta(config) => config.layers = layers,
            Self::Bert(config) => config.layers = layers,
        }
    }

    /// Columns of a token's state.
    pub(crate) fn hidden(&self) -> usize {
        match self {
            Self::Deberta(config) => config.hidden_size,
            Self::Bert(config) => config.hidden_size,
        }
    }

    /// The prefix of the encoder's tensor names.
    pub(crate) fn prefix(&self) -> &'static str {
        match self {
            Self::Deberta(_) => "deberta.",
            Self::Bert(config) => config.family.prefix(),
        }
    }

    /// Architecture and main sizes, as shown to users.
    pub(crate) fn summary(&self) -> String {
        let (name, layers, hidden, heads) = match self {
            Self::Deberta(c) => ("DeBERTa-v2", c.layers, c.hidden_size, c.heads.count),
            Self::Bert(c) => (c.family.name(), c.layers, c.hidden_size, c.heads.count),
        };
        format!("{name}, {layers} layers, hidden size {hidden}, {heads} heads")
    }
}

impl Classifier {
    /// Logits of every sequence, `(sequences, labels)`; a device may still be computing them.
    pub(crate) fn logits(&self, batch: &PackedBatch) -> Result<Logits> {
        match self {
            Self::Deberta(network) => network.logits(batch).map(Logits::Ready),
            Self::Bert(network) => network.logits(batch).map(Logits::Ready),
            #[cfg(feature = "cuda")]
            Self::DebertaOnCuda(network) => network.logits(batch).map(Logits::Pending),
            #[cfg(feature = "cuda")]
            Self::BertOnCuda(network) => network.logits(batch).map(Logits::Pending),
        }
    }

    /// Logits as [`Classifier::logits`], and on the host the states of all tokens before the last layer, `(tokens, hidden)`
    /// row by row.
    pub(crate) fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Logits, Option<Vec<f32>>)> {
        let (logits, states) = match self {
            Self::Deberta(network) => network.logits_and_states(batch)?,
            Self::Bert(network) => network.logits_and_states(batch)?,
            #[cfg(feature = "cuda")]
            Self::DebertaOnCuda(_) | Self::BertOnCuda(_) => return Ok((self.logits(batch)?, None)),
        };
        Ok((Logits::Ready(logits), Some(states.flatten_all()?.to_vec1()?)))
    }

    /// The states of all tokens before the last layer, `(tokens, hidden)` row by row.
    pub(crate) fn before_last(&self, batch: &PackedBatch) -> Result<Vec<f32>> {
        let states = match self {
            Self::Deberta(network) => network.before_last(batch)?,
            Self::Bert(network) => network.before_last(batch)?,
            #[cfg(feature = "cuda")]
            Self::DebertaOnCuda(network) => return Ok(network.before_last(batch)?.wait()?),
            #[cfg(feature = "cuda")]
            Self::BertOnCuda(network) => return Ok(network.before_last(batch)?.wait()?),
        };
        Ok(states.flatten_all()?.to_vec1()?)
    }
}
