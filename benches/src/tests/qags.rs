use super::*;
use crate::qags::{self, Qags};

/// In the format of `mturk_cnndm.jsonl`: three votes for each sentence.
const FILE: &str = r#"{"article": "A fire broke out. Two people were hurt.", "summary_sentences": [{"sentence": "A fire broke out. ", "responses": [{"worker_id": 0, "response": "yes"}, {"worker_id": 3, "response": "yes"}, {"worker_id": 9, "response": "yes"}]}, {"sentence": "Ten died.", "responses": [{"worker_id": 0, "response": "no"}, {"worker_id": 3, "response": "yes"}, {"worker_id": 9, "response": "no"}]}]}
{"article": "The club won.", "summary_sentences": [{"sentence": "The club lost.", "responses": [{"worker_id": 1, "response": "no"}, {"worker_id": 2, "response": "no"}, {"worker_id": 5, "response": "no"}]}]}
{"article": "It rained.", "summary_sentences": [{"sentence": "Rain fell.", "responses": [{"worker_id": 1, "response": "yes"}, {"worker_id": 2, "response": "yes"}, {"worker_id": 5, "response": "no"}]}]}
"#;

#[test]
fn sentences_come_before_their_summary() {
    let reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", FILE).unwrap();
    let texts: Vec<(&str, TextLevel)> =
        reading.cases.iter().map(|case| (case.text.as_str(), case.label.level)).collect();
    assert_eq!(
        texts[..4],
        [
            ("A fire broke out. ", TextLevel::Sentence),
            ("Ten died.", TextLevel::Sentence),
            ("A fire broke out. Ten died.", TextLevel::Summary),
            ("The club lost.", TextLevel::Sentence),
        ]
    );
    let votes: Vec<(f64, f64)> =
        reading.cases.iter().take(3).map(|case| (case.label.rating, qags::majority(&case.label))).collect();
    assert_eq!(votes, [(1.0, 1.0), (1.0 / 3.0, 0.0), (2.0 / 3.0, 0.5)]);
    assert!(reading.cases.iter().all(|case| case.label.set == "cnndm"));
    assert_eq!((reading.rows, reading.texts, reading.cases[6].row), (3, 7, 2));
}

#[test]
fn one_level_is_read_alone() {
    let summaries = Qags { level: Some(TextLevel::Summary) };
    let reading = read_file(&summaries, "mturk_xsum.jsonl", FILE).unwrap();
    assert_eq!((reading.cases.len(), reading.texts, reading.cases[2].number), (3, 3, 2));
    assert!(reading.cases.iter().all(|case| case.label.level == TextLevel::Summary));
}

#[test]
fn figures_match_hand_counts() {
    let reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", FILE).unwrap();
    // Sentences: the votes 1, 1/3, 0, 2/3 are in the order of the scores but for one pair. Summaries: in order.
    let scores = [0.9, 0.1, 0.7, 0.2, 0.1, 0.8, 0.6];
    let figures = Qags::default().figures(&reading.cases, &scores).unwrap();
    let [sentences, summaries] = figures["groups"].list() else { panic!("{figures:?}") };
    assert_eq!(
        (sentences["level"].text(), values(&figures["groups"], "texts")),
        ("sentence", vec![4.0, 3.0])
    );
    assert_near(&sentences["kendall"], 4.0 / 6.0);
    assert_near(&sentences["spearman"], 0.8);
    assert_eq!((value(&sentences["roc_auc"]), &summaries["roc_auc"]), (1.0, &Figures::None));
    assert_eq!(summaries["level"].text(), "summary");
    let lines = Qags::default().show("this run", &figures).lines;
    assert_line(&lines, "QAGS 54.5 17.5 published");
}

#[test]
fn equal_scores_have_no_correlation() {
    let reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", FILE).unwrap();
    let figures = Qags::default().figures(&reading.cases, &[0.5; 7]).unwrap();
    assert!(figures["groups"].list().iter().all(|group| group["pearson"] == Figures::None));
    assert_eq!(value(&figures["groups"][0]["roc_auc"]), 0.5);
    assert!(Qags::default().show("x", &figures).lines.iter().any(|line| line.contains(" - ")));
}

#[test]
fn bad_rows_are_errors() {
    let good = FILE.lines().nth(1).unwrap();
    for (bad, words) in [
        (good.replace("\"no\"", "\"maybe\""), &["summary_sentences", "yes"][..]),
        (good.replace("article", "document"), &["`article`"]),
        (good.replace("\"sentence\"", "\"text\""), &["summary_sentences", "sentence"]),
        (r#"{"article":"a","summary_sentences":[]}"#.into(), &["is empty"]),
        (r#"{"article":"a","summary_sentences":[{"sentence":"s","responses":[]}]}"#.into(), &["sentence 1"]),
        (r#"{"article":"a","summary_sentences":"s"}"#.into(), &["summary_sentences", "list"]),
    ] {
        assert_refused(&Qags::default(), "mturk_cnndm.jsonl", &format!("{good}\n{bad}\n"), 2, words);
    }
}

#[test]
fn texts_without_words_are_left_out() {
    let file = FILE.replace("It rained.", r"It\u0092s\u0000 rain\ning.");
    let mut reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", file).unwrap();
    assert_eq!(&*reading.cases[6].document, "It\u{92}s\u{0} rain\ning.", "the engine accepts this text");
    assert!(reading.leave_out_unjudgeable(false).is_empty() && reading.lacking().next().is_none());
    let cases = reading.cases.len();
    let file = FILE.replace("It rained.", "...");
    let mut reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", file).unwrap();
    let refused = reading.leave_out_unjudgeable(false);
    let error = refused[0].to_string();
    assert!(error.contains("line 3") && error.contains("document"), "{error}");
    assert!(reading.lacking().next().is_some() && reading.cases.len() + refused.len() == cases);
}
