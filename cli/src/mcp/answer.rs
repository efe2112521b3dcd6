//! The answers of the tools: the parts of a result that a language model needs, with the source positions of every
//! quotation.

use std::ops::ControlFlow;

use serde::Serialize;
use veridic::corrected::corrected;
use veridic::pipeline::Summary;
use veridic::result::{
    Citation, ClaimRecord, ClaimResult, Evidence, PairResult, Place, Reason, SourceSpans, Verdict,
};
use veridic::{Error, Pair, Result, Scorer, Span, notes};

#[derive(Serialize)]
struct Checked<'r> {
    verdict: Verdict,
    score: f32,
    supported_from: f32,
    claims: Vec<CheckedClaim<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    model: &'r str,
}

#[derive(Serialize)]
struct CheckedClaim<'r> {
    text: &'r str,
    spans: &'r [Span],
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tested: Option<&'r str>,
    score: f32,
    explanation: &'r str,
    evidence: Passage<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counter_evidence: Option<Passage<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<SaidInstead<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unsupported_words: Vec<&'r str>,
    /// The citations of the claim's sentence, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    citations: Option<&'r [Citation]>,
}

/// A passage of the sources.
#[derive(Serialize)]
struct Passage<'r> {
    text: &'r str,
    sources: &'r [SourceSpans],
    #[serde(flatten)]
    place: Option<&'r Place>,
}

/// A correction: the wording of the sources for a part of a claim.
#[derive(Serialize)]
struct SaidInstead<'r> {
    text: &'r str,
    document: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Span>,
    sources: &'r [SourceSpans],
}

#[derive(Serialize)]
struct Extracted<'r> {
    claims: Vec<ClaimRecord<'r>>,
}

/// Checks a text against the document joined from its sources.
pub(super) fn check(scorer: &Scorer, pair: Pair<'_>, is_over: &(dyn Fn() -> bool + Sync)) -> Result<String> {
    let on_event = |_| if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let result = scorer.score_batch(&[pair], &on_event).pop().unwrap_or(Err(Error::Stopped))?;
    Ok(json(&checked(&result, pair.summary)))
}

/// Extracts the claims of a text.
pub(super) fn claims(scorer: &Scorer, text: &str) -> Result<String> {
    let settings = scorer.settings();
    let claims = settings.claims.extract(&[Summary::new(text).with_layout(settings.rules.layout)])?;
    Ok(json(&Extracted { claims: claims.iter().flat_map(|claims| claims.records(text)).collect() }))
}

fn checked<'r>(result: &'r PairResult, text: &str) -> Checked<'r> {
    let corrected = corrected(text, &result.claims);
    Checked {
        verdict: result.verdict,
        score: result.score,
        supported_from: result.limits.thresholds.supported,
        claims: result.claims.iter().map(checked_claim).collect(),
        corrected: (!corrected.made.is_empty()).then_some(corrected.text),
        notes: notes::of_result(result),
        model: &result.models.nli.id,
    }
}

fn checked_claim(claim: &ClaimResult) -> CheckedClaim<'_> {
    CheckedClaim {
        text: &claim.text,
        spans: &claim.summary_spans,
        verdict: claim.verdict,
        reason: claim.reason,
        tested: claim.tested.as_deref(),
        score: claim.score,
        explanation: &claim.explanation,
        evidence: passage(&claim.evidence),
        counter_evidence: claim.counter_evidence.as_ref().map(|counter| passage(&counter.evidence)),
        instead: claim.instead.as_ref().map(|instead| SaidInstead {
            text: &instead.text,
            document: &instead.document,
            span: instead.summary_span,
            sources: &instead.sources,
        }),
        unsupported_words: claim
            .unsupported_words
            .iter()
            .flatten()
            .map(|words| words.text.as_str())
            .collect(),
        citations: claim.citations.as_deref(),
    }
}

fn passage(evidence: &Evidence) -> Passage<'_> {
    Passage { text: &evidence.text, sources: &evidence.sources, place: evidence.place.as_ref() }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are valid JSON")
}
