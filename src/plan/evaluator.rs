//! The settings of an evaluator: which metrics, what they are given, and which extract of long documents is judged.

use std::path::PathBuf;

use serde_json::{Map, Value};
use veridic_models::store::did_you_mean;

use super::choices::{ClaimsChoice, NamedText};
use super::encoder::{EncoderPlan, token_counter};
use super::scorer::{OnNote, ScorerBuilder};
use super::settings::settings;
use crate::error::{Error, Result};
use crate::extract::{Extraction, Method, Rule};
use crate::metrics::needs_answers;
use crate::metrics::sumautoeval::{self, AlignmentRule};
use crate::metrics::summac_conv::{NliLabels, SummacConv, without_weights};
use crate::metrics::{Evaluator, KeyFactsFrom, Metric, MetricChoice};
use crate::similarity::bertscore::BertScore;

/// The value of `metric` that is all metrics.
const ALL_METRICS: &str = "all";

/// Whether documents are judged by an extract, and how its sentences are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtractChoice {
    /// Whole documents.
    Off,
    /// Sentences chosen by a method.
    By(Method),
}

impl std::fmt::Display for ExtractChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Off => "off",
            Self::By(method) => method.name(),
        })
    }
}

impl std::str::FromStr for ExtractChoice {
    type Err = UnknownExtract;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownExtract> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let method = Method::ALL.into_iter().find(|method| method.name() == text);
        method.map(Self::By).ok_or_else(|| UnknownExtract(text.to_owned()))
    }
}

/// A text that is not an [`ExtractChoice`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no such name{}: known are {}, off", did_you_mean(.0, Method::ALL.map(Method::name)), Method::ALL.map(Method::name).join(", "))]
pub struct UnknownExtract(String);

settings! {
    /// The settings of an [`Evaluator`]: those of its scorer, and those of its metrics.
    #[derive(Debug, Clone)]
    pub struct EvaluatorPlan {
        /// Judges claims.
        beside scorer: ScorerBuilder,
    }

    /// Names of metrics, each `NAME` or `NAME:AXIS,AXIS`; `all` is every metric that a row has the texts for.
    json metric: Vec<String>,
    /// Where FineSurE's key facts come from.
    text key_facts: KeyFactsFrom,
    /// What summaries should be about, for the metric `relevance`; by default each row's field `topic`.
    text topic: String,
    /// How SumAutoEval's two checks of a section are joined.
    text alignment_rule: AlignmentRule,
    /// Whether documents are judged by an extract; by default the profile decides.
    text extract: ExtractChoice,
    /// How wording counts, and what happens at the budget.
    text extract_rule: Rule,
    /// Most tokens of an extract.
    json budget: usize,
    /// The model whose tokenizer counts the budget; the NLI model by default.
    text budget_tokenizer: String,
    /// BERTScore's encoder: a name, a folder or a hub id.
    text bertscore_model: String,
    /// The layer of BERTScore's encoder; 0 is the embeddings.
    json bertscore_layer: usize,
    /// Sentences, one a line, that weigh BERTScore's tokens.
    json bertscore_idf: NamedText,
    /// The file of SummaC-Conv's weights.
    json summac_conv: PathBuf,
    /// The relations that SummaC-Conv's weights have a histogram of; entailment alone by default.
    text summac_labels: NliLabels,
}

impl EvaluatorPlan {
    /// Settings of an evaluator that judges claims by `scorer`.
    #[must_use]
    pub fn new(scorer: ScorerBuilder) -> Self {
        Self::with(scorer)
    }

    /// Settings by their names, as JSON values.
    ///
    /// # Errors
    /// [`Error::Setting`] for a name that is not a setting, and a value that the setting does not take.
    pub fn from_json(settings: &Map<String, Value>) -> Result<Self> {
        let mut plan = Self::new(ScorerBuilder::default());
        for (name, value) in settings {
            if name == "model" {
                plan.scorer.model = value.as_str().unwrap_or_default().to_owned();
            } else if !plan.set_json(name, value)? && !plan.scorer.set_json(name, value)? {
                let known = [Self::NAMES, ScorerBuilder::NAMES].concat();
                return Err(Error::UnknownSetting { name: name.clone(), known });
            }
        }
        Ok(plan)
    }

    /// Whether metrics are named.
    #[must_use]
    pub fn has_metrics(&self) -> bool {
        self.names().next().is_some()
    }

    /// Whether there is a score cache.
    #[must_use]
    pub fn has_cache(&self) -> bool {
        self.scorer.cache.is_some()
    }

    /// Whether rows bring their claims.
    #[must_use]
    pub fn has_given_claims(&self) -> bool {
        self.scorer.claims == Some(ClaimsChoice::Given)
    }

    /// Checks the settings and loads the models.
    ///
    /// # Errors
    /// [`Error::Setting`] for a setting without a meaning, and the errors of models.
    pub fn build(&self) -> Result<Evaluator> {
        self.build_noting(&mut |_| {})
    }

    /// [`EvaluatorPlan::build`] that passes notes for a person.
    ///
    /// # Errors
    /// As [`EvaluatorPlan::build`].
    pub fn build_noting(&self, note: &mut OnNote<'_>) -> Result<Evaluator> {
        let language_model = self.scorer.asking()?.model;
        let metrics = self.metrics(language_model.is_some())?;
        self.check(&metrics)?;
        self.check_answers(&metrics, language_model.is_some())?;
        let mut evaluator = Evaluator::new(self.scorer.build_noting(note)?);
        match self.extract {
            // A paper's question is about the whole document.
            None if language_model.is_some() && metrics.iter().any(MetricChoice::asks) => {
                evaluator = evaluator.extracting(None);
            }
            None => {}
            Some(ExtractChoice::Off) => evaluator = evaluator.extracting(None),
            Some(ExtractChoice::By(method)) => {
                let rule = self.extract_rule.unwrap_or(Rule::Authors);
                let budget = self.budget.unwrap_or(Extraction::USUAL_BUDGET);
                evaluator = evaluator.extracting(Some(self.extraction((method, rule, budget), note)?));
            }
        }
        if metrics.is_empty() {
            return Ok(evaluator);
        }
        if self.loads_bertscore(&metrics) {
            evaluator = evaluator.with_bertscore(self.bertscore(note)?);
        }
        if let Some(file) = &self.summac_conv {
            let weights = SummacConv::load(file, self.summac_labels.unwrap_or_default())?;
            evaluator = evaluator.with_summac_conv(weights);
        }
        if self.names().any(|name| name.starts_with(Metric::AlignScore.name()))
            && evaluator.scorer().align_head().is_none()
        {
            let model = &self.scorer.model;
            note(format!(
                "the metric alignscore is computed with {model}, which is not a checkpoint of AlignScore"
            ));
        }
        let evaluator = evaluator
            .with_metrics(metrics, self.key_facts.unwrap_or_default())
            .with_topic(self.topic.clone())
            .with_alignment_rule(self.alignment_rule.unwrap_or_default());
        let evaluator = match language_model {
            Some(model) => evaluator.with_language_model(model),
            None => evaluator,
        };
        Ok(if self.is_all() { evaluator.leniently() } else { evaluator })
    }

    /// BERTScore by these settings.
    ///
    /// # Errors
    /// When the encoder cannot be loaded, or the sentences that weigh tokens are none.
    pub fn bertscore(&self, note: &mut OnNote<'_>) -> Result<BertScore> {
        self.encoder().bertscore(self.scorer.device_or_cpu(), note)
    }

    /// An extraction with this plan's tokenizer and encoder; the encoder is the NLI model unless one is set.
    ///
    /// # Errors
    /// When a model cannot be loaded.
    pub fn extraction(
        &self,
        (method, rule, budget): (Method, Rule, usize),
        note: &mut OnNote<'_>,
    ) -> Result<Extraction> {
        let mut extraction = Extraction::new(method, budget).by(rule);
        if let Some(name) = &self.budget_tokenizer {
            extraction = extraction.counting(token_counter(name)?);
        }
        if method == Method::BertScore {
            let encoder = self.encoder().encoder(&self.scorer.model, self.scorer.device_or_cpu(), note)?;
            extraction = extraction.encoding(encoder);
        }
        Ok(extraction)
    }

    fn is_all(&self) -> bool {
        self.names().any(|name| name == ALL_METRICS)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.metric.iter().flatten().map(String::as_str)
    }

    fn metrics(&self, has_answers: bool) -> Result<Vec<MetricChoice>> {
        let parse = |name: &str| {
            name.parse::<MetricChoice>().map_err(|error| Error::setting("metric", name, error.to_string()))
        };
        let named = self.names().filter(|name| *name != ALL_METRICS);
        let mut metrics = named.map(parse).collect::<Result<Vec<_>>>()?;
        if !has_answers {
            metrics.iter().try_for_each(sumautoeval::check_axes)?;
        }
        if self.is_all() {
            metrics.splice(..0, MetricChoice::all());
        }
        Ok(metrics)
    }

    /// Settings without an effect are refused.
    fn check(&self, metrics: &[MetricChoice]) -> Result<()> {
        let has = |metric| metrics.iter().any(|choice: &MetricChoice| choice.metric == metric);
        if let (Some(topic), false) = (&self.topic, has(Metric::Relevance)) {
            return Err(Error::setting(
                "topic",
                topic,
                "is for the metric relevance, which `metric` does not name",
            ));
        }
        if self.summac_conv.is_none() && self.names().any(|name| name.starts_with(Metric::SummacConv.name()))
        {
            return Err(without_weights());
        }
        let of_convolution = [
            ("summac_conv", self.summac_conv.as_ref().map(|file| file.display().to_string())),
            ("summac_labels", self.summac_labels.map(|labels| labels.to_string())),
        ];
        if let (false, Some((setting, Some(value)))) =
            (has(Metric::SummacConv), of_convolution.into_iter().find(|(_, value)| value.is_some()))
        {
            let expected = "is for the metric summac-conv, which `metric` does not name";
            return Err(Error::setting(setting, value, expected));
        }
        if let (None, Some(labels)) = (&self.summac_conv, self.summac_labels) {
            return Err(Error::setting("summac_labels", labels, "describes weights: set `summac_conv`, too"));
        }
        let extracts = matches!(self.extract, Some(ExtractChoice::By(_)));
        let of_extracts = [
            ("budget", self.budget.map(|budget| budget.to_string())),
            ("extract_rule", self.extract_rule.map(|rule| rule.name().to_owned())),
            ("budget_tokenizer", self.budget_tokenizer.clone()),
        ];
        if let (false, Some((setting, Some(value)))) =
            (extracts, of_extracts.into_iter().find(|(_, value)| value.is_some()))
        {
            return Err(Error::setting(setting, value, "is for extracts: set `extract`, too"));
        }
        let encoder = self.encoder();
        let unused = match self.extract {
            _ if has(Metric::BertScore) => None,
            Some(ExtractChoice::By(Method::BertScore)) => encoder.idf.as_ref().map(|_| "bertscore_idf"),
            _ => encoder.given(),
        };
        match unused {
            None => Ok(()),
            Some(setting) => {
                let value = match setting {
                    "bertscore_model" => encoder.model.unwrap_or_default(),
                    "bertscore_layer" => encoder.layer.unwrap_or_default().to_string(),
                    _ => encoder.idf.map(|idf| idf.file).unwrap_or_default(),
                };
                Err(Error::setting(
                    setting,
                    value,
                    "is for the metric bertscore, which `metric` does not name",
                ))
            }
        }
    }

    /// Metrics that need answers have them, and answers are used.
    fn check_answers(&self, metrics: &[MetricChoice], has_answers: bool) -> Result<()> {
        if has_answers {
            let asks_claims = matches!(self.scorer.claims, Some(ClaimsChoice::Answers(_)));
            if asks_claims || metrics.iter().any(MetricChoice::asks) {
                return Ok(());
            }
            let names = || self.names().collect::<Vec<_>>().join(",");
            let expected = "nothing asks a language model: name a metric that does (finesure, sumautoeval, rating, tofueval), or \
                            set `claims` to answers";
            return Err(Error::setting(
                "metric",
                if metrics.is_empty() { "fenice".to_owned() } else { names() },
                expected,
            ));
        }
        if let Some(choice) = metrics.iter().find(|choice| choice.metric.is_asked()) {
            return Err(needs_answers(choice.metric.name()));
        }
        Ok(())
    }

    /// `all` alone does not load it, for its model is a large download.
    fn loads_bertscore(&self, metrics: &[MetricChoice]) -> bool {
        let is_named = self.names().any(|name| name.starts_with(Metric::BertScore.name()));
        let is_wanted = metrics.iter().any(|choice| choice.metric == Metric::BertScore);
        is_wanted && (is_named || self.encoder().given().is_some())
    }

    /// BERTScore's settings.
    fn encoder(&self) -> EncoderPlan {
        EncoderPlan {
            model: self.bertscore_model.clone(),
            layer: self.bertscore_layer,
            idf: self.bertscore_idf.clone(),
        }
    }
}
