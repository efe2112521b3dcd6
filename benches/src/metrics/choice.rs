//! Metrics by name, `NAME` or `NAME:AXIS,AXIS`, and their axes. The only file besides the evaluator that knows all metrics;
//! each of them is given its axes as values of its own.

use std::fmt;
use std::str::FromStr;

use veridic::{Error, Result, named};
use veridic_models::store::did_you_mean;

use super::{alignscore, entailment, finesure, rating, reference, sumautoeval, tofueval};
use crate::llm::Step;

/// An evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Metric {
    /// Claims against the document (Scirè et al. 2024): score, verdict, evidence.
    Fenice,
    /// Faithfulness, completeness, conciseness (Song et al. 2024).
    FineSure,
    /// SummaC, zero-shot (Laban et al. 2022).
    SummacZs,
    /// SummaC with a learned convolution (Laban et al. 2022).
    SummacConv,
    /// MENLI's NLI score of the whole texts (Chen and Eger 2023).
    Menli,
    /// AlignScore (Zha et al. 2023).
    AlignScore,
    /// NLI by sentence, the simplest row of FENICE's ablation.
    NliSent,
    /// n-grams and subsequences shared with a reference (Lin 2004).
    Rouge,
    /// The same over word stems.
    RougeStemmed,
    /// Similarity of token vectors to a reference (Zhang et al. 2020).
    BertScore,
    /// The share of claims about a topic (Tang et al. 2024).
    Relevance,
    /// The share of given key points that the summary covers (Tang et al. 2024).
    KeyPoints,
    /// Entities and writing against a ground truth (Yuan et al. 2024).
    SumAutoEval,
    /// A language model's rating (Wu et al. 2024).
    Rating,
    /// A language model's yes or no (Tang et al. 2024).
    TofuEval,
}

named!(Metric, "metric", {
    Fenice = "fenice",
    FineSure = "finesure",
    SummacZs = "summac-zs",
    SummacConv = "summac-conv",
    Menli = "menli",
    AlignScore = "alignscore",
    NliSent = "nli-sent",
    Rouge = "rouge",
    RougeStemmed = "rouge-stemmed",
    BertScore = "bertscore",
    Relevance = "relevance",
    KeyPoints = "key-points",
    SumAutoEval = "sumautoeval",
    Rating = "rating",
    TofuEval = "tofueval",
});

/// A metric and those of its axes to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricChoice {
    /// The metric.
    pub metric: Metric,
    axes: Vec<&'static str>,
}

/// An unknown name of a metric or an axis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownMetric {
    /// The name of a metric is unknown.
    #[error("no metric `{0}`{meant}: known are {list}, all", meant = did_you_mean(.0, Metric::ALL.map(Metric::name)), list = Metric::ALL.map(Metric::name).join(", "))]
    Metric(String),
    /// The name of an axis is unknown.
    #[error("{metric} has no axis `{axis}`{}: its axes are {axes}", did_you_mean(axis, axes.split(", ")))]
    Axis {
        /// The metric.
        metric: Metric,
        /// The unknown axis.
        axis: String,
        /// The metric's axes.
        axes: String,
    },
}

impl Metric {
    /// Returns its axes; the first is the row's score.
    pub fn axes(self) -> Vec<&'static str> {
        match self {
            Self::Fenice => vec!["score"],
            Self::FineSure => finesure::Axis::ALL.map(finesure::Axis::name).to_vec(),
            Self::SummacZs | Self::Menli => entailment::Axis::ALL.map(entailment::Axis::name).to_vec(),
            Self::SummacConv => vec!["score"],
            Self::AlignScore => alignscore::Axis::ALL.map(alignscore::Axis::name).to_vec(),
            Self::NliSent => vec![entailment::Axis::Difference.name()],
            Self::Rouge | Self::RougeStemmed => reference::Axis::ALL.map(reference::Axis::name).to_vec(),
            Self::BertScore => vec!["f1"],
            Self::Relevance => vec!["share"],
            Self::KeyPoints => vec![finesure::Axis::Completeness.name()],
            Self::SumAutoEval => sumautoeval::Axis::ALL.map(sumautoeval::Axis::name).to_vec(),
            Self::Rating => rating::Axis::ALL.map(rating::Axis::name).to_vec(),
            Self::TofuEval => tofueval::Axis::ALL.map(tofueval::Axis::name).to_vec(),
        }
    }

    /// Returns its axis of this name.
    fn axis(self, name: &str) -> std::result::Result<&'static str, UnknownMetric> {
        let axes = self.axes();
        axes.iter().find(|axis| **axis == name).copied().ok_or_else(|| UnknownMetric::Axis {
            metric: self,
            axis: name.to_owned(),
            axes: axes.join(", "),
        })
    }

    /// Whether all of its numbers are a language model's answers.
    pub fn is_asked(self) -> bool {
        matches!(self, Self::Rating | Self::TofuEval)
    }

    /// Returns the default axes: the first ones.
    fn default_axes(self) -> Vec<&'static str> {
        let mut axes = self.axes();
        axes.truncate(match self {
            Self::Rouge | Self::RougeStemmed => 3,
            Self::SummacZs | Self::AlignScore | Self::Rating | Self::TofuEval => 1,
            Self::SumAutoEval => 2,
            _ => axes.len(),
        });
        axes
    }
}

impl MetricChoice {
    /// Returns the metric with its default axes.
    pub fn of(metric: Metric) -> Self {
        Self { metric, axes: metric.default_axes() }
    }

    /// Returns all metrics computed without a language model, for rows that may lack some of the texts; SumAutoEval with its
    /// paper's four axes.
    pub fn all() -> Vec<Self> {
        let of = |metric| match metric {
            Metric::SumAutoEval => {
                Self { metric, axes: sumautoeval::Axis::OF_PAPER.map(sumautoeval::Axis::name).to_vec() }
            }
            metric => Self::of(metric),
        };
        Metric::ALL.into_iter().filter(|metric| !metric.is_asked()).map(of).collect()
    }

    /// Merges the choices of each metric, so that nothing is measured twice.
    pub(super) fn merged(choices: Vec<Self>) -> Vec<Self> {
        let mut merged: Vec<Self> = Vec::with_capacity(choices.len());
        for choice in choices {
            match merged.iter_mut().find(|other| other.metric == choice.metric) {
                None => merged.push(choice),
                Some(other) if other.axes == choice.axes => {}
                Some(other) => {
                    let mut axes = choice.metric.axes();
                    axes.retain(|axis| other.wants(axis) || choice.wants(axis));
                    other.axes = axes;
                }
            }
        }
        merged
    }

    fn wants(&self, axis: &str) -> bool {
        self.axes.contains(&axis)
    }

    /// Its axes in the metric's order, as values of the metric's own.
    pub(super) fn axes<A: FromStr>(&self) -> Vec<A> {
        let wanted = self.metric.axes().into_iter().filter(|axis| self.wants(axis));
        wanted.filter_map(|name| name.parse().ok()).collect()
    }

    /// Whether it scores a summary without text.
    pub fn scores_blank(&self) -> bool {
        self.metric == Metric::FineSure
    }

    /// Whether it judges each sentence of a summary.
    pub fn judges_sentences(&self) -> bool {
        self.metric == Metric::FineSure && self.needs_claims()
    }

    /// Whether it needs judgements of the summary's claims.
    pub(super) fn needs_claims(&self) -> bool {
        match self.metric {
            Metric::Fenice => true,
            Metric::FineSure => self.wants(finesure::Axis::Faithfulness.name()),
            _ => false,
        }
    }

    /// Whether a language model can answer one of its steps.
    pub(crate) fn asks(&self) -> bool {
        !self.steps().is_empty()
    }

    /// Returns its steps that a language model can answer.
    pub fn steps(&self) -> Vec<Step> {
        match self.metric {
            Metric::FineSure => finesure::steps(&self.axes()),
            Metric::SumAutoEval => sumautoeval::STEPS.to_vec(),
            Metric::Rating => self.axes().into_iter().map(rating::Axis::step).collect(),
            Metric::TofuEval => self.axes().into_iter().map(tofueval::Axis::step).collect(),
            _ => Vec::new(),
        }
    }

    /// Checks that it can be measured without a language model.
    ///
    /// # Errors
    /// A metric or an axis that only a language model can answer.
    pub(crate) fn check_without_answers(&self) -> Result<()> {
        match self.metric {
            metric if metric.is_asked() => Err(needs_answers(metric)),
            Metric::SumAutoEval => {
                self.axes().into_iter().try_for_each(sumautoeval::Axis::check_without_answers)
            }
            _ => Ok(()),
        }
    }
}

/// The error of a metric that only a language model can answer.
pub(super) fn needs_answers(metric: Metric) -> Error {
    let expected = "is a language model's: it needs --answers, the file of them, or a server";
    Error::setting("metric", metric, expected)
}

impl FromStr for MetricChoice {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownMetric> {
        let (name, axes) = text.split_once(':').map_or((text, None), |(name, axes)| (name, Some(axes)));
        let metric: Metric = name.parse().map_err(|_| UnknownMetric::Metric(name.to_owned()))?;
        let Some(axes) = axes else { return Ok(Self::of(metric)) };
        let axes = axes.split(',').map(|wanted| metric.axis(wanted.trim()));
        Ok(Self { metric, axes: axes.collect::<std::result::Result<_, _>>()? })
    }
}

impl fmt::Display for MetricChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.metric.name())?;
        if self.axes == self.metric.default_axes() { Ok(()) } else { write!(f, ":{}", self.axes.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_axes_are_parsed() {
        for text in ["fenice", "finesure", "finesure:completeness", "summac-zs:entailment", "menli"] {
            assert_eq!(text.parse::<MetricChoice>().unwrap().to_string(), text);
        }
        let choice: MetricChoice = "finesure:completeness, conciseness".parse().unwrap();
        assert!(choice.wants("conciseness") && !choice.wants("faithfulness"));
        assert_eq!(
            choice.axes::<finesure::Axis>(),
            [finesure::Axis::Completeness, finesure::Axis::Conciseness]
        );
        assert!(!choice.needs_claims());
        assert!("finesure:faithfulness".parse::<MetricChoice>().unwrap().needs_claims());
    }

    #[test]
    fn default_axes_are_those_of_the_papers() {
        let defaults = Metric::ALL.map(|metric| metric.default_axes().join(","));
        let expected = "score faithfulness,completeness,conciseness difference score difference,entailment split difference \
            1,2,L 1,2,L f1 share completeness completeness,correctness consistency sentence";
        assert_eq!(defaults.join(" "), expected);
    }

    #[test]
    fn repeated_metrics_are_merged_with_all_their_axes() {
        let choices =
            ["finesure:conciseness", "rouge:L", "finesure:faithfulness", "rouge:1,L", "menli", "menli"];
        let merged = MetricChoice::merged(choices.iter().map(|name| name.parse().unwrap()).collect());
        let names: Vec<String> = merged.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["finesure:faithfulness,conciseness", "rouge:1,L", "menli"]);
    }

    #[test]
    fn unknown_names_are_errors_that_list_the_known_ones() {
        let error = "rough".parse::<MetricChoice>().unwrap_err().to_string();
        assert!(
            error.contains("`rough`") && error.contains("summac-zs") && error.ends_with("all"),
            "{error}"
        );
        let error = "finesure:fluency".parse::<MetricChoice>().unwrap_err().to_string();
        assert!(error.contains("`fluency`") && error.contains("completeness"), "{error}");
    }
}
