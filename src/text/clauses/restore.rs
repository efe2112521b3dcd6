//! Subjects of sentences that have none: "Filed for divorce."
//!
//! Decides that a sentence lacks its subject when it begins with a verb that is no imperative, and
//! takes the subject of the last sentence before it that has one. Refuses "it" and "there", and to
//! look back far.

use super::super::index::TextIndex;
use super::super::sentences::sentences;
use super::super::span::Span;
use super::parse::Parser;
use super::tagger::{self, Tag, Word};
use super::tokens::tokens;
use super::tree::Piece;
use super::verbs::Forms;

/// How many characters are looked back.
const REACH: usize = 600;

/// Whether the words from `start` on begin with a finite verb, and are no question.
pub(super) fn lacks_subject(words: &[Word], start: usize) -> bool {
    let question = words.last().is_some_and(|word| word.lower() == "?");
    let passed = |word: &&Word| matches!(word.tag, Tag::Adverb | Tag::Coordinator);
    let Some(first) = words.iter().skip(start).find(|word| !passed(word)) else { return false };
    let verb = matches!(first.tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Do);
    verb && !question && first.forms.has(Forms::THIRD.with(Forms::PAST)) && !first.forms.has(Forms::BASE)
}

/// The subject of a sentence that ends before character `end`, with its place.
pub(super) fn subject_before(summary: &TextIndex, end: usize) -> Option<(String, Span)> {
    let from = end.saturating_sub(REACH);
    let window = summary.slice(Span { start: from, end });
    let before = sentences(window);
    before
        .iter()
        .rev()
        .take(6)
        .find_map(|sentence| {
            let text = sentence.slice(window);
            let words = tagger::tag(tokens(text));
            (!lacks_subject(&words, 0)).then_some((sentence, text, words))
        })
        .and_then(|(sentence, text, words)| {
            let (clause, _) = Parser::new(&words).clause(0, words.len().min(120))?;
            let [Piece::Source(range)] = &clause.subject.whole[..] else { return None };
            let first = words.get(range.start)?;
            let last = words.get(range.end.checked_sub(1)?)?;
            let firm = matches!(first.tag, Tag::Pronoun | Tag::Determiner | Tag::Owner) || last.is(Tag::Name);
            if !firm || matches!(first.lower(), "it" | "there" | "this" | "that" | "i" | "you") {
                return None;
            }
            let subject = &text[first.token.start..last.token.end];
            let offset = from + sentence.start + text[..first.token.start].chars().count();
            Some((subject.to_owned(), Span { start: offset, end: offset + subject.chars().count() }))
        })
}
