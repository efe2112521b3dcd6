//! `run --shard I/N` and `merge`: merged shards are byte for byte the output of one run, in every format; anything but all
//! unchanged shards of one run is refused and leaves no files.
use crate::common;
use std::collections::BTreeMap;

use crate::common::runs::{Random, corpus, gzip, json_lines, table};
use crate::common::{Output, Place, assert_no_faults, splitter};
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

fn three() -> Shards {
    shards_of(&rows(), 3, &[])
}

impl Shards {
    fn merge(&self, output: &str, more: &[&str]) -> Output {
        merge(&self.place, &self.names.iter().map(String::as_str).collect::<Vec<_>>(), output, more)
    }

    /// Merges files that must be refused without leaving files; returns what went wrong, if anything did.
    fn fault(&self, names: &[&str], parts: &[&str]) -> Option<String> {
        let before = self.place.names();
        let fault = merge(&self.place, names, "merged.jsonl", &[]).clear_error(parts).err();
        let after = self.place.names();
        if after == before {
            return fault;
        }
        for name in after.iter().filter(|name| !before.contains(name)) {
            self.place.remove(name);
        }
        Some(format!("wrote {after:?}; {fault:?}"))
    }

    #[track_caller]
    fn assert_refused(&self, names: &[&str], parts: &[&str]) {
        if let Some(fault) = self.fault(names, parts) {
            panic!("{names:?}: {fault}");
        }
    }
}

fn merge(place: &Place, names: &[&str], output: &str, more: &[&str]) -> Output {
    place.run([&["merge"], names, &["-o", output], more].concat())
}

#[test]
fn merged_shards_are_what_one_run_writes_in_every_format() {
    let outputs: [(&str, &[&str]); 8] = [
        ("out.jsonl", &[]),
        ("out.csv", &[]),
        ("out.tsv", &[]),
        ("out.parquet", &[]),
        ("claims.jsonl", &["--explode", "claims"]),
        ("claims.csv", &["--explode", "claims"]),
        ("claims.tsv", &["--explode", "claims"]),
        ("claims.parquet", &["--explode", "claims"]),
    ];
    for of in [1, 2, 3, 7] {
        let mut shards = shards_of(&rows(), of, &[]);
        // Merging needs only the shards, in any order.
        shards.names.reverse();
        let rows = Place::new();
        rows.write("rows.jsonl", shards.place.read("rows.jsonl"));
        shards.place.remove("rows.jsonl");
        for (name, more) in outputs {
            if name.ends_with("parquet") && !cfg!(feature = "parquet") {
                continue;
            }
            let output = shards.merge(name, more);
            assert!(shards.place.has(name), "{of} shards, {name}: {}", output.stderr);
            assert!(shards.place.bytes(name) == rows.fresh("rows.jsonl", name, more), "{of} shards, {name}");
            assert!(!shards.place.has(&format!("{name}.partial")));
        }
    }
}

#[test]
fn clean_shards_merge_with_exit_code_0() {
    let shards = shards_of(&corpus(73, 40, 1), 4, &[]);
    assert_eq!(shards.merge("out.jsonl", &[]).ok(), "");
    assert!(shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", &[]));
    let output = shards.merge("quiet.csv", &["--quiet"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
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
    for more in settings {
        let shards = shards_of(&rows(), 3, more);
        shards.merge("out.jsonl", &[]);
        assert!(
            shards.place.bytes("out.jsonl") == shards.place.fresh("rows.jsonl", "out.jsonl", more),
            "{more:?}"
        );
    }
}

#[test]
fn settings_of_speed_may_differ_from_shard_to_shard() {
    let shards = three();
    for name in &shards.names[1..] {
        shards.place.remove(name);
        shards.place.remove(&format!("{name}.journal"));
    }
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
    let (tiny, mut counts) = (common::tiny(), Vec::new());
    let inputs = ["run", "a.jsonl", "b.csv", "c.json.gz", "--model", &tiny, "--quiet"];
    for part in ["1/3", "2/3", "3/3"] {
        let name = format!("s{}.jsonl", &part[..1]);
        place.run([&inputs[..], &["-o", &name, "--shard", part]].concat()).ok();
        counts.push(place.json_rows(&name).iter().filter(|row| row["id"].is_string()).count());
    }
    counts.sort_unstable();
    assert_eq!(counts, [0, 0, 4]);
    merge(&place, &["s1.jsonl", "s2.jsonl", "s3.jsonl"], "merged.csv", &[]).ok();
    place.run([&inputs[..], &["-o", "whole.csv"]].concat()).ok();
    assert!(place.bytes("merged.csv") == place.bytes("whole.csv"));
}

#[test]
fn missing_and_repeated_shards_are_refused() {
    let shards = three();
    shards.assert_refused(&["s1.jsonl", "s2.jsonl"], &["3"]);
    shards.assert_refused(&["s2.jsonl"], &[]);
    shards.assert_refused(&["s1.jsonl", "s2.jsonl", "s3.jsonl", "s1.jsonl"], &["s1.jsonl"]);
    shards.assert_refused(&["s1.jsonl", "s2.jsonl", "s2.jsonl"], &["s2.jsonl"]);
    shards.assert_refused(&["s1.jsonl", "s2.jsonl", "./s2.jsonl", "s3.jsonl"], &["s2.jsonl"]);
    shards.assert_refused(&["s1.jsonl", "s2.jsonl", "s3.jsonl", "missing.jsonl"], &["missing.jsonl"]);
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
    let others = [
        "rows.jsonl",
        "whole.jsonl",
        "whole.csv",
        "again.jsonl",
        "empty.jsonl",
        "noise.jsonl",
        "s1.jsonl.journal",
    ];
    for name in others {
        shards.assert_refused(&["s1.jsonl", name, "s3.jsonl"], &[name]);
        shards.assert_refused(&[name], &[name]);
        shards.assert_refused(&["s1.jsonl", "s2.jsonl", "s3.jsonl", name], &[name]);
    }
}

/// Merges three shards of which the second is replaced by one of `rows` with `more`.
fn foreign(rows: &[Value], of: usize, more: &[&str]) -> Option<String> {
    let shards = three();
    shards.place.write("rows.jsonl", json_lines(rows));
    shard(&shards.place, "other.jsonl", 2, of, more);
    shards.fault(&["s1.jsonl", "other.jsonl", "s3.jsonl"], &["other.jsonl"])
}

#[test]
fn shards_of_other_inputs_are_refused() {
    let mut faults = Vec::new();
    let mut changed = |name: &str, change: &dyn Fn(&mut Vec<Value>)| {
        let mut other = rows();
        change(&mut other);
        faults.extend(foreign(&other, 3, &[]).map(|fault| (name.to_owned(), fault)));
    };
    changed("a row more", &|rows| rows.push(rows[0].clone()));
    changed("a row less", &|rows| drop(rows.pop()));
    changed("another order", &|rows| rows.swap(0, 13));
    changed("another summary", &|rows| rows[3]["summary"] = json!("The road was closed."));
    changed("other summaries everywhere", &|rows| {
        rows.iter_mut().for_each(|row| row["summary"] = json!("A cat sat."))
    });
    changed("another document", &|rows| rows[3]["document"] = json!("The road was closed."));
    changed("another label", &|rows| rows.iter_mut().for_each(|row| row["label"] = json!("x")));
    changed("other ids", &|rows| {
        rows.iter_mut().for_each(|row| row["id"] = json!(row["id"].as_u64().unwrap() + 1))
    });
    assert_no_faults(faults);
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
    let faults = settings.iter().filter_map(|more| Some((more.join(" "), foreign(&rows(), 3, more)?)));
    assert_no_faults(faults.collect());
}

#[test]
fn shards_of_other_numbers_are_refused() {
    for of in [2, 4] {
        assert_eq!(foreign(&rows(), of, &[]), None, "2/{of} with 1/3 and 3/3");
    }
}

/// Writes changed bytes as the second shard, merges, and writes it back.
fn edited(shards: &Shards, bytes: &[u8], change: &str) -> Option<(String, String)> {
    let before = shards.place.bytes("s2.jsonl");
    shards.place.write("s2.jsonl", bytes);
    let fault = shards.fault(&["s1.jsonl", "s2.jsonl", "s3.jsonl"], &["s2.jsonl"]);
    shards.place.write("s2.jsonl", before);
    fault.map(|fault| (change.to_owned(), fault))
}

#[test]
fn truncated_shards_are_refused() {
    let shards = three();
    let (bytes, random) = (shards.place.bytes("s2.jsonl"), &mut Random(75));
    let lines: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    let anywhere: Vec<usize> = (0..30).map(|_| random.below(bytes.len())).collect();
    let places = anywhere.into_iter().chain(lines.iter().map(|at| at + 1).filter(|&at| at < bytes.len()));
    let places = places.chain([0, bytes.len() - 1, bytes.len() - 2, bytes.len() - 40]);
    assert_no_faults(
        places.filter_map(|at| edited(&shards, &bytes[..at], &format!("cut to {at}"))).collect(),
    );
}

#[test]
fn shards_with_dropped_repeated_or_moved_lines_are_refused() {
    let shards = three();
    let text = shards.place.read("s2.jsonl");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.len() > 5);
    let end = lines.len() - 1;
    let changes: [(&str, Vec<&str>); 8] = [
        ("first dropped", lines[1..].to_vec()),
        ("third dropped", [&lines[..2], &lines[3..]].concat()),
        ("last row dropped", [&lines[..end - 1], &lines[end..]].concat()),
        ("first doubled", [&lines[..1], &lines[..]].concat()),
        ("last row doubled", [&lines[..end], &lines[end - 1..]].concat()),
        ("two swapped", [&lines[1..2], &lines[..1], &lines[2..]].concat()),
        ("end first", [&lines[end..], &lines[..end]].concat()),
        ("twice", [&lines[..], &lines[..]].concat()),
    ];
    assert_no_faults(
        changes.iter().filter_map(|(name, lines)| edited(&shards, lines.concat().as_bytes(), name)).collect(),
    );
}

#[test]
fn edited_shards_are_refused() {
    let shards = three();
    let text = shards.place.read("s2.jsonl");
    let changes = [
        ("a score", text.replacen("\"score\":0.", "\"score\":0.9", 1)),
        ("a verdict", text.replacen("unsupported", "supported", 1)),
        ("a word", text.replacen("The", "Teh", 1)),
        ("a label", text.replacen("\"label\":0", "\"label\":7", 1)),
        ("a space", text.replacen("\"label\":0", "\"label\": 0", 1)),
        ("line ends", text.replace('\n', "\r\n")),
        ("a line more", format!("{text}\n")),
        ("a row more", format!("{{}}\n{text}")),
        ("the last line's version", text.replacen("{\"schema\":1,\"shard\"", "{\"sbhema\":1,\"shard\"", 1)),
    ];
    let faults = changes.iter().filter_map(|(name, changed)| {
        assert!(*changed != text, "{name} is not in {text}");
        edited(&shards, changed.as_bytes(), name)
    });
    assert_no_faults(faults.collect());
}

#[test]
fn shards_with_any_byte_changed_are_refused() {
    let shards = three();
    let (bytes, random) = (shards.place.bytes("s2.jsonl"), &mut Random(76));
    let faults = (0..40).filter_map(|_| {
        let at = random.below(bytes.len());
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let around =
            String::from_utf8_lossy(&bytes[at.saturating_sub(9)..(at + 9).min(bytes.len())]).into_owned();
        edited(&shards, &changed, &format!("byte {at} in {around:?}"))
    });
    assert_no_faults(faults.collect());
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
fn merging_does_not_change_the_shards() {
    let shards = three();
    let bytes = |place: &Place| {
        place.names().iter().map(|name| (name.clone(), place.bytes(name))).collect::<Vec<_>>()
    };
    let before = bytes(&shards.place);
    shards.merge("zz.jsonl", &[]);
    let mut after = bytes(&shards.place);
    assert_eq!(after.pop().map(|(name, _)| name).as_deref(), Some("zz.jsonl"));
    assert!(before == after);
}

#[test]
fn a_shard_can_be_resumed_as_another_shard() {
    let shards = three();
    let resume = ["--resume", "--quiet", "--shard"];
    let fresh = |part: &str| shards.place.fresh("rows.jsonl", "s1.jsonl", &["--shard", part]);
    for part in ["1/3", "2/3", "1/2"] {
        let output = shards.place.judge("rows.jsonl", "s1.jsonl", &[&resume[..], &[part]].concat());
        assert!(shards.place.bytes("s1.jsonl") == fresh(part), "{part}: {}", output.stderr);
    }
    shards.place.judge("rows.jsonl", "s1.jsonl", &["--resume", "--quiet"]);
    assert!(shards.place.bytes("s1.jsonl") == shards.place.fresh("rows.jsonl", "s1.jsonl", &[]), "the whole");
}

#[test]
fn other_names_of_shards_are_refused() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(77, 3, 1)));
    for part in [
        "0/3",
        "4/3",
        "1/0",
        "0/0",
        "1",
        "/",
        "1/",
        "/3",
        "a/b",
        "1/3/4",
        "1.5/3",
        "1/99999999999999999999999",
    ] {
        let output = place.judge("rows.jsonl", "out.jsonl", &["--shard", part]);
        assert!(output.code == 2 && output.stderr.contains("I/N"), "{part}: {}", output.stderr);
        assert_eq!(place.names(), ["rows.jsonl"], "{part}");
    }
}
