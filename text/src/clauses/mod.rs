//! Claims of a sentence, by rule.
//!
//! Decides which standalone statements a sentence makes: coordinated verbs get their subject back, relative clauses,
//! participles and appositions become sentences, and an optional phrase makes one claim without it and one with it.
//! Refuses splits that may be untrue: negated, conditional and quoted statements stay whole, and so does a sentence
//! without a subject and a verb.
//!
//! `tagging` (over the `lexicon`) -> `utterances` -> `parser` -> `tree` -> `emit` -> `render`; `restore` finds the subject
//! of a sentence that has none.

pub(crate) mod completeness;
mod emit;
mod lexicon;
mod marks;
mod parser;
mod render;
mod restore;
mod tagged_words;
pub(crate) mod tagging;
#[cfg(test)]
mod tests;
mod tree;
mod utterances;

pub use tagged_words::{Lookup, PartOfSpeech, TaggedWord, tagged_words};

use super::index::TextIndex;
use super::span::Span;
use lexicon::classes;
pub(crate) use lexicon::verb_forms::{self, verb_form};
use render::Renderer;
use tagging::{Tag, Word, tag, tokens::tokens};
use tree::{Phrase, Piece};

/// A claim: a statement that a sentence makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The statement as a sentence of its own.
    pub text: String,
    /// The spans of the summary that it consists of, in the order of the claim; a restored subject has its own span.
    pub spans: Vec<Span>,
}

/// Maximum number of words of a sentence that is split.
const LONGEST: usize = 400;

/// The claims of one sentence of an indexed text.
pub fn clauses(summary: &TextIndex, sentence: Span) -> Vec<Clause> {
    let sentence = statement(summary, sentence);
    let text = summary.slice(sentence);
    let tokens = tokens(text);
    let words = if tokens.len() > LONGEST { Vec::new() } else { tag(tokens) };
    let restored =
        restore::lacks_subject(&words, 0).then(|| restore::subject_before(summary, sentence.start)).flatten();
    let phrases =
        if is_foreign(&words) { Vec::new() } else { utterances::claims(&words, restored.is_some()) };
    let renderer = Renderer::new(text, sentence.start, &words, restored);
    let mut found: Vec<Clause> = Vec::new();
    if !is_untouched(&phrases) {
        for claim in phrases.iter().filter_map(|phrase| renderer.claim(phrase)) {
            if !found.iter().any(|other| other.text.eq_ignore_ascii_case(&claim.text)) {
                found.push(claim);
            }
        }
    }
    if found.is_empty() || renderer.misses_words(&found) {
        found.extend(renderer.whole());
    }
    found
}

/// The span of the sentence without the marks around it; unchanged if it consists of marks.
fn statement(summary: &TextIndex, sentence: Span) -> Span {
    let text = summary.slice(sentence);
    let bare = marks::statement(text);
    if bare.is_empty() {
        return sentence;
    }
    let start = sentence.start + text[..bare.start].chars().count();
    Span { start, end: start + text[bare].chars().count() }
}

/// Whether a sentence is only a list mark: "2.", "b)".
pub fn is_only_marks(sentence: &str) -> bool {
    marks::statement(sentence).is_empty()
}

/// Whether the sentence is one unchanged claim.
fn is_untouched(phrases: &[Phrase]) -> bool {
    matches!(phrases, [phrase] if matches!(phrase[..], [Piece::Source(_)]))
}

/// Whether the sentence has more function words of other languages than of English.
fn is_foreign(words: &[Word]) -> bool {
    let content = |tag: Tag| {
        matches!(tag, Tag::Noun | Tag::Name | Tag::Verb | Tag::Number | Tag::Adjective)
            || matches!(tag, Tag::Comma | Tag::Break | Tag::Stop | Tag::Quote | Tag::Bracket)
    };
    let foreign = words.iter().filter(|word| classes::FOREIGN.contains(word.lower())).count();
    let english = words.iter().filter(|word| !content(word.tag)).count();
    foreign > 0 && foreign > english
}
