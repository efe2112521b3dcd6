//! Small files as the benchmarks' authors write them, written by hand: what is read from them, what is left out and
//! what is refused; their figures; and what no scores or rows may bring about.

mod aggrefact;
mod compare;
mod frank;
mod jsonl;
mod llm_aggrefact;
mod longeval;
mod pick;
mod properties;
mod qags;
mod realsumm;
mod scores;
mod story_summeval;
mod summedits;
mod summeval;
mod tofueval;

use super::*;
use veridic::corpus::read::Source;

/// What a benchmark reads from files of these names.
fn read_files<B: Benchmark>(
    benchmark: &B,
    files: &[(&str, impl AsRef<[u8]>)],
) -> Result<Reading<B::Keys>, BenchError> {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, content): &(&str, _)| {
        let path = folder.path().join(name);
        std::fs::write(&path, AsRef::<[u8]>::as_ref(content)).unwrap();
        path
    };
    let paths: Vec<_> = files.iter().map(write).collect();
    read(benchmark, Source::find(&paths, None).unwrap().rows())
}

fn read_file<B: Benchmark>(
    benchmark: &B,
    name: &str,
    content: impl AsRef<[u8]>,
) -> Result<Reading<B::Keys>, BenchError> {
    read_files(benchmark, &[(name, content)])
}

/// Why a file is refused.
#[track_caller]
fn refusal<B: Benchmark>(benchmark: &B, name: &str, content: &str) -> String {
    match read_file(benchmark, name, content) {
        Ok(reading) => panic!("{} cases were read", reading.cases.len()),
        Err(error) => error.to_string(),
    }
}

/// A refusal names the line and says these words.
#[track_caller]
fn assert_refused<B: Benchmark>(benchmark: &B, name: &str, content: &str, line: usize, words: &[&str]) {
    let refusal = refusal(benchmark, name, content);
    let place = format!("{name}: line {line}: ");
    let says = |words: &&str| refusal.contains(*words);
    assert!(refusal.contains(&place) && words.iter().all(says), "{refusal}");
}

/// A line has these words in this order.
#[track_caller]
fn assert_line(lines: &[String], words: &[&str]) {
    let has = |line: &String| {
        let found: Vec<&str> = line.split_whitespace().collect();
        found.len() == words.len() && found.iter().zip(words).all(|(found, word)| found == word)
    };
    assert!(lines.iter().any(has), "{words:?} in {lines:#?}");
}
