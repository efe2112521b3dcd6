//! From words to the model's tokens: every word is tokenized by itself as if a space stood before it,
//! special tokens stand once around all, and each token knows its word.

use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::{InputSequence, Tokenizer};

use crate::error::{ModelError, Result};
use crate::tokenizer::Loaded;

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
    /// A tokenizer of byte-level words.
    pub(super) fn new(Loaded { mut inner, file }: Loaded) -> Result<Self> {
        let Some(PreTokenizerWrapper::ByteLevel(mut words)) = inner.get_pre_tokenizer().cloned() else {
            let reason = "does not cut byte-level words, as RoBERTa's does".into();
            return Err(ModelError::Tokenizer { file, reason });
        };
        words.add_prefix_space = true;
        inner.with_pre_tokenizer(Some(words));
        Ok(Self { inner, file })
    }

    pub(super) fn encode(&self, words: &[&str]) -> Result<WordTokens> {
        let encoding = self.inner.encode(InputSequence::from(words), true).map_err(|e| {
            ModelError::Tokenizer { file: self.file.clone(), reason: format!("cannot tokenize a text: {e}") }
        })?;
        let words = encoding.get_word_ids().iter().map(|word| word.map(|word| word as usize)).collect();
        Ok(WordTokens { ids: encoding.get_ids().to_vec(), words })
    }
}
