//! What was found of a row, read from the members of its result's JSON object: as computed, or from a journal.

use serde::Deserialize;

use crate::decide::{Reason, Verdict};
use crate::result::{CitationVerdict, first_wrong};

/// What was found of a summary; nothing where no claims were judged.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Found {
    pub(super) verdict: Option<Verdict>,
    pub(super) reason: Option<Reason>,
    #[serde(default)]
    claims: Vec<FoundClaim>,
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
    /// Reads it. `fields`: the members of the object.
    pub(super) fn read(fields: &str) -> Self {
        serde_json::from_str(&format!("{{{fields}}}")).unwrap_or_default()
    }

    /// Its claims.
    pub(super) fn claims(&self) -> impl Iterator<Item = &FoundClaim> {
        self.claims.iter().filter(|claim| claim.verdict.is_some())
    }

    /// The verdicts of its claims; what is not a claim has none.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = Option<Verdict>> {
        self.claims.iter().map(|claim| claim.verdict)
    }

    /// Whether a claim has a wrong citation.
    pub(super) fn has_wrong_citation(&self) -> bool {
        self.claims().any(|claim| first_wrong(&claim.citations().collect::<Vec<_>>()).is_some())
    }
}

impl FoundClaim {
    /// The verdicts of its citations.
    pub(super) fn citations(&self) -> impl Iterator<Item = CitationVerdict> {
        self.citations.iter().map(|cited| cited.verdict)
    }
}
