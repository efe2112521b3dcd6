//! FRANK's figures, on the test part and on all rows: correlations of the scores of summaries with what people say;
//! the same beyond what the system explains, which is the authors' figure: a regression on the system, a categorical
//! variable, leaves of each score and rating what it is beyond the mean of its system, and the remainders are
//! correlated (Spearman's ranks them); Spearman's over the systems' means; and of sentences the balanced accuracy,
//! under a given threshold, or one that the validation part tunes for the test part. Other metrics have the same
//! figures over the summaries that they judge, and Williams' test of the partial correlations of both on these.

use serde::Serialize;

use super::{Case, Keys};
use crate::documents::by_document;
use crate::level::Level;
use crate::rated::Rated;
use crate::read::{BenchError, check_scores};
use crate::sampled::{Estimate, Sampled};
use crate::split::Split;
use veridic_stats::{Confusion, best_threshold, pearson, roc_auc, spearman, williams};

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The test part, if there is one, and all rows.
    pub parts: Vec<Part>,
    /// A sentence is called faithful above it; none without sentences, or without any that tune it.
    pub threshold: Option<f64>,
    /// What a reader of the figures should know.
    pub warnings: Vec<String>,
}

/// The figures of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// `test` or `all`.
    pub part: &'static str,
    /// Of the summaries.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// The other metrics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_metrics: Vec<OtherMetric>,
    /// The sentences, if they are judged.
    pub sentences: Option<Sentences>,
}

/// How scores of summaries follow what people say. A correlation is none where all scores are equal, or no summaries
/// are judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// Summaries.
    pub summaries: usize,
    /// Distinct documents of them.
    pub documents: usize,
    /// Systems that wrote them.
    pub systems: usize,
    /// Pearson's correlation over all summaries.
    pub pearson: Option<Estimate>,
    /// Spearman's.
    pub spearman: Option<Estimate>,
    /// Pearson's beyond what the system explains.
    pub partial_pearson: Option<Estimate>,
    /// Spearman's of the same.
    pub partial_spearman: Option<Estimate>,
    /// Spearman's over the systems, each by the means of its summaries.
    pub system_spearman: Option<Estimate>,
}

/// A metric beside the one that is measured, on the summaries that it judges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherMetric {
    /// As its authors' file calls it.
    pub metric: String,
    /// Its own.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// The p value of Williams' two-sided test: that its partial Pearson correlation and ours differ; none where one of
    /// the two has no correlation.
    pub williams_p: Option<f64>,
}

/// The sentences of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sentences {
    /// How many.
    pub sentences: usize,
    /// Those of them that most people find no error in.
    pub faithful: usize,
    /// From 0 to 1; none where the threshold was tuned on some of them, or all are one or the other.
    pub balanced_accuracy: Option<Estimate>,
    /// How well scores rank faithful sentences above the others.
    pub roc_auc: Option<Estimate>,
}

/// Applies the protocol.
pub(super) fn figures(
    cases: &[Case<Keys>],
    scores: &[f64],
    others: &[String],
    threshold: Option<f64>,
) -> Result<Figures, BenchError> {
    check_scores(cases, scores)?;
    Run { cases, scores, others }.figures(threshold)
}

impl Correlations {
    fn of(rated: &Rated) -> Self {
        Self {
            summaries: rated.summaries(),
            documents: rated.documents(),
            systems: rated.systems(),
            pearson: rated.over_summaries(pearson),
            spearman: rated.over_summaries(spearman),
            partial_pearson: rated.beyond_systems(pearson),
            partial_spearman: rated.beyond_systems(spearman),
            system_spearman: rated.over_systems(spearman),
        }
    }
}

/// Where a threshold for sentences is from.
#[derive(Clone, Copy)]
enum Decide {
    Given(f64),
    Tuned(f64),
    Not,
}

/// The protocol at work.
struct Run<'c> {
    cases: &'c [Case<Keys>],
    scores: &'c [f64],
    /// The names of other metrics.
    others: &'c [String],
}

impl Run<'_> {
    fn figures(&self, threshold: Option<f64>) -> Result<Figures, BenchError> {
        let mut warnings = Vec::new();
        let decide = match threshold {
            Some(threshold) => Decide::Given(threshold),
            None => self.tuned(&mut warnings),
        };
        let mut parts = Vec::new();
        let is_test = |row: usize| self.cases[row].keys.split == Split::Test;
        if (0..self.cases.len()).any(is_test) {
            parts.push(self.part("test", is_test, decide, &mut warnings)?);
        } else {
            warnings.push("there are no test rows: these figures are of all that there are".into());
        }
        parts.push(self.part("all", |_| true, decide, &mut warnings)?);
        let has_sentences = parts.iter().any(|part| part.sentences.is_some());
        let threshold = match decide {
            Decide::Given(threshold) | Decide::Tuned(threshold) if has_sentences => Some(threshold),
            _ => None,
        };
        Ok(Figures { parts, threshold, warnings })
    }

    fn rows(&self, level: Level, of: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.cases.len()).filter(|&row| self.cases[row].keys.level == level && of(row)).collect()
    }

    fn scored(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.scores[row], self.is_faithful(row))).unzip()
    }

    fn is_faithful(&self, row: usize) -> bool {
        self.cases[row].keys.factuality == 1.0
    }

    /// The threshold of the validation part.
    fn tuned(&self, warnings: &mut Vec<String>) -> Decide {
        let (scores, labels) =
            self.scored(&self.rows(Level::Sentence, |row| self.cases[row].keys.split == Split::Val));
        if let Some(threshold) = best_threshold(&scores, &labels) {
            return Decide::Tuned(threshold);
        }
        if self.cases.iter().any(|case| case.keys.level == Level::Sentence) {
            warnings.push(
                "no validation sentences, faithful ones and others, tune a threshold: give one by --decide-at"
                    .into(),
            );
        }
        Decide::Not
    }

    fn part(
        &self,
        part: &'static str,
        of: impl Fn(usize) -> bool,
        decide: Decide,
        warnings: &mut Vec<String>,
    ) -> Result<Part, BenchError> {
        let (summaries, sentences) = (self.rows(Level::Summary, &of), self.rows(Level::Sentence, &of));
        let rated = Rated::new(self.cases, self.scores, &summaries, Self::about);
        if !summaries.is_empty() {
            rated.check(&format!("{part}: the Factuality"))?;
            warnings.extend(rated.warning().map(|warning| format!("{part}: {warning}")));
        }
        Ok(Part {
            part,
            correlations: Correlations::of(&rated),
            other_metrics: self.other_metrics(&summaries),
            sentences: (!sentences.is_empty()).then(|| self.sentences(&sentences, part, decide)),
        })
    }

    fn other_metrics(&self, summaries: &[usize]) -> Vec<OtherMetric> {
        let others = self.others.iter().enumerate().filter(|_| !summaries.is_empty());
        others.map(|(number, metric)| self.other_metric(number, metric, summaries)).collect()
    }

    fn other_metric(&self, number: usize, metric: &str, summaries: &[usize]) -> OtherMetric {
        let said = |keys: &Keys| keys.others.get(number).copied().flatten();
        let mut scores = self.scores.to_vec();
        let judged = |row: &&usize| match said(&self.cases[**row].keys) {
            Some(score) => {
                scores[**row] = score;
                true
            }
            None => false,
        };
        let judged: Vec<usize> = summaries.iter().filter(judged).copied().collect();
        let theirs = Rated::new(self.cases, &scores, &judged, Self::about);
        let ours = Rated::new(self.cases, self.scores, &judged, Self::about);
        let both = Rated::new(self.cases, self.scores, &judged, |keys| {
            (keys.system.as_str(), said(keys).expect("all of these rows are judged by it"))
        });
        let [of_ours, of_theirs, of_both] =
            [&ours, &theirs, &both].map(|rated| rated.beyond_systems(pearson).map(|found| found.value));
        let test = of_ours.zip(of_theirs).zip(of_both);
        let test = test.and_then(|((ours, theirs), both)| williams(ours, theirs, both, judged.len()).ok());
        OtherMetric {
            metric: metric.to_owned(),
            correlations: Correlations::of(&theirs),
            williams_p: test.map(|test| test.p_value),
        }
    }

    fn about(keys: &Keys) -> (&str, f64) {
        (&keys.system, keys.factuality)
    }

    fn sentences(&self, rows: &[usize], part: &str, decide: Decide) -> Sentences {
        let threshold = match decide {
            Decide::Given(threshold) => Some(threshold),
            Decide::Tuned(threshold) if part == "test" => Some(threshold),
            _ => None,
        };
        let accuracy = |threshold: f64| {
            self.estimate(rows, |scores, labels| {
                let called = scores.iter().map(|score| *score > threshold);
                Confusion::count(called.zip(labels.iter().copied())).balanced_accuracy()
            })
        };
        Sentences {
            sentences: rows.len(),
            faithful: rows.iter().filter(|&&row| self.is_faithful(row)).count(),
            balanced_accuracy: threshold.and_then(accuracy),
            roc_auc: self.estimate(rows, roc_auc),
        }
    }

    /// A statistic of the scores and labels of sentences.
    fn estimate(
        &self,
        rows: &[usize],
        statistic: impl Fn(&[f64], &[bool]) -> Option<f64>,
    ) -> Option<Estimate> {
        let of_rows = |rows: &[usize]| {
            let (scores, labels) = self.scored(rows);
            statistic(&scores, &labels)
        };
        Sampled::on_groups(&by_document(self.cases, rows), 0, of_rows).map(|figure| figure.estimate())
    }
}
