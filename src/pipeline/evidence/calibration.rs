//! A calibration: how claims get probabilities (weights of facts, or a curve from the scores of the profile's rule) and
//! the thresholds of verdicts, with what they were fitted on and for, as one readable JSON file. It is used for the NLI model, the rule and the levels
//! that it was fitted for, and refused for any other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::facts::{Fact, Facts, NotInDocument};
use crate::pipeline::profile::{ScoreRule, Thresholds};

/// What says what the file is.
const FORMAT: &str = "veridic calibration 2";

/// What was fitted for one NLI model under one profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// What it was fitted for.
    pub fitted_for: FittedFor,
    /// What it was fitted on.
    pub fitted_on: FittedOn,
    /// The number that a premise's probabilities become, where it is not the profile's.
    pub rule: Option<ScoreRule>,
    /// How facts become a claim's probability.
    pub weights: Option<Weights>,
    /// How the score of the profile's rule does, where there are no weights.
    pub probability: Option<Curve>,
    /// Probabilities from which claims are called supported or contradicted.
    pub thresholds: Thresholds,
    /// The most that a claim can have one of whose quantities is nowhere in the document, whatever else speaks for it.
    pub quantity_nowhere: Option<f32>,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// Weights of facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The log odds of a claim whose facts are all as usual.
    pub intercept: f64,
    /// What a unit of each fact adds to the log odds, in the order of [`Fact::ALL`].
    pub values: [f64; Fact::ALL.len()],
    /// The mean of each fact over the rows of the fit, in that order; 0 where there is no weight.
    pub usual: [f64; Fact::ALL.len()],
}

/// The curve 1 / (1 + exp(-(intercept + slope x score))) (Platt 1999).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The log odds at a score of 0.
    pub intercept: f64,
    /// What a unit of score adds.
    pub slope: f64,
}

/// The settings under which scores and facts were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedFor {
    /// SHA-256 of the NLI model's weights.
    pub nli_sha256: String,
    /// SHA-256 of what the NLI model is made of beside them.
    pub nli_settings_sha256: String,
    /// The profile's name.
    pub profile: String,
    /// Its levels.
    pub levels: Vec<String>,
    /// Where the claims came from; told, and no condition.
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

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    fitted_for: FittedFor,
    fitted_on: FittedOn,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<ScoreRule>,
    weights: Option<WeightsOfFile>,
    thresholds: Thresholds,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quantity_nowhere: Option<f32>,
    probability: Option<Curve>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsOfFile {
    intercept: f64,
    facts: BTreeMap<String, FactOfFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactOfFile {
    weight: f64,
    usual: f64,
}

/// A file that is no calibration, or not one for this.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// It is no JSON of this form.
    #[error("is no calibration: {0}")]
    Form(#[from] serde_json::Error),
    /// It has something else in it.
    #[error("is no calibration: {0}")]
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

/// What a claim's facts come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Support {
    /// What each fact adds to the log odds of being supported; those without weight are left out.
    pub contributions: Vec<Contribution>,
    /// Names and numbers of the claim that are nowhere in the document, in words.
    pub not_found: Vec<String>,
    /// Those of them that decide against the claim: but for them it would be called supported.
    pub vetoes: Vec<String>,
}

/// What a fact adds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Contribution {
    /// Which.
    pub fact: &'static str,
    /// Its value.
    pub value: f64,
    /// What it adds to the log odds of a claim whose facts are all as usual.
    pub adds: f64,
}

impl Calibration {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is not one.
    pub fn parse(text: &str) -> Result<Self, CalibrationError> {
        let File { format, fitted_for, fitted_on, rule, weights, thresholds, quantity_nowhere, probability } =
            serde_json::from_str(text)?;
        if format != FORMAT {
            let reason =
                format!("its format is {format:?}, not {FORMAT:?}: fit one with `veridic calibrate`");
            return Err(CalibrationError::Content(reason));
        }
        if weights.is_some() == probability.is_some() {
            let reason = "it needs either weights of facts or a curve (`probability`)".to_owned();
            return Err(CalibrationError::Content(reason));
        }
        let weights = weights.map(Weights::try_from).transpose()?;
        let digest = Sha256::digest(text);
        let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { fitted_for, fitted_on, rule, weights, thresholds, quantity_nowhere, probability, sha256 })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn text(
        fitted_for: FittedFor,
        fitted_on: FittedOn,
        weights: Option<&Weights>,
        thresholds: Thresholds,
        quantity_nowhere: Option<f32>,
        probability: Option<Curve>,
    ) -> Result<String, CalibrationError> {
        let (format, weights) = (FORMAT.to_owned(), weights.map(WeightsOfFile::from));
        let file = File {
            format,
            fitted_for,
            fitted_on,
            rule: None,
            weights,
            thresholds,
            quantity_nowhere,
            probability,
        };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }

    /// Refuses what it was not fitted for.
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

    /// The probability of a claim with the score of the profile's rule and, where the profile looks at them, these facts.
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

    /// Whether a claim with these facts has a limit: it has a quantity that is nowhere in the document.
    #[must_use]
    pub fn limits(&self, facts: &Facts) -> bool {
        self.quantity_nowhere.is_some() && facts.get(Fact::QuantityNowhere) > 0.0
    }

    /// What the facts of a claim with this score of the rule come to.
    #[must_use]
    pub fn support(&self, by_rule: f32, facts: &Facts) -> Support {
        let not_found: Vec<String> = facts.not_in_document.iter().map(told).collect();
        let vetoes = if self.decides(by_rule, facts) { not_found.clone() } else { Vec::new() };
        let contributions = self.weights.as_ref().map(|weights| weights.contributions(facts));
        Support { contributions: contributions.unwrap_or_default(), not_found, vetoes }
    }

    /// Whether the claim would be supported if all its names and numbers were in the document, and is not.
    fn decides(&self, by_rule: f32, facts: &Facts) -> bool {
        let is_supported = |facts: &Facts| self.score(by_rule, Some(facts)) >= self.thresholds.supported;
        let all_seen = facts
            .with(Fact::NamesInDocument, 1.0)
            .with(Fact::NumbersInDocument, 1.0)
            .with(Fact::QuantityNowhere, 0.0);
        !is_supported(facts) && is_supported(&all_seen)
    }
}

fn told(not_in_document: &NotInDocument) -> String {
    match not_in_document {
        NotInDocument::Name(name) => format!("the name {name} is nowhere in the document"),
        NotInDocument::Quantity { sort, text } => format!("the {sort} {text} is nowhere in the document"),
    }
}

impl Weights {
    /// What each fact that has a weight adds.
    fn contributions(&self, facts: &Facts) -> Vec<Contribution> {
        let weighed = Fact::ALL.into_iter().filter(|fact| self.values[*fact as usize] != 0.0);
        let contribution = |fact: Fact| {
            let value = facts.get(fact);
            Contribution { fact: fact.name(), value, adds: self.adds(fact, value) }
        };
        weighed.map(contribution).collect()
    }

    /// What a fact adds to the log odds of a claim whose facts are all as usual.
    fn adds(&self, fact: Fact, value: f64) -> f64 {
        self.values[fact as usize] * (value - self.usual[fact as usize])
    }

    /// The same with log odds that are `intercept` + `slope` times as large.
    #[must_use]
    pub fn along(&self, curve: Curve) -> Self {
        let Curve { intercept, slope } = curve;
        let values = self.values.map(|value| slope * value);
        Self { intercept: intercept + slope * self.intercept, values, usual: self.usual }
    }

    /// The log odds of a claim with these facts.
    #[must_use]
    pub fn log_odds(&self, facts: &Facts) -> f64 {
        let adds = |fact: Fact| self.adds(fact, facts.get(fact));
        self.intercept + Fact::ALL.into_iter().map(adds).sum::<f64>()
    }

    /// The probability that a claim with these facts is supported.
    #[must_use]
    pub fn probability(&self, facts: &Facts) -> f32 {
        sigmoid(self.log_odds(facts)) as f32
    }
}

impl Curve {
    /// The probability at a score.
    #[must_use]
    pub fn at(&self, score: f32) -> f32 {
        sigmoid(self.intercept + self.slope * f64::from(score)) as f32
    }
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl TryFrom<WeightsOfFile> for Weights {
    type Error = CalibrationError;

    fn try_from(file: WeightsOfFile) -> Result<Self, CalibrationError> {
        let (mut values, mut usual) = ([0.0; Fact::ALL.len()], [0.0; Fact::ALL.len()]);
        for (name, fact) in &file.facts {
            let unknown =
                || CalibrationError::Content(format!("{name:?} is no fact that this version knows"));
            let place = Fact::named(name).ok_or_else(unknown)? as usize;
            (values[place], usual[place]) = (fact.weight, fact.usual);
        }
        Ok(Self { intercept: file.intercept, values, usual })
    }
}

impl From<&Weights> for WeightsOfFile {
    fn from(weights: &Weights) -> Self {
        let of_file = |fact: Fact| {
            let (weight, usual) = (weights.values[fact as usize], weights.usual[fact as usize]);
            (weight != 0.0).then(|| (fact.name().to_owned(), FactOfFile { weight, usual }))
        };
        Self { intercept: weights.intercept, facts: Fact::ALL.into_iter().filter_map(of_file).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted_for() -> FittedFor {
        FittedFor {
            nli_sha256: "a".repeat(64),
            nli_settings_sha256: "b".repeat(64),
            profile: "veridic".into(),
            levels: vec!["sentence".into(), "document".into()],
            claims: "clause".into(),
        }
    }

    /// Words and numbers count, all else does not.
    fn weights() -> Weights {
        let mut values = [0.0; Fact::ALL.len()];
        values[Fact::WordsInDocument as usize] = 2.0;
        values[Fact::NumbersInDocument as usize] = 3.0;
        let mut usual = [0.0; Fact::ALL.len()];
        usual[Fact::NumbersInDocument as usize] = 0.5;
        Weights { intercept: -2.5, values, usual }
    }

    fn text(weights: Option<&Weights>) -> String {
        let on = FittedOn { files: vec!["a.jsonl".into()], rows: 100, consistent: 40 };
        let thresholds = Thresholds::supported_from(0.5);
        let curve = weights.is_none().then_some(Curve { intercept: -1.0, slope: 2.0 });
        Calibration::text(fitted_for(), on, weights, thresholds, Some(0.125), curve).unwrap()
    }

    fn facts(words: f64, numbers: f64) -> Facts {
        let facts = Facts::from_values([0.0; Fact::ALL.len()]);
        facts.with(Fact::WordsInDocument, words).with(Fact::NumbersInDocument, numbers)
    }

    #[test]
    fn a_file_is_what_was_written() {
        let calibration = Calibration::parse(&text(Some(&weights()))).unwrap();
        assert_eq!((calibration.weights, calibration.fitted_for), (Some(weights()), fitted_for()));
        assert_eq!(calibration.sha256.len(), 64);
        assert_eq!(calibration.probability, None);
        let without = Calibration::parse(&text(None)).unwrap();
        assert!(without.weights.is_none() && (without.score(0.5, None) - 0.5).abs() < 1e-7);
        assert_eq!(without.quantity_nowhere, Some(0.125));
    }

    #[test]
    fn nothing_outvotes_a_quantity_that_is_nowhere_in_the_document() {
        for calibration in [text(Some(&weights())), text(None)] {
            let calibration = Calibration::parse(&calibration).unwrap();
            let facts = facts(1.0, 1.0);
            let nowhere = facts.with(Fact::QuantityNowhere, 1.0);
            assert!(calibration.score(1.0, Some(&facts)) > 0.5);
            assert_eq!(calibration.score(1.0, Some(&nowhere)), 0.125);
        }
    }

    #[test]
    fn what_is_no_calibration_is_refused() {
        let good = text(Some(&weights()));
        for (from, to, part) in [
            ("calibration 2", "calibration 1", "fit one"),
            ("\"probability\": null", "\"probability\": {\"intercept\": 0.0, \"slope\": 1.0}", "either"),
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
    fn it_is_for_one_model_profile_and_list_of_levels() {
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
        let names: Vec<&str> = support.contributions.iter().map(|contribution| contribution.fact).collect();
        assert_eq!(names, ["words_in_document", "numbers_in_document"]);
        let odds = -2.5 + support.contributions.iter().map(|contribution| contribution.adds).sum::<f64>();
        assert!(
            (f64::from(weights().probability(&facts(0.5, 1.0))) - 1.0 / (1.0 + (-odds).exp())).abs() < 1e-7
        );
    }

    #[test]
    fn only_a_lack_that_decides_is_a_veto() {
        let calibration = Calibration::parse(&text(Some(&weights()))).unwrap();
        let not_in_document = |mut facts: Facts| {
            facts.not_in_document = vec![NotInDocument::Quantity { sort: "number", text: "59.57".into() }];
            facts
        };
        let told = ["the number 59.57 is nowhere in the document"];
        let vetoes = |facts: Facts| {
            let support = calibration.support(0.0, &facts);
            assert_eq!(support.not_found, told);
            support.vetoes
        };
        assert_eq!(vetoes(not_in_document(facts(1.0, 0.0))), told);
        assert!(vetoes(not_in_document(facts(0.0, 0.0))).is_empty(), "too little else speaks for it");
        assert!(vetoes(not_in_document(facts(1.0, 0.9))).is_empty(), "it is supported");
    }
}
