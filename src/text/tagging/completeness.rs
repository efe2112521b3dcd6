//! Whether pieces of a text can be sentences by themselves, as far as their verbs show.
//!
//! Decides for the words before and after a stop whose word may be an abbreviation: "It weighs 5 kg. Customs wanted" has a
//! verb on both sides, "Apple Inc. President Cook said" and "a 9 kg. Atlantic salmon" have not.

use super::tagger::tag;
use super::tokens::tokens;
use super::word::{Tag, Word};

/// Maximum number of bytes that are read on each side of a stop.
const LONGEST_SIDE: usize = 60;

/// Whether a sentence can end after `before` and another begin with `after`.
pub(crate) fn can_be_two_sentences(before: &str, after: &str) -> bool {
    let after = &after[..after.floor_char_boundary(LONGEST_SIDE)];
    let before = &before[before.floor_char_boundary(before.len().saturating_sub(LONGEST_SIDE))..];
    // Names and titles alone have no verb; this spares the tagger.
    let has_small = before.split_whitespace().any(|word| word.starts_with(char::is_lowercase));
    has_small && begins_with_clause(&tag(tokens(after))) && has_verb(&tag(tokens(before)))
}

fn has_verb(words: &[Word<'_>]) -> bool {
    is_order(words) || words.iter().any(is_verb)
}

/// Whether the first clause has a verb; a noun phrase that ends earlier belongs to the words before it.
fn begins_with_clause(words: &[Word<'_>]) -> bool {
    let joins_nouns = |place: usize| !words.get(place + 1).is_none_or(is_verb);
    let ends_clause = |(place, word): &(usize, &Word<'_>)| match word.tag {
        Tag::Coordinator => !joins_nouns(*place),
        Tag::Comma | Tag::Break | Tag::Stop | Tag::Quote | Tag::Bracket => true,
        Tag::Subordinator | Tag::Relative | Tag::That => true,
        _ => false,
    };
    let clause = words.iter().enumerate().take_while(|word| !ends_clause(word));
    is_order(words)
        || words.first().is_some_and(|word| word.is(Tag::Pronoun))
        || clause.map(|(_, word)| word).any(is_verb)
}

fn is_verb(word: &Word<'_>) -> bool {
    matches!(word.tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Do | Tag::Modal)
}

/// Whether an unknown word is a verb, because its object follows: "Clamp it", "Flush the line".
fn is_order(words: &[Word<'_>]) -> bool {
    let [first, second, ..] = words else { return false };
    let is_object = matches!(second.lower(), "the" | "a" | "an" | "it" | "them");
    matches!(first.tag, Tag::Noun | Tag::Name) && is_object
}
