//! Compounds whose parts are separate tokens.
//!
//! Decides on hyphens with spaces around them ("hat - trick", "2 - 1") and on -ing forms between nouns ("mining
//! accident"). Refuses dashes between clauses.

use super::ahead::is_plural_noun;
use super::lexicon::classes;
use super::lexicon::verb_forms::Forms;
use super::word::{Tag, Word};

/// Tags a dash between numbers as part of the number ("2 - 1"), and a hyphen between lower-case words as part of a
/// compound ("hat - trick", "warm - up").
pub(super) fn hyphens(words: &mut [Word]) {
    chains(words);
    for place in 1..words.len().saturating_sub(1) {
        let (before, after) = (&words[place - 1], &words[place + 1]);
        let score = before.is(Tag::Number) && after.is(Tag::Number);
        let particle = classes::PARTICLES.contains(after.lower()) || after.lower() == "half";
        let modifier = particle || after.is(Tag::Verb);
        match words[place].lower() {
            "-" | "–" if score => words[place].tag = Tag::Number,
            // "Asian - owned businesses"
            "-" if before.is(Tag::Name)
                && after.is(Tag::Verb)
                && after.forms.has(Forms::PARTICIPLE.with(Forms::ING))
                && !after.is_capital() =>
            {
                words[place].tag = Tag::Noun;
                words[place + 1].set(Tag::Adjective);
            }
            "-" if before.lower() == "vice" && after.is_capital() => words[place].tag = Tag::Noun,
            // "an ISIS - like attack", "an easily - accessible place"
            "-" if before.is(Tag::Name) && after.lower() == "like"
                || before.is(Tag::Adverb) && after.is(Tag::Adjective) =>
            {
                words[place].tag = if before.is(Tag::Adverb) { Tag::Adverb } else { Tag::Noun };
                words[place + 1].set(Tag::Adjective);
            }
            "-" if is_part(before) && (particle || is_part(after)) && !speaks(words, place + 2) => {
                words[place].tag = Tag::Noun;
                if modifier {
                    words[place + 1].set(Tag::Adjective);
                }
            }
            _ => {}
        }
    }
}

/// "down - to - earth", "turn - of - the - century": hyphens with one word between them.
fn chains(words: &mut [Word]) {
    let hyphen = |words: &[Word], place: usize| words.get(place).is_some_and(|word| word.lower() == "-");
    for place in 1..words.len().saturating_sub(3) {
        if hyphen(words, place) && hyphen(words, place + 2) && !words[place + 1].is(Tag::Number) {
            for part in &mut words[place..place + 4] {
                part.set(Tag::Adjective);
            }
            words[place - 1].set(Tag::Adjective);
        }
    }
}

/// Whether a word may be part of a compound.
fn is_part(word: &Word) -> bool {
    let open = matches!(word.tag, Tag::Noun | Tag::Adjective | Tag::Verb);
    let prefix = matches!(
        word.lower(),
        "all" | "anti" | "co" | "ex" | "mid" | "non" | "pre" | "semi" | "self" | "vice"
    );
    word.is(Tag::Number) || prefix || (open && word.token.text.starts_with(char::is_lowercase))
}

/// Whether a verb of speech follows: "- police said" is not a compound.
fn speaks(words: &[Word], place: usize) -> bool {
    words.get(place).is_some_and(|word| word.is(Tag::Verb) && classes::SPEAKING.contains(&word.base))
}

/// "a Chinese mining accident", "flight tracking system": an -ing form between a noun and a singular noun.
pub(super) fn is_modifier(words: &[Word], place: usize) -> bool {
    let before = |back: usize| place.checked_sub(back).and_then(|at| words.get(at));
    let opened = before(2).is_some_and(|word| matches!(word.tag, Tag::Determiner | Tag::Possessive));
    let noun =
        |word: &Word| word.is(Tag::Noun) || (word.forms.has(Forms::NOUN) && word.forms.has(Forms::BASE));
    let noun = |word: &Word| noun(word) || opened && word.is(Tag::Verb) && word.forms == Forms::BASE;
    let singular = |word: &Word| noun(word) && !is_plural_noun(word.lower());
    words[place].forms == Forms::ING
        && before(1).is_some_and(|word| word.is(Tag::Noun) || (word.is(Tag::Name) && opened))
        && words.get(place + 1).is_some_and(singular)
        && !words.get(place + 2).is_some_and(|word| word.is(Tag::Noun))
}

/// "would undertake emergency bond buying to": nouns without a determiner after a verb are not the subject of the
/// -ing form.
fn is_bare_compound(words: &[Word], place: usize) -> bool {
    let to = words.get(place + 1).is_some_and(|next| next.is(Tag::To));
    let inside = |word: &&Word| matches!(word.tag, Tag::Noun | Tag::Adjective);
    let modifiers = words[..place].iter().rev().take_while(inside).count();
    let opener = (place - modifiers).checked_sub(1).map(|opener| &words[opener]);
    to && modifiers > 1
        && opener.is_some_and(|word| word.is(Tag::Verb) && !classes::OBJECT_STATE.contains(&word.base))
}

/// "emergency bond buying,", "for text modelling with"
pub(super) fn is_head(words: &[Word], place: usize) -> bool {
    let before = |back: usize| place.checked_sub(back).and_then(|at| words.get(at));
    let ends = words.get(place + 1).is_none_or(|next| matches!(next.tag, Tag::Comma | Tag::Stop));
    let governed = before(2).is_some_and(|word| matches!(word.tag, Tag::Preposition | Tag::Coordinator))
        && words.get(place + 1).is_none_or(|next| {
            matches!(next.tag, Tag::Comma | Tag::Stop | Tag::Preposition | Tag::Be | Tag::Modal)
        });
    words[place].forms == Forms::ING
        && before(1).is_some_and(|word| word.is(Tag::Noun) && !is_plural_noun(word.lower()))
        && (governed
            || is_bare_compound(words, place)
            || ends && before(2).is_some_and(|word| matches!(word.tag, Tag::Noun | Tag::Adjective)))
}
