//! The error type of an unfaithful sentence, by FineSurE's types (Song et al. 2024, table 8): rules over the words of its
//! unsupported claims, and where each word occurs: in the claim's evidence, elsewhere in the document, or nowhere. The rules
//! ignore the meanings of words, so the type is a hint and never changes a verdict.

mod reasons;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use serde::Serialize;
use veridic_models::Probabilities;

use self::reasons::{listed, reason};
use veridic::text::{Lookup, PartOfSpeech as Part, TaggedWord, has_negation, sentences, tagged_words, words};

/// The share of content words absent from the document from which a sentence is out of context.
const OUT_OF_CONTEXT_FROM: f64 = 0.5;

/// The maximum number of words in a name abbreviated by initials.
const MAX_NAME_WORDS: usize = 6;

/// FineSurE's types of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ErrorType {
    /// It has information that is nowhere in the document.
    OutOfContext,
    /// A wrong entity.
    Entity,
    /// A wrong predicate.
    Predicate,
    /// A wrong place or time.
    Circumstantial,
    /// It is not grammatical.
    Grammatical,
    /// A pronoun with a wrong antecedent.
    Coreference,
    /// Statements with a wrong relation.
    Linking,
    /// No rule applies.
    Other,
}

/// The part of the sentence that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WrongPart {
    NounPhrase,
    Predicate,
}

/// The error of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct SentenceError {
    #[serde(rename = "type")]
    pub(super) error_type: ErrorType,
    /// `None` if a language model named the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) part: Option<WrongPart>,
    /// An explanation.
    pub(super) reason: String,
}

/// A claim that is not supported.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnsupportedClaim<'t> {
    pub(super) text: &'t str,
    /// The slice of the document that determined its score.
    pub(super) evidence: &'t str,
    /// The NLI probabilities of the two.
    pub(super) probabilities: Probabilities,
}

/// Where a word of a claim occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    InEvidence,
    InDocument,
    Nowhere,
}

/// A word of a claim and where it occurs.
#[derive(Debug, Clone)]
struct LocatedWord<'t> {
    spoken: TaggedWord<'t>,
    found: Found,
    /// Whether it follows a preposition of place or time.
    is_circumstance: bool,
}

/// Prepositions of place and time; "of", "by" and "with" introduce entities.
const CIRCUMSTANCE_PREPOSITIONS: [&str; 14] = [
    "in", "on", "at", "during", "near", "since", "until", "from", "before", "after", "around", "outside",
    "inside", "between",
];

const THIRD_PERSONS: [&str; 12] =
    ["he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "hers", "theirs"];

/// Returns the error of a sentence with these unsupported claims, at least one.
pub(super) fn error_of(claims: &[UnsupportedClaim<'_>], document: &Lookup) -> SentenceError {
    let located: Vec<LocatedWord<'_>> = claims.iter().flat_map(|claim| locate(claim, document)).collect();
    grammatical(claims)
        .or_else(|| out_of_context(&located))
        .or_else(|| denial(claims))
        .or_else(|| misplaced(&located))
        .or_else(|| linking(&located))
        .or_else(|| coreference(&located))
        .unwrap_or_else(|| same_words(claims))
}

fn error(error_type: ErrorType, part: WrongPart, reason: String) -> SentenceError {
    SentenceError { error_type, part: Some(part), reason }
}

fn locate<'t>(claim: &UnsupportedClaim<'t>, document: &Lookup) -> Vec<LocatedWord<'t>> {
    let evidence = Lookup::new(claim.evidence);
    let mut is_circumstance = false;
    let place = |spoken: TaggedWord<'t>| {
        match spoken.part {
            Part::Preposition | Part::Link => {
                is_circumstance = CIRCUMSTANCE_PREPOSITIONS.contains(&spoken.text.to_lowercase().as_str());
            }
            Part::Verb | Part::Auxiliary | Part::Pronoun => is_circumstance = false,
            _ => {}
        }
        let found = if evidence.has(&spoken) {
            Found::InEvidence
        } else if document.has(&spoken) {
            Found::InDocument
        } else {
            Found::Nowhere
        };
        LocatedWord { spoken, found, is_circumstance }
    };
    let mut located: Vec<LocatedWord<'t>> = tagged_words(claim.text).into_iter().map(place).collect();
    find_initials(&mut located, &evidence, document);
    located
}

/// Finds names such as "National Football League" in texts that have only their initials, "NFL".
fn find_initials(located: &mut [LocatedWord<'_>], evidence: &Lookup, document: &Lookup) {
    for start in 0..located.len() {
        let is_capital = |word: &&LocatedWord<'_>| word.spoken.text.starts_with(char::is_uppercase);
        let run = located[start..].iter().take(MAX_NAME_WORDS).take_while(is_capital).count();
        for length in (2..=run).rev() {
            let name = &mut located[start..start + length];
            let initials: String = name.iter().filter_map(|word| word.spoken.text.chars().next()).collect();
            let found = if evidence.has_acronym(&initials) {
                Found::InEvidence
            } else if document.has_acronym(&initials) {
                Found::InDocument
            } else {
                continue;
            };
            name.iter_mut().filter(|word| word.found == Found::Nowhere).for_each(|word| word.found = found);
        }
    }
}

impl LocatedWord<'_> {
    fn is(&self, parts: &[Part]) -> bool {
        parts.contains(&self.spoken.part)
    }

    /// Whether it is a content word.
    fn is_content_word(&self) -> bool {
        self.is(&[Part::Name, Part::Date, Part::Number, Part::Noun, Part::Adjective, Part::Verb])
    }

    /// Whether it is a name, a date or a number in digits. A spelled-out number is often a count of listed items.
    fn is_exact(&self) -> bool {
        let digits = || self.spoken.text.contains(|c: char| c.is_ascii_digit());
        self.is(&[Part::Name, Part::Date]) || self.is(&[Part::Number]) && digits()
    }
}

/// The same two words are repeated.
fn grammatical(claims: &[UnsupportedClaim<'_>]) -> Option<SentenceError> {
    let twice = |claim: &UnsupportedClaim<'_>| {
        let words = words(claim.text);
        let again =
            words.windows(4).find(|four| four[0].form == four[2].form && four[1].form == four[3].form);
        again.map(|four| format!("\"{} {}\" is said twice in a row", four[0].text, four[1].text))
    };
    let reason = claims.iter().find_map(twice)?;
    Some(error(ErrorType::Grammatical, WrongPart::Predicate, reason))
}

/// A name, a date or a number is nowhere in the document, or half of the content words are absent.
fn out_of_context(all: &[LocatedWord<'_>]) -> Option<SentenceError> {
    let content = all.iter().filter(|word| word.is_content_word()).count();
    let missing = those(all, |word| word.is_content_word() && word.found == Found::Nowhere);
    let exact = those(all, |word| word.is_exact() && word.found == Found::Nowhere);
    let of = |part, words: &[&LocatedWord<'_>]| {
        error(ErrorType::OutOfContext, part, reason(words, "nowhere in the document"))
    };
    if !exact.is_empty() {
        return Some(of(WrongPart::NounPhrase, &exact));
    }
    if missing.is_empty() || (missing.len() as f64) < OUT_OF_CONTEXT_FROM * content as f64 {
        return None;
    }
    let verbs = missing.iter().filter(|word| word.is(&[Part::Verb])).count();
    let part = if 2 * verbs > missing.len() { WrongPart::Predicate } else { WrongPart::NounPhrase };
    Some(of(part, &missing))
}

fn those<'w, 't>(
    all: &'w [LocatedWord<'t>],
    are: impl Fn(&LocatedWord<'t>) -> bool,
) -> Vec<&'w LocatedWord<'t>> {
    all.iter().filter(|word| are(word)).collect()
}

/// Exactly one of claim and evidence is negated.
fn denial(claims: &[UnsupportedClaim<'_>]) -> Option<SentenceError> {
    let differs = |claim: &&UnsupportedClaim<'_>| {
        contradicts(claim)
            && has_negation(&words(claim.text)) != has_negation(&words(nearest_sentence(claim)))
    };
    claims.iter().find(differs)?;
    let reason = "one of claim and evidence denies, the other does not".to_owned();
    Some(error(ErrorType::Predicate, WrongPart::Predicate, reason))
}

/// The sentence of the evidence with most of the claim's words; ties by position.
fn nearest_sentence<'t>(claim: &UnsupportedClaim<'t>) -> &'t str {
    let tagged = tagged_words(claim.text);
    let shared = |sentence: &str| {
        let lookup = Lookup::new(sentence);
        tagged.iter().filter(|word| lookup.has(word)).count()
    };
    let units = sentences(claim.evidence).into_iter().map(|span| span.slice(claim.evidence));
    units.min_by_key(|sentence| Reverse(shared(sentence))).unwrap_or(claim.evidence)
}

/// Whether contradiction is more probable than neutral.
fn contradicts(claim: &UnsupportedClaim<'_>) -> bool {
    claim.probabilities.contradiction > claim.probabilities.neutral
}

/// Words that are not in the evidence: nouns first, then verbs.
fn misplaced(all: &[LocatedWord<'_>]) -> Option<SentenceError> {
    let away = |of: &[Part]| those(all, |word| word.is(of) && word.found != Found::InEvidence);
    let nouns = away(&[Part::Name, Part::Date, Part::Number, Part::Noun]);
    let (circumstances, entities): (Vec<_>, Vec<_>) =
        nouns.into_iter().partition(|word| word.is_circumstance || word.is(&[Part::Date]));
    let found = [
        (ErrorType::Entity, WrongPart::NounPhrase, entities),
        (ErrorType::Circumstantial, WrongPart::NounPhrase, circumstances),
        (ErrorType::Predicate, WrongPart::Predicate, away(&[Part::Verb])),
    ];
    let (error_type, part, words) = found.into_iter().find(|(_, _, words)| !words.is_empty())?;
    Some(error(error_type, part, reason(&words, "not in the evidence")))
}

/// A word that links statements is not in the evidence, and all others are.
fn linking(all: &[LocatedWord<'_>]) -> Option<SentenceError> {
    let links = those(all, |word| word.is(&[Part::Link]) && word.found != Found::InEvidence);
    let reason = format!("{} ties together what the evidence does not", listed(&links));
    (!links.is_empty()).then(|| error(ErrorType::Linking, WrongPart::Predicate, reason))
}

/// All words are in the evidence, and one is a pronoun, whose antecedent may differ.
fn coreference(all: &[LocatedWord<'_>]) -> Option<SentenceError> {
    let pronouns = those(all, |word| THIRD_PERSONS.contains(&word.spoken.text.to_lowercase().as_str()));
    let reason = format!("{} may stand for someone else than in the evidence", listed(&pronouns));
    (!pronouns.is_empty()).then(|| error(ErrorType::Coreference, WrongPart::NounPhrase, reason))
}

/// All words are in the evidence.
fn same_words(claims: &[UnsupportedClaim<'_>]) -> SentenceError {
    let (error_type, says) = if claims.iter().any(contradicts) {
        (ErrorType::Predicate, "the evidence has all its words and says otherwise")
    } else {
        (ErrorType::Other, "the evidence has all its words and does not say it")
    };
    error(error_type, WrongPart::Predicate, says.to_owned())
}
