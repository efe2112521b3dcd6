//! What metrics say of one row: numbers by name, and the facts that made them.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::sumautoeval::{Agreement, FACTS, Tally};

/// Numbers and facts of one row, in the order in which they were measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    numbers: Vec<(&'static str, f64)>,
    facts: Vec<(&'static str, Value)>,
    /// Metrics that the row lacks texts for, and which.
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

    /// What was left out, and why.
    #[must_use]
    pub fn not_measured(&self) -> &[(&'static str, String)] {
        &self.not_measured
    }

    /// How far SumAutoEval's checks agree over this row's entities, if they were asked.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        let mut tally = Tally::default();
        self.facts.iter().filter(|(name, _)| *name == FACTS).for_each(|(_, facts)| tally.add(facts));
        tally.agreement()
    }

    pub(super) fn add(&mut self, name: &'static str, number: f64) {
        self.numbers.push((name, number));
    }

    pub(super) fn tell(&mut self, name: &'static str, facts: &impl Serialize) {
        let facts = serde_json::to_value(facts).expect("texts and finite numbers are valid JSON");
        self.facts.push((name, facts));
    }

    pub(super) fn leave_out(&mut self, name: &'static str, why: String) {
        self.not_measured.push((name, why));
    }

    pub(super) fn first(&self) -> Option<f64> {
        self.numbers.first().map(|(_, number)| *number)
    }

    /// Why there is no number at all.
    pub(super) fn nothing(&self) -> String {
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
