//! Errors of benchmarks: one line with place and reason, before anything is scored. Which rows each benchmark refuses is
//! tested with its reader; here are files, flags and score files.
use crate::common::runs::json_lines;
use crate::common::{Place, assert_no_faults, tiny};
use crate::files::{self, Named, aggrefact_csv, aggrefact_rows, scores, write_scores};
use serde_json::json;

/// Description, benchmark, further arguments, and parts of the error, separated by bars.
type Case = (&'static str, Named, &'static [&'static str], &'static str);

fn assert_refused(cases: Vec<Case>) {
    let mut faults = Vec::new();
    for (what, named, more, parts) in cases {
        let refused =
            named.bench_tiny(&Place::new(), more).clear_error(&parts.split('|').collect::<Vec<_>>());
        faults.extend(refused.err().map(|fault| (format!("{}, {what}", named.name), fault)));
    }
    assert_no_faults(faults);
}

fn of(name: &'static str, file: &'static str, content: impl Into<String>) -> Named {
    Named { name, files: vec![(file, content.into())], texts: 0 }
}

#[test]
fn files_without_the_rows_of_the_protocol_are_errors() {
    let (csv, header) = (aggrefact_csv(&aggrefact_rows()), files::COLUMNS.join(","));
    let aggrefact = |content: String| of("aggrefact", "data.csv", content);
    let mut unknown = aggrefact_rows();
    unknown.iter_mut().zip(["Sphinx", "Homer"].iter().cycle()).for_each(|(row, model)| row.model = model);
    let claims = json_lines(&files::llm_aggrefact_rows(6));
    let llm = |name, content: String| of("llm-aggrefact", name, content);
    assert_refused(vec![
        ("columns", aggrefact(csv.replace("doc,summary", "text,gist")), &[], "data.csv|`doc`|`summary`|text"),
        ("label", aggrefact(csv.replace(",0,val", ",no,val")), &[], "data.csv|line 2|`label`|1 (consistent)"),
        ("only val", aggrefact(csv.replace(",test", ",val")), &[], "data.csv|test"),
        ("only test", aggrefact(csv.replace(",val", ",test")), &[], "data.csv|val"),
        ("a header only", aggrefact(header), &[], "data.csv|no rows"),
        ("an empty file", aggrefact(String::new()), &[], "data.csv|no rows"),
        ("unknown models", files::aggrefact(&unknown), &[], "aggre_fact_final.csv|`Sphinx`|`Homer`"),
        ("no dev rows", llm("test.jsonl", claims.clone()), &["--tune", "dev"], "test.jsonl|dev"),
        ("no split", llm("rows.jsonl", claims.clone()), &["--tune", "dev"], "rows.jsonl|`split`|dev"),
        (
            "half a row",
            llm("test.jsonl", claims.replace("\"label\":1}", "\"lab")),
            &[],
            "test.jsonl|line 3|JSON",
        ),
        ("no list", of("summedits", "summedits_news.json", "3"), &[], "summedits_news.json"),
    ]);
}

#[test]
fn fields_that_flags_name_must_be_there() {
    let with = |from, to| of("jsonl", "rows.jsonl", json_lines(&files::labelled_rows()).replace(from, to));
    let plain = files::labelled;
    assert_refused(vec![
        ("no label", with("\"label\"", "\"mark\""), &[], "rows.jsonl|line 1|`label`|mark"),
        ("another label field", plain(), &["--label", "mark"], "rows.jsonl|line 1|`mark`"),
        ("no such split", plain(), &["--split", "cut"], "rows.jsonl|line 1|`cut`"),
        ("no such group", plain(), &["--group", "set"], "rows.jsonl|line 1|`set`"),
        ("no such document", plain(), &["--document-field", "set"], "rows.jsonl|line 1|`set`"),
        ("splits of other names", plain(), &["--split", "source"], "`source`|val|dev|test"),
        ("no dev rows", with("\"dev\"", "\"test\""), &["--split", "part"], "rows.jsonl|val"),
        ("no test rows", with("\"test\"", "\"dev\""), &["--split", "part"], "rows.jsonl|test"),
    ]);
}

#[test]
fn file_of_unknown_format_is_an_error() {
    let content = json_lines(&files::labelled_rows());
    let named = || of("jsonl", "data.dat", content.clone());
    assert_refused(vec![("a name", named(), &[], "data.dat|set --input-format|jsonl|csv|parquet")]);
    named().bench_tiny(&Place::new(), &["--input-format", "jsonl"]).ok();
    let output = named().bench_tiny(&Place::new(), &["--input-format", "xml"]);
    assert!(
        output.code == 2 && output.stderr.contains("'xml'") && output.stderr.contains("jsonl"),
        "{}",
        output.stderr
    );
}

#[test]
fn scores_must_be_one_finite_number_per_text() {
    let numbers: Vec<String> = scores(40).iter().map(f64::to_string).collect();
    let with = |line: &str| [&numbers[..2], &[line.to_owned()], &numbers[3..]].concat().join("\n");
    let mut faults = Vec::new();
    for (name, content, parts) in [
        ("s.txt", numbers[2..].join("\n"), "38 scores|40 texts"),
        ("s.txt", with("0\n0"), "41 scores|40 texts"),
        ("s.txt", String::new(), "score"),
        ("s.txt", with("NaN"), "line 3|finite number"),
        ("s.jsonl", "{\"score\":1}\n{\"score\":NaN}".to_owned(), "line 2|JSON"),
        ("s.jsonl", "{\"score\":1}\n{\"skore\":1}".to_owned(), "line 2|`score`|skore"),
        ("s.csv", format!("score\n{}", with("1e999")), "line 4|finite number"),
    ] {
        let place = Place::new();
        place.write(name, content);
        let output = files::labelled().bench(&place, &["--scores", name]);
        let parts: Vec<&str> = std::iter::once(name).chain(parts.split('|')).collect();
        faults.extend(output.clear_error(&parts).err().map(|fault| (format!("{parts:?}"), fault)));
    }
    assert_no_faults(faults);
}

#[test]
fn score_file_of_unknown_format_does_not_mention_the_format_of_data() {
    let place = Place::new();
    place.write("scores.dat", "1\n");
    let error = files::labelled().bench(&place, &["--scores", "scores.dat"]).error();
    assert!(!error.contains("input_format"), "that is the format of the data: {error}");
}

#[test]
fn runs_with_unjudged_rows_and_shards_are_errors() {
    let place = Place::new();
    let mut rows = files::labelled_rows();
    rows[3]["summary"] = json!("");
    place.write("holed.jsonl", json_lines(&rows));
    place.run(["run", "holed.jsonl", "-o", "hole.jsonl", "--model", &tiny()]);
    place.write("whole.jsonl", json_lines(&files::labelled_rows()));
    place.run(["run", "whole.jsonl", "-o", "shard.jsonl", "--shard", "1/2", "--model", &tiny()]).ok();
    let scored = |name: &str| files::labelled().bench(&place, &["--scores", name]);
    let hole = scored("hole.jsonl").clear_error(&["hole.jsonl", "line 4", "as its `error` says"]);
    let shard = scored("shard.jsonl").clear_error(&["shard.jsonl", "shard", "veridic merge"]);
    assert_eq!((hole.err(), shard.err()), (None, None));
}

#[test]
fn threshold_must_be_finite() {
    let mut accepted = Vec::new();
    for named in [files::llm_aggrefact(), files::summedits()] {
        for at in ["nan", "inf", "-inf"] {
            let place = Place::new();
            write_scores(&place, &scores(named.texts));
            let output = named.bench(&place, &["--scores", "scores.txt", &format!("--decide-at={at}")]);
            accepted.extend((output.code != 2).then(|| (format!("{} at {at}", named.name), output.stdout)));
        }
    }
    assert_no_faults(accepted);
}

#[test]
fn error_names_its_file_once() {
    let error = of("jsonl", "rows.jsonl", "{}").bench_tiny(&Place::new(), &[]).error();
    assert_eq!(error.matches("rows.jsonl").count(), 1, "{error}");
}
