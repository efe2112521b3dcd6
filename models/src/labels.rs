//! Which output of a classifier means what. Read from `id2label` or given by name; never guessed
//! from the position.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::{ModelError, Result};

/// What a classifier says about one (premise, hypothesis) pair. With a two-way head,
/// "not entailment" counts as neutral and the third probability is 0.
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
    /// Labels by their names in output order, as `id2label` or `--labels` gives them; `file` is
    /// named in errors.
    ///
    /// # Errors
    /// When the names do not say which output is entailment, when there is only one, or when two
    /// outputs have the same meaning.
    pub fn from_names(names: &[String], file: &str) -> Result<Self> {
        let refuse = |reason: String| ModelError::Labels { file: file.to_owned(), reason };
        let find = |relation: Relation| -> Result<Option<usize>> {
            let mut found = (0..names.len()).filter(|&i| relation_of(&names[i]) == Some(relation));
            match (found.next(), found.next()) {
                (first, None) => Ok(first),
                (_, Some(_)) => Err(refuse(format!("labels {names:?} name the same relation twice"))),
            }
        };
        let (entailment, neutral, contradiction) =
            (find(Relation::Entailment)?, find(Relation::Neutral)?, find(Relation::Contradiction)?);
        match entailment {
            Some(entailment) if neutral.is_some() || contradiction.is_some() => {
                Ok(Self { names: names.to_vec(), entailment, neutral, contradiction })
            }
            _ => Err(refuse(format!(
                "labels {names:?} do not say which output is entailment: pass --labels with the names in output order, for example --labels entailment,neutral,contradiction or --labels not_entailment,entailment"
            ))),
        }
    }

    /// The names in output order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Softmax over one row of logits, `(labels)`, in double precision.
    #[must_use]
    pub fn probabilities(&self, logits: &[f32]) -> Probabilities {
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials: Vec<f64> = logits.iter().map(|&x| f64::from(x - max).exp()).collect();
        let sum: f64 = exponentials.iter().sum();
        let share = |index: Option<usize>| index.map_or(0.0, |i| (exponentials[i] / sum) as f32);
        Probabilities {
            entailment: share(Some(self.entailment)),
            neutral: share(self.neutral),
            contradiction: share(self.contradiction),
        }
    }
}

/// Most outputs that a configuration may name.
const MOST_LABELS: usize = 1 << 16;

/// A configuration's `id2label` in output order; without it, transformers means LABEL_0, LABEL_1, ...
/// for `num_labels`, by default 2. Errors say what is missing.
pub(crate) fn labels_of(
    id2label: Option<&BTreeMap<String, String>>,
    num_labels: Option<usize>,
) -> std::result::Result<Vec<String>, String> {
    let Some(map) = id2label else {
        let count = num_labels.unwrap_or(2).min(MOST_LABELS);
        return Ok((0..count).map(|id| format!("LABEL_{id}")).collect());
    };
    let name = |id: usize| {
        map.get(&id.to_string())
            .cloned()
            .ok_or(format!("id2label has {} entries but none for {id}", map.len()))
    };
    (0..map.len()).map(name).collect()
}

/// Case, spaces, hyphens and the common variants do not matter.
fn relation_of(name: &str) -> Option<Relation> {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match plain.as_str() {
        "entailment" | "entail" | "entails" | "entailed" => Some(Relation::Entailment),
        "neutral" | "notentailment" | "notentailed" | "nonentailment" => Some(Relation::Neutral),
        "contradiction" | "contradict" | "contradicts" | "contradictory" => Some(Relation::Contradiction),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Result<Labels> {
        Labels::from_names(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), "config.json")
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
    fn two_way_heads_count_not_entailment_as_neutral() {
        let p = labels(&["entailment", "not_entailment"]).unwrap().probabilities(&[0.0, 0.0]);
        assert_eq!((p.entailment, p.neutral, p.contradiction), (0.5, 0.5, 0.0));
    }

    #[test]
    fn names_without_meaning_are_refused_with_the_way_out() {
        for names in
            [vec!["LABEL_0", "LABEL_1", "LABEL_2"], vec!["neutral", "contradiction"], vec!["entailment"]]
        {
            let message = labels(&names).unwrap_err().to_string();
            assert!(message.contains("--labels"), "{message}");
        }
        assert!(labels(&["entailment", "Entailment", "neutral"]).is_err());
    }
}
