//! Errors of benchmarks: one line with place and reason, before anything is scored.
use crate::common::runs::json_lines;
use crate::common::{Place, assert_no_faults, tiny};
use crate::files::{self, Named, aggrefact_csv, aggrefact_rows, scores, write_scores};
use serde_json::{Value, json};

/// Description, benchmark, further arguments, and parts of the error.
type Case = (&'static str, Named, &'static [&'static str], &'static [&'static str]);

fn assert_refused(cases: Vec<Case>) {
    let refuse = |(what, named, more, parts): Case| {
        let output = named.bench_tiny(&Place::new(), more);
        output.clear_error(parts).err().map(|fault| (format!("{}, {what}", named.name), fault))
    };
    assert_no_faults(cases.into_iter().filter_map(refuse).collect());
}

fn of(name: &'static str, file: &'static str, content: impl Into<String>) -> Named {
    Named { name, files: vec![(file, content.into())], texts: 0 }
}

fn aggrefact(change: impl Fn(&str) -> String) -> Named {
    let lines = aggrefact_csv(&aggrefact_rows());
    of(
        "aggrefact",
        "data.csv",
        lines.replace(",\nsaid", ", said").lines().map(|line| change(line) + "\n").collect::<String>(),
    )
}

#[test]
fn aggrefact_needs_its_columns_and_values() {
    let renamed = |from: &'static str, to: &'static str| aggrefact(move |line| line.replace(from, to));
    assert_refused(vec![
        ("a missing column", renamed("model_name", "model"), &[], &["data.csv", "`model_name`", "model"]),
        ("two missing columns", renamed("doc,summary", "text,gist"), &[], &["`doc`", "`summary`", "text"]),
        ("label 2", renamed(",1,test", ",2,test"), &[], &["data.csv", "line", "`label`", "1", "0"]),
        (
            "a word as label",
            renamed(",0,val", ",no,val"),
            &[],
            &["data.csv", "line 2", "`label`", "1 (consistent)"],
        ),
        ("no label", renamed(",1,val", ",,val"), &[], &["data.csv", "`label`"]),
        ("another cut", renamed(",val", ",dev"), &[], &["`cut`", "val", "test"]),
        ("another origin", renamed(",xsum,", ",gigaword,"), &[], &["`origin`", "cnndm", "xsum"]),
        ("only val", renamed(",test", ",val"), &[], &["data.csv", "test"]),
        ("only test", renamed(",val", ",test"), &[], &["data.csv", "val"]),
        (
            "a header only",
            of("aggrefact", "data.csv", files::COLUMNS.join(",")),
            &[],
            &["data.csv", "no rows"],
        ),
        ("an empty file", of("aggrefact", "data.csv", ""), &[], &["data.csv", "no rows"]),
    ]);
}

#[test]
fn aggrefact_with_only_unknown_models_lists_them() {
    let mut rows = aggrefact_rows();
    rows.iter_mut().zip(["Sphinx", "Homer"].iter().cycle()).for_each(|(row, model)| row.model = model);
    let named = files::aggrefact(&rows);
    assert_refused(vec![("unknown models", named, &[], &["aggre_fact_final.csv", "`Sphinx`", "`Homer`"])]);
}

fn changed(rows: &[Value], from: &str, to: &str) -> String {
    let text = json_lines(rows);
    assert!(text.contains(from), "{from} is not in {text}");
    text.replace(from, to)
}

#[test]
fn llm_aggrefact_needs_its_fields_and_splits() {
    let rows = files::llm_aggrefact_rows(6);
    let of = |file, content: String| of("llm-aggrefact", file, content);
    let with = |from, to| of("test.jsonl", changed(&rows, from, to));
    let dev = |rows: &[Value]| ("dev.jsonl", json_lines(rows));
    let no_dev_of_one =
        Named { files: vec![dev(&rows[..1]), ("test.jsonl", json_lines(&rows))], ..of("", String::new()) };
    assert_refused(vec![
        (
            "a missing field",
            with("\"claim\"", "\"klaim\""),
            &[],
            &["test.jsonl", "line 1", "`claim`", "klaim"],
        ),
        ("label 3", with("\"label\":1", "\"label\":3"), &[], &["test.jsonl", "`label`", "3"]),
        (
            "label 0.5",
            with("\"label\":0", "\"label\":0.5"),
            &[],
            &["test.jsonl", "line 1", "`label`", "1 (consistent) or 0"],
        ),
        ("no dev rows", with("Wice", "Wice"), &["--tune", "dev"], &["test.jsonl", "dev"]),
        ("a dataset without dev rows", no_dev_of_one, &["--tune", "dev"], &["ExpertQA", "dev"]),
        (
            "no split anywhere",
            of("rows.jsonl", json_lines(&rows)),
            &["--tune", "dev"],
            &["rows.jsonl", "`split`", "dev"],
        ),
        ("split train", with("\"label\"", "\"split\":\"train\",\"label\""), &[], &["`split`", "dev", "test"]),
        ("half a row", with("\"label\":1}", "\"lab"), &[], &["test.jsonl", "line 3", "JSON"]),
        ("no rows", of("test.jsonl", String::new()), &[], &["test.jsonl", "no rows"]),
    ]);
}

#[test]
fn qags_needs_sentences_with_votes() {
    let rows = files::qags_rows(6, 1);
    let with = |from, to| of("qags", "mturk_xsum.jsonl", changed(&rows, from, to));
    let without = |field: &str, value: Value| {
        let mut rows = rows.clone();
        *rows[2].pointer_mut(field).unwrap() = value;
        of("qags", "mturk_xsum.jsonl", json_lines(&rows))
    };
    let no_votes = without("/summary_sentences/0/responses", json!([]));
    assert_refused(vec![
        (
            "no article",
            with("\"article\"", "\"text\""),
            &[],
            &["mturk_xsum.jsonl", "line 1", "`article`", "text"],
        ),
        ("another vote", with("\"no\"", "\"maybe\""), &[], &["mturk_xsum.jsonl", "line", "yes", "no"]),
        ("no votes", no_votes, &[], &["mturk_xsum.jsonl", "line 3", "responses"]),
        ("no sentences", without("/summary_sentences", json!([])), &[], &["line 3", "`summary_sentences`"]),
        ("no list", without("/summary_sentences", json!("a")), &[], &["line 3", "`summary_sentences`"]),
    ]);
}

#[test]
fn summedits_and_labelled_rows_need_their_fields() {
    let rows = Value::from(files::summedits_rows("news", 5));
    let edits =
        |from, to| of("summedits", "summedits_news.json", changed(std::slice::from_ref(&rows), from, to));
    let rows = files::labelled_rows();
    let with = |from, to| of("jsonl", "rows.jsonl", changed(&rows, from, to));
    let plain = || files::labelled();
    assert_refused(vec![
        ("no summary", edits("\"summary\"", "\"edit\""), &[], &["summedits_news.json", "`summary`", "edit"]),
        (
            "label 2",
            edits("\"label\":1", "\"label\":2"),
            &[],
            &["summedits_news.json", "`label`", "1 (consistent) or 0"],
        ),
        ("no rows", of("summedits", "summedits_news.json", "[]"), &[], &["summedits_news.json", "no rows"]),
        ("no list", of("summedits", "summedits_news.json", "3"), &[], &["summedits_news.json"]),
        ("no label", with("\"label\"", "\"mark\""), &[], &["rows.jsonl", "line 1", "`label`", "mark"]),
        ("another label field", plain(), &["--label", "mark"], &["rows.jsonl", "line 1", "`mark`"]),
        ("no such split", plain(), &["--split", "cut"], &["rows.jsonl", "line 1", "`cut`"]),
        ("no such group", plain(), &["--group", "set"], &["rows.jsonl", "line 1", "`set`"]),
        ("no such document", plain(), &["--document-field", "set"], &["rows.jsonl", "line 1", "`set`"]),
        ("splits of other names", plain(), &["--split", "source"], &["`source`", "val", "dev", "test"]),
        ("no dev rows", with("\"dev\"", "\"test\""), &["--split", "part"], &["rows.jsonl", "val"]),
        ("no test rows", with("\"test\"", "\"dev\""), &["--split", "part"], &["rows.jsonl", "test"]),
    ]);
}

#[test]
fn file_of_unknown_format_is_an_error() {
    let content = json_lines(&files::labelled_rows());
    let named = || of("jsonl", "data.dat", content.clone());
    assert_refused(vec![(
        "an unknown name",
        named(),
        &[],
        &["data.dat", "set --input-format", "jsonl", "csv", "parquet"],
    )]);
    named().bench_tiny(&Place::new(), &["--input-format", "jsonl"]).ok();
    let output = named().bench_tiny(&Place::new(), &["--input-format", "xml"]);
    assert!(
        output.code == 2 && output.stderr.contains("'xml'") && output.stderr.contains("jsonl"),
        "{}",
        output.stderr
    );
}

/// The fault of a score file for forty texts, unless its error names `parts`.
fn fault(name: &str, content: &str, parts: &[&str]) -> Option<(String, String)> {
    let place = Place::new();
    place.write(name, content);
    let output = files::labelled().bench(&place, &["--scores", name]);
    output.clear_error(&[&[name], parts].concat()).err().map(|fault| (format!("{name} {parts:?}"), fault))
}

#[test]
fn scores_must_be_one_finite_number_per_text() {
    let lines = |third: &str| {
        let mut lines: Vec<String> = scores(40).iter().map(f64::to_string).collect();
        lines[2] = third.to_owned();
        lines.join("\n")
    };
    let rows = |third: &str| {
        let mut lines: Vec<String> =
            scores(40).iter().map(|score| json!({"score": score}).to_string()).collect();
        lines[2] = third.to_owned();
        lines.join("\n")
    };
    let (short, long) = (lines("0\n").lines().take(39).collect::<Vec<_>>().join("\n"), lines("0\n0"));
    let csv = |third: &str| format!("score\n{}", lines(third));
    let faults = [
        fault("s.txt", &short, &["38 scores", "40 texts"]),
        fault("s.txt", &long, &["41 scores", "40 texts"]),
        fault("s.txt", "", &["score"]),
        fault("s.txt", &lines("NaN"), &["line 3", "finite number"]),
        fault("s.txt", &lines("-inf"), &["line 3", "finite number"]),
        fault("s.txt", &lines("high"), &["line 3", "finite number"]),
        fault("s.jsonl", &rows(r#"{"score": null}"#), &["line 3", "finite number"]),
        fault("s.jsonl", &rows(r#"{"score": "NaN"}"#), &["line 3", "finite number"]),
        fault("s.jsonl", &rows(r#"{"score": NaN}"#), &["line 3", "JSON"]),
        fault("s.jsonl", &rows(r#"{"skore": 1}"#), &["line 3", "`score`", "skore"]),
        fault("s.csv", &csv("nan"), &["line 4", "finite number"]),
        fault("s.csv", &csv("1e999"), &["line 4", "finite number"]),
    ];
    assert_no_faults(faults.into_iter().flatten().collect());
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
