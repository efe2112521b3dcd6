//! Claims of a sentence, by rule.
//!
//! Decides which standalone statements a sentence makes: coordinated verbs get their subject back,
//! relative clauses, participles and appositions become sentences, and a phrase that can be left
//! out makes one claim without it and one with it. Refuses what rules cannot keep true: what is
//! denied, conditional or quoted stays whole, and so does a sentence without a subject and a verb.
//!
//! `tokens` -> `tagger` (with `verbs` and the word lists) -> `parse` (`subjects`, `modifiers`,
//! `predicates`, `complements` over `nouns` and `groups`) -> `tree` -> `emit` -> `render`.

mod ahead;
mod complements;
mod context;
mod embedded;
mod emit;
mod groups;
mod leads;
mod modifiers;
mod nouns;
mod parse;
mod phrases;
mod predicates;
mod render;
mod restore;
mod subjects;
mod tagger;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod verb_context;
mod verb_lists;
mod verbs;
mod words;

use std::ops::Range;

use super::index::TextIndex;
use super::span::Span;
use parse::{Parser, Subject};
use render::Renderer;
use tagger::{Tag, Word};
use tree::{Clause as Tree, Phrase, Piece, Slot, source};

/// A claim: a statement that a sentence makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The statement as a sentence of its own.
    pub text: String,
    /// The parts of the summary that it is made of, in reading order of the claim; a restored
    /// subject is a span of its own.
    pub spans: Vec<Span>,
}

/// Sentences of more words than this stay whole.
const LONGEST: usize = 400;

/// The claims of the sentence at `sentence`, a range of characters of `summary`.
pub fn clauses(summary: &str, sentence: Range<usize>) -> Vec<Clause> {
    clauses_in(&TextIndex::new(summary), Span { start: sentence.start, end: sentence.end })
}

/// The claims of one of many sentences of an indexed text.
pub fn clauses_in(summary: &TextIndex, sentence: Span) -> Vec<Clause> {
    let text = summary.slice(sentence);
    let words = tagger::tag(tokens::tokens(text));
    let restored = if restore::lacks_subject(&words, 0) {
        restore::subject_before(summary, sentence.start)
    } else {
        None
    };
    let phrases = if words.len() > LONGEST || is_foreign(&words) {
        Vec::new()
    } else {
        phrases(&words, restored.is_some())
    };
    let untouched = matches!(&phrases[..], [phrase] if matches!(phrase[..], [Piece::Source(_)]));
    let phrases = if untouched { Vec::new() } else { phrases };
    let renderer = Renderer::new(text, sentence.start, &words, restored);
    let mut found: Vec<Clause> = Vec::new();
    for claim in phrases.iter().filter_map(|phrase| renderer.claim(phrase)) {
        if !found.iter().any(|other| other.text.eq_ignore_ascii_case(&claim.text)) {
            found.push(claim);
        }
    }
    if found.is_empty() || renderer.misses_words(&found) {
        found.extend(renderer.whole());
    }
    found
}

/// Whether more function words are of another language than of English.
fn is_foreign(words: &[Word]) -> bool {
    let foreign = words.iter().filter(|word| nouns::in_list(words::FOREIGN, word.lower())).count();
    let english = |word: &&Word| {
        !matches!(
            word.tag,
            Tag::Noun
                | Tag::Name
                | Tag::Verb
                | Tag::Number
                | Tag::Adjective
                | Tag::Comma
                | Tag::Break
                | Tag::Stop
                | Tag::Quote
                | Tag::Bracket
        )
    };
    foreign > 0 && foreign > words.iter().filter(english).count()
}

/// The claims as phrases over the words of the sentence.
fn phrases(words: &[Word], restored: bool) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut subject =
        restored.then(|| Subject { slot: Slot::single(vec![Piece::Restored]), ..Subject::default() });
    for end in breaks(words) {
        let (claims, known) = utterance(words, start, end, subject.as_ref());
        found.extend(claims);
        subject = known.or(subject);
        start = if words.get(end).is_some_and(|word| word.lower() == ";") { end + 1 } else { end };
    }
    found
}

/// Where semicolons, and dashes and colons before a clause, cut the sentence; its end is the last.
fn breaks(words: &[Word]) -> Vec<usize> {
    let end = words.iter().rposition(|word| !word.is(Tag::Stop)).map_or(0, |last| last + 1);
    let mut open = false;
    let mut found = Vec::new();
    for (place, word) in words[..end].iter().enumerate() {
        open ^= word.is(Tag::Quote);
        if word.lower() == ";" && !open {
            found.push(place);
        }
        let gap = words.get(place + 1).is_some_and(|next| {
            next.token.start >= word.token.end + 2 && next.token.text.starts_with(char::is_uppercase)
        });
        if gap && !open && word.is(Tag::Quote) && place + 1 < end {
            found.push(place + 1);
        }
    }
    found.push(end);
    found
}

/// The claims between two breaks, and their subject; all of it if there are none.
fn utterance(
    words: &[Word],
    start: usize,
    end: usize,
    known: Option<&Subject>,
) -> (Vec<Phrase>, Option<Subject>) {
    let bullet =
        |place: &usize| words.get(*place).is_some_and(|word| matches!(word.tag, Tag::Break | Tag::Comma));
    let start = (start..end).find(|place| !bullet(place)).unwrap_or(end);
    let mut parser = Parser::new(words);
    let (end_of_claims, suffix) = attribution(words, start, end);
    let (mut clauses, mut next) = parser.sequence(start, end_of_claims);
    if let Some(subject) = known.filter(|_| clauses.is_empty() && restore::lacks_subject(words, start)) {
        let (predicates, stop) = parser.predicates(start, end_of_claims, subject);
        clauses.push(Tree { subject: subject.slot.clone(), predicates, ..Tree::default() });
        next = stop;
    }
    clauses.retain(|clause| !clause.predicates.is_empty());
    let rest = words.get(next..end_of_claims).unwrap_or_default();
    let left_over =
        rest.iter().filter(|word| !matches!(word.tag, Tag::Comma | Tag::Stop | Tag::Quote)).count();
    let mut asides = std::mem::take(&mut parser.asides);
    if clauses.is_empty() || parser.fuel == 0 {
        return (if start < end { vec![source(start..end)] } else { Vec::new() }, None);
    }
    if left_over > 0 {
        keep_whole(&mut clauses, next..end_of_claims);
    }
    for clause in clauses.iter_mut().chain(&mut asides) {
        clause.suffix = suffix.clone();
    }
    let subject = clauses
        .first()
        .map(|clause| Subject { slot: Slot::single(clause.subject.whole.clone()), ..Subject::default() });
    (clauses.iter().chain(&asides).flat_map(emit::claims_of).collect(), subject)
}

/// Words that no rule has read go with the last predicate, which is then kept whole.
fn keep_whole(clauses: &mut [Tree], rest: Range<usize>) {
    let last = clauses.last_mut().and_then(|clause| clause.predicates.last_mut());
    if let Some(predicate) = last {
        predicate.indivisible = true;
        predicate.range.end = rest.end;
    }
}

/// ", the mayor said" at the end: every claim keeps it.
fn attribution(words: &[Word], start: usize, end: usize) -> (usize, Phrase) {
    let comma = (start..end).rev().take(12).find(|&place| words[place].is(Tag::Comma));
    let Some(comma) = comma.filter(|comma| *comma > start + 3) else { return (end, Phrase::new()) };
    let Some(noun) = nouns::noun_phrase(words, comma + 1, end) else { return (end, Phrase::new()) };
    let speaks = groups::verb_group(words, noun.end, end).is_some_and(|group| {
        group.finite && group.end + 4 > end && nouns::in_list(verb_lists::SPEAKING, &words[group.main].base)
    });
    if speaks { (comma, vec![Piece::Source(comma..end)]) } else { (end, Phrase::new()) }
}
