use super::*;
use crate::benchmarks::qags::Qags;

/// In the format of `mturk_cnndm.jsonl`: three votes for each sentence.
const FILE: &str = r#"{"article": "A fire broke out. Two people were hurt.", "summary_sentences": [{"sentence": "A fire broke out. ", "responses": [{"worker_id": 0, "response": "yes"}, {"worker_id": 3, "response": "yes"}, {"worker_id": 9, "response": "yes"}]}, {"sentence": "Ten died.", "responses": [{"worker_id": 0, "response": "no"}, {"worker_id": 3, "response": "yes"}, {"worker_id": 9, "response": "no"}]}]}
{"article": "The club won.", "summary_sentences": [{"sentence": "The club lost.", "responses": [{"worker_id": 1, "response": "no"}, {"worker_id": 2, "response": "no"}, {"worker_id": 5, "response": "no"}]}]}
{"article": "It rained.", "summary_sentences": [{"sentence": "Rain fell.", "responses": [{"worker_id": 1, "response": "yes"}, {"worker_id": 2, "response": "yes"}, {"worker_id": 5, "response": "no"}]}]}
"#;

#[test]
fn sentences_come_before_their_summary() {
    let reading = read_file(&Qags::default(), "mturk_cnndm.jsonl", FILE).unwrap();
    let texts: Vec<(&str, TextLevel)> =
        reading.cases.iter().map(|case| (case.text.as_str(), case.level)).collect();
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
        reading.cases.iter().take(3).map(|case| (case.label.rating, case.label.majority)).collect();
    assert_eq!(votes, [(1.0, 1.0), (1.0 / 3.0, 0.0), (2.0 / 3.0, 0.5)]);
    assert!(reading.cases.iter().all(|case| case.label.file == "cnndm"));
    assert_eq!((reading.rows, reading.texts, reading.cases[6].row), (3, 7, 2));
}

#[test]
fn one_level_is_read_alone() {
    let summaries = Qags { level: Some(TextLevel::Summary) };
    let reading = read_file(&summaries, "mturk_xsum.jsonl", FILE).unwrap();
    assert_eq!((reading.cases.len(), reading.texts, reading.cases[2].number), (3, 3, 2));
    assert!(reading.cases.iter().all(|case| case.level == TextLevel::Summary));
}

#[test]
fn equal_scores_have_no_correlation() {
    let figures = figures_of(&Qags::default(), "mturk_cnndm.jsonl", FILE, &[0.5; 7]);
    assert!(figures["groups"].list().iter().all(|group| group["pearson"] == Figures::None));
    assert_eq!(value(&figures["groups"][0]["roc_auc"]), 0.5);
    let lines = Qags::default().show("x", &figures).lines;
    assert!(lines.iter().any(|line| line.contains(" - ")), "{lines:?}");
    assert_line(&lines, "QAGS 54.5 17.5 published");
}

#[test]
fn bad_rows_are_errors() {
    let votes = r#"[{"worker_id": 1, "response": "no"}, {"worker_id": 2, "response": "no"}, {"worker_id": 5, "response": "no"}]"#;
    let sentences = format!(r#"[{{"sentence": "The club lost.", "responses": {votes}}}]"#);
    let changes = [
        ("\"no\"", "\"maybe\"", "summary_sentences|yes"),
        ("article", "document", "`article`"),
        ("\"sentence\"", "\"text\"", "summary_sentences|sentence"),
        (&sentences, "[]", "is empty"),
        (votes, "[]", "sentence 1"),
        (&sentences, "\"s\"", "summary_sentences|list"),
    ];
    assert_changes_refused(&Qags::default(), "mturk_cnndm.jsonl", FILE.lines().nth(1).unwrap(), &changes);
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
    assert_says(&error, "line 3|document");
    assert!(reading.lacking().next().is_some() && reading.cases.len() + refused.len() == cases);
}
