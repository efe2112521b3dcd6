//! Chooses the premises of each claim: those that the screen keeps, or without a screen all of them, ordered by the rare
//! words that they share with the claim if some may be skipped.

use super::basis::{Asking, Basis};
use super::counts::Counts;
use super::prepared::Hypothesis;
use super::setup::Scorer;
use crate::align::ClaimAlignment;
use crate::error::{Error, Result};
use crate::premises::{PremiseId, Premises, Waves, in_waves};
use crate::rules::Level;
use crate::schedule::{OnEvent, Outcome, poll};
use crate::screen::{Candidate, Reading, ScreenClaim, ScreenReader, ScreenRequest, Screening};

/// A claim with the premises that it may be compared with.
pub(super) struct Prepared {
    hypothesis: Hypothesis,
    waves: Waves,
}

/// A claim whose premises are chosen: it is being aligned.
pub(super) struct Screened<'s> {
    pub(super) hypothesis: Hypothesis,
    pub(super) alignment: ClaimAlignment<'s>,
    pub(super) counts: Counts,
}

impl Scorer {
    /// The small model, if the method of the rules has one.
    pub(super) fn reader(&self) -> Result<Option<&ScreenReader>> {
        match self.settings.rules.screen.filter(|screen| screen.method.has_reader()) {
            None => Ok(None),
            Some(screen) => self.screen_reader.as_deref().map(Some).ok_or_else(|| {
                Error::setting("screen", screen, "the small model of this method was not loaded")
            }),
        }
    }

    /// Claims of a case with the premises that the small model has to read.
    pub(super) fn asking(
        &self,
        basis: &Basis<'_>,
        claims: Vec<Hypothesis>,
        on_event: &OnEvent<'_>,
    ) -> Result<Asking<Vec<Prepared>, ScreenRequest>> {
        let prepared = |hypothesis: Hypothesis| {
            poll(on_event)?;
            Ok(Prepared { waves: self.waves(&basis.premises, &hypothesis), hypothesis })
        };
        let item: Vec<Prepared> = claims.into_iter().map(prepared).collect::<Result<_>>()?;
        let claims = item.iter().map(|Prepared { hypothesis, waves }| ScreenClaim {
            text: &hypothesis.read.text,
            tokens: &hypothesis.tokens,
            waves,
        });
        let requests = match self.reader()?.zip(self.settings.rules.screen) {
            Some((reader, screen)) => reader.requests(screen, &basis.premises, claims, on_event)?,
            None => Vec::new(),
        };
        Ok(Asking { item, requests })
    }

    /// The claims of a case with their premises, given what the small model read.
    pub(super) fn screened<'s>(
        &'s self,
        basis: &Basis<'_>,
        claims: Vec<Prepared>,
        read: Vec<(ScreenRequest, Outcome)>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Screened<'s>>> {
        let mut readings = vec![Reading::new(); claims.len()];
        for (ScreenRequest { claim, premise, .. }, outcome) in read {
            let Hypothesis { part, claim: of, .. } = &claims[claim].hypothesis;
            let (reader, number) = (&self.screen_reader, part.claim().0);
            let not_finite =
                || reader.as_ref().map_or(Error::Stopped, |reader| reader.not_finite(number, &of.text));
            readings[claim].insert(premise, outcome.ok_or_else(not_finite)?);
        }
        let rules = &self.settings.rules;
        let screened = |(Prepared { hypothesis, waves }, reading): (Prepared, Reading)| {
            poll(on_event)?;
            let premises = &basis.premises;
            let alignment = match rules.screen {
                Some(screen) => {
                    let candidates = candidates(premises, &hypothesis, waves, &reading);
                    ClaimAlignment::screened(rules, Screening::new(screen, candidates))
                }
                None if rules.is_lazy() => {
                    let ordered = premises.in_order(waves, &hypothesis.tokens);
                    ClaimAlignment::new(rules, in_waves(ordered))
                }
                None => ClaimAlignment::new(rules, waves),
            };
            let counts = Counts { screen_pairs: reading.len(), ..Counts::default() };
            Ok(Screened { hypothesis, alignment, counts })
        };
        claims.into_iter().zip(readings).map(screened).collect()
    }
}

/// The premises of each level that a claim may be compared with, with the values by which they are ranked.
fn candidates(
    premises: &Premises,
    hypothesis: &Hypothesis,
    waves: Waves,
    reading: &Reading,
) -> Vec<(Level, Vec<Candidate>)> {
    let candidate = |premise: PremiseId| Candidate {
        premise,
        sentences: premises.get(premise).sentences.clone(),
        overlap: premises.overlap(premise, &hypothesis.tokens),
        read: reading.get(&premise).copied(),
    };
    let levels = waves.into_iter().filter(|(_, premises)| !premises.is_empty());
    levels.map(|(level, premises)| (level, premises.into_iter().map(candidate).collect())).collect()
}
