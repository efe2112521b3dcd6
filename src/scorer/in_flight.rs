//! A pair while it is judged: its premises, its claims and the progress of each claim.

use crate::align::{ClaimAlignment, Step};
use crate::claims::{Claim, ClaimsFrom};
use crate::error::Result;
use crate::input::PairLanguage;
use crate::premises::{PremiseId, Premises};
use crate::result::ClaimResult;
use crate::rules::Level;
use crate::schedule::{OnEvent, poll};
use crate::text::Span;
use veridic_models::TextTokens;

/// A pair while it is judged.
pub(super) struct InFlightPair<'s, 'p> {
    /// Its index among the pairs that are in flight.
    pub(super) index: usize,
    pub(super) summary: &'p str,
    pub(super) premises: Premises<'p>,
    pub(super) claims: Vec<InFlightClaim<'s>>,
    pub(super) claims_from: ClaimsFrom,
    /// The parts of the summary that state nothing.
    pub(super) others: Vec<Span>,
    pub(super) language: PairLanguage,
    /// (premise, claim) pairs that were truncated.
    pub(super) cut: usize,
    /// Rewritten sentences that did not fit into a pair with a claim.
    pub(super) too_long: usize,
    /// (premise, claim) pairs that the small model of the screen read.
    pub(super) screen_pairs: usize,
}

/// A claim while it is judged.
pub(super) struct InFlightClaim<'s> {
    pub(super) claim: Claim,
    pub(super) tokens: TextTokens,
    pub(super) alignment: ClaimAlignment<'s>,
    /// Whether it requests no more premises.
    pub(super) is_decided: bool,
    /// Number of changed claims that were read.
    pub(super) contrast_pairs: usize,
    /// Its judgement, once it is decided.
    pub(super) result: Option<ClaimResult>,
    /// Whether the judgement was reported.
    pub(super) is_reported: bool,
}

/// A premise to be computed for a claim.
pub(super) struct Request {
    /// Index of the pair.
    pub(super) pair: usize,
    /// Index of the claim in its summary.
    pub(super) claim: usize,
    pub(super) level: Level,
    pub(super) premise: PremiseId,
}

impl InFlightPair<'_, '_> {
    /// The next premises of every claim that is not decided. `rewrite` returns the rewritings of a sentence that fit
    /// into a pair with the claim, and the number of those that do not.
    ///
    /// # Errors
    /// When `rewrite` fails, or `on_event` stops the work.
    pub(super) fn requests(
        &mut self,
        rewrite: impl Fn(&mut Premises<'_>, PremiseId, &TextTokens) -> Result<(Vec<PremiseId>, usize)>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Request>> {
        let mut requests = Vec::new();
        for (claim, in_flight) in self.claims.iter_mut().enumerate() {
            poll(on_event)?;
            loop {
                let Some(step) = in_flight.alignment.next_step() else {
                    in_flight.is_decided = true;
                    break;
                };
                match step {
                    Step::Compute(level, wave) => {
                        let pair = self.index;
                        let request = |premise| Request { pair, claim, level, premise };
                        requests.extend(wave.into_iter().map(request));
                        break;
                    }
                    Step::Rewrite(sentence) => {
                        let (ids, too_long) = rewrite(&mut self.premises, sentence, &in_flight.tokens)?;
                        self.too_long += too_long;
                        in_flight.alignment.add_rewritings(ids);
                    }
                }
            }
        }
        Ok(requests)
    }
}
