use super::*;
use crate::realsumm::RealSumm;

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
    assert_eq!((case.label.system.as_str(), case.label.rating), ("y", 0.5));
    assert_eq!(inputs(case).key_facts, ["It rained.", "He left."]);
    assert_eq!(inputs(case).reference.as_deref(), Some("it rained .\nhe left ."));
    let without = file().replace("\"reference\"", "\"gist\"");
    assert_eq!(
        inputs(&read_file(&RealSumm::default(), "realsumm.jsonl", without).unwrap().cases[0]).reference,
        None
    );
}

#[test]
fn figures_match_hand_counts() {
    let reading = read_file(&RealSumm::default(), "realsumm.jsonl", file()).unwrap();
    let figures = RealSumm::default().figures(&reading.cases, &[0.1, 0.2, 0.5, 0.3, 0.4, 0.3]).unwrap();
    let counts = ["summaries", "documents", "systems"].map(|name| value(&figures[name]));
    assert_eq!(counts, [6.0, 2.0, 3.0]);
    // Deviations of scores: -.2, -.1, .2, 0, .1, 0; of the shares, whose mean is 7/12: -7, -1, 5, -1, 5, -1 twelfths.
    let expected = (3.0 / 12.0) / (0.1_f64 * (102.0 / 144.0)).sqrt();
    assert_near(&figures["pearson"], expected);
    // Ranks 1, 2, 6, 3.5, 5, 3.5 and 1, 3, 5.5, 3, 5.5, 3.
    let expected = 15.0 / (17.0_f64 * 15.0).sqrt();
    assert_near(&figures["spearman"], expected);
    // The systems' means: 0.2, 0.3, 0.4 and 0.25, 0.75, 0.75.
    assert_near(&figures["system_spearman"], 0.75_f64.sqrt());
    let lines = RealSumm::default().show("this run", &figures).lines;
    assert_line(&lines, "UniEval 13.4 18.0 34.6 published");
    assert_line(&lines, "6 summaries of 2 documents by 3 systems");
}

#[test]
fn equal_scores_have_no_correlation_and_equal_ratings_are_an_error() {
    let reading = read_file(&RealSumm::default(), "realsumm.jsonl", file()).unwrap();
    let figures = RealSumm::default().figures(&reading.cases, &[0.5; 6]).unwrap();
    let of = ["pearson", "spearman", "system_spearman"].map(|name| &figures[name]);
    assert_eq!(of, [&Figures::None; 3]);
    let lines = RealSumm::default().show("x", &figures).lines;
    assert_line(&lines, "x - - -");
    assert!(lines.iter().any(|line| line.starts_with("warning: all scores are 0.5")), "{lines:?}");
    let same = file().replace("0.0}\n", "1}\n").replace("0.5}\n", "1}\n");
    let same = read_file(&RealSumm::default(), "realsumm.jsonl", same).unwrap();
    assert_says(RealSumm::default().check(&same.cases), &["the share of key facts of all 6 summaries is 1"]);
}

#[test]
fn bad_rows_are_errors() {
    let file = file();
    let good = file.lines().next().unwrap();
    for (bad, words) in [
        (good.replace("\"keyfacts\"", "\"facts\""), &["`keyfacts`", "facts"][..]),
        (good.replace("\"text\"", "\"fact\""), &["`keyfacts`", "text"]),
        (
            good.replace("\"human_completeness\": 0.0", "\"human_completeness\": 50"),
            &["`human_completeness`", "0 to 1"],
        ),
        (
            good.replace("\"human_completeness\": 0.0", "\"human_completeness\": null"),
            &["`human_completeness`", "null"],
        ),
        (
            good.replace("\"model\"", "\"system\"").replace("\"summary\"", "\"gist\""),
            &["`model`", "`summary`"],
        ),
        (
            r#"{"document":"d","model":"m","summary":"s","keyfacts":[],"human_completeness":0}"#.into(),
            &["is empty"],
        ),
    ] {
        assert_refused(&RealSumm::default(), "realsumm.jsonl", &format!("{good}\n{bad}\n"), 2, words);
    }
    assert_eq!(refusal(&RealSumm::default(), "realsumm.jsonl", ""), "holds no rows");
}
