//! Remarks to the reader about the text: "I hope this helps!", "Here is a summary:", "Hello team,". A remark that goes on to
//! state something is not one of them.

use crate::text::assertions::asserts;

/// Words with which a writer addresses the reader about the text.
const ADDRESSES: &str = include_str!("addresses.txt");

/// Greetings, alone or with a name.
const GREETINGS: &str = include_str!("greetings.txt");

/// Where a remark may go on to something else.
const JOINTS: [&str; 8] = [": ", "; ", " – ", " — ", ", ", " and ", " but ", " that "];

/// Words of a clause about the reader, the writer or the text.
const ABOUT_TEXT: [&str; 12] =
    ["anything", "i", "it", "me", "my", "summary", "text", "this", "us", "we", "you", "your"];

/// Whether a sentence is a remark to the reader, and states nothing.
pub(super) fn addresses_reader(sentence: &str) -> bool {
    let words = words(sentence);
    let length = |phrase: &str| phrase.split(' ').count();
    let begins = |phrase: &str| {
        let mut own = words.iter();
        phrase.split(' ').all(|word| own.next().is_some_and(|own| own == word))
    };
    let is_greeting = |phrase: &str| {
        let rest = &words[length(phrase).min(words.len())..];
        begins(phrase) && rest.len() <= 2 && (rest.is_empty() || !asserts(&rest.join(" ")))
    };
    let address = ADDRESSES.lines().filter(|phrase| begins(phrase)).map(length).max();
    address.is_some_and(|address| !goes_on(sentence, address)) || GREETINGS.lines().any(is_greeting)
}

/// Whether a remark that begins with this many words states something after them.
fn goes_on(sentence: &str, address: usize) -> bool {
    let mut rest = sentence;
    let mut taken = 0;
    while let Some((at, joint)) = first_joint(rest) {
        taken += words(&rest[..at]).len();
        rest = &rest[at + joint.len()..];
        let clause = &rest[..first_joint(rest).map_or(rest.len(), |(end, _)| end)];
        let is_about_text = words(clause).iter().any(|word| ABOUT_TEXT.contains(&word.as_str()));
        if taken >= address && !is_about_text && asserts(clause) {
            return true;
        }
    }
    false
}

fn first_joint(text: &str) -> Option<(usize, &'static str)> {
    JOINTS.iter().filter_map(|joint| Some((text.find(joint)?, *joint))).min_by_key(|(at, _)| *at)
}

fn words(sentence: &str) -> Vec<String> {
    let plain = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’');
    let words = sentence.split(|c: char| !plain(c)).filter(|word| !word.is_empty());
    words.map(|word| word.to_lowercase().replace('’', "'")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_that_go_on_state_something() {
        for remark in [
            "I hope this helps!",
            "Here is a summary of what you asked for:",
            "Let me know if you need anything else.",
            "Please let me know if you have questions, and I will answer them.",
            "Hello team,",
            "Here are the key points:",
            "Kind regards, Amira",
        ] {
            assert!(addresses_reader(remark), "{remark}");
        }
        for statement in [
            "Here is the summary: the mayor resigned in May.",
            "I hope this helps, and the pool closes in March.",
            "Hello everyone, the pool is going to close!",
            "Thanks to the pump, the pool opened.",
        ] {
            assert!(!addresses_reader(statement), "{statement}");
        }
    }
}
