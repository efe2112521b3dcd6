//! `nli`: one pair as text, JSON Lines, pairs over the token limit, and broken rows.
use crate::common;
use crate::common::{Output, Place, number, test_each, tiny};
use insta::assert_snapshot;
use serde_json::Value;

const PAIRS: &str = concat!(
    r#"{"premise":"The cat sat on the mat.","hypothesis":"The cat sat.","label":"x"}"#,
    "\n",
    r#"{"hypothesis":"No boat left early.","premise":"The river was closed."}"#,
    "\n",
    r#"{"premise":"Rain.","hypothesis":"Late."}"#,
    "\n"
);

fn nli(place: &Place, pairs: impl AsRef<[u8]>, more: &[&str]) -> Output {
    place.write("pairs.jsonl", pairs);
    let tiny = tiny();
    place.run(["nli", "--input", "pairs.jsonl", "--model", &tiny].iter().chain(more))
}

fn probabilities(row: &Value) -> [f64; 3] {
    ["entailment", "neutral", "contradiction"].map(|name| number(&row[name]))
}

/// A pair whose premise is far over 64 tokens.
fn long_pair() -> String {
    format!(r#"{{"premise":"{}late.","hypothesis":"The cat sat."}}"#, "The old dog and ".repeat(40))
}

#[test]
fn one_pair_is_printed_as_text() {
    let place = Place::new();
    let tiny = tiny();
    let pair = ["--premise", "The cat sat on the mat.", "--hypothesis", "The cat sat."];
    let text = place.run(["nli", "--model", &tiny].iter().chain(&pair)).ok();
    let row = &nli(&place, PAIRS, &[]).json_lines()[0];
    for name in ["entailment", "neutral", "contradiction"] {
        let line =
            text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name} in {text}"));
        let shown: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
        assert!((shown - number(&row[name])).abs() < 0.01, "{line}");
    }
}

#[test]
fn one_pair_is_printed_as_json() {
    let place = Place::new();
    let tiny = tiny();
    let pair = ["--premise", "The cat sat on the mat.", "--hypothesis", "The cat sat.", "--format", "json"];
    let printed = place.run(["nli", "--model", &tiny].iter().chain(&pair)).json();
    assert_eq!(printed, nli(&place, PAIRS, &[]).json_lines()[0]);
    let both = nli(&place, PAIRS, &["--format", "json"]);
    assert!(both.code == 2 && both.stderr.contains("--input"), "{}", both.stderr);
}

#[test]
fn file_gives_one_object_a_line_in_order_with_full_precision() {
    let rows = nli(&Place::new(), PAIRS, &[]).json_lines();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let mut names: Vec<&String> = row.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(names, ["contradiction", "entailment", "neutral"]);
        assert!((probabilities(row).iter().sum::<f64>() - 1.0).abs() < 1e-6, "{row}");
        assert!(row["entailment"].to_string().len() >= 8, "full precision: {row}");
    }
}

#[test]
fn tiny_model_agrees_with_transformers() {
    let path = "models/tests/fixtures/deberta/tiny_with_tokenizer/expected.json";
    let expected: Value = serde_json::from_slice(&std::fs::read(common::repository(path)).unwrap()).unwrap();
    let expected = common::list(&expected["rows"]);
    // `nli` refuses an empty premise or hypothesis.
    let with_text =
        |row: &&Value| ["premise", "hypothesis"].iter().all(|f| row[f].as_str().unwrap().len() > 1);
    let rows: Vec<&Value> = expected.iter().filter(with_text).collect();
    let pairs: Vec<String> = rows
        .iter()
        .map(|row| {
            serde_json::json!({"premise": row["premise"], "hypothesis": row["hypothesis"]}).to_string()
        })
        .collect();
    let computed = nli(&Place::new(), pairs.join("\n"), &["--dtype", "f32"]).json_lines();
    assert_eq!(computed.len(), rows.len());
    for (computed, row) in computed.iter().zip(rows) {
        let logits: Vec<f64> = common::list(&row["logits"]).iter().map(number).collect();
        let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
        for (probability, logit) in probabilities(computed).iter().zip(&logits) {
            assert!((probability - logit.exp() / total).abs() < 1e-5, "{row}: {computed}");
        }
    }
}

#[test]
fn result_of_a_pair_does_not_depend_on_other_pairs() {
    let place = Place::new();
    for model in common::models() {
        let run = |pairs: &str, more: &[&str]| {
            place.write("pairs.jsonl", pairs);
            place.run(["nli", "--input", "pairs.jsonl", "--model", &model].iter().chain(more)).ok()
        };
        let together = run(PAIRS, &[]);
        let alone: String = PAIRS.lines().map(|pair| run(pair, &[])).collect();
        assert_eq!(together, alone, "{model}");
        for more in [
            ["--set", "batch_tokens=1"],
            ["--set", "batch_tokens=9999"],
            ["--threads", "1"],
            ["--threads", "2"],
        ] {
            assert_eq!(together, run(PAIRS, &more), "{model} {more:?}");
        }
    }
}

#[test]
fn pair_over_the_limit_is_an_error_row_and_the_others_are_computed() {
    let place = Place::new();
    let pairs = format!("{PAIRS}{}\n{PAIRS}", long_pair());
    let output = nli(&place, pairs, &["--set", "max_tokens=64"]);
    assert_eq!(output.code, 2, "{}", output.stderr);
    assert!(output.stderr.lines().any(|line| line.starts_with("veridic: ")), "{}", output.stderr);
    let rows: Vec<Value> = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 7);
    assert!(rows[3]["error"].as_str().unwrap().contains("64"), "{}", rows[3]);
    assert!(rows[3].get("entailment").is_none());
    let plain = nli(&place, PAIRS, &[]).json_lines();
    assert_eq!((&rows[..3], &rows[4..]), (&plain[..], &plain[..]));
}

#[test]
fn truncation_computes_a_pair_over_the_limit() {
    let place = Place::new();
    let pairs = format!("{PAIRS}{}\n", long_pair());
    let by = |how: &str| nli(&place, &pairs, &["--set", "max_tokens=64", "--truncate", how]).json_lines();
    let (longest, premise) = (by("longest_first"), by("premise"));
    assert_eq!(longest, premise, "the premise is the longer text, so both cut it");
    assert_eq!(longest.len(), 4);
    assert_eq!(longest[..3], nli(&place, PAIRS, &[]).json_lines()[..], "short pairs are unchanged");
}

#[test]
fn truncated_pair_equals_the_shorter_text() {
    // 64 tokens minus three special ones and four of the hypothesis leave 57 for the premise.
    let words: Vec<&str> = ["cat", "dog", "river", "boat", "rain"].into_iter().cycle().take(90).collect();
    let pair = |premise: &[&str]| {
        let premise = premise.join(" ");
        serde_json::json!({"premise": premise, "hypothesis": "The cat sat."}).to_string()
    };
    let place = Place::new();
    let cut = nli(&place, pair(&words), &["--set", "max_tokens=64", "--truncate", "premise"]).ok();
    assert_eq!(cut, nli(&place, pair(&words[..57]), &[]).ok());
}

#[test]
fn truncating_the_premise_leaves_a_hypothesis_over_the_limit() {
    let place = Place::new();
    let pair = format!(r#"{{"premise":"The cat.","hypothesis":"{}late."}}"#, "The old dog and ".repeat(40));
    let output = nli(&place, &pair, &["--set", "max_tokens=64", "--truncate", "premise"]);
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    nli(&place, &pair, &["--set", "max_tokens=64", "--truncate", "longest_first"]).ok();
}

#[test]
fn broken_rows_are_error_rows_in_place() {
    let place = Place::new();
    let rows = [
        "{",
        "[]",
        r#"{"premise":"The cat sat."}"#,
        r#"{"hypothesis":"The cat sat."}"#,
        r#"{"premise":1,"hypothesis":"The cat sat."}"#,
        r#"{"premise":"The cat.","premise":"The cat.","hypothesis":"The cat sat."}"#,
        r#"{"premise":"","hypothesis":"The cat sat."}"#,
        r#"{"premise":"The cat sat.","hypothesis":" "}"#,
        r#"{"premise":"\u0000","hypothesis":"The cat."}"#,
    ];
    let good = nli(&place, PAIRS, &[]).ok();
    let output = nli(&place, format!("{PAIRS}{}\n{PAIRS}", rows.join("\n")), &["-q"]);
    let lines: Vec<&str> = output.stdout.split_inclusive('\n').collect();
    let (errors, last) = lines[3..].split_at(rows.len());
    assert_eq!((output.code, lines[..3].concat(), last.concat()), (2, good.clone(), good));
    assert_snapshot!("broken_rows", errors.concat());
    assert_snapshot!(output.stderr, @"veridic: pairs.jsonl: 9 of 15 rows are error rows in the output");
}

#[test]
fn crlf_blank_lines_byte_order_marks_and_odd_characters_are_read() {
    let place = Place::new();
    let expected = nli(&place, PAIRS, &[]).ok();
    assert_eq!(nli(&place, PAIRS.replace('\n', "\r\n\r\n"), &[]).ok(), expected);
    assert_eq!(nli(&place, format!("\u{feff}{PAIRS}"), &[]).ok(), expected);
    // Characters without a meaning and half a character, as scraped texts have them.
    let odd = r#"{"premise":"The\u0092 c\u0000at \ud83d sat.","hypothesis":"A cat."}"#;
    assert_eq!(nli(&place, odd, &[]).json_lines().len(), 1);
}

#[test]
fn pair_and_file_exclude_each_other_and_half_a_pair_is_an_error() {
    let place = Place::new();
    place.write("pairs.jsonl", PAIRS);
    let wrong: [&[&str]; 5] = [
        &["--premise", "The cat."],
        &["--hypothesis", "The cat."],
        &[],
        &["--input", "pairs.jsonl", "--premise", "The cat.", "--hypothesis", "The cat."],
        &["--premise", "", "--hypothesis", "The cat."],
    ];
    test_each(wrong, |more| {
        let output = place.run([&["nli", "--model", &tiny()], more].concat());
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{}", output.stderr);
        assert!(!output.stderr.is_empty() && !output.stderr.contains("panicked"), "{}", output.stderr);
    });
}

fn with_model(place: &Place, model: &str, more: &[&str]) -> Vec<Value> {
    place.write("pairs.jsonl", PAIRS);
    place.run(["nli", "--input", "pairs.jsonl", "--model", model].iter().chain(more)).json_lines()
}

#[test]
fn labels_define_the_order_of_outputs() {
    let place = Place::new();
    let generic = common::repository("models/tests/fixtures/bad/labels_generic");
    let model = generic.to_str().unwrap();
    let plain = with_model(&place, model, &["--set", "labels=entailment,neutral,contradiction"]);
    let reordered = with_model(&place, model, &["--set", "labels=Contradiction,ENTAILMENT,neutral"]);
    for (plain, reordered) in plain.iter().zip(&reordered) {
        assert_eq!(plain["entailment"], reordered["contradiction"]);
        assert_eq!(plain["neutral"], reordered["entailment"]);
        assert_eq!(plain["contradiction"], reordered["neutral"]);
    }
}
