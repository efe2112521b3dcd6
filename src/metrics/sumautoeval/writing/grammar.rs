//! Spelling and grammar by Harper (harper-core), offline. A word is misspelled if neither a dialect of English nor the document
//! nor a reference has it. Suggestions of style are ignored.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use harper_core::linting::{Lint, LintGroup, LintKind, Linter};
use harper_core::spell::FstDictionary;
use harper_core::{Dialect, Document};

use super::{Issue, IssueKind};
use veridic_text::{Span, WordKind, words};

thread_local! {
    /// The rules of both dialects, which take a second to load.
    static GROUPS: RefCell<Option<(Arc<FstDictionary>, [LintGroup; 2])>> = const { RefCell::new(None) };
}

/// The issues of a text, in its order. `known`: texts whose words are spelled right.
pub(super) fn issues(text: &str, known: &[&str]) -> Vec<Issue> {
    let [american, british] = lints(text);
    let forms = |text: &str| words(text).into_iter().map(|word| word.text.to_lowercase()).collect::<Vec<_>>();
    let known: HashSet<String> = known.iter().flat_map(|text| forms(text)).collect();
    let letters: Vec<char> = text.chars().collect();
    let mut found: Vec<Issue> = Vec::new();
    for lint in american {
        let in_both =
            british.iter().any(|other| other.span == lint.span && other.lint_kind == lint.lint_kind);
        let Some(kind) = kind(lint.lint_kind).filter(|_| in_both) else { continue };
        let span = Span { start: lint.span.start, end: lint.span.end };
        let slice: String = letters.get(span.start..span.end).unwrap_or_default().iter().collect();
        let is_excused = kind == IssueKind::Spelling
            && words(&slice).iter().all(|word| is_right(word.text, word.kind, &known));
        if !is_excused && !found.iter().any(|issue| issue.span == span && issue.kind == kind) {
            found.push(Issue { kind, span, message: lint.message });
        }
    }
    found.sort_by_key(|issue| issue.span);
    found
}

/// Whether a word is a name, a number, a single letter, or in a known text.
fn is_right(word: &str, kind: WordKind, known: &HashSet<String>) -> bool {
    kind == WordKind::Number
        || word.starts_with(char::is_uppercase)
        || word.chars().count() == 1
        || known.contains(&word.to_lowercase())
}

/// The lints of the rules for American and for British English.
fn lints(text: &str) -> [Vec<Lint>; 2] {
    GROUPS.with_borrow_mut(|groups| {
        let (dictionary, groups) = groups.get_or_insert_with(|| {
            let dictionary = FstDictionary::curated();
            let groups = [Dialect::American, Dialect::British]
                .map(|dialect| LintGroup::new_curated(Arc::clone(&dictionary), dialect));
            (dictionary, groups)
        });
        let document = Document::new_plain_english(text, dictionary);
        groups.each_mut().map(|group| group.lint(&document))
    })
}

/// The kind of an issue; None for matters of style.
fn kind(kind: LintKind) -> Option<IssueKind> {
    match kind {
        LintKind::Spelling | LintKind::Typo | LintKind::Eggcorn | LintKind::Malapropism => {
            Some(IssueKind::Spelling)
        }
        LintKind::Agreement
        | LintKind::BoundaryError
        | LintKind::Grammar
        | LintKind::Nonstandard
        | LintKind::Repetition
        | LintKind::WordOrder => Some(IssueKind::Grammar),
        LintKind::Capitalization | LintKind::Formatting | LintKind::Punctuation => Some(IssueKind::Format),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_found_and_dialects_are_accepted() {
        let text = "The colour of Falcao's pool is gray. Mayor Okafor recieved a letter. They was glad. The hxyz closed.";
        let found = issues(text, &["A hxyz."]);
        let issues: Vec<(IssueKind, &str)> =
            found.iter().map(|issue| (issue.kind, issue.span.slice(text))).collect();
        assert!(issues.contains(&(IssueKind::Spelling, "recieved")), "{issues:?}");
        assert!(issues.iter().any(|(kind, _)| *kind == IssueKind::Grammar), "{issues:?}");
        assert_eq!(issues.iter().filter(|(kind, _)| *kind == IssueKind::Spelling).count(), 1, "{issues:?}");
    }
}
