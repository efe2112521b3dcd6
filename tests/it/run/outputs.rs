//! The outputs of `run`: tables lose no character when the program reads them back, and an output has its name only when it is
//! complete. The cells of tables and `--explode` are tested in src/corpus/write.
use std::io::Write;

use crate::common::Place;
use crate::common::runs::{corpus, ended, is_judging, json_lines, judging, wait_until};
use proptest::prelude::*;
use serde_json::{Value, json};

const TABLES: &[&str] = if cfg!(feature = "parquet") { &["csv", "tsv", "parquet"] } else { &["csv", "tsv"] };

/// Texts that are difficult for the formats.
const HARD: [&str; 26] = [
    " lead",
    "trail ",
    "\"q\"",
    "a,b",
    "a;b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "a\rb",
    "",
    "é🙂\u{2028}x",
    "null",
    "0012",
    "1e5",
    "=1+1",
    "\u{feff}bom",
    "\\n",
    "\"\"",
    "\"",
    " ",
    "\t",
    "\n",
    "TRUE",
    "a\0b",
    "\u{1b}[31m",
    "שלום 👩‍👩‍👧",
];

/// Rows with these texts: each is an id, a field that passes through, and part of a document and a summary.
fn rows_of(texts: &[String]) -> Vec<Value> {
    let inside = |text: &String| {
        text.replace(|character: char| character.is_control() && !"\t\r\n".contains(character), "")
    };
    // A claim is never cut, so one that is too long is an error.
    let short = |text: &str| text.chars().take(20).collect::<String>();
    let row = |text: &String| {
        let (document, summary) =
            (format!("{}The cat sat.", inside(text)), format!("A cat sat.{}", short(&inside(text))));
        json!({"id": text, "document": document, "summary": summary, "extra": text, "list": [text]})
    };
    texts.iter().map(row).collect()
}

/// Runs to every table, runs from that table, and compares with a run from the rows themselves.
fn check_round_trip(rows: &[Value]) -> Result<(), TestCaseError> {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(rows));
    let keep = ["--quiet", "--keep", "document,summary,extra,list"];
    let direct = place.judge("rows.jsonl", "direct.jsonl", &keep);
    prop_assert_eq!(direct.code, 0, "{}", direct.stderr);
    let direct = place.json_rows("direct.jsonl");
    for ending in TABLES {
        let (table, again) = (format!("table.{ending}"), format!("{ending}.jsonl"));
        prop_assert_eq!(place.judge("rows.jsonl", &table, &keep).code, 0);
        let fields = ["--quiet", "--document-field", "input.document", "--summary-field", "input.summary"];
        let kept = ["--keep", "input.document,input.summary,input.extra,input.list"];
        let output = place.judge(&table, &again, &[&fields[..], &kept].concat());
        prop_assert_eq!(output.code, 0, "{}", output.stderr);
        let again = place.json_rows(&again);
        prop_assert_eq!(direct.len(), again.len());
        for (direct, again) in direct.iter().zip(&again) {
            for field in ["id", "score", "verdict", "claims", "ledger"] {
                prop_assert_eq!(&direct[field], &again[field]);
            }
            let (before, after) = (&direct["input"], &again["input"]);
            for field in ["document", "summary", "extra"] {
                prop_assert_eq!(&before[field], &after[format!("input.{field}")]);
            }
            let texts: Value = serde_json::from_str(after["input.list"].as_str().unwrap()).unwrap();
            prop_assert_eq!(&before["list"], &texts);
        }
    }
    Ok(())
}

#[test]
fn hard_texts_are_read_back_from_every_table() {
    let long = ["x".repeat(100_000), "\"".repeat(5000), "\n".repeat(5000)];
    check_round_trip(&rows_of(&[&HARD.map(str::to_owned)[..], &long].concat())).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_texts_are_read_back_from_every_table(
        texts in proptest::collection::vec(prop_oneof!["(?s).{0,12}", "[ \t\r\n\",;'\\\\a]{0,8}"], 30),
    ) {
        check_round_trip(&rows_of(&texts))?;
    }
}

#[test]
fn a_table_has_few_columns_unless_all_are_asked_for() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(3, 4, 2)));
    let few = "id,score,verdict,reason,error.reason,claims.supported,claims.unsure,claims.unsupported,\
               claims.contradicted,worst.text,worst.explanation,unjudged.share,other,";
    for (name, more, begins) in [
        ("few.csv", &[][..], few),
        ("same.csv", &["--columns", "few"], few),
        ("all.csv", &["--columns", "all"], "id,row,score,verdict,reason,error.reason,error.file,"),
    ] {
        place.judge("rows.jsonl", name, &[&["--quiet"], more].concat()).ok();
        let table = place.read(name);
        assert!(table.starts_with(begins), "{name}: {}", table.lines().next().unwrap());
        let is_complete = ["ledger.premises,", "profile.digest,", "models.nli.sha256,", "unjudged.spans,"];
        assert_eq!(is_complete.iter().all(|column| table.contains(column)), name == "all.csv", "{name}");
    }
}

/// The input stays open, so the output cannot be complete.
#[test]
fn the_output_has_its_name_only_when_it_is_complete() {
    for ending in TABLES.iter().chain(&["jsonl"]) {
        let (place, name) = (Place::new(), format!("out.{ending}"));
        let mut child = place.start(&judging("-", &name, &["--quiet"]));
        // Rows are judged when 512 have arrived; those that fail take no time.
        let rows = json_lines(&corpus(65, 12, 1)) + &"{}\n".repeat(500);
        let stdin = child.stdin.as_mut().unwrap();
        stdin.write_all(rows.as_bytes()).unwrap();
        assert!(is_judging(&place, &mut child, &name, 1000));
        let partial = format!("{name}.partial");
        assert!(wait_until(|| place.has(&partial)), "{:?}", place.names());
        assert_eq!(place.names(), [format!("{name}.journal"), partial]);
        assert_eq!(ended(child).code, 2, "rows failed");
        assert_eq!(place.names(), [name.clone(), format!("{name}.journal")]);
    }
}
