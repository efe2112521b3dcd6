use super::*;
use crate::benchmarks::story_summeval::{RequiredStories, Stories, StorySummEval};

/// In the format of `val.jsonl` and `test.jsonl`.
const VAL: &str = r#"{"summary": "Ann wins.", "label": 1, "text_id": "11", "source": "gutenberg"}
{"summary": "Ann loses.", "label": 0, "text_id": "11", "source": "gutenberg"}
"#;
const TEST: &str = r#"{"summary": "Ben wins.", "label": 1, "text_id": "The Race", "source": "wikisource"}
{"summary": "Ben loses.", "label": 0, "text_id": "The Race", "source": "wikisource"}
{"summary": "Cat wins.", "label": 0, "text_id": "12", "source": "gutenberg"}
{"summary": "Cat loses.", "label": 0, "text_id": "12", "source": "gutenberg"}
"#;

/// In the formats of both libraries, with a suffix after a number, and a book that no row needs.
const STORIES: &str = r#"{"id": "11", "text": "Licence.\n*** START OF THE BOOK ***\nAnn ran.\n*** END OF THE BOOK ***\nMore."}
{"id": "12-0", "text": "Cat ran."}
{"id": "13", "text": "Nobody ran."}
{"id": "99", "url": "x", "title": "The Race", "text": "Ben ran."}
"#;

fn required(files: &Files) -> Result<RequiredStories, BenchError> {
    RequiredStories::read(files.rows())
}

fn stories(files: &Files, content: &str) -> Result<Stories, BenchError> {
    Stories::read(files.rows_beside("stories.jsonl", content), &required(files)?)
}

fn both() -> (StorySummEval, Reading<Option<Split>>) {
    let files = Files::new(&[("val.jsonl", VAL), ("test.jsonl", TEST)]);
    let benchmark = StorySummEval { stories: stories(&files, STORIES).unwrap(), threshold: None };
    let reading = read(&benchmark, files.rows()).unwrap();
    (benchmark, reading)
}

#[test]
fn stories_are_found_by_number_or_title() {
    let (_, reading) = both();
    let documents: Vec<&str> = reading.cases.iter().map(|case| &*case.document).collect();
    assert_eq!(documents, ["Ann ran.", "Ann ran.", "Ben ran.", "Ben ran.", "Cat ran.", "Cat ran."]);
    assert!(reading.cases[0].is_consistent && !reading.cases[1].is_consistent);
}

#[test]
fn figures_match_hand_counts() {
    let (benchmark, reading) = both();
    // The threshold is between 0.3 and 0.8: of 0.9 (factual), 0.85, 0.1, 0.2 one call is wrong.
    let figures = benchmark.figures(&reading.cases, &[0.8, 0.3, 0.9, 0.85, 0.1, 0.2]).unwrap();
    assert!((0.3..0.8).contains(&value(&figures["threshold"])), "{figures:?}");
    let counts = ["summaries", "factual", "stories", "val"].map(|name| value(&figures[name]));
    assert_eq!(counts, [4.0, 1.0, 2.0, 2.0]);
    assert_near(&figures["balanced_accuracy"], (1.0 + 2.0 / 3.0) / 2.0);
    assert_eq!((value(&figures["roc_auc"]), figures.warnings().count()), (1.0, 0), "{figures:?}");
    let lines = benchmark.show("this run", &figures).lines;
    assert_line(&lines, "AlignScore 61.3 published");
    assert_line(&lines, "FENICE, claims by T5 65.7 published");
    let given = StorySummEval { threshold: Some(0.05), ..benchmark };
    let figures = given.figures(&reading.cases, &[0.8, 0.3, 0.9, 0.85, 0.1, 0.2]).unwrap();
    let of = ["balanced_accuracy", "val", "summaries"].map(|name| value(&figures[name]));
    assert_eq!(of, [0.5, 0.0, 4.0]);
}

#[test]
fn a_fifth_of_the_stories_tunes_without_parts() {
    let rows: String = (0..20)
        .map(|n| {
            format!("{{\"summary\": \"S {n}.\", \"label\": {}, \"document\": \"Story {}.\"}}\n", n % 2, n / 2)
        })
        .collect();
    let files = Files::new(&[("rows.jsonl", &rows)]);
    assert_eq!(required(&files).unwrap(), RequiredStories::default());
    let benchmark = StorySummEval::default();
    let reading = read(&benchmark, files.rows()).unwrap();
    let scores: Vec<f64> = (0..20).map(|n| f64::from(n % 2)).collect();
    let figures = benchmark.figures(&reading.cases, &scores).unwrap();
    let of = ["val", "summaries", "stories", "balanced_accuracy"].map(|name| value(&figures[name]));
    assert_eq!(of, [4.0, 16.0, 8.0, 1.0], "whole stories");
    assert!(figures["warnings"][0].text().contains("a fifth of the stories"), "{figures:?}");
}

#[test]
fn one_part_alone_is_an_error() {
    for (name, content, words) in [("val.jsonl", VAL, "no test rows"), ("test.jsonl", TEST, "no val rows")] {
        let files = Files::new(&[(name, content)]);
        let benchmark = StorySummEval { stories: stories(&files, STORIES).unwrap(), threshold: None };
        assert_says(benchmark.check(&read(&benchmark, files.rows()).unwrap().cases).unwrap_err(), words);
    }
}

#[test]
fn missing_stories_and_bad_rows_are_errors() {
    let files = Files::new(&[("val.jsonl", VAL), ("test.jsonl", TEST)]);
    assert_says(
        stories(&files, "{\"id\": \"11\", \"text\": \"Ann ran.\"}\n").unwrap_err(),
        "1 stories of gutenberg|(12)|manu/project_gutenberg|(The Race)|wikimedia/wikisource",
    );
    assert_says(stories(&files, "{\"text\": \"Ann ran.\"}\n").unwrap_err(), "line 1|`text_id`, `id`");
    assert_says(stories(&files, "{\"id\": \"11\", \"body\": \"Ann ran.\"}\n").unwrap_err(), "`text`");
    for (from, to, words) in
        [("gutenberg", "amazon", "`source`|wikisource"), ("text_id", "book", "`text_id`|book")]
    {
        let files = Files::new(&[("val.jsonl", &VAL.replacen(from, to, 1))]);
        assert_says(required(&files).unwrap_err(), &format!("line 1|{words}"));
    }
    let bad = VAL.replace("\"label\": 1", "\"label\": 2");
    let bad = bad.replace("\"text_id\": \"11\", \"source\": \"gutenberg\"", "\"document\": \"x\"");
    assert_refused(&StorySummEval::default(), "val.jsonl", &bad, 1, "`label`");
}
