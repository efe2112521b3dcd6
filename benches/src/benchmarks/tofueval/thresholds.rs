//! The threshold that decides a text: a given one, or the one that the dev rows of its scope tune for its level.

use std::collections::{BTreeMap, BTreeSet};

use clap::ValueEnum;
use veridic::named;
use veridic_stats::best_threshold;

use super::label::{Label, Part};
use crate::protocol::{BenchError, Case, Figures, Split, TextLevel, figures};

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

/// How texts are decided.
#[derive(Clone, Copy)]
pub(super) enum DecidedBy {
    /// A given threshold.
    Given(f64),
    /// Those that the dev rows of each scope tune.
    Dev(Scope),
}

pub(super) struct Thresholds {
    by: DecidedBy,
    of: BTreeMap<Part, Tuned>,
}

struct Tuned {
    threshold: f64,
    /// The number of dev rows that tuned it.
    dev: usize,
}

impl DecidedBy {
    /// Returns the scope of a text's threshold.
    fn scope(self, label: &Label) -> Part {
        let (dataset, topic) = (Some(label.dataset), Some(label.topic));
        match self {
            Self::Given(_) | Self::Dev(Scope::All) => Part::WHOLE,
            Self::Dev(Scope::Dataset) => Part { dataset, topic: None },
            Self::Dev(Scope::Topic) => Part { dataset, topic },
        }
    }

    fn tuned(
        self,
        cases: &[Case<Label>],
        scores: &[f64],
        level: TextLevel,
        scope: Part,
    ) -> Result<Tuned, BenchError> {
        if let Self::Given(threshold) = self {
            return Ok(Tuned { threshold, dev: 0 });
        }
        let rows = scope.rows(cases, level, Split::Val);
        let scored = |row: &usize| (scores[*row], cases[*row].is_consistent);
        let (scores, labels): (Vec<f64>, Vec<bool>) = rows.iter().map(scored).unzip();
        let refusal = || {
            let names = [scope.dataset, scope.topic];
            let scope: String = names.iter().flatten().map(|name| format!("{name} ")).collect();
            BenchError::Data(format!(
                "{scope}{}: dev rows of both labels are needed to tune a threshold, there are {}: give the files \
                 *_dev.csv, a wider `scope`, or a threshold in --decide-at",
                level.name(),
                rows.len()
            ))
        };
        let threshold = best_threshold(&scores, &labels).ok_or_else(refusal)?;
        Ok(Tuned { threshold, dev: rows.len() })
    }
}

impl Thresholds {
    /// Tunes the thresholds of a level for the texts of the split `measured`.
    pub(super) fn of(
        by: DecidedBy,
        cases: &[Case<Label>],
        scores: &[f64],
        level: TextLevel,
        measured: Split,
    ) -> Result<Self, BenchError> {
        let rows = Part::WHOLE.rows(cases, level, measured);
        let scopes: BTreeSet<Part> = rows.iter().map(|row| by.scope(&cases[*row].label)).collect();
        let mut of = BTreeMap::new();
        for scope in scopes {
            of.insert(scope, by.tuned(cases, scores, level, scope)?);
        }
        Ok(Self { by, of })
    }

    /// Whether each text is called inconsistent; false for texts without a threshold, which are not measured.
    pub(super) fn calls(&self, cases: &[Case<Label>], scores: &[f64]) -> Vec<bool> {
        let call = |(case, score): (&Case<Label>, &f64)| {
            self.of.get(&self.by.scope(&case.label)).is_some_and(|tuned| *score <= tuned.threshold)
        };
        cases.iter().zip(scores).map(call).collect()
    }

    pub(super) fn figures(&self) -> Vec<Figures> {
        let tuned = |(part, tuned): (&Part, &Tuned)| {
            figures! {
                "dataset": part.dataset, "topic": part.topic, "threshold": tuned.threshold, "dev": tuned.dev,
            }
        };
        self.of.iter().map(tuned).collect()
    }
}
