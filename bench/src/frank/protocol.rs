//! FRANK's figures, on the test part and on all rows: correlations of the scores of summaries with people's ratings;
//! partial correlations given the system, which are the authors' figure (a regression on the system, a categorical
//! variable, leaves of each score and rating the deviation from the mean of its system, and the residuals are correlated;
//! Spearman's ranks them); Spearman's correlation over the systems' means; and for sentences the balanced accuracy under
//! a given threshold, or one that the validation part tunes for the test part. Other metrics have the same figures over
//! the summaries that they score, and Williams' test of both partial correlations on these.

use serde::Serialize;

use super::localisation::Localisation;
use super::{Case, Keys};
use crate::documents::by_document;
use crate::estimate::Estimate;
use crate::rated::{LEAST_SUMMARIES, Rated};
use crate::read::BenchError;
use crate::split::Split;
use crate::text_level::TextLevel;
use veridic_stats::{Confusion, best_threshold, pearson, roc_auc, spearman, williams};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// What people's ratings of summaries are.
    pub ratings: Ratings,
    /// The test part, if there is one, and all rows.
    pub parts: Vec<Part>,
    /// A sentence is called faithful above it; `None` without sentences, or without any that tune it.
    pub threshold: Option<f64>,
    /// What limits the figures.
    pub warnings: Vec<String>,
}

/// What people's ratings of summaries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ratings {
    /// FRANK's field `Factuality`.
    Factuality,
    /// The share of sentences without error, as in FineSurE.
    Sentences,
}

/// The figures of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// `test` or `all`.
    pub part: &'static str,
    /// The correlations over summaries.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// The other metrics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_metrics: Vec<OtherMetric>,
    /// The sentences, if they are judged.
    pub sentences: Option<Sentences>,
    /// How often the type of a sentence's error is right, if types were answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub localisation: Option<Localisation>,
}

/// Correlations of scores of summaries with people's ratings. A correlation is `None` where all scores are equal, or
/// without summaries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// Number of summaries.
    pub summaries: usize,
    /// Number of distinct documents.
    pub documents: usize,
    /// Number of systems that wrote the summaries.
    pub systems: usize,
    /// Pearson's correlation over all summaries.
    pub pearson: Option<Estimate>,
    /// Spearman's correlation over all summaries.
    pub spearman: Option<Estimate>,
    /// Pearson's partial correlation given the system.
    pub partial_pearson: Option<Estimate>,
    /// Spearman's partial correlation given the system.
    pub partial_spearman: Option<Estimate>,
    /// Spearman's correlation over the systems, each by the means of its summaries.
    pub system_spearman: Option<Estimate>,
}

/// Another metric, on the summaries that it scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherMetric {
    /// Its name in the file.
    pub metric: String,
    /// Its correlations.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// The p value of Williams' two-sided test that its partial Pearson correlation differs from that of the measured
    /// scores; `None` where one of the two has no correlation.
    pub williams_p: Option<f64>,
}

/// The sentences of a part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sentences {
    /// Number of sentences.
    pub sentences: usize,
    /// Sentences in which most people find no error.
    pub faithful: usize,
    /// From 0 to 1; `None` where the threshold was tuned on some of them, or with one label only.
    pub balanced_accuracy: Option<Estimate>,
    /// How well scores rank faithful sentences above the others.
    pub roc_auc: Option<Estimate>,
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

/// The threshold for sentences.
#[derive(Clone, Copy)]
enum SentenceThreshold {
    Given(f64),
    Tuned(f64),
    None,
}

/// The protocol applied to a run.
pub(super) struct Run<'c> {
    pub(super) cases: &'c [Case<Keys>],
    pub(super) scores: &'c [f64],
    /// The names of other metrics.
    pub(super) others: &'c [String],
}

impl Run<'_> {
    pub(super) fn figures(&self, threshold: Option<f64>) -> Result<Figures, BenchError> {
        let mut warnings = Vec::new();
        let sentence_threshold = match threshold {
            Some(threshold) => SentenceThreshold::Given(threshold),
            None => self.tuned(&mut warnings),
        };
        let mut parts = Vec::new();
        let is_test = |row: usize| self.cases[row].keys.split == Split::Test;
        if (0..self.cases.len()).any(is_test) {
            parts.push(self.part("test", is_test, sentence_threshold, &mut warnings)?);
        } else {
            warnings.push("there are no test rows: these figures are of all rows".into());
        }
        parts.push(self.part("all", |_| true, sentence_threshold, &mut warnings)?);
        let has_sentences = parts.iter().any(|part| part.sentences.is_some());
        let threshold = match sentence_threshold {
            SentenceThreshold::Given(threshold) | SentenceThreshold::Tuned(threshold) if has_sentences => {
                Some(threshold)
            }
            _ => None,
        };
        let by_sentences = self.cases.iter().any(|case| case.keys.sentences.is_some());
        let ratings = if by_sentences { Ratings::Sentences } else { Ratings::Factuality };
        Ok(Figures { ratings, parts, threshold, warnings })
    }

    fn rows(&self, level: TextLevel, of: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.cases.len()).filter(|&row| self.cases[row].keys.level == level && of(row)).collect()
    }

    fn scored(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.scores[row], self.is_faithful(row))).unzip()
    }

    fn is_faithful(&self, row: usize) -> bool {
        self.cases[row].keys.factuality == 1.0
    }

    /// The threshold of the validation part.
    fn tuned(&self, warnings: &mut Vec<String>) -> SentenceThreshold {
        let (scores, labels) =
            self.scored(&self.rows(TextLevel::Sentence, |row| self.cases[row].keys.split == Split::Val));
        if let Some(threshold) = best_threshold(&scores, &labels) {
            return SentenceThreshold::Tuned(threshold);
        }
        if self.cases.iter().any(|case| case.keys.level == TextLevel::Sentence) {
            warnings.push(
                "no validation sentences, faithful ones and others, tune a threshold: give one in `decide_at`"
                    .into(),
            );
        }
        SentenceThreshold::None
    }

    fn part(
        &self,
        part: &'static str,
        of: impl Fn(usize) -> bool,
        sentence_threshold: SentenceThreshold,
        warnings: &mut Vec<String>,
    ) -> Result<Part, BenchError> {
        let (summaries, sentences) =
            (self.rows(TextLevel::Summary, &of), self.rows(TextLevel::Sentence, &of));
        let rated = self.rated(self.scores, &summaries);
        if !summaries.is_empty() {
            rated.check(&format!("{part}: the Factuality"))?;
            warnings.extend(rated.warning().map(|warning| format!("{part}: {warning}")));
        }
        Ok(Part {
            part,
            correlations: Correlations::of(&rated),
            other_metrics: self.other_metrics(&summaries),
            sentences: (!sentences.is_empty()).then(|| self.sentences(&sentences, part, sentence_threshold)),
            localisation: Localisation::of(self.cases, &sentences),
        })
    }

    fn other_metrics(&self, summaries: &[usize]) -> Vec<OtherMetric> {
        let others = self.others.iter().enumerate().filter(|_| !summaries.is_empty());
        others.map(|(number, metric)| self.other_metric(number, metric, summaries)).collect()
    }

    fn other_metric(&self, number: usize, metric: &str, summaries: &[usize]) -> OtherMetric {
        let score_of = |keys: &Keys| keys.others.get(number).copied().flatten();
        let mut scores = self.scores.to_vec();
        let is_scored = |row: &&usize| match score_of(&self.cases[**row].keys) {
            Some(score) => {
                scores[**row] = score;
                true
            }
            None => false,
        };
        let scored: Vec<usize> = summaries.iter().filter(is_scored).copied().collect();
        let (theirs, ours) = (self.rated(&scores, &scored), self.rated(self.scores, &scored));
        let both = Rated::new(self.cases, self.scores, &scored, |keys| {
            (keys.system.as_str(), score_of(keys).expect("these are the rows that it scores"))
        });
        let [of_ours, of_theirs, of_both] =
            [&ours, &theirs, &both].map(|rated| rated.beyond_systems(pearson).map(|found| found.value));
        let test = of_ours.zip(of_theirs).zip(of_both);
        let test = test.and_then(|((ours, theirs), both)| williams(ours, theirs, both, scored.len()).ok());
        OtherMetric {
            metric: metric.to_owned(),
            correlations: Correlations::of(&theirs),
            williams_p: test.map(|test| test.p_value),
        }
    }

    /// Summaries with people's ratings. FineSurE's program ranks the systems that have enough.
    fn rated(&self, scores: &[f64], rows: &[usize]) -> Rated {
        let is_finesure = rows.iter().any(|&row| self.cases[row].keys.sentences.is_some());
        let rated = Rated::new(self.cases, scores, rows, Self::about);
        rated.ranking_from(if is_finesure { LEAST_SUMMARIES } else { 1 })
    }

    fn about(keys: &Keys) -> (&str, f64) {
        (&keys.system, keys.factuality)
    }

    fn sentences(&self, rows: &[usize], part: &str, sentence_threshold: SentenceThreshold) -> Sentences {
        let threshold = match sentence_threshold {
            SentenceThreshold::Given(threshold) => Some(threshold),
            SentenceThreshold::Tuned(threshold) if part == "test" => Some(threshold),
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
        Estimate::on_groups(&by_document(self.cases, rows), of_rows)
    }
}
