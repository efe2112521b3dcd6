//! REALSumm in FineSurE's files and in its authors' tables.

use super::*;
use crate::benchmarks::realsumm::{Dimension, KeyFactLists, Ratings, RealSumm};
use crate::protocol::AnsweredKeyFact;

/// In the format of `human-keyfact-list.json`.
const LIST: &str = r#"{"doc_id": "cnndm1", "transcript": "Report one.\n", "reference": "<t> it rained . </t> <t> he left . </t>\n", "key_facts": ["It rained.", "He left.", "It was late."]}
{"doc_id": "cnndm2", "transcript": "Report two.\n", "reference": "<t> they won . </t>\n", "key_facts": ["They won."]}
"#;

/// In the format of `realsumm-data.json`: a label that is none, and a fourth annotator.
const DATA: &str = r#"{"doc_id": "cnndm1", "source": "cnndm", "split": "test", "model": "t5_out_large", "transcript": "Report one.\n", "reference": "<t> it rained . </t> <t> he left . </t>\n", "sentences": ["It rained .", "So it goes ."], "raw_annotations": {"0": {"key_fact_labels": [1, 0, "None"], "sentence_labels": [1, 0]}, "1": {"key_fact_labels": [1, 1, "None"], "sentence_labels": [1, 1]}, "2": {"key_fact_labels": [1, 0, 1], "sentence_labels": [0, 1]}, "3": {"key_fact_labels": [0, 1, "None"], "sentence_labels": [0, 0]}}}
{"doc_id": "cnndm2", "source": "cnndm", "split": "test", "model": "t5_out_large", "transcript": "Report two.\n", "reference": "<t> they won . </t>\n", "sentences": ["They won ."], "raw_annotations": {"0": {"key_fact_labels": ["1"], "sentence_labels": ["1"]}, "1": {"key_fact_labels": ["1"], "sentence_labels": ["1"]}, "2": {"key_fact_labels": ["None"], "sentence_labels": ["None"]}}}
{"doc_id": "cnndm2", "source": "cnndm", "split": "test", "model": "unilm_out_v2", "transcript": "Report two.\n", "reference": "<t> they won . </t>\n", "sentences": ["They lost ."], "raw_annotations": {"0": {"key_fact_labels": ["1"], "sentence_labels": ["0"]}, "1": {"key_fact_labels": ["None"], "sentence_labels": ["0"]}, "2": {"key_fact_labels": ["None"], "sentence_labels": ["0"]}}}
{"doc_id": "cnndm1", "source": "cnndm", "split": "test", "model": "unilm_out_v2", "transcript": "Report one.\n", "reference": null, "sentences": ["He left .", "It was late ."], "raw_annotations": {"0": {"key_fact_labels": [0, 1, 1], "sentence_labels": [1, 1]}, "1": {"key_fact_labels": [0, 1, 1], "sentence_labels": [1, 1]}, "2": {"key_fact_labels": [0, 1, 0], "sentence_labels": [1, 1]}}}
"#;

fn lists() -> KeyFactLists {
    KeyFactLists::read(Files::new(&[("human-keyfact-list.json", LIST)]).rows()).unwrap()
}

fn finesure(dimension: Dimension) -> RealSumm {
    RealSumm { dimension, key_facts: lists(), ..RealSumm::default() }
}

#[test]
fn labels_of_most_people_are_the_shares() {
    let of = |dimension| {
        let reading = read_file(&finesure(dimension), "realsumm-data.json", DATA).unwrap();
        let ratings: Vec<f64> = reading.cases.iter().map(|case| case.label.rating.value).collect();
        (ratings, reading)
    };
    // In the first summary, the third fact has one label, and the second two of four, which is no majority.
    let (ratings, reading) = of(Dimension::Completeness);
    assert_eq!(ratings, [0.5, 1.0, 2.0 / 3.0]);
    assert_eq!(reading.left_out["summaries with fewer than two labels for each item"], 1);
    let case = &reading.cases[0];
    assert_eq!((case.text.as_str(), &*case.document), ("It rained . So it goes .", "Report one.\n"));
    assert_eq!(case.given.summary_sentences.as_deref().unwrap(), ["It rained .", "So it goes ."]);
    assert_eq!(inputs(case).key_facts, ["It rained.", "He left.", "It was late."]);
    assert_eq!(inputs(case).reference.as_deref(), Some("it rained .\nhe left ."));
    // The fourth annotator does not count for sentences.
    let (ratings, _) = of(Dimension::Conciseness);
    assert_eq!(ratings, [1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn agreement_is_alpha_over_key_facts() {
    let benchmark = finesure(Dimension::Completeness);
    let mut reading = read_file(&benchmark, "realsumm-data.json", DATA).unwrap();
    let answers = [vec![true, false, false], vec![false], vec![false, true, true]];
    for (case, answers) in reading.cases.iter_mut().zip(answers) {
        let texts = case.label.key_facts.iter().map(|fact| fact.text.clone()).collect::<Vec<_>>();
        let answered = texts.into_iter().zip(answers);
        case.answers.key_facts =
            Some(answered.map(|(text, is_found)| AnsweredKeyFact { text, is_found }).collect());
    }
    let figures = benchmark.figures(&reading.cases, &[0.3, 0.0, 0.7]).unwrap();
    // Pairs of labels: 11 00, 10, 00 11 11. Twelve labels, of which 7 are 1: one pair differs.
    let expected = 1.0 - (2.0 / 12.0) / (2.0 * 7.0 * 5.0 / (12.0 * 11.0));
    let found = &figures["key_fact_agreement"];
    assert_eq!(value(&found["key_facts"]), 6.0);
    assert_near(&found["alpha"], expected);
    // Items labelled by annotators: 1110, 0101, 11, 000, 111, 110; the fact with one label is excluded.
    assert_eq!(value(&figures["agreement_of_people"]["key_facts"]), 6.0);
    let lines = benchmark.show("this run", &figures).lines;
    assert!(
        lines.iter().any(|line| line.starts_with("Krippendorff's alpha on 6 key facts, with most")),
        "{lines:?}"
    );
    assert_line(&lines, "UniEval 13.4 18.0 34.6 published");
    // Systems have fewer than five summaries.
    assert_eq!(figures["system_spearman"], Figures::None);
    // Other key facts have no label, though each summary has as many of them.
    for fact in reading.cases.iter_mut().flat_map(|case| case.answers.key_facts.iter_mut().flatten()) {
        fact.text.push_str(" Or not.");
    }
    let figures = benchmark.figures(&reading.cases, &[0.3, 0.0, 0.7]).unwrap();
    let found = &figures["key_fact_agreement"];
    assert_eq!((value(&found["key_facts"]), value(&found["unlabelled"])), (0.0, 7.0));
    assert_eq!(found["alpha"], Figures::None);
}

#[test]
fn conciseness_has_its_own_published_rows() {
    let benchmark = finesure(Dimension::Conciseness);
    let reading = read_file(&benchmark, "realsumm-data.json", DATA).unwrap();
    let figures = benchmark.figures(&reading.cases, &[0.5, 0.6, 0.1, 0.9]).unwrap();
    // Deviations of scores: -.025, .075, -.425, .375; of the shares: .25, .25, -.75, .25.
    let expected = 0.425 / (0.3275_f64 * 0.75).sqrt();
    assert_near(&figures["pearson"], expected);
    let lines = benchmark.show("this run", &figures).lines;
    assert_line(&lines, "UniEval 8.6 12.8 -17.6 published");
    assert_eq!(benchmark.about().usual_metric, Some("finesure:conciseness"));
}

/// A row of the authors' tables, with two statements.
fn rating(event: &str, system: &str, summary: &str, answers: [&str; 2]) -> String {
    let mut cells = vec![event.to_owned(), system.into(), "\"['1', '2']\"".into(), summary.into()];
    cells.extend(["It rained.", "\"He left, they say.\""].map(str::to_owned));
    cells.extend(vec!["BLANK".to_owned(); 14]);
    // The answers stand in the order of their names as text: 10 to 16, then 1 to 9.
    cells.extend(vec!["n".to_owned(); 7]);
    cells.extend(answers.map(str::to_owned));
    cells.extend(vec!["n".to_owned(); 7]);
    cells.join(",") + ",\n"
}

fn header() -> String {
    let statements: String = (1..=16).map(|number| format!("Input.statement_{number},")).collect();
    let answers: String = (10..=16).chain(1..=9).map(|number| format!("Answer.S{number}Answer,")).collect();
    format!("Input.eventId,Input.summaryId,Input.qIdList,Input.summary_text,{statements}{answers}\n")
}

fn table(rows: &[String]) -> String {
    header() + &rows.concat()
}

/// Two tables of one system name in the authors' folders.
fn tables() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |kind: &str, rows: &[String]| {
        let parent = folder.path().join(format!("SCU_rating_results_{kind}_systems"));
        std::fs::create_dir(&parent).unwrap();
        let path = parent.join("bart_out.csv");
        std::fs::write(&path, table(rows)).unwrap();
        path
    };
    let abs = write(
        "abs",
        &[
            rating("cnndm1", "bart_out", "It rained .", ["p", "n"]),
            rating("cnndm2", "bart_out", "It snowed .", ["n", "n"]),
            rating("cnndm1", "bart_out", "It rained .", ["p", "p"]),
            rating("cnndm1", "bart_out", "It rained .", ["n", "p"]),
        ],
    );
    let ext = write("ext", &[rating("cnndm1", "bart_out", "He left .", ["n", "p"])]);
    (folder, vec![abs, ext])
}

#[test]
fn ratings_of_a_summary_are_joined() {
    let (_folder, paths) = tables();
    let rows = || Source::find(&paths, None).unwrap().rows();
    let ratings = Ratings::read(rows()).unwrap();
    let benchmark = RealSumm { key_facts: lists(), ratings, ..RealSumm::default() };
    let reading = read(&benchmark, rows()).unwrap();
    let found: Vec<(&str, &str, f64)> = reading
        .cases
        .iter()
        .map(|case| (case.label.rating.system.as_str(), case.text.as_str(), case.label.rating.value))
        .collect();
    assert_eq!(
        found,
        [
            ("abs/bart_out", "It rained .", 1.0),
            ("abs/bart_out", "It snowed .", 0.0),
            ("ext/bart_out", "He left .", 0.5)
        ]
    );
    assert_eq!((reading.rows, reading.texts), (5, 3));
    let case = &reading.cases[0];
    assert_eq!(inputs(case).key_facts, ["It rained.", "He left, they say."]);
    assert_eq!(&*case.document, "Report one.\n");
    assert_eq!(inputs(case).reference.as_deref(), Some("it rained .\nhe left ."));
}

/// As FineSurE's program reads the same tables: table 3a's rows of ROUGE come out only so.
#[test]
fn as_published_the_marks_are_words_and_only_listed_key_facts_count() {
    let rated = |event: &str| {
        let files = Files::new(&[("a.csv", table(&[rating(event, "x", "It rained .", ["p", "n"])]))]);
        let ratings = Ratings::read(files.rows()).unwrap();
        let benchmark = RealSumm { key_facts: lists(), ratings, as_published: true, ..RealSumm::default() };
        read(&benchmark, files.rows())
    };
    let reading = rated("cnndm1").unwrap();
    let case = &reading.cases[0];
    assert_eq!((case.label.rating.value, case.label.key_facts.len()), (1.0, 1));
    assert_eq!(inputs(case).key_facts, ["It rained."]);
    assert_eq!(inputs(case).reference.as_deref(), Some("<t> it rained . </t> <t> he left . </t>\n"));
    assert_says(
        rated("cnndm2").unwrap_err(),
        "line 2: none of its statements is among the key facts of document `cnndm2`",
    );
}

#[test]
fn bad_rows_are_errors() {
    let benchmark = finesure(Dimension::Completeness);
    let good = DATA.lines().next().unwrap();
    let changes = [
        ("\"sentences\"", "\"lines\"", "`sentences`"),
        ("cnndm1", "cnndm9", "cnndm9|not in the list"),
        ("[1, 0, \"None\"]", "[1, 0]", "annotator 1|3 labels|another has 2"),
        ("[1, 1, \"None\"]", "[1, \"maybe\", 1]", "annotator 1|0, 1 or None"),
        ("\"key_fact_labels\"", "\"labels\"", "annotator 0|`key_fact_labels`"),
    ];
    assert_changes_refused(&benchmark, "realsumm-data.json", good, &changes);
    assert_refused(&RealSumm::default(), "realsumm-data.json", good, 1, "human-keyfact-list.json");
    let refused = |benchmark: &RealSumm, rows: &[String]| refusal(benchmark, "a.csv", &table(rows));
    let row = rating("cnndm1", "x", "It rained .", ["p", "n"]);
    let concise = finesure(Dimension::Conciseness);
    assert!(refused(&concise, std::slice::from_ref(&row)).contains("labels of sentences"));
    let ratings = |rows: &[String]| Ratings::read(Files::new(&[("a.csv", table(rows))]).rows()).unwrap_err();
    let other = rating("cnndm1", "x", "It snowed .", ["p", "n"]);
    assert_says(ratings(&[row.clone(), other]), "line 3|than|line 2");
    assert_says(ratings(&[row.replacen(",p,n", ",p,q", 1)]), "must be p or n");
    for (list, words) in [
        (LIST.replace("cnndm2", "cnndm1"), "document `cnndm1` has key facts twice"),
        (LIST.replace("[\"They won.\"]", "[]"), "`key_facts` is empty"),
        (String::new(), "hold no rows"),
    ] {
        assert_says(KeyFactLists::read(Files::new(&[("list.json", list)]).rows()).unwrap_err(), words);
    }
}

#[test]
fn answers_of_the_authors_files_are_measured() {
    let answers = [
        r#""pred_alignment_labels": [1, 1, 1], "pred_sentence_line_numbers": [1, 7]"#,
        r#""pred_alignment_labels": [], "pred_sentence_line_numbers": []"#,
        r#""pred_alignment_labels": [0], "pred_sentence_line_numbers": []"#,
        r#""pred_alignment_labels": [0, 1, 0], "pred_sentence_line_numbers": [1, 2]"#,
    ];
    let row = |(row, answers): (&str, &str)| format!("{}, {answers}}}\n", row.strip_suffix('}').unwrap());
    let file: String = DATA.lines().zip(answers).map(row).collect();
    let of = |dimension| {
        let benchmark = RealSumm { given_answers: true, ..finesure(dimension) };
        let reading = read_file(&benchmark, "realsumm-result.json", &file).unwrap();
        assert_eq!(reading.left_out["summaries whose answers do not fit their key facts"], 1);
        reading.cases.iter().map(|case| case.given_answers.as_ref().unwrap().score).collect::<Vec<_>>()
    };
    // The first summary's third fact has no majority label, and does not count.
    assert_eq!(of(Dimension::Completeness), [1.0, 1.0 / 3.0]);
    // A line that does not exist does not count.
    assert_eq!(of(Dimension::Conciseness), [0.5, 0.0, 1.0]);
}
