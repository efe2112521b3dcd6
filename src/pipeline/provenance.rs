//! What every result records of its origin: the limits of verdicts, the settings and the models.

use sha2::{Digest, Sha256};
use veridic_models::{ModelIdentity, NliModel};

use super::coref::CorefResolver;
use super::evidence::RiskLimit;
use super::profile::{Level, OverClaims, Profile};
use super::result::{Limits, ModelId, Models, ProfileStamp, Scale};
use super::scorer::Scorer;
use super::settings::Settings;
use crate::llm::Step;

impl Scorer {
    /// How the claims' scores become the summary's. Of probabilities it is the minimum where the profile has the mean:
    /// one bad claim makes a summary inconsistent, and the summary's score and verdict then agree.
    pub(super) fn over_claims(&self) -> OverClaims {
        match self.settings.profile.over_claims {
            OverClaims::Mean if self.settings.calibration.is_some() => OverClaims::Minimum,
            rule => rule,
        }
    }

    /// What decides verdicts: the calibration's limits, else the profile's.
    pub(super) fn limits(&self) -> Limits {
        let unsure = self.unsure();
        match &self.settings.calibration {
            Some(calibration) => Limits {
                scale: Scale::Probability,
                thresholds: calibration.thresholds,
                quantity_nowhere: calibration.quantity_nowhere,
                instead: calibration.instead,
                unsure_above_risk: unsure.map(|limit| limit.risk),
                precision_of_rest: unsure.map(|limit| limit.precision),
            },
            None => Limits {
                scale: Scale::Score,
                thresholds: self.settings.profile.thresholds,
                quantity_nowhere: None,
                instead: None,
                unsure_above_risk: None,
                precision_of_rest: None,
            },
        }
    }

    /// The limit of risk above which verdicts are unsure, where a rate of abstention is set.
    fn unsure(&self) -> Option<RiskLimit> {
        let risk = self.settings.calibration.as_ref()?.risk.as_ref()?;
        Some(risk.limit(self.settings.abstain?))
    }

    /// The coreference resolver; off where the profile does not use one.
    fn resolver(&self) -> &CorefResolver {
        let Settings { profile, coref, .. } = &self.settings;
        if profile.has(Level::Coref) { coref } else { &CorefResolver::Off }
    }

    /// The settings that every result records.
    #[must_use]
    pub fn stamp(&self) -> ProfileStamp {
        ProfileStamp {
            profile: Profile {
                over_claims: self.over_claims(),
                thresholds: self.limits().thresholds,
                ..self.settings.profile.clone()
            },
            max_tokens: self.max_tokens(),
            abstain: self.settings.abstain,
            calibration: self.settings.calibration.as_ref().map(|calibration| calibration.sha256.clone()),
            claims: self.settings.claims.name(),
            coref: self.resolver().name(),
            languages: self.listed_languages().map(<[String]>::to_vec),
            answers: self.settings.claims.language_model().map(|model| model.stamp(&[Step::FeniceClaims])),
        }
    }

    /// The models that every result records.
    #[must_use]
    pub fn models(&self) -> Models {
        let reader = self.screen_reader.as_ref().filter(|_| self.settings.profile.screen.is_some());
        Models {
            nli: nli_id(&self.model),
            screen: reader.map(|reader| nli_id(&reader.model)),
            claims: self.settings.claims.model().map(|model| model_id(model.identity())),
            coref: self.resolver().model().map(|model| model_id(model.identity())),
            token_classifier: self.token_classifier.as_ref().map(|model| model_id(model.identity())),
        }
    }
}

fn nli_id(model: &NliModel) -> ModelId {
    let info = model.info();
    ModelId {
        id: info.id.clone(),
        sha256: info.sha256.clone(),
        settings_sha256: model.settings_sha256().to_owned(),
        dtype: model.precision().name(),
        unit: model.unit(),
        device: model.device().name(),
    }
}

/// A digest of everything except its tokens that a pair's probabilities by a model depend on: model, dtype and
/// arithmetic.
pub(crate) fn scope_of(model: &NliModel) -> [u8; 32] {
    let nli = nli_id(model);
    let arithmetic = model.device().arithmetic();
    let unit = nli.unit.unwrap_or_default();
    let scope = format!("{arithmetic} {} {} {} {unit}", nli.sha256, nli.settings_sha256, nli.dtype);
    Sha256::digest(scope).into()
}

fn model_id(model: &ModelIdentity) -> ModelId {
    let ModelIdentity { id, sha256, settings_sha256, dtype, device } = model.clone();
    ModelId { id, sha256, settings_sha256, dtype, unit: None, device }
}
