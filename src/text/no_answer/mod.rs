//! Sentences that give no answer: a writer's refusal ("I don't know.", "I can't help with that."), and the statement that
//! the document does not say something ("The documents do not say whether dental care is covered.").
//!
//! Decides by the sentence's words, clause by clause: a sentence with a clause that states anything else is not one of
//! them. What the document would have to say for a stated absence to be wrong is [`NoAnswer::Absence`]'s statement; this
//! file compares it with no document.

mod clause;
mod kind;
mod openings;
mod topic;
mod words;

use self::clause::of_clause;
pub use self::kind::{Absence, NoAnswer};
use self::openings::opened;
use super::tagging::{PartOfSpeech, tagged_words};

/// Where a clause of a sentence may end.
const CLAUSE_ENDS: [&str; 7] = [", but ", ", so ", ", and ", "; ", " so i ", " and i ", ", however, "];

impl NoAnswer {
    /// Reads a sentence; `None` if it states anything else.
    #[must_use]
    pub fn of(sentence: &str) -> Option<Self> {
        if sentence.trim_start().starts_with(['"', '“', '„', '«']) {
            return None;
        }
        let text = spelled_out(sentence);
        let mut found = None;
        for clause in clauses(opened(&text)) {
            let read = of_clause(clause)?;
            if found.is_none() || matches!(read, Self::Absence(_)) {
                found = Some(read);
            }
        }
        found
    }

    /// Whether the writer refuses to answer.
    #[must_use]
    pub fn is_refusal(sentence: &str) -> bool {
        Self::of(sentence) == Some(Self::Refusal)
    }
}

/// A sentence with its contractions spelled out, without marks around it.
fn spelled_out(sentence: &str) -> String {
    let mut text = sentence.replace('’', "'").trim().trim_end_matches(['.', '!']).to_owned();
    for (short, long) in [
        ("can't", "can not"),
        ("cannot", "can not"),
        ("n't ", " not "),
        ("I'm ", "I am "),
        ("I've ", "I have "),
        ("There's ", "There is "),
        ("there's ", "there is "),
    ] {
        text = text.replace(short, long);
    }
    text
}

/// The clauses of a sentence. A part without a verb belongs to the clause before it.
fn clauses(text: &str) -> Vec<&str> {
    let lower = text.to_ascii_lowercase();
    let mut ends: Vec<usize> = Vec::new();
    for mark in CLAUSE_ENDS {
        ends.extend(lower.match_indices(mark).map(|(at, _)| at));
    }
    ends.sort_unstable();
    let mut clauses = Vec::new();
    let mut start = 0;
    for end in ends.into_iter().chain([text.len()]).filter(|end| *end > 0) {
        let after = &text[end..];
        if end == text.len() || end > start && has_verb(after) && has_verb(&text[start..end]) {
            clauses.push(&text[start..end]);
            start = end;
        }
    }
    clauses
}

fn has_verb(text: &str) -> bool {
    tagged_words(text).iter().any(|word| matches!(word.part, PartOfSpeech::Verb | PartOfSpeech::Auxiliary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(sentence: &str) -> Option<String> {
        match NoAnswer::of(sentence)? {
            NoAnswer::Refusal => Some(String::new()),
            NoAnswer::Absence(absence) => Some(absence.statement),
        }
    }

    #[test]
    fn refusals_are_told_from_what_is_stated() {
        for refusal in [
            "I do not know.",
            "Sorry, I can’t answer that.",
            "I'm unable to assist with this request.",
            "I couldn't find an answer to your question in the provided documents.",
            "As an AI language model, I cannot give medical advice.",
            "Based on the provided context, I cannot answer the question.",
            "The documents do not contain enough information to answer this question.",
            "The provided context does not contain the answer.",
            "I don't have any information about that.",
        ] {
            assert!(NoAnswer::is_refusal(refusal), "{refusal}: {:?}", NoAnswer::of(refusal));
        }
        for stated in [
            "The mayor did not say whether he would resign.",
            "I don't know, but the pool closes in March.",
            "“I don't know,” said the mayor.",
            "The council does not know who paid.",
            "The policy does not cover dental care.",
            "There is no evidence that the drug works.",
            "We cannot offer refunds.",
            "The report does not include the costs of the roof.",
            "The document was not signed.",
            "I did not see the mayor.",
            "No details were spared.",
            "The text was read aloud, and the council voted.",
            "The pool has no roof.",
        ] {
            assert_eq!(NoAnswer::of(stated), None, "{stated}");
        }
    }

    #[test]
    fn an_absence_has_the_statement_that_would_refute_it() {
        for (sentence, expected) in [
            ("The documents don't say whether pets are allowed.", "Pets are allowed."),
            ("The contract does not specify if the deposit is returned or not.", "The deposit is returned."),
            ("The article does not mention a successor.", "A successor is mentioned."),
            ("There is no information about parking in the text.", "Parking is mentioned."),
            (
                "No details are given about the price of the tickets.",
                "The price of the tickets is mentioned.",
            ),
            (
                "Unfortunately, the minutes do not state who opened the meeting.",
                "The text says who opened the meeting.",
            ),
            (
                "I could not find any information on the opening hours in the documents.",
                "The opening hours is mentioned.",
            ),
            ("It is not stated when the bridge opens.", "The text says when the bridge opens."),
            ("The number of visitors is not mentioned in the text.", "The number of visitors is mentioned."),
            ("None of the sources mentions a fine.", "A fine is mentioned."),
            ("The report says nothing about the roof, so I cannot answer this.", "The roof is mentioned."),
        ] {
            assert_eq!(statement(sentence).as_deref(), Some(expected), "{sentence}");
        }
    }
}
