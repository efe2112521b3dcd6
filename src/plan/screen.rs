//! The screen of a scorer and its small model, and which claims are read in full. Refuses a screen where the profile has no
//! sentences to rank or reproduces a published program, and escalation without a screen or a distance.

use std::num::NonZeroUsize;

use veridic_models::{LoadOptions, NliModel};

use super::choices::{EscalateChoice, ProfileName, ScreenChoice};
use super::scorer::{OnNote, ScorerBuilder};
use crate::error::{Error, Result};
use crate::models::find_model;
#[cfg(feature = "cache")]
use crate::pipeline::scope_of;
use crate::pipeline::{Level, Profile, Scorer, Screen, ScreenMethod, ScreenReader};
use crate::schedule::OutcomeCache;

/// The model that screens premises.
const SCREEN_MODEL: &str = "mini";

/// K of the default screen with that model, which ranks better than words alone.
const SENTENCES_WITH_MODEL: NonZeroUsize = NonZeroUsize::new(6).expect("6 is not 0");

/// The distance between the lowest and the highest score.
const WIDEST_ESCALATION: f32 = 2.0;

impl ScorerBuilder {
    /// A screen ranks sentences, so it needs their level; a profile that reproduces a published program reads everything.
    pub(super) fn choose_screen(&self, profile: &mut Profile, note: &mut OnNote<'_>) -> Result<()> {
        let has_sentences = profile.has(Level::Sentence);
        match self.screen {
            Some(ScreenChoice::Keep(screen)) => {
                let refused = |expected: &str| Err(Error::setting("screen", screen, expected));
                if profile.name == ProfileName::Checker {
                    return refused(
                        "a checker reads chunks and has no level sentence to screen; leave it out",
                    );
                }
                if profile.name != ProfileName::Veridic {
                    return refused(
                        "the profiles of published programs read every premise; use the profile veridic",
                    );
                }
                if !has_sentences {
                    return refused("it ranks sentences, which `levels` leaves out: add sentence");
                }
                profile.screen = Some(screen);
            }
            Some(ScreenChoice::Off) => profile.screen = None,
            None => {
                let usual = profile.screen.filter(|_| has_sentences);
                profile.screen = usual.map(|usual| self.usual_screen(usual, note));
            }
        }
        match self.escalate {
            Some(escalate) if profile.screen.is_none() => {
                let expected = "without a `screen` nothing is left out that could be read; leave it out";
                Err(Error::setting("escalate", escalate, expected))
            }
            Some(EscalateChoice::Within(within)) if !(within > 0.0 && within <= WIDEST_ESCALATION) => {
                let expected =
                    format!("a distance between scores is more than 0 and at most {WIDEST_ESCALATION}");
                Err(Error::setting("escalate", within, expected))
            }
            _ => Ok(()),
        }
    }

    /// The screen of a profile, with the small model too, unless that is the judge itself or is not at hand.
    fn usual_screen(&self, usual: Screen, note: &mut OnNote<'_>) -> Screen {
        if self.model == SCREEN_MODEL {
            return usual;
        }
        if let Err(missing) = find_model(SCREEN_MODEL) {
            note(format!("premises are screened by words alone: {missing}"));
            return usual;
        }
        Screen::new(ScreenMethod::MiniAndWords, SENTENCES_WITH_MODEL)
    }

    /// Loads the small model of the screen, where its method has one.
    pub(super) fn with_screen_reader(&self, scorer: Scorer) -> Result<Scorer> {
        let screen = scorer.settings().profile.screen;
        let Some(screen) = screen.filter(|screen| screen.method.has_reader()) else { return Ok(scorer) };
        let failed = |error| Error::SettingModel {
            setting: "screen",
            value: screen.to_string(),
            error: Box::new(error),
        };
        let source = find_model(SCREEN_MODEL).map_err(failed)?;
        let device = self.device_or_cpu().open()?;
        let options = LoadOptions { device, ..LoadOptions::default() };
        let model = NliModel::load(&source, &options).map_err(failed)?.without_token_head();
        let cache = self.with_reader_scores(&model, OutcomeCache::new(scorer.settings().cache_bytes))?;
        Ok(scorer.with_screen_reader(ScreenReader::new(model, cache)))
    }

    /// How near to the limit claims are escalated: as set, or as the calibration has it.
    pub(super) fn with_escalation(&self, scorer: Scorer) -> Result<Scorer> {
        let within = match self.escalate {
            None => return Ok(scorer),
            Some(EscalateChoice::Within(within)) => within,
            Some(EscalateChoice::Calibrated) => {
                let calibration = scorer.settings().calibration.as_ref();
                calibration.and_then(|calibration| calibration.escalate_within).ok_or_else(|| {
                    let expected = "the calibration says no distance: give one, such as 0.1, or fit one with \
                                    `veridic calibrate --full`";
                    Error::setting("escalate", "calibrated", expected)
                })?
            }
        };
        let mut settings = scorer.settings().clone();
        settings.profile.escalate = Some(within);
        Ok(scorer.with_settings(settings))
    }

    /// The cache of the small model with its scores of earlier runs, which lie beside those of the judge.
    #[cfg(feature = "cache")]
    fn with_reader_scores(&self, model: &NliModel, cache: OutcomeCache) -> Result<OutcomeCache> {
        let Some(folder) = &self.cache else { return Ok(cache) };
        let (scores, _) = crate::schedule::score_cache::ScoreCache::open(folder, &scope_of(model))?;
        Ok(cache.with_score_cache(scores))
    }

    #[cfg(not(feature = "cache"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the other build reads a folder")]
    fn with_reader_scores(&self, _: &NliModel, cache: OutcomeCache) -> Result<OutcomeCache> {
        Ok(cache)
    }
}
