//! The inputs of `run`: the same rows give the same bytes from every format, compressed or not, from several files, patterns and
//! standard input; which fields are the texts and which pass through; bad rows of each format. Truncated files are in
//! broken_files.rs, outputs in outputs.rs.
use std::fs;
use std::sync::LazyLock;

use crate::common::runs::{gzip, json_lines, table, zstd};
use crate::common::{Place, assert_spans, list, repository, with_tiny};
use serde_json::{Value, json};

const HEADER: [&str; 4] = ["id", "document", "summary", "note"];

/// Rows of strings that are hard for the formats.
fn rows() -> Vec<Vec<String>> {
    let rows = [
        ["a", "The cat sat. The dog was old.", "The cat sat.", "plain"],
        ["b, c", "The \"old\" bridge, by the river, is open.", "The bridge is \"open\", now.", "a \"b\" ,c"],
        [
            "d\te",
            "A boat\tleft early.\nIt was late.\n\nRain fell.",
            "A boat left.\nRain fell.",
            "tab\tand\nline",
        ],
        ["f\r\ng", "The mayor left.\r\nThe city is old.", "The mayor\r\nleft.", "\r\n"],
        ["  h ", "  The game was late. ", "   The game was new.  ", "  spaces  "],
        ["é", "Zoë’s café opened. 🙂 猫坐在垫子上。", "The cafe\u{301} opened.", "\u{2028}שלום 👩‍👩‍👧 \u{feff}"],
        ["0012", "He said no.", "He said \\n.", "1e5"],
        ["null", "She was not late.", "She was late.", ""],
        ["'", "They were in the city.", "They were in the 'city'.", "\"\""],
        ["=1+1", "It closed.", "It closed; it is new.", "'\\\\\""],
    ];
    rows.map(|row| row.map(str::to_owned).into()).into()
}

/// One JSON object a row, its fields in the order of HEADER.
fn objects(rows: &[Vec<String>]) -> Vec<String> {
    let object = |row: &Vec<String>| {
        let fields = HEADER.iter().zip(row).map(|(name, text)| format!("{}:{}", json!(name), json!(text)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    };
    rows.iter().map(object).collect()
}

fn lines() -> String {
    objects(&rows()).join("\n") + "\n"
}

fn csv() -> String {
    table(&HEADER, &rows(), ',', "\n")
}

/// The bytes of out.jsonl after a run that must succeed over `inputs`.
#[track_caller]
fn judged(place: &Place, inputs: &[&str], more: &[&str]) -> String {
    place.run_tiny(&[&["run"], inputs, &["-o", "out.jsonl", "--quiet"], more].concat()).ok();
    let output = place.read("out.jsonl");
    place.remove("out.jsonl");
    place.remove("out.jsonl.journal");
    output
}

#[track_caller]
fn judged_bytes(name: &str, bytes: impl AsRef<[u8]>, more: &[&str]) -> String {
    let place = Place::new();
    place.write(name, bytes);
    judged(&place, &[name], more)
}

/// The output for the rows as JSON Lines.
static EXPECTED: LazyLock<String> = LazyLock::new(|| {
    let output = judged_bytes("rows.jsonl", lines(), &[]);
    assert_eq!(output.lines().count(), rows().len());
    output
});

#[track_caller]
fn assert_expected(name: &str, bytes: impl AsRef<[u8]>, more: &[&str]) {
    assert!(judged_bytes(name, bytes, more) == *EXPECTED, "{name} {more:?} gives another output");
}

#[test]
fn arrays_tables_and_lines_give_the_same_bytes() {
    let rows = rows();
    let objects = objects(&rows);
    assert_expected("rows.json", format!("[{}]", objects.join(",")), &[]);
    assert_expected("rows.json", format!("\n[\n  {}\n]\n\n", objects.join(" ,\r\n\t ")), &[]);
    assert_expected("rows.json", format!("\u{feff}[{}]", objects.join(",")), &[]);
    let indented: Value = serde_json::from_str(&format!("[{}]", objects.join(","))).unwrap();
    assert_expected("rows.json", serde_json::to_string_pretty(&indented).unwrap(), &[]);
    for (name, separator) in [("rows.csv", ','), ("rows.tsv", '\t')] {
        assert_expected(name, table(&HEADER, &rows, separator, "\n"), &[]);
        assert_expected(name, table(&HEADER, &rows, separator, "\r\n"), &[]);
        assert_expected(name, format!("\u{feff}{}", table(&HEADER, &rows, separator, "\n")), &[]);
        let without_an_end = table(&HEADER, &rows, separator, "\n");
        assert_expected(name, without_an_end.trim_end(), &[]);
        let quoted = |cells: &[String]| {
            let cells = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
            cells.collect::<Vec<_>>().join(&separator.to_string())
        };
        let all: Vec<String> =
            [HEADER.map(str::to_owned).into()].iter().chain(&rows).map(|row| quoted(row)).collect();
        assert_expected(name, all.join("\r\n"), &[]);
    }
}

#[test]
fn the_format_can_be_set_where_the_name_does_not_determine_it() {
    assert_expected("rows.txt", lines(), &["--input-format", "jsonl"]);
    assert_expected("rows", csv(), &["--input-format", "csv"]);
    assert_expected("rows.dat", table(&HEADER, &rows(), '\t', "\n"), &["--input-format", "tsv"]);
    assert_expected("rows.csv", format!("[{}]", objects(&rows()).join(",")), &["--input-format", "json"]);
    let place = Place::new();
    place.write("rows.txt", lines());
    let error = place.judge("rows.txt", "out.jsonl", &[]).error();
    assert!(error.contains("rows.txt") && error.contains("set --input-format"), "{error}");
    assert_eq!(place.names(), ["rows.txt"]);
}

#[test]
fn compressed_texts_give_the_same_bytes() {
    let array = format!("[{}]", objects(&rows()).join(","));
    let texts = [
        ("rows.jsonl", lines()),
        ("rows.json", array),
        ("rows.csv", csv()),
        ("rows.tsv", table(&HEADER, &rows(), '\t', "\n")),
    ];
    for (name, text) in texts {
        let (first, second) = text.as_bytes().split_at(text.len() / 3);
        assert_expected(&format!("{name}.gz"), gzip(text.as_bytes()), &[]);
        assert_expected(&format!("{name}.zst"), zstd(text.as_bytes()), &[]);
        // Files of several members, as parallel compressors write them, and skippable frames.
        assert_expected(&format!("{name}.gz"), [gzip(first), gzip(&[]), gzip(second)].concat(), &[]);
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
        assert_expected(&format!("{name}.zst"), [&zstd(first)[..], &skipped, &zstd(second)].concat(), &[]);
    }
}

/// The rows of the Parquet files, which pyarrow wrote.
fn fixture_rows() -> [String; 4] {
    let rows: [(Option<&str>, &str, &str); 4] = [
        (Some("one"), "The bridge closed in May. The boat was late.", "The bridge closed."),
        (Some("two \"2\""), "Zoë’s café opened. 🙂 猫坐在垫子上。", "The café opened."),
        (Some("three\n3"), "  The bakery is old.\tIt closed.", " The bakery closed."),
        (None, "The \"old\" mill, by the river,\r\nis open.", "The mill is\nopen."),
    ];
    rows.map(|(id, document, summary)| {
        json!({"id": id, "document": document, "summary": summary}).to_string()
    })
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(repository("tests/fixtures/run").join(name)).unwrap()
}

#[test]
fn a_frame_of_the_reference_zstd_gives_the_same_bytes() {
    let lines = fixture_rows()[..3].join("\n") + "\n";
    let expected = judged_bytes("rows.jsonl", lines.repeat(9), &[]);
    assert!(judged_bytes("rows.jsonl.zst", fixture("rows.jsonl.zst"), &[]) == expected);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_files_of_pyarrow_give_the_same_bytes() {
    let expected = judged_bytes("rows.jsonl", fixture_rows().join("\n"), &[]);
    for name in ["plain.parquet", "snappy.parquet", "gzip_pages_2.parquet", "row_groups.parquet"] {
        assert!(judged_bytes(name, fixture(name), &[]) == expected, "{name} gives another output");
    }
}

/// Parquet compressed with zstd, which most programs write, was refused.
#[cfg(feature = "parquet")]
#[test]
fn parquet_of_zstd_gives_the_same_bytes() {
    let expected = judged_bytes("rows.jsonl", fixture_rows().join("\n"), &[]);
    for name in ["zstd.parquet", "zstd_pages_2.parquet"] {
        assert!(judged_bytes(name, fixture(name), &[]) == expected, "{name} gives another output");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_compression_of_parquet_that_is_not_built_in_is_named() {
    let place = Place::new();
    place.write("rows.parquet", fixture("lz4.parquet"));
    let error = place.judge("rows.parquet", "out.jsonl", &[]).error();
    let expected =
        "rows.parquet: column `id` is compressed with lz4: write the file with zstd, snappy, gzip or none";
    assert!(error.contains(expected), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_types_pass_through_as_the_json_that_is_the_same() {
    let output = judged_bytes("types.parquet", fixture("types.parquet"), &[]);
    let rows: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!([
        {"label": 1, "score": 0.1, "gold": true, "tags": ["x", "y"], "meta": {"a": 1, "b": "x"}, "empty": ""},
        {"label": 0, "score": 1.5, "gold": false, "tags": [], "meta": {"a": null, "b": "\""}, "empty": " "},
        {"label": null, "score": null, "gold": null, "tags": null, "meta": null, "empty": null},
        {"label": -3, "score": -2e-300, "gold": true, "tags": ["é"], "meta": {"a": 3, "b": null}, "empty": "\n"},
    ]);
    let inputs: Vec<&Value> = rows.iter().map(|row| &row["input"]).collect();
    assert_eq!(json!(inputs), expected);
    assert_eq!(rows[3]["id"], Value::Null);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_lists_of_contexts_are_documents() {
    let place = Place::new();
    place.write("rows.parquet", fixture("contexts.parquet"));
    let rows = judged(&place, &["rows.parquet"], &[]);
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row["ledger"]["sentences"].clone()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn several_files_are_one_corpus_in_the_order_given() {
    let place = Place::new();
    let objects = objects(&rows());
    place.write("z.jsonl", objects[..3].join("\n"));
    place.write("m.csv", table(&HEADER, &rows()[3..4], ',', "\r\n"));
    place.write("b.json", format!("[{}]", objects[4..6].join(",")));
    place.write("a.tsv.gz", gzip(table(&HEADER, &rows()[6..9], '\t', "\n").as_bytes()));
    place.write("a.jsonl.zst", zstd(objects[9].as_bytes()));
    let inputs = ["z.jsonl", "m.csv", "b.json", "a.tsv.gz", "a.jsonl.zst"];
    assert!(judged(&place, &inputs, &[]) == *EXPECTED);
}

#[test]
fn a_pattern_gives_its_files_sorted_by_name() {
    let place = Place::new();
    let objects = objects(&rows());
    for (name, part) in [("part-10.jsonl", 5..10), ("part-01.jsonl", 0..2), ("part-02.jsonl", 2..5)] {
        place.write(name, objects[part].join("\n"));
    }
    place.write("other.jsonl", &objects[0]);
    assert!(judged(&place, &["part-*.jsonl"], &[]) == *EXPECTED);
    assert!(judged(&place, &["part-0?.jsonl", "part-10.jsonl"], &[]) == *EXPECTED);
    assert!(judged(&place, &["part-[01]*.jsonl"], &[]) == *EXPECTED);
    let error = place.judge("nothing-*.jsonl", "out.jsonl", &[]).error();
    assert!(error.contains("nothing-*.jsonl"), "{error}");
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_read() {
    let place = Place::new();
    place.write("rows[1].jsonl", lines());
    place.write("rows1.jsonl", "{oops");
    assert!(judged(&place, &["rows[1].jsonl"], &[]) == *EXPECTED);
}

#[test]
fn a_missing_file_is_an_error_before_anything_is_written() {
    let place = Place::new();
    place.write("rows.jsonl", lines());
    let arguments = ["run", "rows.jsonl", "missing.jsonl", "-o", "out.jsonl"];
    assert!(place.run_tiny(&arguments).error().contains("missing.jsonl"));
    assert_eq!(place.names(), ["rows.jsonl"]);
}

#[test]
fn standard_input_gives_the_same_bytes() {
    let array = format!("[{}]", objects(&rows()).join(","));
    let inputs: [(&[&str], Vec<u8>); 7] = [
        (&[], lines().into_bytes()),
        (&["--input-format", "jsonl"], lines().into_bytes()),
        (&["--input-format", "json"], array.into_bytes()),
        (&["--input-format", "csv"], csv().into_bytes()),
        (&["--input-format", "tsv"], table(&HEADER, &rows(), '\t', "\n").into_bytes()),
        (&[], gzip(lines().as_bytes())),
        (&["--input-format", "csv"], zstd(csv().as_bytes())),
    ];
    for (more, bytes) in inputs {
        let place = Place::new();
        let fixed = ["run", "-", "-o", "out.jsonl", "--quiet"];
        place.run_with_stdin(&with_tiny(&[&fixed, more].concat()), &bytes).ok();
        assert!(place.read("out.jsonl") == *EXPECTED, "{more:?}");
    }
}

#[test]
fn standard_input_can_stand_between_files() {
    let place = Place::new();
    let objects = objects(&rows());
    place.write("first.jsonl", objects[..2].join("\n"));
    place.write("last.jsonl", objects[7..].join("\n"));
    let arguments = ["run", "first.jsonl", "-", "last.jsonl", "-o", "out.jsonl", "--quiet"];
    place.run_with_stdin(&with_tiny(&arguments), objects[2..7].join("\n").as_bytes()).ok();
    assert!(place.read("out.jsonl") == *EXPECTED);
}

#[test]
fn usual_names_of_the_texts_are_found() {
    let documents = ["document", "doc", "source", "article", "context", "contexts", "transcript", "premise"];
    let summaries = ["summary", "summ", "claim", "response", "answer", "hypothesis", "system_output"];
    let expected = judged_bytes("rows.jsonl", r#"{"document":"The cat sat.","summary":"A cat sat."}"#, &[]);
    for document in documents.into_iter().chain(["retrieved_contexts"]) {
        let row = json!({document: "The cat sat.", "summary": "A cat sat."}).to_string();
        assert!(judged_bytes("rows.jsonl", row, &[]) == expected, "{document}");
    }
    for summary in summaries.into_iter().chain(["actual_output"]) {
        let row = json!({"premise": "The cat sat.", summary: "A cat sat."}).to_string();
        assert!(judged_bytes("rows.jsonl", row, &[]) == expected, "{summary}");
        let row = table(&[summary, "source"], &[vec!["A cat sat.".into(), "The cat sat.".into()]], ',', "\n");
        assert!(judged_bytes("rows.csv", row, &[]) == expected, "{summary}");
    }
}

#[test]
fn other_names_fail_with_a_reason_that_names_the_setting() {
    let place = Place::new();
    place.write("rows.jsonl", r#"{"Document":"The cat sat.","summary":"A cat sat."}"#);
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
    let rows = place.json_rows("out.jsonl");
    assert!(rows[0]["error"]["reason"].as_str().unwrap().contains("`document_field`"), "{}", rows[0]);
}

#[test]
fn named_fields_win_over_the_usual_ones_and_those_pass_through() {
    let row = json!({"id": 1, "document": "A", "summary": "B", "My text": "The cat sat.", "s": "A cat sat."});
    let more = ["--document-field", "My text", "--summary-field", "s"];
    let output: Value = serde_json::from_str(&judged_bytes("rows.jsonl", row.to_string(), &more)).unwrap();
    assert_eq!(output["claims"][0]["text"], "A cat sat.");
    assert_spans(&output, "The cat sat.", "A cat sat.");
    assert_eq!(output["input"], json!({"document": "A", "summary": "B"}));
    let csv = table(&["My text", "s"], &[vec!["The cat sat.".into(), "A cat sat.".into()]], ',', "\n");
    let output: Value = serde_json::from_str(&judged_bytes("rows.csv", csv, &more)).unwrap();
    assert_eq!(output["claims"][0]["text"], "A cat sat.");
}

#[test]
fn a_named_field_that_a_row_lacks_is_not_replaced_by_a_usual_one() {
    let place = Place::new();
    place.write("rows.jsonl", r#"{"document":"The cat sat.","summary":"A cat sat."}"#);
    place.judge("rows.jsonl", "out.jsonl", &["--quiet", "--summary-field", "mine"]).error();
    let rows = place.json_rows("out.jsonl");
    assert!(rows[0]["error"]["reason"].as_str().unwrap().contains("mine"), "{}", rows[0]);
}

/// The contexts are joined with a blank line, and evidence is a slice of that text.
#[test]
fn lists_of_contexts_are_one_document() {
    for name in ["contexts", "context", "retrieved_contexts"] {
        let row = json!({name: ["The cat sat.", "The dog was old."], "answer": "The dog was old."});
        let output: Value = serde_json::from_str(&judged_bytes("rows.jsonl", row.to_string(), &[])).unwrap();
        assert_eq!(output["ledger"]["sentences"], 2, "{name}");
        assert_spans(&output, "The cat sat.\n\nThe dog was old.", "The dog was old.");
    }
}

#[test]
fn keep_selects_the_fields_that_pass_through() {
    let row = r#"{"id":3,"document":"A cat.","summary":"A cat.","x":1.50,"y z":[1, 2],"w":"é"}"#;
    let cases: [(&[&str], &str); 7] = [
        (&[], r#""input":{"x":1.50,"y z":[1, 2],"w":"é"}"#),
        (&["--keep", "x"], r#""input":{"x":1.50}"#),
        (&["--keep", "w,x"], r#""input":{"x":1.50,"w":"é"}"#),
        (&["--keep", "y z"], r#""input":{"y z":[1, 2]}"#),
        (&["--keep", "x", "--keep", "w"], r#""input":{"x":1.50,"w":"é"}"#),
        (&["--keep", "document,x"], r#""input":{"document":"A cat.","x":1.50}"#),
        (&["--keep", "id,absent"], r#""input":{}"#),
    ];
    for (more, expected) in cases {
        let output = judged_bytes("rows.jsonl", row, more);
        assert!(output.contains(expected) && output.contains(r#""id":3,"#), "{more:?}: {output}");
    }
}

/// A bad row in each format, with its line and the number of rows.
fn bad_rows() -> Vec<(&'static str, &'static str, u64, usize)> {
    let object = r#"{"document":"A cat.","summary":"A cat."}"#;
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    vec![
        ("rows.csv", "document,summary\nA cat.,A cat.\nA cat.\nA cat.,A cat.\n", 3, 3),
        ("rows.csv", "document,summary\r\nA cat.,A cat.\r\nA cat.,A dog.,A boat.\r\nA cat.,A cat.\r\n", 3, 3),
        ("rows.csv", "document,summary\n\"A\ncat.\",A cat.\n\nA cat.,\nA cat.,A cat.\n", 5, 3),
        ("rows.csv", "document,summary\nA cat.,A cat.\n\"A\n\ncat.\" sat,A cat.\nA cat.,A cat.\n", 3, 3),
        ("rows.tsv", "document\tsummary\nA cat.\tA cat.\nA cat.\t \nA cat.\tA cat.\n", 3, 3),
        ("rows.json", leak(format!("[{object},\n{{\"document\":\"A cat.\"}},\n\n{object}]")), 2, 3),
        ("rows.json", leak(format!("[{object},\n 7,\n{object}]")), 2, 3),
        (
            "rows.json",
            leak(format!("[\n{object},\n\n{{\n\"document\":1,\n\"summary\":\"A\"}},\n{object}]")),
            4,
            3,
        ),
    ]
}

#[test]
fn a_bad_row_of_any_format_is_an_error_row_with_reason_and_place() {
    for (name, text, line, rows) in bad_rows() {
        let place = Place::new();
        place.write(name, text);
        let error = place.judge(name, "out.jsonl", &["--quiet"]).error();
        assert!(error.contains(&format!("1 of {rows} rows")), "{text:?}: {error}");
        let output = place.json_rows("out.jsonl");
        assert_eq!(output.len(), rows, "{text:?}");
        let failed: Vec<&Value> = output.iter().filter(|row| !row["error"].is_null()).collect();
        let [failed] = failed[..] else { panic!("{text:?}: {output:?}") };
        assert_eq!(
            (&failed["error"]["file"], &failed["error"]["line"]),
            (&json!(name), &json!(line)),
            "{failed}"
        );
        assert!(failed["error"]["reason"].as_str().is_some_and(|reason| reason.len() > 8), "{failed}");
        assert!(
            failed["schema"] == 1 && failed["input"].is_object() && failed.get("score").is_none(),
            "{failed}"
        );
    }
}

#[test]
fn a_bad_row_of_any_format_is_left_out_under_skip_or_ends_the_run_under_fail() {
    for (name, text, line, rows) in bad_rows() {
        let place = Place::new();
        place.write(name, text);
        let output = place.judge(name, "out.jsonl", &["--on-error", "skip"]);
        assert!(output.code == 0 && output.stderr.contains("1 failed"), "{text:?}: {}", output.stderr);
        assert_eq!(place.json_rows("out.jsonl").len(), rows - 1, "{text:?}");
        let error = place.judge(name, "fail.jsonl", &["--on-error", "fail"]).error();
        assert!(error.contains(name) && error.contains(&format!("line {line}")), "{text:?}: {error}");
        assert!(!place.has("fail.jsonl"));
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_bad_row_of_parquet_is_located_by_its_number() {
    let place = Place::new();
    place.write("rows.parquet", fixture("null_document.parquet"));
    place.judge("rows.parquet", "out.jsonl", &["--quiet"]).error();
    let rows = place.json_rows("out.jsonl");
    assert!(rows.len() == 3 && rows[0]["score"].is_number() && rows[2]["score"].is_number());
    assert_eq!(
        (&rows[1]["id"], &rows[1]["error"]["row"], &rows[1]["error"]["line"]),
        (&json!("2"), &json!(2), &Value::Null)
    );
    let error = place.judge("rows.parquet", "fail.jsonl", &["--on-error", "fail"]).error();
    assert!(error.contains("rows.parquet") && error.contains("row 2"), "{error}");
}

#[test]
fn a_table_that_names_a_column_twice_is_refused() {
    let place = Place::new();
    place.write("rows.csv", "document,summary,summary\nA cat.,A cat.,A dog.\n");
    let error = place.judge("rows.csv", "out.jsonl", &[]).error();
    assert!(error.contains("rows.csv") && error.contains("summary"), "{error}");
    assert_eq!(place.names(), ["rows.csv"]);
}

#[test]
fn many_summaries_of_one_document_are_judged_as_if_alone() {
    let document =
        "The cat sat on the mat. The mayor was late.\n\nRain fell on the old bridge. A boat left early.";
    let summaries =
        ["The cat sat.", "Rain fell. The cat sat.", "The boat is new.", "The cat sat.", "The mayor left."];
    let row = |id: usize| json!({"id": id, "document": document, "summary": summaries[id % 5]});
    let rows: Vec<Value> = (0..40).map(row).collect();
    for more in [
        &[][..],
        &["--set", "cache_mb=0"],
        &["--set", "cache_mb=1", "--set", "batch_tokens=64", "--threads", "1"],
    ] {
        let together = judged_bytes("rows.jsonl", json_lines(&rows), more);
        let together: Vec<&str> = together.lines().collect();
        for id in [0, 1, 2, 3, 4, 17, 39] {
            let alone = judged_bytes("rows.jsonl", rows[id].to_string(), &[]);
            assert_eq!(together[id], alone.trim_end(), "{more:?}");
        }
        let row: Value = serde_json::from_str(together[1]).unwrap();
        assert_eq!(list(&row["claims"]).len(), 2);
    }
}
