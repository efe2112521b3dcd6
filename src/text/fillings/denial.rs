//! The denial of a claim: "not" at its first finite verb, or without the "not" there.
//!
//! Decides only where the verb is certain: the words before it are one noun phrase, and no other verb could be the main
//! one. Refuses claims whose denial may be true as well: of possibilities ("may close"), of some or all of a group, of
//! a condition; and every other form of negation.

use std::ops::Range;

use crate::text::tagging::{Forms, Tag, Word, tag, tokens};
use crate::text::token::Token;
use crate::text::word_list::WordList;
use crate::text::words::{has_negation, words};

/// Maximum tokens of a claim that is denied.
const LONGEST: usize = 60;

/// Words with which the denial may be true as well, or the verb is uncertain.
static UNSURE: WordList = WordList::new(
    "some any many most few fewer little all every each both either neither only hardly barely scarcely rarely seldom \
     sometimes often may might could would should if unless whether no none nobody nothing nowhere nor without",
);

/// The byte range of the claim that its denial replaces, and the replacement.
pub(super) fn denial(claim: &str) -> Option<(Range<usize>, String)> {
    let tokens = tokens(claim);
    // "May" inside a claim is a month.
    let is_unsure = |token: &Token<'_>| {
        UNSURE.contains(&token.lower) && (token.start == 0 || token.text.starts_with(char::is_lowercase))
    };
    if tokens.len() > LONGEST || tokens.iter().any(is_unsure) {
        return None;
    }
    let words = tag(tokens);
    let at = finite_verb(&words)?;
    let is_negated = words.iter().any(is_negation) || has_negation(&self::words(claim));
    if is_negated { affirmed(&words, at) } else { denied(&words, at) }
}

fn is_negation(word: &Word<'_>) -> bool {
    word.is(Tag::Not) || is_contracted(word)
}

fn is_contracted(word: &Word<'_>) -> bool {
    word.lower().ends_with("n't") || word.lower() == "cannot"
}

/// The index of the first finite verb, if only one noun phrase is before it.
fn finite_verb(words: &[Word<'_>]) -> Option<usize> {
    let at = words
        .iter()
        .position(|word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Verb))?;
    let is_subject = |word: &Word<'_>| {
        matches!(
            word.tag,
            Tag::Noun
                | Tag::Name
                | Tag::Pronoun
                | Tag::Determiner
                | Tag::PossessiveDeterminer
                | Tag::Possessive
                | Tag::Adjective
                | Tag::Number
                | Tag::Preposition
        )
    };
    let has_head = words[..at].iter().any(|word| matches!(word.tag, Tag::Noun | Tag::Name | Tag::Pronoun));
    let is_phrase = words.first().is_some_and(|first| !first.is(Tag::Preposition));
    (has_head && is_phrase && words[..at].iter().all(is_subject)).then_some(at)
}

/// Whether another finite verb follows that no conjunction, relative or mark introduces: then the first one may be a
/// participle ("the man arrested in May was freed") or a noun.
fn another_follows(words: &[Word<'_>], at: usize) -> bool {
    let introduces = |word: &Word<'_>| {
        matches!(
            word.tag,
            Tag::Comma
                | Tag::Break
                | Tag::Stop
                | Tag::Quote
                | Tag::Coordinator
                | Tag::Subordinator
                | Tag::That
                | Tag::Relative
                | Tag::To
        )
    };
    let rest = words[at + 1..].iter().take_while(|word| !introduces(word));
    rest.into_iter().any(|word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Verb))
}

/// "not" after an auxiliary, "did not" before a verb.
fn denied(words: &[Word<'_>], at: usize) -> Option<(Range<usize>, String)> {
    let verb = &words[at];
    let after = verb.token.end();
    let joined = at > 0 && verb.token.start == words[at - 1].token.end();
    let (is, has) = (|tag| verb.is(tag), |form| verb.forms.has(form));
    if joined {
        return None;
    }
    if is(Tag::Modal) || (is(Tag::Be) && !has(Forms::ING.with(Forms::PARTICIPLE))) || is_perfect(words, at) {
        let not = if verb.lower() == "can" { "not" } else { " not" };
        return (verb.lower() != "be").then(|| (after..after, not.to_owned()));
    }
    if !matches!(verb.tag, Tag::Verb | Tag::Have) || verb.base.is_empty() || another_follows(words, at) {
        return None;
    }
    let auxiliary = if has(Forms::PAST) && !has(Forms::BASE) {
        "did not"
    } else if has(Forms::THIRD) {
        "does not"
    } else {
        return None;
    };
    Some((verb.token.start..after, format!("{auxiliary} {}", verb.base)))
}

/// "has closed", "had been closed".
fn is_perfect(words: &[Word<'_>], at: usize) -> bool {
    let next = words[at + 1..].iter().find(|word| !word.is(Tag::Adverb));
    words[at].is(Tag::Have)
        && !words[at].forms.has(Forms::ING)
        && next.is_some_and(|next| {
            matches!(next.tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Do) && next.forms.has(Forms::PARTICIPLE)
        })
}

/// Without "not" or "n't" at the verb, if nothing else in the claim is negated.
fn affirmed(words: &[Word<'_>], at: usize) -> Option<(Range<usize>, String)> {
    let verb = &words[at];
    let negations = words.iter().filter(|word| is_negation(word)).count();
    if negations != 1 || !matches!(verb.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Modal) {
        return None;
    }
    let (start, end) = (verb.token.start, verb.token.end());
    if is_contracted(verb) {
        let auxiliary = match verb.lower() {
            "won't" => "will".to_owned(),
            "can't" | "cannot" => "can".to_owned(),
            "shan't" | "ain't" => return None,
            other => other.trim_end_matches("n't").to_owned(),
        };
        return Some((start..end, auxiliary));
    }
    let next = words.get(at + 1).filter(|next| next.lower() == "not")?;
    Some((end..next.token.end(), String::new()))
}
