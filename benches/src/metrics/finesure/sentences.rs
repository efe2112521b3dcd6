//! The summary's sentences, the claims that begin in each, and whether each is faithful. Equation 1 counts every sentence,
//! so one that no claim covers is judged whole, as a claim.

use serde::Serialize;

use super::errors::{SentenceError, UnsupportedClaim, error_of};
use crate::metrics::row::{Row, Rows, has_words};
use veridic::result::{ClaimResult, ClaimsFrom, Verdict};
use veridic::schedule::OnEvent;
use veridic::text::{Lookup, NormalizedText};
use veridic::{Error, Pair, Result, Scorer, Span};

/// A sentence of the summary.
#[derive(Debug, Serialize)]
pub(super) struct Sentence<'r> {
    text: &'r str,
    span: Span,
    /// Whether all its claims, or the sentence itself, are supported; `None` if not judged or unsure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_faithful: Option<bool>,
    /// Indices of its claims.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<usize>,
    /// Its judgement as a claim, if no claim covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged_whole: Option<WholeJudgement>,
    /// Its error, if it is not faithful.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<SentenceError>,
}

/// The judgement of a sentence as a claim.
#[derive(Debug, Serialize)]
struct WholeJudgement {
    score: f32,
    verdict: Verdict,
    #[serde(skip)]
    claim: ClaimResult,
}

impl Sentence<'_> {
    /// Whether it has words, and no claim covers it.
    fn is_uncovered(&self) -> bool {
        self.claims.is_empty() && has_words(self.text)
    }
}

/// The sentences of each row that has not failed, not judged.
pub(super) fn plain<'t>(rows: &mut Rows<'t>) -> Vec<Result<Vec<Sentence<'t>>>> {
    let mut of_rows = Vec::new();
    rows.each(|row| {
        of_rows.push(Ok(of(row)));
        Ok(())
    });
    of_rows
}

/// The summary's sentences with the claims that begin in each.
fn of<'t>(row: &Row<'t>) -> Vec<Sentence<'t>> {
    let judged = row.judged.as_ref().filter(|judged| judged.ledger.claims_from != ClaimsFrom::WholeSummary);
    let claims = judged.map_or(&[][..], |judged| &judged.claims);
    let begins_in = |claim: &ClaimResult, span: &Span| {
        let first = claim.summary_spans.first().map(|first| row.read.summary().read_span(*first));
        first.is_some_and(|first| (span.start..span.end).contains(&first.start))
    };
    let sentence = |span: &Span| Sentence {
        text: row.summary.slice(*span),
        span: *span,
        is_faithful: None,
        claims: (0..claims.len()).filter(|&claim| begins_in(&claims[claim], span)).collect(),
        judged_whole: None,
        error: None,
    };
    row.summary_sentences.iter().map(sentence).collect()
}

/// The sentences of each row that has not failed, judged.
pub(super) fn judged<'t>(
    scorer: &Scorer,
    rows: &mut Rows<'t>,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Sentence<'t>>>> {
    let mut of_rows = Vec::new();
    rows.each(|row| {
        let mut sentences = of(row);
        let claims = row.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
        for sentence in sentences.iter_mut().filter(|sentence| !sentence.is_uncovered()) {
            let worst = sentence.claims.iter().map(|&claim| claims[claim].verdict).max();
            // A given sentence without words says nothing that could be wrong.
            sentence.is_faithful = worst.map_or(Some(true), is_faithful);
        }
        of_rows.push((row.pair, sentences));
        Ok(())
    });
    judge_whole(scorer, of_rows, on_event)
}

/// Judges the sentences that no claim covers, of all rows together.
fn judge_whole<'t>(
    scorer: &Scorer,
    of_rows: Vec<(Pair<'t>, Vec<Sentence<'t>>)>,
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Sentence<'t>>>> {
    let uncovered = |sentences: &[Sentence<'_>]| -> Vec<String> {
        sentences.iter().filter(|sentence| sentence.is_uncovered()).map(|it| it.text.to_owned()).collect()
    };
    let texts: Vec<Vec<String>> = of_rows.iter().map(|(_, sentences)| uncovered(sentences)).collect();
    let with_texts = of_rows.iter().zip(&texts).filter(|(_, texts)| !texts.is_empty());
    let pairs: Vec<Pair<'_>> =
        with_texts.map(|((pair, _), texts)| Pair { claims: Some(texts), ..*pair }).collect();
    let mut results = scorer.score_given_claims(&pairs, on_event).into_iter();
    let with_judgement = |((_, mut sentences), texts): ((_, Vec<Sentence<'t>>), &Vec<String>)| {
        if texts.is_empty() {
            return Ok(sentences);
        }
        let result = results.next().unwrap_or(Err(Error::Stopped))?;
        let open = sentences.iter_mut().filter(|sentence| sentence.is_uncovered());
        for (sentence, claim) in open.zip(result.claims) {
            sentence.is_faithful = is_faithful(claim.verdict);
            sentence.judged_whole =
                Some(WholeJudgement { score: claim.score, verdict: claim.verdict, claim });
        }
        Ok(sentences)
    };
    of_rows.into_iter().zip(&texts).map(with_judgement).collect()
}

/// Whether a sentence whose worst claim has this verdict is faithful; `None` if unsure.
fn is_faithful(worst: Verdict) -> Option<bool> {
    (worst != Verdict::Unsure).then_some(worst == Verdict::Supported)
}

/// Whether each sentence with a verdict is faithful; `None` if there are sentences and all are unsure.
pub(super) fn faithful(sentences: &[Sentence<'_>]) -> Option<Vec<bool>> {
    let faithful: Vec<bool> = sentences.iter().filter_map(|sentence| sentence.is_faithful).collect();
    (sentences.is_empty() || !faithful.is_empty()).then_some(faithful)
}

/// Sets the error of each sentence that is not faithful, and returns their number.
pub(super) fn set_errors(row: &Row<'_>, sentences: &mut [Sentence<'_>]) -> usize {
    let claims = row.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
    let document = Lookup::new(row.pair.document);
    let mut count = 0;
    for sentence in sentences.iter_mut().filter(|sentence| sentence.is_faithful == Some(false)) {
        let own = sentence.claims.iter().map(|&claim| &claims[claim]);
        let own = own.chain(sentence.judged_whole.as_ref().map(|whole| &whole.claim));
        let unsupported = own.filter(|claim| claim.verdict.is_adverse());
        let read = unsupported.map(|claim| {
            let evidence = NormalizedText::of(&claim.evidence.text);
            (NormalizedText::of(&claim.text), evidence, claim.probabilities)
        });
        let read: Vec<_> = read.collect();
        let unsupported = read.iter().map(|(text, evidence, probabilities)| UnsupportedClaim {
            text: text.text(),
            evidence: evidence.text(),
            probabilities: *probabilities,
        });
        sentence.error = Some(error_of(&unsupported.collect::<Vec<_>>(), &document));
        count += 1;
    }
    count
}
