//! Issues of writing, sentence by sentence (section 3.2.4): spelling and grammar by a local checker (feature `grammar`),
//! language by a list of words, and flow by a heuristic.

mod flow;
#[cfg(feature = "grammar")]
mod grammar;
mod language;

use serde::Serialize;

use super::Axis;
use super::note::{Note, Sentence};
use crate::error::{Error, Result};
use veridic_text::Span;

/// The kind of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum IssueKind {
    /// A misspelled word.
    Spelling,
    /// A mistake of grammar.
    Grammar,
    /// Capitals, marks and spaces, which do not count for SummEval's fluency.
    #[cfg_attr(not(feature = "grammar"), expect(dead_code, reason = "found by the checker"))]
    Format,
    /// A word that is unfit for a report.
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

/// The kinds of issues to find.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedIssues {
    /// Spelling, grammar and format.
    pub(super) grammar: bool,
    pub(super) language: bool,
    pub(super) flow: bool,
}

/// The issues of each sentence. `known`: texts whose words are spelled right.
pub(super) fn issues(note: &Note<'_>, known: &[&str], wanted: WantedIssues) -> Vec<Vec<Issue>> {
    let mut found: Vec<Vec<Issue>> = vec![Vec::new(); note.sentences.len()];
    let mut add = |issues: Vec<Issue>| {
        for issue in issues {
            let holds = |sentence: &Sentence<'_>| {
                (sentence.span.start..sentence.span.end).contains(&issue.span.start)
            };
            if let Some(place) = note.sentences.iter().position(holds) {
                found[place].push(issue);
            }
        }
    };
    #[cfg(feature = "grammar")]
    if wanted.grammar {
        add(grammar::issues(note.index.text(), known));
    }
    if wanted.language {
        add(language::issues(note));
    }
    if wanted.flow {
        add(flow::issues(note));
    }
    #[cfg(not(feature = "grammar"))]
    let _ = (known, wanted.grammar);
    found
}

/// Refuses an axis that needs a checker which this build lacks.
///
/// # Errors
/// In a build without the feature `grammar`.
pub(super) fn has_checker(axis: Axis) -> Result<()> {
    if cfg!(feature = "grammar") {
        return Ok(());
    }
    Err(Error::setting(
        "metric",
        format!("sumautoeval:{axis}"),
        "needs the spelling and grammar checker, which is in builds with the feature `grammar` only",
    ))
}
