//! Prepares pairs for alignment: the document's premises, and those that each claim may be compared with. Refuses a
//! claim that leaves no room for a premise.

use std::collections::HashMap;

use rayon::prelude::*;
use veridic_models::TextTokens;

use super::in_flight::{InFlightClaim, InFlightPair};
use super::reading::ReadPair;
use super::stream::ReadDocument;
use crate::align::ClaimAlignment;
use crate::claims::{Claim, Claims, Summary};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::input::{Division, Pair, PairLanguage};
use crate::premises::{MIN_PIECE_TOKENS, Premises, Waves};
use crate::rules::{Level, Overflow, Rules};
use crate::schedule::{OnEvent, poll};

/// A document's text, its sentences if they are given, and its division.
pub(super) type DocumentKey<'p> = (&'p str, Option<&'p [String]>, &'p Division);

/// A pair as models read it.
#[derive(Clone, Copy)]
pub(super) struct Reading<'p> {
    pub(super) pair: Pair<'p>,
    /// The division of its document.
    pub(super) division: &'p Division,
    /// The speakers of the document, if layout is interpreted.
    pub(super) layout: Option<&'p [String]>,
}

impl<'p> Reading<'p> {
    pub(super) fn of(read: &'p ReadPair<'_>) -> Self {
        Self { pair: read.pair(), division: read.division(), layout: read.layout() }
    }

    /// Its summary.
    pub(super) fn summary(&self) -> Summary<'p> {
        Summary { layout: self.layout, ..Summary::of(&self.pair) }
    }

    fn document(&self) -> DocumentKey<'p> {
        (self.pair.document, self.pair.sentences, self.division)
    }
}

/// Prepares pairs with an engine and rules.
pub(super) struct Preparation<'s> {
    pub(super) engine: &'s Engine,
    pub(super) rules: &'s Rules,
    /// A document that was read before.
    pub(super) known: Option<&'s ReadDocument>,
}

impl<'s> Preparation<'s> {
    /// Prepares pairs; the document of several pairs is read once. When `on_event` stops the work, pairs that are not
    /// prepared are [`Error::Stopped`].
    pub(super) fn prepare<'p>(
        &self,
        pairs: &[Reading<'p>],
        claims: Vec<Result<Claims>>,
        on_event: &OnEvent<'_>,
    ) -> Vec<Result<InFlightPair<'s, 'p>>> {
        let shared = self.shared_premises(pairs, on_event);
        let prepare = |(index, (reading, claims)): (usize, (&Reading<'p>, Result<Claims>))| {
            poll(on_event)?;
            reading.pair.check()?;
            let claims = claims?;
            let premises = match shared.get(&reading.document()) {
                Some(premises) => premises.clone(),
                None => self.premises(reading.document(), on_event)?,
            };
            self.prepare_pair(index, &reading.pair, premises, claims, on_event)
        };
        pairs.par_iter().zip(claims).enumerate().map(prepare).collect()
    }

    /// The premises of each document that several pairs share. A document that cannot be read is left out; each of its
    /// pairs then reads it again and returns the error.
    fn shared_premises<'p>(
        &self,
        pairs: &[Reading<'p>],
        on_event: &OnEvent<'_>,
    ) -> HashMap<DocumentKey<'p>, Premises<'p>> {
        let mut counts: HashMap<DocumentKey<'p>, usize> = HashMap::new();
        for reading in pairs.iter().filter(|reading| reading.pair.check().is_ok()) {
            *counts.entry(reading.document()).or_default() += 1;
        }
        let several = counts.into_par_iter().filter(|(_, count)| *count > 1);
        let read = |(document, _)| Some((document, self.premises(document, on_event).ok()?));
        several.filter_map(read).collect()
    }

    pub(super) fn premises<'p>(
        &self,
        (document, sentences, division): DocumentKey<'p>,
        on_event: &OnEvent<'_>,
    ) -> Result<Premises<'p>> {
        let is_known = |known: &&ReadDocument| {
            sentences.is_none() && known.text == document && known.division == *division
        };
        if let Some(known) = self.known.filter(is_known) {
            return Ok(Premises::of_set(document, division, known.premises.clone()));
        }
        Premises::read(document, division, sentences, self.rules, self.engine.tokenizer(), on_event)
    }

    fn prepare_pair<'p>(
        &self,
        index: usize,
        pair: &Pair<'p>,
        mut premises: Premises<'p>,
        claims: Claims,
        on_event: &OnEvent<'_>,
    ) -> Result<InFlightPair<'s, 'p>> {
        let Claims { claims, from: claims_from, others } = claims;
        let claims = claims.into_iter().enumerate();
        let claims = claims.map(|(number, claim)| {
            poll(on_event)?;
            self.prepare_claim(&mut premises, number, claim)
        });
        Ok(InFlightPair {
            index,
            summary: pair.summary,
            claims: claims.collect::<Result<_>>()?,
            premises,
            claims_from,
            others,
            language: PairLanguage::of(self.rules.languages.as_deref(), pair.document, pair.summary),
            cut: 0,
            too_long: 0,
            screen_pairs: 0,
        })
    }

    fn prepare_claim(
        &self,
        premises: &mut Premises<'_>,
        number: usize,
        claim: Claim,
    ) -> Result<InFlightClaim<'s>> {
        let tokens = self.engine.tokenizer().hypothesis(&claim.text)?;
        let waves = self.levels(premises, number, &tokens)?;
        let alignment = ClaimAlignment::new(self.rules, waves);
        Ok(InFlightClaim {
            claim,
            tokens,
            alignment,
            is_decided: false,
            contrast_pairs: 0,
            result: None,
            is_reported: false,
        })
    }

    /// The premises of each level that a claim may be compared with.
    fn levels(&self, premises: &mut Premises<'_>, claim: usize, tokens: &TextTokens) -> Result<Waves> {
        match self.rules.overflow {
            Overflow::Cut(_) => Ok(premises.whole()),
            Overflow::Split => {
                self.check_claim(claim, tokens)?;
                let within =
                    premises.within(|level| self.premise_tokens(level, tokens), self.engine.tokenizer());
                Ok(within?)
            }
        }
    }

    /// Refuses a claim that leaves no room for a premise on some level.
    fn check_claim(&self, claim: usize, tokens: &TextTokens) -> Result<()> {
        for level in &self.rules.levels {
            if self.premise_room(*level, tokens) < MIN_PIECE_TOKENS {
                let limit = self.rules.token_limit(*level);
                return Err(Error::ClaimTooLong { claim: claim + 1, tokens: tokens.len(), limit });
            }
        }
        Ok(())
    }

    /// Maximum tokens of a premise in a pair with the claim.
    fn premise_tokens(&self, level: Level, claim: &TextTokens) -> usize {
        let most = self.rules.run_tokens.filter(|_| level == Level::Document);
        self.premise_room(level, claim).min(most.unwrap_or(usize::MAX))
    }

    fn premise_room(&self, level: Level, claim: &TextTokens) -> usize {
        premise_room((self.engine, self.rules), level, claim)
    }
}

/// Number of tokens that a claim leaves for a premise.
pub(super) fn premise_room((engine, rules): (&Engine, &Rules), level: Level, claim: &TextTokens) -> usize {
    let taken = claim.len() + engine.tokenizer().special_tokens();
    rules.token_limit(level).saturating_sub(taken)
}
