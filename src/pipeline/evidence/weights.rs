//! Weights of facts, and the curve of a score: two ways from what was found for a claim to its probability, and what each
//! fact adds to it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::facts::{Fact, FactValues, Facts, NotInDocument};

/// Weights of facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "WeightsOfFile", into = "WeightsOfFile")]
pub struct Weights {
    /// The log odds of a claim whose facts are all at their means.
    pub intercept: f64,
    /// What a unit of each fact adds to the log odds, in the order of [`Fact::ALL`].
    pub values: FactValues,
    /// The mean of each fact over the rows of the fit, in that order; 0 where there is no weight.
    pub means: FactValues,
}

/// The curve 1 / (1 + exp(-(intercept + slope x score))) (Platt 1999).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The log odds at a score of 0.
    pub intercept: f64,
    /// What a unit of score adds to them.
    pub slope: f64,
}

/// Weights as a file has them: of the facts that have one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsOfFile {
    intercept: f64,
    facts: BTreeMap<Fact, FactOfFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactOfFile {
    weight: f64,
    usual: f64,
}

/// How a claim's facts contribute to its probability.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Support {
    /// What each fact with a weight adds to the log odds of being supported.
    pub contributions: Vec<Contribution>,
    /// Names and quantities of the claim that are nowhere in the document, each as a sentence.
    pub not_found: Vec<String>,
    /// Those of them that decide the verdict: without them the claim would be supported.
    pub vetoes: Vec<String>,
}

/// What a fact adds to the log odds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Contribution {
    /// The fact.
    pub fact: Fact,
    /// Its value.
    pub value: f64,
    /// What it adds to the log odds of a claim whose facts are all at their means.
    pub adds: f64,
}

impl NotInDocument {
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Name(name) => format!("the name {name} is nowhere in the document"),
            Self::Quantity { sort, text } => format!("the {sort} {text} is nowhere in the document"),
        }
    }
}

impl Weights {
    /// What each fact with a weight adds.
    pub(super) fn contributions(&self, facts: &Facts) -> Vec<Contribution> {
        let weighed = Fact::ALL.into_iter().filter(|fact| self.values[*fact as usize] != 0.0);
        let contribution = |fact: Fact| {
            let value = facts.get(fact);
            Contribution { fact, value, adds: self.adds(fact, value) }
        };
        weighed.map(contribution).collect()
    }

    /// What a fact adds to the log odds of a claim whose facts are all at their means.
    fn adds(&self, fact: Fact, value: f64) -> f64 {
        self.values[fact as usize] * (value - self.means[fact as usize])
    }

    /// The weights whose log odds are `intercept` + `slope` times these.
    #[must_use]
    pub fn along(&self, curve: Curve) -> Self {
        let Curve { intercept, slope } = curve;
        let values = self.values.map(|value| slope * value);
        Self { intercept: intercept + slope * self.intercept, values, means: self.means }
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

pub(super) fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

impl From<WeightsOfFile> for Weights {
    fn from(file: WeightsOfFile) -> Self {
        let (mut values, mut means) = ([0.0; Fact::ALL.len()], [0.0; Fact::ALL.len()]);
        for (fact, FactOfFile { weight, usual }) in file.facts {
            (values[fact as usize], means[fact as usize]) = (weight, usual);
        }
        Self { intercept: file.intercept, values, means }
    }
}

impl From<Weights> for WeightsOfFile {
    fn from(weights: Weights) -> Self {
        let of_file = |fact: Fact| {
            let (weight, usual) = (weights.values[fact as usize], weights.means[fact as usize]);
            (weight != 0.0).then_some((fact, FactOfFile { weight, usual }))
        };
        Self { intercept: weights.intercept, facts: Fact::ALL.into_iter().filter_map(of_file).collect() }
    }
}
