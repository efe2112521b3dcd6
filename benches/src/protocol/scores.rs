//! Scores computed earlier: the output of `veridic run` or any other rows with a field `score` (`model_score` in the files
//! of LongEval's authors), or a text with one number per line. Scores are matched to texts by id if every score and every
//! text has a unique one, or else by the fields that identify texts in the authors' files; scores of other ids or keys are
//! then ignored. Otherwise they are matched by order: there must be one score for every text of the data, including those
//! that the protocol leaves out, and ids must agree where both have one. A score that is missing or not a finite number and
//! a row that could not be judged are errors.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::Serialize;

use super::case::{Case, Key};
use super::error::BenchError;
use super::read::{Reading, id_text, key, read_fields};
use super::text_level::TextLevel;
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic_models::store::quoting::{listed_names, short_id};

/// The field that holds a score, and its name in the files of LongEval's authors.
const SCORES: [&str; 2] = ["score", "model_score"];

/// How scores are matched to texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchedBy {
    Id,
    Key,
    Order,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScoreList(Vec<Scored>);

#[derive(Debug, Clone, PartialEq)]
struct Scored {
    place: String,
    id: Option<String>,
    key: Option<Key>,
    score: f64,
}

impl ScoreList {
    /// Reads rows with a field `score` or `model_score`; `key_fields` are those of the [`Reading`] they belong to.
    /// Refuses the first row without a finite score.
    pub fn of_rows(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        key_fields: &[&str],
    ) -> Result<Self, BenchError> {
        let mut scores = Vec::new();
        read_fields(rows, |origin, fields| {
            let id = fields.get("id").and_then(|id| id_text(id.get()));
            let (key, score) = (key(&fields, key_fields), score(&fields)?);
            scores.push(Scored { place: origin.to_string(), id, key, score });
            Ok(())
        })?;
        Ok(Self(scores))
    }

    /// Reads one number per line; blank lines are skipped. Refuses the first line that is not a finite number.
    pub fn of_numbers(text: &str) -> Result<Self, BenchError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut scores = Vec::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("line {}", index + 1);
            let score = number(line).map_err(|reason| BenchError::Data(format!("{place}: {reason}")))?;
            scores.push(Scored { place, id: None, key: None, score });
        }
        Ok(Self(scores))
    }

    /// Returns the score of each case, and how they were matched; refuses scores that do not match the texts.
    pub fn assign<L>(&self, reading: &Reading<L>) -> Result<(Vec<f64>, MatchedBy), BenchError> {
        let ids = identified(&reading.cases, |case| case.id.as_ref());
        if let Some((ids, scores)) = ids.zip(self.identified(|scored| scored.id.as_ref(), false)) {
            let missing: Vec<&String> = ids.iter().copied().filter(|id| !scores.contains_key(id)).collect();
            return match missing.first() {
                Some(first) => Err(without_score(missing.len(), &format!("the id {}", short_id(first)))),
                None => Ok((ids.iter().map(|id| scores[id]).collect(), MatchedBy::Id)),
            };
        }
        let keys = identified(&reading.cases, |case| case.key.as_ref());
        if let Some((keys, scores)) = keys.zip(self.identified(|scored| scored.key.as_ref(), true)) {
            let keyed = reading.cases.iter().zip(&keys);
            let missing: Vec<&Case<L>> =
                keyed.filter(|(_, key)| !scores.contains_key(*key)).map(|(case, _)| case).collect();
            if !missing.is_empty() {
                return Err(without_scores(reading, &missing));
            }
            return Ok((keys.iter().map(|key| scores[key]).collect(), MatchedBy::Key));
        }
        Ok((self.by_order(reading)?, MatchedBy::Order))
    }

    /// Returns the scores by what identifies them; `None` if a score lacks it or shares it with another one. With
    /// `may_repeat`, rows that repeat a score count once.
    fn identified<'s, K: Hash + Eq>(
        &'s self,
        key: impl Fn(&'s Scored) -> Option<&'s K>,
        may_repeat: bool,
    ) -> Option<HashMap<&'s K, f64>> {
        let mut score_of = HashMap::new();
        for scored in &self.0 {
            let before = score_of.insert(key(scored)?, scored.score);
            if before.is_some_and(|before| !may_repeat || before != scored.score) {
                return None;
            }
        }
        (!score_of.is_empty()).then_some(score_of)
    }

    fn by_order<L>(&self, reading: &Reading<L>) -> Result<Vec<f64>, BenchError> {
        if self.0.len() != reading.texts {
            let (scores, texts) = (self.0.len(), reading.texts);
            return Err(BenchError::Data(format!(
                "{scores} scores for {texts} texts: give one for every text of the data, in order, or ids that are all different on both sides"
            )));
        }
        let mut scores = Vec::with_capacity(reading.cases.len());
        for case in &reading.cases {
            let Scored { place, id, score, .. } = &self.0[case.number];
            if let (Some(of_score), Some(of_text)) = (id, &case.id)
                && of_score != of_text
            {
                let (of_score, of_text) = (short_id(of_score), short_id(of_text));
                return Err(BenchError::Data(format!(
                    "{place}: the score is for id {of_score}, the text in its place has id {of_text}"
                )));
            }
            scores.push(*score);
        }
        Ok(scores)
    }
}

/// Returns what identifies each text; `None` if a text lacks it or shares it with another one.
fn identified<'c, L, K: Hash + Eq>(
    cases: &'c [Case<L>],
    key: impl Fn(&'c Case<L>) -> Option<&'c K>,
) -> Option<Vec<&'c K>> {
    let keys: Vec<&K> = cases.iter().map(key).collect::<Option<_>>()?;
    (keys.iter().collect::<HashSet<_>>().len() == keys.len()).then_some(keys)
}

fn without_scores<L>(reading: &Reading<L>, missing: &[&Case<L>]) -> BenchError {
    let is_summary = |case: &&Case<L>| case.level == TextLevel::Summary;
    if missing.iter().all(is_summary) && !reading.cases.iter().all(|case| is_summary(&case)) {
        let (summaries, field) = (missing.len(), reading.key_fields.last().unwrap_or(&"id"));
        return BenchError::Data(format!(
            "{summaries} summaries have no score: give a row without `{field}` for each, or measure sentences alone with --level sentence"
        ));
    }
    let described = |(name, value): (&&str, &Option<String>)| match value {
        Some(value) => format!("{name} {}", short_id(value)),
        None => format!("no {name}"),
    };
    let key = missing[0].key.iter().flatten();
    let key: Vec<String> = reading.key_fields.iter().zip(key).map(described).collect();
    without_score(missing.len(), &key.join(", "))
}

fn without_score(texts: usize, of: &str) -> BenchError {
    BenchError::Data(format!("{texts} of the texts have no score: none has {of}"))
}

fn score(fields: &Fields) -> Result<f64, String> {
    if let Some(value) = SCORES.iter().find_map(|name| fields.get(name)) {
        // In a table a number is a string.
        return number(value.get().trim_matches('"'));
    }
    if fields.get("error").is_some() {
        return Err("the row could not be judged, as its `error` says: a benchmark needs all rows".into());
    }
    if fields.get("shard").is_some() {
        return Err("this is one shard of a run: join its shards with `veridic merge` first".into());
    }
    Err(format!("has no field `{}` (its fields: {})", SCORES[0], listed_names(&fields.names())))
}

fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("has no score: it must be a finite number".into()),
    }
}
