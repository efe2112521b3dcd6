//! From clauses to claims.
//!
//! Decides which claims a clause makes: its core, and its core with each phrase that it can go
//! without. Refuses to drop anything from what is denied or conditional.

use super::tree::{Clause, Phrase, Piece, Predicate};

/// Most claims that one clause makes.
const MOST: usize = 24;

/// The claims of a clause, as phrases.
pub(super) fn claims_of(clause: &Clause) -> Vec<Phrase> {
    let mut found = Vec::new();
    for predicate in &clause.predicates {
        let together = predicate.collective || predicate.indivisible || clause.subject.options.len() < 2;
        let subjects =
            if together { std::slice::from_ref(&clause.subject.whole) } else { &clause.subject.options[..] };
        for subject in subjects {
            let bodies = variants(predicate, !together);
            for (place, body) in bodies.iter().enumerate() {
                found.push(join(clause, None, subject, body));
                if place == 0 && !clause.full_subject.is_empty() {
                    found.push(join(clause, None, &clause.full_subject, body));
                }
                if place == 0 {
                    found.extend(clause.leads.iter().map(|lead| join(clause, Some(lead), subject, body)));
                }
            }
        }
    }
    found.truncate(MOST);
    found
}

fn join(clause: &Clause, lead: Option<&Phrase>, subject: &Phrase, body: &Phrase) -> Phrase {
    let mut phrase = clause.prefix.clone();
    phrase.extend(lead.into_iter().flatten().cloned());
    phrase.extend(subject.iter().cloned());
    phrase.extend(body.iter().cloned());
    phrase.extend(clause.suffix.iter().cloned());
    phrase
}

/// What a predicate says: the core first.
fn variants(predicate: &Predicate, singular: bool) -> Vec<Phrase> {
    let verb = if singular { &predicate.singular } else { &predicate.verb };
    if predicate.indivisible {
        return vec![undivided(predicate, verb)];
    }
    let mut found = Vec::new();
    for core in cores(predicate) {
        let endings = endings(predicate);
        for (place, ending) in endings.iter().enumerate() {
            let with = match &predicate.adjuncts[..] {
                [only]
                    if !predicate.reported.is_empty()
                        && predicate.slots.is_empty()
                        && start_of(only) < start_of(ending) =>
                {
                    Some(only)
                }
                _ => None,
            };
            let alone = predicate.bare
                && ending.is_empty()
                && predicate.conditions.is_empty()
                && !predicate.adjuncts.is_empty();
            if !alone {
                found.push(assemble(verb, &core, with, ending, &predicate.conditions));
            }
            if place == 0 {
                found.extend(with_adjuncts(predicate, verb, &core, ending));
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The core with each of the adjuncts. What was said is left out beside them: "She told the court on
/// Monday."
fn with_adjuncts(predicate: &Predicate, verb: &Phrase, core: &[Phrase], ending: &Phrase) -> Vec<Phrase> {
    let nothing = Phrase::new();
    let ending = match (predicate.reported.is_empty(), core.is_empty()) {
        (true, _) => ending,
        (false, false) => &nothing,
        (false, true) => return Vec::new(),
    };
    predicate
        .adjuncts
        .iter()
        .map(|adjunct| assemble(verb, core, Some(adjunct), ending, &predicate.conditions))
        .collect()
}

fn undivided(predicate: &Predicate, verb: &Phrase) -> Phrase {
    let mut phrase = verb.clone();
    if let Some(Piece::Source(last)) = predicate.verb.last()
        && last.end < predicate.range.end
    {
        phrase.push(Piece::Source(last.end..predicate.range.end));
    }
    phrase
}

/// The slots filled: the first list member by member, others whole.
fn cores(predicate: &Predicate) -> Vec<Vec<Phrase>> {
    let list = predicate.slots.iter().position(|slot| slot.options.len() > 1);
    let members = list.map_or(1, |list| predicate.slots[list].options.len());
    let filled = |member: usize| {
        let fill = |(place, slot): (usize, &super::tree::Slot)| {
            if Some(place) == list { slot.options[member].clone() } else { slot.whole.clone() }
        };
        predicate.slots.iter().enumerate().map(fill).collect()
    };
    (0..members).map(filled).collect()
}

/// What depends on the predicate at its end: infinitives, gerunds, what was said.
fn endings(predicate: &Predicate) -> Vec<Phrase> {
    let mut found = Vec::new();
    for tail in &predicate.tails {
        found.extend(variants(tail, false));
    }
    for clause in &predicate.reported {
        found.extend(claims_of(clause).into_iter().map(|claim| [predicate.opener.clone(), claim].concat()));
    }
    if found.is_empty() {
        found.push(Phrase::new());
    }
    found
}

/// The parts of a predicate in the order of the sentence.
fn assemble(
    verb: &Phrase,
    core: &[Phrase],
    adjunct: Option<&Phrase>,
    ending: &Phrase,
    conditions: &Phrase,
) -> Phrase {
    let mut parts: Vec<&Phrase> = core.iter().chain(adjunct).filter(|part| !part.is_empty()).collect();
    if !ending.is_empty() {
        parts.push(ending);
    }
    parts.sort_by_key(|part| start_of(part));
    let mut phrase = verb.clone();
    for part in parts {
        phrase.extend(part.iter().cloned());
    }
    phrase.extend(conditions.iter().cloned());
    phrase
}

pub(super) fn start_of(phrase: &Phrase) -> usize {
    let starts = phrase.iter().filter_map(|piece| match piece {
        Piece::Source(range) => Some(range.start),
        Piece::Changed(place, _) => Some(*place),
        Piece::Word(_) | Piece::Restored => None,
    });
    starts.min().unwrap_or(usize::MAX)
}
