//! From settings to a scorer or an evaluator: settings are read, models are loaded, rules are resolved. Values that no judge
//! could make good are refused before anything is loaded.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use serde_json::{Map, Value};
use veridic_models::store::{Checker, Manifest, Task, nearest};
use veridic_models::{
    DEFAULT_MODEL, FCoref, LoadOptions, ModelError, ModelSource, NliModel, TextToText, TokenClassifier,
};

use super::answers::{Asking, read_answers, wording};
use super::table::{MetricSettings, ModelSettings};
use crate::claims::ClaimExtractor;
use crate::error::{Error, Result};
use crate::llm::{LanguageModel, Templates};
use crate::metrics::MetricChoice;
use crate::models::find_model;
use crate::notes::of_small_model;
use crate::premises::CorefResolver;
use crate::rules::{ClaimsChoice, CorefChoice, Level, ModelFacts, ProfileName, Resolved, Rules, RulesFile};
use crate::schedule::OutcomeCache;
use crate::scorer::{Scorer, Settings};
use crate::screen::ScreenReader;
use crate::settings::Given;

/// Values of `coref` that are not a model.
const COREF_WITHOUT_MODEL: [&str; 2] = ["off", "rules"];

/// The model that screens premises.
const SCREEN_MODEL: &str = "mini";

/// Gets notes about what was loaded, each one sentence for a person.
pub type OnNote<'n> = dyn FnMut(String) + 'n;

/// Builds a [`Scorer`] or an [`Evaluator`](crate::Evaluator); every setting that is not given is the model's or the
/// profile's own.
#[derive(Debug, Clone)]
pub struct Builder {
    model: String,
    given: Given,
    /// Who gives settings, in the origins of values.
    by: &'static str,
    file: Option<RulesFile>,
    language_model: Option<LanguageModel>,
    /// The wording of steps, as texts.
    prompt_texts: BTreeMap<String, String>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new(DEFAULT_MODEL)
    }
}

impl Scorer {
    /// Settings of a scorer on an NLI model: a name (`base`, `mini`, or one that was pulled), a folder or a hub id.
    #[must_use]
    pub fn builder(model: impl Into<String>) -> Builder {
        Builder::new(model)
    }
}

impl Builder {
    pub(crate) fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            given: Given::default(),
            by: "setting",
            file: None,
            language_model: None,
            prompt_texts: BTreeMap::new(),
        }
    }

    /// Gives a setting by its key, as `veridic rules` and docs/reference/settings.md list them.
    ///
    /// # Errors
    /// For a key that no setting has, and one that was given before. Values are checked when the scorer is built.
    pub fn set(mut self, key: &str, value: impl Display) -> Result<Self> {
        self.given.set(key, value.to_string(), self.by)?;
        Ok(self)
    }

    /// Gives settings that were read elsewhere.
    #[must_use]
    pub fn settings(mut self, given: Given) -> Self {
        self.given = given.over(&self.given);
        self
    }

    /// Gives settings by their keys, as JSON values; `model` is the model, and `prompt_template` may be an object of texts by
    /// the names of steps.
    ///
    /// # Errors
    /// As [`Builder::set`], and for a value that no setting has.
    pub fn from_json(settings: &Map<String, Value>) -> Result<Self> {
        let mut builder = Self { by: "argument", ..Self::default() };
        for (key, value) in settings {
            match (key.as_str(), value) {
                ("model", Value::String(model)) => builder.model.clone_from(model),
                ("prompt_template", Value::Object(texts)) => {
                    let text =
                        |(step, text): (&String, &Value)| Some((step.clone(), text.as_str()?.to_owned()));
                    let texts: Option<_> = texts.iter().map(text).collect();
                    builder.prompt_texts = texts.ok_or_else(|| {
                        Error::setting(
                            "prompt_template",
                            value,
                            "give an object of texts, by the names of steps",
                        )
                    })?;
                }
                _ => builder.given.set_json(key, value, builder.by)?,
            }
        }
        Ok(builder)
    }

    /// Gives the settings of a rules file; those that are given otherwise win.
    #[must_use]
    pub fn rules(mut self, file: impl Into<Option<RulesFile>>) -> Self {
        self.file = file.into();
        self
    }

    /// Sets what answers the steps that a language model has, in the place of the settings `answers` and `judge`.
    #[must_use]
    pub fn language_model(mut self, model: impl Into<Option<LanguageModel>>) -> Self {
        self.language_model = model.into();
        self
    }

    /// All settings that were given, a file's among them.
    #[must_use]
    pub fn given(&self) -> Given {
        match &self.file {
            Some(file) => self.given.clone().over(&file.given),
            None => self.given.clone(),
        }
    }

    /// The name of the model.
    #[must_use]
    pub fn model_name(&self) -> &str {
        &self.model
    }

    /// Checks the settings and loads the models.
    ///
    /// # Errors
    /// [`Error::Setting`] for a setting without a meaning, and the errors of models, rules files and the score cache.
    pub fn build(&self) -> Result<Scorer> {
        self.build_noting(&mut |_| {})
    }

    /// [`Builder::build`] that passes notes for a person, such as which model judges.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn build_noting(&self, note: &mut OnNote<'_>) -> Result<Scorer> {
        let given = self.given();
        let settings = ModelSettings::of(&given)?;
        let source = nli_source(&self.model)?;
        Resolved::check(checker_of(&source), &given)?;
        let model = self.load(&source, &settings, note)?;
        let resolved = self.resolve_for(&source, &model, &given)?;
        if resolved.origin("screen").starts_with(NO_SCREEN_MODEL) {
            note(resolved.origin("screen").to_owned());
        }
        let rules = resolved.rules.clone();
        if rules.profile == ProfileName::Paper && given.get("coref").is_none() && rules.has(Level::Coref) {
            note(
                "under the profile paper, equation 4's coreference is found by rules; the paper uses F-Coref (`veridic models \
                 pull f-coref`, then `coref` f-coref)"
                    .to_owned(),
            );
        }
        let scorer_settings = Settings {
            claims: rules.claims.extractor(&self.asking(&given)?, note)?,
            coref: rules.coref.resolver()?,
            rules,
            max_batch_tokens: settings.batch_tokens.map(std::num::NonZeroUsize::get),
            cache_bytes: settings.cache_mb.saturating_mul(1 << 20),
            ..Settings::default()
        };
        let scorer = Scorer::new(model, scorer_settings);
        let scorer = with_screen_reader(scorer, &settings)?;
        let scorer = with_token_classifier(scorer, &settings)?;
        with_score_cache(scorer, &settings, note)
    }

    /// The rules that these settings have for their model, and who set each value. The model is loaded for it.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn resolve(&self) -> Result<Resolved> {
        let given = self.given();
        let source = nli_source(&self.model)?;
        Resolved::check(checker_of(&source), &given)?;
        MetricSettings::of(&given)?;
        let model = self.load(&source, &ModelSettings::of(&given)?, &mut |_| {})?;
        self.resolve_for(&source, &model, &given)
    }

    /// The rules that these settings have for a loaded model.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn rules_for(&self, model: &NliModel) -> Result<Rules> {
        Ok(self.resolve_for(&nli_source(&self.model)?, model, &self.given())?.rules)
    }

    fn resolve_for(&self, source: &ModelSource, model: &NliModel, given: &Given) -> Result<Resolved> {
        let info = model.info();
        if let Some(file) = &self.file {
            file.check(&info.sha256, &info.id)?;
        }
        let own = source.rules()?.map(|(text, file)| RulesFile::parse(&text, &file)).transpose()?;
        let facts = ModelFacts {
            id: info.id.clone(),
            sha256: info.sha256.clone(),
            token_limit: model.token_limit(),
            languages: info.languages.clone(),
            checker: checker_of(source),
            no_screen_model: find_model(SCREEN_MODEL)
                .err()
                .map(|missing| format!("{NO_SCREEN_MODEL}: {missing}")),
            own,
        };
        Resolved::of(&facts, given)
    }

    /// The same scorer, on the same models, for summaries that bring their claims.
    #[must_use]
    pub fn for_given_claims(scorer: &Scorer) -> Scorer {
        let settings = scorer.settings().clone().taking(ClaimExtractor::Given, ClaimsChoice::Given);
        scorer.clone().with_settings(settings)
    }

    /// The NLI model alone.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn nli_model(&self, note: &mut OnNote<'_>) -> Result<NliModel> {
        self.load(&nli_source(&self.model)?, &ModelSettings::of(&self.given())?, note)
    }

    fn load(
        &self,
        source: &ModelSource,
        settings: &ModelSettings,
        note: &mut OnNote<'_>,
    ) -> Result<NliModel> {
        let options = LoadOptions {
            labels: settings.labels.clone(),
            precision: settings.dtype.precision(),
            align_head: settings.align_head,
        };
        let model = NliModel::load(source, &options)?;
        let info = model.info();
        if let Some(small) = of_small_model(&info.id, &info.sha256) {
            note(small);
        }
        Ok(model)
    }

    /// What answers requests, and their wording.
    pub(super) fn asking(&self, given: &Given) -> Result<Asking> {
        let metrics = MetricSettings::of(given)?;
        let templates = self.templates(&metrics, given)?;
        if let (None, Some(url)) = (&self.language_model, &metrics.judge.url) {
            let expected = "the program alone asks a server: give `answers`, a file of its answers";
            return Err(Error::setting("judge", url, expected));
        }
        match (&self.language_model, &metrics.answers) {
            (Some(model), _) => Ok(Asking { model: Some(model.clone()), templates }),
            (None, Some(file)) => {
                let model = LanguageModel::new(Arc::new(read_answers("answers", file)?), templates.clone());
                let model = model.sampling(metrics.judge.runs, metrics.judge.temperature);
                Ok(Asking { model: Some(model), templates })
            }
            (None, None) => Ok(Asking { model: None, templates }),
        }
    }

    /// The wording of the steps that metrics and claims ask.
    ///
    /// # Errors
    /// A file that cannot be read, and a step that nothing asks.
    pub fn templates(&self, metrics: &MetricSettings, given: &Given) -> Result<Templates> {
        let claims: Option<ClaimsChoice> = given.get("claims").and_then(|given| given.text.parse().ok());
        let choices: Vec<MetricChoice> = metrics.metric.iter().filter_map(|name| name.parse().ok()).collect();
        let mut texts = wording(&metrics.prompt_templates, &choices, claims.as_ref())?;
        texts.extend(self.prompt_texts.clone());
        super::answers::templates(&texts)
    }
}

/// How the origin of the screen begins where the small model cannot be used.
const NO_SCREEN_MODEL: &str = "premises are screened by words alone";

fn checker_of(source: &ModelSource) -> Option<&'static Checker> {
    source.entry().and_then(|entry| entry.checker.as_ref())
}

/// Loads the small model of the screen, where its method has one.
fn with_screen_reader(scorer: Scorer, settings: &ModelSettings) -> Result<Scorer> {
    let screen = scorer.settings().rules.screen;
    let Some(screen) = screen.filter(|screen| screen.method.has_reader()) else { return Ok(scorer) };
    let failed =
        |error| Error::SettingModel { setting: "screen", value: screen.to_string(), error: Box::new(error) };
    let source = find_model(SCREEN_MODEL).map_err(failed)?;
    let model = NliModel::load(&source, &LoadOptions::default()).map_err(failed)?.without_token_head();
    let cache = with_reader_scores(&model, OutcomeCache::new(scorer.settings().cache_bytes), settings)?;
    Ok(scorer.with_screen_reader(ScreenReader::new(model, cache)))
}

/// Adds the model that finds unsupported words.
fn with_token_classifier(scorer: Scorer, settings: &ModelSettings) -> Result<Scorer> {
    let Some(name) = &settings.token_classifier else { return Ok(scorer) };
    let failed = |error| Error::SettingModel {
        setting: "token_classifier",
        value: name.clone(),
        error: Box::new(error),
    };
    let source = find_model(name).map_err(failed)?;
    let classifier = TokenClassifier::load(&source).map_err(failed)?;
    Ok(scorer.with_token_classifier(classifier))
}

/// The cache of the small model with its scores of earlier runs, which lie beside those of the judge.
#[cfg(feature = "cache")]
fn with_reader_scores(
    model: &NliModel,
    cache: OutcomeCache,
    settings: &ModelSettings,
) -> Result<OutcomeCache> {
    let Some(folder) = &settings.cache else { return Ok(cache) };
    let scope = crate::engine::scope_of(model);
    let (scores, _) = crate::schedule::score_cache::ScoreCache::open(folder, &scope)?;
    Ok(cache.with_score_cache(scores))
}

#[cfg(not(feature = "cache"))]
#[expect(clippy::unnecessary_wraps, reason = "the other build reads a folder")]
fn with_reader_scores(_: &NliModel, cache: OutcomeCache, _: &ModelSettings) -> Result<OutcomeCache> {
    Ok(cache)
}

#[cfg(feature = "cache")]
fn with_score_cache(scorer: Scorer, settings: &ModelSettings, note: &mut OnNote<'_>) -> Result<Scorer> {
    let Some(folder) = &settings.cache else { return Ok(scorer) };
    let (cache, moved) = crate::schedule::score_cache::ScoreCache::open(folder, &scorer.scope())?;
    if let Some(moved) = moved {
        note(moved.to_string());
    }
    Ok(scorer.with_score_cache(cache))
}

#[cfg(not(feature = "cache"))]
fn with_score_cache(scorer: Scorer, settings: &ModelSettings, _: &mut OnNote<'_>) -> Result<Scorer> {
    match &settings.cache {
        Some(folder) => {
            let expected = "this build has no score cache; build it with the feature `cache`";
            Err(Error::setting("cache", folder.display(), expected))
        }
        None => Ok(scorer),
    }
}

/// Where an NLI model is; that of a bundle, if it is one.
///
/// # Errors
/// When there is none.
pub fn nli_source(name: &str) -> Result<ModelSource> {
    Ok(find_model(Manifest::get().model_for(name, Task::Nli))?)
}

impl ClaimsChoice {
    /// What extracts claims from summaries.
    ///
    /// # Errors
    /// When its model cannot be loaded, or there are no answers.
    pub fn extractor(&self, asking: &Asking, note: &mut OnNote<'_>) -> Result<ClaimExtractor> {
        let name = match self {
            Self::Answers(file) => return asking.claims(file.as_deref()).map(ClaimExtractor::Asked),
            Self::Sentence => return Ok(ClaimExtractor::Sentence),
            Self::Clause => return Ok(ClaimExtractor::Clause),
            Self::Given => return Ok(ClaimExtractor::Given),
            Self::T5(name) => name,
        };
        let failed = |error| Error::SettingModel {
            setting: "claims",
            value: self.to_string(),
            error: Box::new(error),
        };
        let source = find_model(Manifest::get().model_for(name, Task::Claims)).map_err(failed)?;
        let model = TextToText::load(&source).map_err(failed)?;
        let options = model.options();
        if options.length_is_default {
            note(format!(
                "{name} sets no output length; at most {} tokens are generated for a group of sentences",
                options.max_length - 1
            ));
        }
        Ok(ClaimExtractor::T5(Arc::new(model)))
    }
}

impl CorefChoice {
    fn resolver(&self) -> Result<CorefResolver> {
        let name = match self {
            Self::Off => return Ok(CorefResolver::Off),
            Self::Rules => return Ok(CorefResolver::Rules),
            Self::Model(name) => name,
        };
        let failed = |error| match (error, nearest(name, COREF_WITHOUT_MODEL)) {
            (ModelError::Unknown { .. }, Some(near)) => {
                Error::setting("coref", format!("{name} (did you mean `{near}`?)"), "no model has this name")
            }
            (error, _) => {
                Error::SettingModel { setting: "coref", value: name.clone(), error: Box::new(error) }
            }
        };
        let source = find_model(Manifest::get().model_for(name, Task::Coref)).map_err(failed)?;
        let model = FCoref::load(&source).map_err(failed)?;
        Ok(CorefResolver::Model(Arc::new(model)))
    }
}
