//! TofuEval's figures (section 5 and appendix E), for sentences and summaries separately: balanced accuracy, and how often a
//! consistent text is called inconsistent (FPR) and an inconsistent one consistent (FNR). A text is called consistent if its
//! score is above the threshold that the dev rows of its scope tune for its level. Recall of an error type is the share
//! called inconsistent among sentences with only that error. Summaries are also judged by their sentences, as the paper does
//! for language models: a summary is called consistent if all its sentences are. Intervals are bootstrapped over dialogues
//! with fixed thresholds, as are differences from other scores, which have their own thresholds.

use veridic_stats::{Confusion, paired_bootstrap};

use super::label::{Label, Part};
use super::names::{DATASETS, TOPICS};
use super::thresholds::{DecidedBy, Thresholds};
use crate::protocol::{
    BenchError, Case, Estimate, Figures, LEVEL, RESAMPLES, Split, TextLevel, by_document, by_name,
    check_scores, drawn, figures, grouped,
};

/// Other scores of the same texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    pub name: String,
    pub scores: Vec<f64>,
}

struct Run<'c> {
    cases: &'c [Case<Label>],
    split: Split,
}

/// Whether each text is called inconsistent, by the measured scores and by others.
struct Calls {
    own: Vec<bool>,
    others: Option<Vec<bool>>,
}

pub(super) fn figures(
    cases: &[Case<Label>],
    scores: &[f64],
    by: DecidedBy,
    against: Option<&Against>,
) -> Result<Figures, BenchError> {
    if let Some(against) = against {
        check_scores(cases, &against.scores)?;
    }
    let mut warnings = Vec::new();
    let run = Run { cases, split: measured(cases, by, &mut warnings)? };
    let mut levels = Vec::new();
    for level in TextLevel::ALL.into_iter().filter(|level| cases.iter().any(|case| case.level == *level)) {
        levels.push(run.level(level, scores, by, against)?);
    }
    let is_untyped = |case: &&Case<Label>| {
        case.level == TextLevel::Sentence && !case.is_consistent && case.label.errors.is_empty()
    };
    let untyped = cases.iter().filter(is_untyped).count();
    if untyped > 0 {
        warnings.push(format!("{untyped} inconsistent sentences have no type of error"));
    }
    let scope = if let DecidedBy::Dev(scope) = by { Some(scope.name()) } else { None };
    Ok(figures! {
        "scope": scope,
        "against": against.map(|against| against.name.clone()),
        "levels": levels,
        "error_rates": run.error_rates(),
        "warnings": warnings,
    })
}

fn measured(cases: &[Case<Label>], by: DecidedBy, warnings: &mut Vec<String>) -> Result<Split, BenchError> {
    if cases.iter().any(|case| case.label.split == Split::Test) {
        return Ok(Split::Test);
    }
    if let DecidedBy::Dev(_) = by {
        let reason = "has no test rows to measure: give the files *_test.csv too";
        return Err(BenchError::Data(reason.into()));
    }
    warnings.push("there are no test rows: these figures are of dev".into());
    Ok(Split::Val)
}

impl Run<'_> {
    fn level(
        &self,
        level: TextLevel,
        scores: &[f64],
        by: DecidedBy,
        against: Option<&Against>,
    ) -> Result<Figures, BenchError> {
        let thresholds = Thresholds::of(by, self.cases, scores, level, self.split)?;
        let mut calls = Calls { own: thresholds.calls(self.cases, scores), others: None };
        if let Some(Against { name, scores }) = against {
            let thresholds = Thresholds::of(by, self.cases, scores, level, self.split)
                .map_err(|error| BenchError::Data(format!("{name}: {error}")))?;
            calls.others = Some(thresholds.calls(self.cases, scores));
        }
        let (summaries, errors) = match level {
            TextLevel::Sentence => (self.summaries_by_sentences(&calls), self.errors(&calls.own)),
            TextLevel::Summary => (Vec::new(), Vec::new()),
        };
        Ok(figures! {
            "level": level.name(),
            "thresholds": thresholds.figures(),
            "cells": self.cells(level, &calls),
            "summaries": Figures::unless_empty(summaries),
            "errors": errors,
        })
    }

    /// Returns the number of texts with human-labelled errors, dev and test together, by level, corpus and kind of topic.
    fn error_rates(&self) -> Vec<Figures> {
        let mut rates = Vec::new();
        for level in TextLevel::ALL {
            for part in Part::all().filter(|part| part.dataset.is_some() && part.topic.is_some()) {
                let rows =
                    [Split::Val, Split::Test].map(|split| part.rows(self.cases, level, split)).concat();
                if !rows.is_empty() {
                    rates.push(figures! {
                        "level": level.name(),
                        "dataset": part.dataset,
                        "topic": part.topic,
                        "texts": rows.len(),
                        "inconsistent": self.inconsistent(&rows),
                    });
                }
            }
        }
        rates
    }

    /// The parts with rows; both corpora together only if both have some.
    fn cells(&self, level: TextLevel, calls: &Calls) -> Vec<Figures> {
        let has_rows = |part: Part| !self.rows(level, part).is_empty();
        let is_both =
            DATASETS.iter().all(|(dataset, _)| has_rows(Part { dataset: Some(*dataset), topic: None }));
        let parts = Part::all().filter(|part| has_rows(*part) && (part.dataset.is_some() || is_both));
        parts.map(|part| self.cell(level, part, calls)).collect()
    }

    fn rows(&self, level: TextLevel, part: Part) -> Vec<usize> {
        part.rows(self.cases, level, self.split)
    }

    fn inconsistent(&self, rows: &[usize]) -> usize {
        rows.iter().filter(|row| !self.cases[**row].is_consistent).count()
    }

    /// The confusion counts; an inconsistent text is a positive.
    fn counts(&self, rows: &[usize], calls: &[bool]) -> Confusion {
        Confusion::count(rows.iter().map(|&row| (calls[row], !self.cases[row].is_consistent)))
    }

    fn cell(&self, level: TextLevel, part: Part, calls: &Calls) -> Figures {
        let rows = self.rows(level, part);
        let documents = by_document(self.cases, &rows);
        let estimate = |of: fn(&Confusion) -> Option<f64>| {
            Estimate::on_groups(&documents, |rows| of(&self.counts(rows, &calls.own)))
        };
        figures! {
            "dataset": part.dataset,
            "topic": part.topic,
            "texts": rows.len(),
            "inconsistent": self.inconsistent(&rows),
            "balanced_accuracy": estimate(Confusion::balanced_accuracy),
            "false_positive_rate": estimate(Confusion::false_positive_rate),
            "false_negative_rate": estimate(Confusion::false_negative_rate),
            "difference": self.difference(&documents, calls),
        }
    }

    /// Returns the difference in balanced accuracy from the other scores, by a paired bootstrap.
    fn difference(&self, documents: &[Vec<usize>], calls: &Calls) -> Option<Figures> {
        let others = calls.others.as_ref()?;
        let accuracy = |sample: &[usize], calls: &[bool]| {
            self.counts(&drawn(documents, sample), calls).balanced_accuracy()
        };
        let of = |sample: &[usize]| accuracy(sample, &calls.own);
        let of_others = |sample: &[usize]| accuracy(sample, others);
        let found = paired_bootstrap(documents.len(), RESAMPLES, 0, LEVEL, of, of_others).ok()?;
        Some(figures! { "difference": Estimate::from(found), "p_value": found.p_value })
    }

    /// The types of error in sentences, the most frequent first.
    fn errors(&self, calls: &[bool]) -> Vec<Figures> {
        let typed = |row: usize| match self.cases[row].label.errors.as_slice() {
            [error] if !self.cases[row].is_consistent => Some((error.as_str(), row)),
            _ => None,
        };
        let sentences = self.rows(TextLevel::Sentence, Part::WHOLE);
        let mut errors: Vec<(&str, Vec<usize>)> =
            by_name(sentences.into_iter().filter_map(typed)).into_iter().collect();
        errors.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
        let mut found = Vec::new();
        for (error, rows) in errors {
            for topic in [None].into_iter().chain(TOPICS.map(Some)) {
                found.push(self.error(error, topic, &rows, calls));
            }
        }
        found
    }

    fn error(&self, error: &str, topic: Option<&str>, rows: &[usize], calls: &[bool]) -> Figures {
        let is_in = |row: &usize| topic.is_none_or(|topic| self.cases[*row].label.topic == topic);
        let rows: Vec<usize> = rows.iter().copied().filter(is_in).collect();
        let documents = by_document(self.cases, &rows);
        figures! {
            "error": error,
            "topic": topic,
            "sentences": rows.len(),
            "recall": Estimate::on_groups(&documents, |rows| self.counts(rows, calls).recall()),
        }
    }

    /// Returns the cells of summaries, from the calls of their sentences. Summaries with missing sentences are not measured.
    fn summaries_by_sentences(&self, calls: &Calls) -> Vec<Figures> {
        let sentences = self.rows(TextLevel::Sentence, Part::WHOLE);
        let mut summaries =
            grouped(sentences.into_iter().map(|row| (self.cases[row].label.summary.number, row)));
        summaries.retain(|rows| rows.len() == self.cases[rows[0]].label.summary.sentences);
        let cases: Vec<Case<Label>> = summaries.iter().map(|rows| self.summary_of(rows)).collect();
        // An inconsistent sentence makes the summary inconsistent.
        let of = |calls: &[bool]| -> Vec<bool> {
            summaries.iter().map(|rows| rows.iter().any(|row| calls[*row])).collect()
        };
        let calls = Calls { own: of(&calls.own), others: calls.others.as_deref().map(of) };
        Run { cases: &cases, split: self.split }.cells(TextLevel::Summary, &calls)
    }

    fn summary_of(&self, rows: &[usize]) -> Case<Label> {
        Case {
            level: TextLevel::Summary,
            is_consistent: rows.iter().all(|row| self.cases[*row].is_consistent),
            ..self.cases[rows[0]].clone()
        }
    }
}
