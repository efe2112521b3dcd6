//! Awkward flow, by a heuristic and nothing more: it knows where a reader is likely to stumble, not whether a text is
//! well argued. A sentence stumbles if it opens a section with a word that points back ("He", "However"), says again
//! what an earlier sentence said, is longer than a reader holds, or goes over to something that shares no word with
//! what was said before and does not point back. Phrases without a verb, as lists have them, never stumble.

use super::{Issue, IssueKind};
use crate::metrics::sumautoeval::entities::{Wording, has_verb, telling};
use crate::metrics::sumautoeval::note::{Note, Sentence};
use veridic_text::{Lookup, words};

/// Words of the longest sentence that is easy to read.
const LONGEST: usize = 50;

/// Sentences before one that it may go on from, beside the section's first.
const BEFORE: usize = 2;

/// Words that point to what was said before.
const POINTING: [&str; 26] = [
    "he",
    "she",
    "it",
    "they",
    "his",
    "her",
    "its",
    "their",
    "him",
    "them",
    "this",
    "that",
    "these",
    "those",
    "such",
    "another",
    "other",
    "others",
    "both",
    "also",
    "then",
    "there",
    "however",
    "meanwhile",
    "instead",
    "but",
];

/// Of these, those with which nothing can begin.
const CONTINUING: [&str; 15] = [
    "he",
    "she",
    "they",
    "his",
    "her",
    "their",
    "also",
    "then",
    "however",
    "meanwhile",
    "instead",
    "but",
    "therefore",
    "moreover",
    "furthermore",
];

pub(super) fn issues(note: &Note<'_>) -> Vec<Issue> {
    let mut found = Vec::new();
    for section in 0..note.sections.len() {
        let sentences: Vec<&Sentence<'_>> =
            note.sentences.iter().filter(|sentence| sentence.section == section).collect();
        for (place, sentence) in sentences.iter().enumerate() {
            if let Some(message) = stumbles(&sentences[..place], sentence) {
                found.push(Issue { kind: IssueKind::Flow, span: sentence.span, message });
            }
        }
    }
    found
}

/// Why a reader stumbles over a sentence after these.
fn stumbles(before: &[&Sentence<'_>], sentence: &Sentence<'_>) -> Option<String> {
    let words = words(sentence.text);
    if words.len() > LONGEST {
        return Some(format!("it has {} words, more than {LONGEST}", words.len()));
    }
    if !has_verb(sentence.text) {
        return None;
    }
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let opens = lower.first().map_or("", String::as_str);
    if before.is_empty() {
        return CONTINUING
            .contains(&opens)
            .then(|| format!("\"{}\" points back, and nothing was said before", words[0].text));
    }
    let own = Wording::of(sentence.text);
    let says_again = |other: &&&Sentence<'_>| {
        let other = Wording::of(other.text);
        own.is_part_of(&other) || other.is_part_of(&own) && other.has_words()
    };
    if own.has_words() && before.iter().any(|other| says_again(&other)) {
        return Some("an earlier sentence says the same".to_owned());
    }
    let near = before.iter().rev().take(BEFORE).chain(before.first());
    let said: Vec<&str> = near.map(|sentence| sentence.text).collect();
    let lookup = Lookup::new(&said.join(" "));
    let goes_on = lower.iter().any(|word| POINTING.contains(&word.as_str()))
        || telling(sentence.text).iter().any(|word| lookup.has(word));
    (!goes_on).then(|| "it shares no word with what was said before and does not point back".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, String)> {
        let note = Note::of(text);
        let of = |issue: Issue| (note.index.slice(issue.span).to_owned(), issue.message);
        issues(&note).into_iter().map(of).collect()
    }

    #[test]
    fn readers_stumble_for_a_reason() {
        for (text, sentence, why) in [
            ("He resigned. Anna wept.", "He resigned.", "\"He\" points back"),
            ("Rain fell on Anna. Rain fell.", "Rain fell.", "says the same"),
            (
                "The pool will close. Dogs were barking at night.",
                "Dogs were barking at night.",
                "shares no word",
            ),
        ] {
            let found = told(text);
            assert_eq!(found[0].0, sentence);
            assert!(found[0].1.contains(why), "{found:?}");
        }
        let long = format!("Rain fell{}.", " and fell".repeat(30));
        assert!(told(&long)[0].1.contains("62 words"));
    }

    #[test]
    fn what_goes_on_does_not_stumble() {
        assert!(
            told("The pool will close. Its beams are rusty. Repairs of the pool cost too much.").is_empty()
        );
        assert!(told("# History\nAsthma. Chest pain.\n# Plan\nRest. X-ray.").is_empty());
    }
}
