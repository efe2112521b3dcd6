//! Screening: of each claim only the most promising premises are read by the judge. `rank` ranks them,
//! and `reader` is the small model that reads sentences first, where the method has one.
//!
//! What is kept depends on (document, claim, rules) alone.

mod rank;
mod reader;

use std::ops::ControlFlow;

use rayon::prelude::*;

pub(super) use self::rank::{Candidate, Chosen, Screening};
use self::reader::Reading;
pub use self::reader::ScreenReader;
use super::in_flight::{InFlightClaim, InFlightPair};
use super::premise_order::in_waves;
use super::premises::Premises;
use crate::rules::Level;
use super::scorer::Scorer;
use crate::error::{Error, Result};
use crate::schedule::{OnEvent, poll};

impl Scorer {
    /// Puts the premises of each claim in the order in which they are computed, and leaves out those that the screen
    /// does not keep. When `on_event` ends the work, pairs are [`Error::Stopped`].
    ///
    /// # Errors
    /// A model that fails.
    pub(super) fn choose_premises(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        let rules = &self.settings.rules;
        let Some(screen) = rules.screen else {
            if rules.is_lazy() {
                in_flight
                    .par_iter_mut()
                    .for_each(|pair| or_error(pair, |pair| pair.order_premises(on_event)));
            }
            return Ok(ControlFlow::Continue(()));
        };
        let mut readings = Vec::new();
        if screen.method.has_reader() {
            let reader = self.screen_reader.as_deref().ok_or_else(|| {
                Error::setting("screen", screen, "the small model of this method was not loaded")
            })?;
            let Some(read) = self.read_premises(reader, screen, in_flight, on_event)? else {
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
        in_flight.par_iter_mut().for_each(|pair| or_error(pair, screen_claims));
        Ok(ControlFlow::Continue(()))
    }
}

impl InFlightPair<'_, '_> {
    /// Puts the premises of each claim in the order of the rare words that they share with it.
    fn order_premises(&mut self, on_event: &OnEvent<'_>) -> Result<()> {
        for claim in &mut self.claims {
            poll(on_event)?;
            let waves = self.premises.in_order(claim.alignment.waves().cloned().collect(), &claim.tokens);
            claim.alignment.set_waves(in_waves(waves));
        }
        Ok(())
    }
}

/// Does something to a pair; one for which it fails becomes the error.
fn or_error<'s, 'p>(
    pair: &mut Result<InFlightPair<'s, 'p>>,
    work: impl FnOnce(&mut InFlightPair<'s, 'p>) -> Result<()>,
) {
    if let Ok(Err(error)) = pair.as_mut().map(work) {
        *pair = Err(error);
    }
}

/// The premises that a claim may be compared with, and what is known of each.
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
