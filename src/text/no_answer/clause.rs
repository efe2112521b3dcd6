//! Whether a clause gives no answer, by its subject and its verb.

use super::kind::NoAnswer;
use super::openings::opened;
use super::topic::{MOST_SUBJECT_WORDS, absence, asks_what, plain};
use super::words::{ABOUT_NOUNS, ANSWERING, CONTAINING, FINDING, GIVEN_TEXTS, OTHER_TEXTS, SAYING};

/// Reads a clause; `None` if it states anything else.
pub(super) fn of_clause(clause: &str) -> Option<NoAnswer> {
    let clause = opened(clause);
    let words: Vec<&str> = clause.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    if let ["i" | "we", ..] = lower[..] {
        return of_writer(&words, &lower);
    }
    of_nothing(&words, &lower).or_else(|| of_text(&words, &lower))
}

/// "I could not find the price in the documents", "I can not tell you what it costs".
fn of_writer(words: &[&str], lower: &[&str]) -> Option<NoAnswer> {
    if let [_, "have" | "had" | "found" | "see", "no", noun, ..] = lower
        && let Some(noun) = lower.iter().position(|word| word == noun).filter(|_| ABOUT_NOUNS.contains(noun))
    {
        return Some(absence(&words[noun + 1..]));
    }
    let (is_able, verb) = match lower {
        [_, "can" | "could", "not", rest @ ..] => (true, rest),
        [_, "am" | "was" | "are" | "were", "unable", "to", rest @ ..] => (true, rest),
        [_, "am" | "was" | "are" | "were", "not", "able", "to", rest @ ..] => (true, rest),
        [_, "do" | "did", "not", rest @ ..] => (false, rest),
        [_, "am", "not", "sure", ..] => return Some(NoAnswer::Refusal),
        _ => return None,
    };
    let (&verb, object) = verb.split_first()?;
    let after = &words[words.len() - object.len()..];
    let is_about = object.iter().take(3).any(|word| ABOUT_NOUNS.contains(word));
    if FINDING.contains(verb) {
        let names_text = object.iter().any(|word| GIVEN_TEXTS.contains(word));
        let is_of_answer =
            verb == "know" || is_about || names_text || !object.is_empty() && asks_what(object);
        return is_of_answer.then(|| if verb == "know" { NoAnswer::Refusal } else { absence(after) });
    }
    (is_able && lower[0] == "i" && ANSWERING.contains(verb)).then_some(NoAnswer::Refusal)
}

/// "There is no information about X", "No details are given on X", "It is not stated whether X".
fn of_nothing(words: &[&str], lower: &[&str]) -> Option<NoAnswer> {
    match lower {
        ["there", "is" | "are" | "was" | "were", "no" | "nothing" | "not", ..] => {
            let noun =
                lower.iter().take(6).position(|word| ABOUT_NOUNS.contains(word) || *word == "nothing")?;
            let next = lower.get(noun + 1).copied().unwrap_or("in");
            let is_about = matches!(
                next,
                "about" | "on" | "of" | "regarding" | "concerning" | "as" | "for" | "whether" | "in" | "to"
            );
            is_about.then(|| absence(&words[noun + 1..]))
        }
        ["no", noun, rest @ ..] if ABOUT_NOUNS.contains(noun) => {
            let verb = rest.iter().position(|word| matches!(*word, "is" | "are" | "was" | "were"))?;
            let participle = rest.get(verb + 1)?;
            let is_given = matches!(
                *participle,
                "available" | "found" | "given" | "included" | "made" | "provided" | "stated"
            );
            let before = 2..2 + verb;
            let topic = if before.is_empty() { 4 + verb..words.len() } else { before };
            is_given.then(|| absence(&words[topic.start.min(words.len())..topic.end]))
        }
        ["nothing", "is" | "was", "said" | "stated" | "mentioned", ..] => Some(absence(&words[3..])),
        ["it", "is" | "was", "not", "said" | "stated" | "mentioned" | "specified" | "disclosed", ..] => {
            Some(absence(&words[4..]))
        }
        _ => None,
    }
}

/// "The documents do not mention X", "None of the sources says X", "X is not mentioned in the text".
fn of_text(words: &[&str], lower: &[&str]) -> Option<NoAnswer> {
    if let ["neither" | "none" | "nothing", subject @ ..] = lower {
        let verb = subject.iter().position(|word| SAYING.contains(word))?;
        let is_text = subject[..verb].iter().any(|word| GIVEN_TEXTS.contains(word));
        return is_text.then(|| absence(&words[verb + 2..]));
    }
    let no = lower.iter().position(|word| matches!(*word, "not" | "no" | "nothing")).filter(|no| *no > 1)?;
    let (auxiliary, after) = (lower[no - 1], &lower[no + 1..]);
    let subject = &lower[..no - 1];
    if matches!(auxiliary, "is" | "are" | "was" | "were") {
        let said = after.first().is_some_and(|word| {
            matches!(
                *word,
                "addressed" | "discussed" | "given" | "mentioned" | "provided" | "specified" | "stated"
            )
        });
        let in_text = after.iter().skip(1).any(|word| GIVEN_TEXTS.contains(word));
        return (said && in_text && lower[no] == "not").then(|| absence(&words[..no - 1]));
    }
    if subject.len() > MOST_SUBJECT_WORDS || !begins_text(subject) {
        return None;
    }
    let is_given = subject.iter().any(|word| GIVEN_TEXTS.contains(word));
    let is_text = is_given || subject.last().is_some_and(|word| OTHER_TEXTS.contains(word));
    let is_verb = |word: &str| SAYING.contains(word) || is_given && CONTAINING.contains(word);
    let (verb, topic) = match (auxiliary, lower[no]) {
        ("does" | "do" | "did", "not") => {
            let verb = after.iter().take(3).position(|word| is_verb(word))?;
            (after[verb], no + 2 + verb)
        }
        // "The text gives no information about X."
        (verb, _) if is_about_noun(after) || lower[no] == "nothing" => (verb, no + 1),
        _ => return None,
    };
    let makes_mention = matches!(verb, "makes" | "make" | "gives" | "give" | "says" | "say" | "has" | "have");
    (is_text && (is_verb(verb) || makes_mention)).then(|| absence(&words[topic..]))
}

fn is_about_noun(words: &[&str]) -> bool {
    words.iter().take(3).any(|word| ABOUT_NOUNS.contains(word))
}

fn begins_text(subject: &[&str]) -> bool {
    let first = subject.first().copied().unwrap_or("");
    matches!(
        first,
        "the" | "this" | "these" | "those" | "your" | "my" | "both" | "all" | "provided" | "given"
    ) || GIVEN_TEXTS.contains(first)
}
