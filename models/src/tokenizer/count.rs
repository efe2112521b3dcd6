//! How many tokens a text has for a model that is not run: only the files of its tokenizer are read.

use tokenizers::Tokenizer;

use super::files::{Loaded, TokenizerFiles, refuse};
use crate::error::Result;
use crate::source::ModelSource;

/// Counts the tokens of texts.
pub struct TokenCounter {
    inner: Tokenizer,
    file: String,
    sha256: String,
}

impl TokenCounter {
    /// Reads the tokenizer of a model, whose weights need not be there.
    ///
    /// # Errors
    /// When there is no tokenizer, or its files are broken.
    pub fn load(source: &ModelSource) -> Result<Self> {
        // Nothing is looked up in an embedding.
        let Loaded { inner, file } = TokenizerFiles::read(source)?.build(usize::MAX)?;
        Ok(Self { inner, file, sha256: source.settings_sha256("")? })
    }

    /// Tokens of a text, without special ones.
    ///
    /// # Errors
    /// When the tokenizer fails on the text.
    pub fn count(&self, text: &str) -> Result<usize> {
        let encoding = self.inner.encode_fast(text, false);
        let encoding = encoding.map_err(|e| refuse(&self.file, format!("cannot tokenize a text: {e}")))?;
        Ok(encoding.len())
    }

    /// SHA-256 over its files and the settings beside them, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}
