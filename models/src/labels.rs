//! Maps a classifier's outputs to entailment, neutral and contradiction, by `id2label` or by given names, never by
//! guessing from the position.

use std::collections::BTreeMap;

use serde::Serialize;

use veridic_store::quoting::short_ids;

use crate::error::{LABELS_EXAMPLE, ModelError, Result};

/// A classifier's probabilities for one (premise, hypothesis) pair. With two outputs, "not entailment" counts as
/// neutral and the third probability is 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Probabilities {
    /// The premise supports the hypothesis.
    pub entailment: f32,
    /// The premise neither supports nor contradicts it.
    pub neutral: f32,
    /// The premise contradicts it.
    pub contradiction: f32,
}

/// Positions of the three relations among a model's outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    names: Vec<String>,
    entailment: usize,
    neutral: Option<usize>,
    contradiction: Option<usize>,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Relation {
    Entailment,
    Neutral,
    Contradiction,
}

impl Labels {
    /// The labels of a configuration, in output order; `file` is named in errors.
    ///
    /// # Errors
    /// [`ModelError::Labels`] when the names do not say which output is entailment, when there is only one, or when
    /// two outputs have the same meaning.
    pub fn of_config(names: &[String], file: &str) -> Result<Self> {
        Self::from_names(names).map_err(|reason| ModelError::Labels { file: file.to_owned(), reason })
    }

    /// The labels that the setting `labels` gives to a model with this number of `outputs`, in output order.
    ///
    /// # Errors
    /// [`ModelError::Setting`] for another number of names, and as [`Labels::of_config`].
    pub fn given(names: &[String], outputs: usize) -> Result<Self> {
        let refuse = |expected| ModelError::Setting { setting: "labels", value: names.join(","), expected };
        if names.len() != outputs {
            return Err(refuse(format!("these are {} names, the model has {outputs} outputs", names.len())));
        }
        Self::from_names(names)
            .map_err(|reason| refuse(format!("{reason}; expected are names such as {LABELS_EXAMPLE}")))
    }

    fn from_names(names: &[String]) -> std::result::Result<Self, String> {
        let find = |relation: Relation| -> std::result::Result<Option<usize>, String> {
            let mut found = (0..names.len()).filter(|&i| relation_of(&names[i]) == Some(relation));
            match (found.next(), found.next()) {
                (first, None) => Ok(first),
                (_, Some(_)) => Err(format!("labels {:?} name the same relation twice", short_ids(names))),
            }
        };
        let (entailment, neutral, contradiction) =
            (find(Relation::Entailment)?, find(Relation::Neutral)?, find(Relation::Contradiction)?);
        match entailment {
            Some(entailment) if neutral.is_some() || contradiction.is_some() => {
                Ok(Self { names: names.to_vec(), entailment, neutral, contradiction })
            }
            _ => Err(format!("labels {:?} do not say which output is entailment", short_ids(names))),
        }
    }

    /// The names in output order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Softmax over one row of logits, `(labels)`, in double precision.
    #[must_use]
    pub fn softmax(logits: &[f32]) -> Vec<f32> {
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials: Vec<f64> = logits.iter().map(|&x| f64::from(x - max).exp()).collect();
        let sum: f64 = exponentials.iter().sum();
        exponentials.into_iter().map(|share| (share / sum) as f32).collect()
    }

    /// The probabilities of the three relations, from one row of logits, `(labels)`.
    #[must_use]
    pub fn probabilities(&self, logits: &[f32]) -> Probabilities {
        let shares = Self::softmax(logits);
        let share = |index: Option<usize>| index.map_or(0.0, |i| shares[i]);
        Probabilities {
            entailment: share(Some(self.entailment)),
            neutral: share(self.neutral),
            contradiction: share(self.contradiction),
        }
    }

    /// Whether every output is one of the three relations.
    #[must_use]
    pub fn are_relations(&self) -> bool {
        let relations = [Some(self.entailment), self.neutral, self.contradiction];
        relations.iter().flatten().count() == self.names.len()
    }

    /// The softmax behind these probabilities, in output order; `None` unless [`Labels::are_relations`].
    #[must_use]
    pub fn outputs(&self, probabilities: &Probabilities) -> Option<Vec<f32>> {
        let of_relations = [
            (Some(self.entailment), probabilities.entailment),
            (self.neutral, probabilities.neutral),
            (self.contradiction, probabilities.contradiction),
        ];
        let output = |index: usize| of_relations.iter().find(|(place, _)| *place == Some(index));
        (0..self.names.len()).map(|index| output(index).map(|(_, share)| *share)).collect()
    }
}

/// Maximum number of outputs that a configuration may name.
const MAX_LABELS: usize = 1 << 16;

/// A configuration's `id2label` in output order; without it LABEL_0, LABEL_1, ... for `num_labels` outputs, by default
/// 2, as in Python's `transformers`. The error says what is missing.
pub(crate) fn labels_of(
    id2label: Option<&BTreeMap<String, String>>,
    num_labels: Option<usize>,
) -> std::result::Result<Vec<String>, String> {
    let Some(map) = id2label else {
        let count = num_labels.unwrap_or(2).min(MAX_LABELS);
        return Ok((0..count).map(|id| format!("LABEL_{id}")).collect());
    };
    let name = |id: usize| {
        map.get(&id.to_string())
            .cloned()
            .ok_or(format!("id2label has {} entries but none for {id}", map.len()))
    };
    (0..map.len()).map(name).collect()
}

/// The relation that a label names. Case, spaces and hyphens are ignored, and common variants are known, with those of
/// FEVER (supports, refutes, not enough info) and of judges of consistency (HHEM-2.1-open: hallucinated, consistent).
fn relation_of(name: &str) -> Option<Relation> {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match plain.as_str() {
        "entailment" | "entail" | "entails" | "entailed" | "consistent" | "supports" => {
            Some(Relation::Entailment)
        }
        "neutral" | "notentailment" | "notentailed" | "nonentailment" | "notenoughinfo" => {
            Some(Relation::Neutral)
        }
        "hallucinated" | "inconsistent" => Some(Relation::Neutral),
        "contradiction" | "contradict" | "contradicts" | "contradictory" | "refutes" => {
            Some(Relation::Contradiction)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Result<Labels> {
        Labels::of_config(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), "config.json")
    }

    #[test]
    fn every_order_and_spelling_is_read() {
        let logits = [0.0, 1.0, 5.0];
        for (names, entailment_is_last) in [
            (vec!["entailment", "neutral", "contradiction"], false),
            (vec!["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], true),
            (vec!["Contradiction", "Entailment", "Neutral"], false),
            (vec!["not-entailment", "other", "Entailment"], true),
        ] {
            let p = labels(&names).unwrap().probabilities(&logits);
            assert_eq!(p.entailment > 0.9, entailment_is_last, "{names:?}");
        }
    }

    #[test]
    fn outputs_are_in_the_models_order() {
        let logits = [0.5, 1.0, -2.0];
        for names in [["contradiction", "entailment", "neutral"], ["Neutral", "Contradiction", "Entailment"]]
        {
            let labels = labels(&names).unwrap();
            assert_eq!(labels.outputs(&labels.probabilities(&logits)), Some(Labels::softmax(&logits)));
        }
        let two = labels(&["not_entailment", "entailment"]).unwrap();
        assert_eq!(two.outputs(&two.probabilities(&logits[..2])), Some(Labels::softmax(&logits[..2])));
        let other = labels(&["not-entailment", "other", "Entailment"]).unwrap();
        assert_eq!(other.outputs(&other.probabilities(&logits)), None);
    }

    #[test]
    fn two_way_heads_count_not_entailment_as_neutral() {
        let p = labels(&["entailment", "not_entailment"]).unwrap().probabilities(&[0.0, 0.0]);
        assert_eq!((p.entailment, p.neutral, p.contradiction), (0.5, 0.5, 0.0));
    }

    #[test]
    fn labels_of_other_tasks_are_relations() {
        let fever = labels(&["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]).unwrap();
        let p = fever.probabilities(&[2.0, 0.0, 1.0]);
        assert!(p.entailment > p.neutral && p.neutral > p.contradiction, "{p:?}");
        let p = labels(&["hallucinated", "consistent"]).unwrap().probabilities(&[0.0, 2.0]);
        assert!(p.entailment > p.neutral && p.contradiction == 0.0, "{p:?}");
    }

    #[test]
    fn names_without_a_relation_are_an_error_with_the_remedy() {
        for names in
            [vec!["LABEL_0", "LABEL_1", "LABEL_2"], vec!["neutral", "contradiction"], vec!["entailment"]]
        {
            let message = labels(&names).unwrap_err().to_string();
            assert!(message.contains("give `labels`"), "{message}");
        }
        assert!(labels(&["entailment", "Entailment", "neutral"]).is_err());
    }

    #[test]
    fn given_names_are_checked_against_the_outputs() {
        let given = |names: &[&str], outputs| {
            Labels::given(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), outputs)
        };
        assert!(given(&["not_entailment", "entailment"], 2).is_ok());
        let error = given(&["entailment", "neutral"], 3).unwrap_err().to_string();
        assert!(error.contains("`labels` entailment,neutral: these are 2 names, the model has 3"), "{error}");
        let error = given(&["yes", "no"], 2).unwrap_err().to_string();
        assert!(error.contains("which output is entailment"), "{error}");
    }
}
