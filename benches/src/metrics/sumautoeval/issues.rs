//! Issues of writing, sentence by sentence (section 3.2.4).

use serde::Serialize;
use veridic::Span;

/// The kind of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum IssueKind {
    /// A misspelled word.
    Spelling,
    /// A mistake of grammar.
    Grammar,
    /// A word that is unsuitable for a report.
    Language,
    /// The sentence does not follow from those before it.
    Flow,
}

/// An issue of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Issue {
    pub(super) kind: IssueKind,
    /// Its span in the summary.
    pub(super) span: Span,
    /// An explanation.
    pub(super) message: String,
}
