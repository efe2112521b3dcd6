//! Options of all benchmarks: `--limit` and `--seed`, `--ablation` of AggreFact, `--plots` and `--quiet`.
use crate::common::runs::{json_lines, table};
use crate::common::{Output, Place, list, number, splitter};
use crate::files::{
    self, DOCUMENTS, Named, Row, SUMMARIES, aggrefact_rows, assert_svg, assert_words, scores, tiny,
    write_scores,
};
use serde_json::{Value, json};

#[test]
fn limit_draws_rows_by_seed() {
    let place = Place::new();
    for named in files::all() {
        let limit = if named.name == "qags" { "10" } else { "24" };
        let of = |seed: &str| named.figures(&place, &["--limit", limit, "--seed", seed]);
        let first = of("0");
        assert_eq!(of("0"), first, "{}", named.name);
        assert_eq!(named.figures(&place, &["--limit", limit]), first, "{}: the default seed", named.name);
        assert!((1..9).any(|seed| of(&seed.to_string()) != first), "{}: seeds change nothing", named.name);
        let whole = named.figures(&place, &[]);
        assert_eq!(named.figures(&place, &["--limit", "100000"]), whole, "{}", named.name);
    }
}

#[test]
fn limit_draws_some_rows_of_every_kind() {
    let place = Place::new();
    let counts = |groups: &Value, label: &str| -> Vec<(f64, f64)> {
        list(groups).iter().map(|one| (number(&one["rows"]), number(&one[label]))).collect()
    };
    for seed in ["0", "1", "2", "3", "4"] {
        let of = |named: Named, limit: &str, more: &[&str]| {
            named.figures(&place, &[&["--limit", limit, "--seed", seed], more].concat())
        };
        // Two origins, three categories, two datasets, two cuts, two labels.
        let result = of(files::aggrefact(&aggrefact_rows()), "48", &[]);
        assert_eq!(result["data"]["texts_measured"], 48);
        assert_eq!(result["warnings"], Value::Array(vec![]), "all of one label");
        let cells = list(&result["multi_threshold"]["cells"]);
        let datasets: Vec<&Value> = cells.iter().flat_map(|cell| list(&cell["datasets"])).collect();
        assert_eq!((cells.len(), datasets.len()), (6, 12));
        // Two datasets, two splits, two labels.
        let result = of(files::llm_aggrefact(), "8", &["--tune", "dev"]);
        assert_eq!(counts(&result["datasets"], "supported"), [(2.0, 1.0); 2]);
        let result = of(files::qags(), "4", &[]);
        assert_eq!(list(&result["groups"]).len(), 4, "two files, two levels: {result}");
        let result = of(files::summedits(), "4", &["--decide-at", "0.5"]);
        assert_eq!(counts(&result["domains"], "consistent"), [(2.0, 1.0); 2]);
        let result = of(files::labelled(), "8", &["--group", "source", "--split", "part"]);
        assert_eq!(counts(&result["groups"], "consistent"), [(2.0, 1.0); 2]);
    }
}

#[test]
fn limit_that_leaves_nothing_to_measure_is_an_error() {
    for (named, limit) in files::all().iter().zip(["1", "1", "0", "0", "1"]) {
        let tunes: &[&str] = if named.name == "llm-aggrefact" { &["--tune", "dev"] } else { &[] };
        let output = named.bench_tiny(&Place::new(), &[&["--limit", limit], tunes].concat());
        // The error names the flag, not the data.
        output.clear_error(&["--limit"]).unwrap_or_else(|fault| panic!("{}: {fault}", named.name));
    }
}

/// Rows whose documents have other names, and claims worded differently from the summaries, so that every part needs more
/// pairs.
fn ablation(place: &Place, more: &[&str]) -> Output {
    let splitter = splitter();
    let claims = ["--claims", &splitter];
    let claims = &claims[if more.contains(&"--claims") { 2 } else { 0 }..];
    files::aggrefact(&aggrefact_rows()).bench_tiny(place, &[&["--set", "epsilon=0"], claims, more].concat())
}

/// Returns the number of pairs that each setting computed, from its last progress line.
fn pairs(output: &Output) -> Vec<u64> {
    let count = |line: &str| line.split(", ").find_map(|part| part.strip_suffix(" pairs")?.parse().ok());
    output.stderr.lines().filter_map(count).collect()
}

const SWITCHES: [(&str, &[&str]); 4] = [
    ("NLI_sent", &["--claims", "sentence", "--set", "levels=sentence"]),
    ("NLI_claim", &["--set", "levels=sentence"]),
    ("NLI_coref", &["--set", "levels=sentence,coref"]),
    ("FENICE", &[]),
];

#[test]
fn ablation_is_four_settings_and_computes_each_pair_once() {
    let place = Place::new();
    let output = ablation(&place, &["--ablation", "--plots", "pictures", "--format", "json"]);
    assert!(is_whole(&output), "every part needs more pairs");
    assert_plots(&place, "an ablation");
    let result = output.json();
    let settings = list(&result["settings"]);
    assert_eq!(settings.len(), 4);
    let mut last: Option<f64> = None;
    for (setting, (name, switches)) in settings.iter().zip(SWITCHES) {
        let apart = ablation(&place, &[&["--format", "json"], switches].concat()).json();
        assert_eq!(setting["name"], name);
        for threshold in ["multi_threshold", "single_threshold"] {
            assert_eq!(setting["figures"][threshold], apart[threshold], "{name}");
        }
        let average = number(&apart["single_threshold"]["average"]["balanced_accuracy"]);
        match last {
            None => assert_eq!(setting["gain"], Value::Null),
            Some(last) => assert!((number(&setting["gain"]) - (average - last)).abs() < 1e-9, "{setting}"),
        }
        last = Some(average);
    }
}

/// Whether every part needs more pairs than the previous one, as it must on these rows.
fn is_whole(output: &Output) -> bool {
    let asked = pairs(output);
    asked.len() == 4 && asked.iter().all(|pairs| *pairs > 0)
}

#[test]
fn ablation_has_every_part_under_every_profile() {
    for profile in ["veridic", "paper"] {
        let output = ablation(&Place::new(), &["--profile", profile, "--ablation"]);
        assert!(is_whole(&output), "{profile}: {}", output.stderr);
    }
}

#[test]
fn flags_that_an_ablation_sets_are_refused() {
    for (flag, value, named) in [("--claims", "sentence", "--claims"), ("--set", "levels=sentence", "levels")]
    {
        ablation(&Place::new(), &["--ablation", flag, value]).clear_error(&["--ablation", named]).unwrap();
    }
    assert!(is_whole(&ablation(&Place::new(), &["--ablation", "--coref", "off"])));
}

#[test]
fn paper_puts_the_run_under_the_published_rows_and_says_what_differs() {
    let place = Place::new();
    let of = |more: &[&str]| files::all()[0].bench_tiny(&place, more);
    let text = of(&["--paper"]).ok();
    let at = |start: &str| {
        let found = text.lines().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start} is not in:\n{text}"))
    };
    let order = [
        at("FENICE, T5 claims"),
        at("veridic, "),
        at("the paper's set-up: FENICE with DeBERTa-v3-large"),
        at("this run's: metric fenice; profile veridic (our own; --profile paper is FENICE's) on sentence"),
        at("differs, all figures"),
    ];
    assert!(order.is_sorted(), "{text}");
    assert_eq!(text.matches("claims sentence").count(), 2, "{text}");
    let paper = of(&["--paper", "--profile", "paper"]).ok();
    assert!(paper.contains("profile paper on sentence") && paper.contains("no screen"), "{paper}");
    let ablation = ablation(&place, &["--ablation", "--paper"]).ok();
    assert_words(&ablation, "the last row: metric fenice|differs, gain: it is over the row before");
    place.write("scores.txt", "0.5\n");
    place.write("rows.jsonl", "{\"document\": \"It rains.\", \"summary\": \"It rains.\", \"label\": 1}\n");
    let error = place.run(["jsonl", "--data", "rows.jsonl", "--scores", "scores.txt", "--paper"]);
    error.clear_error(&["--paper", "no published figures"]).unwrap();
}

#[test]
fn claims_and_sentences_of_rows_are_judged() {
    let place = Place::new();
    let rows: Vec<Value> = (0..8)
        .map(|number| {
            json!({"dataset": "F", "origin": "xsum", "id": number, "model_name": "BART", "label": u8::from(number % 2 == 0),
                   "cut": (["val", "test"][number / 4]), "doc": DOCUMENTS[number % 4], "summary": SUMMARIES[number % 4],
                   "claims": [SUMMARIES[(number + 1) % 4], format!("Number {number} is here.")],
                   "document_sentences": [DOCUMENTS[number % 4]]})
        })
        .collect();
    place.write("rows.jsonl", json_lines(&rows));
    let fixed = ["--claims", "given", "--model", tiny()];
    let bench = |more: &[&str]| {
        place.run([&["aggrefact", "--data", "rows.jsonl", "--format", "json"], more].concat())
    };
    place.run([&["run", "rows.jsonl", "-o", "scores.jsonl"][..], &fixed].concat()).ok();
    let (here, by_run) = (bench(&fixed).json(), bench(&["--scores", "scores.jsonl"]).json());
    // `run` writes ten digits of a score.
    let threshold = |result: &Value| number(&result["single_threshold"]["origins"][0]["threshold"]);
    assert!((threshold(&here) - threshold(&by_run)).abs() < 1e-8);
    assert!((threshold(&here) - threshold(&bench(&["--model", tiny()]).json())).abs() > 1e-6);
    assert_eq!(here["scores"]["profile"]["claims"], "given");
    // The same in a table, where a list is its JSON.
    let cells = |row: &Value| {
        let cell = |(_, value): (&String, &Value)| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        row.as_object().unwrap().iter().map(cell).collect::<Vec<_>>()
    };
    let names: Vec<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
    let table = table(&names, &rows.iter().map(cells).collect::<Vec<_>>(), ',', "\n");
    place.write("rows.csv", table);
    let of_table = place.run([&["aggrefact", "--data", "rows.csv", "--format", "json"][..], &fixed].concat());
    assert_eq!(of_table.json()["multi_threshold"], here["multi_threshold"]);
    place.write("rows.jsonl", json_lines(&rows).replacen("\"claims\":[", "\"facts\":[", 1));
    bench(&fixed).clear_error(&["line 1", "--claims given", "`claims`"]).unwrap();
}

/// Fails unless the folder has the four plots and nothing else, each of them SVG.
#[track_caller]
fn assert_plots(place: &Place, what: &str) {
    let files = std::fs::read_dir(place.path("pictures")).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut names = Vec::new();
    for file in files {
        let path = file.unwrap().path();
        assert_svg(&std::fs::read_to_string(&path).unwrap());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(names, ["histograms.svg", "reliability.svg", "roc.svg", "thresholds.svg"], "{what}");
}

#[test]
fn plots_are_written_for_every_benchmark() {
    for named in files::all() {
        let place = Place::new();
        // The plots show the name of the scores.
        write_scores(&place, &scores(named.texts));
        std::fs::rename(place.path("scores.txt"), place.path("a&b <c>.txt")).unwrap();
        named.bench(&place, &["--scores", "a&b <c>.txt", "--plots", "pictures", "--format", "json"]).json();
        assert_plots(&place, named.name);
    }
}

#[test]
fn quiet_prints_nothing_on_stderr() {
    let place = Place::new();
    let mut rows = aggrefact_rows();
    rows.push(Row { model: "Sphinx", ..rows[0].clone() });
    let output = files::aggrefact(&rows).bench_tiny(&place, &["--plots", "pictures", "--quiet"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
}
