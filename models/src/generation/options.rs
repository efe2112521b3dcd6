//! The options of generation: a published `generation_config.json`, then `config.json`, then the defaults of Python's
//! `transformers` (`GenerationConfig`). Refuses, by name, options that are not implemented.
//!
//! One default differs: if a model sets no length, `transformers` stops after 20 tokens, which would truncate outputs.
//! Here the limit is [`DEFAULT_NEW_TOKENS`], and [`GenerationOptions::length_is_default`] is set.

use serde_json::{Map, Value};
use veridic_store::quoting::{kind_of, without_values};

use crate::error::{ModelError, Result, refuse};

/// Maximum number of generated tokens if a model sets no length.
pub const DEFAULT_NEW_TOKENS: usize = 512;

/// Far above the beams of any published model.
const MAX_BEAMS: usize = 256;

/// When beam search ends for a sequence with as many complete outputs as beams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyStopping {
    /// When the best running beam at its current length is not better than the worst output (`false`).
    Heuristic,
    /// Immediately (`true`).
    Always,
    /// When no running beam can become better (`"never"`).
    Never,
}

/// Options of generation, with the names of `transformers`.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationOptions {
    /// Number of beams; 1 is greedy search.
    pub num_beams: usize,
    /// A complete output's score is the sum of its log-probabilities divided by its length to this power.
    pub length_penalty: f64,
    /// When beam search ends.
    pub early_stopping: EarlyStopping,
    /// N-grams of this length are not repeated; 0 allows all.
    pub no_repeat_ngram_size: usize,
    /// Scores of tokens that already occur are divided by it (negative scores multiplied).
    pub repetition_penalty: f32,
    /// Minimum tokens, including the start token.
    pub min_length: usize,
    /// Minimum tokens, not counting the start token.
    pub min_new_tokens: usize,
    /// Maximum tokens, including the start token.
    pub max_length: usize,
    /// Whether `max_length` is the default of this crate because the model sets none.
    pub length_is_default: bool,
    /// The first token of every output.
    pub decoder_start_token_id: u32,
    /// Tokens that end an output.
    pub eos_token_ids: Vec<u32>,
}

/// Options that change the output and are not implemented, with the values that have no effect.
const UNSUPPORTED: [(&str, &[&str]); 14] = [
    ("do_sample", &["false"]),
    ("num_beam_groups", &["1"]),
    ("diversity_penalty", &["0.0", "0"]),
    ("penalty_alpha", &[]),
    ("encoder_repetition_penalty", &["1.0", "1"]),
    ("encoder_no_repeat_ngram_size", &["0"]),
    ("bad_words_ids", &[]),
    ("force_words_ids", &[]),
    ("forced_bos_token_id", &[]),
    ("forced_eos_token_id", &[]),
    ("suppress_tokens", &[]),
    ("begin_suppress_tokens", &[]),
    ("sequence_bias", &[]),
    ("guidance_scale", &["1.0", "1"]),
];

/// A file of options.
#[derive(Debug, Clone, Copy)]
pub struct OptionsFile<'f> {
    /// Its content.
    pub json: &'f [u8],
    /// Its name in errors.
    pub name: &'f str,
}

impl GenerationOptions {
    /// Reads the options of a model from its `generation_config.json`, if it has one, and its `config.json`.
    ///
    /// # Errors
    /// Invalid JSON, a value of the wrong type, or an option that is not implemented.
    pub fn parse(generation: Option<OptionsFile<'_>>, config: OptionsFile<'_>) -> Result<Self> {
        let mut files = Vec::new();
        for OptionsFile { json, name } in generation.into_iter().chain([config]) {
            let object: Map<String, Value> = serde_json::from_slice(json).map_err(|e| {
                refuse(name, format!("is not a JSON object of options: {}", without_values(&e)))
            })?;
            files.push((object, name));
        }
        Reader { files }.options()
    }
}

/// The files of options; the first that has a value counts.
struct Reader<'f> {
    files: Vec<(Map<String, Value>, &'f str)>,
}

impl<'f> Reader<'f> {
    fn options(&self) -> Result<GenerationOptions> {
        self.check_unsupported()?;
        let num_beams = self.whole("num_beams")?.unwrap_or(1);
        if num_beams == 0 || num_beams > MAX_BEAMS {
            return Err(self.wrong("num_beams", "a number of beams from 1 to 256"));
        }
        let (max_length, length_is_default) = match (self.whole("max_new_tokens")?, self.whole("max_length")?)
        {
            (Some(new), _) => (new + 1, false),
            (None, Some(length)) => (length, false),
            (None, None) => (DEFAULT_NEW_TOKENS + 1, true),
        };
        if max_length < 2 {
            return Err(self.wrong("max_length", "a length of at least one new token"));
        }
        let repetition_penalty = self.number("repetition_penalty")?.unwrap_or(1.0);
        if repetition_penalty <= 0.0 {
            return Err(self.wrong("repetition_penalty", "a number above 0"));
        }
        let eos_token_ids = self.tokens("eos_token_id")?;
        let start = self.tokens("decoder_start_token_id")?;
        let [decoder_start_token_id] = start[..] else {
            return Err(self.wrong("decoder_start_token_id", "one token id"));
        };
        let min_new_tokens = self.whole("min_new_tokens")?;
        Ok(GenerationOptions {
            num_beams,
            length_penalty: self.number("length_penalty")?.unwrap_or(1.0),
            early_stopping: self.early_stopping()?,
            no_repeat_ngram_size: self.whole("no_repeat_ngram_size")?.unwrap_or(0),
            repetition_penalty: repetition_penalty as f32,
            // As in `transformers`, min_new_tokens overrides min_length.
            min_length: if min_new_tokens.is_some() { 0 } else { self.whole("min_length")?.unwrap_or(0) },
            min_new_tokens: min_new_tokens.unwrap_or(0),
            max_length,
            length_is_default,
            decoder_start_token_id,
            eos_token_ids,
        })
    }

    /// The value in the first file that has one, and that file.
    fn value(&self, name: &str) -> Option<(&Value, &'f str)> {
        self.files.iter().find_map(|(object, file)| match object.get(name) {
            None | Some(Value::Null) => None,
            Some(value) => Some((value, *file)),
        })
    }

    fn wrong(&self, name: &str, wanted: &str) -> ModelError {
        match self.value(name) {
            Some((value, file)) => {
                refuse(file, format!("has {} as {name}: {wanted} is needed", kind_of(&value.to_string())))
            }
            None => refuse(self.files[self.files.len() - 1].1, format!("has no {name}: {wanted} is needed")),
        }
    }

    fn whole(&self, name: &str) -> Result<Option<usize>> {
        let Some((value, _)) = self.value(name) else { return Ok(None) };
        let whole = value.as_u64().filter(|whole| *whole < 1 << 31);
        whole.map(|whole| Some(whole as usize)).ok_or_else(|| self.wrong(name, "a whole number"))
    }

    fn number(&self, name: &str) -> Result<Option<f64>> {
        let Some((value, _)) = self.value(name) else { return Ok(None) };
        value.as_f64().map(Some).ok_or_else(|| self.wrong(name, "a number"))
    }

    /// One token id or a list of them.
    fn tokens(&self, name: &str) -> Result<Vec<u32>> {
        let Some((value, _)) = self.value(name) else { return Ok(Vec::new()) };
        let all = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let token = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        all.iter().map(token).collect::<Option<_>>().ok_or_else(|| self.wrong(name, "token ids"))
    }

    fn early_stopping(&self) -> Result<EarlyStopping> {
        match self.value("early_stopping").map(|(value, _)| value) {
            None | Some(Value::Bool(false)) => Ok(EarlyStopping::Heuristic),
            Some(Value::Bool(true)) => Ok(EarlyStopping::Always),
            Some(Value::String(word)) if word == "never" => Ok(EarlyStopping::Never),
            Some(_) => Err(self.wrong("early_stopping", "true, false or \"never\"")),
        }
    }

    fn check_unsupported(&self) -> Result<()> {
        for (name, harmless) in UNSUPPORTED {
            let Some((value, file)) = self.value(name) else { continue };
            let has_no_effect =
                harmless.contains(&value.to_string().as_str()) || value.as_array().is_some_and(Vec::is_empty);
            if !has_no_effect {
                return Err(refuse(file, format!("sets {name}, which is not implemented")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"{"decoder_start_token_id": 0, "eos_token_id": 1, "num_beams": 3}"#;

    fn parse(generation: &str) -> Result<GenerationOptions> {
        GenerationOptions::parse(
            Some(OptionsFile { json: generation.as_bytes(), name: "generation_config.json" }),
            OptionsFile { json: CONFIG.as_bytes(), name: "config.json" },
        )
    }

    #[test]
    fn the_first_file_with_a_value_counts() {
        let options = parse(r#"{"num_beams": 4, "eos_token_id": [1, 7], "length_penalty": null}"#).unwrap();
        assert_eq!((options.num_beams, options.length_penalty), (4, 1.0));
        assert_eq!((options.decoder_start_token_id, &options.eos_token_ids[..]), (0, &[1, 7][..]));
        assert_eq!(parse("{}").unwrap().num_beams, 3);
    }

    #[test]
    fn the_default_length_is_marked() {
        let options = parse("{}").unwrap();
        assert_eq!((options.max_length, options.length_is_default), (513, true));
        let options = parse(r#"{"max_length": 40, "max_new_tokens": 12}"#).unwrap();
        assert_eq!((options.max_length, options.length_is_default), (13, false));
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        for (json, word) in [
            (r#"{"do_sample": true}"#, "do_sample"),
            (r#"{"bad_words_ids": [[3]]}"#, "bad_words_ids"),
            (r#"{"num_beams": 0}"#, "num_beams"),
            (r#"{"max_length": "long"}"#, "max_length"),
            (r#"{"early_stopping": "sometimes"}"#, "early_stopping"),
            (r#"{"repetition_penalty": 0.0}"#, "repetition_penalty"),
            (r#"{"eos_token_id": -1}"#, "eos_token_id"),
            ("[1]", "generation_config.json"),
        ] {
            let error = parse(json).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains("config.json"), "{error}");
        }
        assert!(parse(r#"{"do_sample": false, "bad_words_ids": [], "guidance_scale": 1.0}"#).is_ok());
    }
}
