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
#[cfg(feature = "cuda")]
mod on_cuda;
mod segments;

use std::ops::Range;

use veridic_kernels::{Precision, Queries};

pub use antecedents::{Antecedent, Antecedents};
pub use mentions::Mention;

use self::antecedents::AntecedentHead;
use self::config::FCorefConfig;
use self::mentions::MentionHead;
#[cfg(feature = "cuda")]
use self::on_cuda::FCorefOnCuda;
use self::segments::SegmentTokenizer;
use crate::bert::BertEncoder;
use crate::device::Device;
use crate::error::{ModelError, Result};
use crate::identity::ModelIdentity;
use crate::packed::PackedBatch;
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
    network: Network,
}

enum Network {
    Host(Box<OnHost>),
    #[cfg(feature = "cuda")]
    Cuda(Box<FCorefOnCuda>),
}

/// Everything on the host.
struct OnHost {
    encoder: BertEncoder,
    mentions: MentionHead,
    antecedents: AntecedentHead,
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

    /// As [`FCoref::load`], on a device.
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
            network: Network::load(&config, &weights, device)?,
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
        let Reading { mentions, antecedents } = self.network.read(&self.config, ids)?;
        if antecedents.has_lost_numbers() || mentions.iter().any(|mention| !mention.score.is_finite()) {
            return Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence: 0 });
        }
        Ok(Reading { mentions, antecedents })
    }
}

impl Network {
    fn load(config: &FCorefConfig, weights: &Weights, device: &Device) -> Result<Self> {
        match device {
            Device::Host => {
                OnHost::load(config, weights).map(|host| Self::Host(Box::new(host)))
            }
            #[cfg(feature = "cuda")]
            Device::Cuda(cuda) => {
                FCorefOnCuda::load(cuda.clone(), config, weights).map(|cuda| Self::Cuda(Box::new(cuda)))
            }
        }
    }

    /// Mentions and antecedents of a text that is given as segments.
    fn read(&self, config: &FCorefConfig, ids: &[u32]) -> Result<Reading> {
        let batches = segments(config, ids);
        match self {
            Self::Host(host) => {
                let states = batches.iter().map(|batch| host.encoder.forward(batch));
                let states = candle_core::Tensor::cat(&states.collect::<Result<Vec<_>>>()?, 0)?; // (tokens, hidden)
                let mentions = host.mentions.boundaries(&states)?.mentions(config)?;
                let sides = |mentions: &[Mention]| host.antecedents.sides(&states, mentions);
                Ok(Reading { antecedents: Antecedents::score(&mentions, sides)?, mentions })
            }
            #[cfg(feature = "cuda")]
            Self::Cuda(cuda) => {
                let states = cuda.states(&batches)?; // (tokens, hidden)
                let mentions = cuda.boundaries(&states)?.mentions(config)?;
                let sides = |mentions: &[Mention]| cuda.sides(&states, mentions);
                Ok(Reading { antecedents: Antecedents::score(&mentions, sides)?, mentions })
            }
        }
    }
}

impl OnHost {
    fn load(config: &FCorefConfig, weights: &Weights) -> Result<Self> {
        Ok(Self {
            encoder: BertEncoder::load(&config.encoder, weights, Queries::All, Precision::F32)?,
            mentions: MentionHead::load(config, weights)?,
            antecedents: AntecedentHead::load(config, weights)?,
        })
    }
}

/// A text's tokens in batches of segments; each segment is encoded by itself.
fn segments(config: &FCorefConfig, ids: &[u32]) -> Vec<PackedBatch> {
    let types = vec![0; config.segment_tokens];
    let segments_together = (BATCH_TOKENS / config.segment_tokens).max(1);
    let batches = ids.chunks(segments_together * config.segment_tokens).map(|ids| {
        let segments = ids.chunks(config.segment_tokens);
        PackedBatch::from_sequences(segments.map(|ids| (ids, &types[..ids.len()])))
    });
    batches.collect()
}
