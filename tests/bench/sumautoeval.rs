//! The metric sumautoeval: entities, votes and numbers, recomputed from the facts in the output.
use crate::common::{Place, list, number, slice};
use crate::files::tiny;
use serde_json::{Value, json};

const SUMMARY: &str = "History: asthma since 2010\nImaging:\nX-ray of the chest was normal.";
const REFERENCE: &str = "History: asthma, hay fever\nImaging:\nX-ray of the chest was normal.\nPlan: Rest";

fn row() -> Value {
    json!({
        "id": 1,
        "document": "I have asthma and hay fever. The x-ray of your chest was normal. You should rest.",
        "summary": SUMMARY,
        "ground_truth": REFERENCE,
        "sections": {"imaging": "scans such as an x-ray", "history": "illnesses such as asthma"},
    })
}

/// Runs rows with settings that are separated by spaces; returns the results, and what the program says.
fn run_rows(place: &Place, rows: &[Value], sets: &str) -> (Vec<Value>, String) {
    place.write("rows.jsonl", rows.iter().map(|row| format!("{row}\n")).collect::<String>());
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", tiny()];
    let sets = sets.split(' ').flat_map(|set| ["--set", set]);
    let messages = place.run(fixed.into_iter().chain(sets)).stderr;
    let lines = place.read("out.jsonl");
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), messages)
}

fn run(row: &Value, sets: &str) -> Value {
    run_rows(&Place::new(), std::slice::from_ref(row), sets).0.swap_remove(0)
}

/// The vote of three answers, and its points.
fn voted(check: &Value) -> f64 {
    let answers: Vec<&str> =
        check["answers"].as_object().unwrap().values().map(|a| a.as_str().unwrap()).collect();
    let count = |wanted: &str| answers.iter().filter(|answer| **answer == wanted).count();
    let vote = match answers.iter().find(|answer| count(answer) >= 2) {
        Some(_) if count("partial") == 2 && count("yes") == 1 => "yes",
        Some(answer) => answer,
        None => "no",
    };
    assert_eq!(check["vote"], vote, "{check}");
    match vote {
        "yes" => 1.0,
        "partial" => 0.5,
        _ => 0.0,
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

fn assert_near(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn scores_are_the_votes_of_their_entities() {
    let result = run(&row(), "metric=sumautoeval:correctness,alignment,consistency,relevance,coherence");
    let facts = &result["sumautoeval"];
    let (truth, summary) = (list(&facts["ground_truth"]["entities"]), list(&facts["summary"]["entities"]));
    let texts = |entities: &[Value]| -> Vec<String> {
        entities.iter().map(|entity| entity["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(truth), ["asthma", "hay fever", "X-ray of the chest was normal.", "Rest"]);
    assert_eq!(texts(summary), ["asthma since 2010", "X-ray of the chest was normal."]);
    assert_eq!(slice(REFERENCE, &truth[1]["spans"][0]), "hay fever");
    assert_eq!(slice(SUMMARY, &summary[0]["spans"][0]), "asthma since 2010");
    assert_near(&result["sumautoeval_correctness"], mean(summary.iter().map(|e| voted(&e["correctness"]))));
    assert_near(&result["score"], f64::from(number(&result["sumautoeval_correctness"]) as f32));
    let found = |entities: &[Value], check: &str| {
        mean(entities.iter().map(|e| f64::from(u8::from(voted(&e[check]) > 0.0))))
    };
    assert_near(&result["sumautoeval_consistency"], 1.0 + 4.0 * found(summary, "correctness"));
    let both = (found(truth, "completeness") + found(summary, "relevance")) / 2.0;
    assert_near(&result["sumautoeval_relevance"], 1.0 + 4.0 * both);
    assert_near(&result["sumautoeval_coherence"], 5.0);
    // Both entities share a word with the definition of their section, and with that of no other.
    for entity in summary {
        assert_eq!(entity["alignment"]["by_definition"], true, "{entity}");
    }
    assert_near(&result["sumautoeval_alignment"], 1.0);
}

#[test]
fn the_alignment_rule_all_needs_both_checks() {
    let mut row = row();
    row["ground_truth"] = "Imaging:\nX-ray of the chest was normal.\nPlan: Rest".into();
    let result = run(&row, "metric=sumautoeval:alignment alignment_rule=all");
    let entities = list(&result["sumautoeval"]["summary"]["entities"]);
    // The ground truth has no history.
    assert_eq!(entities[0]["alignment"]["by_ground_truth"], false);
    let aligned = entities.iter().map(|e| f64::from(u8::from(e["alignment"]["is_aligned"] == true)));
    assert_near(&result["sumautoeval_alignment"], mean(aligned));
    assert_eq!(entities[0]["alignment"]["is_aligned"], false);
    assert!(result.get("sumautoeval_correctness").is_none(), "only the chosen axes are measured");
}

#[test]
fn a_rubric_has_the_entities_of_five_references() {
    let references =
        ["The pool will close.", "The pool closes in May.", "The pool closed.", "A pool is closing."];
    let mut row = json!({"document": "The pool will close.", "summary": "The pool will close.", "references": references});
    let few = run(&row, "metric=sumautoeval:relevance");
    assert!(few["error"]["reason"].as_str().unwrap().contains("at least 5"), "{few}");
    row["references"].as_array_mut().unwrap().push("Rain fell. The old pool closes.".into());
    let rubric = &run(&row, "metric=sumautoeval:relevance")["sumautoeval"]["rubric"];
    assert_eq!(rubric["from"], "rubric");
    assert_eq!(list(&rubric["entities"]).len(), 1, "{rubric}");
    assert_eq!(rubric["entities"][0]["reference"], 0);
}

#[test]
fn a_run_reports_the_agreement_of_the_checks() {
    let place = Place::new();
    let rows = [row(), row()];
    let metric = "metric=sumautoeval:correctness";
    let (_, messages) = run_rows(&place, &rows, metric);
    let line = messages.lines().find(|line| line.starts_with("sumautoeval correctness:")).unwrap();
    assert!(line.contains("Fleiss' kappa") && line.ends_with("over 4 entities"), "{line}");
    // Also from the journal, which a row that fails keeps.
    place.write("broken.jsonl", place.read("rows.jsonl") + "\n{}\n");
    let files = ["run", "broken.jsonl", "-o", "again.jsonl", "--on-error", "skip"];
    let judged = [&files[..], &["--set", metric, "--model", tiny()]].concat();
    place.run(&judged).ok();
    assert!(place.run([&judged[..], &["--resume"]].concat()).stderr.contains(line));
}

#[test]
fn missing_texts_and_answers_are_errors_or_reasons() {
    let place = Place::new();
    let bare = json!({"document": "The pool closes.", "summary": "The pool closes."});
    let lacks = |row: &Value, sets: &str| run(row, sets)["error"]["reason"].as_str().unwrap().to_owned();
    assert!(lacks(&bare, "metric=sumautoeval:relevance").contains("no `reference`"));
    let mut plain = bare.clone();
    plain["reference"] = "The pool closes.".into();
    assert!(lacks(&plain, "metric=sumautoeval:alignment").contains("has no sections"));
    assert!(run(&bare, "metric=sumautoeval:correctness")["sumautoeval_correctness"].is_number());
    let all = run(&plain, "metric=all");
    assert!(all["sumautoeval_correctness"].is_number(), "{all}");
    assert!(all["not_measured"]["sumautoeval_alignment"].as_str().unwrap().contains("sections"), "{all}");
    for axis in ["completeness", "readability"] {
        let reason = all["not_measured"][format!("sumautoeval_{axis}")].as_str().unwrap();
        assert!(reason.contains("needs a language model's answers"), "{all}");
    }
    for (metric, axis) in [("sumautoeval:fluency", "fluency"), ("sumautoeval", "completeness")] {
        let refused = place.score_tiny("A b.", "A b.", &["--set", &format!("metric={metric}")]).error();
        assert!(
            refused.contains(&format!("sumautoeval:{axis}")) && refused.contains("--answers FILE"),
            "{refused}"
        );
    }
}
