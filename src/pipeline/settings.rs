//! What a scorer does with every pair, and the defaults.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::claims::ClaimExtractor;
use super::coref::CorefResolver;
use super::evidence::Calibration;
use super::profile::Profile;

/// What a scorer does with every pair.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Premises, pooling, verdicts.
    pub profile: Profile,
    /// How claims are extracted from a summary.
    pub claims: ClaimExtractor,
    /// The weights of a claim's facts, where the profile looks at them; see
    /// [`Scorer::with_calibration`](super::Scorer::with_calibration).
    pub calibration: Option<Arc<Calibration>>,
    /// The rate of abstention, 0..1: verdicts of a risk that a larger share of the rows of the calibration's fit does not have
    /// are unsure. None: there is a verdict on every claim. Needs a calibration with a risk.
    pub abstain: Option<f32>,
    /// What decides which mentions corefer; used only when the profile has the level `coref`.
    pub coref: CorefResolver,
    /// Whether texts in languages that the model's card does not list get a verdict.
    pub any_language: bool,
    /// Longest pair in tokens, below the model's own limit.
    pub max_tokens: Option<usize>,
    /// Tokens of a batch; changes speed and memory, never a result.
    pub max_batch_tokens: Option<usize>,
    /// (premise, claim) pairs whose token ids are in memory together; changes memory, never a result.
    pub pairs_in_flight: NonZeroUsize,
    /// Bytes of the in-memory cache of NLI outcomes; changes speed and memory, never a result.
    pub cache_bytes: usize,
}

/// Default of [`Settings::pairs_in_flight`].
pub const DEFAULT_PAIRS_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(8192).expect("not zero");

/// Default of [`Settings::cache_bytes`].
const DEFAULT_CACHE_BYTES: usize = 64 << 20;

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::veridic(),
            claims: ClaimExtractor::default(),
            calibration: None,
            abstain: None,
            coref: CorefResolver::Rules,
            any_language: false,
            max_tokens: None,
            max_batch_tokens: None,
            pairs_in_flight: DEFAULT_PAIRS_IN_FLIGHT,
            cache_bytes: DEFAULT_CACHE_BYTES,
        }
    }
}
