//! What a caller is told of a pair's claims while they are judged: all of them once they are known, and each
//! judgement as soon as nothing can change it.

use std::borrow::Cow;

use super::claims::Claim;
use super::result::ClaimResult;
use super::scorer::Scorer;
use super::traveller::Traveller;

/// News of a pair's claims.
#[derive(Debug)]
pub enum ClaimNews<'n> {
    /// The claims, in the summary's order.
    Found(Cow<'n, [Claim]>),
    /// One of them is decided: what the pair's result will say of it.
    Decided {
        /// Its place among the claims.
        index: usize,
        /// Its judgement.
        result: Box<ClaimResult>,
    },
}

/// Is told the news.
pub type OnClaim<'a> = dyn Fn(ClaimNews<'_>) + Sync + 'a;

impl Scorer {
    /// Tells the claims that were judged since the last time.
    pub(super) fn tell_decided(&self, traveller: &mut Traveller<'_, '_>, tell: &OnClaim<'_>) {
        let judged = traveller.claims.iter_mut().enumerate().filter(|(_, underway)| !underway.is_told);
        for (index, underway) in judged {
            if let Some(result) = underway.result.clone().map(Box::new) {
                underway.is_told = true;
                tell(ClaimNews::Decided { index, result });
            }
        }
    }
}
