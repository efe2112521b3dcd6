//! Each call that changes a file fails in turn: a write, a flush to the disk, an `open` that creates, a rename, a removal; once,
//! from then on, or with the process. The command then works all the same or ends with one error; no file is half written
//! under its final name; and the command that goes on leaves what a run without faults leaves. `tests/faults` makes the calls
//! fail.
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::runs::{corpus, json_lines, judging, with_a_broken_row};
use crate::common::{Place, article, summary, test_each, with_tiny};

/// More calls than any of the commands makes.
const MOST_CALLS: u64 = 200;

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Once,
    Onward,
    Kill,
}

/// A command that changes files.
pub struct Work<'w> {
    /// Makes a folder in which the command can run.
    pub place: &'w dyn Fn() -> Place,
    pub command: &'w dyn Fn(&Place) -> Command,
    /// The command that goes on after a fault.
    pub again: &'w dyn Fn(&Place) -> Command,
    /// Endings of the names of files that are incomplete.
    pub incomplete: &'w [&'w str],
}

/// The bytes of all files of a folder, by their paths in it.
type Files = BTreeMap<String, Vec<u8>>;

fn files(place: &Place) -> Files {
    fn add(root: &Path, folder: &Path, files: &mut Files) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let (mut files, root) = (Files::new(), place.path(""));
    add(&root, &root, &mut files);
    files
}

/// A folder with these files.
fn placed(files: &Files) -> Place {
    let place = Place::new();
    files.iter().for_each(|(name, bytes)| _ = place.write(name, bytes));
    place
}

impl Work<'_> {
    /// Lets every call fail, in every kind; returns how many the command makes.
    #[track_caller]
    pub fn assert_survives(&self) -> u64 {
        let place = (self.place)();
        let before = files(&place);
        let done = (self.command)(&place).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let after = files(&place);
        let mut calls = 0;
        test_each([Kind::Once, Kind::Onward, Kind::Kill], |kind| {
            calls = (1..MOST_CALLS).find(|call| !self.survives(kind, *call, &before, &after)).unwrap() - 1;
        });
        calls
    }

    /// Lets one call fail; false if the command makes fewer calls.
    #[track_caller]
    fn survives(&self, kind: Kind, call: u64, before: &Files, after: &Files) -> bool {
        let place = (self.place)();
        let (output, fault) = faulty((self.command)(&place), &place, kind, call);
        let Some(fault) = fault else { return false };
        let error = check(&output, kind);
        assert!(error.is_none(), "call {call}, {fault}: {}", error.unwrap());
        let is_done = output.status.success();
        self.compare(&place, if is_done { after } else { before }, after, &fault);
        if !is_done {
            let again = (self.again)(&place).output().unwrap();
            let error = String::from_utf8(again.stderr).unwrap();
            // A complete output without a journal has nothing to go on with, which is said.
            let nothing = ["exists and has no journal to resume from", "exists: remove it or choose another"];
            let is_refused = nothing.iter().any(|text| error.contains(text));
            assert!(again.status.success() || is_refused, "call {call}, {fault}, again: {error}");
            self.compare(&place, after, after, &fault);
        }
        true
    }

    /// Every file has its bytes before or after the command, or a name that says that it is incomplete.
    #[track_caller]
    fn compare(&self, place: &Place, before: &Files, after: &Files, fault: &str) {
        let found = files(place);
        for name in found.keys().chain(before.keys()).chain(after.keys()) {
            let is_known = [before, after].iter().any(|files| files.get(name) == found.get(name));
            let is_incomplete = self.incomplete.iter().any(|ending| name.ends_with(ending));
            assert!(is_known || is_incomplete, "{fault}: {name} has other bytes; files: {:?}", found.keys());
        }
    }
}

/// Runs a command with a fault; returns the call that failed and its path, if the command makes so many.
fn faulty(mut command: Command, place: &Place, kind: Kind, call: u64) -> (Output, Option<String>) {
    let library = std::env::current_exe().unwrap().with_file_name("libveridic_faults.so");
    assert!(library.exists(), "{} is missing", library.display());
    let outside = tempfile::tempdir().unwrap();
    let report = outside.path().join("fault");
    command.env("LD_PRELOAD", library).env("FAULT_FOLDER", place.path("")).env("FAULT_REPORT", &report);
    command.env("FAULT_KIND", format!("{kind:?}").to_lowercase()).env("FAULT_CALL", call.to_string());
    (command.output().unwrap(), fs::read_to_string(report).ok())
}

/// What a command did wrong with its fault, if anything.
fn check(output: &Output, kind: Kind) -> Option<String> {
    let message = String::from_utf8_lossy(&output.stderr);
    let errors = message.lines().filter(|line| line.starts_with("veridic: ")).count();
    let is_right = match output.status.code() {
        None => kind == Kind::Kill && output.status.signal() == Some(9),
        Some(0) => kind != Kind::Kill && errors == 0,
        Some(2) => errors == 1 && ["No space left", "disk is full"].iter().any(|text| message.contains(text)),
        Some(_) => false,
    };
    (!is_right || message.contains("panicked")).then(|| format!("{}: {message}", output.status))
}

#[test]
fn runs() {
    let rows = json_lines(&corpus(7, 12, 2));
    test_each(["out.jsonl", "out.csv", "out.parquet"], |output| {
        let work = Work {
            place: &|| {
                let place = Place::new();
                place.write("rows.jsonl", &rows);
                place
            },
            command: &|place| place.command(judging("rows.jsonl", output, &[])),
            again: &|place| place.command(judging("rows.jsonl", output, &["--resume"])),
            incomplete: &[".partial", ".journal"],
        };
        assert!(work.assert_survives() >= 10);
    });
}

#[test]
fn a_resumed_run_that_replaces_its_output() {
    let begun = Place::new();
    let rows = corpus(8, 6, 2);
    begun.write("rows.jsonl", with_a_broken_row(&rows));
    begun.judge("rows.jsonl", "out.jsonl", &[]);
    begun.write("rows.jsonl", json_lines(&rows));
    let begun = files(&begun);
    assert!(begun.contains_key("out.jsonl.journal"), "{:?}", begun.keys());
    let resume = |place: &Place| place.command(judging("rows.jsonl", "out.jsonl", &["--resume"]));
    let work = Work {
        place: &|| placed(&begun),
        command: &resume,
        again: &resume,
        incomplete: &[".partial", ".journal"],
    };
    assert!(work.assert_survives() >= 5);
}

#[test]
fn one_file_that_a_command_writes() {
    let place = || {
        let place = Place::new();
        place.write("rows.jsonl", json_lines(&corpus(9, 4, 1)));
        place.judge("rows.jsonl", "judged.jsonl", &[]).ok();
        place.judge("rows.jsonl", "one.jsonl", &["--shard", "1/2"]).ok();
        place.judge("rows.jsonl", "two.jsonl", &["--shard", "2/2"]).ok();
        place.write("document.txt", article());
        place.write("summary.txt", summary());
        place
    };
    let begun = files(&place());
    let score = with_tiny(&["score", "document.txt", "summary.txt", "--keep-text", "text.txt"]);
    let commands: [&[&str]; 3] = [
        &["merge", "one.jsonl", "two.jsonl", "-o", "merged.csv"],
        &["report", "judged.jsonl", "--source", "rows.jsonl", "-o", "page.html"],
        &score.iter().map(String::as_str).collect::<Vec<_>>(),
    ];
    test_each(commands, |command| {
        let command = |place: &Place| place.command(command);
        let work =
            Work { place: &|| placed(&begun), command: &command, again: &command, incomplete: &[".partial"] };
        assert!(work.assert_survives() >= 3);
    });
}
