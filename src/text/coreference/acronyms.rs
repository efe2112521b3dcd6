//! Acronyms that the text introduces: "World Health Organization (WHO)".
//!
//! The words before the bracket are the long form if the acronym's letters are their first letters, in order; only link
//! words may be skipped. An acronym that is introduced for two different things is ignored.

use std::collections::HashMap;
use std::ops::Range;

use super::tokens::{Document, Token};

/// An acronym and its long form, by tokens.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) long: Range<usize>,
    pub(super) short: usize,
}

/// Maximum number of letters of an acronym.
const LONGEST: usize = 8;

/// The acronyms that the document introduces with one meaning.
pub(super) fn definitions(document: &Document) -> Vec<Definition> {
    let is_bracketed = |place: &usize| {
        let token = |at: usize| document.tokens.get(at);
        place.checked_sub(1).and_then(token).is_some_and(|before| before.is("("))
            && token(place + 1).is_some_and(|after| after.is(")") || after.is(",") || after.is(";"))
            && is_acronym(&document.tokens[*place])
    };
    let places = (0..document.tokens.len()).filter(is_bracketed);
    let found: Vec<Definition> = places.filter_map(|short| definition(document, short)).collect();
    let mut meanings: HashMap<&str, Option<String>> = HashMap::new();
    for definition in &found {
        let long = document.lower(&definition.long);
        let meaning =
            meanings.entry(document.tokens[definition.short].text).or_insert_with(|| Some(long.clone()));
        if meaning.as_ref() != Some(&long) {
            *meaning = None;
        }
    }
    let is_single = |definition: &Definition| meanings[document.tokens[definition.short].text].is_some();
    found.into_iter().filter(is_single).collect()
}

fn is_acronym(token: &Token) -> bool {
    let capitals = token.text.chars().filter(|letter| letter.is_uppercase()).count();
    let plain = token.text.chars().all(|letter| letter.is_alphabetic() || letter == '.');
    token.is_word()
        && plain
        && token.text.starts_with(char::is_uppercase)
        && (2..=LONGEST).contains(&capitals)
}

/// The definition of the acronym at a token, from the words before its bracket.
fn definition(document: &Document, short: usize) -> Option<Definition> {
    let letters: Vec<char> =
        document.tokens[short].text.chars().filter(|letter| letter.is_alphabetic()).collect();
    let end = short - 1;
    let mut start = end;
    let mut left = letters.len();
    let (mut first, mut capitals) = (end, 0);
    while left > 0 {
        start = start.checked_sub(1)?;
        let token = document.near(start, short)?;
        let wanted = letters[left - 1];
        let begins = token.lower.chars().next() == wanted.to_lowercase().next();
        let link = is_link_word(token) && !(begins && wanted.is_lowercase());
        if token.is_word() && begins && !link {
            left -= 1;
            first = start;
            capitals += usize::from(token.is_capitalised());
        } else if !link {
            return None;
        }
    }
    let matched = letters.iter().filter(|letter| letter.is_uppercase()).count();
    let named = capitals >= matched || (matched >= 3 && document.tokens[first].is_small() && capitals == 0);
    (named && end - first >= 2 && end > first).then_some(Definition { long: first..end, short })
}

fn is_link_word(token: &Token) -> bool {
    matches!(
        token.lower.as_str(),
        "of" | "the" | "and" | "for" | "in" | "on" | "to" | "de" | "la" | "&" | "a" | "an"
    )
}
