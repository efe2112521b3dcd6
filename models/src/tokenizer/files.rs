//! Which files of a model make its tokenizer: tokenizer.json, or else the vocabulary of one of three layouts with the
//! settings beside it, as Python's `transformers` builds it. A model without any of them is refused, and so is a
//! tokenizer with ids that the model has no embedding for.

use tokenizers::Tokenizer;

use super::settings::Settings;
use super::{byte_level, unigram, word_piece};
use crate::error::{ModelError, Result};
use crate::source::ModelSource;

/// The files of a tokenizer, read but not yet looked into.
pub(crate) struct TokenizerFiles {
    /// What errors call the vocabulary.
    file: String,
    layout: Layout,
}

enum Layout {
    Json(Vec<u8>),
    Unigram(Vec<u8>, Settings),
    ByteLevel { vocabulary: Vec<u8>, merges: (Vec<u8>, String), settings: Settings },
    WordPiece(Vec<u8>, Settings),
}

/// A tokenizer that neither cuts nor pads, and what errors call its file.
pub(crate) struct Loaded {
    pub(crate) inner: Tokenizer,
    pub(crate) file: String,
}

impl TokenizerFiles {
    /// The first of these that the model has: tokenizer.json, spm.model or spiece.model, vocab.json with merges.txt,
    /// vocab.txt.
    ///
    /// # Errors
    /// When there is none, or a file cannot be read or its settings are broken.
    pub(crate) fn read(source: &ModelSource) -> Result<Self> {
        if let Some((json, file)) = source.optional_file("tokenizer.json")? {
            return Ok(Self { file, layout: Layout::Json(json) });
        }
        for name in ["spm.model", "spiece.model"] {
            if let Some((model, file)) = source.optional_file(name)? {
                return Ok(Self { file, layout: Layout::Unigram(model, Settings::read(source)?) });
            }
        }
        let words = source.optional_file("vocab.txt")?;
        match (source.optional_file("vocab.json")?, words) {
            // vocab.json alone is worth nothing; where it stands alone, the missing merges are what is wrong.
            (Some((vocabulary, file)), words) if words.is_none() || source.has_file("merges.txt") => {
                let (merges, settings) = (source.small_file("merges.txt")?, Settings::read(source)?);
                Ok(Self { file, layout: Layout::ByteLevel { vocabulary, merges, settings } })
            }
            (_, Some((words, file))) => {
                Ok(Self { file, layout: Layout::WordPiece(words, Settings::read(source)?) })
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
    /// A broken file, settings that cannot be followed, or a token without a row in the model's embedding.
    pub(crate) fn build(self, embedding_rows: usize) -> Result<Loaded> {
        let file = self.file;
        match self.layout {
            Layout::Json(json) => Loaded::from_json(&json, &file, embedding_rows),
            Layout::Unigram(model, settings) => {
                Loaded::new(unigram::build(&model, &file, settings)?, file, embedding_rows)
            }
            Layout::ByteLevel { vocabulary, merges: (merges, merges_file), settings } => {
                let inner = byte_level::build((&vocabulary, &file), (&merges, &merges_file), settings)?;
                Loaded::new(inner, file, embedding_rows)
            }
            Layout::WordPiece(words, settings) => {
                Loaded::new(word_piece::build(&words, &file, settings)?, file, embedding_rows)
            }
        }
    }
}

impl Loaded {
    /// Reads a tokenizer.json.
    pub(crate) fn from_json(json: &[u8], file: &str, embedding_rows: usize) -> Result<Self> {
        let inner =
            Tokenizer::from_bytes(json).map_err(|e| refuse(file, format!("is not a tokenizer: {e}")))?;
        Self::new(inner, file.to_owned(), embedding_rows)
    }

    fn new(mut inner: Tokenizer, file: String, embedding_rows: usize) -> Result<Self> {
        inner.with_truncation(None).map_err(|e| refuse(&file, e.to_string()))?;
        inner.with_padding(None);
        let largest = inner.get_vocab(true).into_iter().max_by_key(|(_, id)| *id);
        match largest.filter(|(_, id)| *id as usize >= embedding_rows) {
            None => Ok(Self { inner, file }),
            Some((token, id)) => Err(refuse(
                &file,
                format!(
                    "token `{token}` has id {id}, the model's embedding has {embedding_rows} rows: the tokenizer is another model's"
                ),
            )),
        }
    }
}

pub(super) fn refuse(file: &str, reason: String) -> ModelError {
    ModelError::Tokenizer { file: file.to_owned(), reason }
}
