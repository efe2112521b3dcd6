use super::*;
use crate::benchmarks::summedits::SummEdits;

const FIXED: SummEdits = SummEdits { threshold: Some(0.5) };
const HALVES: SummEdits = SummEdits { threshold: None };

/// In the format of `summedits_news.json`: an array on one line.
const FILE: &str = r#"[{"id": "a_og", "doc": "Rain fell on Monday.", "summary": "It rained.", "label": 1, "original_summary": "It rained.", "edit_types": []}, {"id": "a_0", "doc": "Rain fell on Monday.", "summary": "It snowed.", "label": 0, "original_summary": "It rained.", "edit_types": ["entity_modification"]}, {"id": "b_og", "doc": "He left early.", "summary": "He left.", "label": 1, "original_summary": "He left.", "edit_types": []}, {"id": "b_0", "doc": "He left early.", "summary": "He never left.", "label": 0, "original_summary": "He left.", "edit_types": ["negation_insertion_removal", "entity_modification"]}]"#;

#[test]
fn domain_is_a_field_or_the_file_name() {
    let reading = read_file(&FIXED, "summedits_sales_call.json", FILE).unwrap();
    let case = &reading.cases[3];
    assert_eq!((case.label.domain.as_str(), case.id.as_deref()), ("sales_call", Some("b_0")));
    assert_eq!(case.label.edits, ["negation_insertion_removal", "entity_modification"]);
    let file = FILE.replace("\"id\"", "\"domain\": \"billsum\", \"id\"");
    let reading = read_file(&FIXED, "all.json", file).unwrap();
    assert!(reading.cases.iter().all(|case| case.label.domain == "billsum"));
}

#[test]
fn table_has_the_edits_and_the_papers_rows() {
    let figures = figures_of(&FIXED, "summedits_news.json", FILE, &[0.9, 0.2, 0.4, 0.6]);
    assert!(figures["warnings"][0].text().contains("10 domains"), "{figures:?}");
    let lines = FIXED.show("this run", &figures).lines;
    assert_line(&lines, "GPT-4 82.4 published");
    assert_line(&lines, "entity_modification 2 50.0");
    assert_line(&lines, "negation_insertion_removal 1 0.0");
}

#[test]
fn domain_without_a_figure_is_warned_about() {
    let one_document = FILE.replace("He left early.", "Rain fell on Monday.");
    let figures = figures_of(&HALVES, "summedits_news.json", one_document, &[0.9, 0.2, 0.4, 0.6]);
    assert_eq!([&figures["mean"], &figures["domains"][0]["balanced_accuracy"]], [&Figures::None; 2]);
    assert!(figures["warnings"][0].text().contains("news: no half"), "{figures:?}");
    let one_label = FILE.replace("\"label\": 0", "\"label\": 1");
    let figures = figures_of(&FIXED, "summedits_news.json", one_label, &[0.9, 0.2, 0.4, 0.6]);
    assert_eq!(value(&figures["mean"]), 0.5);
    assert!(figures["warnings"][0].text().contains("news: all 4"), "{figures:?}");
}

#[test]
fn bad_rows_are_errors() {
    for (from, to, words) in [
        ("\"label\": 0", "\"label\": 3", "`label`"),
        ("\"doc\"", "\"text\"", "`doc`"),
        ("[\"entity_modification\"]", "\"x\"", "`edit_types`|list"),
        ("\"label\": 1,", "", "`label`"),
    ] {
        assert_refused(&FIXED, "summedits_news.json", &FILE.replace(from, to), 1, words);
    }
    assert_eq!(refusal(&FIXED, "summedits_news.json", "[]"), "holds no rows");
}
