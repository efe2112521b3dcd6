//! Tables with few columns.

use super::*;

/// Returns the rows of a table with few columns.
fn few<R: AsRef<str>>(format: OutputFormat, explode: bool, rows: &[R]) -> Vec<ReadRow> {
    read_back(format, &bytes_of(format, Shape { explode, columns: Columns::Few, ..Shape::default() }, rows))
}

/// Returns the cells with a value, by their columns.
fn shown(row: &ReadRow) -> Vec<(&str, &str)> {
    let cells = row.0.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)));
    cells.filter(|(_, value)| !value.is_empty()).collect()
}

#[test]
fn a_row_has_what_one_sorts_and_filters_by() {
    for format in TABLES {
        let rows = few(*format, false, &[RESULT, ERROR]);
        let expected = [
            ("id", "a-1"),
            ("score", "0.7521485"),
            ("verdict", "contradicted"),
            ("reason", "language"),
            ("claims.supported", "1"),
            ("claims.unsure", "0"),
            ("claims.unsupported", "0"),
            ("claims.contradicted", "1"),
            ("worst.text", "It was red."),
            ("worst.explanation", "Not judged."),
            ("unjudged.share", "0.25"),
            ("input.label", "1"),
            ("input.note", "x, \"y\""),
        ];
        assert_eq!(shown(&rows[0]), expected);
        assert_eq!(shown(&rows[1]), [("error.reason", "is not valid JSON")]);
        assert_eq!(rows[0].columns().len(), expected.len() + ["error.reason", "other", "input"].len());
    }
}

#[test]
fn a_claim_has_its_text_verdict_and_evidence() {
    for format in TABLES {
        let rows = few(*format, true, &[RESULT, ERROR]);
        let expected = [
            ("id", "a-1"),
            ("score", "0.7521485"),
            ("verdict", "contradicted"),
            ("reason", "language"),
            ("unjudged.share", "0.25"),
            ("claim_index", "1"),
            ("claim.text", "It was red."),
            ("claim.score", "-0.5"),
            ("claim.verdict", "contradicted"),
            ("claim.explanation", "Not judged."),
            ("claim.reason", "language"),
            ("claim.evidence.text", "It sat."),
            ("input.label", "1"),
            ("input.note", "x, \"y\""),
        ];
        assert_eq!(shown(&rows[1]), expected);
        assert_eq!(shown(&rows[2]), [("error.reason", "is not valid JSON")]);
    }
}

#[test]
fn the_worst_claim_has_the_lowest_score_of_those_with_a_verdict() {
    let claims = r#"[{"text":"a","score":0.2,"verdict":"no_answer"},{"text":"b","reason":"not_a_claim"},
        {"text":"c","score":0.5,"verdict":"unsupported"},{"text":"d","score":0.4,"verdict":"unsure"},
        {"text":"e","score":0.4,"verdict":"contradicted"}]"#;
    let row = format!(r#"{{"id":1,"claims":{claims},"input":{{}}}}"#);
    let none = r#"{"id":2,"claims":[{"text":"a","score":0.2,"verdict":"no_answer"}],"input":{}}"#;
    let rows = few(OutputFormat::Csv, false, &[&row, none, r#"{"id":3,"score":0.5,"input":{}}"#]);
    let counts = |row: &ReadRow| {
        ["supported", "unsure", "unsupported", "contradicted"]
            .map(|verdict| row.get(&format!("claims.{verdict}")).unwrap_or_default().to_owned())
    };
    assert_eq!(
        (counts(&rows[0]), rows[0].get("worst.text")),
        (["0", "1", "1", "1"].map(str::to_owned), Some("d"))
    );
    assert_eq!((counts(&rows[1]), rows[1].get("worst.text")), (["0"; 4].map(str::to_owned), Some("")));
    assert_eq!(counts(&rows[2]), [""; 4].map(str::to_owned), "this program judges no claims");
}

/// Metrics of other programs would be lost.
#[test]
fn fields_that_no_table_has_a_column_for_are_kept() {
    let row =
        r#"{"id":1,"score":0.5,"ratings":{"faithfulness":0.5},"ledger":{"sentences":2,"new":1},"input":{}}"#;
    for format in TABLES {
        assert_eq!(few(*format, false, &[row])[0].get("other"), Some(r#"{"ratings":{"faithfulness":0.5}}"#));
    }
}

#[test]
fn such_rows_are_not_restored() {
    for format in TABLES {
        let bytes = bytes_of(*format, Shape::default(), &[RESULT]);
        let cells = rows_of(*format, &bytes).next().unwrap();
        assert!(is_of_table(&cells));
        let fault = row_of_table(&cells).unwrap_err();
        assert!(fault.reason.contains("`columns` all"), "{fault}");
        assert_eq!(fault.argument, Some("columns"));
    }
}
