//! TofuEval's figures (section 5 and appendix E), for sentences and summaries separately: balanced accuracy, and how
//! often a consistent text is called inconsistent (FPR) and an inconsistent one consistent (FNR). A text is called
//! consistent if its score is above the threshold that the dev rows of its scope tune for its level. Recall of a type of
//! error is the share called inconsistent among sentences with that error alone. Intervals are bootstrapped over
//! dialogues with fixed thresholds, and so are differences from other scores, which have thresholds of their own.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::names::{Dataset, TopicKind};
use super::{Case, Keys, TofuEval};
use crate::documents::{by_document, by_name, drawn};
use crate::estimate::{Estimate, LEVEL, RESAMPLES};
use crate::read::{BenchError, check_scores};
use crate::split::Split;
use crate::text_level::TextLevel;
use veridic::named;
use veridic_stats::{Confusion, best_threshold, paired_bootstrap};

/// Which dev rows tune a threshold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// All.
    All,
    /// Those of a data set.
    Dataset,
    /// Those of a data set and a kind of topic, main or marginal.
    Topic,
}

named!(Scope, "scope", { All = "all", Dataset = "dataset", Topic = "topic" });

/// Other scores of the same texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    /// Their name.
    pub name: String,
    /// One a case.
    pub scores: Vec<f64>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Which dev rows tuned a threshold together; `None` where the threshold is given.
    pub scope: Option<Scope>,
    /// The name of the other scores.
    pub against: Option<String>,
    /// Sentences and summaries, those of them that are judged.
    pub levels: Vec<LevelFigures>,
    /// How many texts people find an error in, dev and test together, by level, corpus and kind of topic.
    pub error_rates: Vec<ErrorRate>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// The figures of sentences or of summaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelFigures {
    /// Sentences or summaries.
    pub level: TextLevel,
    /// A text is called consistent above the threshold of its scope.
    pub thresholds: Vec<TunedThreshold>,
    /// Each corpus by kind of topic and as a whole, then both corpora together.
    pub cells: Vec<Cell>,
    /// Of sentences: the summaries, each called consistent if all its sentences are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Cell>,
    /// The types of error in sentences, the most frequent first.
    pub errors: Vec<ErrorType>,
}

/// The share of texts in which people find an error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorRate {
    /// Sentences or summaries.
    pub level: TextLevel,
    /// Their corpus.
    pub dataset: Dataset,
    /// Their kind of topic.
    pub topic: TopicKind,
    /// Number of texts.
    pub texts: usize,
    /// Those with an error.
    pub inconsistent: usize,
}

impl ErrorRate {
    /// The share; `None` without texts.
    pub(super) fn share(&self) -> Option<f64> {
        (self.texts > 0).then(|| self.inconsistent as f64 / self.texts as f64)
    }
}

/// A threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TunedThreshold {
    /// The corpus that it is for; `None` is both.
    pub dataset: Option<Dataset>,
    /// The kind of topic that it is for; `None` is both.
    pub topic: Option<TopicKind>,
    /// Texts with a higher score are called consistent.
    pub threshold: f64,
    /// Dev rows that tuned it; 0 where it is given.
    pub dev: usize,
}

/// Texts that are measured together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Their corpus; `None` is both.
    pub dataset: Option<Dataset>,
    /// Their kind of topic; `None` is both.
    pub topic: Option<TopicKind>,
    /// Number of texts.
    pub texts: usize,
    /// Texts in which people find an error.
    pub inconsistent: usize,
    /// 1 - (FPR + FNR) / 2; `None` without texts of both labels.
    pub balanced_accuracy: Option<Estimate>,
    /// The share of consistent texts that are called inconsistent.
    pub false_positive_rate: Option<Estimate>,
    /// The share of inconsistent texts that are called consistent.
    pub false_negative_rate: Option<Estimate>,
    /// The difference from the other scores, if given.
    pub difference: Option<Difference>,
}

/// Balanced accuracy less that of the other scores, by a paired bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// The difference with its interval.
    pub difference: Estimate,
    /// The two-sided p value.
    pub p_value: f64,
}

/// Sentences with one type of error and no other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorType {
    /// Its name.
    pub error: String,
    /// The kind of topic of the sentences; `None` is both.
    pub topic: Option<TopicKind>,
    /// Number of sentences.
    pub sentences: usize,
    /// The share that is called inconsistent.
    pub recall: Option<Estimate>,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64], of: &TofuEval) -> Result<Figures, BenchError> {
    if let Some(against) = &of.against {
        check_scores(cases, &against.scores)?;
    }
    let mut warnings = Vec::new();
    let run = Run { cases, of, measured: measured(cases, of.threshold.is_some(), &mut warnings)? };
    let levels =
        TextLevel::ALL.into_iter().filter(|level| cases.iter().any(|case| case.keys.level == *level));
    let levels = levels.map(|level| run.level(level, scores)).collect::<Result<_, _>>()?;
    let untyped = |case: &&Case<Keys>| {
        let keys = &case.keys;
        keys.level == TextLevel::Sentence && !keys.consistent && keys.errors.is_empty()
    };
    match cases.iter().filter(untyped).count() {
        0 => {}
        count => warnings.push(format!("{count} inconsistent sentences have no type of error")),
    }
    Ok(Figures {
        scope: of.threshold.is_none().then_some(of.scope),
        against: of.against.as_ref().map(|against| against.name.clone()),
        levels,
        error_rates: run.error_rates(),
        warnings,
    })
}

/// The part that is measured.
fn measured(cases: &[Case<Keys>], is_given: bool, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
    let has = |split| cases.iter().any(|case| case.keys.split == split);
    match (has(Split::Test), is_given) {
        (true, _) => Ok(Split::Test),
        (false, true) => {
            warnings.push("there are no test rows: these figures are of dev".into());
            Ok(Split::Val)
        }
        (false, false) => {
            Err(BenchError::Data("has no test rows to measure: give the files *_test.csv too".into()))
        }
    }
}

/// The corpus and the kind of topic that a threshold or a cell is for.
pub(super) type Part = (Option<Dataset>, Option<TopicKind>);

/// The protocol applied to a run.
pub(super) struct Run<'c> {
    pub(super) cases: &'c [Case<Keys>],
    pub(super) of: &'c TofuEval,
    pub(super) measured: Split,
}

impl Run<'_> {
    fn level(&self, level: TextLevel, scores: &[f64]) -> Result<LevelFigures, BenchError> {
        let thresholds = self.thresholds(level, scores)?;
        let calls = self.calls(&thresholds, scores);
        let against = match &self.of.against {
            Some(against) => {
                let thresholds = self
                    .thresholds(level, &against.scores)
                    .map_err(|error| BenchError::Data(format!("{}: {error}", against.name)))?;
                Some(self.calls(&thresholds, &against.scores))
            }
            None => None,
        };
        let tuned = |((dataset, topic), (threshold, dev)): (&Part, &(f64, usize))| TunedThreshold {
            dataset: *dataset,
            topic: *topic,
            threshold: *threshold,
            dev: *dev,
        };
        let is_sentences = level == TextLevel::Sentence;
        let cells = self.parts(level).map(|part| self.cell(level, part, &calls, against.as_deref()));
        Ok(LevelFigures {
            level,
            thresholds: thresholds.iter().map(tuned).collect(),
            cells: cells.collect(),
            summaries: if is_sentences {
                self.summaries_by_sentences(&calls, against.as_deref())
            } else {
                Vec::new()
            },
            errors: if is_sentences { self.errors(&calls) } else { Vec::new() },
        })
    }

    fn error_rates(&self) -> Vec<ErrorRate> {
        let parts = TextLevel::ALL.into_iter().flat_map(|level| {
            let topics = move |dataset| TopicKind::ALL.map(|topic| (level, dataset, topic));
            Dataset::ALL.into_iter().flat_map(topics)
        });
        let rate = |(level, dataset, topic): (TextLevel, Dataset, TopicKind)| {
            let of = |split| self.rows(level, split, (Some(dataset), Some(topic)));
            let rows: Vec<usize> = [Split::Val, Split::Test].into_iter().flat_map(of).collect();
            let inconsistent = rows.iter().filter(|row| !self.cases[**row].keys.consistent).count();
            ErrorRate { level, dataset, topic, texts: rows.len(), inconsistent }
        };
        parts.map(rate).filter(|rate| rate.texts > 0).collect()
    }

    /// Each corpus with rows by kind of topic and as a whole; then both together, if both have rows.
    pub(super) fn parts(&self, level: TextLevel) -> impl Iterator<Item = Part> {
        let datasets = Dataset::ALL.map(Some).into_iter().chain([None]);
        let topics = || TopicKind::ALL.map(Some).into_iter().chain([None]);
        let parts = datasets.flat_map(move |dataset| topics().map(move |topic| (dataset, topic)));
        let has = |dataset| !self.rows(level, self.measured, (Some(dataset), None)).is_empty();
        let is_both = Dataset::ALL.into_iter().all(has);
        parts.filter(move |part| {
            let is_there = !self.rows(level, self.measured, *part).is_empty();
            is_there && (part.0.is_some() || is_both)
        })
    }

    pub(super) fn rows(&self, level: TextLevel, split: Split, (dataset, topic): Part) -> Vec<usize> {
        let is_in = |row: &usize| {
            let keys = &self.cases[*row].keys;
            keys.level == level
                && keys.split == split
                && dataset.is_none_or(|dataset| keys.dataset == dataset)
                && topic.is_none_or(|topic| keys.topic == topic)
        };
        (0..self.cases.len()).filter(is_in).collect()
    }

    /// The scope of a text's threshold.
    fn scope(&self, keys: &Keys) -> Part {
        match (self.of.threshold, self.of.scope) {
            (Some(_), _) | (None, Scope::All) => (None, None),
            (None, Scope::Dataset) => (Some(keys.dataset), None),
            (None, Scope::Topic) => (Some(keys.dataset), Some(keys.topic)),
        }
    }

    /// The threshold of every scope with texts to measure, and the dev rows that tuned it.
    fn thresholds(
        &self,
        level: TextLevel,
        scores: &[f64],
    ) -> Result<BTreeMap<Part, (f64, usize)>, BenchError> {
        let rows = self.rows(level, self.measured, (None, None));
        let scopes: BTreeSet<Part> = rows.iter().map(|row| self.scope(&self.cases[*row].keys)).collect();
        scopes.into_iter().map(|scope| Ok((scope, self.threshold(level, scope, scores)?))).collect()
    }

    fn threshold(&self, level: TextLevel, scope: Part, scores: &[f64]) -> Result<(f64, usize), BenchError> {
        if let Some(threshold) = self.of.threshold {
            return Ok((threshold, 0));
        }
        let rows = self.rows(level, Split::Val, scope);
        let scored = |row: &usize| (scores[*row], self.cases[*row].keys.consistent);
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().map(scored).unzip();
        let refusal = || {
            let scope = [scope.0.map(Dataset::name), scope.1.map(TopicKind::name)];
            let scope: String = scope.iter().flatten().map(|name| format!("{name} ")).collect();
            BenchError::Data(format!(
                "{scope}{}: dev rows of both labels are needed to tune a threshold, there are {}: give the files \
                 *_dev.csv, a wider `scope`, or a threshold in `decide_at`",
                level.name(),
                rows.len()
            ))
        };
        best_threshold(&scores, &labels).map(|threshold| (threshold, rows.len())).ok_or_else(refusal)
    }

    /// Whether each text is called inconsistent; false for texts without a threshold, which are not measured.
    fn calls(&self, thresholds: &BTreeMap<Part, (f64, usize)>, scores: &[f64]) -> Vec<bool> {
        let call = |(case, score): (&Case<Keys>, &f64)| {
            thresholds.get(&self.scope(&case.keys)).is_some_and(|(threshold, _)| *score <= *threshold)
        };
        self.cases.iter().zip(scores).map(call).collect()
    }

    /// The confusion counts; an inconsistent text is a positive.
    fn counts(&self, rows: &[usize], calls: &[bool]) -> Confusion {
        Confusion::count(rows.iter().map(|&row| (calls[row], !self.cases[row].keys.consistent)))
    }

    pub(super) fn cell(
        &self,
        level: TextLevel,
        part: Part,
        calls: &[bool],
        against: Option<&[bool]>,
    ) -> Cell {
        let rows = self.rows(level, self.measured, part);
        let documents = by_document(self.cases, &rows);
        let estimate = |of: fn(&Confusion) -> Option<f64>| {
            Estimate::on_groups(&documents, |rows| of(&self.counts(rows, calls)))
        };
        Cell {
            dataset: part.0,
            topic: part.1,
            texts: rows.len(),
            inconsistent: rows.iter().filter(|row| !self.cases[**row].keys.consistent).count(),
            balanced_accuracy: estimate(Confusion::balanced_accuracy),
            false_positive_rate: estimate(Confusion::false_positive_rate),
            false_negative_rate: estimate(Confusion::false_negative_rate),
            difference: against.and_then(|against| self.difference(&documents, calls, against)),
        }
    }

    fn difference(&self, documents: &[Vec<usize>], calls: &[bool], against: &[bool]) -> Option<Difference> {
        let accuracy = |sample: &[usize], calls: &[bool]| {
            self.counts(&drawn(documents, sample), calls).balanced_accuracy()
        };
        let of = |sample: &[usize]| accuracy(sample, calls);
        let of_other = |sample: &[usize]| accuracy(sample, against);
        let found = paired_bootstrap(documents.len(), RESAMPLES, 0, LEVEL, of, of_other).ok()?;
        Some(Difference { difference: found.into(), p_value: found.p_value })
    }

    fn errors(&self, calls: &[bool]) -> Vec<ErrorType> {
        let typed =
            self.rows(TextLevel::Sentence, self.measured, (None, None)).into_iter().filter_map(|row| {
                let keys = &self.cases[row].keys;
                match keys.errors.as_slice() {
                    [error] if !keys.consistent => Some((error.as_str(), row)),
                    _ => None,
                }
            });
        let mut errors: Vec<(&str, Vec<usize>)> = by_name(typed).into_iter().collect();
        errors.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
        let topics = || [None].into_iter().chain(TopicKind::ALL.map(Some));
        let of_error = |(error, rows): &(&str, Vec<usize>)| {
            topics().map(|topic| self.error(error, topic, rows, calls)).collect::<Vec<_>>()
        };
        errors.iter().flat_map(of_error).collect()
    }

    fn error(&self, error: &str, topic: Option<TopicKind>, rows: &[usize], calls: &[bool]) -> ErrorType {
        let is_in = |row: &usize| topic.is_none_or(|topic| self.cases[*row].keys.topic == topic);
        let rows: Vec<usize> = rows.iter().copied().filter(is_in).collect();
        let documents = by_document(self.cases, &rows);
        ErrorType {
            error: error.to_owned(),
            topic,
            sentences: rows.len(),
            recall: Estimate::on_groups(&documents, |rows| self.counts(rows, calls).recall()),
        }
    }
}
