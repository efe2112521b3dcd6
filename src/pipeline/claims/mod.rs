//! From a summary to its claims: [`ClaimExtractor::extract`] is where a summary is cut. A claim is a statement that is
//! judged by itself; it keeps the spans of the summary that it covers, and the sentence that it came from.

mod asked;
mod generated;
mod overlap;

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use veridic_models::TextToText;

use crate::error::{Error, Result};
use crate::llm::LanguageModel;
use crate::schedule::{OnEvent, ignore_events};
use overlap::Sentences;
use veridic_text::{NormalizedText, Span, TextIndex, clauses};

/// How claims are extracted from a summary.
#[derive(Clone, Default)]
pub enum ClaimExtractor {
    /// Every sentence of the summary is a claim.
    #[default]
    Sentence,
    /// Clauses of the sentences, by the rules of `veridic_text`.
    Clause,
    /// The claims that come with the pair.
    Given,
    /// Claims written by a text-to-text model.
    T5(Arc<TextToText>),
    /// Claims written by a language model that is asked.
    Asked(LanguageModel),
}

impl ClaimExtractor {
    /// Its name, as `claims` takes it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Clause => "clause",
            Self::Given => "given",
            Self::T5(_) => "t5",
            Self::Asked(_) => "answers",
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

    /// The language model that is asked, if there is one.
    #[must_use]
    pub fn language_model(&self) -> Option<&LanguageModel> {
        match self {
            Self::Asked(model) => Some(model),
            _ => None,
        }
    }
}

impl fmt::Debug for ClaimExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model() {
            Some(model) => write!(f, "{}={}", self.name(), model.identity().id),
            None => f.write_str(self.name()),
        }
    }
}

/// A summary, and the claims that came with it.
#[derive(Debug, Clone, Copy)]
pub struct Summary<'t> {
    /// The text.
    pub text: &'t str,
    /// The claims that came with it, for [`ClaimExtractor::Given`].
    pub claims: Option<&'t [String]>,
}

/// Where the claims of a summary came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClaimsFrom {
    /// Its sentences.
    Sentence,
    /// Rules over its sentences.
    Clause,
    /// The pair.
    Given,
    /// A text-to-text model.
    T5,
    /// A language model's answer.
    Answers,
    /// The extractor found none, so the whole summary is the one claim.
    WholeSummary,
}

/// One statement of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its text.
    pub text: String,
    /// The parts of the summary that it covers.
    pub spans: Vec<Span>,
    /// The sentence of the summary that it came from.
    pub sentence: Span,
}

/// The claims of one summary; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// In the summary's order.
    pub claims: Vec<Claim>,
    /// Where they came from.
    pub from: ClaimsFrom,
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

impl Claim {
    /// Maps a claim of a normalised summary to the summary as given. A given claim keeps its text.
    pub(super) fn relocate(&mut self, summary: &NormalizedText<'_>, is_given: bool) {
        if summary.replaced() == 0 {
            return;
        }
        let text = self.text.clone();
        summary.relocate(&mut self.spans, &mut self.text);
        self.sentence = summary.given_span(self.sentence);
        if is_given {
            self.text = text;
        }
    }
}

impl Claims {
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
    /// When given claims are missing, or the model fails.
    pub fn extract(&self, summaries: &[Summary<'_>]) -> Result<Vec<Claims>> {
        self.extract_until(summaries, &ignore_events)
    }

    /// [`ClaimExtractor::extract`], unless `on_event` ends the work.
    ///
    /// # Errors
    /// As [`ClaimExtractor::extract`], and [`Error::Stopped`].
    pub fn extract_until(&self, summaries: &[Summary<'_>], on_event: &OnEvent<'_>) -> Result<Vec<Claims>> {
        let readings: Vec<NormalizedText<'_>> =
            summaries.iter().map(|summary| NormalizedText::of(summary.text)).collect();
        let read = readings.iter().zip(summaries);
        let read: Vec<Summary<'_>> =
            read.map(|(reading, summary)| Summary { text: reading.text(), ..*summary }).collect();
        let mut all = self.extract_read(&read, on_event)?;
        for (claims, reading) in all.iter_mut().zip(&readings) {
            let is_given = claims.from == ClaimsFrom::Given;
            claims.claims.iter_mut().for_each(|claim| claim.relocate(reading, is_given));
        }
        Ok(all)
    }

    fn extract_read(&self, summaries: &[Summary<'_>], on_event: &OnEvent<'_>) -> Result<Vec<Claims>> {
        let by_rule = |rule: fn(&Sentences<'_>) -> Vec<Claim>, from: ClaimsFrom| {
            summaries
                .iter()
                .map(|summary| complete(rule(&Sentences::of(summary.text)), summary.text, from))
                .collect()
        };
        match self {
            Self::Sentence => Ok(by_rule(by_sentence, ClaimsFrom::Sentence)),
            Self::Clause => Ok(by_rule(by_clause, ClaimsFrom::Clause)),
            Self::Given => summaries.iter().map(given).collect(),
            Self::T5(model) => {
                let all = generated::claims(model, summaries, on_event)?;
                let pairs = all.into_iter().zip(summaries);
                Ok(pairs.map(|(claims, summary)| complete(claims, summary.text, ClaimsFrom::T5)).collect())
            }
            Self::Asked(model) => {
                let all = asked::claims(model, summaries, on_event)?;
                let pairs = all.into_iter().zip(summaries);
                Ok(pairs
                    .map(|(claims, summary)| complete(claims, summary.text, ClaimsFrom::Answers))
                    .collect())
            }
        }
    }
}

fn by_sentence(summary: &Sentences<'_>) -> Vec<Claim> {
    summary.spans().iter().map(|span| summary.whole(*span)).collect()
}

fn by_clause(summary: &Sentences<'_>) -> Vec<Claim> {
    let claims = |sentence: &Span| {
        let claim = |clause: veridic_text::Clause| Claim {
            text: clause.text,
            spans: clause.spans,
            sentence: *sentence,
        };
        clauses(summary.index(), *sentence).into_iter().map(claim).collect::<Vec<_>>()
    };
    summary.spans().iter().flat_map(claims).collect()
}

fn given(summary: &Summary<'_>) -> Result<Claims> {
    let Some(claims) = summary.claims else {
        return Err(Error::setting("claims", "given", "the pair comes without claims"));
    };
    let sentences = Sentences::of(summary.text);
    let claims = claims.iter().map(|text| sentences.claim(text.clone())).collect();
    Ok(complete(claims, summary.text, ClaimsFrom::Given))
}

/// Removes claims without words; if none is left, the whole summary is the claim.
fn complete(mut claims: Vec<Claim>, summary: &str, from: ClaimsFrom) -> Claims {
    claims.retain(|claim| has_words(&claim.text));
    if !claims.is_empty() {
        return Claims { claims, from };
    }
    let whole = Span { start: 0, end: TextIndex::new(summary).characters() };
    let claim = Claim { text: summary.to_owned(), spans: vec![whole], sentence: whole };
    Claims { claims: vec![claim], from: ClaimsFrom::WholeSummary }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract(extractor: &ClaimExtractor, text: &str, claims: Option<&[String]>) -> Claims {
        extractor.extract(&[Summary { text, claims }]).unwrap().swap_remove(0)
    }

    #[test]
    fn every_sentence_with_words_is_a_claim() {
        let claims = extract(&ClaimExtractor::Sentence, "It rained.  Nobody came. ...", None);
        assert_eq!(claims.claims[0].text, "It rained.");
        assert!(claims.claims[1].text.starts_with("Nobody came."));
        assert_eq!(claims.from, ClaimsFrom::Sentence);
    }

    #[test]
    fn clauses_know_their_sentence() {
        let text = "It rained. Anna closed the shop and walked home.";
        let claims = extract(&ClaimExtractor::Clause, text, None).claims;
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts, ["It rained.", "Anna closed the shop.", "Anna walked home."]);
        assert_eq!(claims[2].sentence.slice(text), "Anna closed the shop and walked home.");
    }

    #[test]
    fn given_claims_point_at_the_sentence_they_share_most_words_with() {
        let text = "Rain fell all day. The mayor opened the bridge on Monday.";
        let given = ["The bridge was opened on Monday.".to_owned(), "  ".to_owned()];
        let claims = extract(&ClaimExtractor::Given, text, Some(&given));
        assert_eq!((claims.claims.len(), claims.from), (1, ClaimsFrom::Given));
        assert_eq!(claims.claims[0].spans[0].slice(text), "The mayor opened the bridge on Monday.");
        assert_eq!(extract(&ClaimExtractor::Given, text, Some(&[])).from, ClaimsFrom::WholeSummary);
        assert!(ClaimExtractor::Given.extract(&[Summary { text, claims: None }]).is_err());
    }
}
