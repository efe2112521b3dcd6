//! `veridic report` and `score --format html`: the files that they write. The page in a browser is tested in tests/browser/.
use crate::common::Place;
use insta::assert_snapshot;
use serde_json::json;

const ROWS: &str = concat!(
    r#"{"id":1,"document":"The cat sat. The dog <b>barked</b>.","summary":"The cat sat.","label":1}"#,
    "\n",
    r#"{"id":2,"document":"It rained.","summary":"A bird sang.","label":0}"#,
    "\n",
);

fn scored(more: &[&str]) -> Place {
    let place = Place::new();
    place.write("rows.jsonl", ROWS);
    place.run_tiny(&[&["run", "rows.jsonl", "-o", "scores.jsonl", "-q"], more].concat()).ok();
    place
}

/// The page refers to no other file and has no text of a row as markup.
fn assert_self_contained(page: &str) {
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{}", &page[..80]);
    assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
    assert!(!page.contains("<b>barked</b>"), "texts of rows are not markup");
    for part in ["src=\"http", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn report_is_one_file() {
    let place = scored(&[]);
    let made = place.run([
        "report",
        "scores.jsonl",
        "-o",
        "report.html",
        "--source",
        "rows.jsonl",
        "--label",
        "label",
    ]);
    assert!(made.stderr.contains("2 judged rows"), "{}", made.stderr);
    let told = "2 rows compared: accuracy ";
    let counts = "labelled consistent: ";
    assert!(made.stderr.contains(told) && made.stderr.contains(counts), "{}", made.stderr);
    made.ok();
    assert_self_contained(&place.read("report.html"));
    let again = place.run(["report", "scores.jsonl", "-o", "report.html", "--source", "rows.jsonl"]).error();
    assert!(again.contains("report.html exists"), "{again}");
    let kept = scored(&["--keep", "document,summary"]);
    kept.run(["report", "scores.jsonl", "-o", "report.html", "-q"]).ok();
}

/// The report refused the evidence of a transcript, whose words are not the document's own slice.
#[test]
fn report_of_a_transcript_is_written() {
    let talk = "WEBVTT\n\n1\n00:12:20.000 --> 00:12:25.000\n<v Ben>The cat sat</v>\n\n2\n00:12:25.000 --> 00:12:31.000\n\
                <v Ben>on the mat.</v>\n\n3\n00:12:31.000 --> 00:12:40.000\n<v Amira>It left.</v>\n";
    let row = json!({"id": 1, "document": talk, "summary": "# Notes\n\nThe cat sat on the mat."});
    let place = Place::new();
    place.write("rows.jsonl", row.to_string());
    place.write("others.jsonl", row.to_string().replace("sat", "lay"));
    for scores in ["scores.jsonl", "scores.csv"] {
        place.run_tiny(&["run", "rows.jsonl", "-o", scores, "-q", "--columns", "all"]).ok();
        let page = format!("{scores}.html");
        place.run(["report", scores, "-o", &page, "-q", "--source", "rows.jsonl"]).ok();
        assert_self_contained(&place.read(&page));
        let other = place.run(["report", scores, "-o", "no.html", "--source", "others.jsonl"]).error();
        assert!(other.contains("has the digest of another document"), "{other}");
    }
}

/// `report scores.csv` failed because the first row "has no field `schema`".
#[test]
fn report_of_a_table_equals_that_of_json_lines() {
    let place = scored(&[]);
    let report = |scores: &str, page: &str| {
        let fixed = ["report", scores, "-o", page, "--source", "rows.jsonl", "--label", "label"];
        place.run(fixed)
    };
    let expected = report("scores.jsonl", "lines.html").stderr;
    let mut tables = vec!["scores.csv", "scores.tsv"];
    if cfg!(feature = "parquet") {
        tables.push("scores.parquet");
    }
    for table in tables {
        place.run_tiny(&["run", "rows.jsonl", "-o", table, "-q", "--columns", "all"]).ok();
        let page = format!("{table}.html");
        let made = report(table, &page);
        assert_eq!(made.stderr, expected.replace("lines.html", &page), "{table}");
        assert_self_contained(&place.read(&page));
        let kept = format!("kept-{table}");
        let keep = ["--keep", "document,summary,label", "--columns", "all"];
        place.run_tiny(&[&["run", "rows.jsonl", "-o", &kept, "-q"], &keep[..]].concat()).ok();
        place.run(["report", &kept, "-o", &format!("{kept}.html"), "--label", "label"]).ok();
    }
}

#[test]
fn unfit_inputs_are_errors_and_leave_no_file() {
    let place = scored(&[]);
    place.run_tiny(&["run", "rows.jsonl", "-o", "claims.csv", "-q", "--explode", "claims"]).ok();
    place.run_tiny(&["run", "rows.jsonl", "-o", "few.csv", "-q"]).ok();
    place.write("any.csv", "id,score\n1,0.5\n");
    place.write("other.jsonl", ROWS.replace("The cat sat. ", "It rained. "));
    let before = place.names();
    let arguments = [
        "scores.jsonl",
        "scores.jsonl --source rows.jsonl --label nothing",
        "scores.jsonl --source other.jsonl --label label",
        "rows.jsonl --source rows.jsonl",
        "claims.csv --source rows.jsonl",
        "few.csv --source rows.jsonl",
        "any.csv --source rows.jsonl",
        "missing.jsonl",
    ];
    let commands = arguments.map(|arguments| format!("report -o report.html {arguments}"));
    assert_snapshot!("unfit_inputs", place.refusals(&commands));
    assert_eq!(place.names(), before);
}

#[test]
fn single_pair_is_a_page() {
    let place = Place::new();
    place.write("document.txt", "The cat sat. The dog <b>barked</b>.");
    place.write("summary.txt", "The cat sat.");
    let fixed = ["score", "document.txt", "summary.txt", "--format", "html", "-q"];
    assert_self_contained(&place.run_tiny(&fixed).ok());
}
