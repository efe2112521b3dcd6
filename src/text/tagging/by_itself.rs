//! The tag of a token without its context.
//!
//! Decides by lists and endings; every possible verb is tagged `Verb` for now. Refuses neighbours, which `context`
//! uses.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::lexicon::classes;
use super::lexicon::verb_forms::{Forms, verb_form};
use super::word::{Tag, Word};
use crate::text::token::{Token, TokenKind};
use crate::text::word_list::WordList;

/// Word classes and their tags; for a word in several classes, the last one holds.
static CLASSES: [(&WordList, Tag); 14] = [
    (&classes::ADJECTIVES, Tag::Adjective),
    (&classes::ADVERBS, Tag::Adverb),
    (&classes::PREPOSITIONS, Tag::Preposition),
    (&classes::SUBORDINATORS, Tag::Subordinator),
    (&classes::RELATIVES, Tag::Relative),
    (&classes::NUMBERS, Tag::Number),
    (&classes::PRONOUNS, Tag::Pronoun),
    (&classes::DETERMINERS, Tag::Determiner),
    (&classes::POSSESSIVE_DETERMINERS, Tag::PossessiveDeterminer),
    (&classes::MODALS, Tag::Modal),
    (&classes::BE, Tag::Be),
    (&classes::HAVE, Tag::Have),
    (&classes::DO, Tag::Do),
    (&classes::COORDINATORS, Tag::Coordinator),
];

fn class(word: &str) -> Option<Tag> {
    static CLASS: OnceLock<HashMap<&'static str, Tag>> = OnceLock::new();
    let table = CLASS.get_or_init(|| {
        let listed = CLASSES.iter().flat_map(|(list, tag)| list.words().map(|word| (word, *tag)));
        let single = [
            ("to", Tag::To),
            ("that", Tag::That),
            ("not", Tag::Not),
            ("never", Tag::Not),
            ("one", Tag::Number),
        ];
        listed.chain(single).collect()
    });
    table.get(word).copied()
}

/// The token with its tag.
pub(crate) fn word(token: Token<'_>) -> Word<'_> {
    let plain = |tag| (tag, Forms::default(), String::new());
    let (tag, forms, base) = match token.kind {
        TokenKind::Number if token.text.contains('-') && token.text.ends_with(char::is_alphabetic) => {
            plain(if is_measure(&token.lower) { Tag::Adjective } else { Tag::Noun })
        }
        TokenKind::Number => plain(Tag::Number),
        TokenKind::OpenQuote | TokenKind::CloseQuote => plain(Tag::Quote),
        TokenKind::Mark => plain(mark(token.text)),
        TokenKind::Clitic => clitic(&token.lower),
        TokenKind::Word => letters(&token),
    };
    Word { token, tag, forms, base }
}

fn clitic(lower: &str) -> (Tag, Forms, String) {
    match lower {
        "'s" | "'" => (Tag::Possessive, Forms::default(), String::new()),
        "'m" | "'re" => (Tag::Be, Forms::BASE, "be".into()),
        "'ve" => (Tag::Have, Forms::BASE, "have".into()),
        _ => (Tag::Modal, Forms::default(), String::new()),
    }
}

fn letters(token: &Token) -> (Tag, Forms, String) {
    let plain = |tag| (tag, Forms::default(), String::new());
    let lower = token.lower.strip_suffix("n't").unwrap_or(&token.lower);
    let named = token.text.starts_with(char::is_uppercase);
    if token.text == "May" {
        return plain(Tag::Name);
    }
    if let Some(tag) = class(lower) {
        let (forms, base) = auxiliary(lower, tag);
        return (tag, forms, base.to_owned());
    }
    if named && (classes::MONTHS.contains(lower) || classes::DAYS.contains(lower)) {
        return plain(Tag::Name);
    }
    let verb = verb_form(lower);
    if verb.forms.is_verb() && (verb.known || !named) {
        return (Tag::Verb, verb.forms, verb.base);
    }
    plain(match lower {
        _ if named => Tag::Name,
        _ if lower.len() > 4 && lower.ends_with("ly") && !classes::ADVERB_LIKE.contains(lower) => Tag::Adverb,
        _ if is_adjective_shape(lower) || is_measure(lower) => Tag::Adjective,
        _ => Tag::Noun,
    })
}

/// "two-year", "12-month".
fn is_measure(lower: &str) -> bool {
    let counted = |number: &str| {
        number.starts_with(|letter: char| letter.is_ascii_digit()) || classes::NUMBERS.contains(number)
    };
    let unit = |unit: &str| classes::TIME_NOUNS.contains(unit) && !unit.ends_with('s');
    lower.split_once('-').is_some_and(|(number, rest)| counted(number) && unit(rest))
}

fn is_adjective_shape(lower: &str) -> bool {
    let endings = ["ous", "ful", "able", "ible", "less", "ish", "ical", "-old"];
    // "anti-semitic", "pro-democratic"
    let opposed = ["anti-", "non-", "pro-"].iter().any(|start| lower.starts_with(start))
        && ["al", "ic", "ive"].iter().any(|end| lower.ends_with(end));
    opposed || lower.len() > 5 && endings.iter().any(|end| lower.ends_with(end))
}

fn auxiliary(lower: &str, tag: Tag) -> (Forms, &'static str) {
    let base = match tag {
        Tag::Be => "be",
        Tag::Have => "have",
        Tag::Do => "do",
        _ => return (Forms::default(), ""),
    };
    let forms = match lower {
        "being" | "having" => Forms::ING,
        "been" => Forms::PARTICIPLE,
        "is" | "has" | "does" => Forms::THIRD,
        "was" | "were" | "had" | "did" => Forms::PAST,
        _ => Forms::BASE,
    };
    (forms, base)
}

fn mark(text: &str) -> Tag {
    match text {
        "," => Tag::Comma,
        "(" | ")" | "[" | "]" => Tag::Bracket,
        "." | "!" | "?" | "…" => Tag::Stop,
        "&" => Tag::Name,
        "$" | "£" | "€" => Tag::Number,
        _ => Tag::Break,
    }
}
