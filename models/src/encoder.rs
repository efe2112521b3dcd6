//! An encoder of texts: one vector a token, from the first layers of a network of BERT's family or DeBERTa-v2 that was
//! trained for anything. What the vectors are good for is the caller's decision.
//!
//! Tokens are those of the Python package `bert-score`: white space around a text is dropped, RoBERTa reads it as if
//! a space stood before it, special tokens stand around it, and its end is cut where the model's limit is.

use serde::Deserialize;
use veridic_kernels::{Precision, Queries};

use crate::bert::BertEncoder;
#[cfg(feature = "cuda")]
use crate::bert::BertEncoderOnCuda;
use crate::classifier::ClassifierConfig;
use crate::deberta::DebertaEncoder;
#[cfg(feature = "cuda")]
use crate::deberta::DebertaEncoderOnCuda;
use crate::device::Device;
use crate::error::{ModelError, Result};
use crate::identity::ModelIdentity;
use crate::packed::PackedBatch;
use crate::source::ModelSource;
use crate::tokenizer::{PairTokenizer, TextTokens, TokenizerFiles, Truncation};
use crate::weights::Weights;

/// A text as the network takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderTokens {
    /// Token ids, special ones included.
    pub ids: Vec<u32>,
    /// How many tokens were cut from its end.
    pub cut: usize,
}

/// The vectors of a text's tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenVectors {
    /// (tokens, width)
    values: Vec<f32>,
    width: usize,
}

impl TokenVectors {
    /// One vector after the other.
    ///
    /// # Panics
    /// When `width` is 0 or does not divide the number of values.
    #[must_use]
    pub fn new(values: Vec<f32>, width: usize) -> Self {
        assert!(width > 0 && values.len().is_multiple_of(width), "whole vectors");
        Self { values, width }
    }

    /// The vectors, in the order of the tokens.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.width)
    }
}

/// A loaded encoder.
pub struct TextEncoder {
    identity: ModelIdentity,
    weights_file: String,
    layer: usize,
    token_limit: usize,
    tokenizer: PairTokenizer,
    /// As RoBERTa's tokenizer does for bert-score.
    reads_a_space_first: bool,
    network: Network,
}

enum Network {
    Deberta(Box<DebertaEncoder>),
    Bert(Box<BertEncoder>),
    #[cfg(feature = "cuda")]
    DebertaOnCuda(Box<DebertaEncoderOnCuda>),
    #[cfg(feature = "cuda")]
    BertOnCuda(Box<BertEncoderOnCuda>),
}

/// The field of tokenizer_config.json that says where texts are cut.
#[derive(Deserialize)]
struct Limit {
    model_max_length: Option<f64>,
}

impl TextEncoder {
    /// Loads the layers up to the one whose states are wanted; without `layer`, up to the one that is published as the
    /// model's best, else all. Layer 0 is the embeddings.
    ///
    /// # Errors
    /// When a file is missing, damaged or of an architecture that we cannot compute, or when there is no such layer.
    pub fn load(source: &ModelSource, layer: Option<usize>) -> Result<Self> {
        Self::load_on(source, layer, &Device::Host)
    }

    /// As [`TextEncoder::load`], on a device.
    ///
    /// # Errors
    /// As [`TextEncoder::load`], and when the device fails.
    pub fn load_on(source: &ModelSource, layer: Option<usize>, device: &Device) -> Result<Self> {
        let (json, file) = source.small_file("config.json")?;
        let mut config = ClassifierConfig::with_any_head(&json, &file)?;
        let layer = match layer.or_else(|| Self::published_layer(source)) {
            None => config.layers(),
            Some(layer) if layer <= config.layers() => layer,
            Some(layer) => {
                let reason = format!("has {} layers, layer {layer} is asked for", config.layers());
                return Err(ModelError::Config { file, reason });
            }
        };
        let tokenizer = PairTokenizer::build(TokenizerFiles::read(source)?, config.vocab_size())?.alone()?;
        let token_limit = token_limit(source, &config)?;
        config.keep_layers(layer);
        let weights = source.weights()?.under(config.prefix());
        Ok(Self {
            identity: ModelIdentity::of(
                source,
                &weights,
                device,
                &format!("layer {layer} limit {token_limit}"),
            )?,
            weights_file: weights.file().to_owned(),
            layer,
            token_limit,
            tokenizer,
            reads_a_space_first: config.is_roberta(),
            network: Network::load(&config, &weights, device)?,
        })
    }

    /// The layer that is published as a model's best, if it has a name.
    #[must_use]
    pub fn published_layer(source: &ModelSource) -> Option<usize> {
        source.entry()?.layer.map(|layer| layer as usize)
    }

    /// Its name and digests.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The layer whose states are the vectors.
    #[must_use]
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// Longest text in tokens, special ones included.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.token_limit
    }

    /// Whether a token stands around texts, wherever it is found.
    #[must_use]
    pub fn is_special(&self, id: u32) -> bool {
        self.tokenizer.is_special(id)
    }

    /// The tokens of a text, cut at the limit.
    ///
    /// # Errors
    /// When the tokenizer fails on the text, or the limit leaves no room for one.
    pub fn tokens(&self, text: &str) -> Result<EncoderTokens> {
        let text = stripped(text);
        let tokens = match (text.is_empty(), self.reads_a_space_first) {
            (true, _) => TextTokens::default(),
            (false, true) => self.tokenizer.text(&format!(" {text}"))?,
            (false, false) => self.tokenizer.text(text)?,
        };
        let laid_out =
            self.tokenizer.pair(&tokens, &TextTokens::default(), self.token_limit, Truncation::Premise)?;
        let whole = tokens.len() + self.tokenizer.special_tokens();
        Ok(EncoderTokens { cut: whole - laid_out.ids.len(), ids: laid_out.ids })
    }

    /// The vectors of texts, each given as the ids of its tokens; those of a text do not depend on the others.
    ///
    /// # Errors
    /// A text without tokens or over the limit, a token id outside the vocabulary, or [`ModelError::NotFinite`].
    pub fn vectors(&self, texts: &[&[u32]]) -> Result<Vec<TokenVectors>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let types = vec![0; texts.iter().map(|ids| ids.len()).max().unwrap_or(0)];
        let batch = PackedBatch::from_sequences(texts.iter().map(|ids| (*ids, &types[..ids.len()])));
        let (values, width) = self.network.states(&batch)?; // (tokens, width)
        let of = |sequence: usize| {
            &values[batch.offsets()[sequence] * width..batch.offsets()[sequence + 1] * width]
        };
        let texts = (0..texts.len()).map(|sequence| match of(sequence).iter().all(|x| x.is_finite()) {
            true => Ok(TokenVectors::new(of(sequence).to_vec(), width)),
            false => Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence }),
        });
        texts.collect()
    }
}

impl Network {
    fn load(config: &ClassifierConfig, weights: &Weights, device: &Device) -> Result<Self> {
        let (queries, precision) = (Queries::All, Precision::F32);
        match (config, device) {
            (ClassifierConfig::Deberta(config), Device::Host) => {
                DebertaEncoder::load(config, weights, queries, precision)
                    .map(|encoder| Self::Deberta(Box::new(encoder)))
            }
            (ClassifierConfig::Bert(config), Device::Host) => {
                BertEncoder::load(config, weights, queries, precision)
                    .map(|encoder| Self::Bert(Box::new(encoder)))
            }
            #[cfg(feature = "cuda")]
            (ClassifierConfig::Deberta(config), Device::Cuda(cuda)) => {
                DebertaEncoderOnCuda::load(cuda.clone(), config, weights, queries)
                    .map(|encoder| Self::DebertaOnCuda(Box::new(encoder)))
            }
            #[cfg(feature = "cuda")]
            (ClassifierConfig::Bert(config), Device::Cuda(cuda)) => {
                BertEncoderOnCuda::load(cuda.clone(), config, weights, queries)
                    .map(|encoder| Self::BertOnCuda(Box::new(encoder)))
            }
        }
    }

    /// The states of all tokens, row by row, and how wide a row is.
    fn states(&self, batch: &PackedBatch) -> Result<(Vec<f32>, usize)> {
        let states = match self {
            Self::Deberta(encoder) => encoder.forward(batch)?,
            Self::Bert(encoder) => encoder.forward(batch)?,
            #[cfg(feature = "cuda")]
            Self::DebertaOnCuda(encoder) => return Ok(waited(encoder.states(batch)?)?),
            #[cfg(feature = "cuda")]
            Self::BertOnCuda(encoder) => return Ok(waited(encoder.states(batch)?)?),
        };
        Ok((states.flatten_all()?.to_vec1::<f32>()?, states.dim(1)?))
    }
}

/// States from a GPU, and how wide a row is.
#[cfg(feature = "cuda")]
fn waited(download: veridic_kernels::cuda::Download) -> veridic_kernels::cuda::Result<(Vec<f32>, usize)> {
    let (_, width) = download.shape();
    Ok((download.wait()?, width))
}

/// Where texts are cut: where the tokenizer's settings say, and at what the network takes.
fn token_limit(source: &ModelSource, config: &ClassifierConfig) -> Result<usize> {
    let limit = config.token_limit();
    let Some((json, file)) = source.optional_file("tokenizer_config.json")? else { return Ok(limit) };
    let set: Limit = serde_json::from_slice(&json)
        .map_err(|e| ModelError::Config { file, reason: format!("is not a tokenizer's settings: {e}") })?;
    // Settings without a limit say 1e30.
    Ok(set.model_max_length.map_or(limit, |set| limit.min(set as usize)))
}

/// The text without what Python calls white space around it.
fn stripped(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}
