//! Reads the files that define a model's tokenizer: tokenizer.json, else a vocabulary in one of three formats with its
//! settings, combined as in Python's `transformers`. Refuses a model without such files, and a tokenizer with ids
//! outside the model's embedding, before it is built if its vocabulary tells.

use tokenizers::Tokenizer;
use veridic_store::quoting::without_values;

use super::outline::{self, Vocabulary, check_largest};
use super::settings::Settings;
use super::{albert, byte_level, unigram, word_piece};
use crate::error::{ModelError, Result, refuse};
use crate::sentencepiece::ModelFile;
use crate::source::ModelSource;

/// The files of a tokenizer, read but not parsed.
pub(crate) struct TokenizerFiles {
    /// The vocabulary's name in errors.
    file: String,
    format: Format,
}

enum Format {
    Json(Vec<u8>),
    Unigram(Vec<u8>, Settings),
    ByteLevel { vocabulary: Vec<u8>, merges: Vec<u8>, merges_file: String, settings: Settings },
    WordPiece(Vec<u8>, Settings),
}

/// A tokenizer without truncation and padding, and its file's name in errors.
pub(crate) struct LoadedTokenizer {
    pub(crate) inner: Tokenizer,
    pub(crate) file: String,
}

impl TokenizerFiles {
    /// The first of these that the model has: tokenizer.json, spm.model or spiece.model, vocab.json with merges.txt,
    /// vocab.txt.
    ///
    /// # Errors
    /// When there is none, a file cannot be read or the settings are damaged.
    pub(crate) fn read(source: &ModelSource) -> Result<Self> {
        if let Some((json, file)) = source.optional_file("tokenizer.json")? {
            return Ok(Self { file, format: Format::Json(json) });
        }
        for name in ["spm.model", "spiece.model"] {
            if let Some((model, file)) = source.optional_file(name)? {
                return Ok(Self { file, format: Format::Unigram(model, Settings::read(source)?) });
            }
        }
        let words = source.optional_file("vocab.txt")?;
        match (source.optional_file("vocab.json")?, words) {
            // vocab.json is useless without merges.txt; with no vocab.txt either, the error names the missing merges.txt.
            (Some((vocabulary, file)), words) if words.is_none() || source.has_file("merges.txt") => {
                let (merges, merges_file) = source.small_file("merges.txt")?;
                let settings = Settings::read(source)?;
                Ok(Self { file, format: Format::ByteLevel { vocabulary, merges, merges_file, settings } })
            }
            (_, Some((words, file))) => {
                Ok(Self { file, format: Format::WordPiece(words, Settings::read(source)?) })
            }
            _ => Err(ModelError::MissingTokenizer {
                model: source.id(),
                needed: "tokenizer.json, spm.model, spiece.model, vocab.json with merges.txt, or vocab.txt",
            }),
        }
    }

    /// The tokenizer. `embedding_rows`: the model's vocabulary.
    ///
    /// # Errors
    /// A damaged file, unsupported settings, or a token without a row in the model's embedding.
    pub(crate) fn build(self, embedding_rows: usize) -> Result<LoadedTokenizer> {
        let file = self.file;
        let check_size =
            |vocabulary: Vocabulary| vocabulary.check(embedding_rows).map_err(|e| refuse(&file, e));
        match self.format {
            Format::Json(json) => LoadedTokenizer::from_json(&json, &file, embedding_rows),
            Format::Unigram(model, settings) => {
                let model = ModelFile::parse(&model).map_err(|e| refuse(&file, e))?;
                let last = model.pieces.last().map_or("", |piece| &piece.text);
                check_size(Vocabulary::in_order(model.pieces.len(), last))?;
                let inner = if settings.are_of(albert::CLASS) {
                    albert::build(model, &file, settings)?
                } else {
                    unigram::build(&model, &file, settings)?
                };
                LoadedTokenizer::new(inner, file, embedding_rows)
            }
            Format::ByteLevel { vocabulary, merges, merges_file, settings } => {
                if let Ok(vocabulary) = serde_json::from_slice(&vocabulary) {
                    check_size(vocabulary)?;
                }
                let inner = byte_level::build(&vocabulary, &file, &merges, &merges_file, settings)?;
                LoadedTokenizer::new(inner, file, embedding_rows)
            }
            Format::WordPiece(words, settings) => {
                let lines = words.strip_suffix(b"\n").unwrap_or(&words).split(|byte| *byte == b'\n');
                let (count, last) = lines.fold((0, &[][..]), |(count, _), line| (count + 1, line));
                check_size(Vocabulary::in_order(count, String::from_utf8_lossy(last).trim_end()))?;
                LoadedTokenizer::new(word_piece::build(&words, &file, settings)?, file, embedding_rows)
            }
        }
    }
}

impl LoadedTokenizer {
    /// Reads a tokenizer.json.
    pub(crate) fn from_json(json: &[u8], file: &str, embedding_rows: usize) -> Result<Self> {
        outline::check(json, embedding_rows).map_err(|why| refuse(file, why))?;
        let inner = Tokenizer::from_bytes(json)
            .map_err(|e| refuse(file, format!("is not a tokenizer: {}", without_values(&e))))?;
        Self::new(inner, file.to_owned(), embedding_rows)
    }

    fn new(mut inner: Tokenizer, file: String, embedding_rows: usize) -> Result<Self> {
        inner.with_truncation(None).map_err(|e| refuse(&file, e.to_string()))?;
        inner.with_padding(None);
        let largest = inner.get_vocab(true).into_iter().max_by_key(|(_, id)| *id);
        if let Some((token, id)) = largest {
            check_largest(&token, id.into(), embedding_rows).map_err(|why| refuse(&file, why))?;
        }
        Ok(Self { inner, file })
    }
}
