//! A round of the alignment: collects the claims' requests, builds the model's inputs, and returns outcomes to the
//! claims.

use rayon::prelude::*;
use veridic_models::{TextTokens, Truncation};

use super::in_flight::{InFlightPair, Request};
use super::prepare::premise_room;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::premises::{CorefResolver, PremiseId, Premises};
use crate::rules::{Level, Overflow, Rules};
use crate::schedule::{Job, OnEvent, Outcome};

/// Computes rounds with an engine, rules and a coreference resolver.
#[derive(Clone, Copy)]
pub(super) struct Rounds<'s> {
    pub(super) engine: &'s Engine,
    pub(super) rules: &'s Rules,
    pub(super) coref: &'s CorefResolver,
}

impl Rounds<'_> {
    /// The requests of all undecided claims. A pair whose coreference resolver fails becomes that error. Pairs of one
    /// document are processed one after another, since they share its clusters. When `on_event` stops the work, pairs
    /// become [`Error::Stopped`].
    pub(super) fn next_requests(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Vec<Request> {
        let request = |pair: &mut Result<InFlightPair<'_, '_>>| {
            let Ok(in_flight) = pair else { return Vec::new() };
            let rewrite = |premises: &mut Premises<'_>, sentence, claim: &TextTokens| {
                self.rewritings(premises, sentence, claim)
            };
            in_flight.requests(rewrite, on_event).unwrap_or_else(|error| {
                *pair = Err(error);
                Vec::new()
            })
        };
        let same_document = |a: &Result<InFlightPair<'_, '_>>, b: &Result<InFlightPair<'_, '_>>| match (a, b)
        {
            (Ok(a), Ok(b)) => a.premises.document().text() == b.premises.document().text(),
            _ => false,
        };
        let documents = in_flight.par_chunk_by_mut(same_document);
        documents.flat_map_iter(|pairs| pairs.iter_mut().flat_map(request).collect::<Vec<_>>()).collect()
    }

    /// The rewritings of a sentence that fit into a pair with the claim, and the number of those that do not.
    fn rewritings(
        &self,
        premises: &mut Premises<'_>,
        sentence: PremiseId,
        claim: &TextTokens,
    ) -> Result<(Vec<PremiseId>, usize)> {
        let Self { engine, rules, coref } = *self;
        let mut ids = premises.rewrite(sentence, rules.rewriting, coref, engine.tokenizer())?;
        let all = ids.len();
        if rules.overflow == Overflow::Split {
            let room = premise_room((engine, rules), Level::Coref, claim);
            ids.retain(|id| premises.get(*id).tokens.len() <= room);
        }
        let too_long = all - ids.len();
        Ok((ids, too_long))
    }

    /// The requests with the model's inputs, except those of pairs that have failed.
    pub(super) fn jobs<'r>(
        &self,
        in_flight: &[Result<InFlightPair<'_, '_>>],
        requests: &'r [Request],
    ) -> Result<Vec<(&'r Request, Job)>> {
        let truncation = match self.rules.overflow {
            Overflow::Split => Truncation::Refuse,
            Overflow::Cut(truncation) => truncation,
        };
        let tokenizer = self.engine.tokenizer();
        let mut jobs = Vec::with_capacity(requests.len());
        for request in requests {
            let Ok(pair) = &in_flight[request.pair] else { continue };
            let premise = &pair.premises.get(request.premise).tokens;
            let hypothesis = &pair.claims[request.claim].tokens;
            let limit = self.rules.token_limit(request.level);
            jobs.push((request, tokenizer.pair(premise, hypothesis, limit, truncation)?));
        }
        Ok(jobs)
    }

    /// Passes an outcome to the claim that requested it. A pair for which the model's outputs are not finite becomes
    /// that error.
    pub(super) fn record_outcome(
        &self,
        pair: &mut Result<InFlightPair<'_, '_>>,
        request: &Request,
        is_cut: bool,
        outcome: Outcome,
    ) {
        let Ok(in_flight) = pair else { return };
        in_flight.cut += usize::from(is_cut);
        let claim = &mut in_flight.claims[request.claim];
        match outcome {
            Some(probabilities) => claim.alignment.record(request.level, request.premise, probabilities),
            None => {
                let error = self.engine.not_finite(request.claim, &claim.claim.text);
                *pair = Err(error);
            }
        }
    }
}

/// Stops the work: pairs with open requests become [`Error::Stopped`].
pub(super) fn stop(in_flight: &mut [Result<InFlightPair<'_, '_>>], requests: &[Request]) {
    for request in requests {
        in_flight[request.pair] = Err(Error::Stopped);
    }
}
