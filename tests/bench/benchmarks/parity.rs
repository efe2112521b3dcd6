//! The benchmarks' figures agree with scikit-learn, scipy and numpy on the files of tests/fixtures/bench.json, which
//! scripts/fixtures/make_bench.py makes and describes. Intervals agree too, since both sides draw the same samples.

use std::path::Path;

use serde_json::{Value, json};
use veridic::corpus::read::{Rows, Source};
use veridic_bench::aggrefact::AggreFact;
use veridic_bench::frank::{Annotations, Frank};
use veridic_bench::jsonl::Labelled;
use veridic_bench::llm_aggrefact::{LlmAggreFact, Tuning};
use veridic_bench::qags::Qags;
use veridic_bench::realsumm::RealSumm;
use veridic_bench::summedits::SummEdits;
use veridic_bench::summeval::{Dimension, Selection, SummEval};
use veridic_bench::{Benchmark, MatchedBy, Reading, ScoreList, read};

const TOLERANCE: f64 = 1e-9;

fn section(name: &str) -> Value {
    let mut fixture: Value =
        serde_json::from_str(include_str!("../../fixtures/bench.json")).expect("the fixture is ours");
    fixture[name].take()
}

/// The rows of files that are written to a folder.
fn rows(folder: &Path, files: &Value) -> Rows {
    let files = files.as_object().expect("files by name");
    let write = |(name, content): (&String, &Value)| {
        let path = folder.join(name);
        std::fs::write(&path, content.as_str().expect("a text")).expect("a file");
        path
    };
    let paths: Vec<_> = files.iter().map(write).collect();
    Source::find(&paths, None).expect("they are there").rows()
}

/// Reads the files and the scores of a section.
fn read_section(benchmark: &dyn Benchmark, section: &Value) -> (Reading, Vec<f64>) {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = rows(folder.path(), &section["files"]);
    let reading = read(benchmark, rows).expect("they are as their authors write them");
    let scores: Vec<String> = list(&section["scores"]).iter().map(Value::to_string).collect();
    let scores = ScoreList::of_numbers(&scores.join("\n")).expect("they are numbers");
    let (scores, matched) = scores.assign(&reading).expect("there is one a text");
    assert_eq!(matched, MatchedBy::Order);
    (reading, scores)
}

fn figures(benchmark: &dyn Benchmark, section: &Value) -> Value {
    let (reading, scores) = read_section(benchmark, section);
    benchmark.check(&reading.cases).expect("they can be measured");
    json!(benchmark.figures(&reading.cases, &scores).expect("they can be measured"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value}: a list is expected"))
}

/// Fails unless both are equal, numbers to the tolerance.
fn assert_close(ours: &Value, expected: &Value, what: &str) {
    match (ours, expected) {
        (Value::Array(ours), Value::Array(expected)) => {
            assert_eq!(ours.len(), expected.len(), "{what}: {ours:?}, expected {expected:?}");
            for (number, (ours, expected)) in ours.iter().zip(expected).enumerate() {
                assert_close(ours, expected, &format!("{what}, {number}"));
            }
        }
        (Value::Number(first), Value::Number(second)) => {
            let (first, second) = (first.as_f64().expect("a float"), second.as_f64().expect("a float"));
            assert!((first - second).abs() <= TOLERANCE, "{what}: {first}, expected {second}");
        }
        _ => assert_eq!(ours, expected, "{what}"),
    }
}

/// These fields of an object.
fn fields(object: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| object[*name].clone()).collect()
}

/// An estimate and its interval; null without one.
fn ends(estimate: &Value) -> Value {
    if estimate.is_null() { Value::Null } else { fields(estimate, &["value", "low", "high"]) }
}

/// A balanced accuracy and its half-width; null without one.
fn both(score: &Value) -> Value {
    if score.is_null() { Value::Null } else { fields(score, &["balanced_accuracy", "half_width"]) }
}

#[test]
fn aggrefact_in_full_and_with_sota_only() {
    let sections = section("aggrefact");
    for name in ["all_six", "sota_only"] {
        let expected = &sections[name]["expected"];
        let figures = figures(&AggreFact, &sections[name]);
        let (multi, single) = (&figures["multi_threshold"], &figures["single_threshold"]);
        let combinations = list(&multi["cells"]).iter().flat_map(|cell| {
            list(&cell["datasets"]).iter().map(|dataset| combination(dataset, &cell["category"]))
        });
        assert_close(&combinations.collect(), &expected["combinations"], name);
        let cell = |cell| fields(cell, &["origin", "category", "balanced_accuracy", "half_width"]);
        assert_close(&list(&multi["cells"]).iter().map(cell).collect(), &expected["cells"], name);
        assert_close(&both(&multi["average"]), &expected["average"], name);
        let skipped = ["origin", "category", "dataset", "val_rows", "test_rows"];
        let skipped = list(&multi["skipped"]).iter().map(|found| fields(found, &skipped));
        assert_close(&skipped.collect(), &expected["skipped"], name);
        let singles = list(&single["origins"]).iter().map(|one| combination(one, &json!("SOTA")));
        assert_close(&singles.collect(), &expected["single"], name);
        assert_close(&both(&single["average"]), &expected["single_average"], name);
    }
}

fn combination(found: &Value, category: &Value) -> Value {
    let of = |name: &str| &found[name];
    json!([
        of("origin"),
        category,
        of("dataset"),
        of("val_rows"),
        of("test_rows"),
        of("threshold"),
        of("balanced_accuracy"),
        of("half_width")
    ])
}

#[test]
fn aggrefact_reports_left_out_rows_and_single_labels() {
    let section = &section("aggrefact")["all_six"];
    let (reading, scores) = read_section(&AggreFact, section);
    let left_out: Vec<(&str, usize)> =
        reading.left_out.iter().map(|(reason, rows)| (reason.as_str(), *rows)).collect();
    assert_eq!(
        left_out,
        [
            ("`GOLD`, which the protocol leaves out", 1),
            ("`LEAD3`, which the protocol leaves out", 2),
            ("unknown model name `Sphinx 9`", 1),
            ("unknown model name `bart`", 1),
        ]
    );
    let figures = json!(AggreFact.figures(&reading.cases, &scores).expect("it can be measured"));
    let warnings: Vec<&str> = list(&figures["warnings"]).iter().filter_map(Value::as_str).collect();
    for words in ["SOTA Polytope: all 9 test", "SOTA SummEval: all 9 val", "XFORMER Polytope: all 6 val"] {
        assert!(warnings.iter().any(|warning| warning.contains(words)), "{words}: {warnings:?}");
    }
    assert_eq!(warnings.len(), 4, "{warnings:?}");
}

#[test]
fn llm_aggrefact_fixed_and_tuned() {
    let section = section("llm_aggrefact");
    for (tune, name) in [(None, "fixed"), (Some(Tuning::Dev), "dev")] {
        let figures = figures(&LlmAggreFact { tune, decide_at: None }, &section);
        let expected = &section["expected"][name];
        let datasets = list(&figures["datasets"]).iter().map(|set| {
            let mut row = list(&fields(set, &["dataset", "rows", "supported", "threshold"])).to_vec();
            row.extend_from_slice(list(&ends(&set["balanced_accuracy"])));
            Value::Array(row)
        });
        assert_close(&datasets.collect(), &expected["datasets"], name);
        assert_close(&ends(&figures["mean"]), &expected["mean"], name);
    }
}

#[test]
fn qags_by_file_and_level() {
    let section = section("qags");
    let found = figures(&Qags::default(), &section);
    let (groups, expected) = (list(&found["groups"]), list(&section["expected"]));
    assert_eq!(groups.len(), expected.len());
    for (group, expected) in groups.iter().zip(expected) {
        let head = fields(group, &["group", "level", "texts"]);
        let what = head.to_string();
        assert_close(&head, &json!(list(expected)[..3]), &what);
        for name in ["pearson", "spearman", "kendall", "pearson_majority", "roc_auc"] {
            assert_close(&ends(&group[name]), &expected[3][name], &format!("{what} {name}"));
        }
    }
}

#[test]
fn summedits_fixed_and_by_halves() {
    let section = section("summedits");
    for (decide_at, name) in [(Some(0.5), "fixed"), (None, "halves")] {
        let figures = figures(&SummEdits { decide_at }, &section);
        let expected = &section["expected"][name];
        let domain = |domain: &Value| {
            let of = |name: &str| &domain[name];
            let accuracy = ends(of("balanced_accuracy"));
            json!([
                of("domain"),
                of("rows"),
                of("consistent"),
                of("documents"),
                of("thresholds"),
                accuracy,
                of("roc_auc")
            ])
        };
        assert_close(&list(&figures["domains"]).iter().map(domain).collect(), &expected["domains"], name);
        assert_close(&ends(&figures["mean"]), &expected["mean"], name);
        let edit = |edit| fields(edit, &["edit_type", "rows", "found"]);
        let edits = list(&figures["edit_types"]).iter().map(edit).collect();
        assert_close(&edits, &expected["edit_types"], name);
    }
}

#[test]
fn any_labelled_file_plain_and_with_splits_and_groups() {
    let section = section("labelled");
    let plain = Labelled { label: "verdict".into(), group: Some("source".into()), ..Labelled::default() };
    let split = Labelled { split: Some("part".into()), ..plain.clone() };
    for (benchmark, name) in [(plain, "plain"), (split, "split")] {
        let ours = figures(&benchmark, &section);
        let expected = &section["expected"][name];
        for figure in [
            "rows",
            "consistent",
            "documents",
            "roc_auc",
            "average_precision",
            "balanced_accuracy",
            "splits",
            "threshold",
        ] {
            assert_close(&ours[figure], &expected[figure], &format!("{name} {figure}"));
        }
        for interval in ["roc_auc", "average_precision", "balanced_accuracy"] {
            let what = format!("{name} {interval}'s interval");
            assert_close(&ours["intervals"][interval], &expected["intervals"][interval], &what);
        }
        let groups = list(&ours["groups"]).iter().map(|group| {
            let names = ["group", "rows", "consistent", "roc_auc", "average_precision", "balanced_accuracy"];
            Value::from_iter(names.map(|name| group[name].clone()))
        });
        assert_close(&groups.collect(), &expected["groups"], &format!("{name} groups"));
    }
}

#[test]
fn realsumm_over_summaries_and_systems() {
    let section = section("realsumm");
    let found = figures(&RealSumm::default(), &section);
    for name in ["pearson", "spearman", "system_spearman"] {
        assert_close(&ends(&found[name]), &section["expected"][name], name);
    }
}

#[test]
fn summeval_on_three_levels_by_dimension() {
    let section = section("summeval");
    for dimension in Dimension::ALL {
        let found = figures(&SummEval { dimension, selection: Selection::ALL }, &section);
        let expected = &section["expected"][dimension.name()];
        for level in ["over_summaries", "within_documents", "over_systems"] {
            for name in ["kendall", "spearman", "pearson"] {
                let what = format!("{} {level} {name}", dimension.name());
                assert_close(&ends(&found[level][name]), &expected[level][name], &what);
            }
        }
        assert_eq!(found["documents_averaged"], expected["documents_averaged"]);
    }
}

#[test]
fn frank_with_the_system_as_confounder_and_by_sentences() {
    let section = section("frank");
    let folder = tempfile::tempdir().expect("a folder");
    let annotations =
        Annotations::read(rows(folder.path(), &section["annotations"])).expect("they are annotations");
    for (name, threshold) in [("tuned", None), ("given", section["given"].as_f64())] {
        let frank = Frank { annotations: annotations.clone(), threshold, ..Frank::default() };
        let found = figures(&frank, &section);
        let expected = &section["expected"][name];
        assert_close(&found["threshold"], &expected["threshold"], name);
        for part in list(&found["parts"]) {
            let part_name = part["part"].as_str().expect("a name");
            let (what, expected) = (format!("{name} {part_name}"), &expected["parts"][part_name]);
            assert_close(&fields(part, &["summaries", "documents", "systems"]), &expected["counts"], &what);
            for figure in ["pearson", "spearman", "partial_pearson", "partial_spearman", "system_spearman"] {
                assert_close(&ends(&part[figure]), &expected[figure], &format!("{what} {figure}"));
            }
            let sentences = &part["sentences"];
            let (accuracy, area) = (ends(&sentences["balanced_accuracy"]), ends(&sentences["roc_auc"]));
            let ours = json!([sentences["sentences"], sentences["faithful"], accuracy, area]);
            assert_close(&ours, &expected["sentences"], &format!("{what} sentences"));
        }
        assert_eq!(list(&found["parts"]).len(), 2);
    }
}
