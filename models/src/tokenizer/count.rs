//! Counts a text's tokens for a model that is not loaded, reading only the files of its tokenizer.

use tokenizers::Tokenizer;

use super::files::{LoadedTokenizer, TokenizerFiles};
use crate::error::{Result, refuse};
use crate::source::ModelSource;

/// Counts the tokens of texts.
pub struct TokenCounter {
    inner: Tokenizer,
    file: String,
    sha256: String,
}

impl TokenCounter {
    /// Reads the tokenizer of a model; the weights may be missing.
    ///
    /// # Errors
    /// When there is no tokenizer, or its files are damaged.
    pub fn load(source: &ModelSource) -> Result<Self> {
        // No embedding limits the ids.
        let LoadedTokenizer { inner, file } = TokenizerFiles::read(source)?.build(usize::MAX)?;
        Ok(Self { inner, file, sha256: source.settings_sha256("")? })
    }

    /// Number of tokens of a text, without special tokens.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn count(&self, text: &str) -> Result<usize> {
        let encoding = self.inner.encode_fast(text, false);
        let encoding = encoding.map_err(|e| refuse(&self.file, format!("cannot tokenize a text: {e}")))?;
        Ok(encoding.len())
    }

    /// SHA-256 over the model's configuration and tokenizer files, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}
