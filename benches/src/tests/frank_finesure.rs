use super::*;
use crate::benchmarks::frank::Frank;

/// In the format of FineSurE's `frank-data.json`: three annotators, one of whom names two types for a sentence.
const DATA: &str = r#"{"doc_id": "h1", "source": "cnndm", "split": "test", "model": "bart", "transcript": "Report one.", "reference": "Rain fell.", "sentences": ["It rained .", "Ten died .", "."], "raw_annotations": {"annotator_0": {"factuality_labels": [0, 1, 0], "factuality_types": ["NoE", "OutE", "EntE", "NoE"]}, "annotator_1": {"factuality_labels": [0, 1, 0], "factuality_types": ["NoE", "EntE", "NoE"]}, "annotator_2": {"factuality_labels": [1, 0, 0], "factuality_types": ["RelE", "NoE", "NoE"]}}}
{"doc_id": "h1", "source": "cnndm", "split": "test", "model": "pgn", "transcript": "Report one.", "reference": "Rain fell.", "sentences": ["It snowed ."], "raw_annotations": {"annotator_0": {"factuality_labels": [1], "factuality_types": ["RelE"]}, "annotator_1": {"factuality_labels": [1], "factuality_types": ["RelE"]}, "annotator_2": {"factuality_labels": [1], "factuality_types": ["OtherE"]}}}
{"doc_id": "h2", "source": "xsum", "split": "valid", "model": "bart", "transcript": "Report two.", "reference": "He left.", "sentences": ["He left .", "She stayed ."], "raw_annotations": {"annotator_0": {"factuality_labels": [0, 1], "factuality_types": ["NoE", "EntE"]}, "annotator_1": {"factuality_labels": ["0", "None"], "factuality_types": ["NoE", "NoE"]}, "annotator_2": {"factuality_labels": [0, "None"], "factuality_types": ["NoE", "NoE"]}}}
{"doc_id": "h3", "source": "xsum", "split": "valid", "model": "pgn", "transcript": "Report three.", "reference": "They won.", "sentences": ["They lost ."], "raw_annotations": {"annotator_0": {"factuality_labels": [1], "factuality_types": ["GramE"]}, "annotator_1": {"factuality_labels": [1], "factuality_types": ["OutE"]}, "annotator_2": {"factuality_labels": [1], "factuality_types": ["EntE"]}}}
"#;

fn by_summary() -> Frank {
    Frank { by_summary: true, ..Frank::default() }
}

#[test]
fn majorities_are_the_labels_of_sentences_and_summaries() {
    let reading = read_file(&Frank::default(), "frank-data.json", DATA).unwrap();
    let texts: Vec<(&str, TextLevel, f64)> =
        reading.cases.iter().map(|case| (case.text.as_str(), case.level, case.label.rating.value)).collect();
    let third = 2.0 / 3.0;
    assert_eq!(
        texts,
        [
            ("It rained .", TextLevel::Sentence, 1.0),
            ("Ten died .", TextLevel::Sentence, 0.0),
            ("It rained . Ten died . .", TextLevel::Summary, third),
            ("It snowed .", TextLevel::Sentence, 0.0),
            ("It snowed .", TextLevel::Summary, 0.0),
            ("He left .", TextLevel::Sentence, 1.0),
            // One label is none: the sentence is neither judged nor counted.
            ("He left . She stayed .", TextLevel::Summary, 1.0),
            ("They lost .", TextLevel::Sentence, 0.0),
            ("They lost .", TextLevel::Summary, 0.0),
        ]
    );
    let types = [1, 3, 7].map(|case: usize| reading.cases[case].label.error.clone().unwrap_or_default());
    assert_eq!(types, ["EntE", "PredE", ""]);
    let summary = &reading.cases[2];
    let given = summary.given.summary_sentences.as_deref().unwrap();
    assert_eq!(given, ["It rained .", "Ten died .", "."]);
    assert_eq!(reading.cases[0].given.summary_sentences, None);
    assert_eq!((&*summary.document, summary.label.split), ("Report one.", Split::Test));
}

#[test]
fn answers_about_summaries_decide_their_sentences() {
    let frank = by_summary();
    let mut reading = read_file(&frank, "frank-data.json", DATA).unwrap();
    assert_eq!(reading.cases.len(), 4);
    let answer = |faithful: &[Option<bool>], errors: &[Option<&str>]| Answers {
        faithful: Some(faithful.to_vec()),
        errors: Some(errors.iter().map(|error| error.map(str::to_owned)).collect()),
        key_facts: None,
    };
    let answers = [
        answer(&[Some(false), Some(false), Some(true)], &[Some("predicate"), Some("entity"), None]),
        answer(&[Some(false)], &[Some("entity error")]),
        answer(&[Some(true), Some(false)], &[None, Some("entity")]),
        answer(&[None], &[None]),
    ];
    reading.cases.iter_mut().zip(answers).for_each(|(case, answers)| case.answers = answers);
    let figures = frank.figures(&reading.cases, &[0.5, 0.0, 1.0, 0.25]).unwrap();
    assert_eq!((figures["ratings"].text(), value(&figures["threshold"])), ("sentences", 0.5));
    let [test, all] = figures["parts"].list() else { panic!("{figures:?}") };
    // Faithful by human labels: the first and the third of the first summary; by the answers only the third.
    let of = ["sentences", "faithful", "balanced_accuracy"].map(|name| value(&test["sentences"][name]));
    assert_eq!(of, [4.0, 2.0, 0.75]);
    // Without a majority label, or without an answer: not counted.
    assert_eq!(value(&all["sentences"]["sentences"]), 5.0);
    let found = &test["localisation"];
    let recall = |of: &Figures| (value(&of["sentences"]), of["recall"].value());
    let recalls: Vec<(f64, Option<f64>)> = found["types"].list().iter().map(recall).collect();
    assert_eq!(recalls[..3], [(0.0, None), (1.0, Some(1.0)), (1.0, Some(0.0))]);
    assert_eq!((value(&found["mean"]), value(&found["left_out"])), (0.5, 0.0));
    // Systems with fewer than five summaries are not ranked.
    assert_eq!(all["system_spearman"], Figures::None);
    assert!(all["pearson"].value().is_some());
    let lines = frank.show("this run", &figures).lines;
    assert_line(&lines, "this run, test - 100.0 0.0 - - - - 50.0");
    assert_line(&lines, "BART-large, fine-tuned 56.7 36.9 14.8 34.0 21.4 0.0 40.0 29.1 published");
    assert_line(&lines, "BERTScore 0.8 0.0 -13.3 - published");
}

#[test]
fn bad_rows_are_errors() {
    let changes = [
        ("\"transcript\"", "\"text\"", "`transcript`"),
        ("[\"It snowed .\"]", "[\"It snowed .\", \" \"]", "no text in sentence 2"),
        ("[\"It snowed .\"]", "[\"It snowed .\", \"b\"]", "annotator annotator_0|1 labels|2"),
        ("[1], \"factuality_types\": [\"RelE", "[3], \"factuality_types\": [\"RelE", "a number as a label"),
        ("[\"OtherE\"]", "[1]", "annotator_2|list of texts"),
        ("\"test\"", "\"train\"", "valid or test"),
    ];
    assert_changes_refused(&by_summary(), "frank-data.json", DATA.lines().nth(1).unwrap(), &changes);
    let own = r#"{"hash": "h", "model_name": "m", "article": "A.", "summary": "B.", "split": "test"}"#;
    assert_refused(&by_summary(), "benchmark_data.jsonl", own, 1, "human_annotations.json|in --annotations");
}

/// The rows with the answers of the authors' program; the last has one for a sentence that is not there.
fn answered() -> String {
    let answers = [
        r#""pred_faithfulness_labels": [1, 1, 0], "pred_faithfulness_error_type": ["predicate error", "entity error", "no error"]"#,
        r#""pred_faithfulness_labels": [0], "pred_faithfulness_error_type": ["no error"]"#,
        r#""pred_faithfulness_labels": [0, 1], "pred_faithfulness_error_type": ["no error", "other error"]"#,
        r#""pred_faithfulness_labels": [1, 0], "pred_faithfulness_error_type": ["other error", "no error"]"#,
    ];
    let row = |(row, answers): (&str, &str)| format!("{}, {answers}}}\n", row.strip_suffix('}').unwrap());
    DATA.lines().zip(answers).map(row).collect()
}

#[test]
fn answers_of_the_authors_files_are_measured() {
    let frank = Frank { given_answers: true, ..Frank::default() };
    let reading = read_file(&frank, "frank-result.json", answered()).unwrap();
    assert_eq!(reading.left_out["summaries whose answers do not fit their sentences"], 1);
    let given: Vec<_> = reading.cases.iter().map(|case| case.given_answers.as_ref().unwrap()).collect();
    // The third summary's second sentence has no majority label, and does not count.
    assert_eq!(given.iter().map(|given| given.score).collect::<Vec<_>>(), [1.0 / 3.0, 1.0, 1.0]);
    let first = &given[0].answers;
    assert_eq!(first.faithful, Some(vec![Some(false), Some(false), Some(true)]));
    assert_eq!(first.errors.as_ref().unwrap()[1].as_deref(), Some("entity error"));
    assert_eq!(given[1].answers.errors, Some(vec![None]));
    let bad = answered().replace("[0], \"pred", "[2], \"pred");
    assert_refused(&frank, "frank-result.json", &bad, 2, "`pred_faithfulness_labels` has a number|0 or 1");
    assert_refused(&frank, "frank-result.json", DATA, 1, "`pred_faithfulness_labels`");
}
