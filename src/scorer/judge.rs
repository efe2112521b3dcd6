//! Builds results from alignments: scores, verdicts, evidence and the ledger.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::in_flight::{InFlightClaim, InFlightPair};
use crate::align::Alignment;
use crate::claims::Claim;
use crate::decide::{Verdict, decide_claim, over_claims};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::findings::contrast::{Contrast, ContrastRequest, Found, contrast_request, read_fillings};
use crate::findings::words::{WordMarker, WordsRequest};
use crate::findings::{Certainty, ClaimFindings, NotInDocument, QuantityConflict, look_up};
use crate::input::PairLanguage;
use crate::premises::{PremiseId, Premises, Scored};
use crate::result::{
    ClaimResult, CounterEvidence, Evidence, Ledger, Limits, Models, NotClaim, PairResult, ProfileStamp,
    SCHEMA, Support, digest,
};
use crate::rules::Rules;
use crate::schedule::{OnEvent, Outcome, Stage, poll, timed};
use crate::text::TextIndex;

/// The claims of a pair that were judged in one round.
struct Judged {
    /// The pair's index.
    pair: usize,
    /// The claims that were judged, by index.
    claims: Vec<usize>,
    /// The second question about each claim.
    questions: Vec<ContrastRequest>,
}

/// Judges claims with an engine and rules.
pub(super) struct Judge<'s> {
    pub(super) engine: &'s Engine,
    pub(super) rules: &'s Rules,
    /// Whether to ask the second question, if the rules say so.
    pub(super) asks_instead: bool,
    /// Marks unsupported words, if they are requested.
    pub(super) words: Option<WordMarker<'s>>,
}

/// The settings and models that every result records.
pub(super) struct Origin {
    pub(super) limits: Limits,
    pub(super) profile: ProfileStamp,
    pub(super) models: Models,
}

impl Judge<'_> {
    /// Judges the claims that were decided since the last call, looks for what the document says instead, and finds
    /// unsupported words. When `on_event` stops the work, pairs that wait for either become [`Error::Stopped`].
    ///
    /// # Errors
    /// When the model fails.
    pub(super) fn judge_decided(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        let judged = in_flight.par_iter_mut().flatten().map(|pair| self.judge_claims(pair, on_event));
        let judged: Vec<Judged> = judged.collect::<Result<_>>()?;
        let questions: Vec<&ContrastRequest> = judged.iter().flat_map(|judged| &judged.questions).collect();
        let answers = timed(Stage::Model, on_event, || read_fillings(self.engine, &questions, on_event))?;
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

    /// Judges a pair's claims that are decided and not judged yet, and prepares the second question about each.
    fn judge_claims(&self, pair: &mut InFlightPair<'_, '_>, on_event: &OnEvent<'_>) -> Result<Judged> {
        let InFlightPair { index: pair, premises, claims, language, .. } = pair;
        let mut judged = Judged { pair: *pair, claims: Vec::new(), questions: Vec::new() };
        let is_due = |claim: &InFlightClaim<'_>| claim.is_decided && claim.result.is_none();
        for (index, in_flight) in claims.iter_mut().enumerate().filter(|(_, claim)| is_due(claim)) {
            poll(on_event)?;
            // A claim without any premise becomes an error in `judge`.
            let Some(alignment) = in_flight.alignment.clone().finish() else { continue };
            let result = self.judge_claim(premises, in_flight.claim.clone(), &alignment, language, None);
            if self.asks_instead && result.reason.is_none() {
                let claim = (&*in_flight.claim.text, result.verdict == Verdict::Supported);
                judged.questions.extend(contrast_request(
                    (self.engine, self.rules),
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
            let error = self.engine.not_finite(index, &claim.text);
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
        let (Some(pair), Some(words)) = (pair, &self.words) else { return Ok(Vec::new()) };
        let mut requests = Vec::new();
        for &index in claims {
            let InFlightClaim { claim, tokens, alignment, result, .. } = &pair.claims[index];
            let is_adverse = result.as_ref().is_some_and(|result| result.verdict.is_adverse());
            if let Some(alignment) = alignment.clone().finish().filter(|_| is_adverse) {
                let claim = (&*claim.text, tokens);
                requests.extend(words.words_request(
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
        let Some(marker) = &self.words else { return Ok(ControlFlow::Continue(())) };
        let words = timed(Stage::Model, on_event, || marker.unsupported_words(requests, on_event))?;
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

    /// The result of a pair whose claims are all judged.
    pub(super) fn judge(&self, pair: InFlightPair<'_, '_>, origin: &Origin) -> Result<PairResult> {
        let InFlightPair {
            premises,
            claims,
            claims_from,
            others,
            summary,
            language,
            cut,
            too_long,
            screen_pairs,
            ..
        } = pair;
        let mut ledger = Ledger {
            document_digest: digest(premises.document().text()),
            sentences: premises.sentence_count(),
            premises: 0,
            premises_skipped: 0,
            premises_screened: 0,
            screen_pairs,
            contrast_pairs: 0,
            premises_split: premises.split_count(),
            premises_cut: cut,
            rewritings_left_out: premises.rewritings_left_out() + too_long,
            characters_replaced: 0,
            sources: Vec::new(),
            language: language.languages,
            claims_from,
        };
        let mut judged = Vec::with_capacity(claims.len());
        for InFlightClaim { alignment, result, contrast_pairs, .. } in claims {
            let (alignment, result) = alignment.finish().zip(result).ok_or_else(|| {
                let levels = self.rules.levels.iter().map(|level| level.name()).collect::<Vec<_>>();
                let expected = "these levels give this document no premise: add `sentence` or `document`";
                Error::setting("levels", levels.join(","), expected)
            })?;
            ledger.premises += alignment.computed;
            ledger.premises_skipped += alignment.skipped;
            ledger.premises_screened += alignment.left_out;
            ledger.contrast_pairs += contrast_pairs;
            judged.push(result);
        }
        let index = TextIndex::new(summary);
        let not_claim = |span| NotClaim { text: index.slice(span).to_owned(), span };
        let verdicts =
            over_claims(judged.iter().map(ClaimResult::claim_verdict).collect(), self.rules.over_claims);
        Ok(PairResult {
            schema: SCHEMA,
            score: verdicts.score,
            verdict: verdicts.verdict,
            reason: verdicts.reason,
            limits: origin.limits,
            claims: judged,
            not_claims: others.into_iter().map(not_claim).collect(),
            ledger,
            profile: origin.profile.clone(),
            models: origin.models.clone(),
        })
    }

    /// The result of an aligned claim: its findings, the verdict that follows from them, and its evidence.
    fn judge_claim(
        &self,
        premises: &Premises<'_>,
        claim: Claim,
        alignment: &Alignment,
        language: &PairLanguage,
        contrast: Option<Contrast>,
    ) -> ClaimResult {
        let rules = self.rules;
        let certainty =
            contrast.as_ref().filter(|found| found.is_insensitive).map(|_| Certainty::Insensitive);
        let instead = contrast.and_then(|contrast| contrast.instead);
        let looked_up = look_up(premises, &claim.text, alignment, rules);
        let findings = ClaimFindings {
            score: alignment.best.score,
            contradiction: looked_up.against.map_or(0.0, |scored| scored.probabilities.contradiction),
            not_in_document: looked_up.not_in_document,
            has_other_value: looked_up.other_value.is_some(),
            has_instead: instead.is_some(),
            is_unlisted: language.is_unlisted(&claim.text),
        };
        let given = decide_claim(&findings, rules);
        let support = rules.caps.look_up().then(|| Support {
            not_found: findings.not_in_document.iter().map(NotInDocument::sentence).collect(),
            vetoes: vetoes(&findings, rules),
        });
        let divided = |spans| Evidence::divided(premises.document(), spans, premises.division());
        let evidence = |id: PremiseId| divided(premises.spans(id));
        let of_sentence = |scored: Scored, quantity: Option<QuantityConflict>| CounterEvidence {
            evidence: evidence(scored.premise),
            contradiction: scored.probabilities.contradiction,
            quantity,
        };
        let of_filling = |found: &Found| CounterEvidence {
            evidence: divided(vec![found.sentence]),
            contradiction: found.contradiction,
            quantity: found.quantity(),
        };
        let by_value = looked_up.other_value.map(|(scored, quantity)| of_sentence(scored, Some(quantity)));
        let counter_evidence = instead.as_ref().map(of_filling).or(by_value);
        let counter_evidence = counter_evidence.or_else(|| Some(of_sentence(looked_up.against?, None)));
        ClaimResult {
            text: claim.text,
            summary_spans: claim.spans,
            score: given.score,
            verdict: given.verdict,
            explanation: String::new(),
            reason: given.reason,
            cap: given.cap,
            probabilities: alignment.best.probabilities,
            level: alignment.best.level,
            evidence: evidence(alignment.best.premise),
            support,
            substitution: premises.get(alignment.best.premise).substitution.clone(),
            counter_evidence: counter_evidence.filter(|_| given.verdict == Verdict::Contradicted),
            instead: instead.map(|found| found.instead),
            certainty,
            unsupported_words: None,
            citations: None,
        }
    }
}

/// The facts that are nowhere in the document because of which a claim is not supported although a premise entails it.
fn vetoes(findings: &ClaimFindings, rules: &Rules) -> Vec<String> {
    let limit = rules.thresholds.supported;
    let is_veto = |found: &&NotInDocument| {
        found.cap().and_then(|cap| rules.caps.of(cap)).is_some_and(|most| most < limit)
    };
    let all = findings.not_in_document.iter().filter(|_| findings.score >= limit);
    all.filter(is_veto).map(NotInDocument::sentence).collect()
}
