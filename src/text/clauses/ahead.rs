//! Looking ahead for a finite verb.
//!
//! Decides whether a clause has a verb further on, without having settled the words between.
//! Refuses to look past the next clause.

use super::tagger::{Tag, Word};
use super::verbs::Forms;
use super::words;

/// Whether a finite verb stands within `reach` tokens, before the next clause begins. Words that
/// may be nouns count only behind what can be their subject.
pub(super) fn finite_ahead(words: &[Word], from: usize, reach: usize) -> bool {
    let end = words.len().min(from + reach);
    for place in from..end {
        let word = &words[place];
        match word.tag {
            Tag::Comma | Tag::Break | Tag::Subordinator | Tag::Relative | Tag::That | Tag::Stop => {
                return false;
            }
            Tag::Be | Tag::Have | Tag::Do if !word.forms.has(Forms::ING) => return true,
            Tag::Modal => return true,
            Tag::Coordinator
                if words.get(place + 1).is_some_and(|next| {
                    matches!(next.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Adverb)
                        || (next.is(Tag::Verb)
                            && next.forms.has(Forms::PAST.with(Forms::THIRD))
                            && !next.forms.has(Forms::NOUN))
                }) =>
            {
                return false;
            }
            Tag::Verb if place > from => {
                let nouns = word.forms.has(Forms::NOUN);
                let after_subject = matches!(
                    words[place - 1].tag,
                    Tag::Pronoun | Tag::Name | Tag::Noun | Tag::Adverb | Tag::Verb | Tag::Quote
                );
                let finite =
                    word.forms.has(Forms::PAST) || (word.forms.has(Forms::THIRD.with(Forms::BASE)) && !nouns);
                let reduced = word.forms.has(Forms::PARTICIPLE)
                    && words.get(place + 1).is_some_and(|next| next.lower() == "by");
                if finite && after_subject && !reduced && !opens_modifier(words, place) {
                    return true;
                }
                let object = words.get(place + 1).is_some_and(|next| {
                    matches!(next.tag, Tag::Determiner | Tag::Owner | Tag::To | Tag::Pronoun)
                });
                let agrees = words[place - 1].is(Tag::Noun)
                    && (word.forms.has(Forms::BASE) == is_plural_noun(words[place - 1].lower()));
                if nouns && object && agrees && !word.forms.has(Forms::PAST) {
                    return true;
                }
                if nouns && words[place - 1].is(Tag::Pronoun) && is_subject_pronoun(&words[place - 1]) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether an -ed word at `place` modifies what is next to it: "the arrested man".
pub(super) fn opens_modifier(words: &[Word], place: usize) -> bool {
    place > 0
        && matches!(
            words[place - 1].tag,
            Tag::Determiner | Tag::Owner | Tag::Adjective | Tag::Preposition | Tag::Possessive
        )
}

/// Whether a noun looks plural.
pub(super) fn is_plural_noun(lower: &str) -> bool {
    let ends =
        lower.ends_with('s') && !lower.ends_with("ss") && !lower.ends_with("us") && !lower.ends_with("is");
    ends || words::PLURAL_NOUNS.split_whitespace().any(|word| word == lower)
}

pub(super) fn is_subject_pronoun(word: &Word) -> bool {
    words::SUBJECT_PRONOUNS.split_whitespace().any(|pronoun| pronoun == word.lower())
}
