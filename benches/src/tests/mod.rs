//! Small files in the formats of the benchmarks' authors, written by hand: what is read, left out and refused, the figures,
//! and properties of any scores and rows.

mod aggrefact;
mod compare;
mod entities;
mod frank;
mod frank_finesure;
mod jsonl;
mod llm_aggrefact;
mod longeval;
mod properties;
mod published;
mod qags;
mod realsumm;
mod realsumm_files;
mod scores;
mod story_summeval;
mod stratified;
mod summedits;
mod summeval;
mod tofueval;

use std::path::PathBuf;

use super::*;
use crate::metrics::MetricInputs;
use veridic::Pair;
use veridic::corpus::read::{Rows, Source};

/// Files in a temporary folder.
pub(crate) struct Files {
    folder: tempfile::TempDir,
    paths: Vec<PathBuf>,
}

impl Files {
    pub(crate) fn new(files: &[(&str, impl AsRef<[u8]>)]) -> Self {
        let mut made = Self { folder: tempfile::tempdir().unwrap(), paths: Vec::new() };
        made.paths = files.iter().map(|(name, content)| made.write(name, content)).collect();
        made
    }

    /// Writes another file into the folder.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn rows(&self) -> Rows {
        Source::find(&self.paths, None).unwrap().rows()
    }

    /// Returns the rows of another file in the folder.
    fn rows_beside(&self, name: &str, content: &str) -> Rows {
        Source::find(&[self.write(name, content)], None).unwrap().rows()
    }
}

/// The reading of files of these names.
fn read_files<B: Benchmark>(
    benchmark: &B,
    files: &[(&str, impl AsRef<[u8]>)],
) -> Result<Reading<B::Label>, BenchError> {
    read(benchmark, Files::new(files).rows())
}

fn read_file<B: Benchmark>(
    benchmark: &B,
    name: &str,
    content: impl AsRef<[u8]>,
) -> Result<Reading<B::Label>, BenchError> {
    read_files(benchmark, &[(name, content)])
}

/// The error of reading a file.
#[track_caller]
fn refusal(benchmark: &impl Benchmark, name: &str, content: &str) -> String {
    match read_file(benchmark, name, content) {
        Ok(reading) => panic!("{} cases were read", reading.cases.len()),
        Err(error) => error.to_string(),
    }
}

/// Fails unless the error names the line and has these words.
#[track_caller]
fn assert_refused(benchmark: &impl Benchmark, name: &str, content: &str, line: usize, words: &[&str]) {
    let refusal = refusal(benchmark, name, content);
    let place = format!("{name}: line {line}: ");
    let has = |words: &&str| refusal.contains(*words);
    assert!(refusal.contains(&place) && words.iter().all(has), "{refusal}");
}

/// The inputs of metrics of a case.
fn inputs<Label>(case: &Case<Label>) -> MetricInputs {
    MetricInputs::of(&Pair { inputs: Some(&case.inputs), ..Pair::new(&case.document, &case.text) }).unwrap()
}

/// The value of a figure.
#[track_caller]
fn value(figure: &Figures) -> f64 {
    figure.value().unwrap_or_else(|| panic!("{figure:?} has no value"))
}

/// The values of a field of each item of a list.
fn values(list: &Figures, field: &str) -> Vec<f64> {
    list.list().iter().map(|item| value(&item[field])).collect()
}

/// Fails unless a line has these words in this order.
#[track_caller]
fn assert_line(lines: &[String], words: &[&str]) {
    let has = |line: &String| {
        let found: Vec<&str> = line.split_whitespace().collect();
        found.len() == words.len() && found.iter().zip(words).all(|(found, word)| found == word)
    };
    assert!(lines.iter().any(has), "{words:?} in {lines:#?}");
}
