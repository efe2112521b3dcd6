//! A pair on its way: its premises, its claims and how far each has come.

use super::align::{ClaimAlignment, PremiseId, Step};
use super::claims::{Claim, ClaimsFrom};
use super::pair_language::PairLanguage;
use super::premises::Premises;
use super::profile::Level;
use super::result::ClaimResult;
use crate::error::Result;
use veridic_models::TextTokens;

/// A pair on its way.
pub(super) struct InFlightPair<'s, 'p> {
    /// Its index among the pairs that travel together.
    pub(super) pair: usize,
    pub(super) premises: Premises<'p>,
    pub(super) claims: Vec<InFlightClaim<'s>>,
    pub(super) claims_from: ClaimsFrom,
    /// What its texts are written in.
    pub(super) written: PairLanguage,
    /// (premise, claim) pairs that lost tokens.
    pub(super) cut: usize,
    /// Rewritten sentences that did not fit beside a claim.
    pub(super) too_long: usize,
}

/// A claim on its way.
pub(super) struct InFlightClaim<'s> {
    pub(super) claim: Claim,
    pub(super) tokens: TextTokens,
    pub(super) alignment: ClaimAlignment<'s>,
    /// Whether it asks for nothing more.
    pub(super) is_decided: bool,
    /// Its judgement, once it is decided.
    pub(super) result: Option<ClaimResult>,
    /// Whether a watcher knows that.
    pub(super) is_reported: bool,
}

/// A premise that a claim asks for.
pub(super) struct Request {
    pub(super) pair: usize,
    pub(super) claim: usize,
    pub(super) level: Level,
    pub(super) premise: PremiseId,
}

impl InFlightPair<'_, '_> {
    /// The next premises of every claim that is not decided. `rewrite` gives the rewritings of a sentence
    /// that fit beside a claim, and how many do not.
    ///
    /// # Errors
    /// When `rewrite` fails.
    pub(super) fn requests(
        &mut self,
        rewrite: impl Fn(&mut Premises<'_>, PremiseId, &TextTokens) -> Result<(Vec<PremiseId>, usize)>,
    ) -> Result<Vec<Request>> {
        let mut requests = Vec::new();
        for (claim, underway) in self.claims.iter_mut().enumerate() {
            loop {
                let Some(step) = underway.alignment.next_step() else {
                    underway.is_decided = true;
                    break;
                };
                match step {
                    Step::Compute(level, wave) => {
                        let pair = self.pair;
                        let request = |premise| Request { pair, claim, level, premise };
                        requests.extend(wave.into_iter().map(request));
                        break;
                    }
                    Step::Rewrite(sentence) => {
                        let (ids, too_long) = rewrite(&mut self.premises, sentence, &underway.tokens)?;
                        self.too_long += too_long;
                        underway.alignment.rewritten(ids);
                    }
                }
            }
        }
        Ok(requests)
    }
}
