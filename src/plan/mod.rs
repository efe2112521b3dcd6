//! From what a front door was asked for to a scorer: one set of choices for the command line and for Python, by the
//! names that people type. Every value is checked here, before anything is read; errors call an option as the command
//! line does. Refuses choices that contradict each other or the model.

mod choices;
mod device;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use veridic_models::store::{Manifest, Task, did_you_mean, nearest};
use veridic_models::{
    DEFAULT_MODEL, FCoref, LoadOptions, ModelError, ModelSource, NliModel, Precision, TextToText,
};

pub use self::choices::{
    CalibrationChoice, ClaimsChoice, CorefChoice, ScreenChoice, UnknownClaims, UnknownScreen,
};
pub use self::device::{DeviceChoice, UnknownDevice};
use crate::error::{Error, Result};
use crate::notes::judged_by;
use crate::pipeline::evidence::Calibration;
use crate::pipeline::{
    ClaimExtractor, CorefResolver, DEFAULT_PAIRS_IN_FLIGHT, Level, OverClaims, Pooling, Profile, ScoreRule,
    Scorer, Settings,
};

/// Profiles that find other names by the rules, unless told otherwise.
const PROFILES_WITH_RULES: [&str; 2] = ["veridic", PAPER];

/// Profiles whose claims are sentences, unless told otherwise.
const PROFILES_OF_SENTENCES: [&str; 2] = ["veridic", Profile::CHECKER];

/// The profile of FENICE's equations, whose authors take a model where we take the rules.
const PAPER: &str = "paper";

/// What `--coref` takes beside models.
const WAYS_WITHOUT_MODEL: [&str; 2] = ["off", "rules"];

/// Fewest tokens that `--max-tokens` accepts: room for a short claim and a piece of a premise.
const LEAST_MAX_TOKENS: usize = 32;

/// What judges and how; none is what the model and the profile have of their own.
#[derive(Debug, Clone)]
pub struct ScorerPlan {
    /// The NLI model: a name, a folder, or a hub id that was pulled.
    pub model: String,
    /// Names of the model's outputs in order, where its configuration does not give them.
    pub labels: Option<Vec<String>>,
    /// Where models are computed.
    pub device: DeviceChoice,
    /// Numbers that the NLI model computes in; none for the device's own.
    pub precision: Option<Precision>,
    /// Longest pair in tokens, below the model's own limit.
    pub max_tokens: Option<usize>,
    /// Tokens of a batch; changes speed and memory, never a result.
    pub batch_tokens: Option<NonZeroUsize>,
    /// The rules of the score, by name.
    pub profile: Option<String>,
    /// Where claims come from.
    pub claims: Option<ClaimsChoice>,
    /// What finds other names of the same thing.
    pub coref: Option<CorefChoice>,
    /// Levels to compute.
    pub levels: Option<Vec<Level>>,
    /// Sentences of a window.
    pub window: Option<NonZeroUsize>,
    /// Sentences from one window to the next.
    pub stride: Option<NonZeroUsize>,
    /// A sentence score that ends a claim.
    pub threshold: Option<f32>,
    /// What a premise's probabilities become.
    pub rule: Option<ScoreRule>,
    /// How the claims' scores become the summary's.
    pub over_claims: Option<OverClaims>,
    /// How many premises of each level a claim is compared with.
    pub screen: Option<ScreenChoice>,
    /// A claim whose score reached 1 - epsilon leaves its remaining premises out.
    pub epsilon: Option<f32>,
    /// What weighs evidence.
    pub calibration: CalibrationChoice,
    /// Whether texts in languages that the model's card does not list get a verdict.
    pub any_language: bool,
    /// Memory for what the model said before; changes speed and memory, never a result.
    pub cache_bytes: usize,
    /// A folder that keeps what the model said, for other runs too.
    pub cache: Option<PathBuf>,
}

impl Default for ScorerPlan {
    fn default() -> Self {
        Self {
            model: DEFAULT_MODEL.to_owned(),
            labels: None,
            device: DeviceChoice::Cpu,
            precision: None,
            max_tokens: None,
            batch_tokens: None,
            profile: None,
            claims: None,
            coref: None,
            levels: None,
            window: None,
            stride: None,
            threshold: None,
            rule: None,
            over_claims: None,
            screen: None,
            epsilon: None,
            calibration: CalibrationChoice::Own,
            any_language: false,
            cache_bytes: Settings::default().cache_bytes,
            cache: None,
        }
    }
}

impl ScorerPlan {
    /// Loads what was chosen; `tell` gets what a person should know.
    ///
    /// # Errors
    /// [`Error::Setting`] for choices without a meaning, and what models and calibrations fail with.
    pub fn scorer(&self, tell: &mut dyn FnMut(String)) -> Result<Scorer> {
        let source = nli_source(&self.model)?;
        let settings = self.settings(&source, tell)?;
        let scorer = Scorer::new(self.load(&source, tell)?, settings);
        let scorer = self.with_calibration(scorer, &source, tell)?;
        self.with_score_cache(scorer, tell)
    }

    /// The same scorer, on the same models, for summaries that bring their claims.
    ///
    /// # Errors
    /// As [`ScorerPlan::scorer`].
    pub fn for_given_claims(&self, scorer: &Scorer) -> Result<Scorer> {
        let settings = scorer.settings().clone();
        let settings = Settings { claims: ClaimExtractor::Given, calibration: None, ..settings };
        let scorer = scorer.clone().with_settings(settings);
        // What a person should know was told for the scorer itself.
        self.with_calibration(scorer, &nli_source(&self.model)?, &mut |_| {})
    }

    /// The NLI model alone.
    ///
    /// # Errors
    /// As [`ScorerPlan::scorer`].
    pub fn nli_model(&self, tell: &mut dyn FnMut(String)) -> Result<NliModel> {
        self.load(&nli_source(&self.model)?, tell)
    }

    fn load(&self, source: &ModelSource, tell: &mut dyn FnMut(String)) -> Result<NliModel> {
        let device = self.device.open()?;
        let options = LoadOptions { labels: self.labels.clone(), precision: self.precision, device };
        let model = NliModel::load(source, &options)?;
        self.check_max_tokens(model.token_limit())?;
        if matches!(source, ModelSource::Bundled(_)) {
            tell(judged_by(&self.model));
        }
        Ok(model)
    }

    fn check_max_tokens(&self, limit: usize) -> Result<()> {
        let Some(tokens) = self.max_tokens else { return Ok(()) };
        if tokens < LEAST_MAX_TOKENS {
            return refuse(format!(
                "--max-tokens {tokens}: at least {LEAST_MAX_TOKENS} are needed for a claim and a premise"
            ));
        }
        if tokens > limit {
            return refuse(format!("--max-tokens {tokens}: the model {} takes at most {limit}", self.model));
        }
        Ok(())
    }

    fn settings(&self, source: &ModelSource, tell: &mut dyn FnMut(String)) -> Result<Settings> {
        let mut profile = self.profile(source)?;
        let takes_sentences = PROFILES_OF_SENTENCES.contains(&profile.name);
        let own_claims = if takes_sentences { ClaimsChoice::Sentence } else { ClaimsChoice::Clause };
        let has_rules = PROFILES_WITH_RULES.contains(&profile.name);
        let own_coref = if has_rules { CorefChoice::Rules } else { CorefChoice::Off };
        profile = match (&self.levels, &self.coref) {
            (Some(levels), _) => Profile { levels: in_order(levels), ..profile },
            (None, None) => profile,
            (None, Some(CorefChoice::Off)) => profile.without_coref(),
            (None, Some(_)) => profile.with_coref(),
        };
        let coref = self.coref.as_ref().unwrap_or(&own_coref);
        self.check_coref(&profile, coref)?;
        if profile.name == PAPER && self.coref.is_none() && profile.has(Level::Coref) {
            tell(
                "--profile paper: equation 4's coreference is found by rules; the paper's is F-Coref (veridic models \
                 pull f-coref, then --coref f-coref)"
                    .to_owned(),
            );
        }
        self.change(&mut profile)?;
        Ok(Settings {
            profile,
            claims: self.claims.as_ref().unwrap_or(&own_claims).extractor(self.device, tell)?,
            calibration: None,
            coref: coref.resolver(self.device)?,
            any_language: self.any_language,
            max_tokens: self.max_tokens,
            max_batch_tokens: self.batch_tokens.map(NonZeroUsize::get),
            pairs_in_flight: DEFAULT_PAIRS_IN_FLIGHT,
            cache_bytes: self.cache_bytes,
        })
    }

    /// What was chosen over the profile.
    fn change(&self, profile: &mut Profile) -> Result<()> {
        if let Some(threshold) = self.threshold {
            if !(-1.0..=1.0).contains(&threshold) {
                return refuse(format!("--threshold {threshold}: scores are between -1 and 1"));
            }
            profile.pooling = Pooling::Cascade { threshold };
        }
        if let Some(epsilon) = self.epsilon {
            if !(0.0..=1.0).contains(&epsilon) {
                return refuse(format!("--epsilon {epsilon}: it must be between 0 and 1"));
            }
            profile.epsilon = epsilon;
        }
        match self.screen {
            None => {}
            Some(ScreenChoice::Off) => profile.screen = None,
            Some(ScreenChoice::Most(screen)) => profile.screen = Some(screen),
        }
        profile.rule = self.rule.unwrap_or(profile.rule);
        profile.over_claims = self.over_claims.unwrap_or(profile.over_claims);
        profile.window = self.window.unwrap_or(profile.window);
        profile.stride = self.stride.unwrap_or(profile.stride);
        Ok(())
    }

    /// The profile of that name; without one, what is made for the model.
    fn profile(&self, source: &ModelSource) -> Result<Profile> {
        let checker = source.entry().and_then(|entry| entry.checker.as_ref());
        match (self.profile.as_deref(), checker) {
            (None | Some(Profile::CHECKER), Some(checker)) => Ok(Profile::checker(checker)),
            (Some(Profile::CHECKER), None) => refuse(format!(
                "--profile {}: {} is no checker that has a name",
                Profile::CHECKER,
                source.id()
            )),
            (None, None) => Ok(Profile::veridic()),
            (Some(name), _) => Profile::named(name).ok_or_else(|| {
                let known = [&Profile::NAMES[..], &[Profile::CHECKER]].concat();
                let meant = did_you_mean(name, known.iter().copied());
                Error::Setting(format!("--profile {name}{meant}: known profiles are {}", known.join(", ")))
            }),
        }
    }

    /// The level `coref`, a resolver and the level `sentence` go together.
    fn check_coref(&self, profile: &Profile, resolver: &CorefChoice) -> Result<()> {
        let has_coref = profile.has(Level::Coref);
        if has_coref && *resolver == CorefChoice::Off {
            return refuse(match self.levels {
                Some(_) => "--levels has coref: say how with --coref rules or --coref DIR".to_owned(),
                None => format!(
                    "--profile {} rewrites sentences: say how with --coref rules or --coref DIR",
                    profile.name
                ),
            });
        }
        if !has_coref && self.coref.as_ref().is_some_and(|choice| *choice != CorefChoice::Off) {
            return refuse("--coref is given, and --levels leaves the level coref out".to_owned());
        }
        if has_coref && !profile.has(Level::Sentence) {
            let reason = "--levels has coref without sentence: the best sentence is what is rewritten";
            return refuse(reason.to_owned());
        }
        Ok(())
    }

    /// The scorer with the calibration that was chosen; else the NLI model's own, where it is for these settings.
    fn with_calibration(
        &self,
        scorer: Scorer,
        source: &ModelSource,
        tell: &mut dyn FnMut(String),
    ) -> Result<Scorer> {
        match &self.calibration {
            CalibrationChoice::Off => Ok(scorer),
            CalibrationChoice::Text { file, text } => {
                let told = |error| Error::Calibration { file: file.clone(), error };
                let calibration = Calibration::parse(text).map_err(told)?;
                scorer.with_calibration(calibration).map_err(told)
            }
            CalibrationChoice::Own if !scorer.settings().profile.weighs_facts || self.changes_rules() => {
                Ok(scorer)
            }
            CalibrationChoice::Own => {
                let (scorer, differs) = scorer.with_calibration_of(source)?;
                if let Some(differs) = differs {
                    let id = source.id();
                    tell(format!("evidence is not weighed: the calibration of {id} {differs}"));
                }
                Ok(scorer)
            }
        }
    }

    /// Whether the profile's rules are changed, for which the NLI model's own calibration was made.
    fn changes_rules(&self) -> bool {
        self.rule.is_some()
            || self.over_claims.is_some()
            || self.threshold.is_some()
            || self.window.is_some()
            || self.stride.is_some()
    }

    #[cfg(feature = "cache")]
    fn with_score_cache(&self, scorer: Scorer, tell: &mut dyn FnMut(String)) -> Result<Scorer> {
        let Some(folder) = &self.cache else { return Ok(scorer) };
        let (store, moved) = crate::schedule::score_cache::ScoreCache::open(folder, &scorer.scope())?;
        if let Some(moved) = moved {
            tell(moved.to_string());
        }
        Ok(scorer.with_score_cache(store))
    }

    #[cfg(not(feature = "cache"))]
    fn with_score_cache(&self, scorer: Scorer, _: &mut dyn FnMut(String)) -> Result<Scorer> {
        match self.cache {
            Some(_) => {
                refuse("--cache: this build keeps no scores; build it with the feature `cache`".to_owned())
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
    Ok(ModelSource::find(Manifest::get().model_for(name, Task::Nli))?)
}

impl ClaimsChoice {
    /// What takes claims out of summaries, its model on that device; `tell` gets what a person should know.
    ///
    /// # Errors
    /// When its model cannot be loaded.
    pub fn extractor(&self, on: DeviceChoice, tell: &mut dyn FnMut(String)) -> Result<ClaimExtractor> {
        let name = match self {
            Self::Sentence => return Ok(ClaimExtractor::Sentence),
            Self::Clause => return Ok(ClaimExtractor::Clause),
            Self::Given => return Ok(ClaimExtractor::Given),
            Self::T5(name) => name,
        };
        let told = |error| Error::Option { option: format!("--claims t5={name}"), error: Box::new(error) };
        let source = ModelSource::find(Manifest::get().model_for(name, Task::Claims)).map_err(told)?;
        let model = TextToText::load_on(&source, &on.open()?).map_err(told)?;
        let options = model.options();
        if options.length_is_default {
            tell(format!(
                "{name} sets no output length; at most {} tokens are generated for a group of sentences",
                options.max_length - 1
            ));
        }
        Ok(ClaimExtractor::T5(Arc::new(model)))
    }
}

impl CorefChoice {
    fn resolver(&self, on: DeviceChoice) -> Result<CorefResolver> {
        let name = match self {
            Self::Off => return Ok(CorefResolver::Off),
            Self::Rules => return Ok(CorefResolver::Rules),
            Self::Model(name) => name,
        };
        let told = |error| match (error, nearest(name, WAYS_WITHOUT_MODEL)) {
            (ModelError::Unknown { .. }, Some(way)) => {
                Error::Setting(format!("--coref {name} (did you mean `{way}`?): no model has this name"))
            }
            (error, _) => Error::Option { option: format!("--coref {name}"), error: Box::new(error) },
        };
        let source = ModelSource::find(Manifest::get().model_for(name, Task::Coref)).map_err(told)?;
        let model = FCoref::load_on(&source, &on.open()?).map_err(told)?;
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

fn refuse<T>(reason: String) -> Result<T> {
    Err(Error::Setting(reason))
}
