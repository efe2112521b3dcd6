//! Agreement of the three checks: Fleiss' kappa over entities, of one row and of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answers::{Answer, CHECKS, Votes};
use veridic_stats::fleiss_kappa;

/// The number of entities by the counts of their answers of each kind.
type Counts = BTreeMap<[u32; Answer::ALL.len()], u64>;

/// Counts answers over the entities of many rows, in memory that does not grow with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AgreementTally {
    completeness: Counts,
    correctness: Counts,
}

/// Agreement over entities.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(crate) struct Agreement {
    /// Over ground-truth entities, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completeness: Option<Kappa>,
    /// Over the summaries' entities, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) correctness: Option<Kappa>,
}

/// Fleiss' kappa of three checks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Kappa {
    /// -0.5..=1; `None` if all answers are the same.
    pub(crate) kappa: Option<f64>,
    /// Entities that were checked.
    pub(crate) entities: u64,
}

impl Agreement {
    /// Whether nothing was checked.
    pub(crate) fn is_empty(&self) -> bool {
        self.axes().next().is_none()
    }

    /// The axes that were checked, by name.
    pub(crate) fn axes(&self) -> impl Iterator<Item = (&'static str, Kappa)> {
        let all = [("completeness", self.completeness), ("correctness", self.correctness)];
        all.into_iter().filter_map(|(name, kappa)| Some((name, kappa?)))
    }
}

impl AgreementTally {
    /// Adds a row by the members of its result's JSON object.
    pub(crate) fn add_fields(&mut self, fields: &str) {
        #[derive(Deserialize)]
        struct Result {
            #[serde(rename = "sumautoeval")]
            facts: Option<Value>,
        }
        if let Ok(Result { facts: Some(facts) }) = serde_json::from_str(&format!("{{{fields}}}")) {
            self.add(&facts);
        }
    }

    /// Adds a row by the facts of its result.
    pub(crate) fn add(&mut self, facts: &Value) {
        count(&facts["ground_truth"]["entities"], "completeness", &mut self.completeness);
        count(&facts["summary"]["entities"], "correctness", &mut self.correctness);
    }

    pub(crate) fn agreement(&self) -> Agreement {
        Agreement { completeness: kappa(&self.completeness), correctness: kappa(&self.correctness) }
    }
}

/// Agreement over entities with these votes.
pub(super) fn of_votes(votes: &[Votes]) -> Option<Kappa> {
    let mut counts = Counts::new();
    for answers in votes.iter().map(Votes::answers) {
        let of = |kind: Answer| answers.iter().filter(|answer| **answer == kind).count() as u32;
        *counts.entry(Answer::ALL.map(of)).or_default() += 1;
    }
    kappa(&counts)
}

fn count(entities: &Value, axis: &str, counts: &mut Counts) {
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

fn kappa(counts: &Counts) -> Option<Kappa> {
    let entities = counts.values().sum();
    let kappa = fleiss_kappa(counts.iter().map(|(counts, times)| (counts, *times as f64))).ok();
    (entities > 0).then_some(Kappa { kappa, entities })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Answer::{No, Partial, Yes};
    use super::*;

    fn of_answers(answers: &[[Answer; CHECKS]]) -> Option<Kappa> {
        of_votes(&answers.iter().map(|answers| Votes::of(*answers)).collect::<Vec<_>>())
    }

    #[test]
    fn kappa_is_the_value_computed_by_hand() {
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
        let mut tally = AgreementTally::default();
        tally.add_fields(&format!("\"score\":0.5,\"sumautoeval\":{facts}"));
        tally.add(&facts);
        let agreement = tally.agreement();
        assert_eq!(agreement.correctness, None);
        let twice = of_answers(&[[Yes; 3], [Yes, Partial, Partial], [Yes; 3], [Yes, Partial, Partial]]);
        assert_eq!(agreement.completeness, twice);
        assert_eq!(agreement.axes().count(), 1);
        tally.add_fields("\"score\":0.5,\"sumautoeval\":{\"summary\":1}");
        assert_eq!(tally.agreement(), agreement);
    }
}
