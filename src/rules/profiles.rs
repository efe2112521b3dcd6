//! The values of the named profiles.

use std::num::NonZeroUsize;

use veridic_models::Truncation;
use veridic_models::store::Checker;

use super::choices::{ClaimsChoice, CorefChoice};
use super::kinds::{
    Caps, Chunks, Level, OverClaims, Overflow, Pooling, ProfileName, Rewriting, ScoreRule, Thresholds,
    WindowRule,
};
use super::screen::{Screen, ScreenMethod};
use super::values::Rules;

/// Tokens of a run of the document in the profile `veridic`: about 300 words, as in the training of `base`.
const RUN_TOKENS: usize = 400;
/// K of the screen of the profile `veridic` (docs/measurements/accuracy.md has its cost in accuracy).
const SCREENED_SENTENCES: NonZeroUsize = NonZeroUsize::new(6).expect("6 is not 0");
const WINDOW: NonZeroUsize = NonZeroUsize::new(5).expect("5 is not 0");
const WITHOUT_COREF: [Level; 3] = [Level::Sentence, Level::Window, Level::Document];
const WITH_COREF: [Level; 4] = [Level::Sentence, Level::Coref, Level::Window, Level::Document];

/// The shares of capped claims that people label as supported (docs/measurements/accuracy.md, "Caps").
const CAPS: Caps = Caps { quantity_nowhere: Some(0.15), date_nowhere: Some(0.15), instead: Some(0.04) };

impl Rules {
    /// The default: the best measured settings.
    #[must_use]
    pub fn veridic() -> Self {
        Self {
            profile: ProfileName::Veridic,
            claims: ClaimsChoice::Sentence,
            layout: true,
            coref: CorefChoice::Rules,
            levels: WITH_COREF.to_vec(),
            window: WINDOW,
            stride: NonZeroUsize::MIN,
            window_rule: WindowRule::Slices,
            screen: Some(Screen::new(ScreenMethod::MiniAndWords, SCREENED_SENTENCES)),
            epsilon: 0.3,
            score: ScoreRule::Entailment,
            temperature: 1.0,
            pooling: Pooling::Maximum,
            over_claims: OverClaims::Minimum,
            thresholds: Thresholds::supported_from(0.5),
            caps: CAPS,
            contrast: true,
            abstain: None,
            languages: None,
            max_tokens: usize::MAX,
            pair_tokens: None,
            rewritten_tokens: None,
            document_tokens: None,
            run_tokens: Some(RUN_TOKENS),
            rewriting: Rewriting::Grammatical,
            overflow: Overflow::Split,
        }
    }

    /// FENICE's equations (Scirè et al. 2024, section 3). The paper resolves coreference with F-Coref.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            profile: ProfileName::Paper,
            layout: false,
            screen: None,
            epsilon: 0.0,
            score: ScoreRule::EntailmentMinusContradiction,
            pooling: Pooling::Cascade { threshold: 0.8 },
            over_claims: OverClaims::Mean,
            caps: Caps::default(),
            contrast: false,
            pair_tokens: Some(512),
            rewritten_tokens: Some(512),
            document_tokens: Some(4096),
            run_tokens: None,
            rewriting: Rewriting::Plain,
            overflow: Overflow::Cut(Truncation::LongestFirst),
            ..Self::veridic()
        }
    }

    /// The authors' released program, without coreference, which is its default.
    #[must_use]
    pub fn released() -> Self {
        Self {
            profile: ProfileName::Released,
            coref: CorefChoice::Off,
            levels: WITHOUT_COREF.to_vec(),
            score: ScoreRule::EntailmentMinusNeutral,
            pooling: Pooling::Maximum,
            window_rule: WindowRule::Joined,
            pair_tokens: Some(1024),
            rewritten_tokens: Some(4096),
            rewriting: Rewriting::Released,
            ..Self::paper()
        }
    }

    /// The authors' released program with the overrides of their evaluation on AggreFact, where coreference is on. The
    /// caller must choose the resolver: without `coref` the profile is refused.
    #[must_use]
    pub fn released_aggrefact() -> Self {
        Self {
            profile: ProfileName::ReleasedAggrefact,
            levels: WITH_COREF.to_vec(),
            stride: NonZeroUsize::new(5).expect("5 is not 0"),
            pair_tokens: Some(512),
            ..Self::released()
        }
    }

    /// A checker as its authors use it: the best chunk's probability of support, with their threshold.
    #[must_use]
    pub fn checker(checker: &'static Checker) -> Self {
        let Checker { chunk_size, chunk_unit, sentence_separator, threshold, .. } = checker;
        let chunks = Chunks { size: *chunk_size as usize, unit: *chunk_unit, separator: sentence_separator };
        Self {
            profile: ProfileName::Checker,
            coref: CorefChoice::Off,
            levels: vec![Level::Window],
            window_rule: WindowRule::Packed(chunks),
            screen: None,
            epsilon: 0.01,
            over_claims: OverClaims::Mean,
            caps: Caps::default(),
            contrast: false,
            run_tokens: None,
            thresholds: Thresholds { contradicted: 1.0, ..Thresholds::supported_from(*threshold as f32) },
            ..Self::veridic()
        }
    }

    /// The profile with this name. `checker` is the judge's entry; without one there is no profile `checker`.
    #[must_use]
    pub(super) fn of_profile(name: ProfileName, checker: Option<&'static Checker>) -> Option<Self> {
        Some(match name {
            ProfileName::Veridic => Self::veridic(),
            ProfileName::Paper => Self::paper(),
            ProfileName::Released => Self::released(),
            ProfileName::ReleasedAggrefact => Self::released_aggrefact(),
            ProfileName::Checker => Self::checker(checker?),
        })
    }
}
