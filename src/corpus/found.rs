//! The parts of a row's result that are counted, read from the members of its JSON object: as computed, or from a journal.

use serde::Deserialize;

use crate::decide::{Reason, Verdict};
use crate::result::{CitationVerdict, first_wrong};

/// The findings about a summary; empty if no claims were judged.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Found {
    pub(super) verdict: Option<Verdict>,
    pub(super) reason: Option<Reason>,
    #[serde(default)]
    claims: Vec<FoundClaim>,
    unjudged: Option<FoundUnjudged>,
}

/// The part of a summary that has no verdict.
#[derive(Debug, Deserialize)]
struct FoundUnjudged {
    share: f64,
}

/// A claim, or a part of the summary that states nothing, which has no verdict.
#[derive(Debug, Deserialize)]
pub(super) struct FoundClaim {
    verdict: Option<Verdict>,
    #[serde(default)]
    citations: Vec<Cited>,
}

#[derive(Debug, Deserialize)]
struct Cited {
    verdict: CitationVerdict,
}

impl Found {
    /// Reads the findings from `fields`, the members of a result's JSON object.
    pub(super) fn read(fields: &str) -> Self {
        serde_json::from_str(&format!("{{{fields}}}")).unwrap_or_default()
    }

    /// Returns the claims, except those that give no answer.
    pub(super) fn claims(&self) -> impl Iterator<Item = &FoundClaim> {
        self.claims.iter().filter(|claim| claim.verdict.is_some_and(|verdict| verdict != Verdict::NoAnswer))
    }

    /// Returns the share of the summary's words that have no verdict, if it is known.
    pub(super) fn unjudged(&self) -> Option<f64> {
        self.unjudged.as_ref().map(|unjudged| unjudged.share)
    }

    /// Returns the verdict of each part of the summary; parts that state nothing have none.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = Option<Verdict>> {
        self.claims.iter().map(|claim| claim.verdict)
    }

    /// Whether any claim has a wrong citation.
    pub(super) fn has_wrong_citation(&self) -> bool {
        self.claims().any(|claim| first_wrong(&claim.citations().collect::<Vec<_>>()).is_some())
    }
}

impl FoundClaim {
    /// Returns the verdicts of the citations.
    pub(super) fn citations(&self) -> impl Iterator<Item = CitationVerdict> {
        self.citations.iter().map(|cited| cited.verdict)
    }
}
