//! "it" and "its" that refer to an organisation.
//!
//! "it" refers to the organisation directly before it in what that organisation says ("Acme said it would"), and to the
//! last speaker if it speaks ("It added"); "its" also after a verb of which the organisation is the subject ("Acme has cut
//! its forecast"). Every other "it" is refused, as is one that stands for a clause.

use super::MentionKind;
use super::entity_table::EntityId;
use super::speakers::speech_after;
use super::tokens::{Document, Token};
use super::words::{is_auxiliary, is_determiner, is_function, is_link, is_speech};
use crate::token::TokenKind;

/// Most tokens from an organisation to its "it" or "its".
const LONGEST_GAP: usize = 6;

/// The kind of mention if the token is "it" or "its".
pub(super) fn pronoun(token: &Token) -> Option<MentionKind> {
    match token.lower.as_str() {
        "it" if !token.is_all_capitals() => Some(MentionKind::Pronoun),
        "its" => Some(MentionKind::PossessivePronoun),
        _ => None,
    }
}

/// The antecedent of "it" or "its": the name that ends before the words that lead to it, or the speaker of the sentence
/// before.
pub(super) fn antecedent(
    document: &Document,
    place: usize,
    kind: MentionKind,
    speaker: Option<EntityId>,
    subject_before: impl Fn(usize) -> Option<EntityId>,
) -> Option<EntityId> {
    let token = &document.tokens[place];
    if token.quote != 0 || (kind == MentionKind::Pronoun && stands_for_clause(document, place)) {
        return None;
    }
    if token.opens && kind == MentionKind::Pronoun {
        return speaker.filter(|_| speech_after(document, place));
    }
    let first = place.saturating_sub(LONGEST_GAP);
    let (start, entity) = (first..place).rev().find_map(|at| Some((at, subject_before(at)?)))?;
    let between = document.tokens.get(start..place).filter(|_| document.near(start, place).is_some())?;
    let leads = match kind {
        MentionKind::PossessivePronoun => is_saying(between) || is_doing(between),
        _ => is_saying(between),
    };
    leads.then_some(entity)
}

/// Whether the name that starts at a place can be a subject: not if it modifies the noun before it, as in "people in
/// England".
pub(super) fn may_be_subject(document: &Document, start: usize) -> bool {
    let the = usize::from(document.before(start).is_some_and(|token| token.is("the")));
    let before = start.checked_sub(the).and_then(|at| document.before(at));
    before.is_none_or(|token| {
        let joins = matches!(
            token.lower.as_str(),
            "that" | "but" | "as" | "when" | "after" | "because" | "while" | "if"
        );
        joins || !(is_link(&token.lower) || is_function(&token.lower))
    })
}

/// "said", "said on Friday that".
fn is_saying(between: &[Token]) -> bool {
    let [verb, rest @ ..] = between else { return false };
    let rest = match rest {
        [rest @ .., last] if last.is("that") => rest,
        _ => rest,
    };
    is_speech(&verb.lower) && (rest.is_empty() || matches!(rest, [on, _] if on.is("on")))
}

/// Verbs and adverbs only: "has cut", "plans to double", "will close".
fn is_doing(between: &[Token]) -> bool {
    let plain = |token: &Token| {
        token.is_small()
            && token.quote == 0
            && !is_determiner(&token.lower)
            && (token.is("to") || !is_link(&token.lower))
    };
    let is_verb =
        |token: &Token| is_auxiliary(&token.lower) || is_speech(&token.lower) || token.lower.ends_with("ed");
    between.first().is_some_and(is_verb) && between.iter().all(plain)
}

/// Whether "it" is an expletive, before "that ..." or "to ...", or about the weather or the time.
fn stands_for_clause(document: &Document, place: usize) -> bool {
    let Some(next) = document.after(place) else { return true };
    if next.kind != TokenKind::Word {
        return true;
    }
    let be = [
        "is", "was", "be", "been", "will", "would", "has", "had", "could", "can", "may", "might", "should",
        "not", "also", "now",
    ];
    let skipped = |token: &&Token| be.contains(&token.lower.as_str());
    let rest = || document.tokens[place + 1..].iter().take_while(|token| token.sentence == next.sentence);
    let has_be =
        rest().take_while(skipped).any(|token| matches!(token.lower.as_str(), "is" | "was" | "be" | "been"));
    let Some(word) = rest().find(|token| !skipped(token)) else { return true };
    let acts = word.lower.ends_with("ing") || word.lower.ends_with("ed");
    let clause = rest().take(7).any(|token| matches!(token.lower.as_str(), "that" | "if" | "whether"));
    let seems = [
        "seems", "seemed", "appears", "appeared", "rained", "snowed", "emerged", "turned", "turns", "takes",
        "took", "came", "depends",
    ];
    seems.contains(&word.lower.as_str())
        || (has_be && (!acts || clause || is_function(&word.lower)))
        || matches!(word.lower.as_str(), "take" | "seem" | "appear" | "come" | "rain" | "snow")
}
