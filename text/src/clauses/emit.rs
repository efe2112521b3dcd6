//! From clauses to claims.
//!
//! Decides which claims a clause makes: its core, and its core with each optional phrase. Refuses to drop anything from a
//! negated or conditional predicate.

use super::tree::{Clause, Phrase, Piece, Predicate, start_of, without};

/// Maximum number of claims of a clause.
const MOST: usize = 24;

/// The claims of a clause, as phrases.
pub(super) fn claims_of(clause: &Clause) -> Vec<Phrase> {
    let mut found = Vec::new();
    for predicate in &clause.predicates {
        let together = predicate.collective || predicate.indivisible || clause.subject.options.len() < 2;
        let subjects =
            if together { std::slice::from_ref(&clause.subject.whole) } else { &clause.subject.options[..] };
        for (member, subject) in subjects.iter().enumerate() {
            let plural = together || clause.subject.plural.get(member) == Some(&true);
            let mut bodies = variants(predicate, !plural);
            if let Some(place) = predicate.of_each.filter(|_| !together) {
                bodies.iter_mut().for_each(|body| *body = without(body, place));
            }
            found.extend(claims_about(clause, subject, &bodies));
            if found.len() >= MOST {
                found.truncate(MOST);
                return found;
            }
        }
    }
    found
}

/// The claims that join a subject to its predicate's variants. The first variant is also joined to the full subject, and
/// to each phrase before the subject.
fn claims_about(clause: &Clause, subject: &Phrase, bodies: &[Phrase]) -> Vec<Phrase> {
    let mut found = Vec::new();
    for (place, body) in bodies.iter().enumerate() {
        found.push(join(clause, None, subject, body));
        if place == 0 && !clause.full_subject.is_empty() {
            found.push(join(clause, None, &clause.full_subject, body));
        }
        if place == 0 {
            found.extend(clause.leads.iter().map(|lead| join(clause, Some(lead), subject, body)));
        }
    }
    found
}

fn join(clause: &Clause, lead: Option<&Phrase>, subject: &Phrase, body: &Phrase) -> Phrase {
    let lead = lead.map_or(&[][..], |lead| lead);
    [&clause.scope[..], &clause.prefix, lead, subject, body, &clause.suffix].concat()
}

/// The variants of a predicate, the core first.
fn variants(predicate: &Predicate, singular: bool) -> Vec<Phrase> {
    let verb = if singular { &predicate.singular } else { &predicate.verb };
    if predicate.indivisible {
        return vec![undivided(predicate, verb)];
    }
    let endings = endings(predicate);
    let mut found = Vec::new();
    for core in cores(predicate) {
        for (place, ending) in endings.iter().enumerate() {
            if !is_incomplete(predicate, ending) {
                found.push(assemble(predicate, verb, &core, needed_adjunct(predicate, ending), ending));
            }
            if place == 0 {
                found.extend(with_adjuncts(predicate, verb, &core, ending));
            }
            if found.len() >= MOST {
                found.truncate(MOST);
                return found;
            }
        }
    }
    found
}

/// Whether the verb is incomplete because it lacks its adjuncts: "It comes."
fn is_incomplete(predicate: &Predicate, ending: &Phrase) -> bool {
    let alone = ending.is_empty() && predicate.conditions.is_empty() && predicate.shared.is_empty();
    predicate.incomplete && alone && !predicate.adjuncts.is_empty()
}

/// The adjunct between a verb and what it reports: "said on Monday that".
fn needed_adjunct<'p>(predicate: &'p Predicate, ending: &Phrase) -> Option<&'p Phrase> {
    let [only] = &predicate.adjuncts[..] else { return None };
    let reports = !predicate.reported.is_empty() && predicate.slots.is_empty();
    (reports && start_of(only) < start_of(ending)).then_some(only)
}

/// The core with each of the adjuncts. What was said is omitted beside them: "She told the court on Monday."
fn with_adjuncts(predicate: &Predicate, verb: &Phrase, core: &[Phrase], ending: &Phrase) -> Vec<Phrase> {
    let nothing = Phrase::new();
    let ending = match (predicate.reported.is_empty(), core.is_empty()) {
        (true, _) => ending,
        (false, false) => &nothing,
        (false, true) => return Vec::new(),
    };
    predicate.adjuncts.iter().map(|adjunct| assemble(predicate, verb, core, Some(adjunct), ending)).collect()
}

fn undivided(predicate: &Predicate, verb: &Phrase) -> Phrase {
    let mut phrase = verb.clone();
    if let Some(Piece::Source(last)) = predicate.verb.last()
        && last.end < predicate.range.end
    {
        phrase.push(Piece::Source(last.end..predicate.range.end));
    }
    phrase.extend(predicate.shared.iter().cloned());
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

/// The dependents at the end of the predicate: infinitives, gerunds, what was said.
fn endings(predicate: &Predicate) -> Vec<Phrase> {
    let dependents = predicate.dependents.iter().flat_map(|dependent| variants(dependent, false));
    let claims = predicate.reported.iter().flat_map(claims_of);
    let reported = claims.map(|claim| [&predicate.opener[..], &claim].concat());
    let found: Vec<Phrase> = dependents.chain(reported).take(MOST).collect();
    if found.is_empty() { vec![Phrase::new()] } else { found }
}

/// The parts of a predicate in the order of the sentence.
fn assemble(
    predicate: &Predicate,
    verb: &Phrase,
    core: &[Phrase],
    adjunct: Option<&Phrase>,
    ending: &Phrase,
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
    phrase.extend(predicate.conditions.iter().chain(&predicate.shared).cloned());
    phrase
}
