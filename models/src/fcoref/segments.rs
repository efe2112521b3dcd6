//! From words to the model's tokens: every word is tokenized by itself as if a space stood before it,
//! special tokens stand once around all, and each token knows its word.

use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::{InputSequence, Tokenizer};

use crate::error::{ModelError, Result};

pub(super) struct SegmentTokenizer {
    inner: Tokenizer,
    file: String,
}

/// Tokens of a text.
pub(super) struct WordTokens {
    /// Token ids.
    pub(super) ids: Vec<u32>,
    /// The index of each token's word; none for special tokens.
    pub(super) words: Vec<Option<usize>>,
}

impl SegmentTokenizer {
    /// Reads a tokenizer.json of byte-level words; `file` is named in errors. `embedding_rows`: the
    /// model's vocabulary.
    pub(super) fn parse(json: &[u8], file: &str, embedding_rows: usize) -> Result<Self> {
        let refuse = |reason: String| ModelError::Tokenizer { file: file.to_owned(), reason };
        let mut inner =
            Tokenizer::from_bytes(json).map_err(|e| refuse(format!("is not a tokenizer: {e}")))?;
        inner.with_truncation(None).map_err(|e| refuse(e.to_string()))?;
        inner.with_padding(None);
        let largest = inner.get_vocab(true).into_values().max().map_or(0, |id| id as usize);
        if largest >= embedding_rows {
            return Err(refuse(format!(
                "has ids up to {largest}, the model's embedding has {embedding_rows} rows: the tokenizer is another model's"
            )));
        }
        let Some(PreTokenizerWrapper::ByteLevel(mut words)) = inner.get_pre_tokenizer().cloned() else {
            return Err(refuse("does not cut byte-level words, as RoBERTa's does".into()));
        };
        words.add_prefix_space = true;
        inner.with_pre_tokenizer(Some(words));
        Ok(Self { inner, file: file.to_owned() })
    }

    pub(super) fn encode(&self, words: &[&str]) -> Result<WordTokens> {
        let encoding = self.inner.encode(InputSequence::from(words), true).map_err(|e| {
            ModelError::Tokenizer { file: self.file.clone(), reason: format!("cannot tokenize a text: {e}") }
        })?;
        let words = encoding.get_word_ids().iter().map(|word| word.map(|word| word as usize)).collect();
        Ok(WordTokens { ids: encoding.get_ids().to_vec(), words })
    }
}
