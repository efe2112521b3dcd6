//! Whether a line without a full stop, such as a heading, asserts something: it has a finite verb with words before it. A
//! noun phrase asserts nothing, nor does a phrase that begins with a question word, or an order. Refuses to decide
//! whether a sentence is true or complete in its meaning.

use super::tagging::{Forms, PartOfSpeech, Tag, Word, tag, tagged_words, tokens, verb_form};
use super::word_list::WordList;

/// A longer line is not tagged; it is more than a heading.
const MOST_TOKENS: usize = 400;

/// The fewest words of a headline whose capital letters hide its verb.
const LEAST_HEADLINE_WORDS: usize = 5;

/// Words with which a line points at what follows it.
static POINTERS: WordList =
    WordList::new("below following follows here highlights overview points summary takeaways these this");

static QUESTION_WORDS: WordList = WordList::new("how what when where which who whom whose why");

/// Whether a line asserts something.
pub(super) fn asserts(line: &str) -> bool {
    let line = line.trim().trim_matches(['"', '“', '”', '*', '_']);
    let lowered = line.to_lowercase();
    let text = if has_small_letters(line) { line } else { lowered.as_str() };
    let words = tag(tokens(text));
    if words.len() > MOST_TOKENS {
        return true;
    }
    let asks = words.first().is_some_and(|word| QUESTION_WORDS.contains(word.lower()));
    let is_finite = |at| if is_closed(line) { is_verb(&words[at]) } else { is_finite(&words, at) };
    !asks && ((1..words.len()).any(is_finite) || is_headline(&words))
}

/// Whether a line ends like a sentence.
fn is_closed(line: &str) -> bool {
    line.ends_with(['.', '!'])
}

fn is_verb(word: &Word<'_>) -> bool {
    matches!(word.tag, Tag::Verb | Tag::Be | Tag::Have | Tag::Do | Tag::Modal)
}

/// Whether an item of a list has no verb but participles that begin it or end in -ing: "closed in May", "sleeping cars".
pub(super) fn is_noun_phrase(item: &str) -> bool {
    let words = tag(tokens(item));
    let is_ing = |word: &Word<'_>| word.is(Tag::Verb) && word.lower().ends_with("ing");
    let begins =
        words.first().is_some_and(|word| word.forms.has(Forms::PARTICIPLE) && !word.forms.has(Forms::BASE));
    let mut rest = words.iter().skip(usize::from(begins));
    words.len() <= MOST_TOKENS && !rest.any(|word| is_verb(word) && !is_ing(word))
}

/// Whether a line has a verb, finite or not.
pub(super) fn has_verb(line: &str) -> bool {
    let lowered = line.to_lowercase();
    let words = tagged_words(if has_small_letters(line) { line } else { &lowered });
    let is_verb = |part: PartOfSpeech| matches!(part, PartOfSpeech::Verb | PartOfSpeech::Auxiliary);
    words.is_empty() || words.iter().any(|word| is_verb(word.part))
}

/// The length in bytes of what a line asserts that introduces others: "The train runs daily and has:" and "The train runs
/// daily, because the line has:" assert "The train runs daily".
pub(super) fn assertion_before_list(line: &str) -> Option<usize> {
    let mut text = line.trim_end().trim_end_matches(':').trim_end();
    let words = tag(tokens(text));
    if words.len() > MOST_TOKENS || words.iter().any(|word| POINTERS.contains(word.lower())) {
        return None;
    }
    if words.last().is_some_and(is_open) || ends_in_joined_verb(&words) {
        let joins = |word: &Word<'_>| matches!(word.tag, Tag::Coordinator | Tag::Subordinator);
        let joint = words.iter().rposition(joins)?;
        text = text[..words[joint].token.start].trim_end_matches([' ', ',']);
    }
    let words = tag(tokens(text));
    (asserts(text) && !words.last().is_some_and(is_open)).then_some(text.len())
}

/// Whether a line ends with a conjunction and a word that can be a verb: "and needs".
fn ends_in_joined_verb(words: &[Word<'_>]) -> bool {
    let [.., joint, last] = words else { return false };
    joint.is(Tag::Coordinator) && verb_form(last.lower()).forms.has(Forms::THIRD)
}

/// Whether a line that ends with this word goes on.
fn is_open(word: &Word<'_>) -> bool {
    matches!(
        word.tag,
        Tag::Verb
            | Tag::Be
            | Tag::Have
            | Tag::Do
            | Tag::Modal
            | Tag::Preposition
            | Tag::To
            | Tag::That
            | Tag::Determiner
            | Tag::PossessiveDeterminer
            | Tag::Subordinator
            | Tag::Relative
    )
}

fn has_small_letters(line: &str) -> bool {
    line.chars().any(char::is_lowercase)
}

/// Whether a word is the finite verb of a clause.
fn is_finite(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    let before = words[..at].iter().rev().find(|word| !matches!(word.tag, Tag::Adverb | Tag::Not));
    let is_bound =
        before.is_none_or(|word| matches!(word.tag, Tag::To | Tag::Preposition | Tag::Coordinator));
    let lower = word.lower();
    if is_bound {
        return false;
    }
    match word.tag {
        Tag::Modal | Tag::Do => true,
        Tag::Be | Tag::Have => !matches!(lower, "be" | "being" | "been" | "having"),
        Tag::Verb => is_finite_form(words, at),
        _ => false,
    }
}

/// Whether the form of a main verb can be finite. A participle after a noun belongs to the noun: "issues raised by members",
/// "lessons learned".
fn is_finite_form(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    let is_participle = word.forms.has(Forms::PARTICIPLE);
    let has_other = word.forms.has(Forms::THIRD) || word.forms.has(Forms::BASE);
    if !has_other && !word.forms.has(Forms::PAST) {
        return false;
    }
    if !word.forms.has(Forms::THIRD)
        && !word.forms.has(Forms::PAST)
        && !takes_base(&words[at - 1], words.get(at + 1))
    {
        return false;
    }
    let is_last = !words[at + 1..].iter().any(|word| !word.is(Tag::Stop) && !word.is(Tag::Break));
    let is_after_plural = words[at - 1].is(Tag::Noun) && words[at - 1].lower().ends_with('s');
    let is_passive = words.get(at + 1).is_some_and(|next| next.lower() == "by");
    !(is_participle && !has_other && (is_passive || is_last && is_after_plural))
}

/// Whether a base form between these words can be finite: after a plural or a pronoun, or before a determiner. "Board" is
/// none in "school board meeting".
fn takes_base(before: &Word<'_>, next: Option<&Word<'_>>) -> bool {
    let is_plural = before.is(Tag::Pronoun) || before.lower().ends_with('s');
    is_plural || next.is_some_and(|next| matches!(next.tag, Tag::Determiner | Tag::PossessiveDeterminer))
}

/// Whether a headline in capitals has a word that can be its verb, with an object.
fn is_headline(words: &[Word<'_>]) -> bool {
    let all: Vec<&Word<'_>> =
        words.iter().filter(|word| word.lower().chars().any(char::is_alphanumeric)).collect();
    let long = || all.iter().filter(|word| word.lower().chars().count() > 3);
    if !long().all(|word| word.is_capital()) {
        return false;
    }
    let is_long = all.len() >= LEAST_HEADLINE_WORDS;
    (1..all.len()).any(|at| {
        let form = verb_form(all[at].lower());
        let is_verb = form.known && form.forms.has(Forms::THIRD);
        let is_seldom_noun = !form.forms.has(Forms::NOUN);
        let is_object = |next: &&Word<'_>| {
            !matches!(next.tag, Tag::Preposition | Tag::Coordinator | Tag::Comma | Tag::To)
        };
        let is_subject = !matches!(all[at - 1].tag, Tag::Preposition | Tag::Coordinator | Tag::Determiner);
        is_verb && is_subject && (is_seldom_noun || is_long && all.get(at + 1).is_some_and(is_object))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_finite_verb_assert_something() {
        for line in [
            "The mayor resigned in May",
            "Mayor Resigns Over Affair",
            "THE BRIDGE IS SAFE",
            "Two members have left the council",
            "Prices will rise",
            "Members oppose the plan",
            "Harwell Council Cuts Library Hours",
        ] {
            assert!(asserts(line), "{line}");
        }
        for line in [
            "Next steps",
            "Budget and staff",
            "Issues raised by members",
            "Lessons learned",
            "How to apply",
            "What we know",
            "Things to be done",
            "Decisions taken in May",
            "Key Findings",
            "Background of the Study",
            "KEY POINTS",
            "Town council meeting",
            "School board meeting",
            "Work plan for 2025",
        ] {
            assert!(!asserts(line), "{line}");
        }
    }

    #[test]
    fn an_introduction_asserts_what_is_complete_without_its_list() {
        let asserted = |line: &'static str| assertion_before_list(line).map(|length| &line[..length]);
        assert_eq!(asserted("The pool closes in March and needs:"), Some("The pool closes in March"));
        assert_eq!(asserted("The council rejected the budget:"), Some("The council rejected the budget"));
        let line = "The dose was doubled on Monday, because the doctor found:";
        assert_eq!(asserted(line), Some("The dose was doubled on Monday"));
        for line in [
            "The council decided:",
            "Next steps:",
            "The following people came:",
            "These are the risks:",
            "It has:",
        ] {
            assert_eq!(asserted(line), None, "{line}");
        }
    }
}
