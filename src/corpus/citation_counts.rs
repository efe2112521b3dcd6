//! The citations of a run's rows, counted by verdict, with the number of claims without citations.

use serde::Serialize;

use super::found::{Found, FoundClaim};
use crate::result::CitationVerdict;

/// Citations by verdict. A marker counts once per claim that it belongs to and source that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CitationCounts {
    supports: u64,
    supports_together: u64,
    other_supports: u64,
    none: u64,
    unknown_source: u64,
    /// The number of claims without a citation.
    uncited_claims: u64,
    /// The number of all claims.
    of_claims: u64,
}

impl CitationCounts {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &Found) {
        for claim in row.claims() {
            self.of_claims += 1;
            self.uncited_claims += u64::from(claim.citations().next().is_none());
        }
        for verdict in row.claims().flat_map(FoundClaim::citations) {
            *match verdict {
                CitationVerdict::Supports => &mut self.supports,
                CitationVerdict::SupportsTogether => &mut self.supports_together,
                CitationVerdict::OtherSupports => &mut self.other_supports,
                CitationVerdict::None => &mut self.none,
                CitationVerdict::UnknownSource => &mut self.unknown_source,
            } += 1;
        }
    }

    pub(super) fn line(self) -> String {
        let Self {
            supports,
            supports_together,
            other_supports,
            none,
            unknown_source,
            uncited_claims,
            of_claims,
        } = self;
        let all = supports + supports_together + other_supports + none + unknown_source;
        format!(
            "citations: {supports} of {all} supported by the cited source, {supports_together} by the cited sources together, \
             {other_supports} by another source only, {none} by none, {unknown_source} name no source; \
             {uncited_claims} of {of_claims} claims cite nothing"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_counted_by_verdict() {
        let mut counts = CitationCounts::default();
        for fields in [
            r#""claims":[{"verdict":"supported","citations":[{"verdict":"supports"},{"verdict":"other_supports","other":"2"}]},{"verdict":"supported","citations":[]}]"#,
            r#""claims":[{"verdict":"unsupported","citations":[{"verdict":"none"},{"verdict":"unknown_source"},{"verdict":"supports_together"}]}]"#,
            r#""error":"the document is empty""#,
        ] {
            counts.add(&Found::read(fields));
        }
        assert_eq!(
            counts.line(),
            "citations: 1 of 5 supported by the cited source, 1 by the cited sources together, 1 by another source only, \
             1 by none, 1 name no source; 1 of 3 claims cite nothing"
        );
        let json = serde_json::to_string(&counts).unwrap();
        assert!(json.starts_with(r#"{"supports":1,"supports_together":1,"#), "{json}");
    }
    /// A heading was counted as a claim without citations.
    #[test]
    fn parts_that_state_nothing_are_not_counted() {
        let mut counts = CitationCounts::default();
        counts.add(&Found::read(r#""claims":[{"verdict":null,"reason":"not a claim"},{"verdict":"supported","citations":[{"verdict":"supports"}]}]"#));
        assert_eq!((counts.uncited_claims, counts.of_claims), (0, 1));
    }
}
