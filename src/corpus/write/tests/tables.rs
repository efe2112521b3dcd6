use super::*;

const CSV: OutputFormat = OutputFormat::Csv;

/// Returns the column names of fields that passed through, without `input.`, and the last column of each row.
fn inputs(rows: &[impl AsRef<str>]) -> (Vec<String>, Vec<String>) {
    let rows = table(CSV, false, rows);
    let names = rows[0].columns().into_iter().filter_map(|name| name.strip_prefix("input."));
    let rest = rows.iter().map(|row| row.get("input").unwrap().to_owned());
    (names.map(str::to_owned).collect(), rest.collect())
}

#[test]
fn results_have_their_columns() {
    for format in TABLES {
        let row = &table(*format, false, &[RESULT])[0];
        for (name, value) in include_str!("result.tsv").lines().filter_map(|line| line.split_once('\t')) {
            assert_eq!(row.get(name), Some(value), "{name}");
        }
        let claims = row.get("claims").unwrap();
        assert!(claims.starts_with(r#"[{"text":"The cat \"sat\".","#) && claims.ends_with("}]"));
        let is_empty = |(_, value): &&(String, Option<String>)| value.as_deref().is_none_or(str::is_empty);
        let empty: Vec<&str> = row.0.iter().filter(is_empty).map(|(name, _)| name.as_str()).collect();
        assert_eq!(empty, ["error.reason", "error.file", "error.line", "error.row", "other", "input"]);
    }
}

#[test]
fn errors_have_their_columns() {
    for format in TABLES {
        let row = &table(*format, false, &[RESULT, ERROR])[1];
        let shown = row.0.iter().filter_map(|(name, value)| {
            let value = value.as_deref().filter(|value| !value.is_empty())?;
            Some((name.as_str(), value))
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                ("error.reason", "is not valid JSON"),
                ("error.file", "a.jsonl"),
                ("error.line", "3"),
                ("schema", "1"),
            ]
        );
    }
}

#[test]
fn cells_are_quoted_only_where_necessary() {
    let row = with_input(r#"{"a":"","b":null,"c":"x,y","d":"say \"so\"","e":"\r\n","f":" \t ","g":"'"}"#);
    let csv = text(CSV, false, &[&row]);
    assert!(csv.contains(",input.a,input.b,input.c,input.d,input.e,input.f,input.g,input\n"));
    assert!(csv.ends_with(",1,,\"\",,\"x,y\",\"say \"\"so\"\"\",\"'\r\n\", \t ,',\n"), "{csv}");
    let tsv = text(OutputFormat::Tsv, false, &[&row]);
    assert!(tsv.ends_with("\t1\t\t\"\"\t\tx,y\t\"say \"\"so\"\"\"\t\"'\r\n\"\t\" \t \"\t'\t\n"), "{tsv}");
    assert!(csv.starts_with("id,row,score,verdict,reason,error.reason,"));
}

#[test]
fn a_spreadsheet_computes_no_cell() {
    let row = with_input(r#"{"a":"=1+1","b":"-5","c":-5,"d":"@A1","e":"'=x"}"#);
    let csv = text(CSV, false, &[&row]);
    assert!(csv.ends_with(",'=1+1,-5,-5,'@A1,''=x,\n"), "{csv}");
    let raw = Shape { columns: Columns::All, raw_cells: true, ..Shape::default() };
    let raw = String::from_utf8(bytes_of(CSV, raw, &[&row])).unwrap();
    assert!(raw.ends_with(",=1+1,-5,-5,@A1,'=x,\n"), "{raw}");
}

#[test]
fn fields_that_appear_later_are_kept_in_the_last_column() {
    let rows = [
        with_input(r#"{"a":1,"b":2}"#),
        with_input(r#"{"c":[1, 2],"b":3,"d":null,"a":null,"\"é":"x"}"#),
        with_input("{}"),
    ];
    let (names, rest) = inputs(&rows);
    assert_eq!(names, ["a", "b"]);
    assert_eq!(rest, ["", r#"{"c":[1, 2],"d":null,"\"é":"x"}"#, ""]);
    let read = table(CSV, false, &rows);
    assert_eq!((read[1].get("input.a"), read[1].get("input.b")), (Some(""), Some("3")));
}

#[test]
fn any_input_name_has_a_column_beside_those_of_run() {
    let row = with_input(r#"{"score":"a","input":"b","":"c","x.y":"d","a,\"b\"\n":"e","claim.text":"f"}"#);
    let (names, rest) = inputs(&[&row]);
    assert_eq!(names, ["score", "input", "", "x.y", "a,\"b\"\n", "claim.text"]);
    assert_eq!(rest, [""]);
}

/// Readers take a carriage return in the header for the end of a line.
#[test]
fn a_name_with_a_carriage_return_has_no_column() {
    let (names, rest) = inputs(&[with_input(r#"{"a":1,"b\rc":2,"d\r\n":3}"#)]);
    assert_eq!(names, ["a"]);
    assert_eq!(rest, [r#"{"b\rc":2,"d\r\n":3}"#]);
}

#[test]
fn rows_that_could_not_be_read_do_not_determine_the_columns() {
    let unread = ERROR.replace(r#","input":{}"#, "");
    let (names, rest) = inputs(&[ERROR, &unread, &with_input(r#"{"a":1}"#), &with_input(r#"{"b":2}"#)]);
    assert_eq!(names, ["a"]);
    assert_eq!(rest, ["", "", "", r#"{"b":2}"#]);
    let judged_not = ERROR.replace("{}", r#"{"b":2}"#);
    let (names, _) = inputs(&[ERROR, &judged_not, &with_input(r#"{"a":1}"#)]);
    assert_eq!(names, ["b"]);
    let (names, rest) = inputs(&[with_input("{}"), with_input(r#"{"a":1}"#)]);
    assert!(names.is_empty(), "the first row was read, and nothing passed through");
    assert_eq!(rest, ["", r#"{"a":1}"#]);
}

#[test]
fn a_table_may_have_errors_only() {
    for format in TABLES {
        let rows = table(*format, false, &[ERROR, ERROR]);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].get("error.line"), Some("3"));
        assert_eq!(*rows[0].columns().last().unwrap(), "input");
        assert!(table(*format, false, &[""; 0]).is_empty());
    }
    assert!(text(CSV, false, &[""; 0]).ends_with(",schema,other,input\n"));
}

#[test]
fn buffered_rows_are_bounded() {
    let long = ERROR.replace("is not", &"x".repeat(1 << 20));
    let mut rows = vec![long.as_str(); 20];
    let late = with_input(r#"{"a":1}"#);
    rows.push(&late);
    let (names, rest) = inputs(&rows);
    assert_eq!(rest.len(), 21);
    assert!(names.is_empty());
    assert_eq!(rest[20], r#"{"a":1}"#);
}

/// Results may get new fields before tables have columns for them.
#[test]
fn own_fields_without_a_column_are_kept() {
    let row = r#"{"id":1,"score":"high","ledger":{"sentences":2.5,"new":[1]},"models":[],"new":{"a":1},"profile":7,"input":{}}"#;
    for format in TABLES {
        let rows = table(*format, false, &[row]);
        assert_eq!(rows[0].get("id"), Some("1"));
        assert_eq!(
            rows[0].get("other"),
            Some(r#"{"score":"high","ledger.sentences":2.5,"ledger.new":[1],"new":{"a":1},"profile":7}"#)
        );
    }
}

#[test]
fn many_columns_and_long_cells_come_back() {
    let long = "long \"text\"\n".repeat(10_000);
    let json = serde_json::to_string(&long).unwrap();
    let fields: Vec<String> = (0..400).map(|number| format!("\"f{number}\":{json}")).collect();
    let small: Vec<String> = (0..400).map(|number| format!("\"f{number}\":{number}")).collect();
    let rows = [
        with_input(&format!("{{{}}}", small.join(","))),
        with_input(&format!("{{{}}}", fields[..4].join(","))),
    ];
    for format in TABLES {
        let read = table(*format, false, &rows);
        assert_eq!(read[0].get("input.f399"), Some("399"));
        assert_eq!(read[1].get("input.f3"), Some(long.as_str()));
        assert_eq!(read[1].get("input.f4").unwrap_or_default(), "");
    }
}
