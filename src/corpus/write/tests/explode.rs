use super::*;

fn exploded(row: &str) -> Vec<String> {
    text(OutputFormat::JsonLines, true, &[row]).lines().map(str::to_owned).collect()
}

#[test]
fn every_claim_has_a_row_with_the_fields_of_its_row() {
    let row = r#"{"schema":1,"id":"a","row":4,"score":0.5,"verdict":"unsupported","claims":[{"text":"x"},{"text":"y\n"}],"ledger":{"sentences":2},"input":{"claims":[1],"n":1.10}}"#;
    let before = r#"{"schema":1,"id":"a","row":4,"score":0.5,"verdict":"unsupported","#;
    let behind = r#","ledger":{"sentences":2},"input":{"claims":[1],"n":1.10}}"#;
    assert_eq!(
        exploded(row),
        [
            format!(r#"{before}"claim_index":0,"claims":2,"claim":{{"text":"x"}}{behind}"#),
            format!(r#"{before}"claim_index":1,"claims":2,"claim":{{"text":"y\n"}}{behind}"#),
        ]
    );
}

#[test]
fn rows_without_claims_stay_one_row() {
    assert_eq!(exploded(ERROR), [ERROR]);
    for (row, expected) in [
        (r#"{"id":1,"claims":[]}"#, r#"{"id":1,"claims":0}"#),
        (r#"{"id":1,"claims":null}"#, r#"{"id":1,"claims":null}"#),
        ("{}", "{}"),
    ] {
        assert_eq!(exploded(row), [expected]);
    }
}

#[test]
fn tables_have_the_parts_of_a_claim() {
    for format in TABLES {
        let rows = table(*format, true, &[RESULT, ERROR]);
        assert_eq!(rows.len(), 3);
        for line in include_str!("claims.tsv").lines() {
            let [name, first, second] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let found = [&rows[0], &rows[1]].map(|row| row.get(name).unwrap_or_default());
            assert_eq!(found, [first, second], "{name}");
        }
        assert!(rows[0].get("claim.substitution").unwrap().starts_with(r#"{"mention":"It","#));
        assert_eq!(rows[2].get("error.reason"), Some("is not valid JSON"));
        assert_eq!(rows[2].get("claim.text").unwrap_or_default(), "");
        for row in &rows {
            assert_eq!(row.get("other").unwrap_or_default(), "");
        }
    }
}
