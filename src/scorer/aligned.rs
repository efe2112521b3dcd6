//! Aligns claims: what each requests of the model next, the model's inputs, and the claims that request nothing more.

use std::collections::BTreeMap;

use veridic_models::Truncation;

use super::basis::Basis;
use super::counts::Counts;
use super::place::Part;
use super::prepared::Hypothesis;
use super::screened::Screened;
use super::settings::Settings;
use super::setup::Scorer;
use crate::align::{Alignment, Step};
use crate::error::{Error, Result};
use crate::premises::{PremiseId, Premises};
use crate::rules::{Level, Overflow};
use crate::schedule::{Job, OnEvent, Outcome, poll};

/// A claim that needs no more premises.
pub(super) struct Aligned {
    pub(super) hypothesis: Hypothesis,
    pub(super) alignment: Alignment,
    pub(super) counts: Counts,
}

/// A premise to be computed for a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) part: Part,
    pub(super) level: Level,
    pub(super) premise: PremiseId,
}

/// The claims of a case after each was asked what it needs next.
#[derive(Default)]
pub(super) struct Round<'s> {
    pub(super) open: BTreeMap<Part, Screened<'s>>,
    pub(super) requests: Vec<Request>,
    pub(super) aligned: Vec<Aligned>,
}

impl Scorer {
    /// Asks every claim of a case what it needs next.
    ///
    /// # Errors
    /// When the resolver or the tokenizer fails, a claim has no premise, or the work is stopped.
    pub(super) fn next_round<'s>(
        &self,
        basis: &mut Basis<'_>,
        claims: BTreeMap<Part, Screened<'s>>,
        on_event: &OnEvent<'_>,
    ) -> Result<Round<'s>> {
        let mut round = Round::default();
        for (part, mut claim) in claims {
            poll(on_event)?;
            match self.next_wave(&mut basis.premises, &mut claim, on_event)? {
                Some((level, wave)) => {
                    let request = |premise| Request { part, level, premise };
                    round.requests.extend(wave.into_iter().map(request));
                    round.open.insert(part, claim);
                }
                None => round.aligned.push(self.aligned(&basis.premises, claim)?),
            }
        }
        Ok(round)
    }

    /// The premises that a claim needs next.
    fn next_wave(
        &self,
        premises: &mut Premises,
        claim: &mut Screened<'_>,
        on_event: &OnEvent<'_>,
    ) -> Result<Option<(Level, Vec<PremiseId>)>> {
        let Settings { rules, coref, .. } = &self.settings;
        loop {
            match claim.alignment.next_step() {
                None => return Ok(None),
                Some(Step::Compute(level, wave)) => return Ok(Some((level, wave))),
                Some(Step::Rewrite(sentence)) => {
                    let tokenizer = self.engine.tokenizer();
                    let mut ids = premises.rewrite(sentence, rules.rewriting, coref, tokenizer, on_event)?;
                    let all = ids.len();
                    if rules.overflow == Overflow::Split {
                        let room = self.premise_room(Level::Coref, &claim.hypothesis.tokens);
                        ids.retain(|id| premises.get(*id).tokens.len() <= room);
                    }
                    claim.counts.too_long += all - ids.len();
                    claim.alignment.add_rewritings(ids);
                }
            }
        }
    }

    /// A claim that requests nothing more.
    fn aligned(&self, premises: &Premises, claim: Screened<'_>) -> Result<Aligned> {
        let Screened { hypothesis, alignment, counts } = claim;
        let sentences = |premise: PremiseId| premises.get(premise).sentences.len();
        let alignment = alignment.finish(sentences).ok_or_else(|| {
            let levels = self.settings.rules.levels.iter().map(|level| level.name()).collect::<Vec<_>>();
            let expected = "these levels give this document no premise: add `sentence` or `document`";
            Error::setting("levels", levels.join(","), expected)
        })?;
        let Alignment { computed, skipped, left_out, .. } = alignment;
        let counts = Counts { computed, skipped, left_out, ..counts };
        Ok(Aligned { hypothesis, alignment, counts })
    }

    /// The model's input for the request of a claim.
    pub(super) fn job(&self, premises: &Premises, claim: &Screened<'_>, request: &Request) -> Result<Job> {
        let rules = &self.settings.rules;
        let truncation = match rules.overflow {
            Overflow::Split => Truncation::Refuse,
            Overflow::Cut(truncation) => truncation,
        };
        let premise = &premises.get(request.premise).tokens;
        let limit = rules.token_limit(request.level);
        Ok(self.engine.tokenizer().pair(premise, &claim.hypothesis.tokens.ids, limit, truncation)?)
    }

    /// Gives a claim the outcome of its request.
    ///
    /// # Errors
    /// When the model's outputs are not finite.
    pub(super) fn record(
        &self,
        claim: &mut Screened<'_>,
        request: &Request,
        is_cut: bool,
        outcome: Outcome,
    ) -> Result<()> {
        let Hypothesis { part, claim: of, .. } = &claim.hypothesis;
        let not_finite = || self.engine.not_finite(part.claim().0, &of.text);
        let probabilities = outcome.ok_or_else(not_finite)?;
        claim.counts.cut += usize::from(is_cut);
        claim.alignment.record(request.level, request.premise, probabilities);
        Ok(())
    }
}
