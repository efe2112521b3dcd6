//! The values of the named profiles.

use std::num::NonZeroUsize;

use veridic_models::Truncation;
use veridic_models::store::Checker;

use super::coref::Rewriting;
use super::profile::{
    Chunks, Level, OverClaims, Overflow, Pooling, Profile, ProfileName, ScoreRule, Thresholds, WindowRule,
};
use super::screen::{Screen, ScreenMethod};

/// Tokens of a run of the document in the profile `veridic`: about 300 words, as in the training of `base`.
const RUN_TOKENS: usize = 400;
/// K of the screen by words. docs/measurements/accuracy.md has its cost in accuracy.
const SCREENED_SENTENCES: NonZeroUsize = NonZeroUsize::new(8).expect("8 is not 0");
const WINDOW: NonZeroUsize = NonZeroUsize::new(5).expect("5 is not 0");
const WITHOUT_COREF: [Level; 3] = [Level::Sentence, Level::Window, Level::Document];
const WITH_COREF: [Level; 4] = [Level::Sentence, Level::Coref, Level::Window, Level::Document];

impl Profile {
    /// The default: the best setting measured. Its level `coref` is made for the resolver by rules.
    #[must_use]
    pub fn veridic() -> Self {
        Self {
            name: ProfileName::Veridic,
            levels: WITH_COREF.to_vec(),
            rule: ScoreRule::EntailmentMinusContradiction,
            pooling: Pooling::Maximum,
            over_claims: OverClaims::Mean,
            window: WINDOW,
            stride: NonZeroUsize::MIN,
            window_rule: WindowRule::Slices,
            screen: Some(Screen::new(ScreenMethod::Words, SCREENED_SENTENCES)),
            escalate: None,
            epsilon: 0.1,
            pair_tokens: None,
            rewritten_tokens: None,
            document_tokens: None,
            run_tokens: Some(RUN_TOKENS),
            weighs_facts: true,
            contrast: true,
            extracts: true,
            rewriting: Rewriting::Grammatical,
            overflow: Overflow::Split,
            thresholds: Thresholds::supported_from(0.5),
        }
    }

    /// FENICE's equations (Scirè et al. 2024, section 3). The paper finds other names by F-Coref.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            name: ProfileName::Paper,
            pooling: Pooling::Cascade { threshold: 0.8 },
            screen: None,
            epsilon: 0.0,
            pair_tokens: Some(512),
            rewritten_tokens: Some(512),
            document_tokens: Some(4096),
            run_tokens: None,
            weighs_facts: false,
            contrast: false,
            extracts: false,
            rewriting: Rewriting::Plain,
            overflow: Overflow::Cut(Truncation::LongestFirst),
            ..Self::veridic()
        }
    }

    /// The authors' released program, without coreference, which is its default.
    #[must_use]
    pub fn released() -> Self {
        Self {
            name: ProfileName::Released,
            levels: WITHOUT_COREF.to_vec(),
            rule: ScoreRule::EntailmentMinusNeutral,
            pooling: Pooling::Maximum,
            window_rule: WindowRule::Joined,
            pair_tokens: Some(1024),
            rewritten_tokens: Some(4096),
            rewriting: Rewriting::Released,
            ..Self::paper()
        }
    }

    /// The authors' released program with the overrides of their evaluation on AggreFact, where coreference is on.
    #[must_use]
    pub fn released_aggrefact() -> Self {
        Self {
            name: ProfileName::ReleasedAggrefact,
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
            name: ProfileName::Checker,
            levels: vec![Level::Window],
            rule: ScoreRule::Entailment,
            window_rule: WindowRule::Packed(chunks),
            screen: None,
            epsilon: 0.01,
            run_tokens: None,
            weighs_facts: false,
            contrast: false,
            extracts: false,
            thresholds: Thresholds { contradicted: 1.0, ..Thresholds::supported_from(*threshold as f32) },
            ..Self::veridic()
        }
    }
}
