//! What every result records of its origin: the limits of verdicts, the rules and the models.

use sha2::{Digest, Sha256};
use veridic_models::{ModelIdentity, NliModel};

use super::coref::CorefResolver;
use crate::rules::Level;
use super::result::{Limits, ModelId, Models, ProfileStamp, Scale};
use super::scorer::Scorer;
use super::settings::Settings;
use crate::llm::Step;

impl Scorer {
    /// The limits that decide verdicts, as results repeat them.
    pub(super) fn limits(&self) -> Limits {
        let rules = &self.settings.rules;
        Limits {
            scale: if rules.scores_are_probabilities() { Scale::Probability } else { Scale::Score },
            thresholds: rules.thresholds,
            quantity_nowhere: rules.caps.quantity_nowhere,
            date_nowhere: rules.caps.date_nowhere,
            instead: rules.caps.instead.filter(|_| rules.contrast),
            unsure_within: rules.abstain,
        }
    }

    /// The coreference resolver; off where the profile does not use one.
    fn resolver(&self) -> &CorefResolver {
        let Settings { rules, coref, .. } = &self.settings;
        if rules.has(Level::Coref) { coref } else { &CorefResolver::Off }
    }

    /// The rules that every result records.
    #[must_use]
    pub fn stamp(&self) -> ProfileStamp {
        ProfileStamp {
            rules: self.settings.rules.clone(),
            digest: self.settings.rules.digest(),
            answers: self.settings.claims.language_model().map(|model| model.stamp(&[Step::FeniceClaims])),
        }
    }

    /// The models that every result records.
    #[must_use]
    pub fn models(&self) -> Models {
        let reader = self.screen_reader.as_ref().filter(|_| self.settings.rules.screen.is_some());
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
