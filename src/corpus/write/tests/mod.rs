//! Helpers of the tests: rows as `run` produces them, outputs in memory, and tables read back with the crate's own readers.

mod back;
mod explode;
mod failures;
mod few;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod properties;
mod tables;

use std::io;
use std::sync::{Arc, Mutex};

use super::super::read::Source;
use super::*;
use crate::input::Fields;

/// A row of a result in which every field has a value.
const RESULT: &str = r#"{"schema":1,"id":"a-1","row":7,"score":0.7521485,"verdict":"contradicted","reason":"language","limits":{"scale":"probability","supported":0.5,"contradicted":0.6,"shared_words":3,"quantity_nowhere":0.125,"date_nowhere":0.25,"instead":0.0625,"unsure_within":0.375},"claims":[{"text":"The cat \"sat\".","summary_spans":[[0,14]],"score":0.99,"verdict":"supported","probabilities":{"entailment":0.995,"neutral":0.0,"contradiction":0.005},"level":"coref","evidence":{"text":"It sat.","span":[12,19]},"substitution":{"mention":"It","mention_span":[12,14],"by":"The cat","by_span":[0,7],"rewritten":"The cat sat."},"counter_evidence":null,"tested":"The cat sat."},{"text":"It was red.","summary_spans":[[15,26],[30,31]],"score":-0.5,"verdict":"contradicted","reason":"language","cap":"instead","explanation":"Not judged.","probabilities":{"entailment":0.1,"neutral":0.3,"contradiction":0.6},"level":"sentence","evidence":{"text":"It sat.","span":[12,19]},"substitution":null,"counter_evidence":{"text":"It was blue.","span":[20,32],"contradiction":0.9,"quantity":{"claim":"2","document":"4"}}}],"unjudged":{"spans":[[27,29]],"share":0.25},"ledger":{"sentences":3,"premises":9,"premises_skipped":1,"premises_screened":21,"screen_pairs":22,"contrast_pairs":24,"premises_split":2,"premises_cut":4,"rewritings_left_out":5,"characters_replaced":6,"sources":[{"id":"a","span":[0,19]}],"language":{"document":"en","summary":"zh"},"claims_from":"sentence"},"profile":{"name":"paper","levels":["sentence","window"],"score":"entailment - contradiction","threshold":0.8,"window":5,"stride":1,"screen":{"method":"words","sentences":4,"windows":2,"runs":1},"epsilon":0.01,"temperature":1.5,"over_claims":"mean","caps":{"quantity_nowhere":0.125,"date_nowhere":0.25,"instead":0.0625},"contrast":true,"pair_tokens":512,"rewritten_tokens":513,"document_tokens":4096,"run_tokens":400,"verdicts":{"supported":0.5,"contradicted":0.6,"shared_words":2},"max_tokens":4097,"claims":"sentence","layout":true,"coref":"rules","abstain":0.2,"languages":["en"],"digest":"0123456789ab"},"models":{"nli":{"id":"n","sha256":"aa","dtype":"f32"},"screen":{"id":"m","sha256":"dd","dtype":"int8"},"claims":{"id":"t","sha256":"bb","dtype":"f32"},"coref":{"id":"c","sha256":"cc","dtype":"f32"},"token_classifier":{"id":"w","sha256":"ee","dtype":"f32"}},"input":{"label":1,"note":"x, \"y\""}}"#;

/// A row of a pair that could not be judged.
const ERROR: &str = r#"{"schema":1,"id":null,"error":{"file":"a.jsonl","line":3,"row":null,"reason":"is not valid JSON"},"input":{}}"#;

/// An output in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a row with this `input`.
fn with_input(input: &str) -> String {
    format!(r#"{{"schema":1,"id":1,"score":1.0,"verdict":"supported","claims":[],"input":{input}}}"#)
}

fn bytes<R: AsRef<str>>(format: OutputFormat, explode: bool, rows: &[R]) -> Vec<u8> {
    bytes_of(format, Shape { explode, columns: Columns::All, ..Shape::default() }, rows)
}

fn bytes_of<R: AsRef<str>>(format: OutputFormat, shape: Shape, rows: &[R]) -> Vec<u8> {
    let memory = Memory::default();
    let mut writer = RowWriter::new(format, shape, Box::new(memory.clone()));
    for row in rows {
        writer.write(row.as_ref()).unwrap();
    }
    writer.finish().unwrap();
    std::mem::take(&mut *memory.0.lock().unwrap())
}

fn text<R: AsRef<str>>(format: OutputFormat, explode: bool, rows: &[R]) -> String {
    String::from_utf8(bytes(format, explode, rows)).unwrap()
}

/// A row of a table by the names of its columns: texts as they are, other values as their JSON, no null.
#[derive(Debug, PartialEq)]
struct ReadRow(Vec<(String, Option<String>)>);

impl ReadRow {
    fn of(fields: &Fields) -> Self {
        let value = |name: &str| {
            let json = fields.get(name).unwrap().get();
            let text = serde_json::from_str(json).unwrap_or_else(|_| json.to_owned());
            (json != "null").then_some(text)
        };
        Self(fields.names().iter().map(|name| ((*name).to_owned(), value(name))).collect())
    }

    /// Returns the value in a column, which must exist.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(column, _)| column == name).unwrap().1.as_deref()
    }

    fn columns(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }
}

/// Returns the cells of a table that was written in `format`.
fn rows_of(format: OutputFormat, bytes: &[u8]) -> impl Iterator<Item = Fields> {
    let name = match format {
        OutputFormat::JsonLines => "a.jsonl",
        OutputFormat::Csv => "a.csv",
        OutputFormat::Tsv => "a.tsv",
        #[cfg(feature = "parquet")]
        OutputFormat::Parquet => "a.parquet",
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let rows: Vec<Fields> =
        Source::find(&[path], None).unwrap().rows().map(|row| row.unwrap().fields).collect();
    rows.into_iter()
}

/// Reads back the rows of such a table.
fn read_back(format: OutputFormat, bytes: &[u8]) -> Vec<ReadRow> {
    rows_of(format, bytes).map(|fields| ReadRow::of(&fields)).collect()
}

fn table<R: AsRef<str>>(format: OutputFormat, explode: bool, rows: &[R]) -> Vec<ReadRow> {
    read_back(format, &bytes(format, explode, rows))
}

/// All table formats.
const TABLES: &[OutputFormat] = &[
    OutputFormat::Csv,
    OutputFormat::Tsv,
    #[cfg(feature = "parquet")]
    OutputFormat::Parquet,
];
