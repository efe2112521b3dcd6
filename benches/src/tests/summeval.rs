use super::*;
use crate::benchmarks::summeval::{Dimension, Selection, SummEval};

const CONSISTENCY: SummEval = SummEval { dimension: Dimension::Consistency, selection: Selection::ALL };
const FLUENCY: SummEval = SummEval { dimension: Dimension::Fluency, selection: Selection::ALL };

/// In the format of `model_annotations.aligned.paired.jsonl`: (document, system, the experts' consistency); fluency is always 4.
fn file() -> String {
    let row = |(document, model, ratings): (&str, &str, [u8; 3])| {
        let rate = |rating: u8| {
            format!(r#"{{"coherence": 1, "consistency": {rating}, "fluency": 4, "relevance": 2}}"#)
        };
        let experts = ratings.map(rate).join(", ");
        format!(
            r#"{{"id": "dm-test-{document}", "decoded": "{model} says so.", "expert_annotations": [{experts}], "turker_annotations": [], "references": ["It rained.", "Rain."], "model_id": "{model}", "filepath": "x", "text": "Report {document}."}}"#
        ) + "\n"
    };
    [
        ("a", "M1", [5, 5, 4]),
        ("a", "M2", [3, 3, 3]),
        ("a", "M3", [1, 1, 2]),
        ("b", "M1", [5, 5, 5]),
        ("b", "M2", [5, 5, 5]),
        ("b", "M3", [5, 5, 5]),
        ("c", "M1", [2, 2, 2]),
        ("c", "M2", [4, 4, 4]),
        ("c", "M3", [3, 3, 3]),
    ]
    .map(row)
    .concat()
}

#[test]
fn rating_is_the_mean_over_experts() {
    let reading = read_file(&CONSISTENCY, "annotations.jsonl", file()).unwrap();
    let case = &reading.cases[0];
    assert_eq!((case.label.system.as_str(), case.label.value), ("M1", 14.0 / 3.0));
    assert_eq!((&*case.document, case.text.as_str()), ("Report a.", "M1 says so."));
    assert_eq!(inputs(case).reference.as_deref(), Some("It rained."));
    let reading = read_file(&FLUENCY, "annotations.jsonl", file()).unwrap();
    assert!(reading.cases.iter().all(|case| case.label.value == 4.0));
    let error = FLUENCY.check(&reading.cases).unwrap_err().to_string();
    assert_eq!(error, "fluency of all 9 summaries is 4");
}

#[test]
fn each_level_has_a_line() {
    // The ratings of b are equal.
    let scores = [0.9, 0.5, 0.1, 0.9, 0.8, 0.7, 0.2, 0.3, 0.4];
    let figures = figures_of(&CONSISTENCY, "annotations.jsonl", file(), &scores);
    let lines = CONSISTENCY.show("this run", &figures).lines;
    assert!(lines[0].contains("consistency"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("within a document, mean of 2 of 3")), "{lines:?}");
}

#[test]
fn equal_scores_have_no_correlation_but_a_warning() {
    let figures = figures_of(&CONSISTENCY, "annotations.jsonl", file(), &[0.5; 9]);
    assert_eq!(figures["over_summaries"]["pearson"], Figures::None);
    assert_eq!(figures["within_documents"]["kendall"], Figures::None);
    assert_eq!((value(&figures["documents_averaged"]), figures.warnings().count()), (0.0, 1));
}

#[test]
fn bad_rows_are_errors() {
    let changes = [
        ("\"text\"", "\"article\"", "`text`|pair"),
        ("\"decoded\"", "\"summary\"", "`decoded`|summary"),
        ("\"consistency\": 5", "\"consistency\": 6", "expert 1|`consistency`|1 to 5"),
        ("\"consistency\"", "\"support\"", "expert 1|`consistency`|nothing"),
        ("[\"It rained.\", \"Rain.\"]", "\"Rain.\"", "`references`|list"),
        ("expert_annotations\": [", "expert_annotations\": [], \"x\": [", "`expert_annotations`|empty"),
    ];
    assert_changes_refused(&CONSISTENCY, "annotations.jsonl", file().lines().next().unwrap(), &changes);
    assert_eq!(refusal(&CONSISTENCY, "annotations.jsonl", "\n"), "holds no rows");
}

#[test]
fn one_summary_of_each_article_is_that_of_the_most_agreement() {
    // In article a the second, in b and c the first of three without variance.
    let files = Files::new(&[("annotations.jsonl", file())]);
    let selection = Selection::agreed(&CONSISTENCY, files.rows()).unwrap();
    let benchmark = SummEval { selection, ..CONSISTENCY };
    let reading = read(&benchmark, files.rows()).unwrap();
    let kept: Vec<(&str, &str)> =
        reading.cases.iter().map(|case| (&*case.document, case.label.system.as_str())).collect();
    assert_eq!(kept, [("Report a.", "M2"), ("Report b.", "M1"), ("Report c.", "M1")]);
    assert_eq!(reading.left_out.values().collect::<Vec<_>>(), [&6]);
    let figures = benchmark.figures(&reading.cases, &[0.5, 0.9, 0.1]).unwrap();
    assert_eq!((value(&figures["summaries"]), value(&figures["over_summaries"]["kendall"])), (3.0, 1.0));
    let lines = benchmark.show("ours", &figures).lines;
    assert_line(&lines, "SumAutoEval, without outliers 70.0 65.0 published");
    let paper = against_the_papers(&benchmark.show("ours", &figures).beside, &RunSetUp::scored("words"));
    assert!(paper.iter().any(|line| line.contains("--agreed takes of each article")), "{paper:#?}");
    for dimension in Dimension::ALL {
        let table = &SummEval { dimension, selection: Selection::ALL }.about().published[0];
        assert_eq!((table.table.as_str(), table.rows.len(), table.columns.len()), (dimension.name(), 4, 2));
    }
}
