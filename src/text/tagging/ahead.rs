//! Look-ahead for a finite verb.
//!
//! Decides whether a finite verb follows in the clause, while the tags between are still undecided. Refuses to look past
//! the start of the next clause.

use super::lexicon::classes;
use super::lexicon::verb_forms::Forms;
use super::word::{Tag, Word};

/// Whether a finite verb follows within `reach` tokens, before the next clause begins. A word that may be a noun counts
/// only after a possible subject.
pub(crate) fn finite_ahead(words: &[Word], from: usize, reach: usize) -> bool {
    for place in from..words.len().min(from + reach) {
        let word = &words[place];
        match word.tag {
            Tag::Comma | Tag::Break | Tag::Subordinator | Tag::Relative | Tag::That | Tag::Stop => {
                return false;
            }
            Tag::Coordinator if words.get(place + 1).is_some_and(opens_predicate) => return false,
            Tag::Modal => return true,
            Tag::Be | Tag::Have | Tag::Do if !word.forms.has(Forms::ING) => return true,
            Tag::Verb if place > from && is_finite(words, place) => return true,
            _ => {}
        }
    }
    false
}

/// Whether a possible verb, which is not the first word, is finite in its context.
fn is_finite(words: &[Word], place: usize) -> bool {
    let (word, last) = (&words[place], &words[place - 1]);
    let next = words.get(place + 1);
    let noun = word.forms.has(Forms::NOUN);
    let after_subject =
        matches!(last.tag, Tag::Pronoun | Tag::Name | Tag::Noun | Tag::Adverb | Tag::Verb | Tag::Quote);
    // "dozens walked"
    let after_subject = after_subject || last.is(Tag::Number) && is_plural_noun(last.lower());
    let finite = word.forms.has(Forms::PAST) || (word.forms.has(Forms::THIRD.with(Forms::BASE)) && !noun);
    let reduced = word.forms.has(Forms::PARTICIPLE) && by_someone(words, place + 1);
    if finite && after_subject && !reduced {
        return true;
    }
    let object = next.is_some_and(|next| {
        matches!(next.tag, Tag::Determiner | Tag::PossessiveDeterminer | Tag::To | Tag::Pronoun)
    });
    let agrees = last.is(Tag::Noun) && word.forms.has(Forms::BASE) == is_plural_noun(last.lower());
    let after_pronoun = last.is(Tag::Pronoun) && is_subject_pronoun(last);
    noun && ((object && agrees && !word.forms.has(Forms::PAST)) || after_pronoun)
}

/// Whether "by" and an agent follow, rather than an amount: "lost by two goals".
pub(crate) fn by_someone(words: &[Word], place: usize) -> bool {
    let by = words.get(place).is_some_and(|word| word.lower() == "by");
    by && !words.get(place + 1).is_some_and(|word| word.is(Tag::Number))
}

/// Whether a word after "and" begins another predicate.
fn opens_predicate(word: &Word) -> bool {
    let verb =
        word.is(Tag::Verb) && word.forms.has(Forms::PAST.with(Forms::THIRD)) && !word.forms.has(Forms::NOUN);
    verb || matches!(word.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Adverb)
}

/// Whether a noun looks plural.
pub(crate) fn is_plural_noun(lower: &str) -> bool {
    let ends = lower.ends_with('s') && !["ss", "us", "is"].iter().any(|end| lower.ends_with(end));
    ends || classes::PLURALS.contains(lower)
}

pub(crate) fn is_subject_pronoun(word: &Word) -> bool {
    classes::SUBJECT_PRONOUNS.contains(word.lower())
}
