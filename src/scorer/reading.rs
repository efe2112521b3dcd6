//! Normalises texts (`crate::text::NormalizedText`) and maps results back to the texts as given. The rest of the path
//! sees neither characters that models cannot read nor citation markers.

use super::citations::Markers;
use super::events::{ClaimEvent, FoundPart};
use crate::claims::ClaimsFrom;
use crate::explained::explanation;
use crate::findings::contrast;
use crate::findings::words as unsupported_words;
use crate::input::{Division, Pair, Sources};
use crate::result::{ClaimResult, PairResult, digest};
use crate::text::{NormalizedText, Span, normalize_all, read_alone};

/// A pair and its normalised texts.
pub struct ReadPair<'p> {
    given: Pair<'p>,
    document: NormalizedText<'p>,
    division: Division,
    /// The sources with their spans in the normalised document.
    sources: Option<Sources>,
    /// The speakers of the document, if layout is interpreted.
    speakers: Option<Vec<String>>,
    summary: NormalizedText<'p>,
    /// The claims and sentences, if normalisation changes them.
    claims: Option<Vec<String>>,
    sentences: Option<Vec<String>>,
    summary_sentences: Option<Vec<String>>,
    /// The citation markers that are removed from the summary, if citations are checked.
    markers: Option<Markers>,
}

impl<'p> ReadPair<'p> {
    /// Normalises a pair. `layout`: whether layout is interpreted.
    pub fn of(given: &Pair<'p>, layout: bool) -> Self {
        let as_given = !layout || given.sentences.is_some();
        let (document, division) = Division::read(given.document, given.sources, as_given);
        let cited = given.sources.filter(|_| given.citations);
        let markers = cited.map(|sources| Markers::of(given.summary, sources));
        let without_markers =
            |sources, text: &String| Markers::of(text, sources).left_out(text).text().to_owned();
        let of_summary = |texts: Option<&[String]>| -> Option<Vec<String>> {
            match cited {
                Some(sources) => {
                    texts.map(|all| all.iter().map(|text| without_markers(sources, text)).collect())
                }
                None => texts.and_then(normalize_all),
            }
        };
        let claims = match of_summary(given.claims) {
            read if !layout => read,
            read => {
                let claims = read.as_deref().or(given.claims);
                claims.map(|claims| claims.iter().map(|claim| read_alone(claim)).collect())
            }
        };
        Self {
            given: *given,
            document,
            sources: given.sources.map(|_| Sources::at(division.sources.clone())),
            speakers: layout.then(|| division.speakers()),
            division,
            summary: markers
                .as_ref()
                .map_or_else(|| NormalizedText::of(given.summary), |markers| markers.left_out(given.summary)),
            claims,
            sentences: given.sentences.and_then(normalize_all),
            summary_sentences: of_summary(given.summary_sentences),
            markers,
        }
    }

    /// The normalised pair.
    pub fn pair(&self) -> Pair<'_> {
        Pair {
            document: self.document.text(),
            summary: self.summary.text(),
            claims: self.claims.as_deref().or(self.given.claims),
            sentences: self.sentences.as_deref().or(self.given.sentences),
            summary_sentences: self.summary_sentences.as_deref().or(self.given.summary_sentences),
            inputs: self.given.inputs,
            sources: self.sources.as_ref(),
            citations: false,
        }
    }

    /// The division of its document.
    pub(super) fn division(&self) -> &Division {
        &self.division
    }

    /// The speakers of the document, if layout is interpreted.
    pub(super) fn layout(&self) -> Option<&[String]> {
        self.speakers.as_deref()
    }

    /// The pair as given.
    pub fn given(&self) -> &Pair<'p> {
        &self.given
    }

    /// Its citation markers, if citations are checked.
    pub(super) fn markers(&self) -> Option<&Markers> {
        self.markers.as_ref()
    }

    /// Whether normalisation changes nothing.
    pub fn is_as_given(&self) -> bool {
        let Self { document, summary, claims, sentences, summary_sentences, .. } = self;
        let beside = claims.is_some() || sentences.is_some() || summary_sentences.is_some();
        document.replaced() + summary.replaced() == 0 && !beside
    }

    /// The normalised summary.
    pub fn summary(&self) -> &NormalizedText<'p> {
        &self.summary
    }

    /// Maps a result of the normalised texts to the texts as given, and adds the sources of its evidence.
    pub fn relocate(&self, judged: &mut PairResult) {
        judged.ledger.characters_replaced = self.document.replaced() + self.summary.replaced();
        judged.ledger.document_digest = digest(self.given.document);
        if let Some(sources) = self.given.sources {
            judged.ledger.sources = sources.list().to_vec();
        }
        let is_given = judged.ledger.claims_from == ClaimsFrom::Given;
        for claim in &mut judged.claims {
            self.relocate_claim(claim, is_given);
        }
        let summary = self.summary.given();
        for other in &mut judged.not_claims {
            other.span = self.summary.given_span(other.span);
            summary.slice(other.span).clone_into(&mut other.text);
        }
    }

    /// Maps an event of the normalised texts to the texts as given.
    pub fn relocated(&self, event: ClaimEvent, is_given: bool) -> ClaimEvent {
        match event {
            ClaimEvent::Extracted(mut parts) => {
                for FoundPart { text, summary_spans, is_claim } in &mut parts {
                    let read = text.clone();
                    self.summary.relocate(summary_spans, text);
                    if is_given && *is_claim {
                        *text = read;
                        self.restore_given(text);
                    }
                }
                ClaimEvent::Extracted(parts)
            }
            ClaimEvent::Judged { index, mut result } => {
                self.relocate_claim(&mut result, is_given);
                ClaimEvent::Judged { index, result }
            }
        }
    }

    fn relocate_claim(&self, claim: &mut ClaimResult, is_given: bool) {
        self.relocate_texts(claim, is_given);
        if let Some(sources) = self.given.sources {
            claim.add_sources(sources);
        }
        claim.explanation = explanation(claim);
    }

    fn relocate_texts(&self, claim: &mut ClaimResult, is_given: bool) {
        let read = claim.text.clone();
        if !self.summary.is_as_given() {
            self.summary.relocate(&mut claim.summary_spans, &mut claim.text);
            if is_given {
                claim.text.clone_from(&read);
            }
        }
        if is_given {
            self.restore_given(&mut claim.text);
        }
        if let Some(pieces) = claim.unsupported_words.as_mut().filter(|_| claim.text != read) {
            unsupported_words::relocate(pieces, &claim.text);
        }
        if let Some(instead) = &mut claim.instead {
            contrast::relocate(instead, &claim.text, &self.summary, &self.document);
        }
        if self.document.is_as_given() {
            return;
        }
        let document = self.document.given();
        claim.evidence.relocate(&self.document);
        if let Some(counter) = &mut claim.counter_evidence {
            counter.evidence.relocate(&self.document);
        }
        let relocate = |text: &mut String, span: &mut Span| {
            *span = self.document.given_span(*span);
            *text = document.slice(*span).to_owned();
        };
        if let Some(substitution) = &mut claim.substitution {
            relocate(&mut substitution.mention, &mut substitution.mention_span);
            relocate(&mut substitution.by, &mut substitution.by_span);
        }
    }

    /// Restores the text of a claim that came with the pair.
    fn restore_given(&self, claim: &mut String) {
        let (Some(read), Some(given)) = (&self.claims, self.given.claims) else { return };
        if let Some(place) = read.iter().position(|read| read == claim) {
            claim.clone_from(&given[place]);
        }
    }
}
