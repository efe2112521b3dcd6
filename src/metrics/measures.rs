//! The measures of one row: numbers by name, and the facts behind them.

use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::run_summary::RunSummary;
use super::sumautoeval::{AgreementTally, FACTS};
use crate::input::Pair;
use crate::scorer::ReadPair;
use veridic_text::{NormalizedText, Span};

/// Numbers and facts of one row, in the order in which they were measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    numbers: Vec<(&'static str, f64)>,
    facts: Vec<(&'static str, Value)>,
    /// Metrics that were left out, and why: the row lacks texts for them.
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

    /// The facts of this name, as results have them.
    #[must_use]
    pub fn facts(&self, name: &str) -> Option<&Value> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, facts)| facts)
    }

    /// The metrics that were left out, and why.
    #[must_use]
    pub fn not_measured(&self) -> &[(&'static str, String)] {
        &self.not_measured
    }

    /// What the metrics report beside their numbers, over this row alone.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        let mut tally = AgreementTally::default();
        self.facts.iter().filter(|(name, _)| *name == FACTS).for_each(|(_, facts)| tally.add(facts));
        RunSummary::of_agreement(tally.agreement())
    }

    pub(super) fn add(&mut self, name: &'static str, number: f64) {
        self.numbers.push((name, number));
    }

    pub(super) fn add_facts(&mut self, name: &'static str, facts: &impl Serialize) {
        let facts = serde_json::to_value(facts).expect("texts and finite numbers are valid JSON");
        self.facts.push((name, facts));
    }

    pub(super) fn leave_out(&mut self, name: &'static str, why: String) {
        self.not_measured.push((name, why));
    }

    /// Converts facts about the normalized texts to facts about the texts as given.
    pub(super) fn relocate(&mut self, read: &ReadPair<'_>) {
        if read.is_as_given() {
            return;
        }
        self.facts.iter_mut().for_each(|(_, facts)| relocate(facts, read.summary(), read.given()));
    }

    pub(super) fn first(&self) -> Option<f64> {
        self.numbers.first().map(|(_, number)| *number)
    }

    /// Why all metrics were left out.
    pub(super) fn not_measured_reason(&self) -> String {
        let why: Vec<&str> = self.not_measured.iter().map(|(_, why)| why.as_str()).collect();
        why.join("; ")
    }
}

/// Converts the spans of normalized texts, and the texts beside them, to those of the texts as given: of the summary, except
/// SumAutoEval's entities of references.
fn relocate(facts: &mut Value, text: &NormalizedText<'_>, given: &Pair<'_>) {
    match facts {
        Value::Array(list) => list.iter_mut().for_each(|facts| relocate(facts, text, given)),
        Value::Object(members) => {
            let mut own = members.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
            for (name, value) in members.iter_mut() {
                match name.as_str() {
                    "span" => move_spans(std::slice::from_mut(value), text, &mut own),
                    "spans" => {
                        move_spans(value.as_array_mut().map_or(&mut [], Vec::as_mut_slice), text, &mut own);
                    }
                    "ground_truth" | "rubric" => relocate_truth(value, given),
                    _ => relocate(value, text, given),
                }
            }
            members.entry("text").and_modify(|text| *text = own.into());
        }
        _ => {}
    }
}

fn relocate_truth(truth: &mut Value, given: &Pair<'_>) {
    for entity in truth["entities"].as_array_mut().into_iter().flatten() {
        let reference = match entity["reference"].as_u64() {
            Some(number) => given.metric_inputs.references.get(number as usize),
            None => given.metric_inputs.reference.as_ref(),
        };
        relocate(entity, &NormalizedText::of(reference.map_or("", String::as_str)), given);
    }
}

/// Moves spans in JSON, and the text beside them.
fn move_spans(list: &mut [Value], text: &NormalizedText<'_>, own: &mut String) {
    let spans: Option<Vec<Span>> = list.iter().map(|span| Span::deserialize(span).ok()).collect();
    let Some(mut spans) = spans else { return };
    text.relocate(&mut spans, own);
    for (place, span) in list.iter_mut().zip(spans) {
        *place = serde_json::json!(span);
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
