//! Inverse document frequencies as weights of tokens: ln((N + 1) / (n + 1)), where n of N reference sentences have the token.
//! The sentences are the same for all rows, so a row's score does not depend on the others.

use std::collections::{BTreeSet, HashMap};

use sha2::{Digest, Sha256};
use veridic_models::TextEncoder;

use veridic::{Error, Result};

/// The number of sentences with each token.
pub struct Idf {
    sentences: usize,
    with_token: HashMap<u32, usize>,
    sha256: String,
}

impl Idf {
    /// Counts the tokens of reference sentences. Blank sentences are left out.
    ///
    /// # Errors
    /// When there is no sentence, or the encoder's tokenizer fails on one.
    pub fn of<'t>(sentences: impl IntoIterator<Item = &'t str>, encoder: &TextEncoder) -> Result<Self> {
        let mut idf = Self { sentences: 0, with_token: HashMap::new(), sha256: String::new() };
        let mut digest = Sha256::new();
        for sentence in sentences.into_iter().map(str::trim).filter(|sentence| !sentence.is_empty()) {
            idf.sentences += 1;
            for id in BTreeSet::from_iter(encoder.tokens(sentence)?.ids) {
                *idf.with_token.entry(id).or_default() += 1;
            }
            digest.update(sentence);
            digest.update("\n");
        }
        if idf.sentences == 0 {
            return Err(Error::setting("bertscore_idf", "", "has no sentence to weight tokens by"));
        }
        idf.sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(idf)
    }

    /// The number of sentences.
    pub fn sentences(&self) -> usize {
        self.sentences
    }

    /// SHA-256 over the sentences, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The weight of a token.
    pub fn weight(&self, id: u32) -> f64 {
        let with_token = self.with_token.get(&id).copied().unwrap_or(0);
        ((self.sentences + 1) as f64 / (with_token + 1) as f64).ln()
    }
}
