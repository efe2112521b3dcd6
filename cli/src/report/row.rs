//! A claim of a line that `run` wrote, or a part of the summary that states nothing, as it is read and as it is written into
//! the report: without texts that are slices of the document. Unknown fields are dropped.

use std::slice;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use veridic::Span;
use veridic::result::{CitationVerdict, FillingKind, NOT_A_CLAIM, Reason, Verdict};
use veridic::rules::{Cap, Level};
use veridic::text::{TextIndex, enclosing_span};

/// A part of a summary, in the summary's order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum SummaryPart {
    Claim(Box<Claim>),
    Other(NotClaim),
}

/// A part of the summary that states nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NotClaim {
    text: String,
    pub(super) summary_spans: Vec<Span>,
    /// `no_answer` for a refusal to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<Verdict>,
    reason: String,
}

/// A judged claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) summary_spans: Vec<Span>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    /// `None` in lines of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Reason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tested: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cap: Option<Cap>,
    probabilities: Probabilities,
    level: Level,
    evidence: Slice,
    substitution: Option<Substitution>,
    counter_evidence: Option<CounterEvidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instead: Option<Instead>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unsupported_words: Vec<UnsupportedWords>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    support: Option<Support>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    citations: Option<Vec<Citation>>,
}

/// A source that the claim's sentence cites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Citation {
    marker: String,
    source: String,
    verdict: CitationVerdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

/// A correction: the document's wording for a part of the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Instead {
    kind: FillingKind,
    text: String,
    document: String,
    document_span: Span,
    summary_span: Option<Span>,
}

/// Words of a claim that its evidence does not support; the text is a slice of the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct UnsupportedWords {
    span: Span,
}

/// The result of looking up a claim's details in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Support {
    #[serde(default)]
    not_found: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Probabilities {
    entailment: f64,
    neutral: f64,
    contradiction: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Slice {
    /// Written only if it differs from the document's text at the spans, as in a transcript.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    span: Span,
    /// Empty in lines of the first versions, where `span` is the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spans: Vec<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_turn: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CounterEvidence {
    #[serde(flatten)]
    slice: Slice,
    contradiction: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Substitution {
    #[serde(skip_serializing)]
    mention: String,
    mention_span: Span,
    #[serde(skip_serializing)]
    by: String,
    by_span: Span,
    rewritten: String,
}

impl<'de> Deserialize<'de> for SummaryPart {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Kind {
            reason: Option<String>,
        }
        let json = Box::<RawValue>::deserialize(from)?;
        let Kind { reason } = serde_json::from_str(json.get()).map_err(D::Error::custom)?;
        let part = match reason.as_deref() {
            Some(NOT_A_CLAIM) => serde_json::from_str(json.get()).map(Self::Other),
            _ => serde_json::from_str(json.get()).map(Self::Claim),
        };
        part.map_err(D::Error::custom)
    }
}

impl SummaryPart {
    /// The claim, if it is one.
    pub(super) fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Claim(claim) => Some(claim),
            Self::Other(_) => None,
        }
    }

    /// Its verdict; parts that state nothing have none, except refusals to answer.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Claim(claim) => Some(claim.verdict),
            Self::Other(other) => other.verdict,
        }
    }

    /// Checks that these are the judged texts, and drops text that the document has at the spans.
    pub(super) fn fit(&mut self, document: &TextIndex<'_>, summary_characters: usize) -> Result<(), String> {
        let claim = match self {
            Self::Claim(claim) => claim,
            Self::Other(other) => return covers(&other.summary_spans, summary_characters),
        };
        claim.fits(document, summary_characters)?;
        let counter = claim.counter_evidence.as_mut().map(|counter| &mut counter.slice);
        for slice in [Some(&mut claim.evidence), counter].into_iter().flatten() {
            if slice.turn.is_none() {
                slice.text.clear();
            }
        }
        Ok(())
    }
}

fn covers(spans: &[Span], summary_characters: usize) -> Result<(), String> {
    match spans.iter().find(|span| span.end > summary_characters) {
        Some(Span { start, end }) => {
            Err(format!("covers [{start}, {end}] of a summary of {summary_characters} characters"))
        }
        None => Ok(()),
    }
}

impl Slice {
    fn spans(&self) -> &[Span] {
        if self.spans.is_empty() { slice::from_ref(&self.span) } else { &self.spans }
    }

    /// Whether the document has the text at the spans. In a transcript, labels and times stand between the words.
    fn fits(&self, document: &TextIndex<'_>) -> bool {
        let spans = self.spans();
        match self.turn {
            Some(_) => spans.iter().all(|span| span.end <= document.characters()),
            None => quotes(document, spans, &self.text),
        }
    }
}

/// Whether the spans, in order, hold the text. The string between quoted passages depends on the version that wrote it.
fn quotes(document: &TextIndex<'_>, spans: &[Span], text: &str) -> bool {
    let parts: Vec<&str> = spans.iter().map(|span| document.slice(*span)).collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let mut rest = text;
    let is_next = |part: &&str| {
        let found = rest.find(part).map(|at| &rest[at + part.len()..]);
        rest = found.unwrap_or_default();
        found.is_some()
    };
    text.starts_with(first)
        && text.ends_with(last)
        && parts.iter().all(is_next)
        && (parts.len() > 1 || rest.is_empty())
}

impl Claim {
    /// Whether a cited source is missing or does not support the claim, as in
    /// [`veridic::result::ClaimResult::wrong_citation`].
    pub(super) fn has_wrong_citation(&self) -> bool {
        let all = self.citations.as_deref().unwrap_or_default();
        let is_good = |citation: &Citation| {
            matches!(citation.verdict, CitationVerdict::Supports | CitationVerdict::SupportsTogether)
        };
        let is_unknown = |citation: &Citation| citation.verdict == CitationVerdict::UnknownSource;
        all.iter().any(is_unknown) || !(all.is_empty() || all.iter().any(is_good))
    }

    /// Whether its evidence is from a transcript. That text is not at its spans word for word, so the digest tells whether
    /// the document is the judged one.
    pub(super) fn is_of_talk(&self) -> bool {
        self.evidence.turn.is_some()
    }

    fn fits(&self, document: &TextIndex<'_>, summary_characters: usize) -> Result<(), String> {
        let corrected = self.instead.as_ref().and_then(|instead| instead.summary_span);
        covers(&self.summary_spans, summary_characters)?;
        covers(corrected.as_slice(), summary_characters)?;
        let beyond = |instead: &&Instead| instead.document_span.end > document.characters();
        if let Some(Instead { document_span: span, .. }) = self.instead.as_ref().filter(beyond) {
            return Err(format!(
                "is corrected by [{}, {}] of a document of {} characters",
                span.start,
                span.end,
                document.characters()
            ));
        }
        let counter = self.counter_evidence.as_ref().map(|counter| &counter.slice);
        let slices = [Some(&self.evidence), counter].into_iter().flatten();
        let wrong = slices.filter(|slice| !slice.fits(document)).map(Slice::spans);
        let mentions =
            self.substitution.iter().flat_map(|by| [(&by.mention, &by.mention_span), (&by.by, &by.by_span)]);
        let mentions = mentions.map(|(text, span)| (text, slice::from_ref(span)));
        let wrong_mentions =
            mentions.filter(|(text, spans)| !quotes(document, spans, text)).map(|(_, spans)| spans);
        match wrong.chain(wrong_mentions).next() {
            Some(spans) => {
                let span = enclosing_span(spans).unwrap_or(self.evidence.span);
                Err(format!("quotes other text than the document has at [{}, {}]", span.start, span.end))
            }
            None => Ok(()),
        }
    }
}
