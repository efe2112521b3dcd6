//! A text-to-text model: tokenizer, T5 and generation options. Maps texts to texts.

use crate::device::ComputeDevice;
use crate::error::{ModelError, Result, refuse};
use crate::generation::{GenerationOptions, OptionsFile};
use crate::identity::ModelIdentity;
use crate::network::Generator;
#[cfg(feature = "candle")]
use crate::padded::PaddedT5;
use crate::sentencepiece::SentencePiece;
use crate::source::ModelSource;
use crate::t5::{T5, T5Config};
use crate::tokenizer::LoadedTokenizer;

/// Maximum encoder tokens per batch on the processor, and on other devices. Changes speed and memory, never a result.
const BATCH_TOKENS: [usize; 2] = [2048, 16_384];

/// Maximum texts per batch: each keeps the keys and values of its output in memory.
const BATCH_TEXTS: [usize; 2] = [16, 256];

/// A loaded text-to-text model.
pub struct TextToText {
    identity: ModelIdentity,
    tokenizer: TextTokenizer,
    device: ComputeDevice,
    network: Box<dyn Generator>,
    options: GenerationOptions,
}

/// The output for one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The output without special tokens.
    pub text: String,
    /// Whether it ended with an end token rather than at the length limit.
    pub is_complete: bool,
}

enum TextTokenizer {
    Json(Box<LoadedTokenizer>),
    SentencePiece(SentencePiece),
}

impl TextToText {
    /// Loads a model: config.json, generation_config.json if there is one, model.safetensors, and
    /// tokenizer.json or spiece.model.
    ///
    /// # Errors
    /// When a file is missing or damaged, or an option cannot be computed exactly.
    pub fn load(source: &ModelSource, device: ComputeDevice) -> Result<Self> {
        device.check().map_err(|expected| device.refused(expected))?;
        let (config_json, config_file) = source.small_file("config.json")?;
        let config = T5Config::parse(&config_json, &config_file)?;
        let generation = source.optional_file("generation_config.json")?;
        let generation = generation.as_ref().map(|(json, name)| OptionsFile { json, name });
        let config_options = OptionsFile { json: &config_json, name: &config_file };
        let options = GenerationOptions::parse(generation, config_options)?;
        let tokenizer = TextTokenizer::load(source, config.vocab_size)?;
        let weights = source.weights()?;
        let network: Box<dyn Generator> = match device {
            #[cfg(feature = "candle")]
            ComputeDevice::CpuCandle | ComputeDevice::Cuda(_) | ComputeDevice::Metal => {
                Box::new(PaddedT5::load(&config, &weights, device)?)
            }
            _ => Box::new(T5::load(&config, &weights)?),
        };
        let identity = ModelIdentity::of(source, &weights, "")?;
        Ok(Self { identity, tokenizer, device, network, options })
    }

    /// Its name and digests.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Its generation options.
    #[must_use]
    pub fn options(&self) -> &GenerationOptions {
        &self.options
    }

    /// Number of encoder tokens of a text.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn count_tokens(&self, text: &str) -> Result<usize> {
        Ok(self.tokenizer.encode(text)?.len())
    }

    /// The output for each text, which does not depend on the others.
    ///
    /// # Errors
    /// A text without tokens, a tokenizer that fails, or a score that is not a finite number.
    pub fn generate(&self, texts: &[&str]) -> Result<Vec<Generated>> {
        Ok(self.generate_until(texts, &|| false)?.unwrap_or_default())
    }

    /// As [`TextToText::generate`]; returns `None` if `is_over` returns true before a batch.
    ///
    /// # Errors
    /// As [`TextToText::generate`].
    pub fn generate_until(
        &self,
        texts: &[&str],
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Generated>>> {
        let inputs: Vec<Vec<u32>> =
            texts.iter().map(|text| self.tokenizer.encode(text)).collect::<Result<_>>()?;
        let mut outputs = vec![Generated { text: String::new(), is_complete: true }; texts.len()];
        let kind = usize::from(self.device != ComputeDevice::Cpu);
        for batch in batches(&inputs, BATCH_TEXTS[kind], BATCH_TOKENS[kind]) {
            if is_over() {
                return Ok(None);
            }
            let sequences: Vec<&[u32]> = batch.iter().map(|&index| &inputs[index][..]).collect();
            for (index, output) in batch.iter().zip(self.network.generate(&self.options, &sequences)?) {
                let ended =
                    output.tokens.last().is_some_and(|last| self.options.eos_token_ids.contains(last));
                // The first token is the start token.
                let text = self.tokenizer.decode(output.tokens.get(1..).unwrap_or(&[]))?;
                outputs[*index] = Generated { text, is_complete: ended };
            }
        }
        Ok(Some(outputs))
    }
}

/// Groups of indices within the limits, longest inputs first.
fn batches(inputs: &[Vec<u32>], most_texts: usize, most_tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(inputs[index].len()), index));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut tokens = 0;
    for index in order {
        let length = inputs[index].len();
        match batches.last_mut() {
            Some(batch) if batch.len() < most_texts && tokens + length <= most_tokens => batch.push(index),
            _ => {
                batches.push(vec![index]);
                tokens = 0;
            }
        }
        tokens += length;
    }
    batches
}

impl TextTokenizer {
    fn load(source: &ModelSource, embedding_rows: usize) -> Result<Self> {
        if let Some((json, file)) = source.optional_file("tokenizer.json")? {
            return Ok(Self::Json(Box::new(LoadedTokenizer::from_json(&json, &file, embedding_rows)?)));
        }
        let Some((bytes, file)) = source.optional_file("spiece.model")? else {
            let needed = "tokenizer.json or spiece.model";
            return Err(ModelError::MissingTokenizer { model: source.id(), needed });
        };
        let inner = SentencePiece::parse(&bytes, &file)?;
        let ids = inner.vocab_size();
        if ids > embedding_rows {
            let reason = format!(
                "has {ids} ids, the model's embedding has {embedding_rows} rows: the tokenizer belongs to another model"
            );
            return Err(refuse(&file, reason));
        }
        Ok(Self::SentencePiece(inner))
    }

    /// The ids of a text, with the token that ends it.
    fn encode(&self, text: &str) -> Result<Vec<u32>> {
        match self {
            Self::Json(loaded) => {
                let encoding = loaded.inner.encode_fast(text, true).map_err(|e| unusable(loaded, &e))?;
                Ok(encoding.get_ids().to_vec())
            }
            Self::SentencePiece(inner) => Ok(inner.encode(text).into_iter().chain(inner.end()).collect()),
        }
    }

    fn decode(&self, ids: &[u32]) -> Result<String> {
        match self {
            Self::Json(loaded) => loaded.inner.decode(ids, true).map_err(|e| unusable(loaded, &e)),
            Self::SentencePiece(inner) => Ok(inner.decode(ids)),
        }
    }
}

fn unusable(tokenizer: &LoadedTokenizer, why: &impl std::fmt::Display) -> ModelError {
    refuse(&tokenizer.file, format!("cannot be used: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_in_exactly_one_batch_within_the_limits() {
        let inputs: Vec<Vec<u32>> = (0..100).map(|index| vec![1; 1 + index * 37 % 400]).collect();
        let batches = batches(&inputs, 16, 2048);
        let mut seen = batches.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..100).collect::<Vec<_>>());
        for batch in &batches {
            let tokens: usize = batch.iter().map(|&index| inputs[index].len()).sum();
            assert!(batch.len() <= 16 && (tokens <= 2048 || batch.len() == 1));
        }
    }
}
