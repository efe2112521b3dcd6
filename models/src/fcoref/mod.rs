//! F-Coref (Otmazgin, Cattan, Goldberg 2022): the coreference clusters of a text. A RoBERTa encoder, scores of all spans,
//! the best of them as mentions, and the best antecedent of each mention, or none.
//!
//! Words, segments, ties and all numbers follow the Python package `fastcoref`.

mod antecedents;
mod clusters;
mod config;
mod mentions;
mod segments;

use std::ops::Range;

use candle_core::Tensor;

pub use antecedents::{Antecedent, Antecedents};
pub use mentions::MentionSpan;

use self::antecedents::AntecedentHead;
use self::config::FCorefConfig;
use self::mentions::MentionHead;
use self::segments::SegmentTokenizer;
use crate::architectures::{LayeredConfig, encoder_on};
use crate::device::ComputeDevice;
use crate::error::{ModelError, Result};
use crate::identity::ModelIdentity;
use crate::network::Encoder;
use crate::packed::PackedBatch;
use crate::source::ModelSource;
use crate::tokenizer::TokenizerFiles;
use crate::words::words;

/// Tokens of segments that are encoded together. Changes memory, never a result.
const BATCH_TOKENS: usize = 4096;

/// A loaded coreference model.
pub struct FCoref {
    identity: ModelIdentity,
    weights_file: String,
    config: FCorefConfig,
    tokenizer: SegmentTokenizer,
    encoder: Box<dyn Encoder>,
    mentions: MentionHead,
    antecedents: AntecedentHead,
}

/// The mentions of a text and the scores of their pairs.
pub struct MentionScores {
    /// The spans that were kept as mentions, by start, then end.
    pub mentions: Vec<MentionSpan>,
    /// Scores of pairs of mentions.
    pub antecedents: Antecedents,
}

impl FCoref {
    /// Loads a model: config.json with a `coref_head`, the files of a tokenizer, and weights. The encoder is computed on
    /// the device, the scores of mentions on the processor.
    ///
    /// # Errors
    /// When a file is missing or damaged, or an option cannot be computed exactly; a device that is not built in or cannot
    /// be opened.
    pub fn load(source: &ModelSource, device: ComputeDevice) -> Result<Self> {
        device.check().map_err(|expected| device.refused(expected))?;
        let (json, file) = source.small_file("config.json")?;
        let config = FCorefConfig::parse(&json, &file)?;
        let tokenizer = TokenizerFiles::read(source)?.build(config.encoder.vocab_size)?;
        let tokenizer = SegmentTokenizer::new(tokenizer)?;
        let weights = source.weights()?;
        let encoder = LayeredConfig::Bert(config.encoder.clone());
        Ok(Self {
            identity: ModelIdentity::of(source, &weights, "")?,
            weights_file: weights.file().to_owned(),
            tokenizer,
            encoder: encoder_on(device, &encoder, &weights)?,
            mentions: MentionHead::load(&config, &weights)?,
            antecedents: AntecedentHead::load(&config, &weights)?,
            config,
        })
    }

    /// Its name and digests.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The coreference clusters of a text: at least two spans each, in bytes, the first antecedent first.
    ///
    /// # Errors
    /// A tokenizer that fails, or scores that are not finite numbers.
    pub fn clusters(&self, text: &str) -> Result<Vec<Vec<Range<usize>>>> {
        Ok(self.clusters_until(text, &|| false)?.unwrap_or_default())
    }

    /// As [`FCoref::clusters`]; returns `None` if `is_over` returns true before a batch of tokens or of pairs of mentions.
    ///
    /// # Errors
    /// As [`FCoref::clusters`].
    pub fn clusters_until(
        &self,
        text: &str,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Vec<Range<usize>>>>> {
        let words = words(text);
        let parts: Vec<&str> = words.iter().map(|word| &text[word.clone()]).collect();
        let tokens = self.tokenizer.encode(&parts)?;
        let Some(scores) = self.score_until(&tokens.ids, is_over)? else { return Ok(None) };
        // A mention that begins or ends with a special token has no span in the text.
        let span = |mention: usize| {
            let MentionSpan { start, end, .. } = scores.mentions[mention];
            Some(words[tokens.words[start]?].start..words[tokens.words[end]?].end)
        };
        let clusters = clusters::clusters(&scores.antecedents.best());
        let spans = clusters.iter().map(|cluster| cluster.iter().filter_map(|&m| span(m)).collect());
        Ok(Some(spans.filter(|cluster: &Vec<_>| cluster.len() > 1).collect()))
    }

    /// The token ids of a list of words.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn token_ids(&self, words: &[&str]) -> Result<Vec<u32>> {
        Ok(self.tokenizer.encode(words)?.ids)
    }

    /// Mentions and antecedents for a text's token ids, special ones included.
    ///
    /// # Errors
    /// A token id outside the vocabulary, or scores that are not finite numbers.
    pub fn score(&self, ids: &[u32]) -> Result<MentionScores> {
        Ok(self.score_until(ids, &|| false)?.expect("nothing ends it early"))
    }

    fn score_until(&self, ids: &[u32], is_over: &dyn Fn() -> bool) -> Result<Option<MentionScores>> {
        if ids.is_empty() {
            return Err(ModelError::Empty { sequence: 0 });
        }
        let mut states = Vec::new();
        for batch in segments(&self.config, ids) {
            if is_over() {
                return Ok(None);
            }
            states.push(self.encoder.states(&batch)?);
        }
        let states = Tensor::cat(&states, 0)?; // (tokens, hidden)
        let mentions = self.mentions.boundaries(&states)?.mentions(&self.config)?;
        let Some(antecedents) = Antecedents::score(&self.antecedents, &states, &mentions, is_over)? else {
            return Ok(None);
        };
        if antecedents.has_nan() || mentions.iter().any(|mention| !mention.score.is_finite()) {
            return Err(ModelError::NotFinite { file: self.weights_file.clone(), sequence: 0 });
        }
        Ok(Some(MentionScores { mentions, antecedents }))
    }
}

/// A text's tokens as batches of segments; each segment is encoded by itself.
fn segments(config: &FCorefConfig, ids: &[u32]) -> Vec<PackedBatch> {
    let segments_together = (BATCH_TOKENS / config.segment_tokens).max(1);
    let batches = ids.chunks(segments_together * config.segment_tokens);
    batches.map(|ids| PackedBatch::of_one_type(ids.chunks(config.segment_tokens))).collect()
}
