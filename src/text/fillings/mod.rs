//! Other fillings of a claim: the claim with one of its quantities, dates or names replaced by another of the same kind from
//! its evidence, with two of its names exchanged, or denied.
//!
//! Decides what can replace a part, and which fillings are most promising. Does not decide whether a filling is true,
//! which takes an entailment model.
//!
//! `values` replaces quantities and dates, `entities` replaces and exchanges names, `denial` denies.

mod denial;
mod entities;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;

use self::denial::denial;
use super::index::TextIndex;
use super::sentences::sentences;
use super::wording::Wording;
use super::words::WordKind;

/// Maximum number of fillings of one part of a claim.
const MAX_PER_PART: usize = 4;
/// Maximum number of fillings of a claim.
const MAX_FILLINGS: usize = 16;

/// The kind of change that a filling makes to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A number, an amount, a share or a measure becomes another.
    Quantity,
    /// A date or a time of day becomes another.
    Date,
    /// A name becomes another.
    Name,
    /// The speaker with whose name the claim begins becomes another speaker of the evidence.
    Speaker,
    /// Two names are exchanged.
    Roles,
    /// The claim is denied, or a denied claim affirmed.
    Denial,
}

/// Where the evidence contains the part of a claim that a filling replaces. A part that the claim's own sentence lacks
/// is more likely to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// Nowhere in the evidence.
    Nowhere,
    /// In some sentence, but not in the one that shares most words with the claim.
    Elsewhere,
    /// In the sentence that shares most words with the claim; also used for exchanged names and denials.
    Sentence,
}

/// A claim with one part changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// The kind of change.
    pub change: Change,
    /// Where the evidence contains the replaced part.
    pub presence: Presence,
    /// The replaced byte range of the claim; for exchanged names, from the start of the first to the end of the second;
    /// for a denial, where the negation is removed or inserted.
    pub span: Range<usize>,
    /// The replacement.
    pub text: String,
    /// The byte range of the evidence that the replacement comes from; for exchanged names and denials, the sentence
    /// that shares most words with the claim.
    pub source: Range<usize>,
    /// Whether the source is in the sentence that shares most words with the claim.
    pub is_near: bool,
    /// The changed claim.
    pub claim: String,
}

/// A claim and its evidence, analysed.
struct Reading<'t> {
    claim: Wording<'t>,
    evidence: &'t str,
    /// The sentences of the evidence, those that share most words with the claim first.
    sentences: Vec<Sentence<'t>>,
}

/// A sentence of the evidence.
struct Sentence<'t> {
    /// Its byte range in the evidence.
    span: Range<usize>,
    wording: Wording<'t>,
}

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
/// evidence. A name may be the first or the last word of a longer one. Their source is the whole evidence.
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

impl<'t> Reading<'t> {
    fn of(claim: &'t str, evidence: &'t str) -> Self {
        let claim = Wording::of(claim);
        let index = TextIndex::new(evidence);
        let spans = sentences(evidence).into_iter().map(|span| index.byte(span.start)..index.byte(span.end));
        let mut sentences: Vec<Sentence<'t>> =
            spans.map(|span| Sentence { wording: Wording::of(&evidence[span.clone()]), span }).collect();
        sentences.sort_by_cached_key(|sentence| std::cmp::Reverse(shared_words(&claim, &sentence.wording)));
        Self { claim, evidence, sentences }
    }

    /// The filling that replaces `span` by `text`.
    fn filling(
        &self,
        change: Change,
        presence: Presence,
        span: Range<usize>,
        text: String,
        source: Range<usize>,
    ) -> Filling {
        let own = self.claim.text;
        let claim = [&own[..span.start], &text, &own[span.end..]].concat();
        let nearest = &self.sentences[0].span;
        let is_near = nearest.start <= source.start && source.end <= nearest.end;
        Filling { change, presence, span, text, source, is_near, claim }
    }

    /// The rank of a filling's sentence.
    fn rank(&self, filling: &Filling) -> usize {
        let holds = |sentence: &Sentence<'_>| {
            sentence.span.start <= filling.source.start && filling.source.end <= sentence.span.end
        };
        self.sentences.iter().position(holds).unwrap_or(self.sentences.len())
    }
}

/// The number of different words of the claim, except function words and numbers, that a sentence contains.
fn shared_words(claim: &Wording<'_>, sentence: &Wording<'_>) -> usize {
    let counts = |kind: WordKind| matches!(kind, WordKind::Content | WordKind::Name);
    let mut words: Vec<&str> =
        claim.words.iter().filter(|word| counts(word.kind)).map(|word| word.form.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|form| sentence.words.iter().any(|word| word.form == *form));
    words.len()
}
