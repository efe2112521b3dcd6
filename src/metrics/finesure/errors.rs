//! What is wrong with a sentence that is not faithful, as FineSurE names it (Song et al. 2024, table 8): rules over the
//! words of its claims that are not supported, and where each of them is found again: in the claim's evidence, elsewhere
//! in the document, or nowhere. Refuses to know what words mean, so that the type is a hint and never changes a verdict.

mod reasons;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use serde::Serialize;
use veridic_models::Probabilities;

use self::reasons::{listed, reason};
use veridic_text::{Lookup, Part, Spoken, denies, parts, sentences, words};

/// The share of a sentence's telling words that are nowhere in the document, from which it is out of context.
const OUT_OF_CONTEXT_FROM: f64 = 0.5;

/// Words of the longest name that initials stand for.
const LONGEST_NAME: usize = 6;

/// FineSurE's types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ErrorType {
    /// It says what is nowhere in the document.
    OutOfContext,
    /// Who or what it speaks of is wrong.
    Entity,
    /// What happens is wrong.
    Predicate,
    /// Where or when is wrong.
    Circumstantial,
    /// It is no sentence.
    Grammatical,
    /// A pronoun stands for someone else.
    Coreference,
    /// Statements are tied together wrongly.
    Linking,
    /// No rule says what.
    Other,
}

/// The part of the sentence that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WrongPart {
    NounPhrase,
    Predicate,
}

/// What is wrong with a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct SentenceError {
    #[serde(rename = "type")]
    pub(super) error_type: ErrorType,
    pub(super) part: WrongPart,
    /// In words.
    pub(super) reason: String,
}

/// A claim that is not supported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Doubted<'t> {
    pub(super) text: &'t str,
    /// The slice of the document that decided.
    pub(super) evidence: &'t str,
    /// What the model said of the two.
    pub(super) probabilities: Probabilities,
}

/// Where a word of a claim is found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    InEvidence,
    InDocument,
    Nowhere,
}

/// A word of a claim.
#[derive(Debug, Clone)]
struct Traced<'t> {
    spoken: Spoken<'t>,
    found: Found,
    /// It stands behind a preposition that may say where or when.
    is_circumstance: bool,
}

/// Where or when something is; "of", "by" and "with" tell who and what.
const OF_CIRCUMSTANCE: [&str; 14] = [
    "in", "on", "at", "during", "near", "since", "until", "from", "before", "after", "around", "outside",
    "inside", "between",
];

const THIRD_PERSONS: [&str; 12] =
    ["he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "hers", "theirs"];

/// What is wrong with a sentence that makes these claims, one at least.
pub(super) fn error_of(claims: &[Doubted<'_>], document: &Lookup) -> SentenceError {
    let traced: Vec<Traced<'_>> = claims.iter().flat_map(|claim| trace(claim, document)).collect();
    grammatical(claims)
        .or_else(|| out_of_context(&traced))
        .or_else(|| denial(claims))
        .or_else(|| misplaced(&traced))
        .or_else(|| linking(&traced))
        .or_else(|| coreference(&traced))
        .unwrap_or_else(|| same_words(claims))
}

fn error(error_type: ErrorType, part: WrongPart, reason: String) -> SentenceError {
    SentenceError { error_type, part, reason }
}

fn trace<'t>(claim: &Doubted<'t>, document: &Lookup) -> Vec<Traced<'t>> {
    let evidence = Lookup::new(claim.evidence);
    let mut is_circumstance = false;
    let place = |spoken: Spoken<'t>| {
        match spoken.part {
            Part::Preposition | Part::Link => {
                is_circumstance = OF_CIRCUMSTANCE.contains(&spoken.text.to_lowercase().as_str());
            }
            Part::Verb | Part::Auxiliary | Part::Pronoun => is_circumstance = false,
            _ => {}
        }
        let found = match () {
            () if evidence.has(&spoken) => Found::InEvidence,
            () if document.has(&spoken) => Found::InDocument,
            () => Found::Nowhere,
        };
        Traced { spoken, found, is_circumstance }
    };
    let mut traced: Vec<Traced<'t>> = parts(claim.text).into_iter().map(place).collect();
    find_initials(&mut traced, &evidence, document);
    traced
}

/// "National Football League" is where the text says "NFL".
fn find_initials(traced: &mut [Traced<'_>], evidence: &Lookup, document: &Lookup) {
    for start in 0..traced.len() {
        let is_capital = |word: &&Traced<'_>| word.spoken.text.starts_with(char::is_uppercase);
        let run = traced[start..].iter().take(LONGEST_NAME).take_while(is_capital).count();
        for length in (2..=run).rev() {
            let name = &mut traced[start..start + length];
            let initials: String = name.iter().filter_map(|word| word.spoken.text.chars().next()).collect();
            let found = match () {
                () if evidence.has_acronym(&initials) => Found::InEvidence,
                () if document.has_acronym(&initials) => Found::InDocument,
                () => continue,
            };
            name.iter_mut().filter(|word| word.found == Found::Nowhere).for_each(|word| word.found = found);
        }
    }
}

impl Traced<'_> {
    fn is(&self, parts: &[Part]) -> bool {
        parts.contains(&self.spoken.part)
    }

    /// It says something by itself.
    fn tells(&self) -> bool {
        self.is(&[Part::Name, Part::Date, Part::Number, Part::Noun, Part::Adjective, Part::Verb])
    }

    /// A name, a date or a number in digits; a spelled number is often a count of what is there.
    fn is_exact(&self) -> bool {
        let digits = || self.spoken.text.contains(|c: char| c.is_ascii_digit());
        self.is(&[Part::Name, Part::Date]) || self.is(&[Part::Number]) && digits()
    }
}

/// The same two words twice in a row.
fn grammatical(claims: &[Doubted<'_>]) -> Option<SentenceError> {
    let twice = |claim: &Doubted<'_>| {
        let words = words(claim.text);
        let again =
            words.windows(4).find(|four| four[0].form == four[2].form && four[1].form == four[3].form);
        again.map(|four| format!("\"{} {}\" is said twice in a row", four[0].text, four[1].text))
    };
    let reason = claims.iter().find_map(twice)?;
    Some(error(ErrorType::Grammatical, WrongPart::Predicate, reason))
}

/// A name, a date or a number is nowhere in the document, or half of what is said.
fn out_of_context(all: &[Traced<'_>]) -> Option<SentenceError> {
    let telling = all.iter().filter(|word| word.tells()).count();
    let gone = those(all, |word| word.tells() && word.found == Found::Nowhere);
    let exact = those(all, |word| word.is_exact() && word.found == Found::Nowhere);
    let of = |part, words: &[&Traced<'_>]| {
        error(ErrorType::OutOfContext, part, reason(words, "nowhere in the document"))
    };
    if !exact.is_empty() {
        return Some(of(WrongPart::NounPhrase, &exact));
    }
    if gone.is_empty() || (gone.len() as f64) < OUT_OF_CONTEXT_FROM * telling as f64 {
        return None;
    }
    let verbs = gone.iter().filter(|word| word.is(&[Part::Verb])).count();
    let part = if 2 * verbs > gone.len() { WrongPart::Predicate } else { WrongPart::NounPhrase };
    Some(of(part, &gone))
}

fn those<'w, 't>(all: &'w [Traced<'t>], are: impl Fn(&Traced<'t>) -> bool) -> Vec<&'w Traced<'t>> {
    all.iter().filter(|word| are(word)).collect()
}

/// One of claim and evidence denies and the other does not.
fn denial(claims: &[Doubted<'_>]) -> Option<SentenceError> {
    let differs = |claim: &&Doubted<'_>| {
        contradicts(claim) && denies(&words(claim.text)) != denies(&words(nearest_sentence(claim)))
    };
    claims.iter().find(differs)?;
    let reason = "one of claim and evidence denies, the other does not".to_owned();
    Some(error(ErrorType::Predicate, WrongPart::Predicate, reason))
}

/// The sentence of the evidence that has most of the claim's words; of equals the earlier.
fn nearest_sentence<'t>(claim: &Doubted<'t>) -> &'t str {
    let spoken = parts(claim.text);
    let shared = |sentence: &str| {
        let lookup = Lookup::new(sentence);
        spoken.iter().filter(|word| lookup.has(word)).count()
    };
    let units = sentences(claim.evidence).into_iter().map(|span| span.slice(claim.evidence));
    units.min_by_key(|sentence| Reverse(shared(sentence))).unwrap_or(claim.evidence)
}

/// The model takes the evidence to say otherwise, rather than nothing.
fn contradicts(claim: &Doubted<'_>) -> bool {
    claim.probabilities.contradiction > claim.probabilities.neutral
}

/// Words that are not in the evidence: those of nouns weigh first, then verbs.
fn misplaced(all: &[Traced<'_>]) -> Option<SentenceError> {
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

/// A word that ties statements together is not in the evidence, and all others are.
fn linking(all: &[Traced<'_>]) -> Option<SentenceError> {
    let links = those(all, |word| word.is(&[Part::Link]) && word.found != Found::InEvidence);
    let reason = format!("{} ties together what the evidence does not", listed(&links));
    (!links.is_empty()).then(|| error(ErrorType::Linking, WrongPart::Predicate, reason))
}

/// All its words are in the evidence, and one is a pronoun, whose antecedent may be another.
fn coreference(all: &[Traced<'_>]) -> Option<SentenceError> {
    let pronouns = those(all, |word| THIRD_PERSONS.contains(&word.spoken.text.to_lowercase().as_str()));
    let reason = format!("{} may stand for someone else than in the evidence", listed(&pronouns));
    (!pronouns.is_empty()).then(|| error(ErrorType::Coreference, WrongPart::NounPhrase, reason))
}

/// All its words are in the evidence.
fn same_words(claims: &[Doubted<'_>]) -> SentenceError {
    let (error_type, says) = if claims.iter().any(contradicts) {
        (ErrorType::Predicate, "the evidence has all its words and says otherwise")
    } else {
        (ErrorType::Other, "the evidence has all its words and does not say it")
    };
    error(error_type, WrongPart::Predicate, says.to_owned())
}
