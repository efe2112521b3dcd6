//! Maps words to the model's tokens: every word is tokenized by itself with a space before it, special tokens are added
//! at both ends of the text, and each token has the index of its word. Refuses tokenizers that are not byte-level.

use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::{InputSequence, Tokenizer};

use crate::error::{Result, refuse};
use crate::tokenizer::LoadedTokenizer;

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
    /// Wraps a byte-level tokenizer.
    pub(super) fn new(LoadedTokenizer { mut inner, file }: LoadedTokenizer) -> Result<Self> {
        let Some(PreTokenizerWrapper::ByteLevel(mut words)) = inner.get_pre_tokenizer().cloned() else {
            return Err(refuse(&file, "is not byte-level like RoBERTa's".into()));
        };
        words.add_prefix_space = true;
        inner.with_pre_tokenizer(Some(words));
        Ok(Self { inner, file })
    }

    pub(super) fn encode(&self, words: &[&str]) -> Result<WordTokens> {
        let encoding = self.inner.encode(InputSequence::from(words), true);
        let encoding = encoding.map_err(|e| refuse(&self.file, format!("cannot tokenize a text: {e}")))?;
        let words = encoding.get_word_ids().iter().map(|word| word.map(|word| word as usize)).collect();
        Ok(WordTokens { ids: encoding.get_ids().to_vec(), words })
    }
}
