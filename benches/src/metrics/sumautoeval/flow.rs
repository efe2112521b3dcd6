//! Awkward flow, by a heuristic that finds where a reader is likely to stumble, not whether a text is well argued. A sentence
//! has an issue if it opens a section with a word that refers back ("He", "However"), repeats an earlier sentence, is too
//! long, or neither shares a content word with the sentences before it nor refers back. Phrases without a verb, as in lists,
//! never have one.

use super::entity::{ContentForms, content_words, has_verb, is_listed};
use super::issues::{Issue, IssueKind};
use super::note::{Note, Sentence};
use veridic::text::{Lookup, words};

/// The maximum number of words in an easily readable sentence.
const MAX_WORDS: usize = 50;

/// The number of preceding sentences that a sentence may follow from, besides the section's first.
const PREVIOUS_SENTENCES: usize = 2;

/// Words that refer back.
const REFERRING: &str = "\
    he she it they his her its their him them this that these those such another other others both also \
    then there however meanwhile instead but";

/// Words that cannot begin a section.
const CONTINUING: &str =
    "he she they his her their also then however meanwhile instead but therefore moreover furthermore";

/// The issues of each sentence.
pub(super) fn issues(note: &Note<'_>) -> Vec<Vec<Issue>> {
    let mut found = vec![Vec::new(); note.sentences.len()];
    for section in 0..note.sections.len() {
        let places: Vec<usize> =
            (0..note.sentences.len()).filter(|&place| note.sentences[place].section == section).collect();
        let sentences: Vec<&Sentence<'_>> = places.iter().map(|&place| &note.sentences[place]).collect();
        for (before, (place, sentence)) in places.into_iter().zip(&sentences).enumerate() {
            if let Some(message) = issue_of(&sentences[..before], sentence) {
                found[place].push(Issue { kind: IssueKind::Flow, span: sentence.span, message });
            }
        }
    }
    found
}

/// Returns the issue of a sentence that follows `before`.
fn issue_of(before: &[&Sentence<'_>], sentence: &Sentence<'_>) -> Option<String> {
    let words = words(sentence.text);
    if words.len() > MAX_WORDS {
        return Some(format!("it has {} words, more than {MAX_WORDS}", words.len()));
    }
    if !has_verb(sentence.text) {
        return None;
    }
    let lower: Vec<String> = words.iter().map(|word| word.text.to_lowercase()).collect();
    let opens = lower.first().map_or("", String::as_str);
    if before.is_empty() {
        return is_listed(opens, CONTINUING)
            .then(|| format!("\"{}\" points back, and nothing was said before", words[0].text));
    }
    let own = ContentForms::of(sentence.text);
    let repeats = |other: &&&Sentence<'_>| {
        let other = ContentForms::of(other.text);
        own.is_part_of(&other) || other.is_part_of(&own) && other.has_words()
    };
    if own.has_words() && before.iter().any(|other| repeats(&other)) {
        return Some("an earlier sentence says the same".to_owned());
    }
    let near = before.iter().rev().take(PREVIOUS_SENTENCES).chain(before.first());
    let previous: Vec<&str> = near.map(|sentence| sentence.text).collect();
    let lookup = Lookup::new(&previous.join(" "));
    let follows = lower.iter().any(|word| is_listed(word, REFERRING))
        || content_words(sentence.text).iter().any(|word| lookup.has(word));
    (!follows).then(|| "it shares no word with what was said before and does not point back".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_in(text: &str) -> Vec<(String, String)> {
        let note = Note::of(text);
        let of = |issue: Issue| (note.index.slice(issue.span).to_owned(), issue.message);
        issues(&note).into_iter().flatten().map(of).collect()
    }

    #[test]
    fn every_issue_has_a_reason() {
        for (text, sentence, why) in [
            ("He resigned. Anna wept.", "He resigned.", "\"He\" points back"),
            ("Rain fell on Anna. Rain fell.", "Rain fell.", "says the same"),
            (
                "The pool will close. Dogs were barking at night.",
                "Dogs were barking at night.",
                "shares no word",
            ),
        ] {
            let found = found_in(text);
            assert_eq!(found[0].0, sentence);
            assert!(found[0].1.contains(why), "{found:?}");
        }
        let long = format!("Rain fell{}.", " and fell".repeat(30));
        assert!(found_in(&long)[0].1.contains("62 words"));
    }

    #[test]
    fn connected_sentences_have_no_issue() {
        assert!(
            found_in("The pool will close. Its beams are rusty. Repairs of the pool cost too much.")
                .is_empty()
        );
        assert!(found_in("# History\nAsthma. Chest pain.\n# Plan\nRest. X-ray.").is_empty());
    }
}
