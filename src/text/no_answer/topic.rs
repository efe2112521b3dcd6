//! What a sentence says to be absent, as a statement that refutes it.

use super::kind::{Absence, NoAnswer};
use super::words::{ABOUT_NOUNS, BEFORE_TOPIC, GIVEN_TEXTS, OTHER_TEXTS, WHAT_WAS_ASKED};

/// A longer subject is more than the name of a document.
pub(super) const MOST_SUBJECT_WORDS: usize = 6;

/// What is said to be absent; a refusal if it only stands for what was asked.
pub(super) fn absence(topic: &[&str]) -> NoAnswer {
    let mut topic: Vec<&str> = topic.to_vec();
    leave_out_place(&mut topic);
    let is_before = |word: &str| {
        let word = plain(word);
        BEFORE_TOPIC.contains(&word) || ABOUT_NOUNS.contains(&word)
    };
    while topic.first().is_some_and(|word| is_before(word)) {
        topic.remove(0);
    }
    let lower: Vec<String> = topic.iter().map(|word| plain(word)).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let asked = words.split(|word| matches!(*word, "to" | "about" | "for")).all(asks_what);
    if asked {
        return NoAnswer::Refusal;
    }
    let of = |from: usize| topic[from..].join(" ");
    let (statement, is_open) = match words[0] {
        "whether" | "if" => {
            let from = if words.get(1..3) == Some(&["or", "not"]) { 3 } else { 1 };
            (of(from).trim_end_matches(" or not").to_owned(), true)
        }
        "that" => (of(1), true),
        "who" | "whom" | "whose" | "what" | "when" | "where" | "why" | "how" | "which" => {
            (format!("the text says {}", of(0)), false)
        }
        _ => (format!("{} is mentioned", of(0)), false),
    };
    NoAnswer::Absence(Absence { statement: sentence(&statement), is_open })
}

/// Leaves out "in the documents" at the end.
fn leave_out_place(topic: &mut Vec<&str>) {
    let lower: Vec<String> = topic.iter().map(|word| plain(word)).collect();
    let place = lower.iter().rposition(|word| matches!(word.as_str(), "in" | "within" | "from" | "anywhere"));
    let Some(place) = place else { return };
    let rest = &lower[place + 1..];
    if rest.len() <= MOST_SUBJECT_WORDS
        && rest.iter().all(|word| !has_verb_form(word))
        && (rest.is_empty()
            || rest.iter().any(|word| GIVEN_TEXTS.contains(word) || OTHER_TEXTS.contains(word)))
    {
        topic.truncate(place);
    }
}

fn has_verb_form(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "has" | "have")
}

fn sentence(text: &str) -> String {
    let text = text.trim_end_matches([',', '.', ' ']);
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Whether words only stand for what was asked.
pub(super) fn asks_what(words: &[&str]) -> bool {
    words.iter().all(|word| WHAT_WAS_ASKED.contains(word) || *word == "answer")
}

/// A word in lower case, without the marks around it.
pub(super) fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}
