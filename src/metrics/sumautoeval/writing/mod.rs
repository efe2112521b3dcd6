//! Issues of writing, sentence by sentence (section 3.2.4): spelling and grammar by a local checker (feature
//! `grammar`), language by a list of words, and flow by a heuristic.

mod flow;
#[cfg(feature = "grammar")]
mod grammar;
mod language;

use serde::Serialize;

use super::note::{Note, Sentence};
use crate::error::{Error, Result};
use veridic_text::Span;

/// What an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum IssueKind {
    /// A word that is written wrong.
    #[cfg_attr(not(feature = "grammar"), expect(dead_code, reason = "found by the checker"))]
    Spelling,
    /// Words that do not go together.
    #[cfg_attr(not(feature = "grammar"), expect(dead_code, reason = "found by the checker"))]
    Grammar,
    /// Capitals, marks and spaces, which SummEval's fluency does not mind.
    #[cfg_attr(not(feature = "grammar"), expect(dead_code, reason = "found by the checker"))]
    Format,
    /// A word that has no place in a report.
    Language,
    /// The sentence does not go on from those before it.
    Flow,
}

/// Something that is wrong with a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Issue {
    pub(super) kind: IssueKind,
    /// Where, in the summary.
    pub(super) span: Span,
    /// What is wrong.
    pub(super) message: String,
}

/// Which issues are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks {
    /// Spelling, grammar and format.
    pub(super) grammar: bool,
    pub(super) language: bool,
    pub(super) flow: bool,
}

/// The issues of each sentence. `known`: texts whose words are not spelled wrong.
pub(super) fn issues(note: &Note<'_>, known: &[&str], looks: Looks) -> Vec<Vec<Issue>> {
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
    if looks.grammar {
        add(grammar::issues(note.index.text(), known));
    }
    if looks.language {
        add(language::issues(note));
    }
    if looks.flow {
        add(flow::issues(note));
    }
    #[cfg(not(feature = "grammar"))]
    let _ = (known, looks.grammar);
    found
}

/// Refuses what needs a checker that is not in this program.
///
/// # Errors
/// In a build without the feature `grammar`.
pub(super) fn has_checker(axis: &str) -> Result<()> {
    if cfg!(feature = "grammar") {
        return Ok(());
    }
    Err(Error::setting(
        "metric",
        format!("sumautoeval:{axis}"),
        "needs the spelling and grammar checker, which is in builds with the feature `grammar` only",
    ))
}
