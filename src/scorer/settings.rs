//! The settings of a scorer, and their defaults.

use std::num::NonZeroUsize;

use crate::claims::ClaimExtractor;
use crate::premises::CorefResolver;
use crate::rules::{ClaimsChoice, Rules, Screen};

/// The settings of a scorer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Everything that a verdict depends on besides texts and models.
    pub rules: Rules,
    /// The extractor of claims, as the rules say.
    pub claims: ClaimExtractor,
    /// The coreference resolver, as the rules say.
    pub coref: CorefResolver,
    /// Maximum tokens per batch; changes speed and memory, never a result.
    pub max_batch_tokens: Option<usize>,
    /// Number of (premise, claim) pairs whose token ids are in memory at a time; changes memory, never a result.
    pub pairs_in_flight: NonZeroUsize,
    /// Bytes of the in-memory cache of NLI outcomes; changes speed and memory, never a result.
    pub cache_bytes: usize,
}

impl Settings {
    /// The same settings with another extractor of claims, also in the rules.
    #[must_use]
    pub fn taking(mut self, claims: ClaimExtractor, choice: ClaimsChoice) -> Self {
        self.claims = claims;
        self.rules.claims = choice;
        self
    }
}

/// Default of [`Settings::pairs_in_flight`].
const DEFAULT_PAIRS_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(8192).expect("not zero");

/// Default of [`Settings::cache_bytes`].
const DEFAULT_CACHE_BYTES: usize = 32 << 20;

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: Rules { screen: Some(Screen::by_words()), ..Rules::veridic() },
            claims: ClaimExtractor::default(),
            coref: CorefResolver::Rules,
            max_batch_tokens: None,
            pairs_in_flight: DEFAULT_PAIRS_IN_FLIGHT,
            cache_bytes: DEFAULT_CACHE_BYTES,
        }
    }
}
