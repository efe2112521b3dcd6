use super::*;

#[test]
fn files_are_read_in_order_and_faults_name_their_file() {
    let folder = folder(&[
        ("a.jsonl", b"{\"a\":1}\nx\n"),
        ("b.json", b"[{\"a\":2},{\"a\":"),
        ("c.csv", b"a\n3\n"),
        ("empty.jsonl", b""),
        ("d.tsv", b"a\tb\n4\t5\n\n6\n"),
    ]);
    let rows = read_files(folder.path(), &["a.jsonl", "b.json", "c.csv", "empty.jsonl", "d.tsv"]);
    let line = |row: &Result<RawRow, RowFault>| match row {
        Ok(row) => row.origin.to_string(),
        Err(fault) => fault.to_string(),
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let at = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(
        lines,
        [
            format!("{}: line 1", at("a.jsonl")),
            format!(
                "{}: line 2: is not valid JSON (expected value, column 1): correct the row or remove it",
                at("a.jsonl")
            ),
            format!("{}: line 1", at("b.json")),
            format!("{}: line 1: begins a row that does not end: the file is truncated", at("b.json")),
            format!("{}: line 2", at("c.csv")),
            format!("{}: line 2", at("d.tsv")),
            format!("{}: line 4: has 1 cells, but the first row names 2 columns", at("d.tsv")),
        ]
    );
}

#[test]
fn a_file_removed_during_the_run_ends_it() {
    let folder = folder(&[("a.jsonl", b"{}"), ("b.jsonl", b"{}"), ("c.jsonl", b"{}")]);
    let source = Source::find(&[folder.path().join("*.jsonl")], None).unwrap();
    std::fs::remove_file(folder.path().join("b.jsonl")).unwrap();
    let mut rows = source.rows();
    assert!(rows.next().unwrap().is_ok());
    let fault = rows.next().unwrap().unwrap_err();
    assert_eq!((fault.lost, fault.origin.place), (Lost::Run, Place::File));
    assert!(fault.origin.file.ends_with("b.jsonl"), "{fault}");
    assert!(rows.next().is_none() && rows.next().is_none());
}

#[test]
fn reasons_quote_no_value() {
    let long = "é".repeat(100);
    let texts = [
        format!("\"{long}\"\n"),
        format!("{{\"{long}\":1,\"{long}\":2}}\n"),
        format!("{long},{long}\n1,2\n"),
    ];
    let folder = folder(&[
        ("a.jsonl", texts[0].as_bytes()),
        ("b.jsonl", texts[1].as_bytes()),
        ("c.csv", texts[2].as_bytes()),
    ]);
    for (file, expected) in [
        ("a.jsonl", "found a text, expected a JSON object: correct the row or remove it"),
        ("b.jsonl", "the field with a long name is given twice: correct the row or remove it"),
        ("c.csv", "names two columns with a long name"),
    ] {
        let faults = read_files(folder.path(), &[file]);
        assert_eq!(faults[0].as_ref().unwrap_err().reason, expected);
    }
}

#[test]
fn files_without_rows_have_none() {
    for (format, texts) in [
        (Format::JsonLines, &["", "\n", "\r\n \n", "\u{feff}", "\u{feff}\n"][..]),
        (Format::Json, &["", " \n", "[]", "[ \n ]\n", "\u{feff}[]"]),
        (Format::Csv, &["", "\n\r\n", "\u{feff}", "a,b", "a,b\n\n", "\"a\r\nb\",c\n"]),
    ] {
        for text in texts {
            assert_eq!(read(text, format), [""; 0], "{text:?}");
        }
    }
}

#[test]
fn no_inputs_give_no_rows() {
    assert_eq!(Source::find::<&str>(&[], None).unwrap().rows().count(), 0);
}

#[test]
fn rows_can_be_read_in_a_thread_of_their_own() {
    fn assert_send<T: Send>() {}
    assert_send::<Rows>();
}
