//! Words that can be verbs, settled by their neighbours.
//!
//! Decides between noun, modifier and verb form for one word, whose left neighbours are settled.
//! Refuses what needs more than a short look ahead; in doubt the word is a noun.

use super::ahead::{finite_ahead, is_plural_noun, is_subject_pronoun};
use super::tagger::{Tag, Word};
use super::tokens::Kind;
use super::verbs::Forms;

pub(super) fn resolve_verb(
    words: &mut [Word],
    place: usize,
    before: Option<Tag>,
    has_finite: bool,
    capitals: bool,
) {
    let forms = words[place].forms;
    let capital = words[place].token.text.starts_with(char::is_uppercase);
    let first = words[..place].iter().all(|word| matches!(word.tag, Tag::Quote | Tag::Bracket | Tag::Break));
    let name_first = capital
        && first
        && words.get(place + 1).is_some_and(|next| {
            let finite = next.is(Tag::Verb)
                && next.forms.has(Forms::THIRD.with(Forms::PAST))
                && !next.forms.has(Forms::NOUN);
            finite || next.is(Tag::Possessive) || (next.is(Tag::Verb) && next.forms.has(Forms::THIRD))
        });
    if (capital && !first && !capitals) || (name_first && !forms.has(Forms::NOUN.with(Forms::ING))) {
        return set(words, place, Tag::Name);
    }
    match before {
        Some(Tag::Modal | Tag::To | Tag::Do) if forms.has(Forms::BASE) => words[place].forms = Forms::BASE,
        Some(Tag::Modal | Tag::To | Tag::Do) if forms.has(Forms::NOUN) => set(words, place, Tag::Noun),
        Some(Tag::Be) => after_be(words, place),
        Some(Tag::Have) if forms.has(Forms::PARTICIPLE) => words[place].forms = Forms::PARTICIPLE,
        Some(Tag::Have) if !forms.has(Forms::ING) => set(words, place, Tag::Noun),
        Some(Tag::Determiner | Tag::Owner | Tag::Possessive | Tag::Adjective | Tag::Number)
            if !after_adverb(words, place) =>
        {
            inside_noun(words, place, before)
        }
        Some(Tag::Preposition | Tag::To) if forms.has(Forms::ING) => words[place].forms = Forms::ING,
        Some(Tag::Preposition | Tag::To) => inside_noun(words, place, before),
        _ if forms.has(Forms::ING) => {}
        _ if forms.has(Forms::PAST.with(Forms::PARTICIPLE)) => settle_past(words, place, before, first),
        _ => base_or_third(words, place, before, has_finite, first),
    }
}

fn set(words: &mut [Word], place: usize, tag: Tag) {
    words[place].tag = tag;
    words[place].forms = Forms::default();
}

fn after_adverb(words: &[Word], place: usize) -> bool {
    place > 0
        && words[place - 1].is(Tag::Adverb)
        && !words[place].forms.has(Forms::NOUN)
        && !words[place].forms.has(Forms::PARTICIPLE)
}

fn after_be(words: &mut [Word], place: usize) {
    let forms = words[place].forms;
    if forms.has(Forms::PARTICIPLE) {
        words[place].forms = Forms::PARTICIPLE;
    } else if !forms.has(Forms::ING) {
        set(words, place, Tag::Noun);
    }
}

/// Behind a determiner or an adjective: a noun, or an adjective in -ed and -ing.
fn inside_noun(words: &mut [Word], place: usize, before: Option<Tag>) {
    let forms = words[place].forms;
    let next = words.get(place + 1).map(|word| word.tag);
    let noun_follows = next
        .is_some_and(|tag| matches!(tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number | Tag::Verb));
    if forms.has(Forms::PAST)
        && !noun_follows
        && matches!(before, Some(Tag::Number | Tag::Determiner | Tag::Adjective))
        && !forms.has(Forms::NOUN)
    {
        return settle_past(words, place, before, false);
    }
    let modifier = forms.has(Forms::PARTICIPLE.with(Forms::ING)) && noun_follows && !forms.has(Forms::NOUN);
    let subject_like =
        matches!(before, Some(Tag::Number)) && forms.has(Forms::BASE) && !forms.has(Forms::NOUN);
    if !subject_like {
        set(words, place, if modifier { Tag::Adjective } else { Tag::Noun });
    }
}

/// -ed and irregular pasts that nothing before them settles.
fn settle_past(words: &mut [Word], place: usize, before: Option<Tag>, first: bool) {
    let next = words.get(place + 1);
    let plural_next = next.is_some_and(|next| next.is(Tag::Noun) && next.lower().ends_with('s'));
    let both = words[place].forms.has(Forms::PAST) && words[place].forms.has(Forms::PARTICIPLE);
    let opening = first || matches!(before, Some(Tag::Comma));
    let plural_next = plural_next || next.is_some_and(|next| next.is(Tag::Noun));
    if opening && both && plural_next && finite_ahead(words, place + 1, 8) {
        return set(words, place, Tag::Adjective);
    }
    if before == Some(Tag::Coordinator)
        && place > 1
        && words[place - 2].is(Tag::Adjective)
        && next.is_some_and(|next| next.is(Tag::Noun))
    {
        return set(words, place, Tag::Adjective);
    }
    let bare_noun = next.is_some_and(|next| next.is(Tag::Noun));
    let gives = super::nouns::in_list(
        "give show hand offer award deny grant teach tell lend send",
        &words[place].base,
    );
    if !words[place].forms.has(Forms::PAST)
        && bare_noun
        && !gives
        && matches!(before, Some(Tag::Noun | Tag::Name) | None)
    {
        return set(words, place, Tag::Adjective);
    }
    if words[place].forms.has(Forms::BASE) && !words[place].forms.has(Forms::PAST) {
        words[place].forms = Forms::BASE;
        return;
    }
    let keep = Forms::PAST.with(Forms::PARTICIPLE);
    let forms = words[place].forms;
    // "cut", "put": base forms too, which a plural subject may have.
    let base = forms.has(Forms::BASE) && forms.has(Forms::NOUN) && before != Some(Tag::Pronoun);
    let noun = base && matches!(before, Some(Tag::Noun)) && finite_ahead(words, place + 1, 10);
    if noun {
        return set(words, place, Tag::Noun);
    }
    words[place].forms = if forms.has(Forms::PAST) && forms.has(Forms::PARTICIPLE) {
        keep
    } else {
        forms.without(Forms::NOUN).without(Forms::BASE)
    };
}

/// Base forms and -s: verbs behind what can be their subject, unless another verb follows.
fn base_or_third(words: &mut [Word], place: usize, before: Option<Tag>, has_finite: bool, first: bool) {
    let forms = words[place].forms;
    if !forms.has(Forms::NOUN) {
        if before == Some(Tag::Verb) && forms.has(Forms::BASE) && has_finite && !first {
            words[place].forms = Forms::BASE;
        }
        return;
    }
    let after_pronoun =
        place > 0 && words[place - 1].is(Tag::Pronoun) && is_subject_pronoun(&words[place - 1]);
    if after_pronoun || (!has_finite && is_verb_here(words, place, before, first)) {
        words[place].forms = forms.without(Forms::NOUN);
    } else {
        set(words, place, Tag::Noun);
    }
}

/// What stands behind a word that is a noun or a verb.
struct Right {
    /// Another verb, or an end: the word is their subject, or a noun.
    verb: bool,
    object: bool,
    /// The beginning of a clause, and the word is a verb of saying.
    clause: bool,
    preposition: bool,
    noun: bool,
}

fn right_of(words: &[Word], place: usize) -> Right {
    let Some(next) = words.get(place + 1) else {
        return Right { verb: false, object: false, clause: false, preposition: false, noun: false };
    };
    let ends = matches!(
        next.tag,
        Tag::Be
            | Tag::Have
            | Tag::Modal
            | Tag::Do
            | Tag::Possessive
            | Tag::Stop
            | Tag::Comma
            | Tag::Coordinator
    );
    let nominal =
        matches!(next.tag, Tag::Determiner | Tag::Owner | Tag::Pronoun | Tag::Name | Tag::That | Tag::Number);
    let other = matches!(
        next.tag,
        Tag::To | Tag::Adjective | Tag::Relative | Tag::Quote | Tag::Adverb | Tag::Subordinator | Tag::Break
    );
    let plural_noun = next.is(Tag::Verb) && next.forms.has(Forms::NOUN) && next.forms.has(Forms::THIRD);
    let noun = next.is(Tag::Noun);
    Right {
        verb: ends || (next.is(Tag::Verb) && next.forms.has(Forms::PAST)),
        object: nominal || other,
        clause: (nominal || noun) && super::nouns::in_list(super::verb_lists::CLAUSAL, &words[place].base),
        preposition: next.is(Tag::Preposition) && next.lower() != "of",
        noun: noun || plural_noun,
    }
}

/// Whether the word is a verb: behind a subject, and before what a verb has behind it.
fn is_verb_here(words: &[Word], place: usize, before: Option<Tag>, first: bool) -> bool {
    let right = right_of(words, place);
    let left = &words[..place];
    let auxiliary = |word: &Word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal);
    let opens = !left.iter().any(|word| auxiliary(word) || word.is(Tag::Verb));
    let preposition = right.preposition && (opens || before != Some(Tag::Noun));
    is_subject_side(words, place, before, first, &right)
        && !right.verb
        && (right.object || preposition || right.noun)
        && (right.clause || !finite_ahead(words, place + 1, 10))
}

/// Whether what stands before the word can be its subject.
fn is_subject_side(words: &[Word], place: usize, before: Option<Tag>, first: bool, right: &Right) -> bool {
    let forms = words[place].forms;
    let left = &words[..place];
    let auxiliary = |word: &Word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal);
    let finite = |word: &Word| {
        auxiliary(word) || word.is(Tag::Verb) && !word.forms.has(Forms::PARTICIPLE.with(Forms::ING))
    };
    let follows = right.object || right.preposition;
    match before {
        Some(Tag::Relative) => true,
        Some(Tag::Name) => {
            forms.has(Forms::THIRD) || !left.iter().any(|word| auxiliary(word) || word.is(Tag::Verb))
        }
        Some(Tag::Noun) => forms.has(Forms::THIRD) != is_plural(words, place),
        Some(Tag::Coordinator) => {
            let like =
                left.iter().rev().skip(1).take(12).any(|word| word.is(Tag::Verb) && word.forms.has(forms));
            let says = right.clause && words.get(place + 1).is_some_and(|next| next.is(Tag::Pronoun));
            says || (!right.verb && follows && like)
        }
        Some(Tag::Comma) => right.object || (!left.iter().any(finite) && (right.preposition || right.noun)),
        None => first && follows,
        _ => false,
    }
}

/// Whether the noun before `place` looks plural.
fn is_plural(words: &[Word], place: usize) -> bool {
    words[..place]
        .iter()
        .rev()
        .find(|word| word.is(Tag::Noun))
        .is_some_and(|noun| is_plural_noun(noun.lower()))
}

/// A word that no list knows is a verb behind "will", and behind "to" if an object follows.
pub(super) fn unknown_verb(words: &mut [Word], place: usize, before: Option<Tag>) {
    let object = words.get(place + 1).is_some_and(|next| {
        matches!(next.tag, Tag::Determiner | Tag::Owner | Tag::Pronoun)
            || super::nouns::in_list("up down out off", next.lower())
    });
    let modal = before == Some(Tag::Modal) && !words[place - 1].is(Tag::Noun);
    if (modal || object) && !is_plural_noun(words[place].lower()) && words[place].token.kind == Kind::Word {
        words[place].tag = Tag::Verb;
        words[place].forms = Forms::BASE;
        words[place].base = words[place].lower().to_owned();
    }
}
