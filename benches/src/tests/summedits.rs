use super::*;
use crate::summedits::SummEdits;

const FIXED: SummEdits = SummEdits { decide_at: Some(0.5) };
const HALVES: SummEdits = SummEdits { decide_at: None };

/// In the format of `summedits_news.json`: an array on one line.
const FILE: &str = r#"[{"id": "a_og", "doc": "Rain fell on Monday.", "summary": "It rained.", "label": 1, "original_summary": "It rained.", "edit_types": []}, {"id": "a_0", "doc": "Rain fell on Monday.", "summary": "It snowed.", "label": 0, "original_summary": "It rained.", "edit_types": ["entity_modification"]}, {"id": "b_og", "doc": "He left early.", "summary": "He left.", "label": 1, "original_summary": "He left.", "edit_types": []}, {"id": "b_0", "doc": "He left early.", "summary": "He never left.", "label": 0, "original_summary": "He left.", "edit_types": ["negation_insertion_removal", "entity_modification"]}]"#;

#[test]
fn domain_is_a_field_or_the_file_name() {
    let reading = read_file(&FIXED, "summedits_sales_call.json", FILE).unwrap();
    let case = &reading.cases[3];
    assert_eq!((case.label.set.as_str(), case.id.as_deref()), ("sales_call", Some("b_0")));
    assert_eq!(case.label.errors, ["negation_insertion_removal", "entity_modification"]);
    let file = FILE.replace("\"id\"", "\"domain\": \"billsum\", \"id\"");
    let reading = read_file(&FIXED, "all.json", file).unwrap();
    assert!(reading.cases.iter().all(|case| case.label.set == "billsum"));
}

#[test]
fn figures_match_hand_counts() {
    let reading = read_file(&FIXED, "summedits_news.json", FILE).unwrap();
    let figures = FIXED.figures(&reading.cases, &[0.9, 0.2, 0.4, 0.6]).unwrap();
    let domain = |name: &str| value(&figures["domains"][0][name]);
    assert_eq!(["rows", "consistent", "documents"].map(domain), [4.0, 2.0, 2.0]);
    assert_eq!(["balanced_accuracy", "roc_auc"].map(domain), [0.5, 0.75]);
    let found = |edit: &Figures| (edit["edit_type"].cell(), value(&edit["rows"]), value(&edit["found"]));
    let found: Vec<(String, f64, f64)> = figures["edit_types"].list().iter().map(found).collect();
    let expected = [("entity_modification", 2.0, 0.5), ("negation_insertion_removal", 1.0, 0.0)];
    assert_eq!(found, expected.map(|(name, rows, found)| (name.to_owned(), rows, found)));
    assert!(figures["warnings"][0].text().contains("10 domains"), "{figures:?}");
    let lines = FIXED.show("this run", &figures).lines;
    assert_line(&lines, "GPT-4 82.4 published");
    assert_line(&lines, "entity_modification 2 50.0");
}

#[test]
fn domain_without_a_figure_is_warned_about() {
    let one_document = FILE.replace("He left early.", "Rain fell on Monday.");
    let reading = read_file(&HALVES, "summedits_news.json", one_document).unwrap();
    let figures = HALVES.figures(&reading.cases, &[0.9, 0.2, 0.4, 0.6]).unwrap();
    assert_eq!([&figures["mean"], &figures["domains"][0]["balanced_accuracy"]], [&Figures::None; 2]);
    assert!(figures["warnings"][0].text().contains("news: no half"), "{figures:?}");
    let one_label = FILE.replace("\"label\": 0", "\"label\": 1");
    let reading = read_file(&FIXED, "summedits_news.json", one_label).unwrap();
    let figures = FIXED.figures(&reading.cases, &[0.9, 0.2, 0.4, 0.6]).unwrap();
    assert_eq!(value(&figures["mean"]), 0.5);
    assert!(figures["warnings"][0].text().contains("news: all 4"), "{figures:?}");
}

#[test]
fn bad_rows_are_errors() {
    for (from, to, words) in [
        ("\"label\": 0", "\"label\": 3", &["`label`"][..]),
        ("\"doc\"", "\"text\"", &["`doc`"]),
        ("[\"entity_modification\"]", "\"x\"", &["`edit_types`", "list"]),
        ("\"label\": 1,", "", &["`label`"]),
    ] {
        assert_refused(&FIXED, "summedits_news.json", &FILE.replace(from, to), 1, words);
    }
    assert_eq!(refusal(&FIXED, "summedits_news.json", "[]"), "holds no rows");
}
