//! From alignments to a result: verdicts, evidence, and what was computed.

use std::ops::ControlFlow;

use rayon::prelude::*;
use veridic_models::ModelIdentity;

use super::align::{Alignment, PremiseId};
use super::claims::Claim;
use super::coref::CorefResolver;
use super::in_flight::{InFlightClaim, InFlightPair};
use super::pair_language::PairLanguage;
use super::premises::Premises;
use super::profile::{Level, OverClaims, Profile};
use super::result::{
    ClaimResult, CounterEvidence, Evidence, Ledger, Limits, ModelId, Models, PairResult, ProfileStamp,
    SCHEMA, Scale, digest,
};
use super::scorer::{Scorer, Settings};
use super::unsupported_words::WordsRequest;
use super::verdict::{Reason, Verdict, pool};
use crate::error::{Error, Result};
use crate::schedule::{OnEvent, Stage, timed};

impl Scorer {
    /// The judgements of the claims that were decided since the last time, with the words that are not supported. When
    /// `on_event` ends the work, pairs that wait for such words are [`Error::Stopped`].
    ///
    /// # Errors
    /// A model that fails.
    pub(super) fn judge_decided(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        let judged =
            in_flight.par_iter_mut().flatten().map(|pair_in_flight| self.judge_claims(pair_in_flight));
        let asked: Vec<WordsRequest> = judged.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let words = timed(Stage::Model, on_event, || self.unsupported_words(&asked, on_event))?;
        let Some(words) = words else {
            asked.iter().for_each(|asked| in_flight[asked.place.0] = Err(Error::Stopped));
            return Ok(ControlFlow::Break(()));
        };
        for (asked, words) in asked.iter().zip(words) {
            let (pair, claim) = asked.place;
            let Ok(pair_in_flight) = &mut in_flight[pair] else { continue };
            if let Some(result) = &mut pair_in_flight.claims[claim].result {
                result.unsupported_words = Some(words);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Judges a pair's claims that are decided and not judged yet: what to ask of those that are not supported.
    fn judge_claims(&self, pair_in_flight: &mut InFlightPair<'_, '_>) -> Result<Vec<WordsRequest>> {
        let InFlightPair { pair, premises, claims, written, .. } = pair_in_flight;
        let mut asked = Vec::new();
        let decided = |underway: &InFlightClaim<'_>| underway.is_decided && underway.result.is_none();
        for (index, underway) in claims.iter_mut().enumerate().filter(|(_, underway)| decided(underway)) {
            // A claim without any premise is an error of the pair, which its result tells.
            let Some(alignment) = underway.alignment.clone().finish() else { continue };
            let result = self.judge_claim(premises, underway.claim.clone(), &alignment, written);
            if result.verdict != Verdict::Supported {
                let claim = ((*pair, index), &*underway.claim.text, &underway.tokens);
                asked.extend(self.words_asked(premises, &alignment, claim)?);
            }
            underway.result = Some(result);
        }
        Ok(asked)
    }

    /// Judged claims become a result.
    pub(super) fn judge(&self, pair_in_flight: InFlightPair<'_, '_>) -> Result<PairResult> {
        let InFlightPair { premises, claims, claims_from, written, cut, too_long, .. } = pair_in_flight;
        let mut ledger = Ledger {
            document_digest: digest(premises.document().text()),
            sentences: premises.sentence_count(),
            premises: 0,
            premises_skipped: 0,
            premises_split: premises.split_count(),
            premises_cut: cut,
            rewritings_left_out: premises.rewritings_left_out() + too_long,
            characters_replaced: 0,
            language: written.languages,
            claims_from,
            extract: None,
        };
        let mut judged = Vec::with_capacity(claims.len());
        for InFlightClaim { alignment, result, .. } in claims {
            let (alignment, result) = alignment.finish().zip(result).ok_or_else(|| {
                let levels =
                    self.settings.profile.levels.iter().map(|level| level.name()).collect::<Vec<_>>();
                let expected = "these levels give this document no premise: add `sentence` or `document`";
                Error::setting("levels", levels.join(","), expected)
            })?;
            ledger.premises += alignment.computed;
            ledger.premises_skipped += alignment.skipped;
            judged.push(result);
        }
        let verdict = Verdict::of_summary(judged.iter().map(|claim| claim.verdict));
        // Of a summary that is contradicted, what was read is enough.
        let reason = judged.iter().find_map(|claim| claim.reason).filter(|_| verdict == Verdict::Unsupported);
        Ok(PairResult {
            schema: SCHEMA,
            score: pool(self.over_claims(), judged.iter().map(|claim| claim.score)),
            verdict,
            reason,
            limits: self.limits(),
            claims: judged,
            ledger,
            profile: self.stamp(),
            models: self.models(),
        })
    }

    fn judge_claim(
        &self,
        premises: &Premises<'_>,
        claim: Claim,
        alignment: &Alignment,
        written: &PairLanguage,
    ) -> ClaimResult {
        let facts = self.settings.profile.weighs_facts.then(|| premises.facts(&claim.text, alignment));
        let calibration = self.settings.calibration.as_deref();
        let by_rule = alignment.best.score;
        let score = calibration.map_or(by_rule, |calibration| calibration.score(by_rule, facts.as_ref()));
        let thresholds = self.limits().thresholds;
        let by_quantity = facts.as_ref().zip(calibration).is_some_and(|(facts, c)| c.limits(facts));
        let counter = premises.counter(&claim.text, alignment, &thresholds, by_quantity);
        let reason = self.unread_claim(written, &claim.text).then_some(Reason::Language);
        let verdict = match reason {
            Some(Reason::Language) => Verdict::Unsupported,
            None => Verdict::of_claim(score, counter.is_some(), &thresholds),
        };
        let evidence = |id: PremiseId| Evidence::of(premises.document(), premises.spans(id));
        let counter = counter.filter(|_| verdict == Verdict::Contradicted);
        let counter_evidence = counter.map(|(scored, quantity)| CounterEvidence {
            evidence: evidence(scored.premise),
            contradiction: scored.probabilities.contradiction,
            quantity,
        });
        ClaimResult {
            text: claim.text,
            summary_spans: claim.spans,
            score,
            verdict,
            reason,
            probabilities: alignment.best.probabilities,
            level: alignment.best.level,
            evidence: evidence(alignment.best.premise),
            support: facts.as_ref().zip(calibration).map(|(facts, c)| c.support(by_rule, facts)),
            substitution: premises.get(alignment.best.premise).substitution.clone(),
            counter_evidence,
            unsupported_words: None,
            facts,
        }
    }

    /// How claims' scores become the summary's: of probabilities the least, since one bad claim makes a summary
    /// inconsistent, and so that the summary's score and its verdict say the same.
    fn over_claims(&self) -> OverClaims {
        match self.settings.profile.over_claims {
            OverClaims::Mean if self.settings.calibration.is_some() => OverClaims::Minimum,
            rule => rule,
        }
    }

    /// What decides verdicts: the calibration's limits, else the profile's.
    fn limits(&self) -> Limits {
        match &self.settings.calibration {
            Some(calibration) => Limits {
                scale: Scale::Probability,
                thresholds: calibration.thresholds,
                quantity_nowhere: calibration.quantity_nowhere,
            },
            None => Limits {
                scale: Scale::Score,
                thresholds: self.settings.profile.thresholds,
                quantity_nowhere: None,
            },
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
            profile: Profile {
                over_claims: self.over_claims(),
                thresholds: self.limits().thresholds,
                ..self.settings.profile.clone()
            },
            max_tokens: self.max_tokens(),
            calibration: self.settings.calibration.as_ref().map(|calibration| calibration.sha256.clone()),
            claims: self.settings.claims.name(),
            coref: self.resolver().name(),
            languages: self.listed_languages().map(<[String]>::to_vec),
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
                unit: self.model.unit(),
                device: self.model.device().name(),
            },
            claims: self.settings.claims.model().map(|model| id_of(model.identity())),
            coref: self.resolver().model().map(|model| id_of(model.identity())),
        }
    }
}

fn id_of(model: &ModelIdentity) -> ModelId {
    let ModelIdentity { id, sha256, settings_sha256, dtype, device } = model.clone();
    ModelId { id, sha256, settings_sha256, dtype, unit: None, device }
}
