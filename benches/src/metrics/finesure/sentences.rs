//! The summary's sentences, the claims that begin in each, and whether each is faithful. Equation 1 counts every sentence,
//! so one that no claim covers is judged whole, as a claim.

use serde::Serialize;

use super::by_model::{Category, Judged};
use super::error_type::SentenceError;
use crate::metrics::row::{Row, Rows, has_words};
use veridic::result::{ClaimResult, ClaimsFrom, Verdict};
use veridic::schedule::OnEvent;
use veridic::{Error, Pair, Result, Scorer, Span};

/// A sentence of the summary.
#[derive(Debug, Serialize)]
pub(super) struct Sentence<'r> {
    text: &'r str,
    span: Span,
    /// Whether all its claims, or the sentence itself, are supported; `None` if not judged or unsure.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_faithful: Option<bool>,
    /// Indices of its claims.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<usize>,
    /// Its judgement as a claim, if no claim covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged_whole: Option<WholeJudgement>,
    /// Its error, if a language model finds one.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<SentenceError>,
}

/// The judgement of a sentence as a claim.
#[derive(Debug, Serialize)]
struct WholeJudgement {
    score: f32,
    verdict: Verdict,
}

impl Sentence<'_> {
    /// Whether it has words, and no claim covers it.
    fn is_uncovered(&self) -> bool {
        self.claims.is_empty() && has_words(self.text)
    }
}

/// The summary's sentences with the claims that begin in each, not judged.
pub(super) fn of<'t>(row: &Row<'t>) -> Vec<Sentence<'t>> {
    let judged = row.judged.as_ref().filter(|judged| judged.ledger.claims_from != ClaimsFrom::WholeSummary);
    let claims = judged.map_or(&[][..], |judged| &judged.claims);
    let begins_in = |claim: &ClaimResult, span: &Span| {
        let first = claim.summary_spans.first().map(|first| row.texts.read.summary().read_span(*first));
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

/// The sentences of each row, judged by a language model.
pub(super) fn answered<'t>(
    rows: &mut Rows<'t>,
    judgements: Vec<Result<Vec<Judged>>>,
) -> Vec<Vec<Sentence<'t>>> {
    rows.each_with(judgements, |row, judged| {
        let mut sentences = of(row);
        // A given sentence without words says nothing that could be wrong, and is not asked about.
        sentences.iter_mut().for_each(|sentence| sentence.is_faithful = Some(true));
        for (place, Judged { category, reason }) in row.unit_places().into_iter().zip(judged?) {
            if let Category::Error(error_type) = category {
                sentences[place].is_faithful = Some(false);
                sentences[place].error = Some(SentenceError { error_type, reason });
            }
        }
        Ok(sentences)
    })
}

/// The sentences of each row, judged by their claims or, if no claim covers them, whole, those of all rows together.
pub(super) fn judged<'t>(
    scorer: &Scorer,
    rows: &mut Rows<'t>,
    on_event: &OnEvent<'_>,
) -> Vec<Vec<Sentence<'t>>> {
    let sentences = rows.each(|row| Ok(judged_by_claims(row)));
    let mut uncovered: Vec<Vec<String>> = Vec::new();
    for sentences in &sentences {
        let of_row = sentences.iter().filter(|sentence| sentence.is_uncovered());
        uncovered.push(of_row.map(|sentence| sentence.text.to_owned()).collect());
    }
    let pairs = rows.each_with(&uncovered, |row, texts| {
        Ok((!texts.is_empty()).then_some(Pair { claims: Some(texts), ..row.texts.pair }))
    });
    let pairs: Vec<Pair<'_>> = pairs.into_iter().flatten().collect();
    let mut results = scorer.score_given_claims(&pairs, on_event).into_iter();
    rows.each_with(sentences.into_iter().zip(&uncovered), |_, (mut sentences, texts)| {
        if texts.is_empty() {
            return Ok(sentences);
        }
        let result = results.next().unwrap_or(Err(Error::Stopped))?;
        let open = sentences.iter_mut().filter(|sentence| sentence.is_uncovered());
        for (sentence, ClaimResult { score, verdict, .. }) in open.zip(result.claims) {
            sentence.is_faithful = is_faithful(verdict);
            sentence.judged_whole = Some(WholeJudgement { score, verdict });
        }
        Ok(sentences)
    })
}

/// The sentences of a row, with a judgement of those that a claim covers.
fn judged_by_claims<'t>(row: &Row<'t>) -> Vec<Sentence<'t>> {
    let mut sentences = of(row);
    let claims = row.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
    for sentence in sentences.iter_mut().filter(|sentence| !sentence.is_uncovered()) {
        let worst = sentence.claims.iter().map(|&claim| claims[claim].verdict).max();
        // A given sentence without words says nothing that could be wrong.
        sentence.is_faithful = worst.map_or(Some(true), is_faithful);
    }
    sentences
}

/// Whether a sentence whose worst claim has this verdict is faithful; `None` if unsure.
fn is_faithful(worst: Verdict) -> Option<bool> {
    (worst != Verdict::Unsure).then_some(worst == Verdict::Supported)
}

/// Equation 1: the share of the sentences with a verdict that are faithful; 1 without sentences, and `None` if all are unsure.
pub(super) fn faithfulness(sentences: &[Sentence<'_>]) -> Option<f64> {
    if sentences.is_empty() {
        return Some(1.0);
    }
    let judged = sentences.iter().filter_map(|sentence| sentence.is_faithful);
    let faithful = judged.clone().filter(|is_faithful| *is_faithful).count();
    let judged = judged.count();
    (judged > 0).then(|| faithful as f64 / judged as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faithfulness_is_the_share_counted_by_hand() {
        let share = |judged: &[Option<bool>]| {
            let sentence = |&is_faithful: &Option<bool>| Sentence {
                text: "",
                span: Span { start: 0, end: 0 },
                is_faithful,
                claims: Vec::new(),
                judged_whole: None,
                error: None,
            };
            faithfulness(&judged.iter().map(sentence).collect::<Vec<_>>())
        };
        assert_eq!(share(&[Some(true), Some(false), None, Some(true), Some(true)]), Some(0.75));
        assert_eq!([share(&[]), share(&[None])], [Some(1.0), None]);
    }
}
