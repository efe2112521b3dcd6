//! Checks whether the sources that an answer cites support it. `markers` finds the citation markers, which are removed
//! from the text that the judge reads ([`super::normalized`]). Each claim is judged against each cited source alone; if
//! none of them supports it, against all cited sources together, and then against every other source alone (`claim`).

mod claim;
pub(super) mod markers;

use std::collections::{BTreeMap, BTreeSet};

use self::claim::{ClaimCitations, SourceJudgement};
use self::markers::Markers;
use super::extracted::Extracted;
use super::place::ClaimId;
use crate::decide::{ClaimVerdict, Verdict};
use crate::error::{Error, Result};
use crate::input::{Pair, Source, SourceText, Sources, summary_sentences};
use crate::result::{Citation, CitationVerdict};
use crate::text::{Cited, Marker, Span, TextIndex};

/// Claims that are to be judged against some of the sources, by their places in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) sources: Vec<usize>,
    pub(super) claims: Vec<ClaimId>,
}

/// The citations of a pair that are checked.
pub(super) struct Citations<'w> {
    given: &'w Pair<'w>,
    sources: &'w Sources,
    markers: &'w Markers,
    claims: Vec<ClaimCitations>,
}

impl<'w> Citations<'w> {
    /// The citations of a pair's claims, none of them checked; `None` if the pair asks for no citations.
    pub(super) fn of(extracted: &'w Extracted<'w>) -> Option<Self> {
        let Extracted { read, claims } = extracted;
        let (markers, sources) = read.markers().zip(read.given().sources)?;
        let spans: Vec<&[Span]> = claims.claims.iter().map(|claim| claim.spans.as_slice()).collect();
        let pair = read.pair();
        let sentences = summary_sentences(&TextIndex::new(pair.summary), pair.summary_sentences).ok()?;
        let of_claims = markers.of_claims(read.summary(), &sentences, &spans);
        let claim = |own: Vec<usize>| {
            let cited = own.iter().flat_map(|marker| &markers.list()[*marker].cited);
            let known = cited.filter_map(|cited| match cited {
                Cited::Known(source) => Some(*source),
                Cited::Unknown(_) => None,
            });
            let known: BTreeSet<usize> = known.collect();
            ClaimCitations::new(own, known)
        };
        let claims = of_claims.into_iter().map(claim).collect();
        Some(Self { given: read.given(), sources, markers, claims })
    }

    /// Whether nothing more has to be judged for the citations of a claim.
    pub(super) fn are_checked(&self, ClaimId(claim): ClaimId) -> bool {
        self.claims[claim].wanted(self.sources.list().len()).is_empty()
    }

    /// What is to be judged next, each with all claims that need the same sources.
    pub(super) fn questions(&self) -> Vec<Question> {
        let mut asked: BTreeMap<Vec<usize>, Vec<ClaimId>> = BTreeMap::new();
        for (claim, cites) in self.claims.iter().enumerate() {
            for sources in cites.wanted(self.sources.list().len()) {
                asked.entry(sources).or_default().push(ClaimId(claim));
            }
        }
        asked.into_iter().map(|(sources, claims)| Question { sources, claims }).collect()
    }

    /// The sources of a question, joined into a document.
    ///
    /// # Errors
    /// When one has no text.
    pub(super) fn document(&self, question: &Question) -> Result<(String, Sources)> {
        let document = TextIndex::new(self.given.document);
        let text = |source: &usize| {
            let Source { id, span, .. } = &self.sources.list()[*source];
            SourceText { id: id.clone(), text: document.slice(*span).to_owned() }
        };
        let texts: Vec<SourceText> = question.sources.iter().map(text).collect();
        Sources::join(&texts).map_err(|error| Error::Text { role: "document", reason: error.to_string() })
    }

    /// Adds the verdict on a claim against some of the sources.
    pub(super) fn record(&mut self, sources: &[usize], ClaimId(claim): ClaimId, verdict: ClaimVerdict) {
        let supports = matches!(verdict.verdict, Verdict::Supported | Verdict::NoAnswer);
        let judgement = SourceJudgement { score: Some(verdict.score), supports };
        self.claims[claim].record(sources, judgement);
    }

    /// Records that the sources of a question have no words: they support nothing.
    pub(super) fn record_wordless(&mut self, question: &Question) {
        let judgement = SourceJudgement { score: None, supports: false };
        for ClaimId(claim) in &question.claims {
            self.claims[*claim].record(&question.sources, judgement);
        }
    }

    /// The citations of a claim, once they are checked.
    pub(super) fn of_claim(&self, ClaimId(claim): ClaimId) -> Vec<Citation> {
        let answer = TextIndex::new(self.given.summary);
        let claim = &self.claims[claim];
        let id = |source: usize| self.sources.list()[source].id.clone();
        let citation = |marker: &Marker, cited: &Cited| {
            let (source, verdict, score, other) = match cited {
                Cited::Known(source) => {
                    let (verdict, other) = claim.verdict(*source);
                    (id(*source), verdict, claim.score(*source), other.map(id))
                }
                Cited::Unknown(id) => (id.clone(), CitationVerdict::UnknownSource, None, None),
            };
            let (span, marker) = (marker.span, answer.slice(marker.span).to_owned());
            Citation { marker, span, source, verdict, score, other }
        };
        let markers = claim.markers.iter().map(|marker| &self.markers.list()[*marker]);
        markers.flat_map(|marker| marker.cited.iter().map(move |cited| citation(marker, cited))).collect()
    }
}
