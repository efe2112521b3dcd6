//! Converts facts about normalised texts to facts about the given texts.

use serde::Deserialize;
use serde_json::Value;
use veridic::Span;
use veridic::pipeline::Normalized;
use veridic::text::NormalizedText;

use super::inputs::MetricInputs;
use super::measures::Measures;

/// Converts the facts of a row.
pub(super) fn relocate_facts(measures: &mut Measures, read: &Normalized<'_>, given: &MetricInputs) {
    measures.facts_mut().for_each(|facts| relocate(facts, read.summary(), given));
}

/// Converts the spans of normalized texts, and the texts next to them, to those of the given texts: of the summary, except
/// for SumAutoEval's entities of references.
fn relocate(facts: &mut Value, text: &NormalizedText<'_>, given: &MetricInputs) {
    match facts {
        Value::Array(list) => list.iter_mut().for_each(|facts| relocate(facts, text, given)),
        Value::Object(members) => {
            let mut own = members.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
            for (name, value) in members.iter_mut() {
                match name.as_str() {
                    "span" => move_spans(std::slice::from_mut(value), text, &mut own),
                    "spans" => {
                        move_spans(value.as_array_mut().map_or(&mut [], Vec::as_mut_slice), text, &mut own);
                    }
                    "ground_truth" | "rubric" => relocate_truth(value, given),
                    _ => relocate(value, text, given),
                }
            }
            members.entry("text").and_modify(|text| *text = own.into());
        }
        _ => {}
    }
}

fn relocate_truth(truth: &mut Value, given: &MetricInputs) {
    for entity in truth["entities"].as_array_mut().into_iter().flatten() {
        let reference = match entity["reference"].as_u64() {
            Some(number) => given.references.get(number as usize),
            None => given.reference.as_ref(),
        };
        relocate(entity, &NormalizedText::of(reference.map_or("", String::as_str)), given);
    }
}

/// Moves spans in JSON, and the text beside them.
fn move_spans(list: &mut [Value], text: &NormalizedText<'_>, own: &mut String) {
    let spans: Option<Vec<Span>> = list.iter().map(|span| Span::deserialize(span).ok()).collect();
    let Some(mut spans) = spans else { return };
    text.relocate(&mut spans, own);
    for (place, span) in list.iter_mut().zip(spans) {
        *place = serde_json::json!(span);
    }
}
