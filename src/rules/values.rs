//! Everything that a verdict depends on besides the texts and the models, as one value, and what follows from it.

use std::num::NonZeroUsize;

use serde::Serialize;
use veridic_models::Probabilities;

use super::choices::{ClaimsChoice, CorefChoice};
use super::kinds::{
    Caps, Level, OverClaims, Overflow, Pooling, ProfileName, Rewriting, ScoreRule, Thresholds, WindowRule,
};
use super::screen::Screen;

/// Everything that a verdict depends on besides the texts and the models.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rules {
    /// The named set of values that they are based on.
    #[serde(rename = "name")]
    pub profile: ProfileName,
    /// The source of claims.
    pub claims: ClaimsChoice,
    /// Whether layout is interpreted: list markers and Markdown syntax are removed, headings and greetings are not
    /// claims, and transcripts are read turn by turn. Otherwise texts are read unchanged.
    pub layout: bool,
    /// The coreference resolver of the level `coref`.
    pub coref: CorefChoice,
    /// The levels that are computed, in order, without repetition.
    pub levels: Vec<Level>,
    /// Number of sentences in a window.
    pub window: NonZeroUsize,
    /// Number of sentences between the starts of consecutive windows.
    pub stride: NonZeroUsize,
    /// The kind of windows, which no key changes.
    #[serde(skip)]
    pub window_rule: WindowRule,
    /// The screen that selects the premises of each level for the judge; `None` for all premises.
    pub screen: Option<Screen>,
    /// A claim whose score reached `1 - epsilon` skips its remaining premises; 0 skips nothing.
    pub epsilon: f32,
    /// The score of a premise, from its probabilities.
    pub score: ScoreRule,
    /// The temperature applied to the probabilities for scores (Guo et al. 2017), but not for the limit `contradicted`
    /// and the limits of `contrast`; 1 leaves them unchanged.
    pub temperature: f32,
    /// The pooling of premises' scores into a claim's score.
    #[serde(rename = "threshold")]
    pub pooling: Pooling,
    /// The pooling of claims' scores into a summary's score.
    pub over_claims: OverClaims,
    /// The limits by which verdicts are decided.
    #[serde(rename = "verdicts")]
    pub thresholds: Thresholds,
    /// The highest scores of claims to which a rule applies.
    pub caps: Caps,
    /// Whether the judge also reads claims with a part replaced, to find what the document says instead.
    pub contrast: bool,
    /// A claim whose score is closer than this to the limit of support is unsure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstain: Option<f32>,
    /// The languages, by their codes, of texts that get a verdict; `None` for all languages.
    pub languages: Option<Vec<String>>,
    /// Maximum tokens of a pair.
    pub max_tokens: usize,
    /// Maximum tokens of a pair on the sentence and window levels, if lower.
    pub pair_tokens: Option<usize>,
    /// The same for rewritten sentences.
    pub rewritten_tokens: Option<usize>,
    /// The same for the document level.
    pub document_tokens: Option<usize>,
    /// Maximum tokens of a run of the document, if premises are split; a longer document is read in several runs.
    pub run_tokens: Option<usize>,
    /// The way in which the level `coref` replaces mentions, which no key changes.
    #[serde(skip)]
    pub rewriting: Rewriting,
    /// The treatment of a pair over its limit, which no key changes.
    #[serde(skip)]
    pub overflow: Overflow,
}

impl Rules {
    /// The score of a premise with these probabilities, before any rule caps the claim: 0..=1, or -1..=1 for a difference.
    #[must_use]
    pub fn score_of(&self, probabilities: &Probabilities) -> f32 {
        self.score.score(&at_temperature(probabilities, self.temperature))
    }

    /// Whether scores are probabilities, 0..=1.
    #[must_use]
    pub fn scores_are_probabilities(&self) -> bool {
        self.score == ScoreRule::Entailment
    }

    /// Whether this level is computed.
    #[must_use]
    pub(crate) fn has(&self, level: Level) -> bool {
        self.levels.contains(&level)
    }

    /// Maximum tokens of a pair on a level.
    #[must_use]
    pub(crate) fn token_limit(&self, level: Level) -> usize {
        let own = match level {
            Level::Sentence | Level::Window => self.pair_tokens,
            Level::Coref => self.rewritten_tokens,
            Level::Document => self.document_tokens,
        };
        own.map_or(self.max_tokens, |own| own.min(self.max_tokens))
    }

    /// Whether claims may skip premises.
    #[must_use]
    pub(crate) fn is_lazy(&self) -> bool {
        self.epsilon > 0.0
    }

    /// Whether a claim with this score skips its remaining premises.
    #[must_use]
    pub(crate) fn is_enough(&self, score: f32) -> bool {
        self.is_lazy() && score >= 1.0 - self.epsilon
    }
}

/// The softmax of the logits divided by T: p^(1/T), normalised.
fn at_temperature(p: &Probabilities, temperature: f32) -> Probabilities {
    if temperature == 1.0 {
        return *p;
    }
    let [e, n, c] = [p.entailment, p.neutral, p.contradiction]
        .map(|probability| f64::from(probability).powf(1.0 / f64::from(temperature)));
    let all = e + n + c;
    let [entailment, neutral, contradiction] = [e, n, c].map(|part| (part / all) as f32);
    Probabilities { entailment, neutral, contradiction }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_draws_probabilities_together_and_1_changes_no_bit() {
        let sharp = Probabilities { entailment: 0.9, neutral: 0.08, contradiction: 0.02 };
        assert_eq!(at_temperature(&sharp, 1.0), sharp);
        let flat = at_temperature(&sharp, 2.0);
        // Square roots, normalised: 0.9487, 0.2828, 0.1414.
        assert!((flat.entailment - 0.690_98).abs() < 1e-4, "{flat:?}");
        assert!((flat.entailment + flat.neutral + flat.contradiction - 1.0).abs() < 1e-6);
    }
}
