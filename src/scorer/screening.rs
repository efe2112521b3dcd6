//! Chooses the premises of each claim of the pairs in flight: those that the screen keeps, or without a screen all of
//! them, ordered by the rare words that they share with the claim.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::in_flight::{InFlightClaim, InFlightPair};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::premises::{Premises, in_waves};
use crate::rules::{Level, Rules, Screen};
use crate::schedule::{OnEvent, poll};
use crate::screen::{Candidate, Reading, ScreenReader, ScreenRequest, Screening};

/// Sorts the premises of each claim into the order of computation, and removes those that the screen does not keep.
/// When `on_event` stops the work, pairs become [`Error::Stopped`].
///
/// # Errors
/// When the model fails.
pub(super) fn choose_premises(
    (engine, rules): (&Engine, &Rules),
    reader: Option<&ScreenReader>,
    in_flight: &mut [Result<InFlightPair<'_, '_>>],
    on_event: &OnEvent<'_>,
) -> Result<ControlFlow<()>> {
    let Some(screen) = rules.screen else {
        if rules.is_lazy() {
            in_flight.par_iter_mut().for_each(|pair| try_apply(pair, |pair| order_premises(pair, on_event)));
        }
        return Ok(ControlFlow::Continue(()));
    };
    let mut readings = Vec::new();
    if screen.method.has_reader() {
        let reader = reader.ok_or_else(|| {
            Error::setting("screen", screen, "the small model of this method was not loaded")
        })?;
        let Some(read) = read_premises(engine, (reader, screen), in_flight, on_event)? else {
            in_flight.iter_mut().for_each(|pair| *pair = Err(Error::Stopped));
            return Ok(ControlFlow::Break(()));
        };
        readings = read;
    }
    let screen_claims = |pair: &mut InFlightPair<'_, '_>| {
        let InFlightPair { index, premises, claims, .. } = pair;
        for (number, claim) in claims.iter_mut().enumerate() {
            poll(on_event)?;
            let reading = readings.get(*index).map(|of_pair| &of_pair[number]);
            let candidates = candidates(premises, claim, reading);
            claim.alignment.set_screening(Screening::new(screen, candidates));
        }
        Ok(())
    };
    in_flight.par_iter_mut().for_each(|pair| try_apply(pair, screen_claims));
    Ok(ControlFlow::Continue(()))
}

/// The small model's probabilities for the premises of each claim of each pair; `None` when `on_event` stops the work.
/// A pair for which its outputs are not finite becomes that error.
fn read_premises(
    engine: &Engine,
    (reader, screen): (&ScreenReader, Screen),
    in_flight: &mut [Result<InFlightPair<'_, '_>>],
    on_event: &OnEvent<'_>,
) -> Result<Option<Vec<Vec<Reading>>>> {
    let of_pair = |pair: &InFlightPair<'_, '_>| {
        let claims = pair
            .claims
            .iter()
            .map(|claim| (&*claim.claim.text, &claim.tokens, claim.alignment.waves().collect()));
        let reads = reader.to_read(screen, &pair.premises, claims, on_event)?;
        Ok(reads.into_iter().map(|read| (pair.index, read)).collect())
    };
    let reads: Vec<Vec<(usize, ScreenRequest)>> =
        in_flight.par_iter().flatten().map(of_pair).collect::<Result<_>>()?;
    let reads: Vec<(usize, ScreenRequest)> = reads.into_iter().flatten().collect();
    let claims = |pair: &Result<InFlightPair<'_, '_>>| pair.as_ref().map_or(0, |pair| pair.claims.len());
    let mut readings: Vec<Vec<Reading>> =
        in_flight.iter().map(|pair| vec![Reading::new(); claims(pair)]).collect();
    let to_read: Vec<&ScreenRequest> = reads.iter().map(|(_, read)| read).collect();
    let Some(outcomes) = reader.read(&to_read, engine, on_event)? else { return Ok(None) };
    for ((pair, ScreenRequest { claim, premise, .. }), outcome) in reads.iter().zip(outcomes) {
        let Ok(of_pair) = &mut in_flight[*pair] else { continue };
        of_pair.screen_pairs += 1;
        match outcome {
            Some(probabilities) => {
                readings[*pair][*claim].insert(*premise, probabilities);
            }
            None => in_flight[*pair] = Err(reader.not_finite(*claim, &of_pair.claims[*claim].claim.text)),
        }
    }
    Ok(Some(readings))
}

/// Sorts the premises of each claim by the rare words that they share with it.
fn order_premises(pair: &mut InFlightPair<'_, '_>, on_event: &OnEvent<'_>) -> Result<()> {
    for claim in &mut pair.claims {
        poll(on_event)?;
        let waves = pair.premises.in_order(claim.alignment.waves().cloned().collect(), &claim.tokens);
        claim.alignment.set_waves(in_waves(waves));
    }
    Ok(())
}

/// Applies `work` to a pair; if it fails, the pair becomes the error.
fn try_apply<'s, 'p>(
    pair: &mut Result<InFlightPair<'s, 'p>>,
    work: impl FnOnce(&mut InFlightPair<'s, 'p>) -> Result<()>,
) {
    if let Ok(Err(error)) = pair.as_mut().map(work) {
        *pair = Err(error);
    }
}

/// The premises that a claim may be compared with, with the values by which they are ranked.
fn candidates(
    premises: &Premises<'_>,
    claim: &InFlightClaim<'_>,
    reading: Option<&Reading>,
) -> Vec<(Level, Vec<Candidate>)> {
    let candidate = |premise| Candidate {
        premise,
        sentences: premises.get(premise).sentences.clone(),
        overlap: premises.overlap(premise, &claim.tokens),
        read: reading.and_then(|reading| reading.get(&premise).copied()),
    };
    claim
        .alignment
        .waves()
        .map(|(level, ids)| (*level, ids.iter().map(|id| candidate(*id)).collect()))
        .collect()
}
