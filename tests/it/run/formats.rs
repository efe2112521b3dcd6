//! The inputs of `run`: the same rows give the same bytes from every format, compressed or not, from several files and from
//! standard input; bad rows of each format. The readers themselves are tested in src/corpus/read, truncated files in
//! broken_files.rs, outputs in outputs.rs.
use std::fs;
use std::sync::LazyLock;

use crate::common::runs::{gzip, json_lines, table, zstd};
use crate::common::{Place, list, repository, test_each, with_tiny};
use insta::assert_snapshot;
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

/// The reference zstd wrote the first, pyarrow the others. Parquet compressed with zstd, which most programs write, was
/// refused.
#[test]
fn files_of_other_programs_give_the_same_bytes() {
    let packed = fixture_rows()[..3].join("\n") + "\n";
    let expected = judged_bytes("rows.jsonl", packed.repeat(9), &[]);
    assert!(judged_bytes("rows.jsonl.zst", fixture("rows.jsonl.zst"), &[]) == expected);
    if cfg!(feature = "parquet") {
        let expected = judged_bytes("rows.jsonl", fixture_rows().join("\n"), &[]);
        let kinds = ["plain", "snappy", "gzip_pages_2", "row_groups", "zstd", "zstd_pages_2"];
        test_each(kinds.map(|kind| format!("{kind}.parquet")), |name| {
            assert!(judged_bytes(&name, fixture(&name), &[]) == expected);
        });
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_types_pass_through_as_the_json_that_is_the_same() {
    let output = judged_bytes("types.parquet", fixture("types.parquet"), &[]);
    let rows = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let shown: String = rows.map(|row| format!("{} {}\n", row["id"], row["input"])).collect();
    assert_snapshot!("parquet_types", shown);
}

#[test]
fn files_that_no_row_can_be_read_from_are_refused() {
    let place = Place::new();
    place.write("twice.csv", "document,summary,summary\nA cat.,A cat.,A dog.\n");
    place.write("rows.parquet", fixture("lz4.parquet"));
    let inputs = if cfg!(feature = "parquet") {
        vec!["twice.csv", "nothing-*.jsonl", "rows.parquet"]
    } else {
        vec!["twice.csv", "nothing-*.jsonl"]
    };
    let commands: Vec<String> = inputs.iter().map(|input| format!("run {input} -o out.jsonl")).collect();
    assert_snapshot!("refused_inputs", place.refusals(&commands));
    assert_eq!(place.names(), ["rows.parquet", "twice.csv"]);
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

/// What becomes of a row does not depend on the format: see the tests of broken rows in mod.rs.
#[test]
fn a_bad_row_of_any_format_is_an_error_row_with_reason_and_place() {
    let object = r#"{"document":"A cat.","summary":"A cat."}"#;
    let mut files = vec![
        ("rows.csv", b"document,summary\nA cat.,A cat.\nA cat.\nA cat.,A cat.\n".to_vec()),
        ("rows.csv", b"document,summary\n\"A\ncat.\",A cat.\n\nA cat.,\nA cat.,A cat.\n".to_vec()),
        ("rows.tsv", b"document\tsummary\nA cat.\tA cat.\nA cat.\t \nA cat.\tA cat.\n".to_vec()),
        ("rows.json", format!("[{object},\n{{\"document\":\"A cat.\"}},\n\n{object}]").into_bytes()),
        (
            "rows.json",
            format!("[\n{object},\n\n{{\n\"document\":1,\n\"summary\":\"A\"}},\n{object}]").into_bytes(),
        ),
    ];
    if cfg!(feature = "parquet") {
        files.push(("rows.parquet", fixture("null_document.parquet")));
    }
    let mut told = String::new();
    test_each(files, |(name, bytes)| {
        let place = Place::new();
        place.write(name, bytes);
        let message = place.judge(name, "out.jsonl", &["--quiet"]).error();
        let rows = place.json_rows("out.jsonl");
        assert!(rows[0]["score"].is_number() && rows[2]["score"].is_number());
        told += &format!("{message}\n    {} {}\n", rows[1]["id"], rows[1]["error"]);
    });
    assert_snapshot!("bad_rows", told);
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

/// A corpus whose texts have other names cost an error row for each of its rows.
#[test]
fn a_corpus_without_the_fields_of_the_texts_is_refused_at_its_first_row() {
    let place = Place::new();
    let rows =
        |count: usize| "{\"id\": 1, \"body\": \"The cat sat.\", \"text\": \"It sat.\"}\n".repeat(count);
    place.write("rows.jsonl", rows(3));
    for more in [&[][..], &["--on-error", "skip"], &["--document-field", "doc"]] {
        let error = place.run_tiny(&[&["run", "rows.jsonl", "-o", "out.jsonl"], more].concat()).error();
        assert!(error.contains("rows.jsonl: line 1: has no field"), "{error}");
        assert_eq!(place.names(), ["rows.jsonl"]);
    }
    place.write("rows.jsonl", rows(3) + &lines());
    assert_eq!(place.run_tiny(&["run", "rows.jsonl", "-o", "out.jsonl"]).code, 2, "three rows fail");
    assert!(place.has("out.jsonl"));
}
