//! Claims that join facts from several sources. No premise spans two sources, so a claim that no source supports as a
//! whole is judged statement by statement: it is supported if each statement is and their sources differ. Its evidence
//! then contains that of all statements, and its score is the lowest of theirs.

use crate::text::{Span, TextIndex, coordinated};

use super::Scorer;
use super::prepare::Reading;
use crate::claims::ClaimExtractor;
use crate::decide::{Verdict, over_claims};
use crate::error::Result;
use crate::input::{Division, Pair};
use crate::result::{ClaimResult, Evidence, PairResult};
use crate::schedule::OnEvent;

/// A pair with claims that are judged by their statements.
struct Parts {
    pair: usize,
    /// The claims, by index, and the number of statements of each.
    claims: Vec<(usize, usize)>,
    /// The statements of all these claims.
    texts: Vec<String>,
}

impl Scorer {
    /// For pairs with several sources, judges claims that no source supports by their statements.
    pub(super) fn join_sources(
        &self,
        readings: &[Reading<'_>],
        results: &mut [Result<PairResult>],
        on_event: &OnEvent<'_>,
    ) {
        let judged = results.iter().zip(readings).enumerate();
        let parts = judged.filter(|(_, (_, reading))| reading.division.sources.len() > 1);
        let parts: Vec<Parts> =
            parts.filter_map(|(pair, (result, _))| parts_of(pair, result.as_ref().ok()?)).collect();
        if parts.is_empty() {
            return;
        }
        let again = parts.iter().map(|parts| {
            let reading = readings[parts.pair];
            Reading { pair: Pair { claims: Some(&parts.texts), ..reading.pair }, ..reading }
        });
        let again: Vec<Reading<'_>> = again.collect();
        let scorer = Self { finds_unsupported_words: false, ..self.clone() };
        let answers = scorer.score_read(&ClaimExtractor::Given, &again, on_event, None);
        for (Parts { pair, claims, .. }, answer) in parts.iter().zip(answers) {
            let joined = answer.map(|answer| {
                if let Ok(result) = &mut results[*pair] {
                    self.join(result, claims, &answer, &readings[*pair]);
                }
            });
            if let Err(error) = joined {
                results[*pair] = Err(error);
            }
        }
    }

    /// Replaces the judgements of claims by those of their statements, if these support them.
    fn join(
        &self,
        result: &mut PairResult,
        claims: &[(usize, usize)],
        answer: &PairResult,
        reading: &Reading<'_>,
    ) {
        let mut rest = &answer.claims[..];
        for (claim, count) in claims {
            let (own, later) = rest.split_at((*count).min(rest.len()));
            rest = later;
            let document = TextIndex::new(reading.pair.document);
            if let Some(joined) = joined(&result.claims[*claim], own, &document, reading.division) {
                result.claims[*claim] = joined;
            }
        }
        result.ledger.add(&answer.ledger);
        let given = result.claims.iter().map(ClaimResult::claim_verdict).collect();
        let verdicts = over_claims(given, self.settings.rules.over_claims);
        (result.score, result.verdict, result.reason) = (verdicts.score, verdicts.verdict, verdicts.reason);
    }
}

/// The statements of the claims that no source supports; `None` if no such claim has several.
fn parts_of(pair: usize, result: &PairResult) -> Option<Parts> {
    let mut parts = Parts { pair, claims: Vec::new(), texts: Vec::new() };
    for (index, claim) in result.claims.iter().enumerate() {
        if !claim.verdict.is_adverse() || claim.reason.is_some() {
            continue;
        }
        let statements = coordinated(&claim.text);
        if !statements.is_empty() {
            parts.claims.push((index, statements.len()));
            parts.texts.extend(statements);
        }
    }
    (!parts.texts.is_empty()).then_some(parts)
}

/// The judgement of a claim whose statements are all supported, by several sources.
fn joined(
    claim: &ClaimResult,
    statements: &[ClaimResult],
    document: &TextIndex<'_>,
    division: &Division,
) -> Option<ClaimResult> {
    let is_supported = |statement: &ClaimResult| statement.verdict == Verdict::Supported;
    let weakest = statements
        .iter()
        .min_by(|a, b| a.score.total_cmp(&b.score))
        .filter(|_| statements.iter().all(is_supported))?;
    let mut spans: Vec<Span> =
        statements.iter().flat_map(|statement| statement.evidence.spans.clone()).collect();
    spans.sort_unstable();
    spans.dedup();
    let source = |span: &Span| division.source_of(span.start);
    let of_several = spans.iter().any(|span| source(span) != source(&spans[0]));
    of_several.then(|| ClaimResult {
        text: claim.text.clone(),
        summary_spans: claim.summary_spans.clone(),
        evidence: Evidence::divided(document, spans, division),
        support: claim.support.clone(),
        ..weakest.clone()
    })
}
