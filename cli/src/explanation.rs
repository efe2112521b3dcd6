//! A judgement in a few plain sentences, for readers that get no more than that: language models and telemetry. Decides
//! which finding of a claim is told, and quotes texts only where the caller allows it.

use veridic::Verdict;
use veridic::pipeline::{Certainty, ClaimResult, FillingKind, Instead, PairResult, Reason};

/// What is against a claim, in words; none for a claim that is supported and certain.
pub(crate) fn of_claim(claim: &ClaimResult) -> Option<String> {
    let mut findings: Vec<String> = Vec::new();
    if claim.reason == Some(Reason::Language) {
        findings.push("a text is in a language that the model's card does not list".to_owned());
    }
    if let Some(instead) = &claim.instead {
        findings.push(said_instead(instead));
    }
    if let Some(support) = &claim.support {
        findings.extend(support.not_found.iter().cloned());
    }
    if let Some(counter) = &claim.counter_evidence {
        let quantity = counter.quantity.as_ref().filter(|_| claim.instead.is_none());
        let conflict = quantity.map(|quantity| format!("{}, not {}: ", quantity.document, quantity.claim));
        findings.push(format!("against it: {}\"{}\"", conflict.unwrap_or_default(), counter.evidence.text));
    }
    let words = claim.unsupported_words.iter().flatten().map(|words| format!("\"{}\"", words.text));
    let words: Vec<String> = words.collect();
    if !words.is_empty() {
        findings.push(format!("not supported: {}", words.join(", ")));
    }
    if claim.certainty == Some(Certainty::Insensitive) {
        findings.push(
            "the model accepts the claim's denial just as well, so that its score proves nothing".to_owned(),
        );
    }
    if findings.is_empty() && claim.verdict != Verdict::Supported {
        findings.push("no passage supports it".to_owned());
    }
    (!findings.is_empty()).then(|| findings.join("; "))
}

/// What the document says in the place of a part of a claim.
fn said_instead(Instead { kind, text, document, .. }: &Instead) -> String {
    match kind {
        FillingKind::Roles | FillingKind::Denial => format!("the document says: {document}"),
        _ => format!("the document says {document}, not {text}"),
    }
}

/// How many claims are supported and which are not; with their texts and what is against them if `quotes`, else by number.
pub(crate) fn of_result(result: &PairResult, quotes: bool) -> String {
    let claims = (1..).zip(&result.claims);
    let supported = result.claims.iter().filter(|claim| claim.verdict == Verdict::Supported).count();
    let mut sentences = vec![format!("{supported} of {} claims supported", result.claims.len())];
    for (number, claim) in claims.filter(|(_, claim)| claim.verdict != Verdict::Supported) {
        let verdict = claim.verdict.name();
        sentences.push(if quotes {
            let findings = of_claim(claim).unwrap_or_default();
            format!("{verdict}: \"{}\" ({findings})", claim.text)
        } else {
            format!("claim {number} is {verdict}, score {:.2}", claim.score)
        });
    }
    sentences.join("; ")
}
