//! Scores computed earlier: the output of `veridic run` or any other rows with a field `score` (`model_score` in the files
//! of LongEval's authors), or a text with one number per line. Scores are matched to texts by id if every score and every
//! text has a unique one, or else by the fields that identify texts in the authors' files; scores of other ids or keys are
//! then ignored. Otherwise they are matched by order: there must be one score for every text of the data, including those
//! that the protocol leaves out, and ids must agree where both have one. A score that is missing or not a finite number and
//! a row that could not be judged are errors.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::case::{Case, Key};
use super::error::BenchError;
use super::read::{Reading, id_text, key};
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
    /// By the id of each text.
    Id,
    /// By the fields that identify a text in the authors' files.
    Key,
    /// By the order of the data.
    Order,
}

/// A file of scores.
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
    ///
    /// # Errors
    /// The first row without a finite score.
    pub fn of_rows(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        key_fields: &[&str],
    ) -> Result<Self, BenchError> {
        let mut scores = Vec::new();
        for row in rows {
            let RawRow { origin, fields } = row?;
            let place = origin.to_string();
            match score(&fields) {
                Ok(score) => {
                    let id = fields.get("id").and_then(|id| id_text(id.get()));
                    let key = key(&fields, key_fields);
                    scores.push(Scored { place, id, key, score });
                }
                Err(reason) => return Err(BenchError::Data(format!("{place}: {reason}"))),
            }
        }
        Ok(Self(scores))
    }

    /// Reads one number per line; blank lines are skipped.
    ///
    /// # Errors
    /// The first line that is not a finite number.
    pub fn of_numbers(text: &str) -> Result<Self, BenchError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let scores = lines.map(|(index, line)| {
            let place = format!("line {}", index + 1);
            match number(line) {
                Ok(score) => Ok(Scored { place, id: None, key: None, score }),
                Err(reason) => Err(BenchError::Data(format!("{place}: {reason}"))),
            }
        });
        scores.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the score of each case, and how they were matched.
    ///
    /// # Errors
    /// If the scores do not match the texts.
    pub fn assign<L>(&self, reading: &Reading<L>) -> Result<(Vec<f64>, MatchedBy), BenchError> {
        if let Some(scores) = self.by_id(reading) {
            return Ok((scores?, MatchedBy::Id));
        }
        match self.by_key(reading) {
            Some(scores) => Ok((scores?, MatchedBy::Key)),
            None => Ok((self.by_order(reading)?, MatchedBy::Order)),
        }
    }

    /// Matches by id; `None` if ids do not identify the texts.
    fn by_id<L>(&self, reading: &Reading<L>) -> Option<Result<Vec<f64>, BenchError>> {
        if self.0.is_empty() {
            return None;
        }
        let mut score_of = HashMap::new();
        for scored in &self.0 {
            if score_of.insert(scored.id.as_deref()?, scored.score).is_some() {
                return None;
            }
        }
        let mut known = HashSet::new();
        let mut ids = Vec::with_capacity(reading.cases.len());
        for case in &reading.cases {
            let id = case.id.as_deref()?;
            if !known.insert(id) {
                return None;
            }
            ids.push(id);
        }
        let missing: Vec<&str> = ids.iter().copied().filter(|id| !score_of.contains_key(id)).collect();
        if let Some(first) = missing.first() {
            return Some(Err(without_score(missing.len(), &format!("the id {}", short_id(first)))));
        }
        Some(Ok(ids.iter().map(|id| score_of[id]).collect()))
    }

    /// Matches by key; `None` if keys do not identify the texts. Rows that repeat a score count once.
    fn by_key<L>(&self, reading: &Reading<L>) -> Option<Result<Vec<f64>, BenchError>> {
        if self.0.is_empty() {
            return None;
        }
        let mut score_of = HashMap::new();
        for scored in &self.0 {
            let before = score_of.insert(scored.key.as_ref()?, scored.score);
            if before.is_some_and(|before| before != scored.score) {
                return None;
            }
        }
        let keys = reading.cases.iter().map(|case| case.key.as_ref()).collect::<Option<Vec<&Key>>>()?;
        if keys.iter().collect::<HashSet<_>>().len() < keys.len() {
            return None;
        }
        let lacks_score = |case: &&Case<L>| case.key.as_ref().is_some_and(|key| !score_of.contains_key(key));
        let missing: Vec<&Case<L>> = reading.cases.iter().filter(lacks_score).collect();
        if !missing.is_empty() {
            return Some(Err(without_scores(reading, &missing)));
        }
        Some(Ok(keys.iter().map(|key| score_of[key]).collect()))
    }

    fn by_order<L>(&self, reading: &Reading<L>) -> Result<Vec<f64>, BenchError> {
        if self.0.len() != reading.texts {
            let (scores, texts) = (self.0.len(), reading.texts);
            return Err(BenchError::Data(format!(
                "{scores} scores for {texts} texts: give one for every text of the data, in order, or ids that are all different on both sides"
            )));
        }
        let score = |case: &Case<L>| {
            let scored = &self.0[case.number];
            match (&scored.id, &case.id) {
                (Some(score), Some(text)) if score != text => {
                    let (place, score, text) = (&scored.place, short_id(score), short_id(text));
                    Err(BenchError::Data(format!(
                        "{place}: the score is for id {score}, the text in its place has id {text}"
                    )))
                }
                _ => Ok(scored.score),
            }
        };
        reading.cases.iter().map(score).collect()
    }
}

/// Describes the texts whose key has no score.
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
