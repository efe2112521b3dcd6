//! Sentences that give no answer: a writer's refusal ("I don't know.", "I can't help with that."), and the statement that
//! the document does not say something ("The documents do not say whether dental care is covered.").
//!
//! Decides by the sentence's words, clause by clause: a sentence with a clause that states anything else is not one of
//! them. What the document would have to say for a stated absence to be wrong is [`NoAnswer::Absence`]'s statement; this
//! file compares it with no document.

use super::tagging::{PartOfSpeech, tagged_words};
use super::word_list::WordList;

/// A longer subject is more than the name of a document.
const MOST_SUBJECT_WORDS: usize = 6;

/// Names of the texts that a writer of an answer was given.
static GIVEN_TEXTS: WordList = WordList::new(
    "article articles context contexts content document documents excerpt excerpts file files material materials \
     information passage passages results source sources text texts transcript",
);

/// Names of other texts. What they contain is a fact about them; what they do not say is an absence.
static OTHER_TEXTS: WordList = WordList::new(
    "agreement book brochure chapter chat clause contract conversation email e-mail form guide handbook invoice lease \
     letter log mail manual memo message minutes notes page paper policy protocol record records report section story \
     summary table thread website",
);

/// Verbs of texts that say something.
static SAYING: WordList = WordList::new(
    "clarify disclose explain indicate mention name record reveal say says specify state states tell tells mentions \
     indicates specifies explains reveals clarifies",
);

/// Verbs of texts that contain something.
static CONTAINING: WordList = WordList::new(
    "address answer contain contains cover describe detail discuss give gives have has include includes list make \
     makes offer offers provide provides report show talk addresses describes discusses",
);

/// What a writer knows or finds, or does not.
static FINDING: WordList = WordList::new("determine find have identify know locate see confirm verify");

/// What a writer does who answers.
static ANSWERING: WordList = WordList::new(
    "access advise answer assist comment complete comply discuss do fulfil fulfill generate give help offer provide \
     recommend respond say share speak summarise summarize tell",
);

/// Nouns for what is said about something.
static ABOUT_NOUNS: WordList = WordList::new(
    "answer data detail details idea indication info information knowledge mention mentions reference references",
);

/// Words between the negation and what is not said.
static BEFORE_TOPIC: WordList = WordList::new(
    "about actually additional any anything anywhere as clear concerning enough explicitly for further in mention of on \
     regarding relevant specific specifically sufficient to",
);

/// Words that stand for what was asked.
static WHAT_WAS_ASKED: WordList = WordList::new(
    "a an any anything answer information it question questions request that the this topic your",
);

/// Openings that say nothing by themselves.
const OPENINGS: [&str; 29] = [
    "additionally",
    "also",
    "and",
    "as a language model",
    "as an ai",
    "as an ai assistant",
    "as an ai language model",
    "as an assistant",
    "but",
    "currently",
    "however",
    "i am afraid",
    "i am afraid that",
    "i am sorry",
    "i apologise",
    "i apologize",
    "it appears that",
    "it seems that",
    "my apologies",
    "note that",
    "please note that",
    "hence",
    "regrettably",
    "so",
    "sorry",
    "therefore",
    "thus",
    "unfortunately",
    "which means that",
];

/// Where a clause of a sentence may end.
const CLAUSE_ENDS: [&str; 7] = [", but ", ", so ", ", and ", "; ", " so i ", " and i ", ", however, "];

/// A sentence that gives no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The writer does not answer.
    Refusal,
    /// The writer says that the document does not say something.
    Absence(Absence),
}

/// What a document is said not to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// A statement that the document supports if it says it all the same.
    pub statement: String,
    /// Whether the document would also say it by a denial: "whether dental care is covered".
    pub is_open: bool,
}

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

    /// What the document would have to say for it to be wrong.
    #[must_use]
    pub fn statement(self) -> Option<String> {
        match self {
            Self::Refusal => None,
            Self::Absence(absence) => Some(absence.statement),
        }
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

fn of_clause(clause: &str) -> Option<NoAnswer> {
    let clause = opened(clause);
    let words: Vec<&str> = clause.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    if let ["i" | "we", ..] = lower[..] {
        return of_writer(&words, &lower);
    }
    of_nothing(&words, &lower).or_else(|| of_text(&words, &lower))
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// A clause without its opening.
fn opened(clause: &str) -> &str {
    let mut rest = clause.trim_start_matches([',', ';', ' ']);
    loop {
        let lower = rest.to_ascii_lowercase();
        let length =
            OPENINGS.iter().filter(|opening| begins(&lower, opening)).map(|opening| opening.len()).max();
        let next = length.or_else(|| basis(&lower));
        let Some(next) = next else { return rest };
        rest = rest[next..].trim_start_matches([',', ';', ':', '.', ' ']);
    }
}

fn begins(lower: &str, opening: &str) -> bool {
    lower
        .strip_prefix(opening)
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) && !rest.is_empty())
}

/// The length of "Based on the provided documents" before a comma.
fn basis(lower: &str) -> Option<usize> {
    let is_basis =
        ["based on ", "according to ", "from ", "in ", "given "].iter().any(|word| lower.starts_with(word));
    let comma = lower.find(',').filter(|_| is_basis)?;
    lower[..comma].split_whitespace().any(|word| GIVEN_TEXTS.contains(word)).then_some(comma)
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

fn asks_what(words: &[&str]) -> bool {
    words.iter().all(|word| WHAT_WAS_ASKED.contains(word) || *word == "answer")
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

/// What is said to be absent; a refusal if it only stands for what was asked.
fn absence(topic: &[&str]) -> NoAnswer {
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
