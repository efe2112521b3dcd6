//! `run`: ids and other fields as given, the same bits in every arrangement, and bad rows. Formats are in
//! formats.rs, `--resume` in resume.rs, shards in shards.rs, other bad input in ../bad_input.rs.
mod broken_files;
mod closing;
mod formats;
mod kill;
mod outputs;
mod progress;
mod resume;
mod shards;
mod stop;

use std::collections::BTreeMap;

use crate::common::{Output, Place, SENTENCES, article, binary, models, summary, test_each, tiny};
use insta::assert_snapshot;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const ROW: &str = r#"{"document":"The cat sat. The dog was old.","summary":"The cat sat."}"#;

fn run(place: &Place, rows: impl AsRef<[u8]>, more: &[&str]) -> Output {
    place.write("rows.jsonl", rows);
    place.judge("rows.jsonl", "out.jsonl", more)
}

/// The lines of the output of a run that must succeed.
#[track_caller]
fn lines(rows: impl AsRef<[u8]>) -> Vec<String> {
    let place = Place::new();
    assert_eq!(run(&place, rows, &[]).ok(), "", "data goes to the file");
    assert_eq!(place.names(), ["out.jsonl", "rows.jsonl"]);
    place.read("out.jsonl").lines().map(str::to_owned).collect()
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// The bytes of one field of a line.
fn raw(line: &str, field: &str) -> Option<String> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
    fields.get(field).map(|value| value.get().to_owned())
}

/// ROW with other fields before its own.
fn row_with(fields: &str) -> String {
    format!("{{{fields},{}", &ROW[1..])
}

#[test]
fn ids_of_every_type_are_kept_exactly() {
    let ids = [
        r#""a""#,
        r#""caf\u00e9 \"x\" \/""#,
        "12345678901234567890123",
        "1.50",
        "-0",
        "1e400",
        "true",
        "null",
        r#"{"b": 1,  "a": [1.0, 2]}"#,
        "[ ]",
    ];
    let rows: Vec<String> = ids.iter().map(|id| row_with(&format!(r#""id":{id}"#))).collect();
    for (line, id) in lines(rows.join("\n")).iter().zip(ids) {
        assert_eq!(raw(line, "id").as_deref(), Some(id));
    }
}

#[test]
fn other_fields_pass_through_byte_by_byte_under_input() {
    let fields = [
        ("label", "1"),
        ("extra", r#"[1, 2.50,  {"z":1e5,"a":"\u00e9"}]"#),
        ("score", "0.10"),
        ("schema", "\"mine\""),
        ("input", r#"{ "nested":null}"#),
        ("big", "123456789012345678901234567890.0"),
        ("claims", r#"["given"]"#),
        ("twice", r#"{"a":1,"a":2}"#),
        ("", "\"no name\""),
        ("emoji 🙂", "\"\u{2028}\""),
    ];
    let written: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    let line = &lines(row_with(&written.join(" , ")))[0];
    let input = raw(line, "input").unwrap();
    for (name, value) in fields {
        assert_eq!(raw(&input, name).as_deref(), Some(value), "{name}");
    }
    let names: BTreeMap<String, &RawValue> = serde_json::from_str(&input).unwrap();
    assert_eq!(names.len(), fields.len(), "document, summary and id are not repeated: {input}");
    let at = |name: &str| input.find(&format!("\"{name}\"")).unwrap();
    assert!(at("label") < at("extra") && at("extra") < at("score") && at("claims") < at("twice"), "{input}");
    assert_eq!(parse(line)["schema"], 1, "the result's own fields are not changed");
}

#[test]
fn a_row_has_the_result_of_score_for_the_same_texts() {
    let place = Place::new();
    let row = serde_json::json!({"document": article(), "summary": summary()});
    let line = parse(&lines(row.to_string())[0]);
    let score = place.score_tiny(&article(), &summary(), &[]).json();
    for field in ["score", "verdict", "claims", "ledger", "profile", "models"] {
        assert_eq!(line[field], score[field], "{field}");
    }
}

#[test]
fn given_sentences_are_the_premises() {
    let row = |sentences: &Value| {
        let row = json!({"document": "The cat sat. It was old.\n A dog ran.", "summary": "The cat sat.", "document_sentences": sentences});
        row.to_string()
    };
    let own = lines(row(&Value::Null)).swap_remove(0);
    let given = lines(row(&json!(["The cat sat.", "It was old.", "A dog ran."]))).swap_remove(0);
    let (own, given) = (parse(&own), parse(&given));
    assert_eq!((&own["score"], &own["claims"]), (&given["score"], &given["claims"]));
    let one = parse(&lines(row(&json!(["The cat sat. It was old.\n A dog ran."]))).swap_remove(0));
    assert_eq!((&own["ledger"]["sentences"], &one["ledger"]["sentences"]), (&json!(3), &json!(1)));
    let place = Place::new();
    run(&place, row(&json!(["It was old.", "The cat sat."])), &[]);
    let error = parse(place.read("out.jsonl").lines().next().unwrap());
    let reason = error["error"]["reason"].as_str().unwrap();
    assert!(reason.contains("sentence 2") && !reason.contains("The cat sat."), "{error}");
}

#[test]
fn an_output_that_exists_is_refused_and_left_alone() {
    let place = Place::new();
    place.write("out.jsonl", "mine");
    assert!(run(&place, ROW, &[]).error().contains("out.jsonl"));
    assert_eq!(place.read("out.jsonl"), "mine");
    assert!(place.judge("rows.jsonl", "rows.jsonl", &[]).error().contains("rows.jsonl"));
    assert_eq!(place.read("rows.jsonl"), ROW);
}

#[test]
fn standard_output_has_the_lines_of_a_file_and_nothing_else() {
    let place = Place::new();
    let rows = [ROW, r#"{"document":"A dog.","summary":"?"}"#, ROW].join("\n");
    let to_file = run(&place, &rows, &[]);
    let expected = place.read("out.jsonl");
    let before = place.names();
    let piped = place.judge("rows.jsonl", "-", &[]);
    assert_eq!((piped.code, piped.stdout), (to_file.code, expected));
    assert!(piped.stderr.contains("1 of 3 rows failed: see `error` in standard output"), "{}", piped.stderr);
    assert_eq!(place.names(), before, "no file is made");
    let resumed = place.judge("rows.jsonl", "-", &["--resume"]).error();
    assert!(resumed.contains("--resume") && resumed.contains("-o -"), "{resumed}");
}

/// Broken rows of every kind.
fn broken_rows() -> Vec<(&'static str, String)> {
    let broken: [(&str, &str); 18] = [
        ("not JSON", "{oops"),
        ("cut", &ROW[..40]),
        ("two objects", &format!("{ROW} {ROW}")),
        ("a list", r#"["The cat sat.", "The cat sat."]"#),
        ("a string", r#""The cat sat.""#),
        ("no summary", r#"{"document":"The cat sat."}"#),
        ("no document", r#"{"summary":"The cat sat."}"#),
        ("null", r#"{"document":null,"summary":"The cat sat."}"#),
        ("number", r#"{"document":1,"summary":"The cat sat."}"#),
        ("list", r#"{"document":"The cat sat.","summary":["The cat sat."]}"#),
        ("empty document", r#"{"document":"","summary":"The cat sat."}"#),
        ("blank summary", r#"{"document":"The cat sat.","summary":" \n\t"}"#),
        ("no words", r#"{"document":"The cat sat.","summary":"?! ..."}"#),
        ("twice", r#"{"document":"The cat sat.","document":"The cat sat.","summary":"The cat sat."}"#),
        ("twice, escaped", r#"{"summary":"The cat sat.","document":"The cat.","s\u0075mmary":"A cat."}"#),
        ("two ids", &row_with(r#""id":1,"id":2"#)),
        ("half a character", r#"{"document":"\ud83d","summary":"The cat sat."}"#),
        ("NUL", r#"{"document":"The cat sat.","summary":"\u0000"}"#),
    ];
    broken.map(|(name, row)| (name, row.to_owned())).into()
}

#[test]
fn a_broken_row_ends_the_run_under_fail_with_file_and_line() {
    let mut told = String::new();
    test_each(broken_rows(), |(name, row)| {
        let place = Place::new();
        let output = run(&place, format!("{ROW}\n\n{ROW}\n{row}\n{ROW}\n"), &["--on-error", "fail"]);
        // The line must be that of the file, not the JSON parser's line 1.
        let error = output.clear_error(&["rows.jsonl: line 4: "]).unwrap();
        assert!(!error.contains("line 1"), "{error}");
        told += &format!("{name}\n    {error}\n");
        assert_eq!(place.names(), ["out.jsonl.journal", "rows.jsonl"]);
    });
    assert_snapshot!("broken_rows", told);
}

#[test]
fn a_broken_row_is_an_error_row_with_the_reason() {
    let place = Place::new();
    let broken = broken_rows();
    let rows: String = broken.iter().map(|(_, row)| format!("{ROW}\n\n{row}\n")).collect();
    let failed = run(&place, rows + ROW, &["--quiet"]).error();
    assert!(
        failed.contains(&format!("{} of {} rows failed", broken.len(), 2 * broken.len() + 1)),
        "{failed}"
    );
    let output = place.read("out.jsonl");
    let rows: Vec<&str> = output.lines().collect();
    assert_eq!(rows.len(), 2 * broken.len() + 1);
    test_each(broken.iter().enumerate(), |(number, _)| {
        let error = parse(&raw(rows[2 * number + 1], "error").unwrap());
        assert_eq!((&error["file"], &error["line"]), (&json!("rows.jsonl"), &json!(3 * number + 3)));
        assert!(error["reason"].as_str().is_some_and(|reason| reason.len() > 8), "{error}");
        assert!(raw(rows[2 * number + 1], "score").is_none() && raw(rows[2 * number], "score").is_some());
    });
}

#[test]
fn a_broken_row_keeps_its_id_and_fields() {
    let place = Place::new();
    let broken = r#"{"id":7,"document":"The cat sat.","label":1.50}"#;
    run(&place, format!("{broken}\n{ROW}\n"), &["--quiet"]).error();
    let output = place.read("out.jsonl");
    let line = output.lines().next().unwrap();
    assert_eq!(raw(line, "id").as_deref(), Some("7"));
    assert_eq!(raw(line, "input").as_deref(), Some(r#"{"document":"The cat sat.","label":1.50}"#));
}

#[test]
fn broken_rows_are_left_out_under_skip() {
    let place = Place::new();
    let output = run(&place, format!("{ROW}\n{{oops\n{ROW}\n"), &["--on-error", "skip"]);
    assert_eq!((output.code, &output.stdout[..]), (0, ""));
    assert!(output.stderr.contains("1 failed"), "{}", output.stderr);
    assert_eq!(place.read("out.jsonl"), lines(format!("{ROW}\n{ROW}\n")).join("\n") + "\n");
}

#[test]
fn a_claim_longer_than_the_limit_names_its_row() {
    let place = Place::new();
    let long = format!(r#"{{"document":"The cat sat.","summary":"{}late."}}"#, "The cat and ".repeat(60));
    let rows = format!("{ROW}\n{long}\n");
    let error = run(&place, rows, &["--set", "max_tokens=64", "--on-error", "fail"]).error();
    assert!(error.contains("rows.jsonl") && error.contains("line 2") && error.contains("64"), "{error}");
}

#[test]
fn a_run_without_judged_rows_leaves_no_files() {
    for (rows, more) in [("", &[][..]), ("\n \n", &[]), ("{oops", &["--on-error", "fail"])] {
        let place = Place::new();
        assert!(run(&place, rows, more).error().contains("rows"), "{rows:?}");
        assert_eq!(place.names(), ["rows.jsonl"], "{rows:?}");
    }
}

/// Rows of different lengths, by id.
fn mixed_rows() -> Vec<String> {
    let texts = [
        ("The cat sat.", "The cat sat."),
        (&SENTENCES[..4].join(" "), "The bakery opened in 1962. It closed in May."),
        ("Rain fell on the old bridge and the mayor left early. No boat was late.", "The bridge is old."),
        ("He said no.", "He said that the new bridge was not open. They were late. It was a dog."),
        ("A dog.\n\nA cat.\n\nA boat.\n\nA river.", "The game was late."),
    ];
    let with_ids = texts.iter().enumerate();
    with_ids
        .map(|(id, (d, s))| serde_json::json!({"id": id, "document": d, "summary": s}).to_string())
        .collect()
}

/// Results by id, as bytes.
fn results(model: &str, rows: &[String], more: &[&str]) -> BTreeMap<u64, String> {
    let place = Place::new();
    place.write("rows.jsonl", rows.join("\n"));
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--set", "window=2", "--set", "screen=words:8"];
    place.run([&fixed[..], &["--model", model], more].concat()).ok();
    let output = place.read("out.jsonl");
    output.lines().map(|line| (parse(line)["id"].as_u64().unwrap(), line.to_owned())).collect()
}

#[test]
fn results_are_equal_bit_for_bit_in_every_arrangement() {
    let rows = mixed_rows();
    let shuffled: Vec<String> = [3, 0, 4, 2, 1].iter().map(|&row: &usize| rows[row].clone()).collect();
    for model in models() {
        let together = results(&model, &rows, &[]);
        assert_eq!(together.len(), rows.len());
        let alone = rows.iter().flat_map(|row| results(&model, std::slice::from_ref(row), &[])).collect();
        assert_eq!(together, alone, "one row at a time");
        assert_eq!(together, results(&model, &shuffled, &[]), "shuffled");
        for more in [
            ["--threads", "1"],
            ["--threads", "2"],
            ["--set", "batch_tokens=64"],
            ["--set", "batch_tokens=4096"],
        ] {
            assert_eq!(together, results(&model, &rows, &more), "{more:?}");
        }
    }
}

/// The signal ended the program without a word, and the output's name stood nowhere.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_the_files_name() {
    let place = Place::new();
    let row = json!({"document": article(), "summary": summary()});
    place.write("rows.jsonl", format!("{row}\n").repeat(20));
    let mut command = std::process::Command::new("sh");
    let run =
        "ulimit -f 2; exec \"$0\" run rows.jsonl -o out.jsonl --model \"$1\" --set screen=words:8 --quiet";
    command.arg("-c").arg(run).arg(binary()).arg(tiny()).current_dir(place.path(""));
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("out.jsonl"), "{message}");
}
