//! The claims of a sentence as phrases over its words, utterance by utterance.
//!
//! Decides where a sentence is cut in two (at a semicolon, after a quotation), and which words belong to every claim
//! ("..., the mayor said") or to the last predicate (words that no rule read). Refuses an utterance on which the parser
//! used up its work budget: it stays whole.

use std::ops::Range;

use super::emit;
use super::lexicon::verb_forms::Forms;
use super::lexicon::{classes, verb_kinds};
use super::parser::groups::{Group, verb_group};
use super::parser::nouns::noun_phrase;
use super::parser::{Parser, Subject};
use super::restore;
use super::tagging::{Tag, Word};
use super::tree::{Clause, Phrase, Piece, Predicate, source};

/// The claims; `restored`: the subject of an earlier sentence is known.
pub(super) fn claims(words: &[Word], restored: bool) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut subject = restored.then(|| Subject::single(vec![Piece::Restored]));
    for end in breaks(words) {
        let (claims, known) = utterance(words, start, end, subject.as_ref());
        found.extend(claims);
        subject = known.or(subject);
        start = if words.get(end).is_some_and(|word| word.lower() == ";") { end + 1 } else { end };
    }
    found
}

/// Where semicolons, ends of quotations and sources (", police say,") cut the sentence; the last cut is its end.
fn breaks(words: &[Word]) -> Vec<usize> {
    let end = words.iter().rposition(|word| !word.is(Tag::Stop)).map_or(0, |last| last + 1);
    let (mut start, mut open) = (0, false);
    let mut found = Vec::new();
    for place in 0..end {
        open ^= words[place].is(Tag::Quote);
        let cut = if open || place < start { None } else { break_at(words, start, place, end) };
        if let Some(cut) = cut {
            found.push(cut);
            start = cut;
        }
    }
    found.push(end);
    found
}

/// The end of the utterance that begins at `start`, if the word at `place` ends it.
fn break_at(words: &[Word], start: usize, place: usize, end: usize) -> Option<usize> {
    let word = &words[place];
    let next = words[..end].get(place + 1)?;
    if word.lower() == ";" {
        return Some(place);
    }
    let apart = next.token.start >= word.token.end() + 2 && next.is_capital();
    let behind_verb = words[start..place].iter().any(is_finite);
    if word.is(Tag::Quote) && (apart || behind_verb && starts_sentence(&words[..end], place + 1)) {
        return Some(place + 1);
    }
    if !word.is(Tag::Comma) || !words[start..place].iter().any(is_finite) {
        return None;
    }
    source_end(words, place, end)
        .filter(|stop| words[..end].get(stop + 1).is_some_and(|word| word.is(Tag::Coordinator)))
}

/// Whether a sentence starts at `place`, after a quotation: a function word with a capital letter, and a clause.
fn starts_sentence(words: &[Word], place: usize) -> bool {
    let word = &words[place];
    let opens = matches!(word.tag, Tag::Pronoun | Tag::Determiner | Tag::PossessiveDeterminer);
    word.is_capital() && (opens && Parser::new(words).has_clause(place, words.len()))
}

/// Whether a word is the verb of a clause.
fn is_finite(word: &Word) -> bool {
    let finite = Forms::THIRD.with(Forms::PAST).with(Forms::BASE);
    word.is(Tag::Modal)
        || (matches!(word.tag, Tag::Be | Tag::Have | Tag::Do | Tag::Verb) && word.forms.has(finite))
}

/// The claims between two cuts, and their subject; the whole utterance if the rules find no claim.
fn utterance(
    words: &[Word],
    start: usize,
    end: usize,
    known: Option<&Subject>,
) -> (Vec<Phrase>, Option<Subject>) {
    let start = behind_bullet(words, start, end);
    let mut parser = Parser::new(words);
    let (body_end, suffix) = attribution(words, start, end);
    let (mut clauses, next) = body(&mut parser, start..body_end, known);
    let mut asides = std::mem::take(&mut parser.asides);
    if clauses.is_empty() || parser.is_exhausted() {
        return (if start < end { vec![source(start..end)] } else { Vec::new() }, None);
    }
    // "An inquiry into claims police spied is likely": the parsed verb is not the main verb.
    if known.is_none()
        && clauses.len() == 1
        && words.get(next).is_some_and(|word| next < body_end && is_finite(word))
    {
        return (vec![source(start..end)], None);
    }
    // ", the ministry has confirmed, after a visit"
    if clauses.iter().skip(1).any(|clause| clause.predicates.iter().any(|predicate| predicate.lacks_report)) {
        return (vec![source(start..end)], None);
    }
    let is_mark = |word: &Word| matches!(word.tag, Tag::Comma | Tag::Stop | Tag::Quote);
    if words.get(next..body_end).is_some_and(|rest| !rest.iter().all(is_mark)) {
        keep_whole(&mut clauses, body_end);
    }
    // A role ("the mayor, Ann Hall") is stated by the sentence, not by its source.
    let is_role = |clause: &Clause| matches!(clause.predicates[..], [Predicate { ref verb, .. }] if matches!(verb[..], [Piece::Word(_)]));
    for clause in clauses.iter_mut().chain(&mut asides).filter(|clause| !is_role(clause)) {
        clause.suffix = suffix.clone();
    }
    let stranded = |phrase: &Phrase| is_stranded(words, phrase, body_end);
    let subject = clauses.first().map(|clause| Subject::single(clause.subject.whole.clone()));
    let claims = clauses.iter().chain(&asides).flat_map(emit::claims_of);
    (claims.filter(|phrase| !stranded(phrase)).collect(), subject)
}

/// Whether a claim ends, before the sentence does, with a word that needs another one: "was charged with".
fn is_stranded(words: &[Word], phrase: &Phrase, end: usize) -> bool {
    let Some(Piece::Source(range)) = phrase.last() else { return false };
    let Some(last) = range.end.checked_sub(1).filter(|_| range.end < end).and_then(|last| words.get(last))
    else {
        return false;
    };
    match last.tag {
        Tag::Preposition | Tag::To => !classes::PARTICLES.contains(last.lower()),
        Tag::Determiner => matches!(last.lower(), "the" | "a" | "an"),
        Tag::Coordinator | Tag::PossessiveDeterminer | Tag::Possessive | Tag::Not => true,
        _ => false,
    }
}

/// The place after "-", "1." or "(a)".
pub(super) fn behind_bullet(words: &[Word], start: usize, end: usize) -> usize {
    let is_mark = |word: &Word| matches!(word.tag, Tag::Break | Tag::Comma | Tag::Stop | Tag::Bracket);
    let numbered = start + 1 < end
        && words[start].is(Tag::Number)
        && matches!(words[start + 1].lower(), "." | ")")
        && words[start + 1].token.start == words[start].token.end();
    let from = start + 2 * usize::from(numbered);
    (from..end).find(|&place| !is_mark(&words[place])).unwrap_or(end)
}

/// The clauses of an utterance, and the place of the first word that no rule read. An utterance without a subject gets the
/// `known` one.
fn body(parser: &mut Parser, range: Range<usize>, known: Option<&Subject>) -> (Vec<Clause>, usize) {
    let (mut clauses, mut next) = parser.sequence(range.start, range.end);
    if let Some(subject) = known.filter(|_| clauses.is_empty())
        && restore::lacks_subject(parser.words(), range.start)
    {
        let joint = parser.words()[range.clone()].iter().take_while(|word| word.is(Tag::Coordinator));
        let (predicates, stop) = parser.predicates(range.start + joint.count(), range.end, subject);
        clauses.push(Clause { subject: subject.slot.clone(), predicates, ..Clause::default() });
        next = stop;
    }
    clauses.retain(|clause| !clause.predicates.is_empty());
    (clauses, next)
}

/// Adds the words that no rule read to the last predicate, which is then kept whole.
fn keep_whole(clauses: &mut [Clause], end: usize) {
    if let Some(predicate) = clauses.last_mut().and_then(|clause| clause.predicates.last_mut()) {
        predicate.indivisible = true;
        predicate.range.end = end;
    }
}

/// Where the source at the end (", the mayor said", ", said the mayor") begins, and the source, which every claim keeps.
fn attribution(words: &[Word], start: usize, end: usize) -> (usize, Phrase) {
    let near = start.max(end.saturating_sub(12))..end;
    let ends_with_source = |place: &usize| {
        words[*place].is(Tag::Comma)
            && words[start..*place].iter().any(is_finite)
            && source_end(words, *place, end).is_some_and(|stop| stop + 3 > end)
    };
    match near.into_iter().find(ends_with_source) {
        Some(comma) => (comma, vec![Piece::Source(comma..end)]),
        None => (end, Phrase::new()),
    }
}

/// The end of the source whose comma is at `comma`: ", the mayor said" or ", said the mayor".
fn source_end(words: &[Word], comma: usize, end: usize) -> Option<usize> {
    let verb_at = |from: usize| verb_group(words, from, end).filter(|group| group.finite);
    let base = |group: &Group| words[group.main].base.as_str();
    let stop = match noun_phrase(words, comma + 1, end) {
        Some(noun) => verb_at(noun.end).filter(|group| verb_kinds::SPEAKING.contains(base(group)))?.end,
        None => noun_phrase(words, verb_at(comma + 1).filter(|group| base(group) == "say")?.end, end)?.end,
    };
    (stop + 3 > end || words[stop].is(Tag::Comma)).then_some(stop)
}
