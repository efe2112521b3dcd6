//! QAGS' figures: correlations of scores with what people say, for each file and level. The authors' figure is
//! Pearson's with the share of sentences that most people say yes to, of whole summaries; the mean of the votes,
//! which keeps more of what people said, stands before it. Intervals are bootstrapped over rows, each with all its
//! sentences.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, Keys, Level};
use crate::documents::grouped;
use crate::read::{BenchError, check_scores};
use crate::sampled::{Estimate, Sampled};
use veridic_stats::{Correlation, Undefined, kendall, pearson, roc_auc, spearman};

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// A file's sentences and summaries, files by name.
    pub groups: Vec<Group>,
}

/// Texts of one level in one file. A figure is none where all scores, or all people's, are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The file.
    pub group: String,
    /// Sentences or summaries.
    pub level: Level,
    /// How many.
    pub texts: usize,
    /// Pearson's correlation with the mean of the votes.
    pub pearson: Option<Estimate>,
    /// Spearman's.
    pub spearman: Option<Estimate>,
    /// Kendall's tau-b.
    pub kendall: Option<Estimate>,
    /// Pearson's with the majority's share, as the authors have it.
    pub pearson_majority: Option<Estimate>,
    /// Of sentences: how well scores rank those that most people say yes to above the others.
    pub roc_auc: Option<Estimate>,
}

/// Applies the protocol.
pub(super) fn figures(cases: &[Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
    let mut texts: BTreeMap<(&str, Level), Vec<usize>> = BTreeMap::new();
    for (number, case) in cases.iter().enumerate() {
        texts.entry((&case.keys.group, case.keys.level)).or_default().push(number);
    }
    if texts.is_empty() {
        return Err(BenchError::Data("holds no texts to measure".into()));
    }
    let groups = texts.iter().map(|(&(name, level), texts)| {
        let rows = grouped(texts.iter().map(|&text| (cases[text].row, text)));
        Run { cases, scores, rows }.group(name, level, texts.len())
    });
    Ok(Figures { groups: groups.collect() })
}

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, Undefined>;

/// The protocol at work on the texts of one file and level.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    /// The texts of each row.
    rows: Vec<Vec<usize>>,
}

impl Run<'_> {
    fn group(&self, name: &str, level: Level, texts: usize) -> Group {
        Group {
            group: name.to_owned(),
            level,
            texts,
            pearson: self.correlation(pearson, |keys| keys.votes),
            spearman: self.correlation(spearman, |keys| keys.votes),
            kendall: self.correlation(kendall, |keys| keys.votes),
            pearson_majority: self.correlation(pearson, |keys| keys.majority),
            roc_auc: if level == Level::Sentence { self.ranking() } else { None },
        }
    }

    fn correlation(&self, correlate: Correlate, human: fn(&Keys) -> f64) -> Option<Estimate> {
        self.estimate(|scores, texts| {
            let human: Vec<f64> = texts.iter().map(|text| human(&self.cases[*text].keys)).collect();
            correlate(scores, &human).ok().map(|found| found.coefficient)
        })
    }

    fn ranking(&self) -> Option<Estimate> {
        self.estimate(|scores, texts| {
            let labels: Vec<bool> = texts.iter().map(|text| self.cases[*text].keys.majority > 0.5).collect();
            roc_auc(scores, &labels)
        })
    }

    /// A statistic of scores and their texts.
    fn estimate(&self, statistic: impl Fn(&[f64], &[usize]) -> Option<f64>) -> Option<Estimate> {
        let of_sample = |texts: &[usize]| {
            let scores: Vec<f64> = texts.iter().map(|text| self.scores[*text]).collect();
            statistic(&scores, texts)
        };
        Sampled::on_groups(&self.rows, 0, of_sample).map(|figure| figure.estimate())
    }
}
