use super::*;
use crate::benchmarks::frank::{Annotations, Frank, MetricOutputs};
use veridic::corpus::read::{RawRow, RowFault};

/// In the format of `benchmark_data.json`: an array; `valid` and `test` parts, two systems, and a summary without annotation.
const DATA: &str = r#"[
    {"hash": "h1", "model_name": "bart", "article": "Report one.", "summary": "It rained. Ten died.", "reference": "Rain fell.", "split": "test"},
    {"hash": "h1", "model_name": "pgn", "article": "Report one.", "summary": "It snowed.", "reference": "Rain fell.", "split": "test"},
    {"hash": "h2", "model_name": "bart", "article": "Report two.", "summary": "He left. .", "reference": "He left.", "split": "test"},
    {"hash": "h2", "model_name": "pgn", "article": "Report two.", "summary": "He stayed.", "reference": "He left.", "split": "test"},
    {"hash": "h3", "model_name": "bart", "article": "Report three.", "summary": "They won.", "reference": "They won.", "split": "valid"},
    {"hash": "h3", "model_name": "pgn", "article": "Report three.", "summary": "They lost.", "reference": "They won.", "split": "valid"},
    {"hash": "h4", "model_name": "pgn", "article": "Report four.", "summary": "Nothing.", "reference": "Nothing.", "split": "valid"}
]"#;

/// In the format of `human_annotations.json`.
const HUMAN: &str = r#"[
    {"hash": "h1", "model_name": "bart", "dataset": "cnndm", "Factuality": 0.5, "RelE": 1.0, "split": "test"},
    {"hash": "h1", "model_name": "pgn", "dataset": "cnndm", "Factuality": 0.0, "RelE": 1.0, "split": "test"},
    {"hash": "h2", "model_name": "bart", "dataset": "cnndm", "Factuality": 1.0, "RelE": 1.0, "split": "test"},
    {"hash": "h2", "model_name": "pgn", "dataset": "cnndm", "Factuality": 0.3333333333, "RelE": 1.0, "split": "test"},
    {"hash": "h3", "model_name": "bart", "dataset": "cnndm", "Factuality": 1.0, "RelE": 1.0, "split": "valid"},
    {"hash": "h3", "model_name": "pgn", "dataset": "cnndm", "Factuality": 0.0, "RelE": 1.0, "split": "valid"}
]"#;

/// In the format of `human_annotations_sentence.json`: three annotators, each with a list of errors.
const SENTENCES: &str = r#"[
    {"hash": "h1", "model_name": "bart", "summary_sentences": ["It rained.", "Ten died."], "summary_sentences_annotations": [{"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["EntE"]}, {"annotator_0": ["OutE"], "annotator_1": ["NoE"], "annotator_2": ["OutE", "CircE"]}], "split": "test"},
    {"hash": "h1", "model_name": "pgn", "summary_sentences": ["It snowed."], "summary_sentences_annotations": [{"annotator_0": ["RelE"], "annotator_1": ["RelE"], "annotator_2": ["RelE"]}], "split": "test"},
    {"hash": "h2", "model_name": "bart", "summary_sentences": ["He left.", "."], "summary_sentences_annotations": [{"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["NoE"]}, {"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["NoE"]}], "split": "test"},
    {"hash": "h2", "model_name": "pgn", "summary_sentences": ["He stayed."], "summary_sentences_annotations": [{"annotator_0": ["RelE"], "annotator_1": ["NoE", "RelE"], "annotator_2": ["NoE"]}], "split": "test"},
    {"hash": "h3", "model_name": "bart", "summary_sentences": ["They won."], "summary_sentences_annotations": [{"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["NoE"]}], "split": "valid"},
    {"hash": "h3", "model_name": "pgn", "summary_sentences": ["They lost."], "summary_sentences_annotations": [{"annotator_0": ["RelE"], "annotator_1": ["RelE"], "annotator_2": ["RelE"]}], "split": "valid"}
]"#;

/// In the format of `baseline_factuality_metrics_outputs.json`: a field for each metric, one of which scores the test part only.
const OUTPUTS: &str = r#"[
    {"hash": "h1", "model_name": "bart", "dataset": "cnndm", "Dep Entail": 0.4, "QAGS": 0.6, "split": "test"},
    {"hash": "h1", "model_name": "pgn", "dataset": "cnndm", "Dep Entail": 0.9, "QAGS": 0.1, "split": "test"},
    {"hash": "h2", "model_name": "bart", "dataset": "cnndm", "Dep Entail": 0.2, "QAGS": 0.8, "split": "test"},
    {"hash": "h2", "model_name": "pgn", "dataset": "cnndm", "Dep Entail": 0.5, "QAGS": 0.5, "split": "test"},
    {"hash": "h3", "model_name": "bart", "dataset": "cnndm", "Dep Entail": 0.1, "QAGS": null, "split": "valid"},
    {"hash": "h3", "model_name": "pgn", "dataset": "cnndm", "Dep Entail": 0.8, "split": "valid"}
]"#;

fn annotations(files: &[&str]) -> Result<Annotations, BenchError> {
    Annotations::read(rows(files))
}

/// The rows of files of this content.
fn rows(files: &[&str]) -> Vec<Result<RawRow, RowFault>> {
    let named: Vec<(&str, &str)> = ["a.json", "b.json"].into_iter().zip(files.iter().copied()).collect();
    Files::new(&named).rows().collect()
}

fn frank(files: &[&str], level: Option<TextLevel>) -> Frank {
    Frank { annotations: annotations(files).unwrap(), level, ..Frank::default() }
}

#[test]
fn annotations_are_joined_with_summaries() {
    let frank = frank(&[HUMAN, SENTENCES], None);
    let reading = read_file(&frank, "benchmark_data.json", DATA).unwrap();
    let texts: Vec<(&str, TextLevel, f64)> =
        reading.cases.iter().map(|case| (case.text.as_str(), case.level, case.label.rating.value)).collect();
    assert_eq!(
        texts[..5],
        [
            ("It rained.", TextLevel::Sentence, 1.0),
            ("Ten died.", TextLevel::Sentence, 0.0),
            ("It rained. Ten died.", TextLevel::Summary, 0.5),
            ("It snowed.", TextLevel::Sentence, 0.0),
            ("It snowed.", TextLevel::Summary, 0.0),
        ]
    );
    // A sentence without a letter is skipped, and an error next to NoE counts as an error.
    assert_eq!(
        texts[5..8].iter().map(|text| text.0).collect::<Vec<_>>(),
        ["He left.", "He left. .", "He stayed."]
    );
    assert_eq!((texts[7].2, texts.len()), (0.0, 13));
    assert_eq!(reading.left_out["summaries that nobody annotated"], 1);
    assert_eq!((reading.cases[12].label.split, reading.cases[0].label.split), (Split::Val, Split::Test));
    assert_eq!(inputs(&reading.cases[0]).reference.as_deref(), Some("Rain fell."));
}

#[test]
fn one_level_is_read_alone() {
    for (files, level, texts) in [
        (&[HUMAN][..], None, 6),
        (&[HUMAN, SENTENCES], Some(TextLevel::Summary), 6),
        (&[SENTENCES], Some(TextLevel::Sentence), 7),
    ] {
        let reading = read_file(&frank(files, level), "benchmark_data.json", DATA).unwrap();
        assert_eq!(reading.cases.len(), texts, "{level:?}");
    }
    let refusal = refusal(&frank(&[HUMAN], Some(TextLevel::Sentence)), "benchmark_data.json", DATA);
    assert!(refusal.contains("whose sentences nobody annotated (6)"), "{refusal}");
}

/// Summaries 0.6, 0.1, 0.8, 0.5, 0.9, 0.2, their sentences before them.
const SCORES: [f64; 13] = [0.9, 0.3, 0.6, 0.1, 0.1, 0.8, 0.8, 0.5, 0.5, 0.9, 0.9, 0.2, 0.2];

#[test]
fn validation_sentences_tune_for_the_test_part_alone() {
    let frank = frank(&[HUMAN, SENTENCES], None);
    let figures = figures_of(&frank, "benchmark_data.json", DATA, &SCORES);
    let [test, all] = figures["parts"].list() else { panic!("{figures:?}") };
    // The validation part tunes 0.55: of the test part's sentences 0.9, 0.8 are faithful, 0.3, 0.1, 0.5 are not.
    assert_near(&figures["threshold"], 0.55);
    let of = ["sentences", "faithful", "balanced_accuracy", "roc_auc"];
    assert_eq!(of.map(|name| value(&test["sentences"][name])), [5.0, 2.0, 1.0, 1.0]);
    let of_all = of.map(|name| all["sentences"][name].value());
    assert_eq!(of_all[..3], [Some(7.0), Some(3.0), None]);
    assert_eq!(figures.warnings().count(), 0, "{figures:?}");
    let lines = frank.show("this run", &figures).lines;
    assert_line(&lines, "FineSurE (GPT-4) 83.3 83.9 95.0 86.4 published");
}

#[test]
fn other_metrics_are_measured_on_the_summaries_they_score() {
    let mut frank = frank(&[HUMAN], None);
    frank.outputs = MetricOutputs::read(rows(&[OUTPUTS])).unwrap();
    assert_eq!(frank.outputs.names(), ["Dep Entail", "QAGS"]);
    let figures = figures_of(&frank, "benchmark_data.json", DATA, &[0.6, 0.1, 0.8, 0.5, 0.9, 0.2]);
    let [test, all] = figures["parts"].list() else { panic!("{figures:?}") };
    let [entail, qags] = test["other_metrics"].list() else { panic!("{test:?}") };
    // Its order is reversed, and the deviations from the systems' means are ±0.1 and ±0.2 as in the measured scores.
    let sum = |name: &str| value(&entail[name]) + value(&test[name]);
    assert!(sum("spearman").abs() < 1e-12 && sum("partial_pearson").abs() < 1e-7, "{entail:?}");
    // Equal scores: nothing to test.
    for name in ["pearson", "spearman", "partial_pearson", "partial_spearman", "system_spearman"] {
        assert_eq!(qags[name], test[name], "{name}");
    }
    assert_eq!(qags["williams_p"], Figures::None);
    let scored = |part: &Figures| values(&part["other_metrics"], "summaries");
    assert_eq!((scored(test), scored(all)), (vec![4.0, 4.0], vec![6.0, 4.0]));
    let lines = frank.show("this run", &figures).lines;
    assert!(lines.iter().any(|line| line.starts_with("all: Dep Entail")), "{lines:?}");
    assert!(lines[1].ends_with("Williams p"), "{lines:?}");
}

#[test]
fn bad_outputs_are_errors() {
    for (bad, words) in [
        (OUTPUTS.replacen("\"h2\"", "\"h1\"", 1), "line 4|twice"),
        (OUTPUTS.replacen("\"hash\"", "\"id\"", 1), "line 2|`hash`"),
        ("[]".into(), "no numbers"),
    ] {
        let read = MetricOutputs::read(rows(&[&bad]));
        assert_says(read.unwrap_err(), words);
    }
}

#[test]
fn given_threshold_decides_all_sentences() {
    let mut frank = frank(&[HUMAN, SENTENCES], Some(TextLevel::Sentence));
    frank.threshold = Some(0.85);
    let reading = read_file(&frank, "benchmark_data.json", DATA).unwrap();
    let figures = frank.figures(&reading.cases, &[0.9, 0.3, 0.1, 0.8, 0.5, 0.9, 0.2]).unwrap();
    let accuracy = |part: usize| value(&figures["parts"][part]["sentences"]["balanced_accuracy"]);
    assert_eq!((accuracy(0), value(&figures["threshold"])), (0.75, 0.85));
    assert!((accuracy(1) - (2.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
    let first = &figures["parts"][0];
    assert_eq!((value(&first["summaries"]), &first["pearson"]), (0.0, &Figures::None));
    assert!(frank.check(&reading.cases).is_ok());
}

#[test]
fn missing_parts_are_warned_about() {
    let frank = frank(&[HUMAN, SENTENCES], None);
    let valid = DATA.replace("\"test\"", "\"valid\"");
    let figures = figures_of(&frank, "benchmark_data.json", valid, &SCORES);
    assert_eq!((figures["parts"].list().len(), figures["parts"][0]["part"].text()), (1, "all"));
    assert!(figures["warnings"][0].text().contains("no test rows"), "{figures:?}");
    let test = DATA.replace("\"valid\"", "\"test\"");
    let figures = figures_of(&frank, "benchmark_data.json", test, &[0.5; 13]);
    assert_eq!(figures["threshold"], Figures::None);
    assert_eq!(figures["parts"][0]["sentences"]["balanced_accuracy"], Figures::None);
    assert!(figures["warnings"][0].text().contains("--decide-at"), "{figures:?}");
    assert!(figures["warnings"][1].text().contains("test: all scores are 0.5"), "{figures:?}");
}

#[test]
fn bad_rows_are_errors() {
    let both = frank(&[HUMAN, SENTENCES], None);
    let row = |from: &str, to: &str| DATA.replacen(from, to, 1);
    for (bad, words) in [
        (row("\"article\"", "\"text\""), "`article`|text"),
        (row("\"split\": \"test\"", "\"split\": \"train\""), "`split`|valid|test"),
        (row("\"model_name\"", "\"model\""), "`model_name`"),
    ] {
        assert_refused(&both, "benchmark_data.json", &bad, 2, words);
    }
    let sentences = frank(&[SENTENCES], None);
    assert_refused(&sentences, "benchmark_data.json", DATA, 2, "Factuality|human_annotations.json");
    let strangers = HUMAN.replace(": \"h", ": \"x");
    let refusal = refusal(&frank(&[&strangers], None), "benchmark_data.json", DATA);
    assert!(refusal.contains("nobody annotated (7)"), "{refusal}");
    let same = HUMAN.replace("0.5,", "1,").replace("0.0,", "1,").replace("0.3333333333,", "1,");
    let same = frank(&[&same], None);
    let reading = read_file(&same, "benchmark_data.json", DATA).unwrap();
    let error = same.check(&reading.cases).unwrap_err().to_string();
    assert_eq!(error, "test: the Factuality of all 4 summaries is 1");
}

#[test]
fn bad_annotations_are_errors() {
    let change = |file: &str, from: &str, to: &str| file.replacen(from, to, 1);
    for (bad, words) in [
        (change(HUMAN, "\"Factuality\"", "\"Truth\""), "line 2|`Factuality`|Truth"),
        (change(HUMAN, "0.5", "5"), "line 2|`Factuality`|0 to 1"),
        (change(HUMAN, "\"h2\"", "\"h1\""), "line 4|twice"),
        (change(SENTENCES, "\"h2\"", "\"h1\""), "line 4|twice"),
        (change(SENTENCES, "\"Ten died.\"", "\"Ten\", \"died.\""), "line 2|3 sentences|2"),
        (change(SENTENCES, "[\"EntE\"]", "\"EntE\""), "line 2|`summary_sentences_annotations`"),
        (change(SENTENCES, "\"summary_sentences\"", "\"sentences\""), "line 2|`summary_sentences`"),
        ("[]".into(), "no rows"),
    ] {
        assert_says(annotations(&[&bad]).unwrap_err(), words);
    }
    assert!(annotations(&[HUMAN, HUMAN]).is_ok(), "a repeated annotation with the same values is accepted");
}
