use super::*;
use crate::benchmarks::tofueval::label::Label;
use crate::benchmarks::tofueval::{
    Against, Annotations, Dimension, KeyPoints, Quality, Scope, TofuEval, Topics, Transcripts,
};

const HEADER: &str = "doc_id,annotation_id,topic,model_name,sent_idx,summ_sent,sent_label,exp,type\n";

/// In the format of `mediasum_factual_eval_dev.csv`.
const DEV: &str = "\
d1,1,The mayor,model_A,1,Ann came.,yes,,
d1,1,The mayor,model_A,2,Ben left.,no,\"He \"\"stayed\"\".\",Contradiction
d1,1,The pool,model_B,1,Cat sat.,yes,,
d1,1,The pool,model_B,2,Dog ran.,no,No dog.,Extrinsic Information
d1,1,The mayor,model_C,1,Eve sang.,yes,,
";

/// In the format of `mediasum_factual_eval_test.csv`, with peculiarities of the authors' files: sentences out of order, a
/// row of the sixth system and a repeated row.
const TEST: &str = "\
d2,2,The mayor,model_A,1,One.,yes,,
d2,2,The mayor,model_A,2,Two.,no,x,Contradiction
d2,2,The pool,model_A,1,Three.,no,x,Extrinsic Information
d3,3,The mayor,model_B,2,Five.,no,x,\"Contradiction, Reasoning Error\"
d3,3,The mayor,model_B,1,Four.,yes,,
d3,3,The pool,model_C,1,Six.,yes,,
d3,3,The pool,Model-Extra,1,Seven.,no,x,Contradiction
d3,3,The pool,model_C,1,Six.,yes,,
";

const TOPICS: &str = r#"{"The mayor": "main", "The pool": "marginal"}"#;

/// In the format of `news_dialogue.json`, with an interview without annotations.
const TRANSCRIPTS: &str = r#"[
    {"id": "d1", "program": "x", "speaker": ["ANN", "BEN"], "utt": ["Good morning.", "Hello."]},
    {"id": "d0", "program": "x", "speaker": ["ANN"], "utt": []},
    {"id": "d2", "speaker": ["CAT"], "utt": ["One and two."]},
    {"id": "d3", "speaker": ["DOG"], "utt": ["Four and six."]}
]"#;

/// Texts in the order of the files: the sentences of a summary, then the summary.
const SCORES: [f64; 18] = [
    0.9, 0.2, 0.3, 0.85, 0.75, 0.4, 0.95, 0.9, // dev
    0.82, 0.3, 0.7, 0.7, 0.5, 0.1, 0.6, 0.6, 0.95, 0.9, // test
];

/// The benchmark and its texts.
type Read = (TofuEval, Reading<Label>);

/// Dev and test of MediaSum, changed.
fn changed(change: impl Fn(&str) -> String) -> Files {
    let [dev, test] = [DEV, TEST].map(|rows| change(&format!("{HEADER}{rows}")));
    Files::new(&[("mediasum_factual_eval_dev.csv", dev), ("mediasum_factual_eval_test.csv", test)])
}

fn annotations(files: &Files) -> Result<Annotations, BenchError> {
    Annotations::read(files.rows())
}

fn transcripts(files: &Files, name: &str, content: &str) -> Result<Transcripts, BenchError> {
    Transcripts::read(files.rows_beside(name, content), &annotations(files)?)
}

fn read_tofueval(
    files: &Files,
    scope: Scope,
    level: Option<TextLevel>,
    with_extra: bool,
) -> Result<Read, BenchError> {
    let mut topics = Topics::default();
    topics.add("mediasum_topic_category.json", TOPICS).unwrap();
    let benchmark = TofuEval {
        annotations: annotations(files)?,
        transcripts: Some(transcripts(files, "news_dialogue.json", TRANSCRIPTS)?),
        topics,
        with_extra,
        level,
        scope,
        threshold: None,
        against: None,
    };
    let reading = read(&benchmark, files.rows())?;
    Ok((benchmark, reading))
}

fn read_all(scope: Scope, level: Option<TextLevel>) -> Read {
    read_tofueval(&changed(str::to_owned), scope, level, false).unwrap()
}

/// The cell of MediaSum and a kind of topic; of both kinds if that is empty.
fn cell<'f>(cells: &'f Figures, topic: &str) -> &'f Figures {
    cells.find(&[("dataset", "mediasum"), ("topic", topic)])
}

/// Balanced accuracy, FPR, FNR.
#[track_caller]
fn assert_cell(level: &Figures, topic: &str, expected: [f64; 3]) {
    let cell = cell(&level["cells"], topic);
    let of = ["balanced_accuracy", "false_positive_rate", "false_negative_rate"];
    for (name, expected) in of.iter().zip(expected) {
        assert_near(&cell[*name], expected);
    }
}

#[test]
fn sentences_come_before_their_summary() {
    let (_, reading) = read_all(Scope::All, None);
    let texts: Vec<(&str, TextLevel, bool)> =
        reading.cases.iter().map(|case| (case.text.as_str(), case.level, case.is_consistent)).collect();
    assert_eq!(
        texts[..3],
        [
            ("Ann came.", TextLevel::Sentence, true),
            ("Ben left.", TextLevel::Sentence, false),
            ("Ann came. Ben left.", TextLevel::Summary, false),
        ]
    );
    assert_eq!(
        texts[6..8],
        [("Eve sang.", TextLevel::Sentence, true), ("Eve sang.", TextLevel::Summary, true)]
    );
    assert_eq!(texts[15], ("Four. Five.", TextLevel::Summary, false), "in the order of sent_idx");
    assert_eq!(texts.len(), 18);
    let case = &reading.cases[1];
    assert_eq!(&*case.document, "ANN: Good morning.\nBEN: Hello.");
    assert_eq!((case.label.split, case.label.topic), (Split::Val, "main"));
    assert_eq!(case.label.errors, ["Contradiction"]);
    assert_eq!(reading.cases[13].label.errors, ["Contradiction", "Reasoning Error"]);
    assert_eq!(reading.left_out.values().collect::<Vec<_>>(), [&1, &1], "{:?}", reading.left_out);
    assert!(reading.left_out.keys().any(|reason| reason.contains("Model-Extra")));
}

#[test]
fn sixth_system_and_one_level_are_optional() {
    let (_, reading) = read_tofueval(&changed(str::to_owned), Scope::All, None, true).unwrap();
    assert_eq!(reading.cases.len(), 20);
    for (level, texts) in [(TextLevel::Sentence, 11), (TextLevel::Summary, 7)] {
        let (_, reading) = read_all(Scope::All, Some(level));
        assert_eq!(reading.cases.len(), texts);
        assert!(reading.cases.iter().all(|case| case.level == level));
    }
}

#[test]
fn figures_match_hand_counts() {
    let (benchmark, reading) = read_all(Scope::All, None);
    let figures = benchmark.figures(&reading.cases, &SCORES).unwrap();
    let [sentences, summaries] = figures["levels"].list() else { panic!("{figures:?}") };
    // Dev: yes 0.9, 0.85, 0.95, no 0.2, 0.75, so 0.8. Test: yes 0.82, 0.6, 0.95, no 0.3, 0.7, 0.1.
    let threshold = |level: &Figures| value(&level["thresholds"][0]["threshold"]);
    assert!((threshold(sentences) - 0.8).abs() < 1e-12);
    assert_eq!(value(&sentences["thresholds"][0]["dev"]), 5.0);
    assert_cell(sentences, "", [5.0 / 6.0, 1.0 / 3.0, 0.0]);
    // Main: yes 0.82, 0.6, no 0.3, 0.1. Marginal: yes 0.95, no 0.7.
    assert_cell(sentences, "main", [0.75, 0.5, 0.0]);
    assert_cell(sentences, "marginal", [1.0, 0.0, 0.0]);
    let counts =
        |level: &Figures| ["texts", "inconsistent"].map(|name| value(&cell(&level["cells"], "")[name]));
    assert_eq!(counts(sentences), [6.0, 3.0]);
    // Dev: yes 0.9, no 0.3, 0.4, so 0.65. Test: yes 0.9, no 0.7, 0.5, 0.6.
    assert!((threshold(summaries) - 0.65).abs() < 1e-12);
    assert_cell(summaries, "", [5.0 / 6.0, 0.0, 1.0 / 3.0]);
    assert_eq!(counts(summaries), [4.0, 3.0]);
    assert!(summaries["errors"].list().is_empty() && figures.warnings().next().is_none());
    let lines = benchmark.show("this run", &figures).lines;
    assert!(lines.contains(&"all: called consistent above 0.8000".to_owned()), "{lines:#?}");
    assert_line(&lines, "AlignScore 69.2 76.2 61.2 78.6 published");
    assert_line(&lines, "this run 75.0 100.0 - -");
}

#[test]
fn each_scope_tunes_its_threshold() {
    let (benchmark, reading) = read_all(Scope::Topic, Some(TextLevel::Sentence));
    let is_sentence = |number: &usize| ![2, 5, 7, 10, 12, 15, 17].contains(number);
    let scores: Vec<f64> = (0..SCORES.len()).filter(is_sentence).map(|number| SCORES[number]).collect();
    let figures = benchmark.figures(&reading.cases, &scores).unwrap();
    let [sentences] = figures["levels"].list() else { panic!("{figures:?}") };
    let tuned = |of: &Figures| (of["topic"].cell(), value(&of["threshold"]), value(&of["dev"]));
    let thresholds: Vec<(String, f64, f64)> = sentences["thresholds"].list().iter().map(tuned).collect();
    // Main: yes 0.9, 0.95, no 0.2. Marginal: yes 0.85, no 0.75.
    assert_eq!(thresholds, [("main".to_owned(), 0.55, 3.0), ("marginal".to_owned(), 0.8, 2.0)]);
    // 0.6 is consistent now.
    assert_cell(sentences, "", [1.0, 0.0, 0.0]);
    let by_dataset = TofuEval { scope: Scope::Dataset, ..benchmark };
    let figures = by_dataset.figures(&reading.cases, &scores).unwrap();
    let [found] = figures["levels"][0]["thresholds"].list() else { panic!("{figures:?}") };
    assert_eq!((found["dataset"].text(), &found["topic"]), ("mediasum", &Figures::None));
}

#[test]
fn recall_counts_sentences_with_one_type() {
    let (mut benchmark, reading) = read_all(Scope::All, None);
    benchmark.threshold = Some(0.65);
    let figures = benchmark.figures(&reading.cases, &SCORES).unwrap();
    // "Two." is the only contradiction alone, 0.3; "Three." is extrinsic, 0.7; "Five." has two types.
    let errors = figures["levels"][0]["errors"].list().iter();
    let errors: Vec<(&str, &str, f64, Option<f64>)> = errors
        .map(|of| (of["error"].text(), of["topic"].text(), value(&of["sentences"]), of["recall"].value()))
        .collect();
    assert_eq!(
        errors,
        [
            ("Contradiction", "", 1.0, Some(1.0)),
            ("Contradiction", "main", 1.0, Some(1.0)),
            ("Contradiction", "marginal", 0.0, None),
            ("Extrinsic Information", "", 1.0, Some(0.0)),
            ("Extrinsic Information", "main", 0.0, None),
            ("Extrinsic Information", "marginal", 1.0, Some(0.0)),
        ]
    );
    assert_eq!(figures["scope"], Figures::None);
    assert_eq!(value(&figures["levels"][0]["thresholds"][0]["dev"]), 0.0);
}

#[test]
fn other_scores_are_compared() {
    let (mut benchmark, reading) = read_all(Scope::All, None);
    let mut other = SCORES.to_vec();
    // "Four." is right in the other scores.
    other[14] = 0.9;
    benchmark.against = Some(Against { name: "other".into(), scores: other });
    let figures = benchmark.figures(&reading.cases, &SCORES).unwrap();
    let found = &cell(&figures["levels"][0]["cells"], "")["difference"];
    let Figures::Estimate(difference) = found["difference"] else { panic!("{found:?}") };
    assert!((difference.value + 1.0 / 6.0).abs() < 1e-12, "{found:?}");
    assert!(difference.low.unwrap() <= -1.0 / 6.0 && difference.high.unwrap() <= 0.0);
    assert!((0.0..=1.0).contains(&value(&found["p_value"])));
    let same = &cell(&figures["levels"][1]["cells"], "")["difference"];
    assert_eq!((value(&same["difference"]), value(&same["p_value"])), (0.0, 1.0));
    assert!(benchmark.show("this", &figures).lines.iter().any(|line| line.contains("less other")));
}

#[test]
fn missing_parts_are_errors_or_warnings() {
    let figures = |files: &Files, scope, level: Option<TextLevel>| {
        let (benchmark, reading) = read_tofueval(files, scope, level, false).unwrap();
        let scores: Vec<f64> = (0..reading.cases.len()).map(|number| number as f64).collect();
        benchmark.figures(&reading.cases, &scores).unwrap_err().to_string()
    };
    let error = figures(&changed(str::to_owned), Scope::Topic, Some(TextLevel::Summary));
    assert_says(&error, "mediasum marginal summary|both labels|there are 1|`scope`|--decide-at");
    let dev = Files::new(&[("mediasum_factual_eval_dev.csv", &format!("{HEADER}{DEV}"))]);
    assert!(figures(&dev, Scope::All, None).contains("no test rows"));
    let (mut benchmark, reading) = read_tofueval(&dev, Scope::All, None, false).unwrap();
    benchmark.threshold = Some(0.5);
    let found = benchmark.figures(&reading.cases, &SCORES[..8]).unwrap();
    assert!(found["warnings"][0].text().contains("no test rows"), "{found:?}");
    let untyped = changed(|file| file.replace(",x,Contradiction\n", ",x,\n"));
    let (benchmark, reading) = read_tofueval(&untyped, Scope::All, None, false).unwrap();
    let found = benchmark.figures(&reading.cases, &SCORES).unwrap();
    assert_eq!(found["warnings"], vec!["1 inconsistent sentences have no type of error"].into());
}

#[test]
fn bad_rows_are_errors() {
    let change = |from: &'static str, to: &'static str| changed(move |file| file.replacen(from, to, 1));
    for (files, line, words) in [
        (change("sent_label", "label"), 2, "`sent_label`|topic"),
        (change("model_B,1", "gpt-4,1"), 4, "`model_name`|model_A|Model-Extra"),
        (change("Cat sat.,yes", "Cat sat.,maybe"), 4, "`sent_label`|yes"),
        (change("model_A,2,Ben", "model_A,second,Ben"), 3, "`sent_idx`"),
        (Files::new(&[("rows_dev.csv", &format!("{HEADER}{DEV}"))]), 2, "mediasum|`dataset`|file's name"),
        (Files::new(&[("mediasum.csv", &format!("{HEADER}{DEV}"))]), 2, "dev|`split`|file's name"),
    ] {
        assert_says(annotations(&files).unwrap_err(), &format!("line {line}: |{words}"));
    }
    let empty = Files::new(&[("mediasum_dev.csv", HEADER)]);
    assert!(annotations(&empty).unwrap_err().to_string().contains("no rows"));
    assert_says(
        read_tofueval(&change("d2,2,The mayor", "d2,2,The king"), Scope::All, None, false).unwrap_err(),
        "`The king`|mediasum_topic_category.json",
    );
    let mut topics = Topics::default();
    for (name, text, words) in [
        ("topics.json", TOPICS, "meetingbank"),
        ("mediasum.json", "[1]", "object"),
        ("mediasum.json", r#"{"A": "minor"}"#, "main or marginal"),
    ] {
        assert!(topics.add(name, text).unwrap_err().contains(words), "{words}");
    }
}

#[test]
fn fields_may_give_corpus_and_part() {
    let header = HEADER.replace("doc_id", "dataset,split,doc_id");
    let rows = DEV.replace("d1,", "MeetingBank,test,d1,");
    let files = Files::new(&[("rows.csv", &format!("{header}{rows}"))]);
    assert_says(
        transcripts(&files, "none.jsonl", "{\"meeting_id\": \"x\"}\n").unwrap_err(),
        "1 transcripts of meetingbank|meetingbank.github.io",
    );
}

#[test]
fn missing_and_bad_transcripts_are_errors() {
    let files = changed(str::to_owned);
    let table = "doc_id,source\nd1,A: b\nd2,\"C: d\ne\"\nd3,F\n";
    assert!(transcripts(&files, "mediasum_dev_doc.csv", table).is_ok());
    assert!(transcripts(&files, "twice.csv", &format!("{table}d3,F\n")).is_ok(), "a repeated transcript");
    for (content, words) in [
        ("doc_id,source\nd1,x\n", "2 transcripts of mediasum|(d2, d3)|zcgzcgzcg1/MediaSum"),
        ("doc_id,source\nd1,x\nd1,y\n", "line 3|two transcripts `d1`"),
        ("key,source\nd1,x\n", "line 2|`doc_id`, `meeting_id`|key"),
        ("id,text\nd1,x\n", "line 2|no transcript|`source`|`utt`"),
    ] {
        assert_says(transcripts(&files, "rows.csv", content).unwrap_err(), words);
    }
    let uneven = r#"{"id": "d1", "speaker": ["A", "B"], "utt": ["x"]}"#;
    assert_says(
        transcripts(&files, "rows.jsonl", uneven).unwrap_err(),
        "2 entries in `speaker` and 1 in `utt`",
    );
}

#[test]
fn summaries_are_judged_by_their_sentences() {
    let (benchmark, reading) = read_all(Scope::All, None);
    let figures = benchmark.figures(&reading.cases, &SCORES).unwrap();
    let summaries = |topic| cell(&figures["levels"][0]["summaries"], topic);
    // The sentence threshold is between 0.3 and 0.75. Of test, "One. Two." has 0.3 and an error, "Four. Five." has 0.1
    // and an error: both are found. "Three." has 0.7 and an error: it depends on the threshold. "Six." has none.
    let main = summaries("main");
    let of = ["texts", "inconsistent", "false_negative_rate"].map(|name| value(&main[name]));
    assert_eq!((of, &main["false_positive_rate"]), ([2.0, 2.0, 0.0], &Figures::None));
    let of = ["texts", "inconsistent", "false_positive_rate"].map(|name| value(&summaries("")[name]));
    assert_eq!(of, [4.0, 3.0, 0.0]);
    assert_eq!(figures["levels"][1]["summaries"], Figures::Absent);
    let rate = &figures["error_rates"][0];
    // Main topics, dev and test: 3 + 4 sentences, of which 1 + 2 have an error.
    assert_eq!(
        ["level", "topic", "texts", "inconsistent"].map(|of| rate[of].cell()),
        ["sentence", "main", "7", "3"]
    );
    // A sample without a sentence of a summary leaves that out.
    let fewer: Vec<_> = reading.cases.iter().filter(|case| case.text != "Two.").cloned().collect();
    let scores: Vec<f64> = (0..fewer.len()).map(|n| n as f64).collect();
    let figures = benchmark.figures(&fewer, &scores).unwrap();
    let summaries = figures["levels"][0]["summaries"].list();
    assert_eq!(value(&summaries.last().unwrap()["texts"]), 3.0);
    let lines = benchmark.show("ours", &figures).lines;
    assert!(lines.iter().any(|line| line.starts_with("ours, by its sentences")), "{lines:#?}");
    let paper = against_the_papers(&benchmark.show("ours", &figures).beside, &RunSetUp::scored("words"));
    for words in
        ["table 9", "table 10", "table 7: FPR on summaries", "all systems of these files", "WizardLM-30B"]
    {
        assert!(paper.iter().any(|line| line.contains(words)), "{words}: {paper:#?}");
    }
}

#[test]
fn all_figures_of_the_paper_are_there() {
    let (benchmark, _) = read_all(Scope::All, None);
    let tables = benchmark.about().published;
    let counts: Vec<usize> = tables.iter().map(|table| table.rows.len()).collect();
    assert_eq!(counts, [11, 6, 6, 11, 6, 6, 11, 7, 6, 6]);
    for table in tables {
        assert!(table.rows.iter().all(|row| row.values.len() == 4), "{}", table.table);
    }
    // Balanced accuracy is 1 - (FPR + FNR) / 2, so the tables check each other.
    let mut others = Vec::new();
    for level in [0, 3] {
        for row in &tables[level].rows {
            let same =
                |table: &PublishedTable| table.rows.iter().find(|other| other.name == row.name).cloned();
            let (Some(fpr), Some(fnr)) = (same(&tables[level + 1]), same(&tables[level + 2])) else {
                continue;
            };
            for cell in 0..4 {
                let values = [row, &fpr, &fnr].map(|row| row.values[cell]);
                let [Some(accuracy), Some(fpr), Some(fnr)] = values else { continue };
                if (accuracy - (100.0 - (fpr + fnr) / 2.0)).abs() > 0.2 {
                    others.push((tables[level].table.as_str(), row.name.as_str(), cell));
                }
            }
        }
    }
    // As printed.
    let printed = [("sentence", "GPT-3.5-Turbo", 2), ("sentence", "GPT-4", 2), ("summary", "AlignScore", 3)];
    assert_eq!(others, printed);
}

const KEY_POINTS: &str = "\
doc_id,annotation_id,topic,key_points
d1,1,The mayor,\"['1. Ann came.', \"\"2. Ben's gone.\"\"]\"
d1,1,The pool,
d2,2,The mayor,['1. One.']
d2,2,The pool,['1. Three.']
d3,3,The mayor,['1. Four.']
d3,3,The pool,\"['1. Six.', '2. Seven.']\"
";

fn quality(dimension: Dimension, key_points: &str) -> (Quality, Result<Reading<Label>, BenchError>) {
    let files = changed(str::to_owned);
    let (summaries, _) = read_tofueval(&files, Scope::All, None, false).unwrap();
    let key_points =
        KeyPoints::read(files.rows_beside("mediasum_completeness_final.csv", key_points)).unwrap();
    let benchmark = Quality { summaries, dimension, key_points };
    let reading = read(&benchmark, files.rows());
    (benchmark, reading)
}

#[test]
fn key_points_and_topics_come_with_summaries() {
    let (benchmark, reading) = quality(Dimension::Completeness, KEY_POINTS);
    let reading = reading.unwrap();
    let texts: Vec<&str> = reading.cases.iter().map(|case| case.text.as_str()).collect();
    // Dev has two summaries of the mayor and one of the pool, which has no key points.
    assert_eq!(texts, ["Ann came. Ben left.", "Eve sang.", "One. Two.", "Three.", "Four. Five.", "Six."]);
    let inputs = &inputs(&reading.cases[0]);
    assert_eq!(inputs.key_facts, ["1. Ann came.", "2. Ben's gone."]);
    assert_eq!(inputs.topic.as_deref(), Some("The mayor"));
    assert_eq!(reading.left_out["summaries of topics without key points"], 1);
    let figures = benchmark.figures(&reading.cases, &[1.0, 0.5, 0.0, 0.5, 0.25, 0.75]).unwrap();
    assert_eq!(values(&figures["datasets"], "summaries"), [6.0]);
    assert_near(&figures["datasets"][0]["mean"], 0.5);
    let lines = benchmark.show("ours", &figures).lines;
    assert_line(&lines, "ours 50.0 -");
    assert_line(&lines, "GPT-3.5-Turbo 70.0 74.0 published");
}

#[test]
fn relevance_is_of_main_topics() {
    let (benchmark, reading) = quality(Dimension::Relevance, "doc_id,topic,key_points\n");
    let reading = reading.unwrap();
    let texts: Vec<&str> = reading.cases.iter().map(|case| case.text.as_str()).collect();
    assert_eq!(texts, ["Ann came. Ben left.", "Eve sang.", "One. Two.", "Four. Five."]);
    assert!(reading.cases.iter().all(|case| inputs(case).topic.as_deref() == Some("The mayor")));
    assert_eq!(benchmark.about().usual_metric, Some("relevance"));
    // A score file by the authors' keys, without sentence numbers.
    let scores = [
        "d1,The mayor,model_C,0.25",
        "d3,The mayor,model_B,0.5",
        "d1,The mayor,model_A,1",
        "d2,The mayor,model_A,0",
    ];
    let file = format!("doc_id,topic,model_name,score\n{}\n", scores.join("\n"));
    let list = ScoreList::of_rows(Files::new(&[("scores.csv", file)]).rows(), reading.key_fields).unwrap();
    assert_eq!(list.assign(&reading).unwrap(), (vec![1.0, 0.25, 0.0, 0.5], MatchedBy::Key));
}

#[test]
fn bad_key_points_are_errors() {
    let without = KEY_POINTS.replace("d3,3,The mayor,['1. Four.']\n", "");
    assert_says(
        quality(Dimension::Completeness, &without).1.unwrap_err(),
        "The mayor|d3|completeness_final.csv",
    );
    for (bad, words) in [
        ("doc_id,topic,key_points\nd1,The mayor,many\n", "line 2|`key_points`|list"),
        ("doc_id,topic,points\nd1,The mayor,['x']\n", "line 2|no field `key_points`"),
        ("doc_id,topic,key_points\nd1,A,['x']\nd1,A,['y']\n", "line 3|two lists|`A`"),
    ] {
        assert_says(KeyPoints::read(Files::new(&[("points.csv", bad)]).rows()).unwrap_err(), words);
    }
}
