//! Other fillings of a claim: the claim with one of its quantities, dates or names replaced by another of the same kind from
//! its evidence, with two of its names exchanged, or denied.
//!
//! Decides what can replace a part, and which fillings are most promising. Does not decide whether a filling is true,
//! which takes an entailment model.
//!
//! `values` replaces quantities and dates, `entities` replaces and exchanges names, `denial` denies.

mod denial;
mod entities;
mod filling;
mod reading;
#[cfg(test)]
mod tests;
mod values;

use self::denial::denial;
use self::filling::MAX_PER_PART;
pub use self::filling::{Change, Filling, Presence};
use self::reading::Reading;
use crate::text::words::{Word, words};

/// Maximum number of fillings of a claim.
const MAX_FILLINGS: usize = 16;

/// The fillings of a claim that its evidence offers, most promising first: at most 16, and at most 4 for one part of
/// the claim.
///
/// Fillings of parts that the evidence lacks come first. Fillings of one part are ordered by the number of words that
/// their sentence shares with the claim. The denial is last.
#[must_use]
pub fn fillings(claim: &str, evidence: &str) -> Vec<Filling> {
    let reading = Reading::of(claim, evidence);
    if reading.sentences.is_empty() {
        return Vec::new();
    }
    let mut found = values::fillings(&reading);
    found.extend(entities::fillings(&reading));
    // A stable sort: ties keep values before names, and the order of the sentences.
    found.sort_by_key(|filling| (filling.presence, reading.rank(filling)));
    let denial = denial(claim).map(|(span, text)| {
        reading.filling(Change::Denial, Presence::Sentence, span, text, reading.sentences[0].span.clone())
    });
    found.truncate(MAX_FILLINGS - usize::from(denial.is_some()));
    found.extend(denial);
    found
}

/// The fillings of a claim that begins with the name of a speaker: the claim with the name of each other speaker of the
/// evidence. A name may be the first or the last word of a longer one. Their source is the whole evidence. There are
/// none if the evidence names the claim's speaker: "Tom, bring it" is about Tom, whoever says it.
#[must_use]
pub fn speaker_fillings(
    claim: &str,
    evidence: &str,
    speakers: &[&str],
    of_evidence: &[&str],
) -> Vec<Filling> {
    let begins = |name: &&str| {
        claim
            .strip_prefix(*name)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let names =
        speakers.iter().map(|speaker| (speaker, forms(speaker).filter(begins).max_by_key(|name| name.len())));
    let own = names.filter_map(|(speaker, name)| Some((*speaker, name?))).max_by_key(|(_, name)| name.len());
    let Some((own, name)) = own else { return Vec::new() };
    let is_named = |word: &Word<'_>| forms(own).any(|form| form == word.text);
    if words(evidence).iter().any(is_named) {
        return Vec::new();
    }
    let others = of_evidence.iter().filter(|other| **other != own);
    let filling = |other: &&str| Filling {
        change: Change::Speaker,
        presence: Presence::Sentence,
        span: 0..name.len(),
        text: (*other).to_owned(),
        source: 0..evidence.len(),
        is_near: true,
        claim: [other, &claim[name.len()..]].concat(),
    };
    others.take(MAX_PER_PART).map(filling).collect()
}

/// A name, its first word and its last word.
fn forms(name: &str) -> impl Iterator<Item = &str> {
    let mut words = name.split_whitespace();
    let first = words.next();
    [Some(name), first, words.next_back()].into_iter().flatten()
}
