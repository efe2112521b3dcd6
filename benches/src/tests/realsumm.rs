use super::*;
use crate::benchmarks::realsumm::RealSumm;

/// Two documents, each summarised by three systems.
fn file() -> String {
    let row = |document: &str, model: &str, completeness: &str| {
        format!(
            r#"{{"dataset": "REALSumm", "id": "{document}", "model": "{model}", "document": "Report {document}.", "reference": "<t> it rained . </t> <t> he left . </t>\n", "summary": "{model} says so.", "keyfacts": [{{"text": "It rained.", "present": 0.66}}, {{"text": "He left.", "present": 0.0}}], "human_completeness": {completeness}}}"#
        ) + "\n"
    };
    [
        ("a", "x", "0.0"),
        ("a", "y", "0.5"),
        ("a", "z", "1"),
        ("b", "x", "0.5"),
        ("b", "y", "1.0"),
        ("b", "z", "0.5"),
    ]
    .map(|(document, model, completeness)| row(document, model, completeness))
    .concat()
}

#[test]
fn key_facts_and_reference_are_read_with_a_summary() {
    let reading = read_file(&RealSumm::default(), "realsumm.jsonl", file()).unwrap();
    let case = &reading.cases[1];
    assert_eq!(
        (case.text.as_str(), &*case.document, case.id.as_deref()),
        ("y says so.", "Report a.", Some("a"))
    );
    assert_eq!((case.label.rating.system.as_str(), case.label.rating.value), ("y", 0.5));
    assert_eq!(inputs(case).key_facts, ["It rained.", "He left."]);
    assert_eq!(inputs(case).reference.as_deref(), Some("it rained .\nhe left ."));
    let without = file().replace("\"reference\"", "\"gist\"");
    assert_eq!(
        inputs(&read_file(&RealSumm::default(), "realsumm.jsonl", without).unwrap().cases[0]).reference,
        None
    );
}

#[test]
fn table_has_the_papers_rows() {
    let figures = figures_of(&RealSumm::default(), "realsumm.jsonl", file(), &[0.1, 0.2, 0.5, 0.3, 0.4, 0.3]);
    let lines = RealSumm::default().show("this run", &figures).lines;
    assert_line(&lines, "UniEval 13.4 18.0 34.6 published");
    assert_line(&lines, "6 summaries of 2 documents by 3 systems");
}

#[test]
fn equal_scores_have_no_correlation_and_equal_ratings_are_an_error() {
    let figures = figures_of(&RealSumm::default(), "realsumm.jsonl", file(), &[0.5; 6]);
    let of = ["pearson", "spearman", "system_spearman"].map(|name| &figures[name]);
    assert_eq!(of, [&Figures::None; 3]);
    let lines = RealSumm::default().show("x", &figures).lines;
    assert_line(&lines, "x - - -");
    assert!(lines.iter().any(|line| line.starts_with("warning: all scores are 0.5")), "{lines:?}");
    let same = file().replace("0.0}\n", "1}\n").replace("0.5}\n", "1}\n");
    let same = read_file(&RealSumm::default(), "realsumm.jsonl", same).unwrap();
    let error = RealSumm::default().check(&same.cases).unwrap_err();
    assert_says(error, "the share of key facts of all 6 summaries is 1");
}

#[test]
fn bad_rows_are_errors() {
    let key_facts = r#"[{"text": "It rained.", "present": 0.66}, {"text": "He left.", "present": 0.0}]"#;
    let changes = [
        ("\"keyfacts\"", "\"facts\"", "`keyfacts`|facts"),
        ("\"text\"", "\"fact\"", "`keyfacts`|text"),
        ("completeness\": 0.0", "completeness\": 50", "`human_completeness`|0 to 1"),
        ("completeness\": 0.0", "completeness\": null", "`human_completeness`|null"),
        ("\"model\"", "\"system\"", "`model`"),
        ("\"summary\"", "\"gist\"", "`summary`"),
        (key_facts, "[]", "is empty"),
    ];
    assert_changes_refused(&RealSumm::default(), "realsumm.jsonl", file().lines().next().unwrap(), &changes);
    assert_eq!(refusal(&RealSumm::default(), "realsumm.jsonl", ""), "holds no rows");
}
