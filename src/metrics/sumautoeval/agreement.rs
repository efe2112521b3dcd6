//! How far the three checks agree: Fleiss' kappa over entities, of a row and of a whole run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answers::{Answer, CHECKS};
use veridic_stats::fleiss_kappa_of;

/// Counts of a run, of bounded size whatever its length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many entities have so many answers of each kind.
    completeness: BTreeMap<[u32; Answer::ALL.len()], u64>,
    correctness: BTreeMap<[u32; Answer::ALL.len()], u64>,
}

/// Agreement over the entities of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Agreement {
    /// Over ground-truth entities, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completeness: Option<Kappa>,
    /// Over entities of summaries, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correctness: Option<Kappa>,
}

/// Fleiss' kappa of three checks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Kappa {
    /// -0.5..=1; none where all answers are the same.
    pub kappa: Option<f64>,
    /// Entities that were checked.
    pub entities: u64,
}

impl Agreement {
    /// Whether nothing was checked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.completeness.is_none() && self.correctness.is_none()
    }

    /// What it is told of, and how far checks agree there.
    pub fn told(&self) -> impl Iterator<Item = (&'static str, Kappa)> {
        let all = [("completeness", self.completeness), ("correctness", self.correctness)];
        all.into_iter().filter_map(|(name, kappa)| Some((name, kappa?)))
    }
}

impl Tally {
    /// Adds a row by the fields of its result, of this run or from the journal.
    pub(crate) fn add_line(&mut self, fields: &str) {
        #[derive(Deserialize)]
        struct Result {
            #[serde(rename = "sumautoeval")]
            facts: Option<Value>,
        }
        if let Ok(Result { facts: Some(facts) }) = serde_json::from_str(&format!("{{{fields}}}")) {
            self.add(&facts);
        }
    }

    /// Adds the facts of a row, as this evaluator tells them.
    pub(crate) fn add(&mut self, facts: &Value) {
        count(&facts["ground_truth"]["entities"], "completeness", &mut self.completeness);
        count(&facts["summary"]["entities"], "correctness", &mut self.correctness);
    }

    pub(crate) fn agreement(&self) -> Agreement {
        Agreement { completeness: kappa(&self.completeness), correctness: kappa(&self.correctness) }
    }
}

/// Agreement over the entities that these answers are of.
pub(super) fn of_answers(answers: &[[Answer; CHECKS]]) -> Option<Kappa> {
    let mut counts = BTreeMap::new();
    for answers in answers {
        let of = |kind: Answer| answers.iter().filter(|answer| **answer == kind).count() as u32;
        *counts.entry(Answer::ALL.map(of)).or_default() += 1;
    }
    kappa(&counts)
}

fn count(entities: &Value, axis: &str, counts: &mut BTreeMap<[u32; Answer::ALL.len()], u64>) {
    for entity in entities.as_array().into_iter().flatten() {
        let Some(answers) = entity[axis]["answers"].as_object() else { continue };
        let of = |kind: Answer| {
            let name = serde_json::to_value(kind).expect("a name is valid JSON");
            answers.values().filter(|answer| **answer == name).count() as u32
        };
        let kinds = Answer::ALL.map(of);
        if kinds.iter().sum::<u32>() as usize == CHECKS {
            *counts.entry(kinds).or_default() += 1;
        }
    }
}

fn kappa(counts: &BTreeMap<[u32; Answer::ALL.len()], u64>) -> Option<Kappa> {
    let entities = counts.values().sum();
    let kappa = fleiss_kappa_of(counts.iter().map(|(counts, times)| (counts, *times as f64))).ok();
    (entities > 0).then_some(Kappa { kappa, entities })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Answer::{No, Partial, Yes};
    use super::*;

    #[test]
    fn kappa_is_counted_by_hand() {
        // Pairs that agree: 3 of 3, 1 of 3, so P = 2/3; yes 4/6, no 2/6, so Pe = 5/9; (6/9 - 5/9) / (4/9) = 1/4.
        let found = of_answers(&[[Yes, Yes, Yes], [Yes, No, No]]).unwrap();
        assert_eq!(found.entities, 2);
        assert!((found.kappa.unwrap() - 0.25).abs() < 1e-12, "{found:?}");
        assert_eq!(of_answers(&[]), None);
        assert_eq!(of_answers(&[[Yes; 3]]), Some(Kappa { kappa: None, entities: 1 }));
    }

    #[test]
    fn rows_add_up() {
        let facts = json!({"ground_truth": {"entities": [
            {"completeness": {"answers": {"presence": "yes", "coverage": "yes", "evidence": "yes"}}},
            {"completeness": {"answers": {"presence": "yes", "coverage": "partial", "evidence": "partial"}}},
        ]}});
        let mut tally = Tally::default();
        tally.add_line(&format!("\"score\":0.5,\"sumautoeval\":{facts}"));
        tally.add(&facts);
        let agreement = tally.agreement();
        assert_eq!(agreement.correctness, None);
        let twice = of_answers(&[[Yes; 3], [Yes, Partial, Partial], [Yes; 3], [Yes, Partial, Partial]]);
        assert_eq!(agreement.completeness, twice);
        assert_eq!(agreement.told().count(), 1);
        tally.add_line("\"score\":0.5,\"sumautoeval\":{\"summary\":1}");
        assert_eq!(tally.agreement(), agreement);
    }
}
