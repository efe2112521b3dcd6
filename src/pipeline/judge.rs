//! From alignments to a result: verdicts, evidence, and what was computed.

use veridic_models::ModelIdentity;

use super::align::{Alignment, PremiseId};
use super::claims::Claim;
use super::coref::CorefResolver;
use super::premises::Premises;
use super::profile::{Level, OverClaims, Profile};
use super::result::{
    ClaimResult, CounterEvidence, Evidence, Ledger, ModelId, Models, PairResult, ProfileStamp, SCHEMA,
};
use super::scorer::{Scorer, Settings};
use super::traveller::{ClaimUnderway, Traveller};
use super::verdict::{Verdict, pool};
use crate::error::{Error, Result};

impl Scorer {
    /// Alignments become verdicts.
    pub(super) fn judge(&self, traveller: Traveller<'_, '_>) -> Result<PairResult> {
        let Traveller { premises, claims, claims_from, cut, too_long, .. } = traveller;
        let mut ledger = Ledger {
            sentences: premises.sentence_count(),
            premises: 0,
            premises_skipped: 0,
            premises_split: premises.split_count(),
            premises_cut: cut,
            rewritings_left_out: premises.rewritings_left_out() + too_long,
            claims_from,
            extract: None,
        };
        let mut judged = Vec::with_capacity(claims.len());
        for ClaimUnderway { claim, alignment, .. } in claims {
            let alignment = alignment.finish().ok_or_else(|| {
                Error::Setting(
                    "the chosen levels give this document no premise: add the level `sentence` or `document`"
                        .into(),
                )
            })?;
            ledger.premises += alignment.computed;
            ledger.premises_skipped += alignment.skipped;
            judged.push(self.judge_claim(&premises, claim, &alignment));
        }
        let score = pool(self.over_claims(), judged.iter().map(|claim| claim.score));
        Ok(PairResult {
            schema: SCHEMA,
            score,
            probability: self
                .settings
                .calibration
                .as_ref()
                .map(|calibration| calibration.probability.at(score)),
            verdict: Verdict::of_summary(judged.iter().map(|claim| claim.verdict)),
            claims: judged,
            ledger,
            profile: self.stamp(),
            models: self.models(),
        })
    }

    pub(super) fn judge_claim(
        &self,
        premises: &Premises<'_>,
        claim: Claim,
        alignment: &Alignment,
    ) -> ClaimResult {
        let facts = self.settings.profile.weighs_facts.then(|| premises.facts(&claim.text, alignment));
        let calibration = self.settings.calibration.as_deref();
        let weights = calibration.and_then(|calibration| calibration.weights.as_ref());
        let weighed = facts.as_ref().zip(weights).map(|(facts, weights)| weights.probability(facts));
        let score = weighed.unwrap_or(alignment.best.score);
        let thresholds = calibration.map_or(&self.settings.profile.thresholds, |c| &c.thresholds);
        let verdict = Verdict::of_claim(score, alignment, thresholds);
        let evidence = |id: PremiseId| {
            let span = premises.get(id).evidence;
            (premises.document().slice(span).to_owned(), span)
        };
        let (text, span) = evidence(alignment.best.premise);
        let counter =
            alignment.most_contradicting.filter(|_| verdict == Verdict::Contradicted).map(|scored| {
                let (text, span) = evidence(scored.premise);
                CounterEvidence { text, span, contradiction: scored.probabilities.contradiction }
            });
        ClaimResult {
            text: claim.text,
            summary_spans: claim.spans,
            score,
            verdict,
            probabilities: alignment.best.probabilities,
            level: alignment.best.level,
            evidence: Evidence { text, span },
            support: facts.as_ref().zip(calibration).and_then(|(facts, c)| c.support(facts)),
            substitution: premises.get(alignment.best.premise).substitution.clone(),
            counter_evidence: counter,
            facts,
        }
    }

    /// How claims' scores become the summary's: probabilities have a soft minimum, since one bad claim makes a summary
    /// inconsistent.
    fn over_claims(&self) -> OverClaims {
        let is_weighed =
            self.settings.calibration.as_ref().is_some_and(|calibration| calibration.weights.is_some());
        match self.settings.profile.over_claims {
            OverClaims::Mean if is_weighed => OverClaims::SoftMinimumOfLogOdds,
            rule => rule,
        }
    }

    /// What resolves coreference; off where the profile has no use for it.
    fn resolver(&self) -> &CorefResolver {
        let Settings { profile, coref, .. } = &self.settings;
        if profile.has(Level::Coref) { coref } else { &CorefResolver::Off }
    }

    /// The settings that every result carries.
    #[must_use]
    pub fn stamp(&self) -> ProfileStamp {
        ProfileStamp {
            profile: Profile { over_claims: self.over_claims(), ..self.settings.profile.clone() },
            max_tokens: self.max_tokens(),
            calibration: self.settings.calibration.as_ref().map(|calibration| calibration.sha256.clone()),
            claims: self.settings.claims.name(),
            coref: self.resolver().name(),
        }
    }

    /// The models that every result carries.
    #[must_use]
    pub fn models(&self) -> Models {
        let info = self.model.info();
        Models {
            nli: ModelId {
                id: info.id.clone(),
                sha256: info.sha256.clone(),
                settings_sha256: self.model.settings_sha256().to_owned(),
                dtype: self.model.precision().name(),
                device: self.model.device().name(),
            },
            claims: self.settings.claims.model().map(|model| id_of(model.identity())),
            coref: self.resolver().model().map(|model| id_of(model.identity())),
        }
    }
}

fn id_of(model: &ModelIdentity) -> ModelId {
    let ModelIdentity { id, sha256, settings_sha256, dtype, device } = model.clone();
    ModelId { id, sha256, settings_sha256, dtype, device }
}
