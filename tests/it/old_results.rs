//! Results of versions with calibrations are still read: their fields that no version writes any more are passed over.
use crate::common::{Place, list, number, tiny};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const ROWS: usize = 60;

fn document(number: usize) -> String {
    format!("The bridge was closed. It cost {} pounds. Nobody came.", 20 + number)
}

/// The pairs that were judged.
fn pairs() -> Vec<Value> {
    let pair = |number: usize| json!({"id": number, "document": document(number), "summary": "The bridge was closed.", "label": number % 2});
    (0..ROWS).map(pair).collect()
}

/// A result as versions with calibrations, weighed facts, risk and escalation wrote it.
fn old_row(number: usize) -> Value {
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

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn place() -> Place {
    let place = Place::new();
    place.write("rows.jsonl", lines(&pairs()));
    place.write("old.jsonl", lines(&(0..ROWS).map(old_row).collect::<Vec<_>>()));
    place
}

#[test]
fn a_report_of_old_results_is_written() {
    let place = place();
    let fixed = ["report", "old.jsonl", "-o", "r.html", "--source", "rows.jsonl", "--label", "label"];
    let made = place.run(fixed);
    assert!(made.stderr.contains(&format!("{ROWS} judged rows")), "{}", made.stderr);
    made.ok();
    assert!(place.read("r.html").starts_with("<!doctype html>"));
}

#[test]
fn old_results_are_compared_with_new_ones() {
    let place = place();
    let tiny = tiny();
    let more = ["--model", &tiny, "--set", "screen=off", "-q"];
    place.run(["run", "rows.jsonl", "-o", "new.jsonl"].iter().chain(&more)).ok();
    let fixed = ["compare", "old.jsonl", "new.jsonl", "--label", "label", "--format", "json"];
    let result = place.run(fixed).json();
    let area = list(&result["measures"]).iter().find(|measure| measure["measure"] == "roc_auc");
    let area = area.unwrap_or_else(|| panic!("{result}"));
    assert!(area.to_string().contains('1'), "{area}");
    assert_eq!(place.run(["compare", "old.jsonl", "old.jsonl", "--label", "label"]).code, 0);
}

#[test]
fn old_shards_are_merged() {
    let place = place();
    let rows: Vec<Value> = (0..ROWS).map(old_row).collect();
    for shard in 0..2 {
        let own: Vec<Value> = (0..ROWS)
            .filter(|number| number % 2 == shard)
            .map(|number| {
                let mut row = rows[number].clone();
                row["row"] = json!(number);
                row
            })
            .collect();
        let text = lines(&own);
        let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
        let last = json!({"schema": 1, "shard": {
            "index": shard + 1, "of": 2, "rows": own.len(), "input_rows": ROWS, "input_sha256": "aa", "settings_sha256": "bb",
            "rows_sha256": digest,
        }});
        place.write(&format!("s{}.jsonl", shard + 1), format!("{text}{last}\n"));
    }
    place.run(["merge", "s1.jsonl", "s2.jsonl", "-o", "merged.jsonl"]).ok();
    let merged: Vec<Value> =
        place.read("merged.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(merged, rows);
    // A table has columns for what versions write, and the rest beside them: nothing is lost.
    place.run(["merge", "s1.jsonl", "s2.jsonl", "-o", "merged.csv"]).ok();
    let table = place.read("merged.csv");
    assert!(table.starts_with("id,row,score,verdict,"), "{}", &table[..80]);
    for part in ["unsure_above_risk", "claims_escalated", "escalate", &"ab".repeat(32)] {
        assert!(table.contains(part), "{part}");
    }
    let fixed = ["report", "merged.csv", "-o", "r.html", "--source", "rows.jsonl", "--label", "label"];
    assert!(place.run(fixed).stderr.contains(&format!("{ROWS} judged rows")));
}

/// A limit can be fitted to old scores as to new ones.
#[test]
fn a_limit_is_fitted_to_old_results() {
    let place = place();
    let fixed = ["calibrate", "old.jsonl", "--label", "label", "--format", "json", "--document", "id"];
    let rows: Vec<Value> = (0..ROWS)
        .map(|number| {
            let mut row = old_row(number);
            row["input"]["id"] = json!(number);
            row
        })
        .collect();
    place.write("old.jsonl", lines(&rows));
    let report = place.run(fixed.iter().chain(&["-o", "c.toml"])).json();
    assert_eq!((&report["rows"], &report["documents"]), (&json!(ROWS), &json!(ROWS)));
    let limit = number(&report["supported"]["value"]);
    assert!((0.35..0.61).contains(&limit), "{report}");
    assert!(place.read("c.toml").contains("id = \"base\""));
}
