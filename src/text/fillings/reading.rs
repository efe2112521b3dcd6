//! A claim and its evidence, as the fillings need them: the evidence's sentences by the words that they share with the
//! claim.

use std::cmp::Reverse;
use std::ops::Range;

use super::filling::{Change, Filling, Presence};
use crate::text::index::TextIndex;
use crate::text::sentences::sentences;
use crate::text::wording::Wording;
use crate::text::words::WordKind;

/// A claim and its evidence, analysed.
pub(super) struct Reading<'t> {
    pub(super) claim: Wording<'t>,
    pub(super) evidence: &'t str,
    /// The sentences of the evidence, those that share most words with the claim first.
    pub(super) sentences: Vec<Sentence<'t>>,
}

/// A sentence of the evidence.
pub(super) struct Sentence<'t> {
    /// Its byte range in the evidence.
    pub(super) span: Range<usize>,
    pub(super) wording: Wording<'t>,
}

impl Sentence<'_> {
    /// Whether a byte range of the evidence is in the sentence.
    pub(super) fn holds(&self, part: &Range<usize>) -> bool {
        self.span.start <= part.start && part.end <= self.span.end
    }
}

impl<'t> Reading<'t> {
    pub(super) fn of(claim: &'t str, evidence: &'t str) -> Self {
        let claim = Wording::of(claim);
        let index = TextIndex::new(evidence);
        let spans = sentences(evidence).into_iter().map(|span| index.byte(span.start)..index.byte(span.end));
        let mut sentences: Vec<Sentence<'t>> =
            spans.map(|span| Sentence { wording: Wording::of(&evidence[span.clone()]), span }).collect();
        sentences.sort_by_cached_key(|sentence| Reverse(shared_words(&claim, &sentence.wording)));
        Self { claim, evidence, sentences }
    }

    /// The filling that replaces `span` by `text`.
    pub(super) fn filling(
        &self,
        change: Change,
        presence: Presence,
        span: Range<usize>,
        text: String,
        source: Range<usize>,
    ) -> Filling {
        let own = self.claim.text;
        let claim = [&own[..span.start], &text, &own[span.end..]].concat();
        let is_near = self.sentences[0].holds(&source);
        Filling { change, presence, span, text, source, is_near, claim }
    }

    /// The rank of a filling's sentence.
    pub(super) fn rank(&self, filling: &Filling) -> usize {
        let place = self.sentences.iter().position(|sentence| sentence.holds(&filling.source));
        place.unwrap_or(self.sentences.len())
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
