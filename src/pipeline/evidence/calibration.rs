//! A calibration: how a claim gets a probability (from weights of facts, or by a curve from its score), the thresholds of
//! verdicts, and what these were fitted on and for, as one readable JSON file. Refused for another NLI model, profile or
//! list of levels than it was fitted for.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::facts::{Fact, Facts, NotInDocument};
use super::risk::Risk;
use super::weights::{Curve, Support, Weights};
use crate::pipeline::profile::{ScoreRule, Thresholds};

/// The file's format and version.
const FORMAT: &str = "veridic calibration 2";

/// What was fitted for one NLI model under one profile, as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The version of the file.
    pub format: Format,
    /// What it was fitted for.
    pub fitted_for: FittedFor,
    /// What it was fitted on.
    pub fitted_on: FittedOn,
    /// The score of a premise, where it is not the profile's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<ScoreRule>,
    /// The weights that make a claim's facts a probability.
    pub weights: Option<Weights>,
    /// Probabilities from which claims are called supported or contradicted.
    pub thresholds: Thresholds,
    /// The highest score of a claim with a quantity that is nowhere in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity_nowhere: Option<f32>,
    /// The highest score of a claim for which the document says something else instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<f32>,
    /// The curve that makes its score a probability, where there are no weights.
    pub probability: Option<Curve>,
    /// The risk that a verdict is wrong, for settings that abstain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<Risk>,
    /// How near to the limit of support, as a difference of probabilities, a claim's score must be for the claim to be
    /// compared with all premises, whatever the screen left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalate_within: Option<f32>,
    /// SHA-256 of the file that it was read from.
    #[serde(skip)]
    pub sha256: String,
}

/// The version of a calibration's file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct Format;

/// The settings under which the scores and facts were computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedFor {
    /// SHA-256 of the NLI model's weights.
    pub nli_sha256: String,
    /// SHA-256 of the NLI model's configuration, tokenizer and label order.
    pub nli_settings_sha256: String,
    /// The profile's name.
    pub profile: String,
    /// Its levels.
    pub levels: Vec<String>,
    /// The claim extractor; recorded, not compared.
    pub claims: String,
}

/// The labelled rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedOn {
    /// Files of scores.
    pub files: Vec<String>,
    /// Rows.
    pub rows: usize,
    /// Rows that people call consistent.
    pub consistent: usize,
}

/// A calibration file is invalid, or was fitted for something else.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// It is not JSON of this form.
    #[error("is not a calibration: {0}")]
    Form(#[from] serde_json::Error),
    /// Its content is invalid.
    #[error("is not a calibration: {0}")]
    Content(String),
    /// It was fitted for something else.
    #[error("was fitted for another {what} ({fitted}, this is {used}): fit one with `veridic calibrate`")]
    Other {
        /// What differs.
        what: &'static str,
        /// What it was fitted for.
        fitted: String,
        /// What is used.
        used: String,
    },
}

impl Calibration {
    /// Parses a file.
    ///
    /// # Errors
    /// When it is not a calibration.
    pub fn parse(text: &str) -> Result<Self, CalibrationError> {
        let mut calibration: Self = serde_json::from_str(text)?;
        if calibration.weights.is_some() == calibration.probability.is_some() {
            let reason = "it needs either weights of facts or a curve (`probability`)".to_owned();
            return Err(CalibrationError::Content(reason));
        }
        if let Some(fault) = calibration.risk.as_ref().and_then(Risk::fault) {
            return Err(CalibrationError::Content(fault.to_owned()));
        }
        if calibration.escalate_within.is_some_and(|within| !(0.0..=1.0).contains(&within)) {
            let reason = "`escalate_within` must lie between 0 and 1".to_owned();
            return Err(CalibrationError::Content(reason));
        }
        calibration.sha256 = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(calibration)
    }

    /// The text of its file.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn text(&self) -> Result<String, CalibrationError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Checks that it was fitted for the model, profile and levels that are used.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, used: &FittedFor) -> Result<(), CalibrationError> {
        let fitted = &self.fitted_for;
        for (what, fitted, used) in [
            ("NLI model", &fitted.nli_sha256, &used.nli_sha256),
            ("configuration of the NLI model", &fitted.nli_settings_sha256, &used.nli_settings_sha256),
            ("profile", &fitted.profile, &used.profile),
            ("list of levels", &fitted.levels.join(","), &used.levels.join(",")),
        ] {
            if fitted != used {
                let short = |text: &str| text.chars().take(32).collect();
                return Err(CalibrationError::Other { what, fitted: short(fitted), used: short(used) });
            }
        }
        Ok(())
    }

    /// The probability of a claim with this score by the profile's rule and, where the profile weighs them, these facts.
    #[must_use]
    pub fn score(&self, by_rule: f32, facts: Option<&Facts>) -> f32 {
        let score = match (&self.weights, facts, &self.probability) {
            (Some(weights), Some(facts), _) => weights.probability(facts),
            (_, _, Some(curve)) => curve.at(by_rule),
            _ => by_rule,
        };
        match self.quantity_nowhere {
            Some(most) if facts.is_some_and(|facts| self.limits(facts)) => score.min(most),
            _ => score,
        }
    }

    /// Whether a claim with these facts is limited, because it has a quantity that is nowhere in the document.
    #[must_use]
    pub fn limits(&self, facts: &Facts) -> bool {
        self.quantity_nowhere.is_some() && facts.get(Fact::QuantityNowhere) > 0.0
    }

    /// How the facts of a claim with this score by the rule contribute to its probability.
    #[must_use]
    pub fn support(&self, by_rule: f32, facts: &Facts) -> Support {
        let not_found: Vec<String> = facts.not_in_document.iter().map(NotInDocument::sentence).collect();
        let vetoes = if self.is_decided_by_missing(by_rule, facts) { not_found.clone() } else { Vec::new() };
        let contributions = self.weights.as_ref().map(|weights| weights.contributions(facts));
        Support { contributions: contributions.unwrap_or_default(), not_found, vetoes }
    }

    /// Whether the claim is not supported, but would be if all its names and quantities were in the document.
    fn is_decided_by_missing(&self, by_rule: f32, facts: &Facts) -> bool {
        let is_supported = |facts: &Facts| self.score(by_rule, Some(facts)) >= self.thresholds.supported;
        let all_seen = facts
            .with(Fact::NamesInDocument, 1.0)
            .with(Fact::NumbersInDocument, 1.0)
            .with(Fact::QuantityNowhere, 0.0);
        !is_supported(facts) && is_supported(&all_seen)
    }
}

impl TryFrom<String> for Format {
    type Error = String;

    fn try_from(format: String) -> Result<Self, String> {
        match format == FORMAT {
            true => Ok(Self),
            false => {
                Err(format!("its format is {format:?}, not {FORMAT:?}: fit one with `veridic calibrate`"))
            }
        }
    }
}

impl From<Format> for &'static str {
    fn from(_: Format) -> Self {
        FORMAT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::evidence::{Doubt, RiskLimit};

    fn fitted_for() -> FittedFor {
        FittedFor {
            nli_sha256: "a".repeat(64),
            nli_settings_sha256: "b".repeat(64),
            profile: "veridic".into(),
            levels: vec!["sentence".into(), "document".into()],
            claims: "clause".into(),
        }
    }

    /// Only words and numbers have weights.
    fn weights() -> Weights {
        let mut values = [0.0; Fact::ALL.len()];
        values[Fact::WordsInDocument as usize] = 2.0;
        values[Fact::NumbersInDocument as usize] = 3.0;
        let mut means = [0.0; Fact::ALL.len()];
        means[Fact::NumbersInDocument as usize] = 0.5;
        Weights { intercept: -2.5, values, means }
    }

    fn text(weights: Option<&Weights>) -> String {
        let on = FittedOn { files: vec!["a.jsonl".into()], rows: 100, consistent: 40 };
        let thresholds = Thresholds::supported_from(0.5);
        let calibration = Calibration {
            format: Format,
            fitted_for: fitted_for(),
            fitted_on: on,
            rule: None,
            weights: weights.cloned(),
            thresholds,
            quantity_nowhere: Some(0.125),
            instead: Some(0.25),
            probability: weights.is_none().then_some(Curve { intercept: -1.0, slope: 2.0 }),
            risk: None,
            escalate_within: None,
            sha256: String::new(),
        };
        calibration.text().unwrap()
    }

    fn facts(words: f64, numbers: f64) -> Facts {
        let facts = Facts::from_values([0.0; Fact::ALL.len()]);
        facts.with(Fact::WordsInDocument, words).with(Fact::NumbersInDocument, numbers)
    }

    #[test]
    fn files_round_trip() {
        let calibration = Calibration::parse(&text(Some(&weights()))).unwrap();
        assert_eq!((calibration.weights, calibration.fitted_for), (Some(weights()), fitted_for()));
        assert_eq!(calibration.sha256.len(), 64);
        assert_eq!(calibration.probability, None);
        let without = Calibration::parse(&text(None)).unwrap();
        assert!(without.weights.is_none() && (without.score(0.5, None) - 0.5).abs() < 1e-7);
        assert_eq!(without.quantity_nowhere, Some(0.125));
    }

    #[test]
    fn a_risk_and_a_distance_round_trip() {
        let limits = [(0.0, 0.75, 0.5), (0.5, 0.25, 0.75)].map(|(rate, risk, precision)| RiskLimit {
            rate,
            risk,
            precision,
        });
        let weights = [(Doubt::ContraryProbability, 2.5)].into();
        let mut calibration = Calibration::parse(&text(None)).unwrap();
        calibration.risk = Some(Risk { intercept: -1.0, weights, limits: limits.to_vec() });
        calibration.escalate_within = Some(0.05);
        let read = Calibration::parse(&calibration.text().unwrap()).unwrap();
        assert_eq!((&read.risk, read.escalate_within), (&calibration.risk, Some(0.05)));
        // Supported from 0.5: at 0.5 the opposite has the probability 0.5, just below it 0.5 too.
        assert_eq!((read.doubts(0.5, None), read.doubts(0.25, None)), ([0.5, 0.0], [0.25, 0.0]));
        let facts = Facts::from_values([0.0; Fact::ALL.len()]).with(Fact::PairsInDocument, 0.75);
        assert_eq!((read.doubts(0.75, Some(&facts))[1], read.doubts(0.25, Some(&facts))[1]), (0.25, 0.75));
        assert!((read.risk_at(0.9, None).unwrap() - 0.320_821).abs() < 1e-6);
        assert_eq!(Calibration::parse(&text(None)).unwrap().risk_at(0.9, None), None);
    }

    #[test]
    fn a_quantity_that_is_nowhere_limits_the_score() {
        for calibration in [text(Some(&weights())), text(None)] {
            let calibration = Calibration::parse(&calibration).unwrap();
            let facts = facts(1.0, 1.0);
            let nowhere = facts.with(Fact::QuantityNowhere, 1.0);
            assert!(calibration.score(1.0, Some(&facts)) > 0.5);
            assert_eq!(calibration.score(1.0, Some(&nowhere)), 0.125);
        }
    }

    #[test]
    fn invalid_files_are_refused() {
        let good = text(Some(&weights()));
        for (from, to, part) in [
            ("calibration 2", "calibration 1", "fit one"),
            ("\"probability\": null", "\"probability\": {\"intercept\": 0.0, \"slope\": 1.0}", "either"),
            ("\"probability\": null", "\"probability\": null, \"escalate_within\": 1.5", "between 0 and 1"),
            ("\"probability\": null", "\"probability\": null, \"risk\": {}", "missing field"),
            (
                "\"probability\": null",
                "\"probability\": null, \"risk\": {\"intercept\": 0.0, \"weights\": {}, \"limits\": []}",
                "rise from 0",
            ),
            (
                "\"probability\": null",
                "\"probability\": null, \"risk\": {\"intercept\": 0.0, \"weights\": {\"luck\": 1.0}, \"limits\": []}",
                "luck",
            ),
            ("words_in_document", "words_in_doc", "words_in_doc"),
            ("-2.5", "\"-2\"", "invalid type"),
            ("-2.5", "1e999", "out of range"),
            ("{", "", "expected"),
        ] {
            let error = Calibration::parse(&good.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(part), "{from} -> {to}: {error}");
        }
        assert!(Calibration::parse("").is_err());
    }

    #[test]
    fn another_model_profile_or_list_of_levels_is_refused() {
        let calibration = Calibration::parse(&text(None)).unwrap();
        let sentences = FittedFor { claims: "sentence".into(), ..fitted_for() };
        assert!(calibration.check(&sentences).is_ok());
        let changes: [fn(&mut FittedFor); 4] = [
            |used| used.nli_sha256 = "c".repeat(64),
            |used| used.nli_settings_sha256 = "c".repeat(64),
            |used| used.profile = "paper".into(),
            |used| used.levels.truncate(1),
        ];
        for change in changes {
            let mut used = fitted_for();
            change(&mut used);
            assert!(
                calibration.check(&used).is_err_and(|error| error.to_string().contains("fitted for another"))
            );
        }
    }

    #[test]
    fn contributions_add_up_to_the_log_odds() {
        let calibration = Calibration::parse(&text(Some(&weights()))).unwrap();
        let support = calibration.support(0.0, &facts(0.5, 1.0));
        let weighed: Vec<Fact> = support.contributions.iter().map(|contribution| contribution.fact).collect();
        assert_eq!(weighed, [Fact::WordsInDocument, Fact::NumbersInDocument]);
        let odds = -2.5 + support.contributions.iter().map(|contribution| contribution.adds).sum::<f64>();
        assert!(
            (f64::from(weights().probability(&facts(0.5, 1.0))) - 1.0 / (1.0 + (-odds).exp())).abs() < 1e-7
        );
    }

    #[test]
    fn a_missing_number_is_a_veto_only_if_it_decides() {
        let calibration = Calibration::parse(&text(Some(&weights()))).unwrap();
        let missing = |mut facts: Facts| {
            facts.not_in_document = vec![NotInDocument::Quantity { sort: "number", text: "59.57".into() }];
            facts
        };
        let sentences = ["the number 59.57 is nowhere in the document"];
        let vetoes = |facts: Facts| {
            let support = calibration.support(0.0, &facts);
            assert_eq!(support.not_found, sentences);
            support.vetoes
        };
        assert_eq!(vetoes(missing(facts(1.0, 0.0))), sentences);
        assert!(vetoes(missing(facts(0.0, 0.0))).is_empty(), "the other facts are too low");
        assert!(vetoes(missing(facts(1.0, 0.9))).is_empty(), "it is supported");
    }
}
