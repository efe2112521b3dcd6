//! Helpers of the test programs: running a program in an empty folder, small texts, slicing by spans. Expectations are in
//! the tests.
#![allow(clippy::unwrap_used)]

pub mod cases;
pub mod failing;
pub mod found;
pub mod help;
pub mod labelled;
pub mod leaks;
pub mod messages;
pub mod old;
pub mod runs;
pub mod server;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use veridic::Scorer;
use veridic::pipeline::Settings;
use veridic_models::{LoadOptions, NliModel};

pub use self::cases::test_each;

/// Seven sentences with a paragraph break, and three claims about them.
pub const SENTENCES: [&str; 7] = [
    "The bakery on Mill Street opened in 1962.",
    "It sold out of rye bread before nine on Friday.",
    "Anna Berg has run it since her father retired.",
    "The council wants to widen the road.",
    "Two of the five ovens were replaced last spring.",
    "Customers come from as far as Dunmore.",
    "The shop will close for a week in August.",
];
pub const CLAIMS: [&str; 3] =
    ["The bakery opened in 1962.", "The shop will never close.", "Anna Berg owns three restaurants."];

/// The article of SENTENCES, joined by spaces, with a blank line after the third.
pub fn article() -> String {
    format!("{}\n\n{}", SENTENCES[..3].join(" "), SENTENCES[3..].join(" "))
}

pub fn summary() -> String {
    CLAIMS.join(" ")
}

pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    /// Returns the standard output of a successful command.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "stderr: {}", self.stderr);
        self.stdout
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    #[track_caller]
    pub fn json_lines(self) -> Vec<Value> {
        self.ok().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the error line of a failed command: exit code 2, nothing on stdout, one line besides notes.
    #[track_caller]
    pub fn error(self) -> String {
        self.clear_error(&[]).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Returns the error line if it contains all of `parts`, or else the fault.
    pub fn clear_error(self, parts: &[&str]) -> Result<String, String> {
        let Output { code, stdout, stderr } = self;
        if code != 2 || !stdout.is_empty() {
            return Err(format!("exit code {code}, stdout {stdout:?}, stderr {stderr:?}"));
        }
        let lines: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
        let [line] = lines[..] else { return Err(format!("{} lines: {stderr:?}", lines.len())) };
        let plain = line.starts_with("veridic: ") && !line.contains("panicked") && line.len() < 600;
        if !plain || line.contains(char::is_control) {
            return Err(format!("not a plain line: {line:?}"));
        }
        match parts.iter().find(|part| !line.contains(**part)) {
            Some(part) => Err(format!("`{part}` is not in: {line}")),
            None => Ok(line.to_owned()),
        }
    }
}

/// A temporary folder in which the program runs.
pub struct Place {
    pub folder: TempDir,
}

impl Default for Place {
    fn default() -> Place {
        Place::new()
    }
}

impl Place {
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("NO_COLOR");
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        finish(self.command(arguments))
    }

    pub fn run_with_stdin<S: AsRef<OsStr>>(&self, arguments: &[S], stdin: &[u8]) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may close its end early.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        outcome(child.wait_with_output().unwrap())
    }

    /// Runs a command that judges, with the tiny model.
    pub fn run_tiny(&self, arguments: &[&str]) -> Output {
        self.run(with_tiny(arguments))
    }

    /// `score --format json` of two texts with the tiny model and further arguments.
    pub fn score_tiny(&self, document: &str, summary: &str, more: &[&str]) -> Output {
        self.score(&tiny(), document, summary, &screened_by_words(more))
    }

    pub fn score(&self, model: &str, document: &str, summary: &str, more: &[&str]) -> Output {
        self.write("document.txt", document);
        self.write("summary.txt", summary);
        let fixed = ["score", "document.txt", "summary.txt", "--format", "json", "--model", model];
        self.run(fixed.iter().chain(more))
    }
}

/// Flags with a screen that needs no model, unless they set one: the default's small model would be loaded, and run in a
/// debug build, hundreds of times. `screen.rs` tests the default.
pub fn screened_by_words<'f>(more: &[&'f str]) -> Vec<&'f str> {
    let decides = |flag: &&str| {
        ["screen=", "--profile", "levels=", "--rules"]
            .iter()
            .any(|name| flag.trim_start_matches("--set=").starts_with(name))
    };
    let screen: &[&str] = if more.iter().any(decides) { &[] } else { &["--set", "screen=words:8"] };
    [more, screen].concat()
}

/// A command that judges with the tiny model, screened by words unless it sets a screen.
pub fn with_tiny(arguments: &[&str]) -> Vec<String> {
    let tiny = tiny();
    let all = [&screened_by_words(arguments)[..], &["--model", &tiny]].concat();
    all.into_iter().map(str::to_owned).collect()
}

/// Returns the program under test, which Cargo builds next to the folder of the test program: `it` tests `veridic`, `bench`
/// tests `veridic-bench`.
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let is_bench = test.file_name().unwrap().to_str().unwrap().starts_with("bench-");
    let name = if is_bench { "veridic-bench" } else { "veridic" };
    test.ancestors().nth(2).unwrap().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

pub fn finish(mut command: Command) -> Output {
    outcome(command.output().unwrap())
}

fn outcome(output: std::process::Output) -> Output {
    Output {
        code: output.status.code().expect("the program was not killed by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Fails with all faults, each prefixed by the name of its case.
#[track_caller]
pub fn assert_no_faults(faults: Vec<(String, String)>) {
    let lines: Vec<String> = faults.iter().map(|(name, fault)| format!("{name}: {fault}")).collect();
    assert!(lines.is_empty(), "{} cases:\n{}", lines.len(), lines.join("\n"));
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A scorer by the library's own settings, without a calibration.
pub fn scorer(model: &str, settings: Settings) -> Scorer {
    let model = NliModel::load(&veridic::find_model(model).unwrap(), &LoadOptions::default()).unwrap();
    Scorer::new(model, settings)
}

/// The value of `--claims` for the fixtures' text-to-text model, which was trained to split sentences.
pub fn splitter() -> String {
    format!("t5={}", repository("models/tests/fixtures/t5/splitter").display())
}

/// A complete untrained model of one layer and 63 tokens.
pub fn tiny() -> String {
    repository("models/tests/fixtures/deberta/tiny_with_tokenizer").to_str().unwrap().to_owned()
}

/// The models to test with: the tiny one and the bundled one.
pub fn models() -> Vec<String> {
    vec![tiny(), "mini".to_owned()]
}

/// `text[a..b]` by characters.
#[track_caller]
pub fn slice(text: &str, span: &Value) -> String {
    let (start, end) = (span[0].as_u64().unwrap() as usize, span[1].as_u64().unwrap() as usize);
    assert!(start < end && end <= text.chars().count(), "[{start}, {end}] in {text:?}");
    text.chars().skip(start).take(end - start).collect()
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

/// Asserts that all evidence and claims equal the slices at their spans.
#[track_caller]
pub fn assert_spans(result: &Value, document: &str, summary: &str) {
    for claim in list(&result["claims"]) {
        let spans = list(&claim["summary_spans"]);
        assert!(!spans.is_empty(), "{claim}");
        let slices: Vec<String> = spans.iter().map(|span| slice(summary, span)).collect();
        assert!(slices.iter().all(|slice| !slice.is_empty()), "{claim}");
        let text = claim["text"].as_str().unwrap();
        if result["ledger"]["claims_from"] == "sentence" && text != slices.concat() {
            // Marks of layout are left out, and odd characters replaced; no letter is added or moved. (A mark that closes
            // may lie behind the span.)
            let (given, mut read) =
                (slices.concat(), text.chars().filter(|c| c.is_alphanumeric()).peekable());
            given.chars().for_each(|character| _ = read.next_if_eq(&character));
            assert_eq!(read.collect::<String>(), "", "{text:?} is not a part of {given:?}");
        }
        if claim["verdict"].is_null() {
            assert_eq!((&claim["reason"], claim.get("evidence")), (&"not a claim".into(), None));
            continue;
        }
        for part in ["evidence", "counter_evidence"] {
            if !claim[part].is_null() {
                assert_evidence(&claim[part], document);
            }
        }
        assert!(!claim["evidence"].is_null(), "{claim}");
    }
}

/// Evidence is the text at its spans, in order; text with words between two of them is replaced by ` [...] `.
#[track_caller]
pub fn assert_evidence(evidence: &Value, document: &str) {
    let (spans, text) = (list(&evidence["spans"]), evidence["text"].as_str().unwrap());
    assert_eq!((&evidence["span"][0], &evidence["span"][1]), (&spans[0][0], &spans[spans.len() - 1][1]));
    let mut quoted = slice(document, &spans[0]);
    for two in spans.windows(2) {
        let (start, end) = (number(&two[0][1]) as usize, number(&two[1][0]) as usize);
        let between: String = document.chars().skip(start).take(end - start).collect();
        quoted += if between.contains(char::is_alphanumeric) { " [...] " } else { &between };
        quoted += &slice(document, &two[1]);
    }
    assert_eq!(quoted, text);
}
