//! Remarks on single rows at the end of a run: rows that fail the requested check, and rows that repeat an id. Counts all
//! and names the first.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::decide::Verdict;
use crate::named;
use crate::result::PairResult;

/// The maximum number of named rows.
const MOST_NAMED: usize = 10;
/// The maximum length of an id in a list of rows, in characters.
const MOST_ID_CHARACTERS: usize = 60;

/// A condition under which a result fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// The document contradicts it.
    Contradicted,
    /// The result is contradicted or unsupported.
    Unsupported,
    /// A claim has a wrong citation.
    WrongCitation,
    /// Words of the summary have no verdict.
    Unjudged,
}

named!(FailOn, "verdict to fail on", {
    Contradicted = "contradicted",
    Unsupported = "unsupported",
    WrongCitation = "wrong-citation",
    Unjudged = "unjudged",
});

/// The parts of a result that decide whether it fails.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// Its score.
    pub score: f32,
    /// Its verdict, if claims were judged.
    pub verdict: Option<Verdict>,
    /// Whether a claim has a wrong citation.
    pub has_wrong_citation: bool,
    /// Whether words of the summary have no verdict.
    pub has_unjudged: bool,
}

impl Outcome {
    /// Returns the outcome of a result.
    #[must_use]
    pub fn of(result: &PairResult) -> Self {
        Self {
            score: result.score,
            verdict: Some(result.verdict),
            has_wrong_citation: result.claims.iter().any(|claim| claim.wrong_citation().is_some()),
            has_unjudged: result.unjudged.as_ref().is_some_and(|unjudged| unjudged.share > 0.0),
        }
    }
}

/// The conditions under which a result fails.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailWhen {
    /// Fails if the score is below this.
    pub score_under: Option<f32>,
    /// Fails under any of these conditions.
    pub on: Vec<FailOn>,
}

/// Rows with a common property.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct NamedRows {
    /// Their number.
    pub rows: u64,
    /// The first of them: their ids, or their places if they have none.
    pub first: Vec<String>,
}

/// Finds ids that repeat an earlier row's, by 64-bit digests.
#[derive(Debug, Default)]
pub(super) struct RepeatedIds {
    known: HashSet<u64>,
    pub(super) found: NamedRows,
}

impl FailWhen {
    /// Whether a result fails. A summary that gives no answer fails by nothing that it does not say.
    #[must_use]
    pub fn fails(&self, outcome: &Outcome) -> bool {
        let is_named = |on: &FailOn| match on {
            FailOn::Contradicted => outcome.verdict == Some(Verdict::Contradicted),
            FailOn::Unsupported => outcome.verdict.is_some_and(Verdict::is_adverse),
            FailOn::WrongCitation => outcome.has_wrong_citation,
            FailOn::Unjudged => outcome.has_unjudged,
        };
        let is_answer = outcome.verdict != Some(Verdict::NoAnswer);
        let is_under = |least: f32| is_answer && outcome.score < least;
        self.on.iter().any(is_named) || self.score_under.is_some_and(is_under)
    }
}

impl NamedRows {
    pub(super) fn add(&mut self, name: impl FnOnce() -> String) {
        self.rows += 1;
        if self.first.len() < MOST_NAMED {
            self.first.push(name());
        }
    }

    /// Lists the names, with the number of unnamed rows.
    #[must_use]
    pub fn listed(&self) -> String {
        let names = self.first.join(", ");
        match self.rows - self.first.len() as u64 {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }
}

impl RepeatedIds {
    pub(super) fn add(&mut self, id: &RawValue) {
        let mut digest = DefaultHasher::new();
        id.get().hash(&mut digest);
        if !self.known.insert(digest.finish()) {
            self.found.add(|| shown(id));
        }
    }
}

/// Shortens an id to one line.
pub(super) fn shown(id: &RawValue) -> String {
    let text = serde_json::from_str::<String>(id.get()).unwrap_or_else(|_| id.get().to_owned());
    text.chars().take(MOST_ID_CHARACTERS).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_fails_by_its_score_or_its_verdict() {
        let fails = |score_under, on: Option<FailOn>, score, verdict| {
            let outcome = Outcome { score, verdict, ..Outcome::default() };
            FailWhen { score_under, on: on.into_iter().collect() }.fails(&outcome)
        };
        let (supported, unsupported, contradicted) =
            (Some(Verdict::Supported), Some(Verdict::Unsupported), Some(Verdict::Contradicted));
        assert!(!fails(None, None, 0.0, contradicted));
        assert!(fails(Some(0.5), None, 0.4, supported) && !fails(Some(0.5), None, 0.5, contradicted));
        assert!(fails(None, Some(FailOn::Unsupported), 1.0, contradicted));
        assert!(!fails(None, Some(FailOn::Contradicted), 0.0, unsupported));
        assert!(fails(Some(0.5), Some(FailOn::Contradicted), 0.9, contradicted));
        assert!(!fails(None, Some(FailOn::Unsupported), 0.0, None), "nothing was judged");
        let outcome =
            Outcome { score: 1.0, verdict: supported, has_wrong_citation: true, ..Outcome::default() };
        let on = vec![FailOn::Contradicted, FailOn::WrongCitation];
        assert!(FailWhen { score_under: None, on }.fails(&outcome));
        assert!(!fails(Some(0.5), Some(FailOn::Unsupported), 0.1, Some(Verdict::NoAnswer)));
        let outcome = Outcome { has_unjudged: true, ..Outcome::default() };
        assert!(FailWhen { score_under: None, on: vec![FailOn::Unjudged] }.fails(&outcome));
    }

    #[test]
    fn repeated_ids_are_counted_and_the_first_are_named() {
        let mut ids = RepeatedIds::default();
        for id in (0..30).map(|row| format!("\"row {}\\n\"", row % 16)).chain(["16".into(), "\"16\"".into()])
        {
            ids.add(&RawValue::from_string(id).unwrap());
        }
        assert_eq!((ids.found.rows, ids.found.first.len()), (14, 10));
        assert!(
            ids.found.listed().starts_with("row 0 , row 1 ,") && ids.found.listed().ends_with(" and 4 more")
        );
    }
}
