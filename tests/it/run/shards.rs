//! `run --shard I/N` and `merge`: merged shards are byte for byte the output of one run, in every format; anything but all
//! unchanged shards of one run is refused and leaves no files.
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::common::runs::{Random, corpus, gzip, json_lines, table};
use crate::common::{Output, Place, splitter, test_each};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Fifty rows of twelve alternating documents; some have other fields, two are bad.
fn rows() -> Vec<Value> {
    let documents: Vec<Value> = corpus(71, 12, 2).iter().map(|row| row["document"].clone()).collect();
    let mut rows = corpus(72, 50, 1);
    for (index, row) in rows.iter_mut().enumerate() {
        row["document"] = documents[index * 7 % 12].clone();
    }
    rows[8]["note"] = json!("a \"note\",\nof two lines");
    rows[33]["later"] = json!([1, null]);
    rows[20]["summary"] = json!("");
    rows[21].as_object_mut().unwrap().remove("document");
    rows[40]["summary"] = json!("The cat sat. The dog was old. Rain fell.");
    rows
}

/// A place with rows.jsonl and its shards s1.jsonl and so on.
struct Shards {
    place: Place,
    names: Vec<String>,
}

fn shards_of(rows: &[Value], of: usize, more: &[&str]) -> Shards {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(rows));
    let names = (1..=of).map(|index| shard(&place, &format!("s{index}.jsonl"), index, of, more)).collect();
    Shards { place, names }
}

fn shard(place: &Place, name: &str, index: usize, of: usize, more: &[&str]) -> String {
    let part = format!("{index}/{of}");
    let output = place.judge("rows.jsonl", name, &[&["--quiet", "--shard", &part], more].concat());
    assert!(place.has(name), "exit code {}: {}", output.code, output.stderr);
    name.to_owned()
}

/// Removes a shard and, if rows of it failed, its journal.
fn remove(place: &Place, shard: &str) {
    place.names().iter().filter(|name| name.starts_with(shard)).for_each(|name| place.remove(name));
}

/// A copy of three shards, which are judged once.
fn three() -> Shards {
    static THREE: LazyLock<Shards> = LazyLock::new(|| shards_of(&rows(), 3, &[]));
    let place = Place::new();
    THREE.place.names().iter().for_each(|name| _ = place.write(name, THREE.place.bytes(name)));
    Shards { place, names: THREE.names.clone() }
}

impl Shards {
    fn merge(&self, output: &str, more: &[&str]) -> Output {
        merge(&self.place, &self.names.iter().map(String::as_str).collect::<Vec<_>>(), output, more)
    }

    /// Merges files that must be refused without leaving files; returns the error.
    #[track_caller]
    fn refused(&self, names: &[&str], parts: &[&str]) -> String {
        let before = self.place.names();
        let output = merge(&self.place, names, "merged.jsonl", &[]);
        let after = self.place.names();
        if after.contains(&"merged.jsonl".to_owned()) {
            self.place.remove("merged.jsonl");
        }
        assert_eq!(after, before, "it wrote: {}", output.stderr);
        output.clear_error(parts).unwrap()
    }
}

fn merge(place: &Place, names: &[&str], output: &str, more: &[&str]) -> Output {
    place.run([&["merge"], names, &["-o", output], more].concat())
}

#[test]
fn merged_shards_are_what_one_run_writes_in_every_format() {
    let outputs: [(&str, &[&str]); 10] = [
        ("out.jsonl", &[]),
        ("out.csv", &[]),
        ("out.tsv", &[]),
        ("out.parquet", &[]),
        ("all.csv", &["--columns", "all"]),
        ("all.parquet", &["--columns", "all", "--explode", "claims"]),
        ("claims.jsonl", &["--explode", "claims"]),
        ("claims.csv", &["--explode", "claims"]),
        ("claims.tsv", &["--explode", "claims"]),
        ("claims.parquet", &["--explode", "claims"]),
    ];
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&rows()));
    let can_be_written = |name: &str| !name.ends_with("parquet") || cfg!(feature = "parquet");
    let outputs = outputs.into_iter().filter(|(name, _)| can_be_written(name));
    let whole: Vec<_> =
        outputs.map(|(name, more)| (name, more, place.fresh("rows.jsonl", name, more))).collect();
    test_each([1, 2, 3, 7], |of| {
        let mut shards = shards_of(&rows(), of, &[]);
        // Merging needs only the shards, in any order.
        shards.names.reverse();
        shards.place.remove("rows.jsonl");
        for (name, more, expected) in &whole {
            let output = shards.merge(name, more);
            assert!(shards.place.has(name), "{name}: {}", output.stderr);
            assert!(shards.place.bytes(name) == *expected, "{name}");
            assert!(!shards.place.has(&format!("{name}.partial")));
        }
    });
}

#[test]
fn clean_shards_merge_with_exit_code_0_and_are_not_changed() {
    let shards = shards_of(&corpus(73, 40, 1), 4, &[]);
    let bytes = || shards.names.iter().map(|name| shards.place.bytes(name)).collect::<Vec<_>>();
    let before = bytes();
    assert_eq!(shards.merge("out.jsonl", &[]).ok(), "");
    assert!(shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", &[]));
    let output = shards.merge("quiet.csv", &["--quiet"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(bytes() == before);
}

/// More shards than documents: some have no rows.
#[test]
fn shards_without_rows_are_merged_too() {
    let shards = shards_of(&corpus(74, 5, 1), 20, &[]);
    shards.merge("out.jsonl", &[]).ok();
    assert!(shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", &[]));
}

#[test]
fn shards_with_settings_are_what_one_run_with_them_writes() {
    let settings: [&[&str]; 4] = [
        &["--on-error", "skip"],
        &["--keep", "note,label", "--set", "window=2"],
        &["--profile", "paper", "--set", "levels=sentence"],
        &["--document-field", "document", "--keep", "document,summary"],
    ];
    test_each(settings, |more| {
        let shards = shards_of(&rows(), 3, more);
        shards.merge("out.jsonl", &[]);
        assert!(shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", more));
    });
}

#[test]
fn settings_of_speed_may_differ_from_shard_to_shard() {
    let shards = three();
    shards.names[1..].iter().for_each(|name| remove(&shards.place, name));
    shard(&shards.place, "s2.jsonl", 2, 3, &["--threads", "1", "--set", "cache_mb=0"]);
    shard(&shards.place, "s3.jsonl", 3, 3, &["--set", "batch_tokens=64"]);
    shards.merge("out.jsonl", &[]);
    assert!(shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", &[]));
}

#[test]
fn rows_of_one_document_are_in_one_shard_and_every_row_is_in_one() {
    let (rows, shards) = (rows(), shards_of(&rows(), 5, &[]));
    let mut found: Vec<(u64, usize)> = Vec::new();
    for (index, name) in shards.names.iter().enumerate() {
        let lines = shards.place.json_rows(name);
        found.extend(lines.iter().filter_map(|line| line["id"].as_u64()).map(|id| (id, index)));
    }
    found.sort_unstable();
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), (0..50).collect::<Vec<u64>>());
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, index) in found {
        let Some(document) = rows[id as usize]["document"].as_str() else { continue };
        // A row with an empty summary has its shard by its number, not its document.
        if id != 20 {
            assert_eq!(*homes.entry(document).or_insert(index), index, "row {id}");
        }
    }
    assert!(homes.values().collect::<std::collections::BTreeSet<_>>().len() > 2, "{homes:?}");
}

#[test]
fn rows_of_one_document_are_in_one_shard_whatever_their_file_and_format() {
    let place = Place::new();
    let document = "The cat sat on the mat. Rain fell.";
    place.write("a.jsonl", json!({"id": "1", "article": document, "summary": "A cat sat."}).to_string());
    let row = |id: &str| vec![id.to_owned(), document.to_owned(), "Rain fell.".to_owned()];
    place.write("b.csv", table(&["id", "document", "claim"], &[row("2"), row("3")], ',', "\r\n"));
    let array = json!([{"id": "4", "contexts": [document], "answer": "A dog sat."}]).to_string();
    place.write("c.json.gz", gzip(array.as_bytes()));
    let mut counts = Vec::new();
    let inputs = ["run", "a.jsonl", "b.csv", "c.json.gz", "--quiet"];
    for part in ["1/3", "2/3", "3/3"] {
        let name = format!("s{}.jsonl", &part[..1]);
        place.run_tiny(&[&inputs[..], &["-o", &name, "--shard", part]].concat()).ok();
        counts.push(place.json_rows(&name).iter().filter(|row| row["id"].is_string()).count());
    }
    counts.sort_unstable();
    assert_eq!(counts, [0, 0, 4]);
    merge(&place, &["s1.jsonl", "s2.jsonl", "s3.jsonl"], "merged.csv", &[]).ok();
    place.run_tiny(&[&inputs[..], &["-o", "whole.csv"]].concat()).ok();
    assert!(place.bytes("merged.csv") == place.bytes("whole.csv"));
}

#[test]
fn missing_and_repeated_shards_are_refused() {
    let shards = three();
    let merges = [
        "s1.jsonl s2.jsonl",
        "s2.jsonl",
        "s1.jsonl s2.jsonl s3.jsonl s1.jsonl",
        "s1.jsonl s2.jsonl s2.jsonl",
        "s1.jsonl s2.jsonl ./s2.jsonl s3.jsonl",
        "s1.jsonl s2.jsonl s3.jsonl missing.jsonl",
    ];
    let before = shards.place.names();
    let commands = merges.map(|names| format!("merge -o merged.jsonl {names}"));
    assert_snapshot!("missing_shards", shards.place.refusals(&commands));
    assert_eq!(shards.place.names(), before);
}

#[test]
fn files_that_are_not_shards_are_refused() {
    let shards = three();
    let place = &shards.place;
    place.judge("rows.jsonl", "whole.jsonl", &["--quiet"]);
    place.judge("rows.jsonl", "whole.csv", &["--quiet"]);
    shards.merge("again.jsonl", &[]);
    place.write("empty.jsonl", "");
    place.write("noise.jsonl", [0xff; 300]);
    let others = ["rows.jsonl", "whole.jsonl", "whole.csv", "again.jsonl", "empty.jsonl", "noise.jsonl"];
    test_each(others, |name| {
        shards.refused(&["s1.jsonl", name, "s3.jsonl"], &[name]);
        shards.refused(&[name], &[name]);
        shards.refused(&["s1.jsonl", "s2.jsonl", "s3.jsonl", name], &[name]);
    });
}

/// Merges three shards of which the second is one of `rows` with `more`; that must be refused.
#[track_caller]
fn assert_foreign(shards: &Shards, rows: &[Value], of: usize, more: &[&str]) {
    let place = &shards.place;
    place.write("rows.jsonl", json_lines(rows));
    shard(place, "other.jsonl", 2, of, more);
    shards.refused(&["s1.jsonl", "other.jsonl", "s3.jsonl"], &["other.jsonl"]);
    remove(place, "other.jsonl");
}

/// A change of a shard's lines.
type Change = fn(&mut Vec<Value>);

#[test]
fn shards_of_other_inputs_are_refused() {
    let changes: [(&str, Change); 8] = [
        ("a row more", |rows| rows.push(rows[0].clone())),
        ("a row less", |rows| drop(rows.pop())),
        ("another order", |rows| rows.swap(0, 13)),
        ("another summary", |rows| rows[3]["summary"] = json!("The road was closed.")),
        ("other summaries", |rows| rows.iter_mut().for_each(|row| row["summary"] = json!("A cat sat."))),
        ("another document", |rows| rows[3]["document"] = json!("The road was closed.")),
        ("another label", |rows| rows.iter_mut().for_each(|row| row["label"] = json!("x"))),
        ("other ids", |rows| rows.iter_mut().for_each(|row| row["id"] = json!([row["id"]]))),
    ];
    let shards = three();
    test_each(changes, |(_, change)| {
        let mut other = rows();
        change(&mut other);
        assert_foreign(&shards, &other, 3, &[]);
    });
}

#[test]
fn shards_of_other_settings_are_refused() {
    let claims = splitter();
    let settings: [&[&str]; 10] = [
        &["--set", "window=2"],
        &["--profile", "paper"],
        &["--set", "levels=sentence"],
        &["--claims", &claims],
        &["--set", "epsilon=0"],
        &["--dtype", "int8"],
        &["--set", "labels=contradiction,neutral,entailment"],
        &["--keep", "label"],
        &["--keep", "document,summary"],
        &["--on-error", "skip"],
    ];
    let shards = three();
    test_each(settings, |more| assert_foreign(&shards, &rows(), 3, more));
}

#[test]
fn shards_of_other_numbers_are_refused() {
    let shards = three();
    test_each([2, 4], |of| assert_foreign(&shards, &rows(), of, &[]));
}

/// Cut, with lines that are dropped, repeated or moved, edited, and with any byte changed.
#[test]
fn changed_shards_are_refused() {
    let shards = three();
    let (text, random) = (shards.place.read("s2.jsonl"), &mut Random(75));
    let mut changed: Vec<(String, Vec<u8>)> = Vec::new();
    let length = text.len();
    let mut cuts = vec![0, length - 1, length - 2, length - 40];
    cuts.extend((0..length - 1).filter(|&at| text.as_bytes()[at] == b'\n').map(|at| at + 1));
    cuts.extend((0..10).map(|_| random.below(length)));
    changed.extend(cuts.iter().map(|&at| (format!("cut at {at}"), text.as_bytes()[..at].to_vec())));
    for _ in 0..20 {
        let (at, mut bytes) = (random.below(length), text.clone().into_bytes());
        bytes[at] ^= 1;
        changed.push((format!("changed at {at}"), bytes));
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = lines.len() - 1;
    assert!(end > 4);
    for (what, lines) in [
        ("first dropped", lines[1..].to_vec()),
        ("third dropped", [&lines[..2], &lines[3..]].concat()),
        ("last row dropped", [&lines[..end - 1], &lines[end..]].concat()),
        ("first doubled", [&lines[..1], &lines[..]].concat()),
        ("last row doubled", [&lines[..end], &lines[end - 1..]].concat()),
        ("two swapped", [&lines[1..2], &lines[..1], &lines[2..]].concat()),
        ("end first", [&lines[end..], &lines[..end]].concat()),
        ("twice", [&lines[..], &lines[..]].concat()),
    ] {
        changed.push((what.to_owned(), lines.concat().into_bytes()));
    }
    for (what, from, to) in [
        ("a score", "\"score\":0.", "\"score\":0.9"),
        ("a verdict", "unsupported", "supported"),
        ("a word", "The", "Teh"),
        ("a label", "\"label\":0", "\"label\":7"),
        ("a space", "\"label\":0", "\"label\": 0"),
        ("a line end", "\n", "\r\n"),
        ("a row more", "{", "{}\n{"),
        ("the last line's version", "{\"schema\":1,\"shard\"", "{\"sbhema\":1,\"shard\""),
    ] {
        assert!(text.contains(from));
        changed.push((what.to_owned(), text.replacen(from, to, 1).into_bytes()));
    }
    changed.push(("all line ends".to_owned(), text.replace('\n', "\r\n").into_bytes()));
    changed.push(("an empty line".to_owned(), format!("{text}\n").into_bytes()));
    let names: Vec<&str> = shards.names.iter().map(String::as_str).collect();
    test_each(changed, |(_, bytes)| {
        shards.place.write("s2.jsonl", bytes);
        shards.refused(&names, &["s2.jsonl"]);
    });
}

#[test]
fn an_output_that_exists_is_not_replaced_by_a_merge() {
    let shards = three();
    shards.place.write("out.jsonl", "mine");
    let first = shards.place.read("s1.jsonl");
    for name in ["out.jsonl", "s1.jsonl", "rows.jsonl"] {
        let error = shards.merge(name, &[]).error();
        assert!(error.contains(name) && !error.contains("resume"), "merge has no `resume`: {error}");
    }
    assert_eq!((shards.place.read("out.jsonl"), shards.place.read("s1.jsonl")), ("mine".to_owned(), first));
}

#[test]
fn a_shard_can_be_resumed_as_another_shard() {
    for part in ["1/3", "2/3", "1/2", "1/1"] {
        let shards = three();
        let has_journal = |name: &&String| shards.place.has(&format!("{name}.journal"));
        let name = shards.names.iter().find(has_journal).expect("rows fail in one of them");
        let resume = ["--resume", "--quiet", "--shard", part];
        let output = shards.place.judge("rows.jsonl", name, &resume);
        let fresh = shards.place.fresh("rows.jsonl", name, &["--shard", part]);
        assert!(shards.place.bytes(name) == fresh, "{part}: {}", output.stderr);
    }
}
