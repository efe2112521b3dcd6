//! Readers of what strangers may send, each as a function of arbitrary bytes that must neither panic nor take long. The inputs
//! in `corpus/` are run by the tests; `scripts/fuzz.sh` searches for others.

use std::cell::RefCell;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use tempfile::TempDir;
use veridic::Pair;
use veridic::corpus::Journal;
use veridic::corpus::read::{Format, RowNames, Source};
use veridic::files::{self, ReadAs};
use veridic::pipeline::{ClaimExtractor, Normalized, Summary};
use veridic::plan::all_settings;
use veridic::rules::RulesFile;
use veridic::schedule::ignore_events;
use veridic_models::{PairTokenizer, Weights};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A reader by its name.
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Reads the bytes. Whatever it returns is dropped: an error is as good as a value.
    pub read: fn(&[u8]),
}

/// All readers.
pub const TARGETS: [Target; 14] = [
    Target { name: "safetensors", read: safetensors },
    Target { name: "pickle", read: pickle },
    Target { name: "tokenizer", read: tokenizer },
    Target { name: "json_lines", read: json_lines },
    Target { name: "json", read: json },
    Target { name: "csv", read: csv },
    Target { name: "parquet", read: parquet },
    Target { name: "transcript", read: forms },
    Target { name: "forms", read: forms },
    Target { name: "summary", read: summary },
    Target { name: "files", read: files },
    Target { name: "journal", read: journal },
    Target { name: "rules", read: rules },
    Target { name: "body", read: veridic_cli::read_body },
];

/// Longer inputs only take longer.
const MAX_BYTES: usize = 1 << 16;

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Calls a reader with a file that has these bytes.
fn with_file(name: &str, bytes: &[u8], read: impl FnOnce(&Path)) {
    FOLDER.with_borrow_mut(|folder| {
        let Ok(made) = tempfile::tempdir() else { return };
        let path = folder.get_or_insert(made).path().join(name);
        if fs::write(&path, &bytes[..bytes.len().min(MAX_BYTES)]).is_ok() {
            read(&path);
            let _ = fs::remove_file(&path);
        }
    });
}

fn safetensors(bytes: &[u8]) {
    with_file("model.safetensors", bytes, |path| drop(Weights::from_file(path)));
}

/// The pickle of a PyTorch checkpoint, in the archive around it.
fn pickle(bytes: &[u8]) {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, bytes: &[u8]| {
        archive.start_file(name, options).is_ok() && archive.write_all(bytes).is_ok()
    };
    if add("archive/data.pkl", bytes) && add("archive/data/0", &[0; 256]) && add("archive/version", b"3\n") {
        let Ok(whole) = archive.finish() else { return };
        with_file("pytorch_model.bin", whole.get_ref(), |path| drop(Weights::from_file(path)));
    }
}

fn tokenizer(bytes: &[u8]) {
    if let Ok(tokenizer) = PairTokenizer::parse(bytes, "tokenizer.json", 1 << 17) {
        let _ = tokenizer.text("The cat sat on the mat, 4 times.");
    }
}

/// Reads the rows of a file of this format, as `veridic run` does.
fn rows(bytes: &[u8], name: &str, format: Format) {
    with_file(name, bytes, |path| {
        let Ok(source) = Source::find(&[path], Some(format)) else { return };
        let names = RowNames::default();
        for row in source.rows().flatten() {
            if let Ok(row) = names.read(row) {
                let _ = names.check(&row);
            }
        }
    });
}

fn json_lines(bytes: &[u8]) {
    rows(bytes, "rows.jsonl", Format::JsonLines);
}

fn json(bytes: &[u8]) {
    rows(bytes, "rows.json", Format::Json);
}

fn csv(bytes: &[u8]) {
    rows(bytes, "rows.csv", Format::Csv);
    rows(bytes, "rows.tsv", Format::Tsv);
}

fn parquet(bytes: &[u8]) {
    rows(bytes, "rows.parquet", Format::Parquet);
}

/// A document as the judge reads it: tables, logs, mails, transcripts and others are recognised by their content.
fn forms(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = Normalized::of(&Pair::new(&text, "A cat sat."), true, &ignore_events) {
        let characters = read.pair().document.chars().count();
        assert!(characters <= 16 * text.chars().count() + 200_000, "{characters} of {}", text.len());
    }
}

/// A summary's Markdown, layout and claims; every span lies in the text.
fn summary(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let summary = Summary::new(&text).with_layout(true);
    let Ok(all) = ClaimExtractor::Sentence.extract(&[summary]) else { return };
    let characters = text.chars().count();
    let spans = all
        .iter()
        .flat_map(|claims| claims.claims.iter().flat_map(|claim| &claim.spans).chain(&claims.others));
    for span in spans {
        assert!(span.start <= span.end && span.end <= characters, "{span:?} of {characters}");
    }
}

/// PDF, Word, HTML, mail, RTF and UTF-16, recognised by their content.
fn files(bytes: &[u8]) {
    let _ = files::read(bytes, ReadAs::Auto);
}

fn journal(bytes: &[u8]) {
    with_file("out.jsonl.journal", bytes, |path| drop(Journal::open(path)));
}

fn rules(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        let _ = RulesFile::parse(text, "rules.toml", all_settings());
    }
}
