//! Results in the format of versions with calibrations.

use serde_json::{Value, json};

use super::Place;

pub const ROWS: usize = 60;

pub fn document(number: usize) -> String {
    format!("The bridge was closed. It cost {} pounds. Nobody came.", 20 + number)
}

/// The pairs that were judged.
pub fn pairs() -> Vec<Value> {
    let pair = |number: usize| json!({"id": number, "document": document(number), "summary": "The bridge was closed.", "label": number % 2});
    (0..ROWS).map(pair).collect()
}

/// A result as written by versions with calibrations, weighed facts, risk and escalation.
pub fn old_row(number: usize) -> Value {
    let is_consistent = number % 2 == 1;
    let score = if is_consistent { 0.61 + number as f64 / 200.0 } else { 0.2 + number as f64 / 400.0 };
    let verdict = if is_consistent { "supported" } else { "unsure" };
    json!({
        "schema": 1,
        "id": number,
        "score": score,
        "verdict": verdict,
        "limits": {
            "scale": "probability", "supported": 0.58, "contradicted": 0.66, "shared_words": 3, "quantity_nowhere": 0.125,
            "instead": 0.0625, "unsure_above_risk": 0.375, "precision_of_rest": 0.875,
        },
        "claims": [{
            "text": "The bridge was closed.", "summary_spans": [[0, 22]], "score": score, "verdict": verdict,
            "probabilities": {"entailment": 0.9, "neutral": 0.07, "contradiction": 0.03}, "level": "sentence",
            "risk": 0.25,
            "evidence": {"text": "The bridge was closed.", "span": [0, 22], "spans": [[0, 22]]},
            "substitution": null,
            "counter_evidence": null,
            "facts": {"sentence_entailment": 0.9, "contrast_gain": 0.0, "numbers_in_document": 1.0},
            "support": {
                "contributions": [{"fact": "sentence_entailment", "value": 0.9, "adds": 0.4}], "not_found": [], "vetoes": [],
            },
        }],
        "ledger": {
            "document_digest": "0123456789abcdef", "sentences": 3, "premises": 5, "premises_skipped": 1, "premises_split": 0,
            "premises_screened": 2, "screen_pairs": 3, "claims_escalated": 1, "contrast_pairs": 0, "premises_cut": 0,
            "rewritings_left_out": 0, "characters_replaced": 0, "language": {"document": "en", "summary": "en"},
            "claims_from": "sentence",
        },
        "profile": {
            "name": "veridic", "levels": ["sentence", "coref", "window", "document"],
            "score": "entailment - contradiction", "threshold": null, "over_claims": "minimum", "window": 5, "stride": 1,
            "windows": "slices", "screen": {"method": "mini+words", "sentences": 6, "windows": 3, "runs": 1},
            "escalate": 0.0625, "epsilon": 0.1, "contrast": true, "pair_tokens": null, "rewritten_tokens": null,
            "document_tokens": null, "run_tokens": 400, "overflow": "split",
            "verdicts": {"supported": 0.58, "contradicted": 0.66, "shared_words": 3}, "max_tokens": 512, "abstain": 0.2,
            "calibration": "ab".repeat(32), "claims": "sentence", "coref": "rules", "languages": ["en"],
        },
        "models": {
            "nli": {"id": "base", "sha256": "cd".repeat(32), "settings_sha256": "ef".repeat(32), "dtype": "int8"},
            "screen": {"id": "mini", "sha256": "12".repeat(32), "settings_sha256": "34".repeat(32), "dtype": "int8"},
            "claims": null,
            "coref": null,
        },
        "input": {"label": number % 2},
    })
}

pub fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

pub fn place() -> Place {
    let place = Place::new();
    place.write("rows.jsonl", lines(&pairs()));
    place.write("old.jsonl", lines(&(0..ROWS).map(old_row).collect::<Vec<_>>()));
    place
}
