//! Issues of writing, sentence by sentence (section 3.2.4): flow by a heuristic, or all kinds by a language model.

mod flow;

use serde::Serialize;

pub(super) use self::flow::issues as flow_issues;
use super::Axis;
use veridic::{Error, Span};

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

/// The error for an axis that only a language model can measure.
pub(super) fn needs_answers(axis: Axis) -> Error {
    Error::setting(
        "metric",
        format!("sumautoeval:{axis}"),
        "needs a language model's answers: give them with --answers FILE, or a server with --judge URL",
    )
}
