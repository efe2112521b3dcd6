//! A pair as models read it ([`Normalized`]): without characters that models cannot read, without citation markers, a
//! transcript as turns. Also maps what was found in it back to the texts as given.

use std::sync::Arc;

use super::citations::markers::Markers;
use super::events::FoundPart;
use crate::claims::{Claim, Claims, ClaimsFrom, Summary};
use crate::error::Result;
use crate::findings::{Instead, contrast};
use crate::input::{Document, Pair, SourceSpans, Sources};
use crate::premises::Substitution;
use crate::result::{Evidence, NotClaim};
use crate::schedule::{OnEvent, poll};
use crate::text::{NormalizedText, Span, TextIndex, enclosing_span, normalize_all, quotation, read_alone};

/// A pair and its normalised texts.
pub struct Normalized<'p> {
    given: Pair<'p>,
    given_document: TextIndex<'p>,
    read_document: NormalizedText<'p>,
    document: Arc<Document>,
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

impl<'p> Normalized<'p> {
    /// Normalises a pair. `layout`: whether layout is interpreted.
    ///
    /// # Errors
    /// [`Error::Stopped`](crate::Error::Stopped) when `on_event` stops the work.
    pub fn of(given: &Pair<'p>, layout: bool, on_event: &OnEvent<'_>) -> Result<Self> {
        let as_given = !layout || given.sentences.is_some();
        let poll = || poll(on_event);
        let (read_document, document) = Document::read(given.document, given.sources, as_given, &poll)?;
        let cited = given.sources.filter(|_| given.citations);
        let markers = cited.map(|sources| Markers::of(given.summary, sources));
        let of_summary = |texts: &[String]| match cited {
            Some(sources) => {
                Some(texts.iter().map(|text| Markers::of(text, sources).removed(text)).collect())
            }
            None => normalize_all(texts),
        };
        let claims = given.claims.and_then(of_summary);
        let alone = |claims: &[String]| claims.iter().map(|claim| read_alone(claim)).collect();
        let division = document.division();
        Ok(Self {
            given: *given,
            given_document: TextIndex::new(given.document),
            read_document,
            sources: given.sources.map(|_| Sources::at(division.sources.clone())),
            speakers: layout.then(|| division.speakers()),
            document: Arc::new(document),
            summary: markers
                .as_ref()
                .map_or_else(|| NormalizedText::of(given.summary), |markers| markers.left_out(given.summary)),
            claims: if layout { claims.as_deref().or(given.claims).map(alone) } else { claims },
            sentences: given.sentences.and_then(normalize_all),
            summary_sentences: given.summary_sentences.and_then(of_summary),
            markers,
        })
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

    /// The pair as given.
    pub fn given(&self) -> &Pair<'p> {
        &self.given
    }

    /// Whether normalisation changes nothing.
    pub fn is_as_given(&self) -> bool {
        let Self { claims, sentences, summary_sentences, .. } = self;
        let beside = claims.is_some() || sentences.is_some() || summary_sentences.is_some();
        self.characters_replaced() == 0 && !beside
    }

    /// The normalised summary.
    pub fn summary(&self) -> &NormalizedText<'p> {
        &self.summary
    }

    /// The normalised document.
    pub(super) fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Its citation markers, if citations are checked.
    pub(super) fn markers(&self) -> Option<&Markers> {
        self.markers.as_ref()
    }

    /// The number of characters that were replaced or removed.
    pub(super) fn characters_replaced(&self) -> usize {
        self.read_document.replaced() + self.summary.replaced()
    }

    /// The summary that claims are extracted from.
    pub(super) fn stated(&self) -> Summary<'_> {
        Summary { layout: self.speakers.as_deref(), ..Summary::of(&self.pair()) }
    }
}

/// What was found in the normalised texts, in the texts as given.
impl Normalized<'_> {
    /// The claims of the summary and its other parts, in order.
    pub(super) fn found_parts(&self, claims: &Claims) -> Vec<FoundPart> {
        let claim = |claim: &Claim| {
            let (text, summary_spans) = self.claim(claim, claims.from);
            FoundPart { text, summary_spans, is_claim: true }
        };
        let mut found: Vec<FoundPart> = claims.claims.iter().map(claim).collect();
        for NotClaim { text, span } in self.not_claims(claims) {
            let begins = |part: &FoundPart| part.summary_spans.first().map_or(0, |span| span.start);
            let place = found.iter().position(|part| begins(part) > span.start).unwrap_or(found.len());
            found.insert(place, FoundPart { text, summary_spans: vec![span], is_claim: false });
        }
        found
    }

    /// The parts of the summary that state nothing.
    pub(super) fn not_claims(&self, claims: &Claims) -> Vec<NotClaim> {
        let summary = self.summary.given();
        let spans = claims.others.iter().map(|span| self.summary.given_span(*span));
        spans.map(|span| NotClaim { text: summary.slice(span).to_owned(), span }).collect()
    }

    /// The text of a claim, and the parts of the summary that it covers. A claim that came with the pair keeps its text.
    pub(super) fn claim(&self, claim: &Claim, from: ClaimsFrom) -> (String, Vec<Span>) {
        let (mut text, mut spans) = (claim.text.clone(), claim.spans.clone());
        if !self.summary.is_as_given() {
            self.summary.relocate(&mut spans, &mut text);
        }
        if from == ClaimsFrom::Given {
            self.given_claim(&claim.text).clone_into(&mut text);
        }
        (text, spans)
    }

    /// The claim that came with the pair and is read as this text.
    fn given_claim<'c>(&'c self, read: &'c str) -> &'c str {
        let (Some(claims), Some(given)) = (&self.claims, self.given.claims) else { return read };
        let place = claims.iter().position(|claim| claim == read);
        place.map_or(read, |place| &given[place])
    }

    /// Sentences of the document as evidence.
    pub(super) fn evidence(&self, sentences: &[Span]) -> Evidence {
        let division = self.document.division();
        let given = |span: &Span| division.shown(*span, self.read_document.given_span(*span));
        let spans: Vec<Span> = sentences.iter().map(given).collect();
        let spoken = self.document.quotation(sentences);
        let mut text = spoken.unwrap_or_else(|| quotation(&self.given_document, &spans));
        if let Some(header) = division.header(sentences) {
            text = format!("{}\n{text}", self.given_document.slice(header));
        }
        Evidence {
            text,
            span: enclosing_span(&spans).unwrap_or(Span { start: 0, end: 0 }),
            sources: self.place(&spans),
            place: division.place(sentences),
            spans,
        }
    }

    /// What the document says instead of a part of a claim with this text as given.
    pub(super) fn instead(&self, instead: Instead, claim: &str) -> Instead {
        let instead = contrast::as_given(instead, claim, &self.summary, &self.read_document);
        Instead { sources: self.place(&[instead.document_span]), ..instead }
    }

    /// A replaced mention.
    pub(super) fn substitution(&self, substitution: Substitution) -> Substitution {
        let Substitution { mention, mention_span, by, by_span, .. } = substitution;
        let (mention_span, mention) = self.part(mention_span, mention);
        let (by_span, by) = self.part(by_span, by);
        Substitution {
            mention,
            mention_span,
            mention_sources: self.place(&[mention_span]),
            by,
            by_span,
            by_sources: self.place(&[by_span]),
            rewritten: substitution.rewritten,
        }
    }

    /// A part of the document with its text.
    fn part(&self, span: Span, text: String) -> (Span, String) {
        if self.read_document.is_as_given() {
            return (span, text);
        }
        let span = self.read_document.given_span(span);
        (span, self.given_document.slice(span).to_owned())
    }

    /// The sources that contain parts of the document, if it is a list of sources.
    fn place(&self, spans: &[Span]) -> Vec<SourceSpans> {
        self.given.sources.map_or_else(Vec::new, |sources| sources.place(spans))
    }
}
