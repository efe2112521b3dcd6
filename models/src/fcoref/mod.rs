//! F-Coref (Otmazgin, Cattan, Goldberg 2022): which spans of a text name the same thing. A RoBERTa
//! encoder, scores of all spans, the best of them as mentions, and for each mention the antecedent that
//! it most likely repeats, or none.
//!
//! The Python package `fastcoref` is the reference for every number, and for what becomes of words,
//! segments and ties.

mod antecedents;
mod clusters;
mod config;
mod mentions;
mod segments;

use std::ops::Range;

use veridic_kernels::{Precision, Queries};

pub use antecedents::{Antecedent, Antecedents};
pub use mentions::Mention;

use self::config::FCorefConfig;
use self::mentions::MentionHead;
use self::segments::SegmentTokenizer;
use crate::device::Device;
use crate::error::{ModelError, Result};
use crate::identity::ModelIdentity;
use crate::packed::PackedBatch;
#[cfg(feature = "cuda")]
use crate::roberta::RobertaEncoderOnCuda;
use crate::roberta::{RobertaConfig, RobertaEncoder};
use crate::source::ModelSource;
use crate::tokenizer::TokenizerFiles;
use crate::weights::Weights;
use crate::words::words;

/// Tokens of segments that are encoded together. Changes memory, never a result.
const BATCH_TOKENS: usize = 4096;

/// A loaded coreference model.
pub struct FCoref {
    identity: ModelIdentity,
    weights_file: String,
    config: FCorefConfig,
    tokenizer: SegmentTokenizer,
    encoder: Encoder,
    mentions: MentionHead,
    antecedents: antecedents::AntecedentHead,
}

/// Where segments are encoded; what follows is computed on the host.
enum Encoder {
    Host(RobertaEncoder),
    #[cfg(feature = "cuda")]
    Cuda(RobertaEncoderOnCuda),
}

/// What the model makes of a text's tokens.
pub struct Reading {
    /// The spans that were kept as mentions, by start, then end.
    pub mentions: Vec<Mention>,
    /// Scores of pairs of them.
    pub antecedents: Antecedents,
}

impl FCoref {
    /// Loads a model: config.json with a `coref_head`, the files of a tokenizer, and weights.
    ///
    /// # Errors
    /// When a file is missing, damaged, or asks for what we cannot compute exactly.
    pub fn load(source: &ModelSource) -> Result<Self> {
        Self::load_on(source, &Device::Host)
    }

    /// As [`FCoref::load`], with the encoder on a device.
    ///
    /// # Errors
    /// As [`FCoref::load`], and when the device fails.
    pub fn load_on(source: &ModelSource, device: &Device) -> Result<Self> {
        let (json, file) = source.small_file("config.json")?;
        let config = FCorefConfig::parse(&json, &file)?;
        let tokenizer = TokenizerFiles::read(source)?.build(config.encoder.vocab_size)?;
        let tokenizer = SegmentTokenizer::new(tokenizer)?;
        let weights = source.weights()?;
        Ok(Self {
            identity: ModelIdentity::of(source, &weights, device, "")?,
            weights_file: weights.file().to_owned(),
            tokenizer,
            encoder: Encoder::load(&config.encoder, &weights, device)?,
            mentions: MentionHead::load(&config, &weights)?,
            antecedents: antecedents::AntecedentHead::load(&config, &weights)?,
            config,
        })
    }

    /// Its name and digests.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Groups of spans of the text, in bytes, that name the same thing: at least two each, the first
    /// antecedent first.
    ///
    /// # Errors
    /// A tokenizer that fails, or scores that are not numbers.
    pub fn clusters(&self, text: &str) -> Result<Vec<Vec<Range<usize>>>> {
        let words = words(text);
        let parts: Vec<&str> = words.iter().map(|word| &text[word.clone()]).collect();
        let tokens = self.tokenizer.encode(&parts)?;
        let reading = self.read(&tokens.ids)?;
        // A mention that begins or ends with a special token names nothing.
        let span = |mention: usize| {
            let Mention { start, end, .. } = reading.mentions[mention];
            Some(words[tokens.words[start]?].start..words[tokens.words[end]?].end)
        };
        let clusters = clusters::clusters(&reading.antecedents.best());
        let named = clusters.iter().map(|cluster| cluster.iter().filter_map(|&m| span(m)).collect());
        Ok(named.filter(|cluster: &Vec<_>| cluster.len() > 1).collect())
    }

    /// The token ids that the model is given for some words.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn token_ids(&self, words: &[&str]) -> Result<Vec<u32>> {
        Ok(self.tokenizer.encode(words)?.ids)
    }

    /// Mentions and antecedents of a text's token ids, special ones included.
    ///
    /// # Errors
    /// A token id outside the vocabulary, or scores that are not numbers.
    pub fn read(&self, ids: &[u32]) -> Result<Reading> {
        if ids.is_empty() {
            return Err(ModelError::Empty { sequence: 0 });
        }
        let states = self.states(ids)?; // (tokens, hidden)
        let mentions = self.mentions.find(&states)?;
        let antecedents = self.antecedents.score(&states, &mentions)?;
        if antecedents.has_lost_numbers() || mentions.iter().any(|mention| !mention.score.is_finite()) {
            return Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence: 0 });
        }
        Ok(Reading { mentions, antecedents })
    }

    /// States of all tokens; each segment is encoded by itself.
    fn states(&self, ids: &[u32]) -> Result<candle_core::Tensor> {
        let types = vec![0; self.config.segment_tokens];
        let segments_together = (BATCH_TOKENS / self.config.segment_tokens).max(1);
        let mut states = Vec::new();
        for ids in ids.chunks(segments_together * self.config.segment_tokens) {
            let segments = ids.chunks(self.config.segment_tokens);
            let batch = PackedBatch::from_sequences(segments.map(|ids| (ids, &types[..ids.len()])));
            states.push(self.encoder.states(&batch)?);
        }
        Ok(candle_core::Tensor::cat(&states, 0)?)
    }
}

impl Encoder {
    fn load(config: &RobertaConfig, weights: &Weights, device: &Device) -> Result<Self> {
        Ok(match device {
            Device::Host => Self::Host(RobertaEncoder::load(config, weights, Queries::All, Precision::F32)?),
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => {
                Self::Cuda(RobertaEncoderOnCuda::load(cuda.clone(), config, weights, Queries::All)?)
            }
        })
    }

    /// `(tokens, hidden)`, on the host.
    fn states(&self, batch: &PackedBatch) -> Result<candle_core::Tensor> {
        match self {
            Self::Host(encoder) => encoder.forward(batch),
            #[cfg(feature = "cuda")]
            Self::Cuda(encoder) => {
                let download = encoder.states(batch)?;
                let shape = download.shape();
                Ok(candle_core::Tensor::from_vec(download.wait()?, shape, &candle_core::Device::Cpu)?)
            }
        }
    }
}
