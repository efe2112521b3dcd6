//! `run --resume`: what it starts, resumes, leaves alone and refuses; a resumed run ends with the bytes of an uninterrupted one.
//! Killed runs and damaged journals are in kill.rs.
use std::fs;
use std::time::SystemTime;

use crate::common::runs::{closing, corpus, ended, is_judging, json_lines, judging, with_a_broken_row};
use crate::common::{Output, Place, repository, test_each};
use serde_json::{Value, json};

const RESUME: [&str; 3] = ["--resume", "--progress", "json"];
const OUTPUTS: [(&str, &[&str]); 5] = [
    ("out.jsonl", &[]),
    ("out.csv", &[]),
    ("out.tsv", &["--explode", "claims"]),
    ("out.parquet", &["--columns", "all"]),
    ("claims.jsonl", &["--explode", "claims"]),
];

/// A place with a run to out.jsonl that judged all rows but a last one, which failed.
#[track_caller]
fn judged(rows: &[Value]) -> Place {
    let place = Place::new();
    place.write("rows.jsonl", with_a_broken_row(rows));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
    place
}

fn resume(place: &Place, more: &[&str]) -> Output {
    place.judge("rows.jsonl", "out.jsonl", &[&RESUME[..], more].concat())
}

/// Whether the file has not been written since `make_old`.
fn is_old(place: &Place, name: &str) -> bool {
    fs::metadata(place.path(name)).unwrap().modified().unwrap() == SystemTime::UNIX_EPOCH
}

fn make_old(place: &Place, name: &str) {
    let file = fs::File::options().write(true).open(place.path(name)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

/// Resumes a run with these rows: the bytes must be those of a new run, and `known` rows must not be judged again.
#[track_caller]
fn assert_resumes(place: &Place, rows: &[Value], known: usize) {
    place.write("rows.jsonl", json_lines(rows));
    let output = resume(place, &[]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let closing = closing(&output);
    assert_eq!((&closing["rows"], &closing["known"]), (&json!(rows.len()), &json!(known)));
    assert!(
        place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]),
        "not what a new run writes"
    );
    assert_eq!(place.names(), ["out.jsonl", "rows.jsonl"]);
}

#[test]
fn resume_without_files_starts_a_run() {
    for (name, more) in OUTPUTS {
        let place = Place::new();
        place.write("rows.jsonl", json_lines(&corpus(1, 30, 1)));
        let output = place.judge("rows.jsonl", name, &[&RESUME, more].concat());
        assert_eq!((output.code, &closing(&output)["known"]), (0, &json!(0)), "{}", output.stderr);
        assert!(place.bytes(name) == place.fresh("rows.jsonl", name, more), "{name}");
    }
}

#[test]
fn a_finished_run_leaves_no_journal_and_its_output_is_not_judged_again() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(2, 10, 1)));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).ok();
    assert_eq!(place.names(), ["out.jsonl", "rows.jsonl"]);
    make_old(&place, "out.jsonl");
    for more in [&[][..], &["--resume"]] {
        let error = place.judge("rows.jsonl", "out.jsonl", more).error();
        assert!(error.contains("out.jsonl exists"), "{error}");
        assert!(is_old(&place, "out.jsonl"));
    }
}

#[test]
fn resume_changes_nothing_when_the_failed_rows_are_as_before() {
    for (name, more) in OUTPUTS {
        let place = Place::new();
        place.write("rows.jsonl", with_a_broken_row(&corpus(2, 30, 1)));
        place.judge("rows.jsonl", name, &[&["--quiet"], more].concat()).error();
        let files = [name.to_owned(), format!("{name}.journal")];
        let before = files.each_ref().map(|name| place.bytes(name));
        files.iter().for_each(|name| make_old(&place, name));
        for _ in 0..2 {
            let output = place.judge("rows.jsonl", name, &[&RESUME, more].concat());
            assert_eq!((output.code, &closing(&output)["known"]), (2, &json!(30)), "{}", output.stderr);
            for (name, before) in files.iter().zip(&before) {
                assert!(place.bytes(name) == *before && is_old(&place, name), "{name} was written again");
            }
            assert_eq!(place.names().len(), 3, "{:?}", place.names());
        }
    }
}

#[test]
fn settings_of_speed_change_nothing() {
    let place = judged(&corpus(4, 20, 2));
    let bytes = place.bytes("out.jsonl");
    make_old(&place, "out.jsonl");
    for more in
        [["--threads", "1"], ["--set", "batch_tokens=64"], ["--set", "cache_mb=0"], ["--set", "cache_mb=1"]]
    {
        let output = resume(&place, &more);
        assert_eq!((output.code, &closing(&output)["known"]), (2, &json!(20)), "{more:?}: {}", output.stderr);
        assert!(place.bytes("out.jsonl") == bytes && is_old(&place, "out.jsonl"), "{more:?}");
    }
}

/// At the start of the run, the pattern did not match the output.
#[test]
fn a_pattern_that_matches_the_output_does_not_make_it_an_input() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(5, 10, 1)));
    place.judge("*.jsonl", "out.jsonl", &[]).ok();
    let bytes = place.bytes("out.jsonl");
    let output = place.judge("*.jsonl", "out.jsonl", &["--resume"]);
    assert!(place.bytes("out.jsonl") == bytes, "the results were replaced: {}", output.stderr);
    assert!(output.error().contains("out.jsonl exists"));
}

#[test]
fn an_output_that_is_also_an_input_is_refused_and_left_alone() {
    let place = judged(&corpus(6, 10, 1));
    let bytes = place.bytes("out.jsonl");
    let output =
        place.run_tiny(&["run", "rows.jsonl", "out.jsonl", "-o", "out.jsonl", "--resume", "--quiet"]);
    assert!(place.bytes("out.jsonl") == bytes, "the results were replaced: {}", output.stderr);
    assert!(output.error().contains("out.jsonl"));
}

#[test]
fn a_journal_without_resume_is_refused_and_left_alone() {
    let place = judged(&corpus(7, 5, 1));
    place.remove("out.jsonl");
    let journal = place.bytes("out.jsonl.journal");
    let error = place.judge("rows.jsonl", "out.jsonl", &[]).error();
    assert!(error.contains("out.jsonl.journal") && error.contains("--resume"), "{error}");
    assert_eq!(place.names(), ["out.jsonl.journal", "rows.jsonl"]);
    assert_eq!(place.bytes("out.jsonl.journal"), journal);
}

#[test]
fn an_output_without_a_journal_is_left_alone() {
    for bytes in ["mine", ""] {
        let place = Place::new();
        place.write("rows.jsonl", json_lines(&corpus(8, 5, 1)));
        place.write("out.jsonl", bytes);
        assert!(place.judge("rows.jsonl", "out.jsonl", &["--resume"]).error().contains("out.jsonl"));
        assert_eq!(place.read("out.jsonl"), bytes);
    }
}

#[test]
fn another_file_under_the_name_of_the_journal_is_left_alone() {
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&corpus(9, 5, 1)));
    place.write("out.jsonl.journal", "my diary, of which there is no other copy\n");
    for more in [&[][..], &["--resume"]] {
        assert!(place.judge("rows.jsonl", "out.jsonl", more).error().contains("out.jsonl.journal"));
        assert_eq!(place.read("out.jsonl.journal"), "my diary, of which there is no other copy\n");
    }
}

#[test]
fn an_output_that_was_removed_cut_or_edited_is_written_again() {
    for change in ["removed", "cut", "edited"] {
        let place = judged(&corpus(10, 20, 1));
        let bytes = place.bytes("out.jsonl");
        match change {
            "removed" => place.remove("out.jsonl"),
            "cut" => drop(place.write("out.jsonl", &bytes[..bytes.len() / 2])),
            _ => {
                drop(place.write("out.jsonl", place.read("out.jsonl").replacen("supported", "Supported", 1)))
            }
        }
        let output = resume(&place, &[]);
        assert_eq!((output.code, &closing(&output)["known"]), (2, &json!(20)), "{change}: {}", output.stderr);
        assert!(place.bytes("out.jsonl") == bytes, "{change}");
    }
}

#[test]
fn only_a_changed_row_is_judged_again() {
    let rows = corpus(11, 40, 1);
    for (field, text) in [("summary", "The road was late."), ("document", "No boat was early on Friday.")] {
        let place = judged(&rows);
        let before = place.json_rows("out.jsonl");
        let mut changed = rows.clone();
        changed[17][field] = json!(text);
        assert_resumes(&place, &changed, 39);
        let after = place.json_rows("out.jsonl");
        let differing: Vec<usize> = (0..40).filter(|&row| before[row] != after[row]).collect();
        assert_eq!(differing, [17], "{field}");
    }
}

#[test]
fn changes_of_other_fields_do_not_need_judging() {
    for (field, value) in [("label", json!(0.5)), ("id", json!("seventeen")), ("note", json!(["new"]))] {
        let mut rows = corpus(12, 40, 1);
        let place = judged(&rows);
        rows[17][field] = value;
        assert_resumes(&place, &rows, 40);
    }
}

#[test]
fn rows_that_are_added_removed_or_moved_leave_the_others_known() {
    let rows = corpus(13, 40, 1);
    let new = corpus(99, 3, 1);
    let backwards: Vec<Value> = rows.iter().rev().cloned().collect();
    let changes = [
        ([&new[..1], &rows[..]].concat(), 40),
        ([&new[..1], &rows[..20], &new[1..2], &rows[20..]].concat(), 40),
        ([&rows[..], &new[2..]].concat(), 40),
        (rows[5..30].to_vec(), 25),
        (rows[..1].to_vec(), 1),
        (backwards, 40),
    ];
    for (changed, known) in changes {
        assert_resumes(&judged(&rows), &changed, known);
    }
}

/// Repeated rows of known texts: the bytes are guaranteed, the count of known rows is not.
#[test]
fn repeated_rows_do_not_change_other_rows() {
    let rows = corpus(14, 20, 1);
    let twice = [&rows[..], &rows[..]].concat();
    for (before, after) in [(&rows, &twice), (&twice, &rows), (&twice, &twice)] {
        let place = judged(before);
        place.write("rows.jsonl", json_lines(after));
        let output = resume(&place, &[]);
        assert!(output.code == 0 && closing(&output)["known"].as_u64() >= Some(20), "{}", output.stderr);
        assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]));
    }
}

/// A result must not move to another row with its summary.
#[test]
fn swapped_texts_are_judged_in_their_new_rows() {
    let mut rows = corpus(15, 10, 1);
    let place = judged(&rows);
    let (second, third) = (rows[2]["summary"].take(), rows[3]["summary"].take());
    (rows[2]["summary"], rows[3]["summary"]) = (third, second);
    assert_resumes(&place, &rows, 8);
}

#[test]
fn changed_given_claims_are_judged_again() {
    let mut rows = corpus(16, 10, 1);
    for row in &mut rows {
        row["claims"] = json!([row["summary"], "The dog was late."]);
    }
    let place = Place::new();
    place.write("rows.jsonl", with_a_broken_row(&rows));
    let given = ["--claims", "given"];
    place.judge("rows.jsonl", "out.jsonl", &[&given[..], &["--quiet"]].concat()).error();
    rows[4]["claims"] = json!(["The cat was late."]);
    place.write("rows.jsonl", json_lines(&rows));
    let output = resume(&place, &given);
    assert_eq!((output.code, &closing(&output)["known"]), (0, &json!(9)), "{}", output.stderr);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &given));
}

#[test]
fn other_settings_judge_all_rows_again_as_a_new_run() {
    let place = judged(&corpus(17, 20, 3));
    let settings: [&[&str]; 12] = [
        &["--set", "window=2"],
        &["--set", "window=2", "--set", "stride=2"],
        &["--profile", "paper"],
        &["--profile", "released"],
        &["--set", "levels=sentence"],
        &["--set", "threshold=0.9"],
        &["--set", "epsilon=0"],
        &["--claims", "sentence"],
        &["--coref", "rules", "--set", "levels=sentence,coref"],
        &["--set", "max_tokens=40"],
        &["--dtype", "int8"],
        &["--set", "labels=contradiction,neutral,entailment"],
    ];
    let first = place.bytes("out.jsonl");
    test_each(settings, |more| {
        let output = resume(&place, more);
        let fresh = place.fresh("rows.jsonl", "out.jsonl", more);
        assert!(place.bytes("out.jsonl") == fresh, "it ends as something else: {}", output.stderr);
        // Some settings may equal the defaults.
        assert!(closing(&output)["known"] == 0 || first == fresh, "{}", output.stderr);
    });
    resume(&place, &[]);
    assert!(place.bytes("out.jsonl") == first, "back to the first settings");
}

/// A copy of the tiny model inside the place.
fn copy_of_the_model(place: &Place) {
    fs::create_dir(place.path("model")).unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer.json"] {
        let from = repository("models/tests/fixtures/deberta/tiny_with_tokenizer").join(file);
        fs::copy(from, place.path("model").join(file)).unwrap();
    }
}

/// Resumes with the model in the place: `known` rows must be known, and the bytes must be those of a new run.
#[track_caller]
fn assert_resumes_with_the_copy(place: &Place, known: usize) {
    let model = ["--set", "screen=words:8", "--model", "model"];
    let arguments = ["run", "rows.jsonl", "-o", "out.jsonl", "--resume", "--progress", "json"];
    let output = place.run(arguments.iter().chain(&model));
    place.run(["run", "rows.jsonl", "-o", "fresh.jsonl", "--quiet"].iter().chain(&model)).error();
    assert!(
        place.bytes("fresh.jsonl") == place.bytes("out.jsonl"),
        "not what a new run writes: {}",
        output.stderr
    );
    assert_eq!((output.code, &closing(&output)["known"]), (2, &json!(known)), "{}", output.stderr);
    place.remove("fresh.jsonl");
    place.remove("fresh.jsonl.journal");
}

/// A change of the model's folder.
type Change = fn(&Place);

/// Another model, and then other weights, another configuration or another tokenizer in the same folder.
#[test]
fn a_changed_model_judges_all_rows_again() {
    let changes: [(&str, Change); 3] = [
        ("model/model.safetensors", |place| {
            let mut weights = place.bytes("model/model.safetensors");
            let end = weights.len();
            weights[end - 64..].iter_mut().for_each(|byte| *byte ^= 0x04);
            place.write("model/model.safetensors", weights);
        }),
        ("model/config.json", |place| {
            let mut config: Value = serde_json::from_str(&place.read("model/config.json")).unwrap();
            config["id2label"] = json!({"0": "contradiction", "1": "neutral", "2": "entailment"});
            config["label2id"] = json!({"contradiction": 0, "neutral": 1, "entailment": 2});
            place.write("model/config.json", config.to_string());
        }),
        ("model/tokenizer.json", |place| {
            let mut tokenizer: Value = serde_json::from_str(&place.read("model/tokenizer.json")).unwrap();
            let words = &mut tokenizer["model"]["vocab"];
            let (cat, dog) = (words["cat"].take(), words["dog"].take());
            (words["cat"], words["dog"]) = (dog, cat);
            place.write("model/tokenizer.json", tokenizer.to_string());
        }),
    ];
    for (file, change) in changes {
        let place = judged(&corpus(18, 20, 1));
        copy_of_the_model(&place);
        assert_resumes_with_the_copy(&place, 0);
        assert_resumes_with_the_copy(&place, 20);
        let before = place.bytes(file);
        change(&place);
        assert!(place.bytes(file) != before, "{file}");
        assert_resumes_with_the_copy(&place, 0);
    }
}

#[test]
fn output_settings_may_change_and_give_the_bytes_of_a_new_run() {
    let mut rows = corpus(19, 20, 1);
    rows[3]["summary"] = json!("");
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&rows));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
    let changes: [&[&str]; 9] = [
        &["--keep", "label"],
        &["--explode", "claims"],
        &["--output-format", "csv"],
        &["--output-format", "csv", "--columns", "all"],
        &["--output-format", "parquet", "--explode", "claims"],
        &["--on-error", "skip"],
        &["--keep", "document,summary"],
        &["--document-field", "document"],
        &[],
    ];
    test_each(changes, |more| {
        let output = resume(&place, more);
        assert!(
            place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", more),
            "{}",
            output.stderr
        );
        assert_eq!(output.code, if more.contains(&"skip") { 0 } else { 2 });
    });
}

#[test]
fn the_second_of_two_runs_on_one_output_is_refused() {
    let rows = json_lines(&corpus(20, 50, 1));
    let place = Place::new();
    place.write("rows.jsonl", &rows);
    fs::create_dir(place.path("folder")).unwrap();
    let mut first = place.start(&judging("-", "out.jsonl", &[]));
    assert!(is_judging(&place, &mut first, "out.jsonl", 1));
    let absolute = place.path("out.jsonl");
    for name in ["out.jsonl", "./out.jsonl", "folder/../out.jsonl", absolute.to_str().unwrap()] {
        for more in [&[][..], &["--resume"], &["--resume", "--set", "window=2"]] {
            let error = place.judge("rows.jsonl", name, more).error();
            assert!(error.contains("out.jsonl"), "{error}");
        }
    }
    assert!(!place.has("out.jsonl"));
    std::io::Write::write_all(first.stdin.as_mut().unwrap(), rows.as_bytes()).unwrap();
    assert_eq!(ended(first).code, 0);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]));
}

#[test]
fn a_run_ended_by_a_broken_row_resumes_once_the_row_is_corrected() {
    let rows = corpus(21, 60, 1);
    let mut broken = rows.clone();
    broken[45].as_object_mut().unwrap().remove("summary");
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&broken));
    let error = place.judge("rows.jsonl", "out.jsonl", &["--on-error", "fail"]).error();
    assert!(error.contains("rows.jsonl") && error.contains("line 46"), "{error}");
    assert!(!place.has("out.jsonl"));
    place.write("rows.jsonl", json_lines(&rows));
    let output = resume(&place, &["--on-error", "fail"]);
    let known = closing(&output)["known"].as_u64().unwrap();
    assert!(output.code == 0 && known <= 45, "{}", output.stderr);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]));
}

#[test]
fn failed_rows_that_moved_have_their_new_line() {
    let mut rows = corpus(22, 10, 1);
    rows[6]["document"] = json!(7);
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&rows));
    place.judge("rows.jsonl", "out.jsonl", &["--quiet"]).error();
    place.write("rows.jsonl", format!("\n\n{}", json_lines(&rows[2..])));
    let output = resume(&place, &[]);
    assert_eq!((output.code, &closing(&output)["known"]), (2, &json!(7)), "{}", output.stderr);
    assert_eq!(place.json_rows("out.jsonl")[4]["error"]["line"], 7);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]));
}

#[test]
fn a_run_from_interrupted_standard_input_resumes_with_the_full_input() {
    let rows = json_lines(&corpus(23, 40, 1));
    let place = Place::new();
    place.write("rows.jsonl", &rows);
    let half = &rows.as_bytes()[..rows.len() / 2 + 9];
    let fail = ["--on-error", "fail"];
    place.run_with_stdin(&judging("-", "out.jsonl", &[&["--quiet"], &fail[..]].concat()), half).error();
    assert!(!place.has("out.jsonl"));
    let again = judging("-", "out.jsonl", &[&RESUME, &fail[..]].concat());
    let output = place.run_with_stdin(&again, rows.as_bytes());
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(closing(&output)["known"].as_u64().is_some_and(|known| known > 0 && known < 40));
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl", "out.jsonl", &[]));
}
