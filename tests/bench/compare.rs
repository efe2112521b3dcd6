//! `veridic-bench compare`: two runs of one model under different settings, the reported differences, and errors. Areas,
//! decisions and McNemar's test are recomputed here.
use crate::common;
use crate::common::runs::json_lines;
use crate::common::{Output, Place, assert_no_faults, list, number, tiny};
use crate::files::{assert_svg, labelled_rows};
use serde_json::{Value, json};

const SENTENCES: [&str; 2] = ["--set", "levels=sentence"];
const ALL_LEVELS: [&str; 0] = [];
const TOLERANCE: f64 = 1e-9;

fn judge(place: &Place, rows: &[Value], output: &str, more: &[&str]) {
    place.write("rows.jsonl", json_lines(rows));
    let tiny = tiny();
    place.run(["run", "rows.jsonl", "-o", output, "--model", &tiny, "--quiet"].iter().chain(more));
    assert!(place.path(output).exists(), "{output}");
}

/// Returns a place with a.jsonl and b.jsonl of different settings.
fn two_runs(rows: &[Value]) -> Place {
    let place = Place::new();
    judge(&place, rows, "a.jsonl", &SENTENCES);
    judge(&place, rows, "b.jsonl", &ALL_LEVELS);
    place
}

fn compare(place: &Place, a: &str, b: &str, more: &[&str]) -> Output {
    place.run(["compare", "--label", "label", a, b].iter().chain(more))
}

fn compared(place: &Place, a: &str, b: &str, more: &[&str]) -> Value {
    compare(place, a, b, &[&["--format", "json"], more].concat()).json()
}

/// Score and label of each row of an output.
fn scored(place: &Place, name: &str) -> Vec<(f64, bool)> {
    let text = place.read(name);
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (number(&row["score"]), row["input"]["label"] == 1)).collect()
}

/// The share of pairs of labels 1 and 0 in the right order; a tie counts half.
fn roc_auc(scored: &[(f64, bool)]) -> f64 {
    let of = |label: bool| scored.iter().filter(move |row| row.1 == label).map(|row| row.0);
    let half = |high: f64, low: f64| f64::from(u8::from(high > low)) + f64::from(u8::from(high == low)) / 2.0;
    let won: f64 = of(true).map(|high| of(false).map(|low| half(high, low)).sum::<f64>()).sum();
    won / (of(true).count() * of(false).count()) as f64
}

/// The measure of this name.
fn measure<'a>(result: &'a Value, name: &str) -> &'a Value {
    list(&result["measures"]).iter().find(|measure| measure["measure"] == name).unwrap()
}

#[test]
fn areas_and_their_difference_match_the_scores() {
    let place = two_runs(&labelled_rows());
    let [a, b] = ["a.jsonl", "b.jsonl"].map(|name| roc_auc(&scored(&place, name)));
    assert!(a != b, "the settings make no difference: {a}");
    let result = compared(&place, "a.jsonl", "b.jsonl", &[]);
    assert_eq!((&result["rows"], &result["matched_by"]), (&json!(40), &json!("id")));
    let area = measure(&result, "roc_auc");
    for (side, expected) in [("first", a), ("second", b), ("difference", b - a)] {
        let (value, [low, high]) =
            (number(&area[side]["value"]), ["low", "high"].map(|end| number(&area[side][end])));
        assert!((value - expected).abs() < TOLERANCE && low <= value && value <= high, "{side}: {area}");
    }
    for one in list(&result["measures"]) {
        let [first, second, difference] =
            ["first", "second", "difference"].map(|side| number(&one[side]["value"]));
        assert!((second - first - difference).abs() < TOLERANCE, "{one}");
        assert!((0.0..=1.0).contains(&number(&one["p_value"])), "{one}");
    }
}

#[test]
fn mcnemar_counts_discordant_rows() {
    let place = two_runs(&labelled_rows());
    let mut scores: Vec<f64> = scored(&place, "a.jsonl").iter().map(|row| row.0).collect();
    scores.sort_by(f64::total_cmp);
    let at = f64::midpoint(scores[19], scores[22]);
    let right = |name: &str| scored(&place, name).iter().map(|row| (row.0 > at) == row.1).collect::<Vec<_>>();
    let (a, b) = (right("a.jsonl"), right("b.jsonl"));
    let only = |side: bool| a.iter().zip(&b).filter(|(a, b)| a != b && **a == side).count();
    let (first, second) = (only(true), only(false));
    let chance =
        |count: usize| (0..count).map(|k| (first + second - k) as f64 / (count - k) as f64).product::<f64>();
    let tail: f64 = (0..=first.min(second)).map(chance).sum();
    let expected = (2.0 * tail / 2f64.powi((first + second) as i32)).min(1.0);
    let decided = &compared(&place, "a.jsonl", "b.jsonl", &["--decide-at", &at.to_string()])["decided"];
    assert_eq!((&decided["tuned"], &decided["test"]), (&json!(false), &json!("exact")));
    assert!(first + second > 0, "the settings make no difference");
    assert_eq!(
        (&decided["only_first_right"], &decided["only_second_right"]),
        (&json!(first), &json!(second))
    );
    assert!((number(&decided["p_value"]) - expected).abs() < TOLERANCE, "{decided}, expected {expected}");
}

#[test]
fn file_against_itself_has_no_difference() {
    let place = two_runs(&labelled_rows());
    let result = compared(&place, "b.jsonl", "b.jsonl", &[]);
    for one in list(&result["measures"]) {
        assert_eq!(one["difference"], json!({"value": 0.0, "low": 0.0, "high": 0.0}), "{one}");
        assert_eq!((&one["first"], &one["p_value"]), (&one["second"], &json!(1.0)), "{one}");
    }
    let decided = &result["decided"];
    assert_eq!((&decided["only_first_right"], &decided["only_second_right"]), (&json!(0), &json!(0)));
    assert_eq!((&decided["p_value"], &result["most_different"]), (&json!(1.0), &json!([])));
    assert!(compare(&place, "b.jsonl", "b.jsonl", &[]).ok().contains("+0.0 [+0.0, +0.0]"));
}

#[test]
fn swapped_files_negate_differences() {
    let place = two_runs(&labelled_rows());
    let [there, back] = [("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl")]
        .map(|(a, b)| compared(&place, a, b, &["--rows", "40"]));
    for (one, other) in list(&there["measures"]).iter().zip(list(&back["measures"])) {
        assert_eq!((&one["first"], &one["second"]), (&other["second"], &other["first"]));
        assert_eq!(one["p_value"], other["p_value"], "{one}");
        for (end, opposite) in [("value", "value"), ("low", "high"), ("high", "low")] {
            let (one, other) = (number(&one["difference"][end]), number(&other["difference"][opposite]));
            assert!((one + other).abs() < TOLERANCE, "{end}: {one} and {other}");
        }
    }
    assert_eq!(there["decided"]["only_first_right"], back["decided"]["only_second_right"]);
    assert_eq!(there["decided"]["p_value"], back["decided"]["p_value"]);
    let rows = list(&there["most_different"]).iter().zip(list(&back["most_different"]));
    for (one, other) in rows {
        let sides = |row: &Value, side: &str| [&row["id"], &row[format!("{side}_score")]].map(Clone::clone);
        assert_eq!(
            (sides(one, "first"), sides(one, "second")),
            (sides(other, "second"), sides(other, "first"))
        );
        assert!(one["better"] != other["better"], "{one} and {other}");
    }
}

#[test]
fn most_different_rows_have_the_largest_rank_change() {
    let place = two_runs(&labelled_rows());
    let result = compared(&place, "a.jsonl", "b.jsonl", &["--rows", "3"]);
    let (a, b) = (scored(&place, "a.jsonl"), scored(&place, "b.jsonl"));
    let rank = |of: &[(f64, bool)], row: usize| {
        let below = of.iter().filter(|other| other.0 < of[row].0).count();
        let equal = of.iter().filter(|other| other.0 == of[row].0).count();
        below as f64 + (equal + 1) as f64 / 2.0
    };
    let mut moved: Vec<f64> = (0..40).map(|row| (rank(&a, row) - rank(&b, row)).abs()).collect();
    moved.sort_by(|a, b| b.total_cmp(a));
    let rows = list(&result["most_different"]);
    assert_eq!(rows.len(), 3);
    for (row, moved) in rows.iter().zip(moved) {
        let number_of = row["id"].as_str().unwrap()[1..].parse::<usize>().unwrap();
        let [first, second] = ["first_rank", "second_rank"].map(|side| number(&row[side]));
        assert_eq!((first, second), (rank(&a, number_of), rank(&b, number_of)), "{row}");
        assert_eq!(((first - second).abs(), &row["label"]), (moved, &json!(a[number_of].1)), "{row}");
        let better = if (first > second) == a[number_of].1 { "first" } else { "second" };
        assert_eq!(row["better"], better, "{row}");
    }
    assert_eq!(compared(&place, "a.jsonl", "b.jsonl", &["--rows", "0"])["most_different"], json!([]));
}

#[test]
fn text_and_json_agree() {
    let place = two_runs(&labelled_rows());
    let text = compare(&place, "a.jsonl", "b.jsonl", &["--rows", "4"]).ok();
    let result = compared(&place, "a.jsonl", "b.jsonl", &["--rows", "4"]);
    for (one, title) in
        list(&result["measures"]).iter().zip(["ROC AUC", "average precision", "balanced accuracy"])
    {
        let line =
            text.lines().find(|line| line.starts_with(title)).unwrap_or_else(|| panic!("{title} in {text}"));
        let percent = |side: &str| 100.0 * number(&one[side]["value"]);
        let [first, second] = ["first", "second"].map(|side| format!("{:.1} [", percent(side)));
        assert!(line.contains(&first) && line.contains(&second), "{line}: {one}");
        let p = format!("{:.3}", number(&one["p_value"]));
        assert!(
            line.contains(&format!("{:+.1} [", percent("difference"))) && line.ends_with(&p),
            "{line}: {one}"
        );
    }
    for row in list(&result["most_different"]) {
        assert!(text.contains(&format!("\n{} ", row["id"].as_str().unwrap())), "{row} in {text}");
    }
    assert!(text.contains("40 rows") && text.contains("McNemar") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn ids_match_rows_in_any_order_and_seed_changes_intervals_only() {
    let place = two_runs(&labelled_rows());
    let plain = compared(&place, "a.jsonl", "b.jsonl", &[]);
    let mut lines: Vec<String> = place.read("b.jsonl").lines().map(str::to_owned).collect();
    lines.reverse();
    place.write("b.jsonl", lines.join("\n"));
    assert_eq!(compared(&place, "a.jsonl", "b.jsonl", &["--seed", "0"]), plain);
    let seeded = compared(&place, "a.jsonl", "b.jsonl", &["--seed", "1"]);
    let [one, other] = [&seeded, &plain].map(|result| &measure(result, "roc_auc")["difference"]);
    assert!(one["value"] == other["value"] && one["low"] != other["low"], "{one} and {other}");
}

#[test]
fn every_format_of_a_run_is_read() {
    let place = two_runs(&labelled_rows());
    let plain = compared(&place, "a.jsonl", "b.jsonl", &[]);
    for name in ["b.csv", "b.tsv", "b.parquet", "b.jsonl.gz"] {
        if name.ends_with("gz") {
            place.write(name, common::runs::gzip(place.read("b.jsonl").as_bytes()));
        } else {
            judge(&place, &labelled_rows(), name, &ALL_LEVELS);
        }
        let result = compared(&place, "a.jsonl", name, &[]);
        assert_eq!(result["measures"], plain["measures"], "{name}");
    }
}

#[test]
fn rows_of_another_program_are_matched_by_order() {
    let place = two_runs(&labelled_rows());
    for (name, bare) in [("a.jsonl", "x.jsonl"), ("b.jsonl", "y.jsonl")] {
        let row = |row: &(f64, bool)| json!({"score": row.0, "mark": u8::from(row.1)});
        place.write(bare, json_lines(&scored(&place, name).iter().map(row).collect::<Vec<_>>()));
    }
    let result = place.run(["compare", "x.jsonl", "y.jsonl", "--label", "mark", "--format", "json"]).json();
    assert_eq!(result["matched_by"], "order");
    assert_eq!(result["measures"], compared(&place, "a.jsonl", "b.jsonl", &[])["measures"]);
}

#[test]
fn rows_with_an_error_are_left_out_and_counted() {
    let place = two_runs(&labelled_rows());
    let plain = compared(&place, "a.jsonl", "b.jsonl", &[]);
    let mut rows = labelled_rows();
    rows.push(json!({"id": "bad", "document": "", "summary": "The cat sat.", "label": 1}));
    judge(&place, &rows, "c.jsonl", &SENTENCES);
    judge(&place, &rows, "d.jsonl", &ALL_LEVELS);
    let result = compared(&place, "c.jsonl", "d.jsonl", &[]);
    assert_eq!((&result["rows"], &result["measures"]), (&json!(40), &plain["measures"]));
    assert_eq!((&result["not_judged_by_first"], &result["not_judged_by_second"]), (&json!(1), &json!(1)));
    let summary = |a: &str, b: &str| compare(&place, a, b, &[]).ok().lines().nth(2).unwrap().to_owned();
    let line = summary("c.jsonl", "d.jsonl");
    assert!(line.contains("40 rows") && line.contains("left out: 1"), "{line}");
    // One file has a score for it.
    let good =
        place.read("d.jsonl").lines().last().unwrap().replace("\"error\":{", "\"score\":0.5,\"other\":{");
    place.write("e.jsonl", place.read("b.jsonl") + &good);
    let result = compared(&place, "c.jsonl", "e.jsonl", &[]);
    assert_eq!((&result["rows"], &result["measures"]), (&json!(40), &plain["measures"]));
    assert_eq!((&result["not_judged_by_first"], &result["not_judged_by_second"]), (&json!(1), &json!(0)));
    assert!(summary("c.jsonl", "e.jsonl").contains("in A"), "{}", summary("c.jsonl", "e.jsonl"));
}

/// One row without a label ended the comparison.
#[test]
fn rows_without_a_label_are_left_out_and_counted() {
    let place = two_runs(&labelled_rows());
    for name in ["a.jsonl", "b.jsonl"] {
        let rows = place.read(name);
        let unlabelled = |(row, line): (usize, &str)| match row % 10 {
            3 => line.replace("\"label\":0", "\"label\":null").replace("\"label\":1", "\"label\":null"),
            _ => line.to_owned(),
        };
        let rows: Vec<String> = rows.lines().enumerate().map(unlabelled).collect();
        place.write(name, rows.join("\n"));
    }
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--format", "json"]);
    assert_eq!(output.stderr, "note: 4 of 40 rows have no label and are left out\n");
    let result = output.json();
    assert_eq!((&result["rows"], &result["without_label"]), (&json!(36), &json!(4)));
}

#[test]
fn plot_shows_both_curves() {
    let place = two_runs(&labelled_rows());
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--plots", "pictures", "--format", "json"]);
    assert!(output.stderr.contains("roc.svg"), "{}", output.stderr);
    output.json();
    let text = place.read("pictures/roc.svg");
    assert_svg(&text);
    assert!(text.contains("a.jsonl") && text.contains("b.jsonl"), "the legend names the files");
    let output = compare(&place, "a.jsonl", "b.jsonl", &["--plots", "b.jsonl"]);
    assert_eq!(output.clear_error(&["b.jsonl"]).err(), None);
}

/// The fault of comparing a.jsonl with this file, unless the error names `parts`.
fn fault(place: &Place, name: &str, content: &str, parts: &[&str]) -> Option<(String, String)> {
    place.write(name, content);
    let refused = compare(place, "a.jsonl", name, &[]).clear_error(parts);
    refused.err().map(|fault| (format!("{name} {parts:?}"), fault))
}

#[test]
fn unusable_files_are_errors() {
    let place = two_runs(&labelled_rows());
    let b = place.read("b.jsonl");
    let (short, third) = (b.lines().take(39).collect::<Vec<_>>().join("\n"), b.lines().nth(2).unwrap());
    let with = |from: &str, to: &str| b.replace(third, &third.replacen(from, to, 1));
    let scoreless = with("\"score\":", "\"skore\":");
    let label = if third.contains("\"label\":1") { "\"label\":1" } else { "\"label\":0" };
    let other = if label.ends_with('1') { "\"label\":0" } else { "\"label\":1" };
    let faults = [
        fault(&place, "f.jsonl", &short, &["a.jsonl", "line 40", "r39"]),
        fault(&place, "f.jsonl", &with("\"id\":\"r2\"", "\"id\":\"z\""), &["a.jsonl: line 3", "r2"]),
        fault(&place, "f.jsonl", &with("\"id\":\"r2\"", "\"id\":\"r3\""), &["f.jsonl", "line", "r3"]),
        fault(&place, "f.jsonl", &with(label, other), &["a.jsonl", "f.jsonl", "line 3", "labels"]),
        fault(
            &place,
            "f.jsonl",
            &with(label, "\"label\":2"),
            &["f.jsonl", "line 3", "`label`", "1 (consistent) or 0"],
        ),
        fault(&place, "f.jsonl", &scoreless, &["f.jsonl", "line 3", "`score`"]),
        fault(
            &place,
            "f.jsonl",
            &with("\"score\":", "\"score\":\"NaN\",\"s\":"),
            &["f.jsonl", "line 3", "finite number"],
        ),
        fault(&place, "f.jsonl", "", &["f.jsonl", "no rows"]),
        fault(&place, "f.jsonl", "{\"id\"", &["f.jsonl", "line 1", "JSON"]),
    ];
    assert_no_faults(faults.into_iter().flatten().collect());
}

#[test]
fn bad_arguments_are_errors() {
    let place = two_runs(&labelled_rows());
    let refused = |arguments: &[&str], parts: &[&str]| {
        let output = place.run([&["compare", "a.jsonl"], arguments].concat());
        output.clear_error(parts).err().map(|fault| (format!("{arguments:?}"), fault))
    };
    let faults = [
        refused(&["b.jsonl", "--label", "mark"], &["a.jsonl", "none of its 40 rows", "`mark`", "--label"]),
        refused(&["b.jsonl", "--label", "label", "--decide-at", "nan"], &["finite"]),
        refused(&["gone.jsonl", "--label", "label"], &["gone.jsonl"]),
    ];
    assert_no_faults(faults.into_iter().flatten().collect());
}

#[test]
fn file_of_unknown_format_is_an_error_without_input_format_advice() {
    let place = two_runs(&labelled_rows());
    place.write("b.dat", place.read("b.jsonl"));
    let error = compare(&place, "a.jsonl", "b.dat", &[]).error();
    assert!(error.contains("b.dat") && error.contains("format"), "{error}");
    assert!(!error.contains("input_format"), "compare has no such option: {error}");
}

#[test]
fn one_label_shards_and_claims_are_errors() {
    for label in [0, 1] {
        let mut rows = labelled_rows();
        rows.iter_mut().for_each(|row| row["label"] = json!(label));
        let place = two_runs(&rows);
        let error = compare(&place, "a.jsonl", "b.jsonl", &[]).error();
        assert!(error.contains(&format!("label {label}")) && error.contains("both labels"), "{error}");
    }
    let place = two_runs(&labelled_rows());
    judge(&place, &labelled_rows(), "shard.jsonl", &["--shard", "1/2"]);
    judge(&place, &labelled_rows(), "claims.jsonl", &["--explode", "claims"]);
    for (name, part) in [("shard.jsonl", "veridic merge"), ("claims.jsonl", "claim")] {
        for (a, b) in [(name, "b.jsonl"), ("b.jsonl", name), (name, name)] {
            assert_eq!(compare(&place, a, b, &[]).clear_error(&[name, part]).err(), None);
        }
    }
}
