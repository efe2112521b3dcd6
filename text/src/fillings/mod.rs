//! Other fillings of a claim: the claim with one of its quantities, dates or names replaced by another of the same kind from
//! its evidence, with two of its names exchanged, or denied.
//!
//! Decides what can stand in the place of what, and which fillings are most promising. Refuses to say whether any of them
//! is true: a judge of entailment says that.
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
use super::wording::{WordKind, Wording};

/// Most fillings of one part of a claim.
const MOST_OF_A_PART: usize = 4;
/// Most fillings of a claim.
const MOST: usize = 16;

/// What a filling changes in a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A number, an amount, a share or a measure becomes another.
    Quantity,
    /// A date or a time of day becomes another.
    Date,
    /// A name becomes another.
    Name,
    /// The speaker whom the claim tells of becomes another speaker of the evidence.
    Speaker,
    /// Two names are exchanged.
    Roles,
    /// The claim is denied, or a denied claim affirmed.
    Denial,
}

/// How much of the evidence has the part of a claim that a filling replaces. A part that the claim's own sentence lacks is
/// the more likely to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// Nothing in the evidence.
    Nowhere,
    /// Some sentence, but not the one that shares most words with the claim.
    Elsewhere,
    /// The sentence that shares most words with the claim; also of what is exchanged or denied.
    Sentence,
}

/// A claim with one part changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// What is changed.
    pub change: Change,
    /// Where the evidence has the part that is replaced.
    pub presence: Presence,
    /// The byte range in the claim that is replaced; of exchanged names, from the first to the end of the second; of a
    /// denial, where the words of negation stand or are put.
    pub span: Range<usize>,
    /// What stands there instead.
    pub text: String,
    /// The byte range in the evidence where that is from; of exchanged names and of a denial, the sentence that shares most
    /// words with the claim.
    pub source: Range<usize>,
    /// Whether that is in the sentence that shares most words with the claim.
    pub is_near: bool,
    /// The changed claim.
    pub claim: String,
}

/// A claim and its evidence, as the rules read them.
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

/// The fillings of a claim that its evidence offers, the most promising first: at most 16, and of one part of the claim at
/// most 4.
///
/// Parts that the evidence lacks come before others, and of one part what is in sentences that share more words with the
/// claim; the denial is last.
#[must_use]
pub fn fillings(claim: &str, evidence: &str) -> Vec<Filling> {
    let reading = Reading::of(claim, evidence);
    if reading.sentences.is_empty() {
        return Vec::new();
    }
    let mut found = values::fillings(&reading);
    found.extend(entities::fillings(&reading));
    // Stable: of equals, values before names, and the order of the sentences.
    found.sort_by_key(|filling| (filling.presence, reading.rank(filling)));
    let denial = denial(claim).map(|(span, text)| {
        reading.filling(Change::Denial, Presence::Sentence, span, text, reading.sentences[0].span.clone())
    });
    found.truncate(MOST - usize::from(denial.is_some()));
    found.extend(denial);
    found
}

/// The fillings of a claim that begins with the name of a speaker: with that of each other speaker of the evidence. A name may
/// be the first or the last word of a longer one. Their source is the whole evidence.
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
    others.take(MOST_OF_A_PART).map(filling).collect()
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

    /// The filling that puts `text` in the place of `span`.
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

    /// The place of a filling's sentence in the order of sentences.
    fn rank(&self, filling: &Filling) -> usize {
        let holds = |sentence: &Sentence<'_>| {
            sentence.span.start <= filling.source.start && filling.source.end <= sentence.span.end
        };
        self.sentences.iter().position(holds).unwrap_or(self.sentences.len())
    }
}

/// How many different words of the claim, function words and numbers aside, a sentence has.
fn shared_words(claim: &Wording<'_>, sentence: &Wording<'_>) -> usize {
    let counts = |kind: WordKind| matches!(kind, WordKind::Content | WordKind::Name);
    let mut words: Vec<&str> =
        claim.words.iter().filter(|word| counts(word.kind)).map(|word| word.form.as_str()).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|form| sentence.words.iter().any(|word| word.form == *form));
    words.len()
}
