//! Subjects of sentences that have none: "Filed for divorce."
//!
//! Decides that a sentence lacks its subject if it begins with a verb that is not an imperative, and takes the subject of
//! the last earlier sentence that has one. Refuses "it" and "there", and to look back far.

use super::super::index::TextIndex;
use super::super::sentences::sentences;
use super::super::span::Span;
use super::lexicon::verb_forms::Forms;
use super::parser::Parser;
use super::tagging::{Tag, Word, tag, tokens::tokens};
use super::tree::Piece;

/// Maximum distance in characters of the earlier sentence.
const REACH: usize = 600;
/// Maximum distance in sentences of the earlier sentence.
const MOST: usize = 6;
/// Maximum number of words of the earlier sentence that are parsed.
const LONGEST: usize = 120;

/// Whether the words from `start` on begin with a finite verb and are not a question.
pub(super) fn lacks_subject(words: &[Word], start: usize) -> bool {
    let question = words.last().is_some_and(|word| word.lower() == "?");
    let passed = |word: &&Word| matches!(word.tag, Tag::Adverb | Tag::Coordinator);
    let Some(first) = words.iter().skip(start).find(|word| !passed(word)) else { return false };
    let verb = matches!(first.tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Do);
    verb && !question && first.forms.has(Forms::THIRD.with(Forms::PAST)) && !first.forms.has(Forms::BASE)
}

/// The subject of the sentences that end before character `end`, with its place.
pub(super) fn subject_before(summary: &TextIndex, end: usize) -> Option<(String, Span)> {
    let from = end.saturating_sub(REACH);
    let window = summary.slice(Span { start: from, end });
    for sentence in sentences(window).iter().rev().take(MOST) {
        let text = sentence.slice(window);
        let words = tag(tokens(text));
        if !lacks_subject(&words, 0) {
            return subject_of(text, &words, from + sentence.start);
        }
    }
    None
}

/// The subject of the sentence `text`, which starts at character `first`, if it can be the subject of another sentence.
fn subject_of(text: &str, words: &[Word], first: usize) -> Option<(String, Span)> {
    let (clause, _) = Parser::new(words).clause(0, words.len().min(LONGEST))?;
    let [Piece::Source(range)] = &clause.subject.whole[..] else { return None };
    let (head, last) = (words.get(range.start)?, words.get(range.end.checked_sub(1)?)?);
    let firm =
        matches!(head.tag, Tag::Pronoun | Tag::Determiner | Tag::PossessiveDeterminer) || last.is(Tag::Name);
    if !firm || matches!(head.lower(), "it" | "there" | "this" | "that" | "i" | "you") {
        return None;
    }
    let subject = &text[head.token.start..last.token.end()];
    let start = first + text[..head.token.start].chars().count();
    Some((subject.to_owned(), Span { start, end: start + subject.chars().count() }))
}
