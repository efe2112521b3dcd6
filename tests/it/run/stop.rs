//! Ctrl-C (SIGINT) and SIGTERM: the current batch is finished and kept if that takes a moment, the exit code is 2, and the
//! message has the command that continues; a second signal stops at once. Killed runs are in kill.rs.
#![cfg(unix)]
use std::io::Write;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::common::runs::{closing, corpus, ended, is_judging, json_lines, judging, wait_until};
use crate::common::{Output, Place};
use serde_json::json;

const OUT: &str = "out.jsonl";

/// The bytes of a journal with the first rows: the next batch has begun.
const FIRST_ROWS: u64 = 17;

/// Attempts at sending the signal before the run ends, for busy machines.
const ATTEMPTS: u32 = 10;

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn place(rows: usize, sentences: usize) -> Place {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(31, rows, sentences)));
    place
}

/// A run stopped by the signal `name` when its journal had `bytes`, and its place.
fn stopped(rows: &Place, name: &str, bytes: u64, more: &[&str]) -> (Place, Output) {
    for _ in 0..ATTEMPTS {
        let place = Place::new();
        place.write("rows.jsonl", rows.bytes("rows.jsonl"));
        let mut child = place.start(&judging("rows.jsonl", OUT, more));
        let alive = is_judging(&place, &mut child, OUT, bytes);
        signal(&child, name);
        let output = ended(child);
        if alive && output.code != 0 {
            return (place, output);
        }
    }
    panic!("{ATTEMPTS} runs ended before the signal came");
}

/// Resumes the run, compares every byte with an uninterrupted one, and returns the number of known rows.
#[track_caller]
fn known_when_resumed(place: &Place) -> u64 {
    let output = place.judge("rows.jsonl", OUT, &["--resume", "--progress", "json"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(place.bytes(OUT) == place.fresh("rows.jsonl", OUT, &[]));
    assert_eq!(place.names(), ["out.jsonl", "rows.jsonl"]);
    closing(&output)["known"].as_u64().unwrap()
}

#[test]
fn after_ctrl_c_or_sigterm_the_message_names_resume_and_judged_rows_are_kept() {
    let rows = place(200, 1);
    for name in ["-INT", "-TERM"] {
        let (place, output) = stopped(&rows, name, 100, &["--progress", "json"]);
        assert_eq!((output.code, &output.stdout[..]), (2, ""), "{}", output.stderr);
        let error = output.stderr.lines().next_back().unwrap();
        assert!(error.starts_with("veridic: ") && error.contains("--resume"), "{error}");
        assert!(!place.has(OUT), "an incomplete output has the output's name");
        let summary = closing(&output);
        assert_eq!(summary["done"], json!(false));
        let judged = summary["rows"].as_u64().unwrap();
        let known = known_when_resumed(&place);
        assert!(judged > 0 && known >= judged && known < 200, "{judged} rows judged, {known} known");
    }
}

#[test]
fn a_quiet_run_that_is_stopped_names_resume_in_one_line() {
    let (place, output) = stopped(&place(200, 1), "-INT", 100, &["--quiet"]);
    let error = output.error();
    assert!(error.contains("--resume") && error.contains(OUT), "{error}");
    assert!(known_when_resumed(&place) > 0);
}

/// The message named only the flag.
#[test]
fn the_message_has_the_command_that_continues() {
    let (place, output) = stopped(&place(200, 1), "-INT", 100, &["--quiet"]);
    let (kept, command) = output.stderr.trim_end().split_once(" Continue with: ").unwrap();
    assert!(kept.contains(&format!("kept in {OUT}.journal")), "{kept}");
    let mut shell = Command::new("sh");
    let continued = shell.args(["-c", command]).current_dir(place.path("")).output().unwrap();
    assert!(continued.status.success(), "{command}: {continued:?}");
    assert!(place.bytes(OUT) == place.fresh("rows.jsonl", OUT, &[]));
}

/// The first batch takes minutes, and was not interrupted. Its row is judged while the reader takes the others, which are too
/// long for a pipe and the reader's buffers.
#[test]
fn a_batch_that_takes_long_is_not_finished() {
    let place = Place::new();
    let mut rows = corpus(31, 3, 6000);
    for (row, other) in rows.iter_mut().zip(corpus(32, 3, 400)) {
        row["summary"] = other["document"].clone();
    }
    let more = ["--quiet", "--set", "screen=off", "--threads", "1"];
    let mut child = place.start(&judging("-", OUT, &more));
    child.stdin.as_mut().unwrap().write_all(json_lines(&rows).as_bytes()).unwrap();
    let start = Instant::now();
    signal(&child, "-INT");
    let output = ended(child);
    assert!(start.elapsed() > Duration::from_secs(1), "it had no time to finish its batch");
    let error = output.error();
    assert!(error.contains("no row was judged yet"), "{error}");
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn a_resumed_run_can_be_stopped_again() {
    let rows = place(200, 1);
    let (place, _) = stopped(&rows, "-INT", 100, &["--quiet"]);
    let before = place.journal_bytes(OUT);
    let mut child = place.start(&judging("rows.jsonl", OUT, &["--resume", "--quiet"]));
    if is_judging(&place, &mut child, OUT, before + 1) {
        signal(&child, "-INT");
        let code = ended(child).code;
        assert!(code == 2 || place.has(OUT), "exit code {code}");
    }
    known_when_resumed(&place);
}

/// The journal grows after the signal, by the current batch.
#[test]
fn the_current_batch_is_finished() {
    let rows = place(60, 24);
    for _ in 0..ATTEMPTS {
        let place = Place::new();
        place.write("rows.jsonl", rows.bytes("rows.jsonl"));
        let mut child = place.start(&judging("rows.jsonl", OUT, &["--quiet"]));
        is_judging(&place, &mut child, OUT, FIRST_ROWS);
        let before = place.journal_bytes(OUT);
        signal(&child, "-INT");
        let code = ended(child).code;
        if code == 2 && place.journal_bytes(OUT) > before {
            assert!(known_when_resumed(&place) > 0);
            return;
        }
    }
    panic!("in {ATTEMPTS} runs the journal did not grow after the signal");
}

/// In the same run, after a second signal the current batch is not finished. Signals that arrive together are merged.
#[test]
fn a_second_signal_stops_at_once() {
    let rows = place(60, 80);
    for _ in 0..ATTEMPTS {
        let place = Place::new();
        place.write("rows.jsonl", rows.bytes("rows.jsonl"));
        let mut child = place.start(&judging("rows.jsonl", OUT, &["--quiet"]));
        assert!(is_judging(&place, &mut child, OUT, FIRST_ROWS));
        let before = place.journal_bytes(OUT);
        signal(&child, "-INT");
        signal(&child, "-INT");
        let output = ended(child);
        assert!(output.code != 0 && !place.has(OUT), "exit code {}", output.code);
        if place.journal_bytes(OUT) == before {
            return;
        }
    }
    panic!("in {ATTEMPTS} runs the current batch was finished after the second signal");
}

/// All rows received are judged and no others arrive, so there is no current batch.
#[test]
fn a_run_that_waits_for_its_input_is_stopped_by_one_signal() {
    let place = Place::new();
    let mut child = place.start(&judging("-", OUT, &["--quiet"]));
    // Rows are judged when 512 have arrived; those that fail take no time.
    let rows = json_lines(&corpus(31, 12, 1)) + &"{}\n".repeat(500);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(rows.as_bytes()).unwrap();
    let partial = format!("{OUT}.partial");
    assert!(wait_until(|| place.has(&partial) && place.read(&partial).lines().count() == 512));
    signal(&child, "-INT");
    let error = ended(child).error();
    assert!(error.contains("the rows judged so far are kept"), "{error}");
}
