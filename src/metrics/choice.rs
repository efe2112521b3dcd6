//! The names that `--metric` takes: `NAME` or `NAME:AXIS,AXIS`.

use std::fmt;
use std::str::FromStr;

use veridic_models::store::did_you_mean;

/// An evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Claims against the document (Scirè et al. 2024): score, verdict, evidence.
    Fenice,
    /// Faithfulness, completeness, conciseness (Song et al. 2024).
    FineSure,
    /// SummaC, zero-shot (Laban et al. 2022).
    SummacZs,
    /// MENLI's NLI score of the whole texts (Chen and Eger 2023).
    Menli,
    /// The simplest row of FENICE's ablation.
    NliSent,
    /// Shared wording with a summary by people (Lin 2004).
    Rouge,
    /// The same over word stems.
    RougeStemmed,
    /// Shared meaning of words with a summary by people (Zhang et al. 2020).
    BertScore,
    /// The share of claims about a topic (Tang et al. 2024).
    Relevance,
    /// The share of given key points that the summary has (Tang et al. 2024).
    KeyPoints,
    /// Entities and writing beside a ground truth (Yuan et al. 2024).
    SumAutoEval,
}

/// A metric and the axes that are wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricChoice {
    /// Which.
    pub metric: Metric,
    axes: Vec<&'static str>,
}

/// A name that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownMetric {
    /// Of a metric.
    #[error("no metric `{0}`{meant}: known are {list}, all", meant = did_you_mean(.0, Metric::ALL.map(Metric::name)), list = names())]
    Metric(String),
    /// Of an axis.
    #[error("{metric} has no axis `{axis}`{}: its axes are {axes}", did_you_mean(axis, axes.split(", ")))]
    Axis {
        /// The metric.
        metric: &'static str,
        /// The axis.
        axis: String,
        /// Those that it has.
        axes: String,
    },
}

impl Metric {
    /// All of them, in the order of outputs.
    pub const ALL: [Self; 11] = [
        Self::Fenice,
        Self::FineSure,
        Self::SummacZs,
        Self::Menli,
        Self::NliSent,
        Self::Rouge,
        Self::RougeStemmed,
        Self::BertScore,
        Self::Relevance,
        Self::KeyPoints,
        Self::SumAutoEval,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fenice => "fenice",
            Self::FineSure => "finesure",
            Self::SummacZs => "summac-zs",
            Self::Menli => "menli",
            Self::NliSent => "nli-sent",
            Self::Rouge => "rouge",
            Self::RougeStemmed => "rouge-stemmed",
            Self::BertScore => "bertscore",
            Self::Relevance => "relevance",
            Self::KeyPoints => "key-points",
            Self::SumAutoEval => "sumautoeval",
        }
    }

    /// The axes that it has, the first of them its headline.
    #[must_use]
    pub fn axes(self) -> &'static [&'static str] {
        match self {
            Self::Fenice => &["score"],
            Self::FineSure => &["faithfulness", "completeness", "conciseness", "errors"],
            Self::SummacZs => &["difference", "entailment"],
            Self::Menli => &["difference", "entailment"],
            Self::NliSent => &["difference"],
            Self::Rouge | Self::RougeStemmed => &["1", "2", "L", "Lsum"],
            Self::BertScore => &["f1"],
            Self::Relevance => &["share"],
            Self::KeyPoints => &["completeness"],
            Self::SumAutoEval => &[
                "completeness",
                "correctness",
                "alignment",
                "readability",
                "consistency",
                "relevance",
                "fluency",
                "coherence",
            ],
        }
    }

    /// The axes that are measured unless some are named.
    fn usual_axes(self) -> &'static [&'static str] {
        match self {
            Self::FineSure => &["faithfulness", "completeness", "conciseness"],
            Self::SummacZs => &["difference"],
            Self::Rouge | Self::RougeStemmed => &["1", "2", "L"],
            Self::SumAutoEval => &["completeness", "correctness"],
            other => other.axes(),
        }
    }
}

impl MetricChoice {
    /// All of its usual axes.
    #[must_use]
    pub fn whole(metric: Metric) -> Self {
        Self { metric, axes: metric.usual_axes().to_vec() }
    }

    /// All metrics; of SumAutoEval its paper's four axes, since what a row lacks something for is left out then.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let of = |metric| match metric {
            Metric::SumAutoEval => Self { metric, axes: metric.axes()[..4].to_vec() },
            metric => Self::whole(metric),
        };
        Metric::ALL.into_iter().map(of).collect()
    }

    /// One choice a metric, with the axes of all its choices: what is asked for twice is measured once.
    pub(super) fn merged(choices: Vec<Self>) -> Vec<Self> {
        let mut merged: Vec<Self> = Vec::with_capacity(choices.len());
        for choice in choices {
            match merged.iter_mut().find(|other| other.metric == choice.metric) {
                None => merged.push(choice),
                Some(other) if other.axes == choice.axes => {}
                Some(other) => {
                    let both = |axis: &&&str| other.wants(axis) || choice.wants(axis);
                    other.axes = choice.metric.axes().iter().filter(both).copied().collect();
                }
            }
        }
        merged
    }

    /// Whether an axis is wanted.
    #[must_use]
    pub fn wants(&self, axis: &str) -> bool {
        self.axes.contains(&axis)
    }

    /// Whether the summary's claims must be judged for it.
    pub(super) fn needs_claims(&self) -> bool {
        match self.metric {
            Metric::Fenice => true,
            Metric::FineSure => self.wants("faithfulness") || self.wants("errors"),
            _ => false,
        }
    }

    /// Whether key facts are needed for it.
    #[must_use]
    pub fn needs_key_facts(&self) -> bool {
        self.metric == Metric::FineSure && (self.wants("completeness") || self.wants("conciseness"))
    }
}

impl FromStr for MetricChoice {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        let (name, axes) = text.split_once(':').map_or((text, None), |(name, axes)| (name, Some(axes)));
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        let metric = metric.ok_or_else(|| UnknownMetric::Metric(name.to_owned()))?;
        let Some(axes) = axes else { return Ok(Self::whole(metric)) };
        let axis = |wanted: &str| {
            let found = metric.axes().iter().find(|axis| **axis == wanted.trim());
            found.copied().ok_or_else(|| UnknownMetric::Axis {
                metric: metric.name(),
                axis: wanted.trim().to_owned(),
                axes: metric.axes().join(", "),
            })
        };
        Ok(Self { metric, axes: axes.split(',').map(axis).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for MetricChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.metric.name())?;
        if self.axes == self.metric.usual_axes() { Ok(()) } else { write!(f, ":{}", self.axes.join(",")) }
    }
}

fn names() -> String {
    Metric::ALL.map(Metric::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_axes_are_read() {
        for text in ["fenice", "finesure", "finesure:completeness", "summac-zs:entailment", "menli"] {
            assert_eq!(text.parse::<MetricChoice>().unwrap().to_string(), text);
        }
        let choice: MetricChoice = "finesure:completeness, conciseness".parse().unwrap();
        assert!(choice.wants("conciseness") && !choice.wants("faithfulness"));
        assert!(choice.needs_key_facts() && !choice.needs_claims());
        assert!("finesure:faithfulness".parse::<MetricChoice>().unwrap().needs_claims());
        let choice: MetricChoice = "finesure:errors".parse().unwrap();
        assert!(choice.needs_claims() && !choice.needs_key_facts());
        assert!(!MetricChoice::whole(Metric::FineSure).wants("errors"));
    }

    #[test]
    fn a_metric_that_is_named_twice_is_one_with_all_axes() {
        let choices = ["finesure:errors", "rouge:L", "finesure", "rouge:1,L", "menli", "menli"];
        let merged = MetricChoice::merged(choices.iter().map(|name| name.parse().unwrap()).collect());
        let names: Vec<String> = merged.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["finesure:faithfulness,completeness,conciseness,errors", "rouge:1,L", "menli"]);
    }

    #[test]
    fn other_names_are_refused_with_those_that_would_do() {
        let error = "rough".parse::<MetricChoice>().unwrap_err().to_string();
        assert!(
            error.contains("`rough`") && error.contains("summac-zs") && error.ends_with("all"),
            "{error}"
        );
        let error = "finesure:fluency".parse::<MetricChoice>().unwrap_err().to_string();
        assert!(error.contains("`fluency`") && error.contains("completeness"), "{error}");
    }
}
