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
use crate::split::Split;
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
fn read_files(benchmark: &dyn Benchmark, files: &[(&str, impl AsRef<[u8]>)]) -> Result<Reading, BenchError> {
    read(benchmark, Files::new(files).rows())
}

fn read_file(
    benchmark: &dyn Benchmark,
    name: &str,
    content: impl AsRef<[u8]>,
) -> Result<Reading, BenchError> {
    read_files(benchmark, &[(name, content)])
}

/// The error of reading a file.
#[track_caller]
fn refusal(benchmark: &dyn Benchmark, name: &str, content: &str) -> String {
    read_file(benchmark, name, content).err().expect("the file is refused").to_string()
}

/// Fails unless the error names the line and has these words.
#[track_caller]
fn assert_refused(benchmark: &dyn Benchmark, name: &str, content: &str, line: usize, words: &[&str]) {
    let refusal = refusal(benchmark, name, content);
    let place = format!("{name}: line {line}: ");
    let has = |words: &&str| refusal.contains(*words);
    assert!(refusal.contains(&place) && words.iter().all(has), "{refusal}");
}

/// The inputs of metrics of a case.
fn inputs(case: &Case) -> MetricInputs {
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

/// Fails unless a line has these words, however far apart.
#[track_caller]
fn assert_line(lines: &[String], words: &str) {
    let has = |line: &String| line.split_whitespace().eq(words.split(' '));
    assert!(lines.iter().any(has), "{words} in {lines:#?}");
}

/// Fails unless an error has all these words.
#[track_caller]
fn assert_says<T>(result: Result<T, BenchError>, words: &[&str]) {
    let error = result.err().expect("it is refused").to_string();
    assert!(words.iter().all(|words| error.contains(words)), "{words:?} in {error}");
}

/// Fails unless a number is the expected one.
#[track_caller]
fn assert_near(figure: &Figures, expected: f64) {
    assert!((value(figure) - expected).abs() < 1e-12, "{figure:?} is not {expected}");
}
