use super::*;

fn read_as(names: &RowNames, row: &str) -> Result<Row, String> {
    let origin = Origin { file: "rows".into(), place: Place::Line(7) };
    let fields = serde_json::from_str(row).unwrap();
    names.read(RawRow { origin, fields }).map_err(|fault| fault.to_string())
}

/// Returns document, summary, id and the rest as JSON.
fn parts(names: &RowNames, row: &str) -> (String, String, Option<String>, String) {
    let row = read_as(names, row).unwrap();
    let id = row.id.map(|id| id.get().to_owned());
    (row.document, row.summary, id, serde_json::to_string(&row.rest).unwrap())
}

fn names(document: Option<&str>, summary: Option<&str>) -> RowNames {
    RowNames::new(document.map(str::to_owned), summary.map(str::to_owned)).unwrap()
}

#[test]
fn every_usual_name_is_found() {
    for document in DOCUMENT_NAMES {
        for summary in SUMMARY_NAMES {
            let row = format!(r#"{{"x":1.50,"{summary}":"s","id":7,"{document}":"d","claims":1}}"#);
            let expected = ("d".into(), "s".into(), Some("7".into()), r#"{"x":1.50,"claims":1}"#.into());
            assert_eq!(parts(&RowNames::default(), &row), expected);
        }
    }
}

#[test]
fn the_first_usual_name_wins_whatever_the_order_of_the_fields() {
    let row = r#"{"answer":"a","article":"x","response":"r","doc":"d"}"#;
    let expected = ("d".into(), "r".into(), None, r#"{"answer":"a","article":"x"}"#.into());
    assert_eq!(parts(&RowNames::default(), row), expected);
    let given = names(Some("article"), Some("answer"));
    let expected = ("x".into(), "a".into(), None, r#"{"response":"r","doc":"d"}"#.into());
    assert_eq!(parts(&given, row), expected);
}

#[test]
fn one_field_is_not_both_texts() {
    let given = names(Some("answer"), None);
    assert_eq!(parts(&given, r#"{"answer":"d","hypothesis":"s"}"#).1, "s");
    assert!(read_as(&given, r#"{"answer":"d"}"#).unwrap_err().contains("no field for the summary"));
    let error = RowNames::new(Some("x".into()), Some("x".into())).unwrap_err();
    assert_eq!(error.to_string(), "field `x` cannot be both the document and the summary");
}

#[test]
fn lists_of_contexts_are_joined_with_blank_lines() {
    for name in DOCUMENT_NAMES {
        let row = format!(r#"{{"{name}":["a\u00e9"," b\n"],"answer":"s"}}"#);
        assert_eq!(parts(&RowNames::default(), &row).0, "aé\n\n b\n");
        let row = read_as(&RowNames::default(), &row).unwrap();
        let ids: Vec<&str> =
            row.sources.iter().flat_map(|all| all.list()).map(|source| &*source.id).collect();
        assert_eq!(ids, ["1", "2"]);
    }
    let row = r#"{"document":[{"id":"doc-1","text":"a"},{"id":7,"text":"b"}],"answer":"s"}"#;
    let row = read_as(&RowNames::default(), row).unwrap();
    assert_eq!((row.document.as_str(), row.sources.unwrap().list()[1].id.as_str()), ("a\n\nb", "7"));
    assert!(read_as(&RowNames::default(), r#"{"document":"a","answer":"s"}"#).unwrap().sources.is_none());
    let mut blank = RowNames::default();
    blank.blank_texts = true;
    let row = read_as(&blank, r#"{"contexts":["a"," "],"answer":"s"}"#).unwrap();
    assert!(row.document == "a\n\n " && row.sources.is_none());
    let given = names(Some("passages"), None);
    assert_eq!(parts(&given, r#"{"passages":["a","b"],"answer":"s"}"#).0, "a\n\nb");
    assert_eq!(parts(&given, r#"{"passages":"a","answer":"s"}"#).0, "a");
}

#[test]
fn only_kept_fields_pass_through() {
    let row = r#"{"b":1,"document":"d","c":2,"summary":"s","a":3,"id":4}"#;
    for (kept, expected) in [
        (&["a", "b"][..], r#"{"b":1,"a":3}"#),
        (&[], "{}"),
        (&["missing", "c"], r#"{"c":2}"#),
        (&["document", "id"], r#"{"document":"d"}"#),
    ] {
        let mut names = RowNames::default();
        names.keep = Some(kept.iter().map(ToString::to_string).collect());
        let (_, _, id, rest) = parts(&names, row);
        assert_eq!((id.as_deref(), rest.as_str()), (Some("4"), expected));
    }
}

#[test]
fn claims_are_read_on_request() {
    let mut names = RowNames::default();
    names.claims = true;
    for claims in [r#"["a","é"]"#, r#""[\"a\", \"\u00e9\"]""#] {
        let row = read_as(&names, &format!(r#"{{"doc":"d","summ":"s","claims":{claims}}}"#)).unwrap();
        assert_eq!(row.claims.unwrap(), ["a", "é"]);
        assert!(row.rest.names().is_empty());
    }
    for (claims, expected) in [
        (r#""claims":"a""#, "not a list of strings"),
        (r#""claims":[1]"#, "not a list of strings"),
        (r#""claims":null"#, "not a list of strings"),
        (r#""x":1"#, "no field `claims` (its fields: doc, summ, x)"),
    ] {
        let error = read_as(&names, &format!(r#"{{"doc":"d","summ":"s",{claims}}}"#)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn given_sentences_are_always_read() {
    let names = RowNames::default();
    for (sentences, expected) in
        [(r#"["a ","b"]"#, Some(vec!["a ".to_owned(), "b".to_owned()])), ("null", None)]
    {
        let row = read_as(&names, &format!(r#"{{"doc":"a b","summ":"s","document_sentences":{sentences}}}"#))
            .unwrap();
        assert_eq!((row.rest.names().is_empty(), row.sentences), (expected.is_some(), expected));
    }
    for field in ["document_sentences", "summary_sentences"] {
        let error = read_as(&names, &format!(r#"{{"doc":"d","summ":"s","{field}":"d"}}"#)).unwrap_err();
        assert!(error.contains(&format!("`{field}` is not a list of strings")), "{error}");
    }
    let row = read_as(&names, r#"{"doc":"d","summ":"a b","summary_sentences":["a","b"]}"#).unwrap();
    assert_eq!((row.rest.names().len(), row.pair().summary_sentences.unwrap().len()), (0, 2));
}

#[test]
fn rows_without_their_texts_are_refused_with_place_and_reason() {
    let rows = include_str!("refused_rows.tsv").lines().filter_map(|line| line.split_once('\t'));
    for (row, expected) in rows {
        match read_as(&RowNames::default(), row) {
            Ok(row) => assert!(expected.is_empty() && row.document == "x"),
            Err(error) => {
                assert!(!expected.is_empty() && error.starts_with("rows: line 7: "), "{error}");
                assert!(error.contains(expected), "{error}");
            }
        }
    }
    let error = read_as(&names(Some("x"), None), r#"{"doc":"d","summary":"s"}"#).unwrap_err();
    assert!(error.contains("no field `x` (its fields: doc, summary)"), "{error}");
}

#[test]
fn long_lists_of_fields_are_shortened() {
    let error = |fields: Vec<String>| {
        read_as(&RowNames::default(), &format!("{{{}}}", fields.join(","))).unwrap_err()
    };
    let many = error((0..50).map(|n| format!("\"é{n}\":1")).collect());
    assert!(many.contains("é11 and 38 more"), "{many}");
    // The first row of a table without a header.
    let texts = error(vec!["\"She was seen on Monday.\":1".into(), "\"id\":1".into()]);
    assert!(texts.contains("(its fields: id and 1 more)"), "{texts}");
}
