//! Runs killed (SIGKILL) at random moments, and truncated or damaged journals: `--resume` ends with the bytes of an
//! uninterrupted run, and the output's name is never that of an incomplete file. Other tests of `--resume` are in resume.rs.
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::common::runs::{Random, closing, corpus, ended, is_judging, json_lines, judging, killed};
use crate::common::{Output, Place};
use serde_json::json;

/// The bytes of an empty journal.
const HEAD: usize = 16;

const RESUME: [&str; 3] = ["--resume", "--progress", "json"];

/// A corpus, and the bytes and the duration of an uninterrupted run over it.
struct Case {
    rows: String,
    output: &'static str,
    more: &'static [&'static str],
    expected: Vec<u8>,
    code: i32,
    length: Duration,
}

impl Case {
    fn new(seed: u64, rows: usize, output: &'static str, more: &'static [&'static str]) -> Case {
        let place = Place::new();
        let mut rows = corpus(seed, rows, 1);
        // A row that fails is in the output too.
        rows[7]["summary"] = json!("");
        let rows = json_lines(&rows);
        place.write("rows.jsonl", &rows);
        let mut child = place.start(&judging("rows.jsonl", output, &[&["--quiet"], more].concat()));
        assert!(is_judging(&place, &mut child, output, 1));
        let start = Instant::now();
        let code = ended(child).code;
        Case { rows, output, more, expected: place.bytes(output), code, length: start.elapsed() }
    }

    fn place(&self) -> Place {
        let place = Place::new();
        place.write("rows.jsonl", &self.rows);
        place
    }

    fn resume(&self, place: &Place) -> Output {
        place.judge("rows.jsonl", self.output, &[&RESUME, self.more].concat())
    }

    /// Starts or resumes a run and kills it while it judges; returns whether it was still alive.
    fn kill(&self, place: &Place, random: &mut Random) -> bool {
        let more = [&["--resume", "--quiet"], self.more].concat();
        let mut child = place.start(&judging("rows.jsonl", self.output, &more));
        // Drawn before it starts, so that the draws depend on the seed alone.
        let after = self.length.mul_f64(random.part());
        is_judging(place, &mut child, self.output, 1) && killed(&mut child, after)
    }

    /// Finishes the run, compares every byte and returns the number of known rows.
    #[track_caller]
    fn finish(&self, place: &Place) -> u64 {
        let output = self.resume(place);
        assert_eq!(output.code, self.code, "{}", output.stderr);
        assert!(place.bytes(self.output) == self.expected, "differs from an uninterrupted run");
        let journal = format!("{}.journal", self.output);
        assert_eq!(place.names(), [self.output, &journal, "rows.jsonl"], "nothing else is left");
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
            let hits = (0..wanted).take_while(|_| self.kill(&place, random)).count();
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
    Case::new(seed, 2000, "out.jsonl", &[])
}

#[test]
fn a_run_killed_once_at_fifteen_moments_ends_with_the_same_bytes() {
    let known = json_lines_case(1).assert_survives(101, 15, 1);
    assert!(known.len() > 2, "the kills hit {known:?} known rows only");
}

#[test]
fn a_run_killed_once_at_fifteen_other_moments_ends_with_the_same_bytes() {
    let known = json_lines_case(2).assert_survives(102, 15, 1);
    assert!(known.len() > 2, "the kills hit {known:?} known rows only");
}

#[test]
fn a_run_killed_repeatedly_ends_with_the_same_bytes() {
    json_lines_case(3).assert_survives(103, 20, 5);
}

#[test]
fn killed_runs_to_tables_end_with_the_same_bytes() {
    Case::new(4, 2000, "out.csv", &[]).assert_survives(104, 5, 2);
    Case::new(5, 2000, "out.parquet", &["--explode", "claims"]).assert_survives(105, 5, 2);
    Case::new(6, 2000, "out.parquet", &[]).assert_survives(106, 5, 1);
}

#[test]
fn killed_shards_end_with_the_same_bytes() {
    Case::new(7, 2000, "out.jsonl", &["--shard", "2/2"]).assert_survives(107, 5, 2);
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
        place.write("rows.jsonl", json_lines(&corpus(9, 300, 1)));
        place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).ok();
        let old = place.bytes("out.jsonl");
        place.write("rows.jsonl", &case.rows);
        hits += usize::from(case.kill(&place, random));
        if place.has("out.jsonl") {
            let now = place.bytes("out.jsonl");
            assert!(now == old || now == case.expected, "neither the old output nor the new one");
        }
        case.finish(&place);
    }
}

/// The journal of a small run.
fn small() -> (Case, Place, Vec<u8>) {
    let case = Case::new(10, 40, "out.jsonl", &[]);
    let place = case.place();
    assert_eq!(case.resume(&place).code, 2);
    let journal = place.bytes("out.jsonl.journal");
    assert!(journal.len() > HEAD + 39 * 100, "39 rows are in it");
    (case, place, journal)
}

/// Resumes with this journal, with and without the output; returns the number of known rows.
#[track_caller]
fn assert_resumes(case: &Case, place: &Place, journal: &[u8], what: &str) -> u64 {
    let mut known = 0;
    for keep_output in [true, false] {
        if !keep_output {
            place.remove("out.jsonl");
        }
        place.write("out.jsonl.journal", journal);
        let output = case.resume(place);
        assert!(place.has("out.jsonl"), "{what}: exit code {}: {}", output.code, output.stderr);
        assert!(place.bytes("out.jsonl") == case.expected, "{what}: other bytes");
        assert_eq!(output.code, 2, "{what}: {}", output.stderr);
        known = closing(&output)["known"].as_u64().unwrap();
        // Now all rows must be known.
        assert_eq!(closing(&case.resume(place))["known"], 39, "{what}: it did not repair its journal");
    }
    known
}

#[test]
fn a_truncated_journal_is_resumed() {
    let (case, place, journal) = small();
    let random = &mut Random(201);
    let places = (0..20).chain((0..40).map(|_| random.below(journal.len())));
    let mut most = 0;
    for length in places.collect::<Vec<usize>>() {
        most = most.max(assert_resumes(&case, &place, &journal[..length], &format!("cut to {length} bytes")));
    }
    assert!(most > 20, "rows before the cut must be known, but only {most} were");
}

#[test]
fn a_journal_with_any_changed_byte_is_resumed() {
    let (case, place, journal) = small();
    let random = &mut Random(202);
    let near = HEAD..HEAD + 20;
    let anywhere = (0..40).map(|_| HEAD + random.below(journal.len() - HEAD));
    for at in near.chain(anywhere.collect::<Vec<usize>>()) {
        let mut changed = journal.clone();
        changed[at] ^= 1 + random.below(255) as u8;
        assert_resumes(&case, &place, &changed, &format!("byte {at} changed"));
    }
}

/// Another file under the journal's name is refused (see resume.rs).
#[test]
fn a_journal_with_a_changed_byte_in_its_head_is_resumed() {
    let (case, place, journal) = small();
    for at in 0..HEAD {
        let mut changed = journal.clone();
        changed[at] ^= 1;
        assert_resumes(&case, &place, &changed, &format!("byte {at} changed"));
    }
}

#[test]
fn a_journal_with_trailing_bytes_is_resumed() {
    let (case, place, journal) = small();
    let zeros = [0; 5000];
    let trailing: [&[u8]; 6] = [b"x", b"{\"schema\":1}\n", &[0xff; 400], &zeros, &journal, &journal[HEAD..]];
    for (index, more) in trailing.into_iter().enumerate() {
        assert_resumes(
            &case,
            &place,
            &[&journal[..], more].concat(),
            &format!("with trailing bytes {index}"),
        );
    }
}

#[test]
fn a_journal_with_a_piece_removed_or_repeated_is_resumed() {
    let (case, place, journal) = small();
    let random = &mut Random(203);
    for _ in 0..10 {
        let (one, other) = (random.below(journal.len() - HEAD), random.below(journal.len() - HEAD));
        let (start, end) = (HEAD + one.min(other), HEAD + one.max(other));
        let without = [&journal[..start], &journal[end..]].concat();
        assert_resumes(&case, &place, &without, &format!("without {start}..{end}"));
        let twice = [&journal[..end], &journal[start..]].concat();
        assert_resumes(&case, &place, &twice, &format!("with {start}..{end} twice"));
    }
}

#[test]
fn the_journal_of_another_run_changes_nothing() {
    let (case, place, _) = small();
    for (rows, more) in
        [(case.rows.clone(), ["--set", "window=2"]), (json_lines(&corpus(11, 40, 2)), ["--set", "stride=1"])]
    {
        let other = Place::new();
        other.write("rows.jsonl", rows);
        other.judge("rows.jsonl", "out.jsonl", &more);
        assert_resumes(&case, &place, &other.bytes("out.jsonl.journal"), &format!("of a run with {more:?}"));
    }
}
