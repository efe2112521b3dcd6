//! TofuEval's figures (section 5 and appendix E), for sentences and summaries separately: balanced accuracy, and how often a
//! consistent text is called inconsistent (FPR) and an inconsistent one consistent (FNR). A text is called consistent if its
//! score is above the threshold that the dev rows of its scope tune for its level. Recall of an error type is the share
//! called inconsistent among sentences with only that error. Summaries are also judged by their sentences, as the paper does
//! for language models: a summary is called consistent if all its sentences are. Intervals are bootstrapped over dialogues
//! with fixed thresholds, as are differences from other scores, which have their own thresholds.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;

use super::TofuEval;
use super::names::{DATASETS, TOPICS};
use crate::benchmark::{Case, Label};
use crate::documents::{by_document, by_name, drawn, grouped};
use crate::estimate::{Estimate, LEVEL, RESAMPLES};
use crate::figures::{Figures, figures};
use crate::read::{BenchError, check_scores};
use crate::split::Split;
use crate::text_level::TextLevel;
use veridic::named;
use veridic_stats::{Confusion, best_threshold, paired_bootstrap};

/// Which dev rows tune a threshold together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
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
    /// One score per case.
    pub scores: Vec<f64>,
}

/// The corpus and the kind of topic that a threshold or a cell is for; `None` is both.
type Part = (Option<&'static str>, Option<&'static str>);

/// A threshold for each scope, with the number of dev rows that tuned it.
type Thresholds = BTreeMap<Part, (f64, usize)>;

/// The protocol applied to a run.
struct Run<'c> {
    cases: &'c [Case],
    of: &'c TofuEval,
    /// The part that is measured.
    measured: Split,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case], scores: &[f64], of: &TofuEval) -> Result<Figures, BenchError> {
    if let Some(against) = &of.against {
        check_scores(cases, &against.scores)?;
    }
    let mut warnings = Vec::new();
    let run = Run { cases, of, measured: measured(cases, of.threshold.is_some(), &mut warnings)? };
    let levels =
        TextLevel::ALL.into_iter().filter(|level| cases.iter().any(|case| case.label.level == *level));
    let levels = levels.map(|level| run.level(level, scores)).collect::<Result<Vec<Figures>, _>>()?;
    let untyped = |case: &&Case| {
        let keys = &case.label;
        keys.level == TextLevel::Sentence && !keys.consistent && keys.errors.is_empty()
    };
    match cases.iter().filter(untyped).count() {
        0 => {}
        count => warnings.push(format!("{count} inconsistent sentences have no type of error")),
    }
    Ok(figures! {
        "scope": of.threshold.is_none().then_some(of.scope.name()),
        "against": of.against.as_ref().map(|against| against.name.clone()),
        "levels": levels,
        "error_rates": run.error_rates(),
        "warnings": warnings,
    })
}

/// The part that is measured.
fn measured(cases: &[Case], is_given: bool, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
    match (cases.iter().any(|case| case.label.split == Some(Split::Test)), is_given) {
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

impl Run<'_> {
    fn level(&self, level: TextLevel, scores: &[f64]) -> Result<Figures, BenchError> {
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
        let tuned = |((dataset, topic), (threshold, dev)): (&Part, &(f64, usize))| {
            figures! { "dataset": *dataset, "topic": *topic, "threshold": *threshold, "dev": *dev }
        };
        let (summaries, errors) = match level {
            TextLevel::Sentence => {
                (self.summaries_by_sentences(&calls, against.as_deref()), self.errors(&calls))
            }
            TextLevel::Summary => (Vec::new(), Vec::new()),
        };
        Ok(figures! {
            "level": level.name(),
            "thresholds": thresholds.iter().map(tuned).collect::<Vec<_>>(),
            "cells": self.cells(level, &calls, against.as_deref()),
            "summaries": Figures::unless_empty(summaries),
            "errors": errors,
        })
    }

    /// Returns the number of texts with human-labelled errors, dev and test together, by level, corpus and kind of topic.
    fn error_rates(&self) -> Vec<Figures> {
        let mut rates = Vec::new();
        for level in TextLevel::ALL {
            for (dataset, topic) in self.all_parts().filter(|part| part.0.is_some() && part.1.is_some()) {
                let of = |split| self.rows(level, split, (dataset, topic));
                let rows = [of(Split::Val), of(Split::Test)].concat();
                if !rows.is_empty() {
                    rates.push(figures! {
                        "level": level.name(),
                        "dataset": dataset,
                        "topic": topic,
                        "texts": rows.len(),
                        "inconsistent": self.inconsistent(&rows),
                    });
                }
            }
        }
        rates
    }

    /// Each corpus by kind of topic and as a whole, then both together.
    fn all_parts(&self) -> impl Iterator<Item = Part> {
        let datasets = DATASETS.map(|(name, _)| Some(name)).into_iter().chain([None]);
        datasets
            .flat_map(|dataset| TOPICS.map(Some).into_iter().chain([None]).map(move |topic| (dataset, topic)))
    }

    /// The parts with rows; both corpora together only if both have some.
    fn cells(&self, level: TextLevel, calls: &[bool], against: Option<&[bool]>) -> Vec<Figures> {
        let has = |part| !self.rows(level, self.measured, part).is_empty();
        let is_both = DATASETS.iter().all(|(dataset, _)| has((Some(*dataset), None)));
        let parts = self.all_parts().filter(|part| has(*part) && (part.0.is_some() || is_both));
        parts.map(|part| self.cell(level, part, calls, against)).collect()
    }

    fn rows(&self, level: TextLevel, split: Split, (dataset, topic): Part) -> Vec<usize> {
        let is_in = |row: &usize| {
            let keys = &self.cases[*row].label;
            keys.level == level
                && keys.split == Some(split)
                && dataset.is_none_or(|dataset| keys.corpus == dataset)
                && topic.is_none_or(|topic| keys.kind == topic)
        };
        (0..self.cases.len()).filter(is_in).collect()
    }

    fn inconsistent(&self, rows: &[usize]) -> usize {
        rows.iter().filter(|row| !self.cases[**row].label.consistent).count()
    }

    /// The scope of a text's threshold.
    fn scope(&self, keys: &Label) -> Part {
        let dataset = DATASETS.into_iter().map(|(name, _)| name).find(|name| *name == keys.corpus);
        let topic = TOPICS.into_iter().find(|name| *name == keys.kind);
        match (self.of.threshold, self.of.scope) {
            (Some(_), _) | (None, Scope::All) => (None, None),
            (None, Scope::Dataset) => (dataset, None),
            (None, Scope::Topic) => (dataset, topic),
        }
    }

    /// The threshold of every scope with texts to measure.
    fn thresholds(&self, level: TextLevel, scores: &[f64]) -> Result<Thresholds, BenchError> {
        let rows = self.rows(level, self.measured, (None, None));
        let scopes: BTreeSet<Part> = rows.iter().map(|row| self.scope(&self.cases[*row].label)).collect();
        scopes.into_iter().map(|scope| Ok((scope, self.threshold(level, scope, scores)?))).collect()
    }

    fn threshold(&self, level: TextLevel, scope: Part, scores: &[f64]) -> Result<(f64, usize), BenchError> {
        if let Some(threshold) = self.of.threshold {
            return Ok((threshold, 0));
        }
        let rows = self.rows(level, Split::Val, scope);
        let scored = |row: &usize| (scores[*row], self.cases[*row].label.consistent);
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().map(scored).unzip();
        let refusal = || {
            let scope: String = [scope.0, scope.1].iter().flatten().map(|name| format!("{name} ")).collect();
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
    fn calls(&self, thresholds: &Thresholds, scores: &[f64]) -> Vec<bool> {
        let call = |(case, score): (&Case, &f64)| {
            thresholds.get(&self.scope(&case.label)).is_some_and(|(threshold, _)| *score <= *threshold)
        };
        self.cases.iter().zip(scores).map(call).collect()
    }

    /// The confusion counts; an inconsistent text is a positive.
    fn counts(&self, rows: &[usize], calls: &[bool]) -> Confusion {
        Confusion::count(rows.iter().map(|&row| (calls[row], !self.cases[row].label.consistent)))
    }

    fn cell(&self, level: TextLevel, part: Part, calls: &[bool], against: Option<&[bool]>) -> Figures {
        let rows = self.rows(level, self.measured, part);
        let documents = by_document(self.cases, &rows);
        let estimate = |of: fn(&Confusion) -> Option<f64>| {
            Estimate::on_groups(&documents, |rows| of(&self.counts(rows, calls)))
        };
        figures! {
            "dataset": part.0,
            "topic": part.1,
            "texts": rows.len(),
            "inconsistent": self.inconsistent(&rows),
            "balanced_accuracy": estimate(Confusion::balanced_accuracy),
            "false_positive_rate": estimate(Confusion::false_positive_rate),
            "false_negative_rate": estimate(Confusion::false_negative_rate),
            "difference": against.and_then(|against| self.difference(&documents, calls, against)),
        }
    }

    /// Returns the difference in balanced accuracy from the other scores, by a paired bootstrap.
    fn difference(&self, documents: &[Vec<usize>], calls: &[bool], against: &[bool]) -> Option<Figures> {
        let accuracy = |sample: &[usize], calls: &[bool]| {
            self.counts(&drawn(documents, sample), calls).balanced_accuracy()
        };
        let of = |sample: &[usize]| accuracy(sample, calls);
        let of_other = |sample: &[usize]| accuracy(sample, against);
        let found = paired_bootstrap(documents.len(), RESAMPLES, 0, LEVEL, of, of_other).ok()?;
        Some(figures! { "difference": Estimate::from(found), "p_value": found.p_value })
    }

    /// The types of error in sentences, the most frequent first.
    fn errors(&self, calls: &[bool]) -> Vec<Figures> {
        let typed = |row: usize| match self.cases[row].label.errors.as_slice() {
            [error] if !self.cases[row].label.consistent => Some((error.as_str(), row)),
            _ => None,
        };
        let sentences = self.rows(TextLevel::Sentence, self.measured, (None, None));
        let mut errors: Vec<(&str, Vec<usize>)> =
            by_name(sentences.into_iter().filter_map(typed)).into_iter().collect();
        errors.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
        let topics = || [None].into_iter().chain(TOPICS.map(Some));
        let of_error = |(error, rows): &(&str, Vec<usize>)| {
            topics().map(|topic| self.error(error, topic, rows, calls)).collect::<Vec<_>>()
        };
        errors.iter().flat_map(of_error).collect()
    }

    fn error(&self, error: &str, topic: Option<&str>, rows: &[usize], calls: &[bool]) -> Figures {
        let is_in = |row: &usize| topic.is_none_or(|topic| self.cases[*row].label.kind == topic);
        let rows: Vec<usize> = rows.iter().copied().filter(is_in).collect();
        let documents = by_document(self.cases, &rows);
        figures! {
            "error": error,
            "topic": topic,
            "sentences": rows.len(),
            "recall": Estimate::on_groups(&documents, |rows| self.counts(rows, calls).recall()),
        }
    }

    /// Returns the cells of summaries, from the calls of their sentences, and by other scores. Summaries with missing
    /// sentences are not measured.
    fn summaries_by_sentences(&self, calls: &[bool], against: Option<&[bool]>) -> Vec<Figures> {
        let sentences = self.rows(TextLevel::Sentence, self.measured, (None, None));
        let summaries = grouped(sentences.into_iter().map(|row| (self.cases[row].label.summary.0, row)));
        let is_whole = |rows: &Vec<usize>| rows.len() == self.cases[rows[0]].label.summary.1;
        let summaries: Vec<Vec<usize>> = summaries.into_iter().filter(is_whole).collect();
        let cases: Vec<Case> = summaries.iter().map(|rows| self.summary_of(rows)).collect();
        // An inconsistent sentence makes the summary inconsistent.
        let of = |calls: &[bool]| -> Vec<bool> {
            summaries.iter().map(|rows| rows.iter().any(|row| calls[*row])).collect()
        };
        let (calls, against) = (of(calls), against.map(of));
        let run = Run { cases: &cases, of: self.of, measured: self.measured };
        run.cells(TextLevel::Summary, &calls, against.as_deref())
    }

    /// The sentences of these rows as one text.
    fn summary_of(&self, rows: &[usize]) -> Case {
        let mut case = self.cases[rows[0]].clone();
        case.label.level = TextLevel::Summary;
        case.label.consistent = rows.iter().all(|row| self.cases[*row].label.consistent);
        case
    }
}
