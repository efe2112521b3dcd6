//! From a summary to its claims. A claim is a statement that is judged by itself; it keeps the
//! spans of the summary that it covers.

use serde::Serialize;

use crate::text::{Span, TextIndex, sentences};

/// Where claims come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClaimSource {
    /// Every sentence of the summary is a claim.
    #[default]
    Sentence,
}

impl ClaimSource {
    /// The name that `--claims` takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
        }
    }
}

/// Where the claims of one summary really came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimsFrom {
    /// Its sentences.
    Sentence,
    /// The extractor gave nothing, so the whole summary is the one claim.
    WholeSummary,
}

/// One statement of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says.
    pub text: String,
    /// The parts of the summary that it covers.
    pub spans: Vec<Span>,
}

impl ClaimSource {
    /// The claims of a summary, in its order; never none.
    #[must_use]
    pub fn extract(self, summary: &str) -> (Vec<Claim>, ClaimsFrom) {
        let index = TextIndex::new(summary);
        let claim = |span: Span| Claim { text: index.slice(span).to_owned(), spans: vec![span] };
        let has_words = |claim: &Claim| claim.text.chars().any(char::is_alphanumeric);
        let claims: Vec<Claim> = match self {
            Self::Sentence => sentences(summary).into_iter().map(claim).filter(has_words).collect(),
        };
        if claims.is_empty() {
            let whole = Span { start: 0, end: index.characters() };
            return (vec![claim(whole)], ClaimsFrom::WholeSummary);
        }
        (claims, ClaimsFrom::Sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_with_words_is_a_claim() {
        let (claims, from) = ClaimSource::Sentence.extract("It rained.  Nobody came. ...");
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts[0], "It rained.");
        assert!(texts[1].starts_with("Nobody came."));
        assert_eq!(from, ClaimsFrom::Sentence);
    }
}
