//! A table has every claim and every value that passes through, and the crate's readers read them back.

use std::collections::{BTreeMap, HashSet};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;

/// A row to write.
#[derive(Debug, Clone)]
struct Row {
    id: String,
    is_error: bool,
    /// Texts, and the texts of their counter-evidence.
    claims: Vec<(String, Option<String>)>,
    /// Names, and JSON.
    input: Vec<(String, String)>,
}

/// Texts rich in characters that are special in some format.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "(?s).{0,12}",
        "[\"\\\\,;\r\n\t\0 \u{feff}\u{2028}\u{85}e\u{301}é猫🙂\u{202e}אב{}\\[\\]:a]{0,12}",
        "( |\r|\n|\r\n|\"|x){0,6}",
        "[a-z]{1,8}",
        ("[a,\" \n]{1,3}", 0_usize..3000).prop_map(|(text, times)| text.repeat(times)),
    ]
}

/// JSON of any kind of value.
fn any_json() -> impl Strategy<Value = String> {
    let text = any_text().prop_map(|text| json(&text)).boxed();
    prop_oneof![
        4 => text.clone(),
        1 => text.clone().prop_map(|text| format!("{{\"a\" : [{text}, null]}}")),
        1 => text.prop_map(|text| format!("[\n{text},\r\n{{}}]")),
        1 => prop_oneof!["-?[1-9][0-9]{0,30}(\\.[0-9]{1,3})?(e-?[0-9])?", "null", "true", r#""\\ud83d""#, r#""\\u0000""#],
    ]
}

fn any_row() -> impl Strategy<Value = Row> {
    let claims = vec((any_text(), option::of(any_text())), 0..4);
    let name = prop_oneof![3 => "[a-d]", 1 => any_text()];
    let input = vec((name, any_json()), 0..5).prop_map(|mut fields| {
        let mut known = HashSet::new();
        fields.retain(|(name, _)| known.insert(name.clone()));
        fields
    });
    (any_text(), prop::bool::weighted(0.2), claims, input).prop_map(|(id, is_error, claims, input)| Row {
        id,
        is_error,
        claims,
        input,
    })
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

impl Row {
    fn json(&self) -> String {
        let input: Vec<String> =
            self.input.iter().map(|(name, value)| format!("{}: {value}", json(name))).collect();
        let (id, input) = (json(&self.id), input.join(","));
        if self.is_error {
            return format!(r#"{{"schema":1,"id":{id},"error":{{"reason":{id}}},"input":{{{input}}}}}"#);
        }
        let claim = |(text, evidence): &(String, Option<String>)| {
            let evidence = evidence.as_ref().map_or("null".into(), |text| {
                format!(r#"{{"text":{},"span":[3,4],"contradiction":0.25}}"#, json(text))
            });
            format!(r#"{{"text":{},"score":1e-7,"counter_evidence":{evidence}}}"#, json(text))
        };
        let claims: Vec<String> = self.claims.iter().map(claim).collect();
        let claims = claims.join(",");
        format!(r#"{{"schema":1,"id":{id},"score":-0.5,"claims":[{claims}],"input":{{{input}}}}}"#)
    }

    /// Returns the number of its rows in a table.
    fn rows(&self, explode: bool) -> usize {
        if explode && !self.is_error { self.claims.len().max(1) } else { 1 }
    }
}

/// Returns a JSON value as a table shows it.
fn shown(value: &str) -> String {
    let value = value.replace(['\n', '\r'], " ");
    serde_json::from_str(&value).unwrap_or(value)
}

/// Returns the fields that passed through, except those that a column cannot distinguish from missing ones.
fn passed(row: &Row, columns: &[&str]) -> BTreeMap<String, String> {
    let is_distinct = |(name, value): &&(String, String)| {
        !columns.contains(&format!("input.{name}").as_str()) || !["\"\"", "null"].contains(&value.as_str())
    };
    row.input.iter().filter(is_distinct).map(|(name, value)| (name.clone(), shown(value))).collect()
}

fn passed_of(row: &ReadRow) -> BTreeMap<String, String> {
    let columns = row.0.iter().filter_map(|(name, value)| {
        let value = value.as_deref().filter(|value| !value.is_empty())?;
        Some((name.strip_prefix("input.")?.to_owned(), value.to_owned()))
    });
    let rest = row.get("input").filter(|rest| !rest.is_empty()).unwrap_or("{}");
    let rest: BTreeMap<String, Box<RawValue>> = serde_json::from_str(rest).unwrap();
    columns.chain(rest.into_iter().map(|(name, value)| (name, shown(value.get())))).collect()
}

#[track_caller]
fn check(row: &Row, read: &ReadRow) {
    let get = |name| read.get(name).unwrap_or_default();
    assert_eq!(get("id"), row.id);
    assert_eq!(get("other"), "");
    assert_eq!(get("error.reason"), if row.is_error { &row.id } else { "" });
    assert_eq!(get("score"), if row.is_error { "" } else { "-0.5" });
    assert_eq!(passed_of(read), passed(row, &read.columns()));
}

#[track_caller]
fn check_claim(row: &Row, index: usize, read: &ReadRow) {
    let get = |name| read.get(name).unwrap_or_default();
    if row.is_error || row.claims.is_empty() {
        assert_eq!((get("claim_index"), get("claim.text")), ("", ""));
        return assert_eq!(get("claims"), if row.is_error { "" } else { "0" });
    }
    let (text, evidence) = &row.claims[index];
    assert_eq!(get("claims"), row.claims.len().to_string());
    assert_eq!(get("claim_index"), index.to_string());
    assert_eq!(get("claim.text"), text);
    assert_eq!(get("claim.score").parse(), Ok(1e-7));
    assert_eq!(get("claim.counter_evidence.text"), evidence.as_deref().unwrap_or_default());
    assert_eq!(get("claim.counter_evidence.end"), if evidence.is_some() { "4" } else { "" });
}

/// Returns the rows of a table with null as an empty text, as the crate's readers read CSV.
fn cells(format: OutputFormat, explode: bool, lines: &[String]) -> Vec<ReadRow> {
    let alike = |(name, value): (String, Option<String>)| (name, Some(value.unwrap_or_default()));
    let rows = table(format, explode, lines).into_iter();
    rows.map(|row| ReadRow(row.0.into_iter().map(alike).collect())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tables_have_every_value_of_their_rows(rows in vec(any_row(), 0..6), explode: bool) {
        let lines: Vec<String> = rows.iter().map(Row::json).collect();
        for format in TABLES {
            let read = table(*format, explode, &lines);
            prop_assert_eq!(read.len(), rows.iter().map(|row| row.rows(explode)).sum::<usize>());
            let mut read = read.iter();
            for row in &rows {
                for (index, read) in read.by_ref().take(row.rows(explode)).enumerate() {
                    check(row, read);
                    if explode {
                        check_claim(row, index, read);
                    }
                }
            }
        }
    }

    #[test]
    fn parquet_and_csv_have_the_same_values(rows in vec(any_row(), 0..6), explode: bool) {
        let lines: Vec<String> = rows.iter().map(Row::json).collect();
        let [csv, others @ ..] = TABLES else { unreachable!() };
        for other in others {
            prop_assert_eq!(cells(*csv, explode, &lines), cells(*other, explode, &lines));
        }
    }
}

proptest! {
    #[test]
    fn exploded_lines_have_their_claims(rows in vec(any_row(), 0..6)) {
        let lines: Vec<String> = rows.iter().map(Row::json).collect();
        let text = text(OutputFormat::JsonLines, true, &lines);
        let claims: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(line).unwrap())
            .filter_map(|mut row| row.remove("claim"))
            .map(|claim| serde_json::from_str(claim.get()).unwrap())
            .collect();
        let expected: Vec<&str> = rows
            .iter()
            .filter(|row| !row.is_error)
            .flat_map(|row| row.claims.iter().map(|(text, _)| text.as_str()))
            .collect();
        let texts: Vec<&str> = claims.iter().map(|claim| claim["text"].as_str().unwrap()).collect();
        prop_assert_eq!(texts, expected);
    }

    #[test]
    fn anything_is_written_or_refused(row in "[\"\\\\{}\\[\\],:1nul\t\r\n é]{0,60}", explode: bool) {
        for format in [&[OutputFormat::JsonLines], TABLES].concat() {
            let mut writer = RowWriter::new(format, Shape { explode, columns: Columns::All, ..Shape::default() }, Box::new(Memory::default()));
            let _ = writer.write(&row);
            let _ = writer.write(RESULT);
            writer.finish().unwrap();
        }
    }
}
