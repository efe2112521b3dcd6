//! Claims of invented sentences, and properties of the claims of any text.

mod properties;
mod splitting;
mod statements;
mod truth;

use super::super::index::TextIndex;
use super::super::sentences::sentences;
use super::{Clause, clauses};

/// The claims of all sentences.
fn all(text: &str) -> Vec<Clause> {
    let index = TextIndex::new(text);
    sentences(text).into_iter().flat_map(|span| clauses(&index, span)).collect()
}

fn texts(text: &str) -> Vec<String> {
    all(text).into_iter().map(|claim| claim.text).collect()
}

/// Checks the claims of sentences.
fn check(cases: &[(&str, &[&str])]) {
    for (sentence, claims) in cases {
        assert_eq!(&texts(sentence), claims, "{sentence}");
    }
}

/// Checks that each sentence is its only claim.
fn check_whole(sentences: &[&str]) {
    for sentence in sentences {
        assert_eq!(texts(sentence), [*sentence]);
    }
}
