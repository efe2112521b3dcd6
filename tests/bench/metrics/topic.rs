//! The metrics `relevance` and `key-points`: recomputed from the probabilities of `nli` and the facts in the output; the sources
//! of topics and key points, and the errors without them.
use super::nli;
use crate::common::{Place, list, number};
use crate::files::tiny;
use serde_json::{Value, json};

const SUMMARY: [&str; 3] =
    ["The pool in Harwell closes.", "Rust was found in the beams.", "It opened in 1974."];

fn row() -> Value {
    json!({"document": "The pool in Harwell will close. Its beams are rusty.", "summary": SUMMARY.join(" "),
           "topic": "Harwell's swimming pool", "key_points": ["1. The pool closes.", "2. A dog barked at noon."]})
}

/// Runs a file of rows with these settings and returns the first result.
fn run_file(place: &Place, input: &str, sets: &[&str]) -> Value {
    let fixed = ["run", input, "-o", "-", "-q", "--model", tiny(), "--claims", "sentence"];
    let output = place.run(fixed.into_iter().chain(sets.iter().flat_map(|set| ["--set", set])));
    serde_json::from_str(output.stdout.lines().next().unwrap()).unwrap()
}

fn run(place: &Place, row: &Value, sets: &[&str]) -> Value {
    place.write("rows.jsonl", row.to_string());
    run_file(place, "rows.jsonl", sets)
}

fn reason(result: &Value) -> &str {
    result["error"]["reason"].as_str().unwrap()
}

#[test]
fn relevance_is_the_share_of_claims_by_words_or_by_the_model() {
    let place = Place::new();
    let result = run(&place, &row(), &["metric=relevance"]);
    let facts = &result["relevance_facts"];
    assert_eq!(facts["topic"], "Harwell's swimming pool");
    let hypothesis = "This is about Harwell's swimming pool.";
    let nli = nli(&SUMMARY, hypothesis);
    let mut about = 0;
    for ((claim, nli), text) in list(&facts["claims"]).iter().zip(&nli).zip(SUMMARY) {
        assert_eq!(claim["text"], text);
        let entailment = nli[0];
        assert!((number(&claim["entailment"]) - entailment).abs() < 1e-6, "{claim}");
        let expected = number(&claim["similarity"]) >= 0.5 || entailment >= 0.5;
        assert_eq!(claim["is_about_topic"], expected, "{claim}");
        about += usize::from(expected);
    }
    // "harwell" and "pool" of "harwell", "swim" and "pool".
    assert!(number(&facts["claims"][0]["similarity"]) > 0.6, "{facts}");
    assert_eq!((number(&facts["claims"][1]["similarity"]), list(&facts["claims"]).len()), (0.0, 3));
    assert!((number(&result["relevance"]) - about as f64 / 3.0).abs() < 1e-12);
    assert_eq!(number(&result["score"]) as f32, number(&result["relevance"]) as f32);
}

#[test]
fn one_topic_can_be_given_for_all_rows() {
    let place = Place::new();
    let result = run(&place, &row(), &["metric=relevance", "topic=rusty beams"]);
    assert_eq!(result["relevance_facts"]["topic"], "rusty beams");
    place.write("document.txt", "The pool in Harwell will close.");
    place.write("summary.txt", SUMMARY.join(" "));
    let score = |more: &[&str]| {
        place.run(
            [&["score", "document.txt", "summary.txt", "-q", "--model", tiny(), "--format", "json"], more]
                .concat(),
        )
    };
    assert_eq!(
        score(&["--set", "metric=relevance", "--set", "topic=rusty beams"]).json()["relevance_facts"]["topic"],
        "rusty beams"
    );
    assert!(score(&["--set", "metric=relevance"]).error().contains("for all rows in --topic"));
    let unused = score(&["--set", "topic=rust"]).error();
    assert!(unused.contains("--topic rust: is for the metric relevance"), "{unused}");
    for (topic, words) in
        [(json!("the of"), "content word"), (json!(null), "has no topic"), (json!(7), "has no topic")]
    {
        let mut row = row();
        row["topic"] = topic;
        let result = run(&place, &row, &["metric=relevance"]);
        assert!(reason(&result).contains(words), "{result}");
    }
}

#[test]
fn another_topic_judges_all_rows_again() {
    let place = Place::new();
    // The row that fails keeps the journal.
    place.write("rows.jsonl", format!("{}\n{{}}\n", row()));
    let files = ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--on-error", "skip"];
    let fixed = [&files[..], &["--model", tiny(), "--set", "metric=relevance"]].concat();
    place.run(&fixed).ok();
    place.run([&fixed[..], &["--resume", "--set", "topic=rusty beams"]].concat()).ok();
    assert!(place.read("out.jsonl").contains("\"topic\":\"rusty beams\""));
}

#[test]
fn key_points_are_key_facts_without_their_numbers() {
    let place = Place::new();
    let points = run(&place, &row(), &["metric=key-points"]);
    let mut with_facts = row();
    with_facts["key_facts"] = json!(["The pool closes.", "A dog barked at noon."]);
    let completeness = run(&place, &with_facts, &["metric=finesure:completeness"]);
    assert_eq!(points["key_points"], completeness["completeness"]);
    let facts = &points["key_points_facts"];
    let texts: Vec<&Value> = list(&facts["key_points"]).iter().map(|point| &point["text"]).collect();
    assert_eq!(texts, ["The pool closes.", "A dog barked at noon."]);
    assert_eq!(facts["edges"], completeness["finesure"]["edges"]);
    let mut bare = row();
    bare.as_object_mut().unwrap().remove("key_points");
    assert!(reason(&run(&place, &bare, &["metric=key-points"])).contains("`key_points`"));
    let all = run(&place, &bare, &["metric=all"]);
    assert!(all["not_measured"]["key_points"].as_str().unwrap().contains("`key_points`"), "{all}");
    assert!(all["relevance"].is_number());
}

#[test]
fn tables_may_have_key_points_as_a_python_list() {
    let place = Place::new();
    let cells = r#""['1. The pool closes.', ""2. A dog's bark.""]""#;
    place.write("rows.csv", format!("document,summary,key_points\nThe pool closes.,It closes.,{cells}\n"));
    let result = run_file(&place, "rows.csv", &["metric=key-points"]);
    let points = list(&result["key_points_facts"]["key_points"]);
    assert_eq!(points[1]["text"], "A dog's bark.", "{result}");
    place.write("rows.csv", "document,summary,key_points\nThe pool closes.,It closes.,1. The pool\n");
    let result = run_file(&place, "rows.csv", &["metric=key-points"]);
    assert!(reason(&result).contains("`key_points` is not a list"), "{result}");
}
