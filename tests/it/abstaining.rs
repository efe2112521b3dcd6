//! `--abstain`: claims whose score is near the limit of support are unsure.
use crate::common::labelled::{json_lines, rows, run};
use crate::common::server::Server;
use crate::common::{Place, number, tiny};
use serde_json::json;

/// A distance from the limit that includes the score of the rows without a foreign number, but not the cap of the others.
const DISTANCE: &str = "0.1";

#[test]
fn claims_near_the_limit_are_unsure() {
    let place = Place::new();
    let on = |output: &str, more: &[&str]| {
        run(&place, &rows(), output, more);
        json_lines(&place.read(output))
    };
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
    assert_eq!(unsure, 40);
    // By a key, as by the flag.
    on("key.jsonl", &["--set", "abstain=0.1"]);
    assert_eq!(place.read("key.jsonl"), place.read("abstained.jsonl"));
    // Alone, in other batches and other order as together.
    let mut reversed = rows();
    reversed.reverse();
    run(&place, &reversed, "reversed.jsonl", &["--abstain", DISTANCE, "--set", "batch_tokens=1"]);
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
    run(&place, &rows()[..2], "plain.jsonl", &[]);
    // The score of the second row is capped at this.
    let most = json_lines(&place.read("plain.jsonl"))[1]["limits"]["quantity_nowhere"].clone();
    let supported = format!("supported={most}");
    run(&place, &rows()[..2], "scores.jsonl", &["--abstain", "0.05", "--set", &supported]);
    let verdicts: Vec<String> = json_lines(&place.read("scores.jsonl"))
        .iter()
        .map(|row| row["verdict"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(verdicts, ["supported", "unsure"]);
}

#[test]
fn unsure_rows_are_told_and_never_fail() {
    let place = Place::new();
    let lines: Vec<String> = rows().iter().map(|row| row.to_string()).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let tiny = tiny();
    let with = ["--model", &tiny, "--dtype", "f32", "--abstain", "0.5"];
    for on in ["contradicted", "unsupported"] {
        let output = place
            .run(["run", "rows.jsonl", "-o", &format!("{on}.jsonl"), "--fail-on", on].iter().chain(&with));
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(output.stderr.contains("80 of 80 verdicts are unsure"), "{}", output.stderr);
    }
    let table = place.run(
        ["report", "unsupported.jsonl", "--source", "rows.jsonl", "--label", "label", "-o", "r.html"].iter(),
    );
    assert_eq!(table.code, 0, "{}", table.stderr);
    let row = rows()[0].clone();
    place.write("document.txt", row["document"].as_str().unwrap());
    place.write("summary.txt", row["summary"].as_str().unwrap());
    let output =
        place.run(["score", "document.txt", "summary.txt", "--fail-on", "unsupported"].iter().chain(&with));
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(
        output.stdout.contains("unsure") && output.stdout.contains("unsure within 0.50 of that limit"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_distance_is_between_probabilities() {
    let place = Place::new();
    let tiny = tiny();
    place.write("document.txt", "The cat sat.");
    for (more, parts) in [
        (&["--abstain", "1"][..], &["--abstain 1", "from 0 to 0.5, or off"][..]),
        (&["--abstain", "-0.1"], &["--abstain -0.1", "from 0 to 0.5"]),
        (&["--abstain", "nan"], &["--abstain nan", "from 0 to 0.5"]),
        (&["--abstain", "0.2", "--set", "score=e-t"], &["--abstain 0.2", "needs `score=e`", "e-t"]),
        (&["--abstain", "0.2", "--profile", "paper"], &["--abstain 0.2", "needs `score=e`", "e-t"]),
        (&["--abstain", "0.2", "--profile", "released"], &["--abstain 0.2", "needs `score=e`", "e-n"]),
    ] {
        let fixed = ["score", "document.txt", "document.txt", "--model", &tiny];
        let error = place.run(fixed.iter().chain(more)).error();
        assert!(parts.iter().all(|part| error.contains(part)), "{more:?}: {error}");
    }
}

#[test]
fn the_server_abstains_as_the_program_does() {
    let place = Place::new();
    run(&place, &rows()[..8], "abstained.jsonl", &["--abstain", DISTANCE, "--set", "screen=words:8"]);
    let server = Server::tiny(&["--dtype", "f32", "--abstain", DISTANCE]);
    for (row, expected) in rows().iter().zip(json_lines(&place.read("abstained.jsonl"))) {
        let pair = json!({"document": row["document"], "summary": row["summary"]});
        let answer = server.post("/v1/score", &pair).ok();
        for field in ["verdict", "claims", "limits"] {
            assert_eq!(answer[field], expected[field], "{field}");
        }
    }
}
