use super::*;
use crate::entities::{self, Axis, EntityAgreement, LabelledRow};

/// A result as `veridic run` writes it: two entities of the reference, two of the summary and its two sentences.
fn result(labels: &str) -> String {
    format!(
        r#"{{"schema":1,"id":"a","score":0.5,"sumautoeval":{{"ground_truth":{{"from":"reference","entities":[
            {{"text":"Fever for two days.","spans":[[0,18]],"completeness":{{"answers":{{}},"vote":"yes"}}}},
            {{"text":"No cough.","spans":[[20,28]],"completeness":{{"answers":{{}},"vote":"no"}}}}]}},
            "summary":{{"entities":[
            {{"text":"Fever.","spans":[[0,5]],"correctness":{{"answers":{{}},"vote":"partial"}},"alignment":{{"by_definition":true,"by_ground_truth":true,"is_aligned":true}}}},
            {{"text":"Pain.","spans":[[7,11],[13,15]],"correctness":{{"answers":{{}},"vote":"unknown"}},"alignment":{{"by_definition":false,"by_ground_truth":false,"is_aligned":false}}}}],
            "sentences":[{{"text":"Fever.","span":[0,6],"issues":[]}},{{"text":"Pain.","span":[7,12],"issues":[{{"kind":"flow"}}]}}]}}}},
            "input":{{"labels":{labels}}}}}"#
    )
    .replace('\n', " ")
}

fn read_results(results: &[String]) -> Result<Vec<LabelledRow>, BenchError> {
    entities::read(Files::new(&[("results.jsonl", results.join("\n"))]).rows(), entities::LABELS)
}

/// Labels, labels without an entity, kappa, and kappa of found or not.
fn figures(found: &EntityAgreement, axis: Axis) -> (f64, f64, Option<f64>, Option<f64>) {
    let found = found["axes"].find(&[("axis", axis.name())]);
    let of = |name: &str| found[name].value();
    (value(&found["labels"]), value(&found["unmatched"]), of("kappa"), of("kappa_found"))
}

#[test]
fn kappa_matches_hand_counts() {
    let first = r#"[{"axis":"completeness","span":[0,5],"answer":"yes"},{"axis":"completeness","text":"no cough. ","answer":"no"},
        {"axis":"correctness","span":[4,20],"answer":"no"},{"axis":"correctness","span":[0,6],"answer":"yes"},
        {"axis":"alignment","text":"Pain.","answer":"no"},{"axis":"readability","span":[0,6],"answer":"yes"},
        {"axis":"correctness","span":[40,50],"answer":"no"}]"#;
    let second = r#"[{"axis":"completeness","span":[18,30],"answer":"partial"},{"axis":"completeness","span":[0,9],"answer":"yes"},
        {"axis":"readability","span":[6,12],"answer":"no"},{"axis":"alignment","text":"Ache.","answer":"no"}]"#;
    let rows = read_results(&[result(first), result(second)]).unwrap();
    let found = entities::agreement(&rows);
    // Ours yes, no, no, yes; human yes, no, partial, yes: 3 of 4 alike; by chance 4/16 + 2/16.
    let kappa = (0.75 - 6.0 / 16.0) / (1.0 - 6.0 / 16.0);
    let (labels, unmatched, exact, binary) = figures(&found, Axis::Completeness);
    assert_eq!((labels, unmatched), (4.0, 0.0));
    assert!((exact.unwrap() - kappa).abs() < 1e-12, "{exact:?}");
    // Found or not: ours yes, no, no, yes; human yes, no, yes, yes: 3 of 4; by chance 6/16 + 2/16.
    assert!((binary.unwrap() - 0.5).abs() < 1e-12, "{binary:?}");
    // [4, 20] shares one character with "Fever." and six with "Pain.". Unknown is not no, but neither is found.
    let (labels, unmatched, exact, binary) = figures(&found, Axis::Correctness);
    assert_eq!((labels, unmatched, exact, binary), (2.0, 1.0, Some(0.0), Some(1.0)));
    assert_eq!(figures(&found, Axis::Alignment), (1.0, 1.0, None, None));
    assert_eq!(figures(&found, Axis::Readability), (2.0, 0.0, Some(1.0), Some(1.0)));
    let lines = entities::table("ours", &found);
    assert_line(&lines, "SumAutoEval, GPT-4o 81.0 54.0 60.0 47.0 published");
    assert_line(&lines, "ours 60.0 0.0 - 100.0");
}

#[test]
fn labels_may_be_fields_of_their_own() {
    let of = r#"[{"axis":"readability","text":"Fever.","answer":"yes"}]"#;
    let row = result("[]").replacen("\"schema\":1", &format!("\"schema\":1,\"people\":{of}"), 1);
    let rows = entities::read(Files::new(&[("results.jsonl", row)]).rows(), "people").unwrap();
    assert_eq!(entities::agreement(&rows)["axes"].list().len(), 1);
}

#[test]
fn bad_labels_are_errors() {
    let label = |rest: &str| format!(r#"[{{"axis":"completeness",{rest}}}]"#);
    for (labels, words) in [
        (label(r#""answer":"yes""#), "line 1|neither `span` nor `text`"),
        (label(r#""answer":"maybe","text":"x""#), "line 1|`labels`|list of labels"),
        (label(r#""answer":"yes","span":[5,5]"#), "line 1|[5, 5]"),
        (label(r#""answer":"yes","span":[90,95]"#), "no label that an entity stands for|1 others"),
    ] {
        assert_says(read_results(&[result(&labels)]).unwrap_err(), words);
    }
    let unmeasured = result(&label(r#""answer":"yes","text":"x""#)).replacen("ground_truth", "rubric", 1);
    assert_says(read_results(&[unmeasured]).unwrap_err(), "labels of completeness, which was not measured");
    let other = r#"{"id":1,"score":0.5,"input":{"labels":[]}}"#.to_owned();
    assert_says(read_results(&[other]).unwrap_err(), "line 1|`sumautoeval`");
    let without = result("[]").replacen("\"labels\"", "\"notes\"", 1);
    assert_says(read_results(&[without]).unwrap_err(), "has no labels|`labels`");
}
