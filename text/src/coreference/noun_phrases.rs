//! Noun phrases without a name: "a man", "his former manager", "the company".
//!
//! Decides where such a phrase begins, and whether it describes a name beside it or the subject of the sentence. Nouns
//! without a determiner refer to nobody in particular and are skipped.
use super::gender::Gender;
use super::places::is_people;
use super::roles::person_noun;
use super::tokens::{Document, Token};
use super::words::{is_auxiliary, is_copula, is_determiner, is_function, is_link, is_past, is_speech};
use crate::token::TokenKind;

/// Most words of a phrase before its noun.
const LONGEST: usize = 6;

/// The place of the determiner, the number or the possessor that opens the phrase of a noun.
pub(super) fn opening(document: &Document, noun: usize) -> Option<usize> {
    for back in 1..=LONGEST {
        let place = noun.checked_sub(back)?;
        let token = document.near(place, noun)?;
        let aged = person_noun(&token.lower).is_some();
        if !aged
            && (is_determiner(&token.lower) || matches!(token.kind, TokenKind::Clitic | TokenKind::Number))
        {
            return Some(place);
        }
        if token.kind == TokenKind::Mark || is_link(&token.lower) {
            return None;
        }
    }
    None
}

/// The names of people next to a phrase.
pub(super) struct Neighbours<'n> {
    /// Whether a name starts at a token.
    pub(super) starts: &'n dyn Fn(usize) -> bool,
    /// Whether a name ends before a token.
    pub(super) ends: &'n dyn Fn(usize) -> bool,
}

/// The gender of a person who is mentioned at a place without a name; `None` if there is none, or if the person's name is
/// next to it.
pub(super) fn unnamed_person(document: &Document, place: usize, neighbours: &Neighbours) -> Option<Gender> {
    let token = &document.tokens[place];
    if matches!(token.lower.as_str(), "someone" | "somebody" | "anyone" | "anybody") {
        return Some(Gender::Unknown);
    }
    let gender = if token.is_capitalised() && is_people(&token.lower) {
        is_alone(document, place).then(|| person_noun(&token.lower).unwrap_or(Gender::Unknown))?
    } else {
        person_noun(&token.lower)?
    };
    let Some(opening) = opening(document, place) else {
        // "He told King": a title that may be a surname.
        return (token.is_capitalised() && !token.opens).then_some(Gender::Unknown);
    };
    let comma = usize::from(document.after(place).is_some_and(|next| next.is(",")));
    let is_named = (neighbours.starts)(place + 1 + comma);
    (!is_named && !describes(document, opening, place, neighbours)).then_some(gender)
}

/// Whether the token after a noun ends its phrase: a mark, a verb or a function word other than "of".
pub(super) fn is_alone(document: &Document, noun: usize) -> bool {
    let Some(next) = document.after(noun) else { return true };
    if next.is("-") || next.is("of") || next.is("for") {
        return false;
    }
    // "the company founded by Brown" is restricted to one of several.
    let restricts =
        next.lower.ends_with("ed") && document.near(noun + 2, noun).is_some_and(|token| token.is("by"));
    let ends = is_verb(next) || is_function(&next.lower);
    matches!(next.kind, TokenKind::Mark | TokenKind::Clitic) || (next.is_small() && ends && !restricts)
}

/// Whether the word can only be a past verb, an auxiliary or a verb of saying.
fn is_verb(token: &Token) -> bool {
    is_auxiliary(&token.lower)
        || is_speech(&token.lower)
        || is_past(&token.lower)
        || (token.lower.len() > 4 && token.lower.ends_with("ed"))
}

/// Whether the phrase of a noun follows a name and its comma without being a subject itself, or follows "is".
fn describes(document: &Document, opening: usize, noun: usize, neighbours: &Neighbours) -> bool {
    let Some(before) = document.before(opening) else { return false };
    let at = opening - 1;
    if before.is(",") {
        let acts = document.after(noun).is_some_and(|next| next.is_small() && is_verb(next));
        let aged =
            at >= 2 && document.tokens[at - 1].kind == TokenKind::Number && document.tokens[at - 2].is(",");
        return !acts && ((neighbours.ends)(at) || (aged && (neighbours.ends)(at - 2)));
    }
    let expletive = document
        .before(at)
        .is_some_and(|subject| matches!(subject.lower.as_str(), "there" | "it" | "this" | "that"));
    is_copula(&before.lower) && !expletive
}
