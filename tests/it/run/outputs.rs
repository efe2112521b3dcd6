//! The outputs of `run`: JSON Lines, CSV, TSV and Parquet have the same results and lose no character, `--explode` gives one row
//! per claim, and an output has its name only when it is complete. Tables are read back by the program itself and by the few
//! lines of common/runs.rs.
use std::collections::BTreeMap;
use std::io::Write;

use crate::common::runs::{corpus, ended, is_judging, json_lines, judging, records, wait_until};
use crate::common::{Place, list};
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

fn separator(name: &str) -> char {
    if name.ends_with("tsv") { '\t' } else { ',' }
}

/// The rows of a table as maps from column to cell; every row has all cells.
#[track_caller]
fn cells(place: &Place, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut records = records(&place.read(name), separator(name)).into_iter();
    let header = records.next().unwrap();
    let row = |record: Vec<String>| {
        assert_eq!(record.len(), header.len(), "{record:?}");
        header.iter().cloned().zip(record).collect()
    };
    records.map(row).collect()
}

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

/// Runs to a table, runs from that table, and compares with a run from the rows themselves.
fn check_round_trip(rows: &[Value], ending: &str) -> Result<(), TestCaseError> {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(rows));
    let table = format!("table.{ending}");
    let keep = ["--quiet", "--keep", "document,summary,extra,list"];
    let direct = place.judge("rows.jsonl", "direct.jsonl", &keep);
    prop_assert_eq!(direct.code, 0, "{}", direct.stderr);
    prop_assert_eq!(place.judge("rows.jsonl", &table, &keep).code, 0);
    let fields = ["--quiet", "--document-field", "input.document", "--summary-field", "input.summary"];
    let kept = ["--keep", "input.document,input.summary,input.extra,input.list"];
    let again = place.judge(&table, "again.jsonl", &[&fields[..], &kept].concat());
    prop_assert_eq!(again.code, 0, "{}", again.stderr);
    let (direct, again) = (place.json_rows("direct.jsonl"), place.json_rows("again.jsonl"));
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
    Ok(())
}

#[test]
fn hard_texts_are_read_back_from_every_table() {
    for ending in TABLES {
        check_round_trip(&rows_of(&HARD.map(str::to_owned)), ending).unwrap();
        check_round_trip(&rows_of(&["x".repeat(100_000), "\"".repeat(5000), "\n".repeat(5000)]), ending)
            .unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_texts_are_read_back_from_every_table(
        texts in proptest::collection::vec(prop_oneof!["(?s).{0,12}", "[ \t\r\n\",;'\\\\a]{0,8}"], 30),
    ) {
        for ending in TABLES {
            check_round_trip(&rows_of(&texts), ending)?;
        }
    }
}

#[test]
fn json_lines_are_read_back_byte_by_byte() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&rows_of(&HARD.map(str::to_owned))));
    place.judge("rows.jsonl", "first.jsonl", &["--quiet", "--keep", "document,summary,extra,list"]).ok();
    let object = |row: &Value| {
        let mut object = row["input"].clone();
        object["id"] = row["id"].clone();
        object
    };
    let rows: Vec<Value> = place.json_rows("first.jsonl").iter().map(object).collect();
    assert_eq!(json_lines(&rows), place.read("rows.jsonl"));
}

/// Two rows, one of them bad, with the expected bytes.
#[test]
fn tables_follow_rfc_4180() {
    let row = r#"{"id":"a \"b\"","document":"The cat sat.","summary":"A \"cat\",\nsat.","n":1.50,"t":" x\ty ","l":[1, "z"]}"#;
    let place = Place::new();
    place.write("rows.jsonl", format!("{row}\n{{\"id\":2,\"document\":\"The cat sat.\",\"n\":0.10}}\n"));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
    let expected = &place.json_rows("out.jsonl")[0];
    for (name, quoted, tab) in
        [("out.csv", "\"a \"\"b\"\"\",", ", x\ty ,"), ("out.tsv", "\"a \"\"b\"\"\"\t", "\t\" x\ty \"\t")]
    {
        place.judge("rows.jsonl", name, &["--quiet"]).error();
        let text = place.read(name);
        let header = text.lines().next().unwrap();
        assert!(text[header.len() + 1..].starts_with(quoted), "{text}");
        assert!(text.contains(tab) && text.contains(r#""[1, ""z""]""#), "{text}");
        assert!(text.ends_with('\n') && !text.contains('\r'), "{text}");
        let rows = cells(&place, name);
        let cell = |row: usize, column: &str| rows[row][column].as_str();
        assert_eq!(
            (rows.len(), cell(0, "id"), cell(0, "verdict")),
            (2, "a \"b\"", expected["verdict"].as_str().unwrap())
        );
        assert_eq!(cell(0, "score"), expected["score"].to_string());
        assert_eq!(serde_json::from_str::<Value>(cell(0, "claims")).unwrap(), expected["claims"]);
        assert_eq!(
            (cell(0, "input.n"), cell(0, "input.t"), cell(0, "input.l")),
            ("1.50", " x\ty ", "[1, \"z\"]")
        );
        assert_eq!((cell(1, "id"), cell(1, "score"), cell(1, "claims")), ("2", "", ""));
        assert_eq!(
            (cell(1, "error.file"), cell(1, "error.line"), cell(1, "error.row")),
            ("rows.jsonl", "2", "")
        );
        assert!(cell(1, "error.reason").contains("summary"), "{rows:?}");
    }
}

/// Columns are those of the first rows; a field that appears later must not be lost.
#[test]
fn fields_that_only_some_rows_have_keep_their_values() {
    let mut rows = corpus(61, 40, 1);
    rows[0]["first"] = json!("f, \"1\"");
    rows[20]["late"] = json!("l\n20");
    rows[39]["last"] = json!([1, null]);
    rows[5]["summary"] = json!(7);
    for name in ["out.csv", "out.tsv"] {
        let place = Place::new();
        place.write("rows.jsonl", json_lines(&rows));
        place.judge("rows.jsonl", name, &["--quiet"]).error();
        let table = cells(&place, name);
        assert_eq!(table.len(), 40);
        for (row, field, value) in [(0, "first", "f, \"1\""), (20, "late", "l\n20"), (39, "last", "[1,null]")]
        {
            let rest: Value = serde_json::from_str(&table[row]["input"]).unwrap_or_default();
            let rest = rest[field].as_str().map_or_else(|| rest[field].to_string(), str::to_owned);
            let own = table[row].get(&format!("input.{field}"));
            assert!(own.is_some_and(|own| own == value) || rest == value, "{field}: {:?}", table[row]);
        }
        assert!(
            (0..40).all(|row| row == 5 || table[row]["input.label"] == (row % 2).to_string()),
            "labels are lost"
        );
    }
}

#[test]
fn numbers_of_tables_are_those_of_json_lines() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(62, 30, 2)));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).ok();
    let scores: Vec<String> =
        place.json_rows("out.jsonl").iter().map(|row| row["score"].to_string()).collect();
    for ending in TABLES {
        let table = format!("out.{ending}");
        place.judge("rows.jsonl", &table, &["--quiet"]).ok();
        // The texts are the claims and the verdict; only the fields that pass through matter here.
        let fields = ["--quiet", "--document-field", "claims", "--summary-field", "verdict"];
        place.judge(&table, "again.jsonl", &fields).ok();
        for (row, score) in place.json_rows("again.jsonl").iter().zip(&scores) {
            let kept = &row["input"]["score"];
            assert_eq!(kept.as_str().map_or_else(|| kept.to_string(), str::to_owned), *score, "{ending}");
        }
        place.remove("again.jsonl");
        place.remove("again.jsonl.journal");
    }
}

#[test]
fn explode_gives_one_row_per_claim_with_the_fields_of_the_pair() {
    let place = Place::new();
    let summaries = [
        "The cat sat. The dog was old. Rain fell.",
        "A \"boat\",\nleft.",
        "?!",
        "The city is new. It closed.",
    ];
    let row = |(id, summary): (usize, &&str)| json!({"id": id, "document": "The cat sat. Rain fell.", "summary": summary, "n": id});
    let rows: Vec<Value> = summaries.iter().enumerate().map(row).collect();
    place.write("rows.jsonl", json_lines(&rows));
    place.judge("rows.jsonl", "pairs.jsonl", &["--quiet"]).error();
    let mut expected = Vec::new();
    for pair in place.json_rows("pairs.jsonl") {
        match pair["claims"].as_array() {
            Some(claims) => expected.extend(claims.iter().cloned().map(|claim| (pair.clone(), Some(claim)))),
            None => expected.push((pair, None)),
        }
    }
    place.judge("rows.jsonl", "out.jsonl", &["--quiet", "--explode", "claims"]).error();
    let exploded = place.json_rows("out.jsonl");
    assert_eq!((exploded.len(), expected.len()), (7, 7));
    for (row, (pair, claim)) in exploded.iter().zip(&expected) {
        for field in ["schema", "id", "score", "verdict", "error", "input", "profile", "models"] {
            assert_eq!(row[field], pair[field], "{field}");
        }
        assert_eq!(&row["claim"], claim.as_ref().unwrap_or(&Value::Null));
    }
    for name in ["out.csv", "out.tsv"] {
        place.judge("rows.jsonl", name, &["--quiet", "--explode", "claims"]).error();
        for (cells, (pair, claim)) in cells(&place, name).iter().zip(&expected) {
            assert_eq!(
                (cells["id"].clone(), cells["input.n"].clone()),
                (
                    pair["id"].to_string(),
                    match claim {
                        Some(_) => pair["input"]["n"].to_string(),
                        None => cells["input.n"].clone(),
                    }
                )
            );
            let Some(claim) = claim else { continue };
            assert_eq!(
                (&json!(cells["claim.text"]), &json!(cells["claim.verdict"])),
                (&claim["text"], &claim["verdict"])
            );
            assert_eq!(cells["claim.score"], claim["score"].to_string());
            assert_eq!(json!(cells["claim.evidence.text"]), claim["evidence"]["text"]);
        }
        assert_eq!(cells(&place, name).len(), 7);
    }
    assert!(expected.iter().any(|(pair, _)| list(&pair["claims"]).len() == 3 || pair["claims"].is_null()));
}

#[test]
fn the_name_or_the_option_determines_the_format() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(63, 10, 1)));
    for ending in TABLES.iter().chain(&["jsonl"]) {
        let (by_name, by_option) = (format!("out.{ending}"), format!("{ending}.txt"));
        place.judge("rows.jsonl", &by_name, &["--quiet"]).ok();
        place.judge("rows.jsonl", &by_option, &["--quiet", "--output-format", ending]).ok();
        assert!(place.bytes(&by_name) == place.bytes(&by_option), "{ending}");
    }
    place.judge("rows.jsonl", "lines.csv", &["--quiet", "--output-format", "jsonl"]).ok();
    assert!(place.bytes("lines.csv") == place.bytes("out.jsonl"), "the option wins over the name");
    let before = place.names();
    for name in ["out.xlsx", "out.jsonl.gz"] {
        let error = place.judge("rows.jsonl", name, &["--quiet"]).error();
        assert!(error.contains(name) && error.contains("set --output-format"), "{error}");
    }
    assert_eq!(place.names(), before);
}

#[test]
fn an_output_in_a_folder_that_is_missing_is_refused() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(64, 3, 1)));
    assert!(place.judge("rows.jsonl", "missing/out.jsonl", &[]).error().contains("missing/out.jsonl"));
    assert_eq!(place.names(), ["rows.jsonl"]);
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
