//! Builds a scorer from settings: reads the settings, loads the models, resolves the rules. Values that are invalid for
//! every judge are refused before a model is loaded.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde_json::{Map, Value};
use veridic_models::store::{Checker, Manifest, Task};
use veridic_models::{DEFAULT_MODEL, LoadOptions, ModelSource, NliModel};

use super::loading::{OnNote, SCREEN_MODEL, with_screen_reader, with_token_classifier};
use super::table::{ModelSettings, all_settings};
use crate::claims::{ClaimExtractor, WriteClaims};
use crate::error::Result;
use crate::models::find_model;
use crate::notes::small_model_warning;
use crate::rules::{ClaimsChoice, Level, ModelFacts, ProfileName, Resolved, Rules, RulesFile};
use crate::scorer::{Scorer, Settings};
use crate::settings::{Given, known};

/// Builds a [`Scorer`]. Settings that are not given come from the model or the profile.
#[derive(Clone)]
pub struct Builder {
    model: String,
    given: Given,
    /// The name of the source of settings, in the origins of values.
    by: &'static str,
    file: Option<RulesFile>,
    /// Writes claims if the setting `claims` is `answers`.
    claim_writer: Option<Arc<dyn WriteClaims>>,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("model", &self.model)
            .field("given", &self.given)
            .finish_non_exhaustive()
    }
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
        Self { model: model.into(), given: Given::default(), by: "setting", file: None, claim_writer: None }
    }

    /// Sets a setting by its key; `veridic rules` and docs/reference/settings.md list the keys.
    ///
    /// # Errors
    /// When the key is unknown or was set before. Values are checked when the scorer is built.
    pub fn set(mut self, key: &str, value: impl Display) -> Result<Self> {
        self.given.add(known(all_settings(), key)?, value.to_string(), self.by)?;
        Ok(self)
    }

    /// Adds settings that were read elsewhere.
    #[must_use]
    pub fn settings(mut self, given: Given) -> Self {
        self.given = given.over(&self.given);
        self
    }

    /// A builder with these settings, as JSON values by key; `model` is the model's name.
    ///
    /// # Errors
    /// As [`Builder::set`], and when a value has a JSON type that no setting accepts.
    pub fn from_json(settings: &Map<String, Value>) -> Result<Self> {
        let mut builder = Self { by: "argument", ..Self::default() };
        for (key, value) in settings {
            match (key.as_str(), value) {
                ("model", Value::String(model)) => builder.model.clone_from(model),
                _ => builder.given.add_json(known(all_settings(), key)?, value, builder.by)?,
            }
        }
        Ok(builder)
    }

    /// Adds the settings of a rules file; other settings take precedence over them.
    #[must_use]
    pub fn rules(mut self, file: impl Into<Option<RulesFile>>) -> Self {
        self.file = file.into();
        self
    }

    /// Sets the writer of claims for the setting `claims` = `answers`.
    #[must_use]
    pub fn claim_writer(mut self, writer: Option<Arc<dyn WriteClaims>>) -> Self {
        self.claim_writer = writer;
        self
    }

    /// The source of claims, if it was given.
    #[must_use]
    pub fn claims(&self) -> Option<ClaimsChoice> {
        self.given().get("claims").and_then(|given| given.text.parse().ok())
    }

    /// All settings that were given, including those of a rules file.
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
    /// [`Error::Setting`](crate::Error::Setting) for an invalid setting, and the errors of models and rules files.
    pub fn build(&self) -> Result<Scorer> {
        self.build_noting(&mut |_| {})
    }

    /// As [`Builder::build`], and passes notes to `note`, such as a warning about the model.
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
            claims: rules.claims.extractor(settings.device, self.claim_writer.as_ref(), note)?,
            coref: rules.coref.resolver(settings.device)?,
            rules,
            max_batch_tokens: settings.batch_tokens.map(std::num::NonZeroUsize::get),
            cache_bytes: settings.cache_mb.saturating_mul(1 << 20),
            ..Settings::default()
        };
        let scorer = Scorer::new(model, scorer_settings);
        let scorer = with_screen_reader(scorer, settings.device)?;
        with_token_classifier(scorer, &settings)
    }

    /// Resolves the rules of these settings for their model, with the origin of each value. Loads the model.
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn resolve(&self) -> Result<Resolved> {
        let given = self.given();
        let source = nli_source(&self.model)?;
        Resolved::check(checker_of(&source), &given)?;
        let model = self.load(&source, &ModelSettings::of(&given)?, &mut |_| {})?;
        self.resolve_for(&source, &model, &given)
    }

    /// Resolves the rules of these settings for a loaded model.
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
        let own = source.rules()?;
        let own = own.map(|(text, file)| RulesFile::parse(&text, &file, all_settings())).transpose()?;
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

    /// The same scorer with the same models, for summaries that come with their claims.
    #[must_use]
    pub fn for_given_claims(scorer: &Scorer) -> Scorer {
        let settings = scorer.settings().clone().taking(ClaimExtractor::Given, ClaimsChoice::Given);
        scorer.clone().with_settings(settings)
    }

    /// Loads only the NLI model.
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
            device: settings.device,
            precision: settings.dtype.precision(),
            align_head: settings.align_head,
        };
        let model = NliModel::load(source, &options)?;
        let info = model.info();
        if let Some(small) = small_model_warning(&info.id, &info.sha256) {
            note(small);
        }
        Ok(model)
    }
}

/// The start of the screen's origin if the small model cannot be used.
const NO_SCREEN_MODEL: &str = "premises are screened by words alone";

fn checker_of(source: &ModelSource) -> Option<&'static Checker> {
    source.entry().and_then(|entry| entry.checker.as_ref())
}

/// Finds an NLI model; for a bundle, the bundle's NLI model.
///
/// # Errors
/// When there is no such model.
pub fn nli_source(name: &str) -> Result<ModelSource> {
    Ok(find_model(Manifest::get().model_for(name, Task::Nli))?)
}
