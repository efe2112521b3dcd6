//! Runs killed (SIGKILL) when their journal has reached a random length, and truncated or damaged journals: `--resume` ends
//! with the bytes of an uninterrupted run, and the output's name is never that of an incomplete file. Other tests of
//! `--resume` are in resume.rs.
use std::collections::BTreeSet;

use crate::common::runs::{
    Random, closing, corpus, is_judging, json_lines, judging, killed, with_a_broken_row,
};
use crate::common::{Output, Place, test_each};
use serde_json::json;

/// The bytes of an empty journal.
const HEAD: usize = 16;

const RESUME: [&str; 3] = ["--resume", "--progress", "json"];

/// A corpus, and what an uninterrupted run over it leaves.
struct Case {
    rows: String,
    output: &'static str,
    more: &'static [&'static str],
    expected: Vec<u8>,
    code: i32,
    journal_bytes: u64,
}

impl Case {
    fn new(seed: u64, rows: usize, output: &'static str, more: &'static [&'static str]) -> Case {
        let place = Place::new();
        let mut rows = corpus(seed, rows, 1);
        // A row that fails is in the output too.
        rows[7]["summary"] = json!("");
        let rows = json_lines(&rows);
        place.write("rows.jsonl", &rows);
        let code = place.judge("rows.jsonl", output, &[&["--quiet"], more].concat()).code;
        let (expected, journal_bytes) = (place.bytes(output), place.journal_bytes(output));
        Case { rows, output, more, expected, code, journal_bytes }
    }

    fn place(&self) -> Place {
        let place = Place::new();
        place.write("rows.jsonl", &self.rows);
        place
    }

    fn resume(&self, place: &Place) -> Output {
        place.judge("rows.jsonl", self.output, &[&RESUME, self.more].concat())
    }

    /// Starts or resumes a run and kills it when up to half of the `missing` bytes are in its journal, so that it still
    /// judges then; returns whether it was alive.
    fn kill(&self, place: &Place, missing: u64, random: &mut Random) -> bool {
        let more = [&["--resume", "--quiet"], self.more].concat();
        let bytes = place.journal_bytes(self.output) + 1 + (missing as f64 * random.part() / 2.0) as u64;
        let mut child = place.start(&judging("rows.jsonl", self.output, &more));
        is_judging(place, &mut child, self.output, bytes) && killed(&mut child)
    }

    /// Finishes the run, compares every byte and returns the number of known rows.
    #[track_caller]
    fn finish(&self, place: &Place) -> u64 {
        let output = self.resume(place);
        assert_eq!(output.code, self.code, "{}", output.stderr);
        assert!(place.bytes(self.output) == self.expected, "differs from an uninterrupted run");
        let journal = format!("{}.journal", self.output);
        let mut left = vec![self.output, &journal, "rows.jsonl"];
        // The journal is kept for the row that failed.
        left.retain(|name| self.code == 2 || *name != journal);
        assert_eq!(place.names(), left, "nothing else is left");
        closing(&output)["known"].as_u64().unwrap()
    }

    /// Kills `kills` living processes, up to `chain` of them on one output; returns the numbers of rows that were known
    /// afterwards.
    fn assert_survives(&self, seed: u64, kills: usize, chain: usize) -> BTreeSet<u64> {
        let (random, mut done, mut known) = (&mut Random(seed), 0, BTreeSet::new());
        for draw in 0.. {
            assert!(draw < kills * 6, "after {draw} draws only {done} processes were alive");
            if done == kills {
                break;
            }
            let place = self.place();
            let wanted = chain.min(kills - done);
            let missing = || self.journal_bytes.saturating_sub(place.journal_bytes(self.output));
            let hits = (0..wanted).take_while(|_| self.kill(&place, missing(), random)).count();
            assert!(!place.has(self.output) || hits < wanted, "an incomplete output has the output's name");
            assert!(place.journal_bytes(self.output) > 0);
            done += hits;
            if hits > 0 {
                known.insert(self.finish(&place));
            }
        }
        known
    }
}

fn json_lines_case(seed: u64) -> Case {
    Case::new(seed, 100, "out.jsonl", &[])
}

#[test]
fn a_run_killed_once_ends_with_the_same_bytes() {
    let known = json_lines_case(1).assert_survives(101, 30, 1);
    assert!(known.len() > 2, "the kills hit {known:?} known rows only");
}

#[test]
fn a_run_killed_repeatedly_ends_with_the_same_bytes() {
    json_lines_case(3).assert_survives(103, 20, 5);
}

#[test]
fn killed_runs_to_tables_end_with_the_same_bytes() {
    Case::new(4, 100, "out.csv", &[]).assert_survives(104, 5, 2);
    Case::new(5, 100, "out.parquet", &["--explode", "claims"]).assert_survives(105, 5, 2);
    Case::new(6, 100, "out.parquet", &[]).assert_survives(106, 5, 1);
}

#[test]
fn killed_shards_end_with_the_same_bytes() {
    Case::new(7, 100, "out.jsonl", &["--shard", "2/2"]).assert_survives(107, 5, 2);
}

/// While changed rows are judged, the output is the old one until the new one is complete.
#[test]
fn a_run_killed_while_it_replaces_an_output_leaves_the_old_or_the_new_one() {
    let case = json_lines_case(8);
    let (random, mut hits) = (&mut Random(108), 0);
    for draw in 0.. {
        assert!(draw < 30, "after {draw} draws only {hits} processes were alive");
        if hits == 5 {
            break;
        }
        let place = Place::new();
        place.write("rows.jsonl", with_a_broken_row(&corpus(9, 20, 1)));
        place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
        let old = place.bytes("out.jsonl");
        place.write("rows.jsonl", &case.rows);
        hits += usize::from(case.kill(&place, case.journal_bytes, random));
        if place.has("out.jsonl") {
            let now = place.bytes("out.jsonl");
            assert!(now == old || now == case.expected, "neither the old output nor the new one");
        }
        case.finish(&place);
    }
}

/// A small run and its journal.
struct Finished {
    case: Case,
    place: Place,
    journal: Vec<u8>,
}

fn small() -> Finished {
    let case = Case::new(10, 12, "out.jsonl", &[]);
    let place = case.place();
    assert_eq!(case.resume(&place).code, 2);
    let journal = place.bytes("out.jsonl.journal");
    assert!(journal.len() > HEAD + 11 * 100, "11 rows are in it");
    Finished { case, place, journal }
}

impl Finished {
    /// Resumes with this journal, with and without the output; returns the number of known rows.
    #[track_caller]
    fn assert_resumes(&self, journal: &[u8]) -> u64 {
        let Finished { case, place, .. } = self;
        let mut known = 0;
        for keep_output in [true, false] {
            if !keep_output {
                place.remove("out.jsonl");
            }
            place.write("out.jsonl.journal", journal);
            let output = case.resume(place);
            assert!(place.has("out.jsonl"), "exit code {}: {}", output.code, output.stderr);
            assert!(place.bytes("out.jsonl") == case.expected, "other bytes");
            assert_eq!(output.code, 2, "{}", output.stderr);
            known = closing(&output)["known"].as_u64().unwrap();
            // Now all rows must be known.
            assert_eq!(closing(&case.resume(place))["known"], 11, "it did not repair its journal");
        }
        known
    }
}

/// Cut and changed in the head, near its end and anywhere; with bytes behind its end, with a piece left out or twice; and those
/// of other runs. src/corpus/journal.rs tests every length; another file under the journal's name is refused (see resume.rs).
#[test]
fn a_damaged_journal_is_resumed() {
    let run = small();
    let (whole, random) = (&run.journal, &mut Random(201));
    let end = whole.len();
    let mut places = vec![0, 1, HEAD - 1, HEAD, HEAD + 1, HEAD + 19, end - 1];
    places.extend((0..8).map(|_| random.below(end)));
    let mut journals: Vec<(String, Vec<u8>)> = Vec::new();
    for &at in &places {
        journals.push((format!("cut at {at}"), whole[..at].to_vec()));
        let mut changed = whole.clone();
        changed[at] ^= if at < HEAD { 1 } else { 1 + random.below(255) as u8 };
        journals.push((format!("changed at {at}"), changed));
    }
    let (noise, zeros) = ([0xff; 400], [0; 5000]);
    for more in [b"x", &b"{\"schema\":1}\n"[..], &noise, &zeros, whole, &whole[HEAD..]] {
        journals.push((format!("{} bytes more", more.len()), [whole, more].concat()));
    }
    for _ in 0..4 {
        let [one, other] = [(); 2].map(|()| HEAD + random.below(end - HEAD));
        let (start, end) = (one.min(other), one.max(other));
        journals.push((format!("without {start} to {end}"), [&whole[..start], &whole[end..]].concat()));
        journals.push((format!("with {start} to {end} twice"), [&whole[..end], &whole[start..]].concat()));
    }
    for (rows, setting) in
        [(&run.case.rows, "window=2"), (&with_a_broken_row(&corpus(11, 12, 2)), "stride=1")]
    {
        let other = Place::new();
        other.write("rows.jsonl", rows);
        other.judge("rows.jsonl", "out.jsonl", &["--set", setting]);
        journals.push((format!("another run's, {setting}"), other.bytes("out.jsonl.journal")));
    }
    let mut most = 0;
    test_each(journals, |(what, journal)| {
        let known = run.assert_resumes(&journal);
        most = most.max(if what.starts_with("cut") { known } else { 0 });
    });
    assert!(most > 5, "rows before the cut must be known, but only {most} were");
}
