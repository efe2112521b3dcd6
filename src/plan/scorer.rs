//! The settings of a scorer and what they become: models are loaded, the profile is chosen and changed. Every value is
//! checked before anything is read. Refuses settings that contradict each other or the model.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use veridic_models::store::{Manifest, Task, nearest};
use veridic_models::{
    AlignHead, DEFAULT_MODEL, FCoref, LoadOptions, ModelError, ModelSource, NliModel, TextToText,
    TokenClassifier,
};

use super::answers::{Asking, read_answers, templates};
use super::choices::{
    CalibrationChoice, ClaimsChoice, CorefChoice, Dtype, EscalateChoice, NamedText, ProfileName, ScreenChoice,
};
use super::device::Device;
use super::settings::settings;
use crate::error::{Error, Result};
use crate::llm::LanguageModel;
use crate::models::find_model;
use crate::notes::judged_by;
use crate::pipeline::evidence::Calibration;
use crate::pipeline::{
    ClaimExtractor, CorefResolver, DEFAULT_PAIRS_IN_FLIGHT, Level, OverClaims, Pooling, Profile, ScoreRule,
    Scorer, Settings,
};

/// Values of `coref` that are not a model.
const COREF_WITHOUT_MODEL: [&str; 2] = ["off", "rules"];

/// Fewest tokens that `max_tokens` accepts: room for a short claim and a piece of a premise.
const LEAST_MAX_TOKENS: usize = 32;

/// Gets notes about what was loaded, each one sentence for a person.
pub type OnNote<'n> = dyn FnMut(String) + 'n;

settings! {
    /// Builds a [`Scorer`]; every setting that is not given is the model's or the profile's own.
    #[derive(Debug, Clone)]
    pub struct ScorerBuilder {
        /// The NLI model: a name, a folder, or a hub id that was pulled.
        beside model: String,
        /// Answers the steps of metrics and claims that a language model has, instead of `answers`.
        beside language_model: Option<LanguageModel>,
    }

    /// Names of the model's outputs in order, where its configuration does not give them.
    json labels: Vec<String>,
    /// The head of an AlignScore checkpoint; its three-way head by default.
    text align_head: AlignHead,
    /// Where models are computed; the CPU by default.
    text device: Device,
    /// The arithmetic of the NLI model; [`Dtype::Auto`] by default.
    text dtype: Dtype,
    /// Longest pair in tokens, below the model's own limit.
    json max_tokens: usize,
    /// Tokens of a batch. Changes speed and memory, never a result.
    json batch_tokens: NonZeroUsize,
    /// The rules of the score.
    text profile: ProfileName,
    /// Where claims come from.
    text claims: ClaimsChoice,
    /// A file of a language model's answers, for claims and metrics that ask one.
    text answers: PathBuf,
    /// The wording of requests by their steps, such as `finesure:facts`, instead of ours.
    json prompt_templates: BTreeMap<String, String>,
    /// What resolves coreference, for the level `coref`.
    text coref: CorefChoice,
    /// Levels to compute.
    json levels: Vec<Level>,
    /// Sentences of a window.
    json window: NonZeroUsize,
    /// Sentences from one window to the next.
    json stride: NonZeroUsize,
    /// T of FENICE's equation 7: a sentence score of at least T ends a claim. In -1..=1.
    json threshold: f32,
    /// The score of a premise.
    text rule: ScoreRule,
    /// The score of a summary from its claims' scores.
    text over_claims: OverClaims,
    /// Which premises the judge reads of a claim.
    text screen: ScreenChoice,
    /// How near to the limit of support a claim is compared with all premises, whatever the screen leaves out.
    text escalate: EscalateChoice,
    /// A claim whose score reached 1 - epsilon leaves its remaining premises out. In 0..=1.
    json epsilon: f32,
    /// The calibration that weighs evidence and sets thresholds.
    json calibration: CalibrationChoice,
    /// The rate of abstention: so large a share of verdicts, the least certain, is `unsure`. In 0..1; 0 abstains from none.
    json abstain: f32,
    /// Whether texts in languages that the model's card does not list get a verdict.
    json any_language: bool,
    /// Whether the judge reads other fillings of a claim, so that the result says what the document says instead.
    json contrast: bool,
    /// The model that finds the unsupported words of claims, in the place of the NLI model's own head: a name, a folder or a
    /// hub id.
    text token_classifier: String,
    /// Megabytes of the cache of pairs in memory. Changes speed and memory, never a result.
    json cache_mb: usize,
    /// The folder of the score cache, which other runs share. Changes speed, never a result.
    json cache: PathBuf,
}

impl Default for ScorerBuilder {
    fn default() -> Self {
        Self::new(DEFAULT_MODEL)
    }
}

impl Scorer {
    /// Settings of a scorer on an NLI model: a name (`base`, `mini`, or one that was pulled), a folder or a hub id.
    #[must_use]
    pub fn builder(model: impl Into<String>) -> ScorerBuilder {
        ScorerBuilder::new(model)
    }
}

impl ScorerBuilder {
    pub(crate) fn new(model: impl Into<String>) -> Self {
        Self::with(model.into(), None)
    }

    /// Checks the settings and loads the models.
    ///
    /// # Errors
    /// [`Error::Setting`] for a setting without a meaning, and the errors of models, calibrations and the score cache.
    pub fn build(&self) -> Result<Scorer> {
        self.build_noting(&mut |_| {})
    }

    /// [`ScorerBuilder::build`] that passes notes for a person, such as which model judges.
    ///
    /// # Errors
    /// As [`ScorerBuilder::build`].
    pub fn build_noting(&self, note: &mut OnNote<'_>) -> Result<Scorer> {
        self.check_abstain()?;
        let source = nli_source(&self.model)?;
        let settings = self.settings(&source, note)?;
        let scorer = Scorer::new(self.load(&source, note)?, settings);
        let scorer = self.with_calibration(scorer, &source, note)?;
        let scorer = self.with_escalation(self.with_screen_reader(scorer)?)?;
        let scorer = self.with_token_classifier(scorer)?;
        self.with_score_cache(scorer, note)
    }

    /// The same scorer, on the same models, for summaries that bring their claims.
    ///
    /// # Errors
    /// As [`ScorerBuilder::build`].
    pub fn for_given_claims(&self, scorer: &Scorer) -> Result<Scorer> {
        let settings = scorer.settings().clone();
        let settings = Settings { claims: ClaimExtractor::Given, calibration: None, ..settings };
        let scorer = scorer.clone().with_settings(settings);
        // The notes were given for the scorer itself.
        self.with_calibration(scorer, &nli_source(&self.model)?, &mut |_| {})
    }

    /// The NLI model alone.
    ///
    /// # Errors
    /// As [`ScorerBuilder::build`].
    pub fn nli_model(&self, note: &mut OnNote<'_>) -> Result<NliModel> {
        self.load(&nli_source(&self.model)?, note)
    }

    fn load(&self, source: &ModelSource, note: &mut OnNote<'_>) -> Result<NliModel> {
        let device = self.device_or_cpu().open()?;
        let precision = self.dtype.unwrap_or_default().precision();
        let options =
            LoadOptions { labels: self.labels.clone(), precision, device, align_head: self.align_head };
        let model = NliModel::load(source, &options)?;
        self.check_max_tokens(model.token_limit())?;
        if matches!(source, ModelSource::Embedded(_)) {
            note(judged_by(&self.model));
        }
        Ok(model)
    }

    fn check_max_tokens(&self, limit: usize) -> Result<()> {
        let Some(tokens) = self.max_tokens else { return Ok(()) };
        if tokens < LEAST_MAX_TOKENS {
            let expected = format!("at least {LEAST_MAX_TOKENS} are needed for a claim and a premise");
            return Err(Error::setting("max_tokens", tokens, expected));
        }
        if tokens > limit {
            let expected = format!("the model {} takes at most {limit}", self.model);
            return Err(Error::setting("max_tokens", tokens, expected));
        }
        Ok(())
    }

    fn settings(&self, source: &ModelSource, note: &mut OnNote<'_>) -> Result<Settings> {
        let mut profile = self.profile_of(source)?;
        let name = profile.name;
        profile = match (&self.levels, &self.coref) {
            (Some(levels), _) => Profile { levels: in_order(levels), ..profile },
            (None, None) => profile,
            (None, Some(CorefChoice::Off)) => profile.without_coref(),
            (None, Some(_)) => profile.with_coref(),
        };
        let coref = self.coref.clone().unwrap_or(name.usual_coref());
        self.check_coref(&profile, &coref)?;
        if name == ProfileName::Paper && self.coref.is_none() && profile.has(Level::Coref) {
            note(
                "under the profile paper, equation 4's coreference is found by rules; the paper uses F-Coref (`veridic models \
                 pull f-coref`, then `coref` f-coref)"
                    .to_owned(),
            );
        }
        self.change(&mut profile, note)?;
        Ok(Settings {
            profile,
            claims: self.claims.clone().unwrap_or(name.usual_claims()).extractor(
                self.device_or_cpu(),
                &self.asking()?,
                note,
            )?,
            calibration: None,
            abstain: self.abstain.filter(|rate| *rate != 0.0),
            coref: coref.resolver(self.device_or_cpu())?,
            any_language: self.any_language.unwrap_or(false),
            max_tokens: self.max_tokens,
            max_batch_tokens: self.batch_tokens.map(NonZeroUsize::get),
            pairs_in_flight: DEFAULT_PAIRS_IN_FLIGHT,
            cache_bytes: self
                .cache_mb
                .map_or(Settings::default().cache_bytes, |megabytes| megabytes.saturating_mul(1 << 20)),
        })
    }

    /// Applies the settings that change the profile.
    fn change(&self, profile: &mut Profile, note: &mut OnNote<'_>) -> Result<()> {
        if let Some(threshold) = self.threshold {
            if !(-1.0..=1.0).contains(&threshold) {
                return Err(Error::setting("threshold", threshold, "scores are between -1 and 1"));
            }
            profile.pooling = Pooling::Cascade { threshold };
        }
        if let Some(epsilon) = self.epsilon {
            if !(0.0..=1.0).contains(&epsilon) {
                return Err(Error::setting("epsilon", epsilon, "it must be between 0 and 1"));
            }
            profile.epsilon = epsilon;
        }
        self.choose_screen(profile, note)?;
        profile.rule = self.rule.unwrap_or(profile.rule);
        profile.over_claims = self.over_claims.unwrap_or(profile.over_claims);
        profile.window = self.window.unwrap_or(profile.window);
        profile.stride = self.stride.unwrap_or(profile.stride);
        profile.contrast = self.contrast.unwrap_or(profile.contrast);
        Ok(())
    }

    /// Sets what answers the steps that a language model has.
    #[must_use]
    pub fn language_model(mut self, model: impl Into<Option<LanguageModel>>) -> Self {
        self.language_model = model.into();
        self
    }

    /// What answers requests, and their wording.
    pub(super) fn asking(&self) -> Result<Asking> {
        let templates = templates(self.prompt_templates.iter().flatten())?;
        match (&self.language_model, &self.answers) {
            (Some(model), _) => Ok(Asking { model: Some(model.clone()), templates }),
            (None, Some(file)) => {
                let model = LanguageModel::new(Arc::new(read_answers("answers", file)?), templates.clone());
                Ok(Asking { model: Some(model), templates })
            }
            (None, None) => Ok(Asking { model: None, templates }),
        }
    }

    pub(super) fn device_or_cpu(&self) -> Device {
        self.device.unwrap_or_default()
    }

    /// The profile of that name; without one, the checker's for a checker, else `veridic`.
    fn profile_of(&self, source: &ModelSource) -> Result<Profile> {
        let checker = source.entry().and_then(|entry| entry.checker.as_ref());
        match (self.profile, checker) {
            (None | Some(ProfileName::Checker), Some(checker)) => Ok(Profile::checker(checker)),
            (Some(ProfileName::Checker), None) => Err(Error::setting(
                "profile",
                ProfileName::Checker,
                format!("{} is not a named checker", source.id()),
            )),
            (None | Some(ProfileName::Veridic), _) => Ok(Profile::veridic()),
            (Some(ProfileName::Paper), _) => Ok(Profile::paper()),
            (Some(ProfileName::Released), _) => Ok(Profile::released()),
            (Some(ProfileName::ReleasedAggrefact), _) => Ok(Profile::released_aggrefact()),
        }
    }

    /// The level `coref`, a resolver and the level `sentence` go together.
    fn check_coref(&self, profile: &Profile, resolver: &CorefChoice) -> Result<()> {
        let levels = || profile.levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(",");
        let has_coref = profile.has(Level::Coref);
        if has_coref && *resolver == CorefChoice::Off {
            let expected = "the level coref needs `coref`: rules, or a model";
            return Err(match self.levels {
                Some(_) => Error::setting("levels", levels(), expected),
                None => Error::setting("profile", profile.name, expected),
            });
        }
        match &self.coref {
            Some(choice) if !has_coref && *choice != CorefChoice::Off => {
                return Err(Error::setting("coref", choice, "`levels` leaves the level coref out"));
            }
            _ => {}
        }
        if has_coref && !profile.has(Level::Sentence) {
            return Err(Error::setting(
                "levels",
                levels(),
                "coref needs sentence: the best sentence is what is rewritten",
            ));
        }
        Ok(())
    }

    fn check_abstain(&self) -> Result<()> {
        match self.abstain {
            Some(rate) if !(0.0..1.0).contains(&rate) => {
                Err(Error::setting("abstain", rate, "it is a share of verdicts: at least 0 and below 1"))
            }
            _ => Ok(()),
        }
    }

    /// Adds the calibration. Refuses a rate of abstention where none tells the risk of a verdict.
    fn with_calibration(
        &self,
        scorer: Scorer,
        source: &ModelSource,
        note: &mut OnNote<'_>,
    ) -> Result<Scorer> {
        let scorer = self.with_chosen_calibration(scorer, source, note)?;
        let Settings { abstain, calibration, .. } = scorer.settings();
        let Some(rate) = abstain else { return Ok(scorer) };
        let missing = match calibration.as_ref().map(|calibration| &calibration.risk) {
            Some(Some(_)) => return Ok(scorer),
            Some(None) => {
                "the calibration does not tell how often verdicts are wrong: add it with `veridic calibrate`"
            }
            None => {
                "there is no calibration for these settings to tell how often verdicts are wrong: fit one with `veridic \
                 calibrate`"
            }
        };
        Err(Error::setting("abstain", rate, missing))
    }

    /// Adds the calibration that is set; else the NLI model's own, if it was made for these settings.
    fn with_chosen_calibration(
        &self,
        scorer: Scorer,
        source: &ModelSource,
        note: &mut OnNote<'_>,
    ) -> Result<Scorer> {
        match self.calibration.as_ref().unwrap_or(&CalibrationChoice::Own) {
            CalibrationChoice::Off => Ok(scorer),
            CalibrationChoice::Text(NamedText { file, text }) => {
                let invalid = |error| Error::Calibration { file: file.clone(), error };
                let calibration = Calibration::parse(text).map_err(invalid)?;
                scorer.with_calibration(calibration).map_err(invalid)
            }
            CalibrationChoice::Own if !scorer.settings().profile.weighs_facts || self.changes_rules() => {
                Ok(scorer)
            }
            CalibrationChoice::Own => {
                let (scorer, differs) = scorer.with_calibration_of(source)?;
                if let Some(differs) = differs {
                    let id = source.id();
                    note(format!("evidence is not weighed: the calibration of {id} {differs}"));
                }
                Ok(scorer)
            }
        }
    }

    /// Adds the model that finds unsupported words.
    fn with_token_classifier(&self, scorer: Scorer) -> Result<Scorer> {
        let Some(name) = &self.token_classifier else { return Ok(scorer) };
        let failed = |error| Error::SettingModel {
            setting: "token_classifier",
            value: name.clone(),
            error: Box::new(error),
        };
        let source = find_model(name).map_err(failed)?;
        let classifier = TokenClassifier::load_on(&source, &self.device_or_cpu().open()?).map_err(failed)?;
        Ok(scorer.with_token_classifier(classifier))
    }

    /// Whether settings change the rules that the NLI model's own calibration was made for.
    fn changes_rules(&self) -> bool {
        self.rule.is_some()
            || self.over_claims.is_some()
            || self.threshold.is_some()
            || self.window.is_some()
            || self.stride.is_some()
    }

    #[cfg(feature = "cache")]
    fn with_score_cache(&self, scorer: Scorer, note: &mut OnNote<'_>) -> Result<Scorer> {
        let Some(folder) = &self.cache else { return Ok(scorer) };
        let (cache, moved) = crate::schedule::score_cache::ScoreCache::open(folder, &scorer.scope())?;
        if let Some(moved) = moved {
            note(moved.to_string());
        }
        Ok(scorer.with_score_cache(cache))
    }

    #[cfg(not(feature = "cache"))]
    fn with_score_cache(&self, scorer: Scorer, _: &mut dyn FnMut(String)) -> Result<Scorer> {
        match &self.cache {
            Some(folder) => {
                let expected = "this build has no score cache; build it with the feature `cache`";
                Err(Error::setting("cache", folder.display(), expected))
            }
            None => Ok(scorer),
        }
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
    /// What extracts claims from summaries, its model on that device.
    ///
    /// # Errors
    /// When its model cannot be loaded, or there are no answers.
    pub fn extractor(&self, on: Device, asking: &Asking, note: &mut OnNote<'_>) -> Result<ClaimExtractor> {
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
        let model = TextToText::load_on(&source, &on.open()?).map_err(failed)?;
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
    fn resolver(&self, on: Device) -> Result<CorefResolver> {
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
        let model = FCoref::load_on(&source, &on.open()?).map_err(failed)?;
        Ok(CorefResolver::Model(Arc::new(model)))
    }
}

/// Without repetition, in the order in which ties are broken.
fn in_order(levels: &[Level]) -> Vec<Level> {
    let mut levels = levels.to_vec();
    levels.sort_unstable();
    levels.dedup();
    levels
}
