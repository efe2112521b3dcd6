//! Loads the models beside the judge: those of claims, coreference, the screen and unsupported words. The error for one
//! that cannot be loaded names its setting.

use std::sync::Arc;

use veridic_models::store::{Manifest, Task, nearest};
use veridic_models::{ComputeDevice, FCoref, LoadOptions, ModelError, NliModel, TextToText, TokenClassifier};

use super::table::ModelSettings;
use crate::claims::{ClaimExtractor, WriteClaims};
use crate::error::{Error, Result};
use crate::models::find_model;
use crate::premises::CorefResolver;
use crate::rules::{ClaimsChoice, CorefChoice};
use crate::schedule::outcome_cache;
use crate::scorer::Scorer;
use crate::screen::ScreenReader;

/// Receives notes about what was loaded, each a sentence for the user.
pub type OnNote<'n> = dyn FnMut(String) + 'n;

/// The model that screens premises.
pub(super) const SCREEN_MODEL: &str = "mini";

/// Values of `coref` that are not a model.
const COREF_WITHOUT_MODEL: [&str; 2] = ["off", "rules"];

/// The error for the model of a setting's value.
fn unloadable(setting: &'static str, value: impl ToString) -> impl Fn(ModelError) -> Error {
    move |error| Error::SettingModel { setting, value: value.to_string(), error: Box::new(error) }
}

/// Loads the small model of the screen, if its method uses one.
pub(super) fn with_screen_reader(scorer: Scorer, device: ComputeDevice) -> Result<Scorer> {
    let screen = scorer.settings().rules.screen;
    let Some(screen) = screen.filter(|screen| screen.method.has_reader()) else { return Ok(scorer) };
    let failed = unloadable("screen", screen);
    let source = find_model(SCREEN_MODEL).map_err(&failed)?;
    let options = LoadOptions { device, ..LoadOptions::default() };
    let model = NliModel::load(&source, &options).map_err(failed)?.without_token_head();
    let cache = outcome_cache(scorer.settings().cache_bytes);
    Ok(scorer.with_screen_reader(ScreenReader::new(model, cache)))
}

/// Adds the model that finds unsupported words.
pub(super) fn with_token_classifier(scorer: Scorer, settings: &ModelSettings) -> Result<Scorer> {
    let Some(name) = &settings.token_classifier else { return Ok(scorer) };
    let failed = unloadable("token_classifier", name);
    let source = find_model(name).map_err(&failed)?;
    let classifier = TokenClassifier::load(&source, settings.device).map_err(failed)?;
    Ok(scorer.with_token_classifier(classifier))
}

impl ClaimsChoice {
    /// Loads the extractor of claims; a model is computed on the device.
    ///
    /// # Errors
    /// When its model cannot be loaded, or there is no writer of answers.
    pub fn extractor(
        &self,
        device: ComputeDevice,
        writer: Option<&Arc<dyn WriteClaims>>,
        note: &mut OnNote<'_>,
    ) -> Result<ClaimExtractor> {
        let name = match self {
            Self::Answers(_) => {
                let missing = || {
                    let expected = "a language model writes them, and this program asks none; in Rust, give a `WriteClaims`";
                    Error::setting("claims", self, expected)
                };
                return writer.cloned().map(ClaimExtractor::Written).ok_or_else(missing);
            }
            Self::Sentence => return Ok(ClaimExtractor::Sentence),
            Self::Given => return Ok(ClaimExtractor::Given),
            Self::T5(name) => name,
        };
        let failed = unloadable("claims", self);
        let source = find_model(Manifest::get().model_for(name, Task::Claims)).map_err(&failed)?;
        let model = TextToText::load(&source, device).map_err(failed)?;
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
    pub(super) fn resolver(&self, device: ComputeDevice) -> Result<CorefResolver> {
        let name = match self {
            Self::Off => return Ok(CorefResolver::Off),
            Self::Rules => return Ok(CorefResolver::Rules),
            Self::Model(name) => name,
        };
        let failed = |error| match (error, nearest(name, COREF_WITHOUT_MODEL)) {
            (ModelError::Unknown { .. }, Some(near)) => {
                Error::setting("coref", format!("{name} (did you mean `{near}`?)"), "no model has this name")
            }
            (error, _) => unloadable("coref", name)(error),
        };
        let source = find_model(Manifest::get().model_for(name, Task::Coref)).map_err(failed)?;
        let model = FCoref::load(&source, device).map_err(failed)?;
        Ok(CorefResolver::Model(Arc::new(model)))
    }
}
