//! The measures of one row: numbers by name, and the facts behind them.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// Numbers and facts of one row, in the order of measurement.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    numbers: Vec<(&'static str, f64)>,
    facts: Vec<(&'static str, Value)>,
    /// Metrics that were skipped because the row lacks texts for them, with the reason.
    not_measured: Vec<(&'static str, String)>,
}

impl Measures {
    /// The numbers.
    #[must_use]
    pub fn numbers(&self) -> &[(&'static str, f64)] {
        &self.numbers
    }

    /// A number by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }

    /// The facts with this name, as written to results.
    #[must_use]
    pub fn facts(&self, name: &str) -> Option<&Value> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, facts)| facts)
    }

    /// The metrics that were skipped, with the reason.
    #[must_use]
    pub fn not_measured(&self) -> &[(&'static str, String)] {
        &self.not_measured
    }

    /// Adds a number.
    pub fn add(&mut self, name: &'static str, number: f64) {
        self.numbers.push((name, number));
    }

    /// Adds facts.
    ///
    /// # Panics
    /// When the facts are not valid JSON.
    pub fn add_facts(&mut self, name: &'static str, facts: &impl Serialize) {
        let facts = serde_json::to_value(facts).expect("texts and finite numbers are valid JSON");
        self.facts.push((name, facts));
    }

    /// Records that a metric was skipped, with the reason.
    pub fn leave_out(&mut self, name: &'static str, why: String) {
        self.not_measured.push((name, why));
    }

    /// The facts, mutably.
    pub fn facts_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.facts.iter_mut().map(|(_, facts)| facts)
    }

    /// The first number.
    #[must_use]
    pub fn first(&self) -> Option<f64> {
        self.numbers.first().map(|(_, number)| *number)
    }

    /// The reasons why metrics were skipped.
    #[must_use]
    pub fn not_measured_reason(&self) -> String {
        let why: Vec<&str> = self.not_measured.iter().map(|(_, why)| why.as_str()).collect();
        why.join("; ")
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, number) in &self.numbers {
            map.serialize_entry(name, number)?;
        }
        for (name, facts) in &self.facts {
            map.serialize_entry(name, facts)?;
        }
        if !self.not_measured.is_empty() {
            let left_out: serde_json::Map<String, Value> = self
                .not_measured
                .iter()
                .map(|(name, why)| ((*name).to_owned(), why.as_str().into()))
                .collect();
            map.serialize_entry("not_measured", &left_out)?;
        }
        map.end()
    }
}
