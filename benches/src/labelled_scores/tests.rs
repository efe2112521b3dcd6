use super::*;
use crate::tests::Files;

fn read(name: &str, content: &str) -> Result<LabelledScores, BenchError> {
    LabelledScores::read(Files::new(&[(name, content)]).rows(), "label")
}

fn rows(name: &str, content: &str) -> Vec<(Option<String>, f64, bool)> {
    let scores = read(name, content).unwrap();
    let ids = scores.0.iter().map(|row| row.id.clone());
    ids.zip(scores.judged()).map(|(id, (score, label))| (id, score, label)).collect()
}

#[track_caller]
fn assert_refused(name: &str, content: &str, words: &str) {
    let error = read(name, content).unwrap_err().to_string();
    assert!(words.split('|').all(|word| error.contains(word)), "{error}");
}

fn expected(rows: &[(&str, f64, bool)]) -> Vec<(Option<String>, f64, bool)> {
    rows.iter().map(|(id, score, label)| (Some((*id).to_owned()), *score, *label)).collect()
}

#[test]
fn json_lines_and_table_give_the_same_rows() {
    let lines = r#"{"schema":1,"id":7,"score":0.25,"verdict":"supported","claims":[],"input":{"label":1}}
{"schema":1,"id":"b","score":-1,"verdict":"contradicted","claims":[],"input":{"label":0,"x":[2]}}
"#;
    let table = "id,row,score,verdict,error.reason,claims,input.label,input\n\
        7,,0.25,supported,,[],1,\n\
        b,,-1,contradicted,,[],0,\"{\"\"x\"\":[2]}\"\n";
    let both = expected(&[("7", 0.25, true), ("b", -1.0, false)]);
    assert_eq!(rows("a.jsonl", lines), both);
    assert_eq!(rows("a.csv", table), both);
    assert_eq!(rows("a.tsv", &table.replace("\"{\"\"x\"\":[2]}\"", "").replace(',', "\t")), both);
}

#[test]
fn label_is_read_from_row_or_passed_through_fields() {
    let places = [
        r#"{"score":1,"label":1}"#,
        r#"{"score":1,"input":{"label":1}}"#,
        r#"{"score":1,"label":0,"input":{"label":1}}"#,
        r#"{"score":1,"label":1,"input":{"label":null}}"#,
        r#"{"score":1,"input.label":1,"label":0}"#,
        r#"{"score":1,"input":"{\"label\":1}"}"#,
        r#"{"score":1,"label":1,"input":"no JSON"}"#,
    ];
    assert_eq!(rows("a.jsonl", &places.join("\n")), vec![(None, 1.0, true); places.len()]);
}

#[test]
fn unjudged_rows_are_listed_separately() {
    let lines = r#"{"id":1,"error":{"file":"a","line":1,"row":null,"reason":"the document is empty"},"input":{}}
{"id":2,"score":0.5,"input":{"label":1}}
{"id":3,"error":"something"}
"#;
    let scores = read("a.jsonl", lines).unwrap();
    let outcomes = [Outcome::NotJudged, Outcome::Judged { score: 0.5, label: true }, Outcome::NotJudged];
    assert_eq!(scores.0.iter().map(|row| row.outcome).collect::<Vec<_>>(), outcomes);
    assert_eq!(
        scores.0.iter().map(|row| row.id.as_deref()).collect::<Vec<_>>(),
        [Some("1"), Some("2"), Some("3")]
    );

    let table = "id,score,error.reason,input.label\n1,,the document is empty,1\n2,0.5,,1\n";
    let scores = read("a.csv", table).unwrap();
    assert_eq!((scores.count(Outcome::NotJudged), scores.judged().count()), (1, 1));
}

/// One row without a label ended `compare` and `calibrate`.
#[test]
fn rows_without_a_label_are_left_out() {
    let lines = r#"{"id":1,"score":0.5,"input":{}}
{"id":2,"score":0.5,"input":{"label":""}}
{"id":3,"score":0.5,"input":{"label":1}}
{"id":4,"score":0.5,"label":null}
{"id":5,"error":"something"}
"#;
    let scores = read("a.jsonl", lines).unwrap();
    let counts = [Outcome::NoLabel, Outcome::NotJudged].map(|outcome| scores.count(outcome));
    assert_eq!((counts, scores.judged().collect::<Vec<_>>()), ([3, 1], vec![(0.5, true)]));
    let table = read("a.csv", "id,score,input.label\n1,0.5,\n2,0.5,0\n").unwrap();
    assert_eq!((table.judged().count(), table.count(Outcome::NoLabel)), (1, 1));
}

#[test]
fn empty_id_is_no_id() {
    let table = "id,score,label\n,0.5,1\n\"\",0.5,1\n";
    assert_eq!(rows("a.csv", table), [(None, 0.5, true), (None, 0.5, true)]);
    assert_eq!(rows("a.jsonl", r#"{"id":null,"score":0,"label":0}"#), [(None, 0.0, false)]);
}

#[test]
fn row_without_a_score_is_an_error() {
    let judged = r#"{"id":1,"score":0.5,"input":{"label":1}}"#;
    for (row, words) in [
        (r#"{"id":1,"verdict":"supported"}"#, "no field `score`|id, verdict"),
        (r#"{"score":null,"label":1}"#, "`score` is empty"),
        (r#"{"score":"high","label":1}"#, "`score`|finite number"),
        (r#"{"score":"NaN","label":1}"#, "finite number"),
        (r#"{"score":1e999,"label":1}"#, "finite number"),
        (r#"{"score":0.5,"label":2}"#, "`label`|1 (consistent) or 0"),
        (r#"{"score":0.5,"label":"nan"}"#, "`label`|1 (consistent) or 0"),
        (r#"{"score":[1],"label":1}"#, "finite number"),
        (r#"{"schema":1,"shard":{"index":1,"of":2}}"#, "one shard|veridic merge"),
        (r#"{"id":1,"score":0.5,"claim_index":0,"claims":2,"input":{"label":1}}"#, "one claim"),
        (r#"{"score":0.5,"score":0.6,"label":1}"#, "given twice"),
        ("{", "JSON"),
    ] {
        assert_refused("a.jsonl", &format!("{judged}\n{row}\n"), &format!("a.jsonl: line 2: |{words}"));
    }
}

#[test]
fn file_without_scores_is_an_error() {
    assert_refused("a.jsonl", "\n", "holds no rows");
    assert_refused("a.csv", "id,score,label\n", "holds no rows");
    let none = r#"{"error":{"reason":"is empty"}}"#;
    assert_refused("a.jsonl", &format!("{none}\n{none}\n"), "none of its 2 rows|could be judged");
    let unlabelled = r#"{"score":0.5,"input":{"gold":1,"x":2}}"#;
    let words = "none of its 2 rows|in the field `label`|passed-through fields: gold, x|set --label";
    assert_refused("a.jsonl", &format!("{unlabelled}\n{none}\n"), words);
    assert_refused("a.jsonl", r#"{"id":1,"score":0.5,"input":{}}"#, "its fields: id, score, input");
}

#[test]
fn errors_quote_no_value_and_few_names() {
    let text = "She was seen on Monday.";
    for row in [
        format!(r#"{{"score":"{text}","label":1}}"#),
        format!(r#"{{"score":1,"label":"{text}"}}"#),
        format!(r#"{{"score":1,"{text}":1}}"#),
        format!("{{\"score\":1{}}}", (0..5000).map(|i| format!(",\"field{i}\":1")).collect::<String>()),
    ] {
        let error = read("a.jsonl", &row).unwrap_err().to_string();
        assert!(error.len() < 400 && !error.contains("Monday"), "{error}");
    }
}
