//! Results of versions with calibrations can still be read: fields that are no longer written are ignored.
use crate::common::old::{ROWS, lines, old_row, place};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

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
    // A table has columns for the fields that versions write, and one for all others: nothing is lost.
    place.run(["merge", "s1.jsonl", "s2.jsonl", "-o", "merged.csv", "--columns", "all"]).ok();
    let table = place.read("merged.csv");
    assert!(table.starts_with("id,row,score,verdict,"), "{}", &table[..80]);
    for part in ["unsure_above_risk", "claims_escalated", "escalate", &"ab".repeat(32)] {
        assert!(table.contains(part), "{part}");
    }
    let fixed = ["report", "merged.csv", "-o", "r.html", "--source", "rows.jsonl", "--label", "label"];
    assert!(place.run(fixed).stderr.contains(&format!("{ROWS} judged rows")));
}
