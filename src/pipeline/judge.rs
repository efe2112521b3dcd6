//! From alignments to a result: scores, verdicts, evidence, and what was computed.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::align::{Alignment, PremiseId, Scored};
use super::claims::Claim;
use super::contrast::{Certainty, Contrast, ContrastRequest, Found};
use super::evidence::Facts;
use super::in_flight::{InFlightClaim, InFlightPair};
use super::pair_language::PairLanguage;
use super::premises::Premises;
use super::result::{ClaimResult, CounterEvidence, Evidence, Ledger, PairResult, SCHEMA, digest};
use super::scorer::Scorer;
use super::unsupported_words::WordsRequest;
use super::verdict::{Reason, Verdict, pool};
use crate::error::{Error, Result};
use crate::schedule::{OnEvent, Outcome, Stage, timed};
use veridic_text::TextIndex;

/// What was judged of a pair in one round.
struct Judged {
    /// The pair's index.
    pair: usize,
    /// The claims that were judged, by index.
    claims: Vec<usize>,
    /// The second question to each.
    questions: Vec<ContrastRequest>,
}

impl Scorer {
    /// Judges the claims that were decided since the last call, asks what the document says instead, and finds the words that
    /// are not supported. When `on_event` ends the work, pairs that wait for either are [`Error::Stopped`].
    ///
    /// # Errors
    /// A model that fails.
    pub(super) fn judge_decided(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        let judged = in_flight.par_iter_mut().flatten().map(|pair| self.judge_claims(pair));
        let judged: Vec<Judged> = judged.collect::<Result<_>>()?;
        let questions: Vec<&ContrastRequest> = judged.iter().flat_map(|judged| &judged.questions).collect();
        let answers = timed(Stage::Model, on_event, || self.read_fillings(&questions, on_event))?;
        let Some(answers) = answers else {
            questions.iter().for_each(|question| in_flight[question.place.0] = Err(Error::Stopped));
            return Ok(ControlFlow::Break(()));
        };
        for (question, outcomes) in questions.into_iter().zip(answers) {
            self.judge_again(&mut in_flight[question.place.0], question, &outcomes);
        }
        let requests = judged
            .par_iter()
            .map(|judged| self.words_requests(in_flight[judged.pair].as_ref().ok(), &judged.claims));
        let requests: Vec<WordsRequest> =
            requests.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        self.find_unsupported_words(in_flight, &requests, on_event)
    }

    /// Judges a pair's claims that are decided and not judged yet, and makes the second question to each.
    fn judge_claims(&self, pair: &mut InFlightPair<'_, '_>) -> Result<Judged> {
        let InFlightPair { index: pair, premises, claims, language, escalated, .. } = pair;
        let mut judged = Judged { pair: *pair, claims: Vec::new(), questions: Vec::new() };
        let is_due = |claim: &InFlightClaim<'_>| claim.is_decided && claim.result.is_none();
        for (index, in_flight) in claims.iter_mut().enumerate().filter(|(_, claim)| is_due(claim)) {
            // A claim without any premise becomes an error in `judge`.
            let Some(alignment) = in_flight.alignment.clone().finish() else { continue };
            let result = self.judge_claim(premises, in_flight.claim.clone(), &alignment, language, None);
            if alignment.left_out > 0 && self.is_near_limit(result.score) {
                in_flight.alignment.escalate();
                in_flight.is_decided = false;
                *escalated += 1;
                continue;
            }
            if result.reason.is_none() {
                let claim = (&*in_flight.claim.text, result.verdict == Verdict::Supported);
                judged.questions.extend(self.contrast_request(
                    (*pair, index),
                    premises,
                    &alignment,
                    claim,
                )?);
            }
            judged.claims.push(index);
            in_flight.result = Some(result);
        }
        Ok(judged)
    }

    /// Judges a claim with the answers to the second question. A pair for which the model's outputs are not finite becomes
    /// that error.
    fn judge_again(
        &self,
        pair: &mut Result<InFlightPair<'_, '_>>,
        question: &ContrastRequest,
        outcomes: &[Outcome],
    ) {
        let Ok(InFlightPair { premises, claims, language, summary, .. }) = pair else { return };
        let index = question.place.1;
        let InFlightClaim { claim, alignment, result, contrast_pairs, .. } = &mut claims[index];
        *contrast_pairs = question.pairs();
        let Some(contrast) = question.answer(outcomes, claim, &TextIndex::new(summary), premises) else {
            let error = self.not_finite(index, &claim.text);
            *pair = Err(error);
            return;
        };
        if let Some(alignment) = alignment.clone().finish() {
            *result = Some(self.judge_claim(premises, claim.clone(), &alignment, language, Some(contrast)));
        }
    }

    /// Requests the unsupported words of the claims, by their indices, that are unsupported or contradicted.
    fn words_requests(
        &self,
        pair: Option<&InFlightPair<'_, '_>>,
        claims: &[usize],
    ) -> Result<Vec<WordsRequest>> {
        let Some(pair) = pair else { return Ok(Vec::new()) };
        let mut requests = Vec::new();
        for &index in claims {
            let InFlightClaim { claim, tokens, alignment, result, .. } = &pair.claims[index];
            let is_adverse = result.as_ref().is_some_and(|result| result.verdict.is_adverse());
            if let Some(alignment) = alignment.clone().finish().filter(|_| is_adverse) {
                let claim = (&*claim.text, tokens);
                requests.extend(self.words_request(
                    (pair.index, index),
                    &pair.premises,
                    &alignment,
                    claim,
                )?);
            }
        }
        Ok(requests)
    }

    fn find_unsupported_words(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        requests: &[WordsRequest],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        let words = timed(Stage::Model, on_event, || self.unsupported_words(requests, on_event))?;
        let Some(words) = words else {
            requests.iter().for_each(|request| in_flight[request.place.0] = Err(Error::Stopped));
            return Ok(ControlFlow::Break(()));
        };
        for (request, words) in requests.iter().zip(words) {
            let (pair, claim) = request.place;
            let Ok(pair) = &mut in_flight[pair] else { continue };
            if let Some(result) = &mut pair.claims[claim].result {
                result.unsupported_words = Some(words);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a claim with this score is compared with what the screen left out.
    fn is_near_limit(&self, score: f32) -> bool {
        let limit = self.limits().thresholds.supported;
        self.settings.profile.escalate.is_some_and(|within| (score - limit).abs() <= within)
    }

    /// The result of a pair whose claims are all judged.
    pub(super) fn judge(&self, pair: InFlightPair<'_, '_>) -> Result<PairResult> {
        let InFlightPair {
            premises,
            claims,
            claims_from,
            language,
            cut,
            too_long,
            screen_pairs,
            escalated,
            ..
        } = pair;
        let mut ledger = Ledger {
            document_digest: digest(premises.document().text()),
            sentences: premises.sentence_count(),
            premises: 0,
            premises_skipped: 0,
            premises_screened: 0,
            screen_pairs,
            claims_escalated: escalated,
            contrast_pairs: 0,
            premises_split: premises.split_count(),
            premises_cut: cut,
            rewritings_left_out: premises.rewritings_left_out() + too_long,
            characters_replaced: 0,
            sources: Vec::new(),
            language: language.languages,
            claims_from,
            extract: None,
        };
        let mut judged = Vec::with_capacity(claims.len());
        for InFlightClaim { alignment, result, contrast_pairs, .. } in claims {
            let (alignment, result) = alignment.finish().zip(result).ok_or_else(|| {
                let levels =
                    self.settings.profile.levels.iter().map(|level| level.name()).collect::<Vec<_>>();
                let expected = "these levels give this document no premise: add `sentence` or `document`";
                Error::setting("levels", levels.join(","), expected)
            })?;
            ledger.premises += alignment.computed;
            ledger.premises_skipped += alignment.skipped;
            ledger.premises_screened += alignment.left_out;
            ledger.contrast_pairs += contrast_pairs;
            judged.push(result);
        }
        let verdict = Verdict::of_summary(judged.iter().map(|claim| claim.verdict));
        // A contradiction decides whatever other claims could not be judged.
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
        language: &PairLanguage,
        contrast: Option<Contrast>,
    ) -> ClaimResult {
        let facts = self.settings.profile.weighs_facts.then(|| premises.facts(&claim.text, alignment));
        let facts = facts.map(|facts| contrast.iter().fold(facts, Facts::with_contrast));
        let certainty =
            contrast.as_ref().filter(|found| found.is_insensitive).map(|_| Certainty::Insensitive);
        let found = contrast.and_then(|contrast| contrast.instead);
        let calibration = self.settings.calibration.as_deref();
        let limits = self.limits();
        let by_rule = alignment.best.score;
        let score = calibration.map_or(by_rule, |calibration| calibration.score(by_rule, facts.as_ref()));
        let score = limits.instead.filter(|_| found.is_some()).map_or(score, |most| score.min(most));
        let thresholds = limits.thresholds;
        let by_quantity = facts.as_ref().zip(calibration).is_some_and(|(facts, c)| c.limits(facts));
        let counter = premises.counter(&claim.text, alignment, &thresholds, by_quantity);
        let reason = self.is_unlisted(language, &claim.text).then_some(Reason::Language);
        let risk = calibration
            .filter(|_| reason.is_none() && limits.unsure_above_risk.is_some())
            .and_then(|calibration| calibration.risk_at(score, facts.as_ref()));
        let is_unsure = risk.zip(limits.unsure_above_risk).is_some_and(|(risk, limit)| risk > limit);
        let verdict = match reason {
            Some(Reason::Language) => Verdict::Unsupported,
            None if found.is_some() => Verdict::Contradicted,
            None if is_unsure => Verdict::Unsure,
            None => Verdict::of_claim(score, counter.is_some(), &thresholds),
        };
        let evidence = |id: PremiseId| Evidence::of(premises.document(), premises.spans(id));
        let by_other = |(scored, quantity): (Scored, _)| CounterEvidence {
            evidence: evidence(scored.premise),
            contradiction: scored.probabilities.contradiction,
            quantity,
        };
        let by_filling = |found: &Found| CounterEvidence {
            evidence: Evidence::of(premises.document(), vec![found.sentence]),
            contradiction: found.contradiction,
            quantity: found.quantity(),
        };
        let counter_evidence = found.as_ref().map(by_filling).or_else(|| counter.map(by_other));
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
            counter_evidence: counter_evidence.filter(|_| verdict == Verdict::Contradicted),
            instead: found.map(|found| found.instead),
            certainty,
            risk,
            unsupported_words: None,
            facts,
            citations: None,
        }
    }
}
