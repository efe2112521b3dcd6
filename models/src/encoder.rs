//! An encoder of texts: one vector per token, from the first layers of a network of BERT's family, of ModernBERT or of
//! DeBERTa with any head.
//!
//! Tokens are those of the Python package `bert-score`: white space around a text is dropped, RoBERTa's texts start
//! with a space, special tokens are added at both ends, and a text over the limit is truncated at its end.

use serde::Deserialize;
use veridic_store::quoting::without_values;

use crate::architectures::{EncoderConfig, Facts, encoder_config};
use crate::bert::ALIGN_ENCODER;
use crate::error::{ModelError, Result, refuse};
use crate::identity::ModelIdentity;
use crate::network::Encoder;
use crate::packed::PackedBatch;
use crate::source::ModelSource;
use crate::tokenizer::{PairTokenizer, TokenizerFiles, Truncation};

/// A text as input of the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderTokens {
    /// Token ids, special ones included.
    pub ids: Vec<u32>,
    /// Number of tokens that were cut from its end.
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
    /// Vectors from their values, one vector after the other.
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
    /// Whether a space is put before each text, as bert-score does for RoBERTa.
    adds_space: bool,
    network: Box<dyn Encoder>,
}

/// The field of tokenizer_config.json that limits the length of texts.
#[derive(Deserialize)]
struct Limit {
    model_max_length: Option<f64>,
}

impl TextEncoder {
    /// Loads the layers up to `layer`, whose states are the vectors; without it, up to the layer that the manifest
    /// names as the model's best, else all. Layer 0 is the embeddings.
    ///
    /// # Errors
    /// When a file is missing or damaged, the architecture is not supported, or the layer does not exist.
    pub fn load(source: &ModelSource, layer: Option<usize>) -> Result<Self> {
        let (json, file) = source.small_file("config.json")?;
        let mut config = encoder_config(&json, &file)?;
        let Facts { layers, vocab_size, .. } = config.facts();
        let layer = layer.or_else(|| Self::published_layer(source)).unwrap_or(layers);
        if layer > layers {
            return Err(refuse(&file, format!("has {layers} layers; layer {layer} does not exist")));
        }
        let tokenizer =
            PairTokenizer::build(TokenizerFiles::read(source)?, vocab_size)?.for_single_texts()?;
        let token_limit = token_limit(source, &*config)?;
        config.keep_layers(layer);
        let weights = source.weights()?.with_prefix_replaced(ALIGN_ENCODER, config.prefix());
        let weights = weights.with_prefix(config.prefix());
        Ok(Self {
            identity: ModelIdentity::of(source, &weights, &format!("layer {layer} limit {token_limit}"))?,
            weights_file: weights.file().to_owned(),
            layer,
            token_limit,
            tokenizer,
            adds_space: config.adds_space(),
            network: config.encoder(&weights)?,
        })
    }

    /// The layer that the manifest names as a model's best.
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

    /// Maximum tokens of a text, including special tokens.
    #[must_use]
    pub fn token_limit(&self) -> usize {
        self.token_limit
    }

    /// Whether a token is one of those added at the ends of a text.
    #[must_use]
    pub fn is_special(&self, id: u32) -> bool {
        self.tokenizer.is_special(id)
    }

    /// Tokenizes a text, truncated to the limit.
    ///
    /// # Errors
    /// When the tokenizer fails on the text, or the limit leaves no room for a token.
    pub fn tokens(&self, text: &str) -> Result<EncoderTokens> {
        let text = stripped(text);
        let ids = if self.adds_space && !text.is_empty() {
            self.tokenizer.ids_within(&format!(" {text}"), usize::MAX)?
        } else {
            self.tokenizer.ids_within(text, usize::MAX)?
        };
        let laid_out = self.tokenizer.pair(&ids, &[], self.token_limit, Truncation::Premise)?;
        let whole = ids.len() + self.tokenizer.special_tokens();
        Ok(EncoderTokens { cut: whole - laid_out.ids.len(), ids: laid_out.ids })
    }

    /// The vectors of texts, each given as its token ids; a text's vectors do not depend on the other texts.
    ///
    /// # Errors
    /// A text without tokens or over the limit, a token id outside the vocabulary, or [`ModelError::NotFinite`].
    pub fn vectors(&self, texts: &[&[u32]]) -> Result<Vec<TokenVectors>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let batch = PackedBatch::of_one_type(texts.iter().copied());
        let states = self.network.states(&batch)?; // (tokens, width)
        let (values, width) = (states.flatten_all()?.to_vec1::<f32>()?, states.dim(1)?);
        let of = |sequence: usize| {
            &values[batch.offsets()[sequence] * width..batch.offsets()[sequence + 1] * width]
        };
        let texts = (0..texts.len()).map(|sequence| {
            if of(sequence).iter().all(|x| x.is_finite()) {
                Ok(TokenVectors::new(of(sequence).to_vec(), width))
            } else {
                Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence })
            }
        });
        texts.collect()
    }
}

/// Maximum tokens of a text: the smaller of the limits of the tokenizer's settings and the network.
pub(crate) fn token_limit(source: &ModelSource, config: &dyn EncoderConfig) -> Result<usize> {
    let limit = config.facts().token_limit;
    let Some((json, file)) = source.optional_file("tokenizer_config.json")? else { return Ok(limit) };
    let set: Limit = serde_json::from_slice(&json)
        .map_err(|e| refuse(&file, format!("is not a tokenizer's settings: {}", without_values(&e))))?;
    // Settings without a limit have 1e30.
    Ok(set.model_max_length.map_or(limit, |set| limit.min(set as usize)))
}

/// The text without the white space, as Python defines it, at its ends.
fn stripped(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}
