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
use crate::protocol::*;
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

/// The figures of a file's texts with these scores.
fn figures_of<B: Benchmark>(benchmark: &B, name: &str, content: impl AsRef<[u8]>, scores: &[f64]) -> Figures {
    let reading = read_file(benchmark, name, content).unwrap();
    benchmark.figures(&reading.cases, scores).unwrap()
}

/// The error of reading a file.
#[track_caller]
fn refusal(benchmark: &impl Benchmark, name: &str, content: &str) -> String {
    match read_file(benchmark, name, content) {
        Ok(reading) => panic!("{} cases were read", reading.cases.len()),
        Err(error) => error.to_string(),
    }
}

/// Fails unless the error has these words, which are separated by bars.
#[track_caller]
fn assert_says(error: impl ToString, words: &str) {
    let error = error.to_string();
    assert!(words.split('|').all(|word| error.contains(word)), "{words} in {error}");
}

/// Fails unless the error names the line and has these words.
#[track_caller]
fn assert_refused(benchmark: &impl Benchmark, name: &str, content: &str, line: usize, words: &str) {
    assert_says(refusal(benchmark, name, content), &format!("{name}: line {line}: |{words}"));
}

/// Fails unless each change, from one text to another, makes a second row like the first a refused one.
#[track_caller]
fn assert_changes_refused(benchmark: &impl Benchmark, name: &str, row: &str, changes: &[(&str, &str, &str)]) {
    for (from, to, words) in changes {
        let bad = row.replacen(from, to, 1);
        assert_ne!(bad, row, "{from}");
        assert_refused(benchmark, name, &format!("{row}\n{bad}\n"), 2, words);
    }
}

/// The inputs of metrics of a case.
fn inputs<Label>(case: &Case<Label>) -> MetricInputs {
    MetricInputs::of(&Pair { inputs: Some(&case.inputs), ..Pair::new(&case.document, &case.text) }).unwrap()
}

#[track_caller]
fn value(figure: &Figures) -> f64 {
    figure.value().unwrap_or_else(|| panic!("{figure:?} has no value"))
}

/// The values of a field of each item of a list.
fn values(list: &Figures, field: &str) -> Vec<f64> {
    list.list().iter().map(|item| value(&item[field])).collect()
}

/// Fails unless a line has these words and no others.
#[track_caller]
fn assert_line(lines: &[String], words: &str) {
    let has = |line: &String| line.split_whitespace().eq(words.split(' '));
    assert!(lines.iter().any(has), "{words} in {lines:#?}");
}

/// Fails unless a number is the expected one.
#[track_caller]
fn assert_near(figure: &Figures, expected: f64) {
    assert!((value(figure) - expected).abs() < 1e-12, "{figure:?} is not {expected}");
}
