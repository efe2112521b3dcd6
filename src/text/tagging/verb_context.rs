//! Tags of possible verbs, decided by their neighbours.
//!
//! Decides between noun, modifier and verb form for one word, whose left neighbours are tagged. Refuses what needs more
//! than a short look ahead; in doubt the word is a noun.

use super::ahead::{finite_ahead, is_plural_noun, is_subject_pronoun};
use super::compounds;
use super::left::Left;
use super::lexicon::classes;
use super::lexicon::verb_forms::Forms;
use super::word::{Tag, Word};
use crate::text::token::TokenKind;

/// Decides the tag of the possible verb at `place`.
pub(super) fn settle_verb(words: &mut [Word], place: usize, left: &Left) {
    let forms = words[place].forms;
    let inside_name = words[place].is_capital() && !left.is_opening && !left.all_capitals;
    let name_first = opens_as_name(words, place, left) && !forms.has(Forms::NOUN.with(Forms::ING));
    if inside_name || name_first {
        return words[place].set(Tag::Name);
    }
    if compounds::is_modifier(words, place) {
        return words[place].set(Tag::Adjective);
    }
    if compounds::is_head(words, place) {
        return words[place].set(Tag::Noun);
    }
    match left.before {
        Some(Tag::Modal | Tag::To | Tag::Do) if forms.has(Forms::BASE) => words[place].forms = Forms::BASE,
        Some(Tag::Modal | Tag::To | Tag::Do) if forms.has(Forms::NOUN) => words[place].set(Tag::Noun),
        Some(Tag::Be) => after_be(&mut words[place]),
        Some(Tag::Have) if forms.has(Forms::PARTICIPLE) => words[place].forms = Forms::PARTICIPLE,
        Some(Tag::Have) if !forms.has(Forms::ING) => words[place].set(Tag::Noun),
        Some(
            Tag::Determiner | Tag::PossessiveDeterminer | Tag::Possessive | Tag::Adjective | Tag::Number,
        ) if !after_adverb(words, place) => {
            inside_noun(words, place, left);
        }
        Some(Tag::Preposition | Tag::To) if forms.has(Forms::ING) => words[place].forms = Forms::ING,
        Some(Tag::Preposition | Tag::To) => inside_noun(words, place, left),
        _ if forms.has(Forms::ING) => {}
        _ if forms.has(Forms::PAST.with(Forms::PARTICIPLE)) => settle_past(words, place, left),
        _ => base_or_third(words, place, left),
    }
}

/// Whether the first word is a name because a verb or "'s" follows: "Bush said".
fn opens_as_name(words: &[Word], place: usize, left: &Left) -> bool {
    let follows_name = |next: &Word| {
        let past = next.forms.has(Forms::PAST) && !next.forms.has(Forms::NOUN);
        next.is(Tag::Possessive) || (next.is(Tag::Verb) && (past || next.forms.has(Forms::THIRD)))
    };
    words[place].is_capital() && left.is_opening && words.get(place + 1).is_some_and(follows_name)
}

fn after_adverb(words: &[Word], place: usize) -> bool {
    place > 0
        && words[place - 1].is(Tag::Adverb)
        && !words[place].forms.has(Forms::NOUN.with(Forms::PARTICIPLE).with(Forms::ING))
}

fn after_be(word: &mut Word) {
    if word.forms.has(Forms::PARTICIPLE) {
        word.forms = Forms::PARTICIPLE;
    } else if !word.forms.has(Forms::ING) {
        word.set(Tag::Noun);
    }
}

/// Tags the word after a determiner or an adjective as a noun, or as an adjective in -ed or -ing.
fn inside_noun(words: &mut [Word], place: usize, left: &Left) {
    let forms = words[place].forms;
    let nominal =
        |next: &Word| matches!(next.tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number | Tag::Verb);
    let noun_follows = words.get(place + 1).is_some_and(nominal);
    let after_head = matches!(left.before, Some(Tag::Number | Tag::Determiner | Tag::Adjective));
    if forms.has(Forms::PAST) && !noun_follows && after_head && !forms.has(Forms::NOUN) {
        return settle_past(words, place, left);
    }
    let modifier = forms.has(Forms::PARTICIPLE.with(Forms::ING)) && noun_follows && !forms.has(Forms::NOUN);
    let subject_like =
        matches!(left.before, Some(Tag::Number)) && forms.has(Forms::BASE) && !forms.has(Forms::NOUN);
    if !subject_like {
        words[place].set(if modifier { Tag::Adjective } else { Tag::Noun });
    }
}

/// Decides forms in -ed and irregular pasts that the words before leave open.
fn settle_past(words: &mut [Word], place: usize, left: &Left) {
    let forms = words[place].forms;
    let (past, participle) = (forms.has(Forms::PAST), forms.has(Forms::PARTICIPLE));
    if modifies_next(words, place, left) {
        return words[place].set(Tag::Adjective);
    }
    if forms.has(Forms::BASE) && !past {
        words[place].forms = Forms::BASE;
        return;
    }
    if forms.has(Forms::BASE) && left.before == Some(Tag::Coordinator) && has_bare_infinitive(words, place) {
        words[place].forms = Forms::BASE;
        return;
    }
    // "cut" and "put" are also base forms, which agree with a plural subject.
    let base = forms.has(Forms::BASE) && forms.has(Forms::NOUN);
    if base && left.before == Some(Tag::Noun) && (left.has_finite || finite_ahead(words, place + 1, 10)) {
        return words[place].set(Tag::Noun);
    }
    words[place].forms = if past && participle {
        Forms::PAST.with(Forms::PARTICIPLE)
    } else {
        forms.without(Forms::NOUN).without(Forms::BASE)
    };
}

/// Whether a verb after "will" or "to" precedes within a few words.
fn has_bare_infinitive(words: &[Word], place: usize) -> bool {
    let near = &words[place.saturating_sub(12)..place];
    near.windows(2).any(|pair| matches!(pair[0].tag, Tag::Modal | Tag::To) && pair[1].forms == Forms::BASE)
}

/// "Arrested men", "tired and frightened men", "men with broken legs".
fn modifies_next(words: &[Word], place: usize, left: &Left) -> bool {
    let word = &words[place];
    // "to cut raised costs"
    let after_base = place > 0 && words[place - 1].is(Tag::Verb) && words[place - 1].forms == Forms::BASE;
    let noun = |next: &Word| next.is(Tag::Noun) || after_base && next.forms.has(Forms::NOUN);
    if !words.get(place + 1).is_some_and(noun) {
        return false;
    }
    let (past, participle) = (word.forms.has(Forms::PAST), word.forms.has(Forms::PARTICIPLE));
    let opening = left.is_opening || left.before == Some(Tag::Comma);
    let second = left.before == Some(Tag::Coordinator) && place > 1 && words[place - 2].is(Tag::Adjective);
    let after_noun = matches!(left.before, Some(Tag::Noun | Tag::Name) | None);
    let only_participle = !past && after_noun && !classes::GIVING.contains(&word.base);
    second
        || after_base
        || only_participle
        || (opening && past && participle && finite_ahead(words, place + 1, 8))
}

/// Decides base forms and forms in -s: verbs after a possible subject, unless another verb follows.
fn base_or_third(words: &mut [Word], place: usize, left: &Left) {
    let forms = words[place].forms;
    if !forms.has(Forms::NOUN) {
        // "The grey parse was wrong": a base form does not agree with a singular noun.
        let disagrees = forms == Forms::BASE && left.before == Some(Tag::Noun) && !left.is_plural;
        if disagrees && !left.has_verb && finite_ahead(words, place + 1, 14) {
            return words[place].set(Tag::Noun);
        }
        if left.before == Some(Tag::Verb) && forms.has(Forms::BASE) && left.has_finite && !left.is_opening {
            words[place].forms = Forms::BASE;
        }
        return;
    }
    let after_pronoun =
        place > 0 && words[place - 1].is(Tag::Pronoun) && is_subject_pronoun(&words[place - 1]);
    if after_pronoun || (!left.has_finite && is_verb_here(words, place, left)) {
        words[place].forms = forms.without(Forms::NOUN);
    } else {
        words[place].set(Tag::Noun);
    }
}

/// The context to the right of a word that may be a noun or a verb.
#[derive(Default)]
struct Right {
    /// Another verb or the end of the phrase: the word is a noun.
    verb: bool,
    object: bool,
    /// The beginning of a clause, where the word may be a verb of speech.
    clause: bool,
    preposition: bool,
    noun: bool,
}

fn right_of(words: &[Word], place: usize) -> Right {
    let Some(next) = words.get(place + 1) else { return Right::default() };
    let nominal = matches!(
        next.tag,
        Tag::Determiner | Tag::PossessiveDeterminer | Tag::Pronoun | Tag::Name | Tag::That | Tag::Number
    );
    let noun = next.is(Tag::Noun);
    let plural_noun = next.is(Tag::Verb) && next.forms.has(Forms::NOUN) && next.forms.has(Forms::THIRD);
    let ends = match next.tag {
        Tag::Be | Tag::Have | Tag::Modal | Tag::Do => true,
        Tag::Possessive | Tag::Stop | Tag::Comma | Tag::Coordinator => true,
        Tag::Verb => next.forms.has(Forms::PAST),
        _ => false,
    };
    let opens = match next.tag {
        Tag::To | Tag::Adjective | Tag::Adverb | Tag::Relative | Tag::Subordinator => true,
        Tag::Quote | Tag::Break => true,
        _ => nominal,
    };
    Right {
        verb: ends,
        object: opens,
        clause: (nominal || noun) && classes::CLAUSAL.contains(&words[place].base),
        preposition: next.is(Tag::Preposition) && next.lower() != "of",
        noun: noun || plural_noun,
    }
}

/// Whether the word is a verb: after a possible subject, and before a possible complement.
fn is_verb_here(words: &[Word], place: usize, left: &Left) -> bool {
    let right = right_of(words, place);
    let preposition = right.preposition && (!left.has_verb || left.before != Some(Tag::Noun));
    is_subject_side(words, place, left, &right)
        && !right.verb
        && (right.object || preposition || right.noun)
        && (right.clause || !finite_ahead(words, place + 1, 10))
}

/// Whether the words before it can be its subject.
fn is_subject_side(words: &[Word], place: usize, left: &Left, right: &Right) -> bool {
    let forms = words[place].forms;
    let follows = right.object || right.preposition;
    match left.before {
        Some(Tag::Relative) => true,
        Some(Tag::Name) => forms.has(Forms::THIRD) || (!left.has_verb && !after_one_name(&words[..place])),
        Some(Tag::Noun) => forms.has(Forms::THIRD) != left.is_plural,
        // "between accuracy and gain"
        Some(Tag::Coordinator) if left.between => false,
        Some(Tag::Coordinator) => {
            let mut near = words[..place].iter().rev().skip(1).take(12);
            let like = near.any(|word| word.is(Tag::Verb) && word.forms.has(forms));
            let says = right.clause && words.get(place + 1).is_some_and(|next| next.is(Tag::Pronoun));
            // "to apologise and pay damages"
            let plural_next = words.get(place + 1).is_some_and(|next| is_plural_noun(next.lower()));
            let shares = right.noun && plural_next && has_bare_infinitive(words, place);
            says || (!right.verb && (shares || (follows && like)))
        }
        Some(Tag::Comma) => right.object || (!left.has_plain_verb && (right.preposition || right.noun)),
        None => left.is_opening && follows,
        _ => false,
    }
}

/// Whether the words end with one name after a determiner: "a Sydney".
fn after_one_name(words: &[Word]) -> bool {
    let opener = words.iter().rev().find(|word| !word.is(Tag::Name));
    let plural = words.last().is_some_and(|name| is_plural_noun(name.lower()));
    !plural && opener.is_some_and(|word| word.is(Tag::Determiner))
}

/// Tags an unlisted word as a verb after "will", and after "to" if an object follows.
pub(super) fn settle_unknown(words: &mut [Word], place: usize, left: &Left) {
    let opens_object = |next: &Word| {
        matches!(next.tag, Tag::Determiner | Tag::PossessiveDeterminer | Tag::Pronoun)
            || matches!(next.lower(), "up" | "down" | "out" | "off")
    };
    let object = words.get(place + 1).is_some_and(opens_object);
    let modal = left.before == Some(Tag::Modal) && !words[place - 1].is(Tag::Noun);
    // "to efficiently discount activity"
    let manner = left.before == Some(Tag::To)
        && place > 1
        && words[place - 2].is(Tag::To)
        && words[place - 1].is(Tag::Adverb)
        && words[place - 1].lower().ends_with("ly")
        && !classes::AMOUNTS.contains(words[place - 1].lower());
    // "in an attempt to curtail yields"
    let intended =
        left.before == Some(Tag::To) && place > 1 && classes::INTENTS.contains(words[place - 2].lower());
    let object = object || manner || intended;
    let word = &mut words[place];
    if (modal || object) && !is_plural_noun(word.lower()) && word.token.kind == TokenKind::Word {
        word.tag = Tag::Verb;
        word.forms = Forms::BASE;
        word.base = word.lower().to_owned();
    }
}
