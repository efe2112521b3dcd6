//! Descriptions directly after a name: "Brown, 24, a teacher from Leeds," and "Acme is a charity".
//!
//! Decides which noun describes the name. Refuses phrases without an article, and phrases longer than `LONGEST`.

use super::tokens::{Document, Token};
use super::words::is_function;
use crate::text::token::TokenKind;

/// Maximum number of words of a description.
const LONGEST: usize = 9;

/// The noun of the description after the name whose last token is given.
pub(super) fn after(document: &Document, last: usize, aged: bool) -> Option<usize> {
    let link = document.after(last)?;
    let apposed = link.is(",");
    if !apposed && !link.is("is") {
        return None;
    }
    let is_age = apposed && aged && document.near(last + 2, last)?.kind == TokenKind::Number;
    let start = if is_age { last + 4 } else { last + 2 };
    let article = document.near(start, last)?;
    if !matches!(article.lower.as_str(), "a" | "an" | "the") {
        return None;
    }
    let stop =
        (start + 1..start + LONGEST).find(|&at| document.near(at, last).is_none_or(ends_description))?;
    (stop > start + 1).then_some(stop - 1)
}

/// Whether a token cannot precede the noun of its phrase.
fn ends_description(token: &Token) -> bool {
    let modifier = matches!(token.lower.as_str(), "former" | "own" | "first" | "second" | "third" | "last");
    token.kind == TokenKind::Mark
        || (token.is_small() && is_function(&token.lower) && !modifier)
        || token.is("based")
}
