//! `bench aggrefact`, `llm-aggrefact`, `qags` and `summedits` on small files in their authors' formats: figures recomputed
//! here by the published protocols, with the published rows beside them.
use crate::common::runs::json_lines;
use crate::common::{Place, list, number, tiny};
use crate::files::{self, CATEGORIES, Named, Row, aggrefact_rows, scores};
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-9;

/// Score and label.
type Scored = Vec<(f64, bool)>;

#[track_caller]
fn assert_close(ours: &Value, expected: f64, what: &str) {
    assert!((number(ours) - expected).abs() < TOLERANCE, "{what}: {ours}, expected {expected}");
}

/// Returns the mean recall of the labels that occur, where a score above the threshold is label 1.
fn balanced_accuracy(rows: &Scored, threshold: f64) -> f64 {
    let recall = |label: bool| {
        let found: Vec<bool> =
            rows.iter().filter(|row| row.1 == label).map(|row| (row.0 > threshold) == label).collect();
        (!found.is_empty()).then(|| found.iter().filter(|right| **right).count() as f64 / found.len() as f64)
    };
    let recalls: Vec<f64> = [true, false].into_iter().filter_map(recall).collect();
    recalls.iter().sum::<f64>() / recalls.len() as f64
}

/// Returns the best of the percentiles 0, 0.2, ..., 99.8 of the scores, the last one on ties.
fn tuned(rows: &Scored) -> f64 {
    let mut sorted: Vec<f64> = rows.iter().map(|row| row.0).collect();
    sorted.sort_by(f64::total_cmp);
    let percentile = |step: usize| {
        let (place, rest) = (step * (sorted.len() - 1) / 500, step * (sorted.len() - 1) % 500);
        sorted[place] + (sorted[(place + 1).min(sorted.len() - 1)] - sorted[place]) * rest as f64 / 500.0
    };
    let candidates = (0..500).map(percentile);
    candidates.max_by(|a, b| balanced_accuracy(rows, *a).total_cmp(&balanced_accuracy(rows, *b))).unwrap()
}

/// Scores and labels of the rows for which `of` is true.
fn chosen<R>(rows: &[R], of: impl Fn(&R) -> bool, label: impl Fn(&R) -> bool) -> Scored {
    let scores = scores(rows.len());
    rows.iter().zip(scores).filter(|(row, _)| of(row)).map(|(row, score)| (score, label(row))).collect()
}

fn cut(rows: &[Row], origin: &str, models: &[&str], dataset: Option<&str>, cut: &str) -> Scored {
    let of = |row: &Row| {
        let here = row.origin == origin && row.cut == cut && models.contains(&row.model);
        here && dataset.is_none_or(|dataset| row.dataset == dataset)
    };
    chosen(rows, of, |row| row.label)
}

#[test]
fn aggrefact_has_a_threshold_per_dataset() {
    let rows = aggrefact_rows();
    let result = files::aggrefact(&rows).figures(&Place::new(), &[]);
    let cells = list(&result["multi_threshold"]["cells"]);
    assert_eq!(cells.len(), 6);
    let mut sum = 0.0;
    for cell in cells {
        let (origin, category) = (cell["origin"].as_str().unwrap(), cell["category"].as_str().unwrap());
        let models = CATEGORIES.iter().find(|(name, _)| *name == category).unwrap().1;
        let (mut weighted, mut count) = (0.0, 0);
        for dataset in list(&cell["datasets"]) {
            let of = |part| cut(&rows, origin, &models, dataset["dataset"].as_str(), part);
            let (val, test) = (of("val"), of("test"));
            let (threshold, what) = (tuned(&val), format!("{origin} {category} {dataset}"));
            assert_eq!(
                (&dataset["val_rows"], &dataset["test_rows"]),
                (&json!(val.len()), &json!(test.len()))
            );
            assert_close(&dataset["threshold"], threshold, &what);
            assert_close(&dataset["balanced_accuracy"], balanced_accuracy(&test, threshold), &what);
            weighted += balanced_accuracy(&test, threshold) * test.len() as f64;
            count += test.len();
        }
        assert_close(&cell["balanced_accuracy"], weighted / count as f64, category);
        sum += weighted / count as f64;
    }
    assert_close(&result["multi_threshold"]["average"]["balanced_accuracy"], sum / 6.0, "AVG");
}

#[test]
fn aggrefact_sota_has_a_threshold_per_origin() {
    let rows = aggrefact_rows();
    let result = files::aggrefact(&rows).figures(&Place::new(), &[]);
    let single = &result["single_threshold"];
    let mut sum = 0.0;
    for origin in list(&single["origins"]) {
        let of = |part| cut(&rows, origin["origin"].as_str().unwrap(), &CATEGORIES[0].1, None, part);
        let threshold = tuned(&of("val"));
        assert_close(&origin["threshold"], threshold, "threshold");
        assert_close(&origin["balanced_accuracy"], balanced_accuracy(&of("test"), threshold), "of an origin");
        sum += balanced_accuracy(&of("test"), threshold);
    }
    assert_eq!(list(&single["origins"]).len(), 2);
    assert_close(&single["average"]["balanced_accuracy"], sum / 2.0, "average");
}

#[test]
fn left_out_models_are_reported_and_change_nothing() {
    let place = Place::new();
    let mut rows = aggrefact_rows();
    let plain = files::aggrefact(&rows).bench_tiny(&place, &["--format", "json"]).json();
    let first = rows[0].clone();
    rows.extend(["LEAD3", "GOLD", "Sphinx", "bart", "LEAD3"].map(|model| Row { model, ..first.clone() }));
    let output = files::aggrefact(&rows).bench_tiny(&place, &["--format", "json"]);
    for (name, count) in [("LEAD3", "2"), ("GOLD", "1"), ("Sphinx", "1"), ("bart", "1")] {
        let reports = |line: &str| line.starts_with("note: ") && line.contains(name) && line.contains(count);
        assert!(output.stderr.lines().any(reports), "{name}: {}", output.stderr);
    }
    let result = output.json();
    assert_eq!(result["multi_threshold"], plain["multi_threshold"]);
    assert_eq!(result["single_threshold"], plain["single_threshold"]);
    let left_out = result["data"]["rows_left_out"].as_object().unwrap();
    let count: u64 = left_out.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((count, left_out.len()), (5, 4), "{left_out:?}");
    let quiet = files::aggrefact(&rows).bench_tiny(&place, &["--quiet"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}

fn llm_rows(dataset: &str, rows: usize, skip: usize) -> Scored {
    let scores = &scores(40)[skip..];
    let rows = files::llm_aggrefact_rows(rows);
    let of = rows.iter().zip(scores).filter(|(row, _)| row["dataset"] == dataset);
    of.map(|(row, score)| (*score, row["label"] == 1)).collect()
}

#[test]
fn llm_aggrefact_threshold_is_fixed_or_tuned() {
    let (place, named) = (Place::new(), files::llm_aggrefact());
    for (more, fixed) in
        [(&[][..], Some(0.5)), (&["--decide-at", "0.25"], Some(0.25)), (&["--tune", "dev"], None)]
    {
        let result = named.figures(&place, more);
        let mut sum = 0.0;
        for dataset in list(&result["datasets"]) {
            let name = dataset["dataset"].as_str().unwrap();
            let threshold = fixed.unwrap_or_else(|| tuned(&llm_rows(name, 8, 0)));
            let test = llm_rows(name, 12, 16);
            assert_close(&dataset["threshold"], threshold, name);
            assert_close(&dataset["balanced_accuracy"]["value"], balanced_accuracy(&test, threshold), name);
            assert_eq!(dataset["rows"], 12);
            sum += balanced_accuracy(&test, threshold);
        }
        assert_close(&result["mean"]["value"], sum / 2.0, "mean");
    }
}

#[test]
fn llm_aggrefact_reads_splits_from_names_or_a_field() {
    let (place, named) = (Place::new(), files::llm_aggrefact());
    let by_name = named.figures(&place, &["--tune", "dev"]);
    let with_split = |rows: usize, split: &str| {
        let mut rows = files::llm_aggrefact_rows(rows);
        rows.iter_mut().for_each(|row| row["split"] = json!(split));
        json_lines(&rows)
    };
    let rows = with_split(8, "dev") + &with_split(12, "test");
    let by_field = Named { files: vec![("rows.jsonl", rows)], ..named }.figures(&place, &["--tune", "dev"]);
    assert_eq!(by_field["datasets"], by_name["datasets"]);
    assert_eq!(by_field["mean"], by_name["mean"]);
}

fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn qags_correlates_with_the_votes_of_sentences_and_summaries() {
    let (place, named) = (Place::new(), files::qags());
    let result = named.figures(&place, &[]);
    let mut scores = scores(named.texts).into_iter();
    for (group, rows) in [("cnndm", files::qags_rows(9, 3)), ("xsum", files::qags_rows(8, 1))] {
        let (mut of_sentences, mut of_summaries) = (Vec::new(), Vec::new());
        for row in &rows {
            let yes = |sentence: &Value| {
                let votes = list(&sentence["responses"]);
                votes.iter().filter(|vote| vote["response"] == "yes").count() as f64 / votes.len() as f64
            };
            let shares: Vec<f64> = list(&row["summary_sentences"]).iter().map(yes).collect();
            of_sentences.extend(shares.iter().map(|share| (scores.next().unwrap(), *share)));
            of_summaries.push((scores.next().unwrap(), shares.iter().sum::<f64>() / shares.len() as f64));
        }
        for (level, pairs) in [("sentence", of_sentences), ("summary", of_summaries)] {
            let is_it = |figures: &&Value| figures["group"] == group && figures["level"] == level;
            let figures = list(&result["groups"]).iter().find(is_it).unwrap();
            assert_eq!(figures["texts"], pairs.len());
            assert_close(&figures["pearson"]["value"], pearson(&pairs), &format!("{group} {level}"));
        }
    }
    assert_eq!(scores.next(), None);
}

#[test]
fn summedits_measures_domains_and_edits() {
    let (place, named) = (Place::new(), files::summedits());
    let result = named.figures(&place, &["--decide-at", "0.375"]);
    let rows = [files::summedits_rows("news", 5), files::summedits_rows("sales_call", 4)].concat();
    let mut sum = 0.0;
    for domain in list(&result["domains"]) {
        let name = domain["domain"].as_str().unwrap();
        let of = |row: &Value| row["id"].as_str().unwrap().starts_with(name);
        let expected = balanced_accuracy(&chosen(&rows, of, |row| row["label"] == 1), 0.375);
        assert_close(&domain["balanced_accuracy"]["value"], expected, name);
        sum += expected;
    }
    assert_close(&result["mean"]["value"], sum / 2.0, "mean");
    assert_eq!(list(&result["edit_types"]).len(), 2);
    for edit in list(&result["edit_types"]) {
        let of = |row: &Value| list(&row["edit_types"]).contains(&edit["edit_type"]);
        let edited = chosen(&rows, of, |_| false);
        let found = edited.iter().filter(|row| row.0 <= 0.375).count();
        assert_eq!(edit["rows"], edited.len());
        assert_close(&edit["found"], found as f64 / edited.len() as f64, &edit.to_string());
    }
}

#[test]
fn scores_of_run_give_the_same_figures_in_any_order() {
    for named in [files::summedits(), files::labelled()] {
        let place = Place::new();
        let direct = named.bench_tiny(&place, &["--format", "json"]).json();
        let files: Vec<&str> = named.files.iter().map(|(name, _)| *name).collect();
        place.run([&["run", "-o", "run.jsonl", "--model", &tiny()], &files[..]].concat()).ok();
        let mut lines: Vec<String> = place.read("run.jsonl").lines().map(str::to_owned).collect();
        lines.reverse();
        place.write("run.jsonl", lines.join("\n"));
        let result = named.bench(&place, &["--scores", "run.jsonl", "--format", "json"]).json();
        assert_eq!(result["scores"]["matched_by"], "id");
        for figure in ["mean", "edit_types", "roc_auc", "average_precision", "balanced_accuracy"] {
            assert_eq!(result[figure], direct[figure], "{figure} of {}", named.name);
        }
    }
}

/// Name and figures of published rows by benchmark.
const PUBLISHED: [(&str, &[(&str, &str)]); 2] = [
    (
        "aggrefact",
        &[
            ("FENICE, GPT claims", "70.5 72.8 71.6"),
            ("FENICE, T5 claims", "67.7 70.1 68.9"),
            ("AlignScore", "62.7 69.4 66.1"),
            ("QAFactEval", "67.8 63.9 65.9"),
            ("TrueTeacher-11B", "62.0 74.9 68.4"),
            ("SummaC-ZS", "64.0 56.4 60.2"),
            ("SummaC-Conv", "61.0 65.0 63.0"),
            ("MENLI", "63.4 59.0 61.2"),
            ("FENICE, GPT claims", "72.7"),
            ("FENICE, T5 claims", "70.0"),
            ("AlignScore", "71.5"),
        ],
    ),
    (
        "llm-aggrefact",
        &[
            ("Bespoke-MiniCheck-7B", "77.4"),
            ("FactCG-DeBERTa-L", "75.6"),
            ("MiniCheck-FT5", "75.0"),
            ("MiniCheck-RoBERTa", "73.5"),
            ("MiniCheck-DeBERTa", "73.1"),
            ("AlignScore", "70.5"),
            ("SummaC-ZS", "67.7"),
        ],
    ),
];

#[test]
fn published_rows_are_shown_and_marked() {
    for (named, promised) in files::all().iter().zip(PUBLISHED) {
        assert_eq!(named.name, promised.0);
        let text = named.bench_tiny(&Place::new(), &[]).ok();
        for (name, figures) in promised.1 {
            let is_it = |line: &&str| {
                line.starts_with(name)
                    && figures.split(' ').all(|figure| line.split(' ').any(|word| word == figure))
            };
            let line =
                text.lines().find(is_it).unwrap_or_else(|| panic!("{name} {figures} is not in:\n{text}"));
            assert!(line.trim_end().ends_with("published"), "{line}");
        }
        let own: Vec<&str> = text.lines().filter(|line| line.starts_with("veridic, ")).collect();
        assert!(!own.is_empty() && own.iter().all(|line| !line.contains("published")), "{text}");
        assert!(!text.contains('\u{1b}'), "colours in a file");
    }
}
