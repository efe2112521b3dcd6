//! QAGS' figures: correlations of scores with people's votes, for each file and level. The authors' figure is Pearson's
//! correlation with the share of sentences that have a majority of yes, for whole summaries. The correlations with the
//! mean of the votes, which is finer, come before it. Intervals are bootstrapped over rows, each with all its sentences.

use serde::Serialize;

use super::{Case, Keys};
use crate::documents::{by_name, grouped};
use crate::estimate::Estimate;
use crate::rated::Correlate;
use crate::read::BenchError;
use crate::text_level::TextLevel;
use veridic_stats::{kendall, pearson, roc_auc, spearman};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The sentences and the summaries of each file, files by name.
    pub groups: Vec<Group>,
}

/// Texts of one level in one file. A figure is `None` where all scores or all ratings are equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The file's name.
    pub group: String,
    /// Sentences or summaries.
    pub level: TextLevel,
    /// Number of texts.
    pub texts: usize,
    /// Pearson's correlation with the mean of the votes.
    pub pearson: Option<Estimate>,
    /// Spearman's correlation with the mean of the votes.
    pub spearman: Option<Estimate>,
    /// Kendall's tau-b with the mean of the votes.
    pub kendall: Option<Estimate>,
    /// Pearson's correlation with the share of majorities of yes, the authors' figure.
    pub pearson_majority: Option<Estimate>,
    /// For sentences: how well scores rank those with a majority of yes above the others.
    pub roc_auc: Option<Estimate>,
}

/// Applies the protocol.
pub(super) fn figures<'c>(cases: &'c [Case<Keys>], scores: &[f64]) -> Result<Figures, BenchError> {
    let key = |case: &'c Case<Keys>| (case.keys.group.as_str(), case.keys.level);
    let texts = by_name(cases.iter().map(key).zip(0..));
    if texts.is_empty() {
        return Err(BenchError::Data("holds no texts to measure".into()));
    }
    let groups = texts.iter().map(|(&(name, level), texts)| {
        let rows = grouped(texts.iter().map(|&text| (cases[text].row, text)));
        Run { cases, scores, rows }.group(name, level, texts.len())
    });
    Ok(Figures { groups: groups.collect() })
}

/// The protocol applied to the texts of one file and level.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    /// The texts of each row.
    rows: Vec<Vec<usize>>,
}

impl Run<'_> {
    fn group(&self, name: &str, level: TextLevel, texts: usize) -> Group {
        Group {
            group: name.to_owned(),
            level,
            texts,
            pearson: self.correlation(pearson, |keys| keys.votes),
            spearman: self.correlation(spearman, |keys| keys.votes),
            kendall: self.correlation(kendall, |keys| keys.votes),
            pearson_majority: self.correlation(pearson, |keys| keys.majority),
            roc_auc: if level == TextLevel::Sentence { self.ranking() } else { None },
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
        Estimate::on_groups(&self.rows, of_sample)
    }
}
