//! The program's figures agree with scikit-learn, scipy and numpy on the files of tests/fixtures/bench.json, which
//! scripts/fixtures/make_bench.py makes and describes. Intervals agree too, since both sides draw the same samples.
use serde_json::{Value, json};

use crate::common::{Place, list};

const TOLERANCE: f64 = 1e-9;

fn section(name: &str) -> Value {
    let mut fixture: Value = serde_json::from_str(include_str!("../../fixtures/bench.json")).unwrap();
    fixture[name].take()
}

/// The names of the files, which are written.
fn write(place: &Place, files: &Value) -> Vec<String> {
    let files = files.as_object().unwrap();
    files.iter().for_each(|(name, content)| drop(place.write(name, content.as_str().unwrap())));
    files.keys().cloned().collect()
}

/// The figures of a section's scores.
fn figures(benchmark: &str, section: &Value, more: &[&str]) -> Value {
    let place = Place::new();
    let files = write(&place, &section["files"]);
    let annotations = if section["annotations"].is_null() {
        Vec::new()
    } else {
        [vec!["--annotations".to_owned()], write(&place, &section["annotations"])].concat()
    };
    let scores: Vec<String> = list(&section["scores"]).iter().map(Value::to_string).collect();
    place.write("scores.txt", scores.join("\n"));
    let fixed = [benchmark, "--scores", "scores.txt", "--format", "json", "--data"].map(str::to_owned);
    let more = more.iter().map(|flag| (*flag).to_owned());
    let report = place.run(fixed.into_iter().chain(files).chain(annotations).chain(more)).json();
    assert_eq!(report["scores"]["matched_by"], "order");
    report
}

/// Fails unless both are equal, numbers to the tolerance.
#[track_caller]
fn assert_close(ours: &Value, expected: &Value, what: &str) {
    match (ours, expected) {
        (Value::Array(ours), Value::Array(expected)) => {
            assert_eq!(ours.len(), expected.len(), "{what}: {ours:?}, expected {expected:?}");
            for (number, (ours, expected)) in ours.iter().zip(expected).enumerate() {
                assert_close(ours, expected, &format!("{what}, {number}"));
            }
        }
        (Value::Number(first), Value::Number(second)) => {
            let (first, second) = (first.as_f64().unwrap(), second.as_f64().unwrap());
            assert!((first - second).abs() <= TOLERANCE, "{what}: {first}, expected {second}");
        }
        _ => assert_eq!(ours, expected, "{what}"),
    }
}

/// The fields of an object as a list, null without one. A name with `*` is that of an estimate, which gives a list.
fn row(object: &Value, names: &str) -> Value {
    let ends = |estimate: &Value| row(estimate, "value low high");
    let field = |name: &str| name.strip_suffix('*').map_or(object[name].clone(), |name| ends(&object[name]));
    if object.is_null() { Value::Null } else { names.split(' ').map(field).collect() }
}

fn rows(objects: &Value, names: &str) -> Value {
    list(objects).iter().map(|object| row(object, names)).collect()
}

#[test]
fn aggrefact_in_full_and_with_sota_only() {
    const SCORE: &str = "balanced_accuracy half_width";
    const COMBINATION: &str =
        "origin category dataset val_rows test_rows threshold balanced_accuracy half_width";
    let sections = section("aggrefact");
    for name in ["all_six", "sota_only"] {
        let (section, expected) = (&sections[name], &sections[name]["expected"]);
        let figures = figures("aggrefact", section, &[]);
        let (multi, single) = (&figures["multi_threshold"], &figures["single_threshold"]);
        let of_category = |found: &Value, category: &Value| {
            let mut found = found.clone();
            found["category"] = category.clone();
            row(&found, COMBINATION)
        };
        let cells = list(&multi["cells"]).iter().map(|cell| (list(&cell["datasets"]), &cell["category"]));
        let combinations =
            cells.flat_map(|(found, category)| found.iter().map(|of| of_category(of, category)));
        assert_close(&combinations.collect(), &expected["combinations"], name);
        let of_cells = rows(&multi["cells"], &format!("origin category {SCORE}"));
        assert_close(&of_cells, &expected["cells"], name);
        assert_close(&row(&multi["average"], SCORE), &expected["average"], name);
        let skipped = rows(&multi["skipped"], "origin category dataset val_rows test_rows");
        assert_close(&skipped, &expected["skipped"], name);
        let origins = list(&single["origins"]).iter().map(|one| of_category(one, &json!("SOTA")));
        assert_close(&origins.collect(), &expected["single"], name);
        assert_close(&row(&single["average"], SCORE), &expected["single_average"], name);
    }
}

#[test]
fn aggrefact_reports_left_out_rows_and_single_labels() {
    let figures = figures("aggrefact", &section("aggrefact")["all_six"], &[]);
    let left_out = json!({
        "`GOLD`, which the protocol leaves out": 1, "`LEAD3`, which the protocol leaves out": 2,
        "unknown model name `Sphinx 9`": 1, "unknown model name `bart`": 1,
    });
    assert_eq!(figures["data"]["rows_left_out"], left_out);
    let warnings: Vec<&str> = list(&figures["warnings"]).iter().filter_map(Value::as_str).collect();
    for words in ["SOTA Polytope: all 9 test", "SOTA SummEval: all 9 val", "XFORMER Polytope: all 6 val"] {
        assert!(warnings.iter().any(|warning| warning.contains(words)), "{words}: {warnings:?}");
    }
    assert_eq!(warnings.len(), 4, "{warnings:?}");
}

#[test]
fn llm_aggrefact_fixed_and_tuned() {
    let section = section("llm_aggrefact");
    for (more, name) in [(&[][..], "fixed"), (&["--tune", "dev"], "dev")] {
        let (figures, expected) = (figures("llm-aggrefact", &section, more), &section["expected"][name]);
        let datasets = list(&figures["datasets"]).iter().map(|of| {
            let mut row_of = list(&row(of, "dataset rows supported threshold")).to_vec();
            row_of.extend_from_slice(list(&row(&of["balanced_accuracy"], "value low high")));
            Value::Array(row_of)
        });
        assert_close(&datasets.collect(), &expected["datasets"], name);
        assert_close(&row(&figures["mean"], "value low high"), &expected["mean"], name);
    }
}

#[test]
fn qags_by_file_and_level() {
    let section = section("qags");
    let found = figures("qags", &section, &[]);
    let (groups, expected) = (list(&found["groups"]), list(&section["expected"]));
    assert_eq!(groups.len(), expected.len());
    for (group, expected) in groups.iter().zip(expected) {
        let head = row(group, "group level texts");
        let what = head.to_string();
        assert_close(&head, &json!(list(expected)[..3]), &what);
        let names = "pearson* spearman* kendall* pearson_majority* roc_auc*";
        let figures = row(&expected[3], &names.replace('*', ""));
        assert_close(&row(group, names), &figures, &what);
    }
}

#[test]
fn summedits_fixed_and_by_halves() {
    let section = section("summedits");
    for (more, name) in [(&["--decide-at", "0.5"][..], "fixed"), (&[], "halves")] {
        let (figures, expected) = (figures("summedits", &section, more), &section["expected"][name]);
        let domain = "domain rows consistent documents thresholds balanced_accuracy* roc_auc";
        assert_close(&rows(&figures["domains"], domain), &expected["domains"], name);
        assert_close(&row(&figures["mean"], "value low high"), &expected["mean"], name);
        assert_close(&rows(&figures["edit_types"], "edit_type rows found"), &expected["edit_types"], name);
    }
}

#[test]
fn any_labelled_file_plain_and_with_splits_and_groups() {
    let section = section("labelled");
    let plain = ["--label", "verdict", "--group", "source"];
    for (more, name) in [(&[][..], "plain"), (&["--split", "part"], "split")] {
        let ours = figures("jsonl", &section, &[&plain[..], more].concat());
        let expected = &section["expected"][name];
        let measures = "roc_auc average_precision balanced_accuracy";
        let names = format!("rows consistent documents {measures} splits threshold");
        assert_close(&row(&ours, &names), &row(expected, &names), name);
        let intervals = [&ours["intervals"], &expected["intervals"]].map(|of| row(of, measures));
        assert_close(&intervals[0], &intervals[1], name);
        let groups = rows(&ours["groups"], &format!("group rows consistent {measures}"));
        assert_close(&groups, &expected["groups"], name);
    }
}

#[test]
fn realsumm_over_summaries_and_systems() {
    let section = section("realsumm");
    let (found, expected) = (figures("realsumm", &section, &[]), &section["expected"]);
    let expected = row(expected, "pearson spearman system_spearman");
    assert_close(&row(&found, "pearson* spearman* system_spearman*"), &expected, "correlations");
}

#[test]
fn summeval_on_three_levels_by_dimension() {
    let section = section("summeval");
    for dimension in ["coherence", "consistency", "fluency", "relevance"] {
        let found = figures("summeval", &section, &["--dimension", dimension]);
        let expected = &section["expected"][dimension];
        for level in ["over_summaries", "within_documents", "over_systems"] {
            let ours = row(&found[level], "kendall* spearman* pearson*");
            let expected = row(&expected[level], "kendall spearman pearson");
            assert_close(&ours, &expected, &format!("{dimension} {level}"));
        }
        assert_eq!(found["documents_averaged"], expected["documents_averaged"]);
    }
}

#[test]
fn frank_with_the_system_as_confounder_and_by_sentences() {
    let section = section("frank");
    let given = section["given"].to_string();
    for (more, name) in [(&[][..], "tuned"), (&["--decide-at", &given], "given")] {
        let (found, expected) = (figures("frank", &section, more), &section["expected"][name]);
        assert_close(&found["threshold"], &expected["threshold"], name);
        assert_eq!(list(&found["parts"]).len(), 2);
        for part in list(&found["parts"]) {
            let part_name = part["part"].as_str().unwrap();
            let (what, expected) = (format!("{name} {part_name}"), &expected["parts"][part_name]);
            assert_close(&row(part, "summaries documents systems"), &expected["counts"], &what);
            let names = "pearson* spearman* partial_pearson* partial_spearman* system_spearman*";
            assert_close(&row(part, names), &row(expected, &names.replace('*', "")), &what);
            let sentences = row(&part["sentences"], "sentences faithful balanced_accuracy* roc_auc*");
            assert_close(&sentences, &expected["sentences"], &what);
        }
    }
}
