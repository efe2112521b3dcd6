//! A claim of a line that `run` wrote, as it is read and as it is written into the report: without the texts that are slices of the
//! document. Unknown fields are left out.

use std::slice;

use serde::{Deserialize, Serialize};

use veridic::pipeline::{Certainty, CitationVerdict, FillingKind, Reason, Verdict};
use veridic::rules::{Cap, Level};
use veridic_text::{Span, TextIndex, enclosing_span, quotation};

/// A judged claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) summary_spans: Vec<Span>,
    pub(super) score: f64,
    pub(super) verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Reason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cap: Option<Cap>,
    probabilities: Probabilities,
    level: Level,
    evidence: Slice,
    substitution: Option<Substitution>,
    counter_evidence: Option<CounterEvidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instead: Option<Instead>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    certainty: Option<Certainty>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

/// What the document says in place of a part of the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Instead {
    kind: FillingKind,
    text: String,
    document: String,
    document_span: Span,
    summary_span: Option<Span>,
}

/// Words of a claim that its evidence does not support; the text is a slice of the claim's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct UnsupportedWords {
    span: Span,
}

/// What was looked up in the document for a claim.
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
    #[serde(skip_serializing)]
    text: String,
    span: Span,
    /// Empty in lines of the first versions; then `span` is the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spans: Vec<Span>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CounterEvidence {
    #[serde(flatten)]
    slice: Slice,
    contradiction: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quantity: Option<QuantityMismatch>,
}

/// A quantity that differs in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct QuantityMismatch {
    claim: String,
    document: String,
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

impl Slice {
    fn spans(&self) -> &[Span] {
        if self.spans.is_empty() { slice::from_ref(&self.span) } else { &self.spans }
    }
}

impl Claim {
    /// Checks that these are the texts that were judged: every quotation is at its span.
    pub(super) fn fits(&self, document: &TextIndex<'_>, summary_characters: usize) -> Result<(), String> {
        let corrected = self.instead.as_ref().and_then(|instead| instead.summary_span);
        let mut covered = self.summary_spans.iter().chain(&corrected);
        if let Some(span) = covered.find(|span| span.end > summary_characters) {
            return Err(format!(
                "covers [{}, {}] of a summary of {summary_characters} characters",
                span.start, span.end
            ));
        }
        let beyond = |instead: &&Instead| instead.document_span.end > document.characters();
        if let Some(Instead { document_span: span, .. }) = self.instead.as_ref().filter(beyond) {
            return Err(format!(
                "is corrected by [{}, {}] of a document of {} characters",
                span.start,
                span.end,
                document.characters()
            ));
        }
        let substitution = self.substitution.as_ref();
        let evidence = [Some(&self.evidence), self.counter_evidence.as_ref().map(|counter| &counter.slice)];
        let quoted = evidence.into_iter().flatten().map(|slice| (&slice.text, slice.spans()));
        let mentions = substitution.into_iter().flat_map(|by| {
            [(&by.mention, slice::from_ref(&by.mention_span)), (&by.by, slice::from_ref(&by.by_span))]
        });
        match quoted.chain(mentions).find(|(text, spans)| quotation(document, spans) != **text) {
            Some((_, spans)) => {
                let span = enclosing_span(spans).unwrap_or(self.evidence.span);
                Err(format!("quotes other text than the document has at [{}, {}]", span.start, span.end))
            }
            None => Ok(()),
        }
    }
}
