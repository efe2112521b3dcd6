//! Chooses the premises of each claim: those that the screen keeps, or without a screen all of them, ordered by the rare
//! words that they share with the claim if some may be skipped.

use super::basis::Basis;
use super::counts::Counts;
use super::prepared::{Hypothesis, Prepared};
use crate::align::ClaimAlignment;
use crate::error::{Error, Result};
use crate::premises::{PremiseId, Premises, Waves, in_waves};
use crate::rules::{Level, Rules, Screen};
use crate::schedule::{OnEvent, Outcome, poll};
use crate::screen::{Candidate, Reading, ScreenClaim, ScreenReader, ScreenRequest, Screening};

/// A claim whose premises are chosen: it is being aligned.
pub(super) struct Screened<'s> {
    pub(super) hypothesis: Hypothesis,
    pub(super) alignment: ClaimAlignment<'s>,
    pub(super) counts: Counts,
}

/// Chooses premises by rules, with a small model if their method has one.
pub(super) struct Screener<'s> {
    pub(super) rules: &'s Rules,
    pub(super) reader: Option<&'s ScreenReader>,
}

impl<'s> Screener<'s> {
    /// The small model, if the method of the rules has one.
    pub(super) fn reader(&self) -> Result<Option<&'s ScreenReader>> {
        match self.rules.screen.filter(|screen| screen.method.has_reader()) {
            None => Ok(None),
            Some(screen) => self.reader.map(Some).ok_or_else(|| {
                Error::setting("screen", screen, "the small model of this method was not loaded")
            }),
        }
    }

    /// The premises of a case that the small model has to read.
    pub(super) fn requests(
        &self,
        basis: &Basis<'_>,
        claims: &[Prepared],
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<ScreenRequest>> {
        let Some((reader, screen)) = self.reader()?.zip(self.rules.screen) else { return Ok(Vec::new()) };
        let claims = claims.iter().map(|Prepared { hypothesis, waves }| ScreenClaim {
            text: &hypothesis.claim.text,
            tokens: &hypothesis.tokens,
            waves,
        });
        reader.requests(screen, &basis.premises, claims, on_event)
    }

    /// The claims of a case with their premises, given what the small model read.
    pub(super) fn screen(
        &self,
        basis: &Basis<'_>,
        claims: Vec<Prepared>,
        read: Vec<(ScreenRequest, Outcome)>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Screened<'s>>> {
        let mut readings = vec![Reading::new(); claims.len()];
        for (ScreenRequest { claim, premise, .. }, outcome) in read {
            let Hypothesis { part, claim: of, .. } = &claims[claim].hypothesis;
            let (reader, number) = (self.reader, part.claim().0);
            let not_finite = || reader.map_or(Error::Stopped, |reader| reader.not_finite(number, &of.text));
            readings[claim].insert(premise, outcome.ok_or_else(not_finite)?);
        }
        let screened = |(Prepared { hypothesis, waves }, reading): (Prepared, Reading)| {
            poll(on_event)?;
            let premises = &basis.premises;
            let alignment = match self.rules.screen {
                Some(screen) => self.screened(screen, premises, &hypothesis, waves, &reading),
                None if self.rules.is_lazy() => {
                    let ordered = premises.in_order(waves, &hypothesis.tokens);
                    ClaimAlignment::new(self.rules, in_waves(ordered))
                }
                None => ClaimAlignment::new(self.rules, waves),
            };
            let counts = Counts { screen_pairs: reading.len(), ..Counts::default() };
            Ok(Screened { hypothesis, alignment, counts })
        };
        claims.into_iter().zip(readings).map(screened).collect()
    }

    /// The alignment of a claim with the premises that the screen keeps.
    fn screened(
        &self,
        screen: Screen,
        premises: &Premises,
        hypothesis: &Hypothesis,
        waves: Waves,
        reading: &Reading,
    ) -> ClaimAlignment<'s> {
        let candidate = |premise: PremiseId| Candidate {
            premise,
            sentences: premises.get(premise).sentences.clone(),
            overlap: premises.overlap(premise, &hypothesis.tokens),
            read: reading.get(&premise).copied(),
        };
        let levels = waves.into_iter().filter(|(_, premises)| !premises.is_empty());
        let candidates: Vec<(Level, Vec<Candidate>)> =
            levels.map(|(level, premises)| (level, premises.into_iter().map(candidate).collect())).collect();
        ClaimAlignment::screened(self.rules, Screening::new(screen, candidates))
    }
}
