//! The values behind the numbers of a row, as in the field `sumautoeval` of a result: `ground_truth` and `rubric` with their
//! entities, `summary` with its sections, entities and sentences, and the agreement of the three checks over this row's
//! entities. What was not checked has no field.

use serde::Serialize;
use serde_json::{Value, json};

use super::agreement::{Agreement, of_votes};
use super::alignment::AlignmentRule;
use super::answers::Votes;
use super::assessment::Assessment;
use super::axis::Axis;
use super::check_task::Check;
use super::ground_truth::GroundTruth;
use super::note::Note;

/// The facts of a row.
pub(super) fn facts(row: &Assessment<'_>, rule: AlignmentRule) -> Value {
    let votes = |check| row.votes(check);
    let truth = row.truth.as_ref().filter(|_| row.checks_truth());
    let agreement = Agreement {
        completeness: of_votes(votes(Check::Completeness)),
        correctness: of_votes(votes(Check::Correctness)),
    };
    let mut facts = json!({ "summary": summary(row, rule) });
    add(&mut facts, "ground_truth", truth.map(|truth| ground_truth(truth, votes(Check::Completeness))));
    add(&mut facts, "rubric", row.rubric.as_ref().map(|rubric| ground_truth(rubric, votes(Check::Rubric))));
    add(&mut facts, "alignment_rule", row.known_sections.as_ref().map(|_| rule));
    add(&mut facts, "agreement", Some(agreement).filter(|agreement| !agreement.is_empty()));
    facts
}

/// Adds a field, if it has a value.
fn add(facts: &mut Value, name: &str, value: Option<impl Serialize>) {
    if let Some(value) = value {
        facts[name] = json!(value);
    }
}

/// A ground truth, and whether the summary has its entities; in a rubric each has the index of its reference.
fn ground_truth(truth: &GroundTruth<'_>, votes: &[Votes]) -> Value {
    let mut entities = Vec::with_capacity(truth.entities.len());
    for (place, (entity, completeness)) in truth.entities.iter().zip(votes).enumerate() {
        let mut facts = json!(entity);
        facts["completeness"] = json!(completeness);
        add(&mut facts, "reference", truth.references.get(place));
        entities.push(facts);
    }
    json!({ "from": truth.from, "entities": entities })
}

/// The parts of the summary that were checked.
fn summary(row: &Assessment<'_>, rule: AlignmentRule) -> Value {
    let has_sections = row.known_sections.is_some();
    let has_entities =
        has_sections || row.wants_one(&[Axis::Correctness, Axis::Consistency, Axis::Relevance]);
    let is_written = row.wants_one(&[Axis::Readability, Axis::Fluency, Axis::Coherence]);
    let with_issues = row.target.sentences.iter().zip(&row.issues);
    let sentences = with_issues
        .map(|(sentence, issues)| json!({ "text": sentence.text, "span": sentence.span, "issues": issues }));
    let mut facts = json!({});
    add(&mut facts, "sections", has_sections.then(|| sections(&row.target)));
    add(&mut facts, "entities", has_entities.then(|| entities(row, rule)));
    add(&mut facts, "sentences", is_written.then(|| sentences.collect::<Vec<Value>>()));
    facts
}

/// The summary's entities: whether they are true, in the right section, and in the references.
fn entities(row: &Assessment<'_>, rule: AlignmentRule) -> Vec<Value> {
    let aligned = row.aligned(rule);
    let mut entities = Vec::with_capacity(row.entities.len());
    for (place, entity) in row.entities.iter().enumerate() {
        let mut facts = json!(entity);
        add(&mut facts, "section", row.known_sections.as_ref().map(|_| entity.section));
        add(&mut facts, "correctness", row.votes(Check::Correctness).get(place));
        add(&mut facts, "alignment", aligned.get(place));
        add(&mut facts, "relevance", row.votes(Check::Relevance).get(place));
        entities.push(facts);
    }
    entities
}

/// The sections of a note, each with the span of the text under its header.
fn sections(note: &Note<'_>) -> Vec<Value> {
    let span = |body: &std::ops::Range<usize>| [body.start, body.end].map(|byte| note.index.character(byte));
    note.sections
        .iter()
        .map(|section| json!({ "header": section.header, "span": span(&section.body) }))
        .collect()
}
