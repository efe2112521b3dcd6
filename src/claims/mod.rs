//! Splits a summary into claims ([`ClaimExtractor::extract`]). A claim is a statement that is judged by itself; it
//! keeps the spans of the summary that it covers, and the sentence that it came from.

mod claim;
mod generated;
mod overlap;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use veridic_models::TextToText;

pub use self::claim::Claim;
use self::claim::has_words;
use crate::error::{Error, Result};
pub use crate::input::Summary;
use crate::schedule::{OnEvent, ignore_events, poll};
use crate::text::{NormalizedText, Poll, Span, Statements, TextIndex, normalize_all, read_alone, statements};
use overlap::Sentences;

/// How claims are extracted from a summary.
#[derive(Clone, Default)]
pub enum ClaimExtractor {
    /// Every sentence of the summary is a claim.
    #[default]
    Sentence,
    /// The claims that come with the pair.
    Given,
    /// Claims written by a text-to-text model.
    T5(Arc<TextToText>),
    /// Claims written outside this crate.
    Written(Arc<dyn WriteClaims>),
}

impl ClaimExtractor {
    /// Its name in the setting `claims`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Given => "given",
            Self::T5(_) => "t5",
            Self::Written(_) => "answers",
        }
    }

    /// The model, if it has one.
    #[must_use]
    pub fn model(&self) -> Option<&TextToText> {
        match self {
            Self::T5(model) => Some(model),
            _ => None,
        }
    }

    /// Identifies what determines its claims besides the model, as recorded in results.
    pub(crate) fn stamp(&self) -> Option<String> {
        match self {
            Self::Written(writer) => Some(writer.stamp()),
            _ => None,
        }
    }
}

/// Writes the claims of summaries outside this crate, for example with a language model.
pub trait WriteClaims: Send + Sync {
    /// The claims of each summary; a summary without words has none.
    fn write(&self, summaries: &[&str], on_event: &OnEvent<'_>) -> Vec<Result<Vec<String>>>;

    /// Identifies what determines the claims, as recorded in results.
    fn stamp(&self) -> String;
}

impl fmt::Debug for ClaimExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model() {
            Some(model) => write!(f, "{}={}", self.name(), model.identity().id),
            None => f.write_str(self.name()),
        }
    }
}

/// Where the claims of a summary came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClaimsFrom {
    /// Its sentences.
    Sentence,
    /// The pair.
    Given,
    /// A text-to-text model.
    T5,
    /// A language model's answer.
    Answers,
    /// The extractor found none, so the whole summary is the one claim.
    WholeSummary,
}

/// The claims of one summary; none if the summary only refuses to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// In the summary's order.
    pub claims: Vec<Claim>,
    /// Where they came from.
    pub from: ClaimsFrom,
    /// The parts of the summary that state nothing, in order: headings, greetings, questions, refusals to answer.
    pub others: Vec<Span>,
}

/// A claim in the layout of its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimRecord<'c> {
    /// Its text.
    text: &'c str,
    /// The sentence that it came from.
    sentence: &'c str,
    /// The parts of the summary that it covers.
    spans: &'c [Span],
}

/// The index of a claim in the combined list of claims and parts that state nothing, ordered by where they begin.
pub(crate) fn place_among(others: impl Iterator<Item = Span>, claim: usize, spans: &[Span]) -> usize {
    let begins = spans.first().map_or(0, |span| span.start);
    claim + others.filter(|other| other.start < begins).count()
}

impl Claims {
    /// Maps claims of a summary's statements to the summary as given, and adds the statements that are read by themselves.
    fn locate(&mut self, statements: Statements<'_>) {
        let Statements { read, asides, others } = statements;
        if self.from == ClaimsFrom::WholeSummary && !has_words(read.text()) {
            self.claims.clear();
            self.from = ClaimsFrom::Sentence;
        }
        self.claims.iter_mut().for_each(|claim| claim.relocate(&read, self.from == ClaimsFrom::Given));
        let given = read.given();
        let aside =
            |span: Span| Claim { text: read_alone(given.slice(span)), spans: vec![span], sentence: span };
        if !asides.is_empty() {
            self.claims.extend(asides.into_iter().map(aside));
            self.claims.sort_by_key(|claim| claim.sentence.start);
        }
        self.others = others;
    }

    /// The claims as JSON records; `summary` is the text that they were extracted from.
    #[must_use]
    pub fn records<'c>(&'c self, summary: &'c str) -> Vec<ClaimRecord<'c>> {
        let index = TextIndex::new(summary);
        let record = |claim: &'c Claim| ClaimRecord {
            text: &claim.text,
            sentence: index.slice(claim.sentence),
            spans: &claim.spans,
        };
        self.claims.iter().map(record).collect()
    }
}

impl ClaimExtractor {
    /// The claims of each summary; they do not depend on the other summaries.
    ///
    /// # Errors
    /// When given claims are missing, a summary does not hold its given sentences one after another, or the model fails.
    pub fn extract(&self, summaries: &[Summary<'_>]) -> Result<Vec<Claims>> {
        self.extract_each(summaries, &ignore_events).into_iter().collect()
    }

    /// As [`ClaimExtractor::extract`], with one result per summary. When `on_event` stops the work, the remaining
    /// results are [`Error::Stopped`].
    pub fn extract_each<'t>(&self, summaries: &[Summary<'t>], on_event: &OnEvent<'_>) -> Vec<Result<Claims>> {
        let read = |summary: &Summary<'t>| {
            poll(on_event)?;
            self.read(summary, &|| poll(on_event))
        };
        let Ok(readings) = summaries.iter().map(read).collect::<Result<Vec<Statements<'_>>>>() else {
            return summaries.iter().map(|_| Err(Error::Stopped)).collect();
        };
        let sentences: Vec<Option<Vec<String>>> =
            summaries.iter().map(|summary| summary.sentences.and_then(normalize_all)).collect();
        let read = readings.iter().zip(&sentences).zip(summaries);
        let read: Vec<Summary<'_>> = read
            .map(|((reading, sentences), summary)| Summary {
                text: reading.read.text(),
                sentences: sentences.as_deref().or(summary.sentences),
                ..*summary
            })
            .collect();
        let mut all = self.extract_read(&read, on_event);
        for (claims, reading) in all.iter_mut().zip(readings) {
            if let Ok(claims) = claims {
                claims.locate(reading);
            }
        }
        all
    }

    /// The statements of a summary, as models read them. Given sentences, texts for a language model and texts that
    /// state nothing are read unchanged, unless they refuse to answer.
    fn read<'t>(&self, summary: &Summary<'t>, poll: &Poll<'_, Error>) -> Result<Statements<'t>> {
        let as_given =
            || Statements { read: NormalizedText::of(summary.text), asides: Vec::new(), others: Vec::new() };
        match (summary.layout, summary.sentences, self) {
            (Some(speakers), None, Self::Sentence | Self::T5(_)) => {
                let found = statements(summary.text, speakers, poll)?;
                let is_read = has_words(found.read.text()) || !found.asides.is_empty() || found.refuses();
                Ok(if is_read { found } else { as_given() })
            }
            _ => Ok(as_given()),
        }
    }

    fn extract_read(&self, summaries: &[Summary<'_>], on_event: &OnEvent<'_>) -> Vec<Result<Claims>> {
        let (found, from) = match self {
            Self::Sentence => (summaries.iter().map(by_sentence).collect(), ClaimsFrom::Sentence),
            Self::Given => (summaries.iter().map(given).collect(), ClaimsFrom::Given),
            Self::T5(model) => (by_model(model, summaries, on_event), ClaimsFrom::T5),
            Self::Written(writer) => (written(&**writer, summaries, on_event), ClaimsFrom::Answers),
        };
        let all = found.into_iter().zip(summaries);
        let complete = |(claims, summary): (Result<Vec<Claim>>, &Summary<'_>)| {
            let mut claims = claims?;
            if summary.layout.is_some() && summary.sentences.is_some() && from != ClaimsFrom::Given {
                claims.iter_mut().for_each(|claim| claim.text = read_alone(&claim.text));
            }
            Ok(complete(claims, summary.text, from))
        };
        all.map(complete).collect()
    }
}

/// Extracts the claims of all summaries together. If the model fails, repeats this one by one, so that only the
/// summaries on which it fails are errors.
fn by_model(
    model: &TextToText,
    summaries: &[Summary<'_>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Claim>>> {
    match generated::claims(model, summaries, on_event) {
        Ok(all) => all.into_iter().map(Ok).collect(),
        Err(error) if summaries.len() == 1 => vec![Err(error)],
        Err(_) => summaries.iter().flat_map(|summary| by_model(model, &[*summary], on_event)).collect(),
    }
}

fn written(
    writer: &dyn WriteClaims,
    summaries: &[Summary<'_>],
    on_event: &OnEvent<'_>,
) -> Vec<Result<Vec<Claim>>> {
    let texts: Vec<&str> = summaries.iter().map(|summary| summary.text).collect();
    let located = |(claims, summary): (Result<Vec<String>>, &Summary<'_>)| {
        let sentences = Sentences::of(summary)?;
        Ok(claims?.into_iter().map(|text| sentences.claim(text)).collect())
    };
    writer.write(&texts, on_event).into_iter().zip(summaries).map(located).collect()
}

fn by_sentence(summary: &Summary<'_>) -> Result<Vec<Claim>> {
    let sentences = Sentences::of(summary)?;
    Ok(sentences.spans().iter().map(|span| sentences.whole(*span)).collect())
}

fn given(summary: &Summary<'_>) -> Result<Vec<Claim>> {
    let Some(claims) = summary.claims else {
        return Err(Error::setting("claims", "given", "the pair comes without claims"));
    };
    let sentences = Sentences::of(summary)?;
    Ok(claims.iter().map(|text| sentences.claim(text.clone())).collect())
}

/// Removes claims without words; if none is left, the whole summary is the claim.
fn complete(mut claims: Vec<Claim>, summary: &str, from: ClaimsFrom) -> Claims {
    claims.retain(|claim| has_words(&claim.text));
    if !claims.is_empty() {
        return Claims { claims, from, others: Vec::new() };
    }
    let whole = Span { start: 0, end: TextIndex::new(summary).characters() };
    let claim = Claim { text: summary.to_owned(), spans: vec![whole], sentence: whole };
    Claims { claims: vec![claim], from: ClaimsFrom::WholeSummary, others: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(extractor: &ClaimExtractor, text: &str, claims: Option<&[String]>) -> Claims {
        extractor.extract(&[Summary { claims, ..Summary::new(text) }]).unwrap().swap_remove(0)
    }

    #[test]
    fn every_sentence_with_words_is_a_claim() {
        let claims = extract(&ClaimExtractor::Sentence, "It rained.  Nobody came. ...", None);
        assert_eq!(claims.claims[0].text, "It rained.");
        assert!(claims.claims[1].text.starts_with("Nobody came."));
        assert_eq!(claims.from, ClaimsFrom::Sentence);
    }

    #[test]
    fn a_refusal_is_no_claim_and_a_statement_inside_another_is_one() {
        let of = |text| {
            let summary = Summary { layout: Some(&[]), ..Summary::new(text) };
            ClaimExtractor::Sentence.extract(&[summary]).unwrap().swap_remove(0)
        };
        let refusal = of("I cannot answer that.");
        assert_eq!((refusal.claims.len(), refusal.others.len()), (0, 1));
        let text = "Rain fell. The [bridge](x \"The mayor opened it\") is long. It is old.";
        let texts: Vec<String> = of(text).claims.into_iter().map(|claim| claim.text).collect();
        assert_eq!(texts[..2], ["Rain fell.", "The bridge is long."]);
        assert_eq!(texts[2..], ["The mayor opened it", "It is old."]);
        assert_eq!(of("Good morning!").from, ClaimsFrom::Sentence);
    }

    #[test]
    fn given_claims_point_at_the_sentence_they_share_most_words_with() {
        let text = "Rain fell all day. The mayor opened the bridge on Monday.";
        let given = ["The bridge was opened on Monday.".to_owned(), "  ".to_owned()];
        let claims = extract(&ClaimExtractor::Given, text, Some(&given));
        assert_eq!((claims.claims.len(), claims.from), (1, ClaimsFrom::Given));
        assert_eq!(claims.claims[0].spans[0].slice(text), "The mayor opened the bridge on Monday.");
        assert_eq!(extract(&ClaimExtractor::Given, text, Some(&[])).from, ClaimsFrom::WholeSummary);
        assert!(ClaimExtractor::Given.extract(&[Summary::new(text)]).is_err());
    }

    #[test]
    fn sentences_that_came_with_the_summary_are_the_units() {
        let text = "It rained; nobody\u{0} came. Anna closed the shop and left.";
        let sentences =
            ["It rained;", "nobody\u{0} came.", "Anna closed the shop and left."].map(str::to_owned);
        let extract = |extractor: &ClaimExtractor, sentences, claims| {
            let summary = Summary { claims, sentences: Some(sentences), ..Summary::new(text) };
            extractor.extract(&[summary]).map(|mut claims| claims.swap_remove(0).claims)
        };
        let parts =
            |claims: Vec<Claim>| -> Vec<&str> { claims.iter().map(|it| it.sentence.slice(text)).collect() };
        assert_eq!(parts(extract(&ClaimExtractor::Sentence, &sentences, None).unwrap()), sentences);
        let given = ["Nobody came.".to_owned()];
        assert_eq!(
            parts(extract(&ClaimExtractor::Given, &sentences, Some(&given)).unwrap()),
            [&sentences[1]]
        );
        let error = extract(
            &ClaimExtractor::Sentence,
            &sentences[..2].iter().rev().cloned().collect::<Vec<_>>(),
            None,
        );
        assert!(error.unwrap_err().to_string().contains("the list of summary sentences has a sentence 2"));
    }
}
