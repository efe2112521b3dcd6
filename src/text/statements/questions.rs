//! Questions, and what a question asserts all the same: "Did you know that the pool closes?", "It closes in March, right?",
//! "It closes in March?". Decides by the words at both ends; a plain question asserts nothing.

use std::ops::Range;

use crate::text::assertions::asserts;
use crate::text::word_list::WordList;

/// Beginnings after which a question asserts the rest.
const BEFORE: [&str; 16] = [
    "are you aware that",
    "can you believe that",
    "did you hear that",
    "did you know",
    "did you know that",
    "do you know that",
    "does it surprise you that",
    "have you heard that",
    "is it any wonder that",
    "is it not so that",
    "is it not the case that",
    "is it not true that",
    "isn't it so that",
    "isn't it the case that",
    "isn't it true that",
    "who would have thought that",
];

/// Ends with which a statement becomes a question.
const AFTER: [&str; 9] = ["correct", "don't you think", "eh", "no", "ok", "okay", "right", "true", "yes"];

/// Verbs and question words that begin a question, or its part after a comma.
static ASKING: WordList = WordList::new(
    "am any are aren't can can't could couldn't did didn't do does doesn't don't had has hasn't have haven't how is isn't \
     may might must shall should shouldn't was wasn't were weren't what what's when where which who who's whom whose why \
     will won't would wouldn't",
);

static PRONOUNS: WordList = WordList::new("he i it she there they we you");

/// Whether a sentence is a question; one that ends with somebody else's question is not.
pub(super) fn is_question(sentence: &str) -> bool {
    let quoted = sentence.starts_with(is_quote);
    let end = if quoted { sentence.trim_end_matches(is_quote) } else { sentence };
    end.trim_end_matches([')', '*']).ends_with('?')
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '”' | '’' | '\'' | '“' | '‘')
}

/// The bytes of a question that assert something.
pub(super) fn asserted(question: &str) -> Option<Range<usize>> {
    let lower = question.to_ascii_lowercase().replace('’', "'");
    if lower.len() != question.len() && !question.contains('’') {
        return None;
    }
    // A curly apostrophe is two bytes longer than a straight one.
    let longer = |to: usize| 2 * question.char_indices().filter(|(at, c)| *c == '’' && *at < to).count();
    let body = lower
        .trim_end_matches(|c: char| c == '?' || c == '!' || c == ')' || c == '*' || is_quote(c) || c == ' ');
    let begun = BEFORE.iter().filter(|words| body.starts_with(**words)).map(|words| words.len()).max();
    if let Some(start) = begun.filter(|start| body[*start..].starts_with([' ', ':'])) {
        let start = start + 1 + usize::from(body[start + 1..].starts_with(' '));
        let (start, end) = (start + longer(start), body.len() + longer(question.len()));
        let is_clause = body[..begun.unwrap_or(0)].ends_with("that") && question[start..end].contains(' ');
        return (is_clause || asserts(&question[start..end])).then_some(start..end);
    }
    let tag = tag_question(body);
    let end = tag.unwrap_or(body.len());
    let first = |part: &str| ASKING.contains(word_at_start(part));
    let is_plain = body[..end].split([',', ';', ':']).any(|part| first(part.trim_start()));
    let end = end + longer(end);
    let is_clause = tag.is_some() && question[..end].contains(' ');
    (!is_plain && (is_clause || asserts(&question[..end]))).then_some(0..end)
}

/// The first word of a part of a question, after a conjunction.
fn word_at_start(part: &str) -> &str {
    let mut words = part.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|word| !word.is_empty());
    let first = words.find(|word| {
        !matches!(*word, "and" | "but" | "or" | "so" | "then" | "in" | "at" | "on" | "by" | "to")
    });
    first.unwrap_or("")
}

/// Where the tag of a question begins: ", right", ", isn't it".
fn tag_question(body: &str) -> Option<usize> {
    let comma = body.rfind([',', '–', '—'])?;
    let end = body[comma..].trim_start_matches([',', '–', '—', ' ']);
    let mut words = end.split(' ');
    let is_tag = AFTER.contains(&end)
        || words.next().is_some_and(|word| ASKING.contains(word))
            && words.next().is_some_and(|word| PRONOUNS.contains(word) || word == "not")
            && words.count() <= 1;
    is_tag.then_some(comma)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_questions_assert_something() {
        let of = |question: &'static str| asserted(question).map(|range| &question[range]);
        for (question, expected) in [
            ("Did you know that the pool closes in March?", "the pool closes in March"),
            ("Isn’t it true that the mayor’s pool leaks?", "the mayor’s pool leaks"),
            ("The pool closes in March, right?", "The pool closes in March"),
            ("The pool is closed, isn't it?", "The pool is closed"),
            ("The mayor has resigned?", "The mayor has resigned"),
        ] {
            assert_eq!(of(question), Some(expected), "{question}");
        }
        for question in [
            "Would you like more detail?",
            "Why did the pool close?",
            "And in what year was it built?",
            "If the pool closes, where can people swim?",
            "Questions?",
            "Anything else?",
        ] {
            assert_eq!(of(question), None, "{question}");
        }
    }
}
