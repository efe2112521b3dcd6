//! `--abstain`: claims whose score is near the limit of support are unsure.
use crate::common::labelled::{json_lines, rows, run};
use crate::common::server::Server;
use crate::common::{Place, number, screened_by_words};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// A distance from the limit that includes the score of the rows without a foreign number, but not the cap of the others.
const DISTANCE: &str = "0.1";

/// The results of the first rows.
fn judged(place: &Place, count: usize, output: &str, more: &[&str]) -> Vec<Value> {
    run(place, &rows()[..count], output, &screened_by_words(more));
    json_lines(&place.read(output))
}

#[test]
fn claims_near_the_limit_are_unsure() {
    let place = Place::new();
    let on = |output: &str, more: &[&str]| judged(&place, 20, output, more);
    let plain = on("plain.jsonl", &[]);
    assert!(plain[0]["limits"].get("unsure_within").is_none());
    assert!(plain[0]["profile"].get("abstain").is_none());
    // 0 is off, to the byte.
    for off in ["0", "off"] {
        let output = format!("{off}.jsonl");
        on(&output, &["--abstain", off]);
        assert_eq!(place.read(&output), place.read("plain.jsonl"), "{off}");
    }
    let abstained = on("abstained.jsonl", &["--abstain", DISTANCE]);
    let mut unsure = 0;
    for (row, plain) in abstained.iter().zip(&plain) {
        let claim = &row["claims"][0];
        let distance = number(&row["limits"]["unsure_within"]);
        let is_unsure = (number(&claim["score"]) - number(&row["limits"]["supported"])).abs() < distance;
        let expected = if is_unsure { &json!("unsure") } else { &plain["verdict"] };
        assert_eq!((&claim["verdict"], &row["verdict"]), (expected, expected), "{row}");
        assert_eq!((&row["score"], &row["profile"]["abstain"]), (&plain["score"], &json!(0.1)), "{row}");
        assert!(
            !is_unsure || claim["counter_evidence"].is_null() && claim.get("unsupported_words").is_none()
        );
        unsure += usize::from(is_unsure);
    }
    // A rule that caps a claim is sure of it.
    assert_eq!(unsure, 10);
    // By a key, as by the flag.
    on("key.jsonl", &["--set", "abstain=0.1"]);
    assert_eq!(place.read("key.jsonl"), place.read("abstained.jsonl"));
    // Alone, in other batches and other order as together.
    let mut reversed = rows()[..20].to_vec();
    reversed.reverse();
    let more = screened_by_words(&["--abstain", DISTANCE, "--set", "batch_tokens=1"]);
    run(&place, &reversed, "reversed.jsonl", &more);
    let mut again = json_lines(&place.read("reversed.jsonl"));
    again.reverse();
    for (row, again) in abstained.iter().zip(&again) {
        assert_eq!((&row["claims"], &row["verdict"]), (&again["claims"], &again["verdict"]));
    }
}

/// The distance is measured from the limit in effect, whatever it is.
#[test]
fn the_distance_is_from_the_limit_of_the_rules() {
    let place = Place::new();
    // The score of the second row is capped at this.
    let most = &judged(&place, 2, "plain.jsonl", &[])[1]["limits"]["quantity_nowhere"];
    let more = ["--abstain", "0.05", "--set", &format!("supported={most}")];
    let verdicts = judged(&place, 2, "scores.jsonl", &more);
    assert_eq!(json!([verdicts[0]["verdict"], verdicts[1]["verdict"]]), json!(["supported", "unsure"]));
}

#[test]
fn unsure_rows_are_told_and_never_fail() {
    let place = Place::new();
    let more = ["--dtype", "f32", "--abstain", "0.5"];
    for on in ["contradicted", "unsupported"] {
        judged(&place, 20, &format!("{on}.jsonl"), &["--abstain", "0.5", "--fail-on", on]);
    }
    let told = place.run_tiny(&[&["run", "rows.jsonl", "-o", "told.jsonl"], &more[..]].concat());
    assert!(told.stderr.contains("20 of 20 verdicts are unsure"), "{}", told.stderr);
    let report =
        ["report", "unsupported.jsonl", "--source", "rows.jsonl", "--label", "label", "-o", "r.html"];
    place.run(report).ok();
    let row = rows()[0].clone();
    place.write("document.txt", row["document"].as_str().unwrap());
    place.write("summary.txt", row["summary"].as_str().unwrap());
    let score = ["score", "document.txt", "summary.txt", "--fail-on", "unsupported"];
    let text = place.run_tiny(&[&score, &more[..]].concat()).ok();
    assert!(text.contains("unsure") && text.contains("unsure within 0.50 of that limit"), "{text}");
}

#[test]
fn a_distance_is_between_probabilities() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    let refused =
        ["1", "-0.1", "nan", "0.2 --set score=e-t", "0.2 --profile paper", "0.2 --profile released"]
            .map(|distance| format!("score d.txt d.txt --abstain {distance}"));
    assert_snapshot!("distances", place.refusals(&refused));
}

#[test]
fn the_server_abstains_as_the_program_does() {
    let place = Place::new();
    let judged = judged(&place, 8, "abstained.jsonl", &["--abstain", DISTANCE]);
    let server = Server::tiny(&["--dtype", "f32", "--abstain", DISTANCE]);
    for (row, expected) in rows().iter().zip(judged) {
        let pair = json!({"document": row["document"], "summary": row["summary"]});
        let answer = server.post("/v1/score", &pair).ok();
        for field in ["verdict", "claims", "limits"] {
            assert_eq!(answer[field], expected[field], "{field}");
        }
    }
}
