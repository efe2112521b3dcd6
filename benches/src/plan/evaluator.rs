//! Builds an evaluator from settings: the metrics, their inputs, and the extract of long documents to judge. Refuses
//! settings that no chosen metric uses.

use std::path::Path;
use std::sync::Arc;

use veridic::plan::{Builder, ModelSettings, OnNote};
use veridic::rules::ClaimsChoice;
use veridic::settings::Given;
use veridic::{Error, Result, Scorer, WriteClaims};

use super::answers::{read_answers, templates};
use super::encoder::{EncoderPlan, token_counter};
use super::table::{KeyFacts, MetricSettings};
use crate::extract::{Extraction, Method};
use crate::llm::{LanguageModel, Templates};
use crate::metrics::summac_conv::{NliLabels, SummacConv, without_weights};
use crate::metrics::{Evaluator, KeyFactsFrom, Metric, MetricChoice, MetricSetup};
use crate::similarity::bertscore::BertScore;

/// The value of `metric` that stands for all metrics.
const ALL_METRICS: &str = "all";

/// Builds an [`Evaluator`] from the settings of a scorer and of metrics.
#[derive(Clone)]
pub struct EvaluatorBuilder {
    builder: Builder,
    language_model: Option<LanguageModel>,
}

impl EvaluatorBuilder {
    /// Creates a builder with these settings.
    pub fn new(builder: Builder) -> Self {
        Self { builder, language_model: None }
    }

    /// Sets the language model that answers steps, instead of the settings `answers` and `judge`.
    #[must_use]
    pub fn language_model(self, language_model: Option<LanguageModel>) -> Self {
        Self { language_model, ..self }
    }

    /// Returns all given settings.
    pub fn given(&self) -> Given {
        self.builder.given()
    }

    /// Whether rows have given claims.
    pub fn has_given_claims(&self) -> bool {
        self.builder.claims() == Some(ClaimsChoice::Given)
    }

    /// Builds only the scorer, with notes for a person.
    ///
    /// # Errors
    /// [`Error::Setting`] for an invalid setting, and the errors of models.
    pub fn build_scorer(&self, note: &mut OnNote<'_>) -> Result<Scorer> {
        Ok(self.build_scorer_asking(note)?.0)
    }

    /// Builds the scorer, and the language model that writes its claims.
    fn build_scorer_asking(&self, note: &mut OnNote<'_>) -> Result<(Scorer, Option<LanguageModel>)> {
        let model = match self.builder.claims() {
            Some(ClaimsChoice::Answers(file)) => Some(self.claims_model(file.as_deref())?),
            _ => None,
        };
        let writer = model.clone().map(|model| Arc::new(model) as Arc<dyn WriteClaims>);
        Ok((self.builder.clone().claim_writer(writer).build_noting(note)?, model))
    }

    /// Returns the writer of claims: the file's answers, or else the language model.
    fn claims_model(&self, file: Option<&Path>) -> Result<LanguageModel> {
        let (model, templates) = self.asking(&MetricSettings::of(&self.given())?)?;
        match file {
            Some(file) => Ok(LanguageModel::new(Arc::new(read_answers("claims", file)?), templates)),
            None => model.ok_or_else(|| {
                Error::setting(
                    "claims",
                    "answers",
                    "answers=FILE, or a language model that writes them (--judge, --answers)",
                )
            }),
        }
    }

    /// Returns the model that answers requests, and their wording.
    fn asking(&self, settings: &MetricSettings) -> Result<(Option<LanguageModel>, Templates)> {
        let templates = self.templates(settings)?;
        if let (None, Some(url)) = (&self.language_model, &settings.judge.url) {
            let expected = "the program alone asks a server: give --answers, a file of its answers";
            return Err(Error::setting("judge", url, expected));
        }
        let model = match (&self.language_model, &settings.answers) {
            (Some(model), _) => Some(model.clone()),
            (None, Some(file)) => {
                let model = LanguageModel::new(Arc::new(read_answers("answers", file)?), templates.clone());
                Some(model.sampling(settings.judge.runs, settings.judge.temperature))
            }
            (None, None) => None,
        };
        Ok((model, templates))
    }

    /// The wording of the steps that metrics and claims ask.
    ///
    /// # Errors
    /// A file that cannot be read, and a step that nothing asks.
    pub fn templates(&self, settings: &MetricSettings) -> Result<Templates> {
        let choices: Vec<MetricChoice> =
            settings.metric.iter().filter_map(|name| name.parse().ok()).collect();
        templates(&settings.prompt_templates, &choices, self.builder.claims().as_ref())
    }

    /// Checks the settings and loads the models, including those of metrics; with notes for a person.
    ///
    /// # Errors
    /// [`Error::Setting`] for an invalid setting, and the errors of models.
    pub fn build(&self, note: &mut OnNote<'_>) -> Result<Evaluator> {
        let settings = MetricSettings::of(&self.given())?;
        let (language_model, _) = self.asking(&settings)?;
        let names = Names(&settings.metric);
        let metrics = names.metrics(language_model.is_some())?;
        self.check(&settings, &names, &metrics, language_model.is_some())?;
        let (scorer, claims_model) = self.build_scorer_asking(note)?;
        if metrics.is_empty() {
            return Ok(Evaluator::with(scorer, MetricSetup { claims_model, ..MetricSetup::default() }));
        }
        let mut bertscore = None;
        if names.loads_bertscore(&metrics, &settings) {
            bertscore = Some(Arc::new(settings.encoder().bertscore(note)?));
        }
        let mut summac_conv = None;
        if let Some(file) = &settings.summac_conv {
            summac_conv = Some(Arc::new(SummacConv::load(file, settings.summac_labels)?));
        }
        if names.has(Metric::AlignScore) && scorer.align_head().is_none() {
            let model = self.builder.model_name();
            note(format!(
                "the metric alignscore is computed with {model}, which is not a checkpoint of AlignScore"
            ));
        }
        let setup = MetricSetup {
            metrics,
            is_lenient: names.is_all(),
            key_facts: match settings.key_facts {
                KeyFacts::From(from) => from,
                // `score` has one row, which contains them.
                KeyFacts::File(_) => KeyFactsFrom::Row,
            },
            bertscore,
            summac_conv,
            topic: settings.topic,
            alignment_rule: settings.alignment_rule,
            language_model,
            claims_model,
        };
        Ok(Evaluator::with(scorer, setup))
    }

    /// Loads BERTScore with these settings.
    ///
    /// # Errors
    /// If the encoder cannot be loaded, or there are no sentences to weight tokens by.
    pub fn bertscore(&self, note: &mut OnNote<'_>) -> Result<BertScore> {
        let given = self.given();
        MetricSettings::of(&given)?.encoder().bertscore(note)
    }

    /// Completes an extraction with these settings' tokenizer and encoder; the encoder is the NLI model unless one is set.
    ///
    /// # Errors
    /// When a model cannot be loaded.
    pub fn extraction(&self, mut extraction: Extraction, note: &mut OnNote<'_>) -> Result<Extraction> {
        let given = self.given();
        let settings = MetricSettings::of(&given)?;
        ModelSettings::of(&given)?;
        if let Some(name) = &settings.budget_tokenizer {
            extraction = extraction.counting(token_counter(name)?);
        }
        if extraction.method == Method::BertScore {
            extraction = extraction.encoding(settings.encoder().encoder(self.builder.model_name(), note)?);
        }
        Ok(extraction)
    }

    /// Refuses settings without an effect, and a language model's answers that nothing uses.
    fn check(
        &self,
        settings: &MetricSettings,
        names: &Names<'_>,
        metrics: &[MetricChoice],
        has_answers: bool,
    ) -> Result<()> {
        settings.check(metrics)?;
        let asks_claims = matches!(self.builder.claims(), Some(ClaimsChoice::Answers(_)));
        if !has_answers || asks_claims || metrics.iter().any(MetricChoice::asks) {
            return Ok(());
        }
        let expected = "nothing asks a language model: name a metric that does (finesure, sumautoeval, rating, tofueval), or \
                        give --claims answers";
        let value = if metrics.is_empty() { "fenice".to_owned() } else { names.0.join(",") };
        Err(Error::setting("metric", value, expected))
    }
}

/// The names of metrics as they were given.
struct Names<'s>(&'s [String]);

impl Names<'_> {
    fn is_all(&self) -> bool {
        self.0.iter().any(|name| name == ALL_METRICS)
    }

    fn has(&self, metric: Metric) -> bool {
        self.0.iter().any(|name| name.starts_with(metric.name()))
    }

    fn metrics(&self, has_answers: bool) -> Result<Vec<MetricChoice>> {
        let parse = |name: &String| {
            name.parse::<MetricChoice>().map_err(|error| Error::setting("metric", name, error.to_string()))
        };
        let named = self.0.iter().filter(|name| *name != ALL_METRICS);
        let mut metrics = named.map(parse).collect::<Result<Vec<_>>>()?;
        if !has_answers {
            metrics.iter().try_for_each(MetricChoice::check_without_answers)?;
        }
        if self.is_all() {
            metrics.splice(..0, MetricChoice::all());
        }
        Ok(metrics)
    }

    /// `all` alone does not load BERTScore, since its model is a large download.
    fn loads_bertscore(&self, metrics: &[MetricChoice], settings: &MetricSettings) -> bool {
        let is_wanted = metrics.iter().any(|choice| choice.metric == Metric::BertScore);
        is_wanted && (self.has(Metric::BertScore) || settings.encoder().given().is_some())
    }
}

impl MetricSettings {
    /// Refuses settings without an effect, unless they have their default value.
    fn check(&self, metrics: &[MetricChoice]) -> Result<()> {
        let has = |metric| metrics.iter().any(|choice: &MetricChoice| choice.metric == metric);
        if let Some(topic) = &self.topic
            && !has(Metric::Relevance)
        {
            return Err(unused("topic", topic, Metric::Relevance));
        }
        match &self.summac_conv {
            None if Names(&self.metric).has(Metric::SummacConv) => return Err(without_weights()),
            None if self.summac_labels != NliLabels::default() => {
                let expected = "describes weights: give --summac-conv, too";
                return Err(Error::setting("summac_labels", self.summac_labels, expected));
            }
            Some(file) if !has(Metric::SummacConv) => {
                return Err(unused("summac_conv", file.display(), Metric::SummacConv));
            }
            _ => {}
        }
        if let Some(name) = &self.budget_tokenizer {
            let expected = "is for extracts, which `longeval` makes of --methods";
            return Err(Error::setting("budget_tokenizer", name, expected));
        }
        match self.encoder().given() {
            Some(given) if !has(Metric::BertScore) => {
                Err(unused(given.setting, given.value, Metric::BertScore))
            }
            _ => Ok(()),
        }
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

/// The error of a setting for a metric that is not named.
fn unused(setting: &'static str, value: impl ToString, metric: Metric) -> Error {
    Error::setting(setting, value, format!("is for the metric {metric}, which --metric does not name"))
}
