use super::*;
use crate::benchmarks::longeval::{
    Corpus, Dimension, Label, LongEval, ScoredSetting, beside_grid, grid_lines,
};

const FACTUALITY: LongEval = LongEval { dimension: Dimension::Factuality };
const RELEVANCE: LongEval = LongEval { dimension: Dimension::Relevance };

/// In the format of `arxiv_benchmark.json`: consistency 1, 2, 3, 4 and relevance 2, 2, 2, 5 of two documents.
fn arxiv() -> String {
    let row = |number: usize| {
        let (document, relevance) = (number / 2, [2, 2, 2, 5][number]);
        format!(
            r#"{{"doc_id": "{document}", "system_id": "s{}", "system_output": "It is {number}.", "scores": {{"relevance": {relevance}, "consistency": {}}}, "source": "Paper {document}.<br />End.", "reference": "It is."}}"#,
            number % 2,
            number + 1
        )
    };
    format!("[{}]", (0..4).map(row).collect::<Vec<_>>().join(",\n"))
}

/// In the format of `squality_benchmark.json`: faithfulness 100, 50, 75.
fn squality() -> String {
    let row = |(number, faithfulness): (usize, f64)| {
        format!(
            r#"{{"doc_id": "{number}", "system_id": "bart", "source": "Story {number}.", "reference": "x", "system_output": "It is {number}.", "scores": {{"faithfulness": {faithfulness}}}}}"#
        )
    };
    format!("[{}]", [100.0, 50.0, 75.0].into_iter().enumerate().map(row).collect::<Vec<_>>().join(",\n"))
}

fn both(benchmark: LongEval) -> Reading<Label> {
    read_files(&benchmark, &[("squality_benchmark.json", squality()), ("arxiv_benchmark.json", arxiv())])
        .unwrap()
}

#[test]
fn file_name_gives_the_corpus() {
    let reading = both(FACTUALITY);
    let case = &reading.cases[3];
    assert_eq!(
        (case.label.corpus.name, case.label.rating.system.as_str(), case.label.rating.value),
        ("arXiv", "s0", 1.0)
    );
    assert_eq!((&*case.document, case.text.as_str()), ("Paper 0.\nEnd.", "It is 0."));
    assert_eq!(inputs(case).reference.as_deref(), Some("It is."));
    assert_eq!(
        (reading.cases[0].label.corpus.name, reading.cases[0].label.rating.value),
        ("SQuALITY", 100.0)
    );
    for (path, expected) in [
        ("x/gov_benchmark.json", Some("GovReport")),
        ("extract_benchmarks/pubmed_benchmark/lead_length-128.json", Some("PubMed")),
        ("benchmark.json", None),
    ] {
        assert_eq!(Corpus::of_path(path).map(|corpus| corpus.name), expected, "{path}");
    }
}

#[test]
fn correlations_match_hand_counts() {
    let reading = both(FACTUALITY);
    // SQuALITY: 0.9, 0.2, 0.8 for 100, 50, 75: in order. arXiv: 2, 1, 4, 3 for 1, 2, 3, 4.
    let scores = [0.9, 0.2, 0.8, 0.2, 0.1, 0.4, 0.3];
    let figures = FACTUALITY.figures(&reading.cases, &scores).unwrap();
    let [arxiv, squality] = figures["datasets"].list() else { panic!("{figures:?}") };
    let counts = ["summaries", "documents", "systems"].map(|name| value(&arxiv[name]));
    assert_eq!((arxiv["dataset"].text(), counts), ("arxiv", [4.0, 2.0, 2.0]));
    // Deviations of (2, 1, 4, 3) and (1, 2, 3, 4): -.5 * -1.5 + -1.5 * -.5 + 1.5 * .5 + .5 * 1.5 = 3, of 5.
    assert_near(&arxiv["pearson"], 0.6);
    assert_near(&arxiv["spearman"], 0.6);
    assert_near(&squality["spearman"], 1.0);
    let lines = FACTUALITY.show("this run", &figures).lines;
    let pearson = format!("{:.1}", 100.0 * value(&squality["pearson"]));
    assert_line(&lines, &format!("this run 60.0 60.0 - - - - {pearson} 100.0"));
    assert_line(&lines, "SummaC 32.0 32.0 39.0 38.0 51.0 55.0 18.0 24.0 published");
}

/// A setting without extracts' places.
fn setting(name: &str, budget: Option<usize>, scores: Vec<Option<f64>>) -> ScoredSetting {
    let (tokens, places) = (vec![1000; scores.len()], vec![vec![0.05, 0.95]; scores.len()]);
    ScoredSetting { name: name.to_owned(), budget, scores, tokens, places }
}

#[test]
fn grid_has_a_line_for_each_setting_and_picks_the_best() {
    let reading = both(FACTUALITY);
    // SQuALITY's three summaries, then arXiv's four.
    let up: Vec<Option<f64>> = reading.cases.iter().map(|case| Some(case.label.rating.value)).collect();
    let mixed = [0.9, 0.2, 0.8, 0.2, 0.1, 0.4, 0.3].map(Some).to_vec();
    let settings = [
        setting("whole", None, mixed.clone()),
        setting("lead 128", Some(128), vec![Some(0.5); 7]),
        setting("lead 1024", Some(1024), mixed),
        setting("nli 2048", Some(2048), up),
    ];
    let grid = FACTUALITY.grid(&reading.cases, &settings);
    let chosen = |choice: &Figures| ["dataset", "best", "within_1024"].map(|name| choice[name].cell());
    let chosen: Vec<_> = grid["choices"].list().iter().map(chosen).collect();
    assert_eq!(chosen, [["arxiv", "nli 2048", "lead 1024"], ["squality", "nli 2048", "lead 1024"]]);
    let settings = &grid["settings"];
    let cost = |name: &str| value(&settings[0]["costs"][0][name]);
    assert_eq!(["tokens", "cents"].map(cost), [1000.0, 3.0]);
    let places = &settings[2]["places"][0];
    let shares = [0, 9].map(|tenth| value(&places["shares"][tenth]));
    assert_eq!((places["dataset"].text(), shares), ("arxiv", [0.5, 0.5]));
    let lines = grid_lines(FACTUALITY, &grid);
    assert_line(&lines, "nli 2048 100.0 100.0 - - - - 100.0 100.0");
    assert_line(&lines, "lead 128 - - - - - - - -");
    let named = |start: &str| lines.iter().find(|line| line.starts_with(start)).unwrap();
    let r = format!("{:.1}", 100.0 * value(&settings[2]["figures"]["datasets"][1]["pearson"]));
    assert_line(&lines, &format!("best within 1,024 tokens 60.0 60.0 - - - - {r} 100.0"));
    assert_line(&lines, "best extract of each 100.0 100.0 - - - - 100.0 100.0");
    assert!(named("lead 1024").contains("60.0"), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("56.5") && line.starts_with("lead 1024")));
    assert_eq!(named("arXiv: best extract"), "arXiv: best extract nli 2048, within 1,024 tokens lead 1024");
    assert!(lines.iter().any(|line| line.starts_with("warning: lead 128: arXiv: all scores are 0.5")));
    assert_eq!(beside_grid(FACTUALITY, &grid).len(), 3);
    let paper = against_the_papers(&beside_grid(FACTUALITY, &grid), &RunSetUp::scored("words"));
    assert!(paper.iter().any(|line| line.starts_with("differs, all figures: of several extracts")));
}

#[test]
fn summaries_with_empty_extracts_are_left_out_of_their_setting() {
    let reading = both(FACTUALITY);
    // Of arXiv two summaries are left, of SQuALITY one, which has no correlation.
    let some = vec![None, Some(0.2), None, Some(0.1), None, None, Some(0.3)];
    let none = vec![None; 7];
    let grid = FACTUALITY
        .grid(&reading.cases, &[setting("lead 8", Some(8), some), setting("lead 1", Some(1), none)]);
    let [few, empty] = grid["settings"].list() else { panic!("{grid:?}") };
    let of_few = &few["figures"];
    assert_eq!((value(&few["left_out"]), values(&of_few["datasets"], "summaries")), (4.0, vec![2.0]));
    assert_near(&of_few["datasets"][0]["pearson"], 1.0);
    let warnings: Vec<String> = of_few.warnings().collect();
    assert!(warnings.iter().any(|warning| warning.contains("SQuALITY: holds one summary")));
    assert_eq!(
        warnings.last().unwrap(),
        "warning: left out: 4 of 7 summaries: empty extracts, or texts that failed"
    );
    let lists = (empty["figures"]["datasets"].list().len(), empty["costs"].list().len());
    assert_eq!((value(&empty["left_out"]), lists), (7.0, (0, 0)));
    assert_eq!([0, 1].map(|choice| grid["choices"][choice]["best"].text()), ["lead 8", ""]);
    assert!(
        grid_lines(FACTUALITY, &grid)
            .contains(&"SQuALITY: best extract none, within 1,024 tokens none".to_owned())
    );
}

#[test]
fn relevance_is_measured_in_two_corpora() {
    let reading = both(RELEVANCE);
    assert_eq!(reading.cases.len(), 4);
    assert_eq!(reading.left_out["SQuALITY, which has no relevance"], 3);
    let figures = RELEVANCE.figures(&reading.cases, &[0.1, 0.2, 0.3, 0.9]).unwrap();
    assert!(figures["datasets"][0]["pearson"].value().is_some());
    assert_eq!(RELEVANCE.about().published[0].columns.len(), 4);
    assert_line(&RELEVANCE.show("x", &figures).lines, "SummaC 9.0 8.0 5.0 4.0 published");
}

#[test]
fn bad_rows_are_errors() {
    for (from, to, words) in [
        ("\"source\"", "\"doc\"", "`source`|doc"),
        ("\"relevance\": 2, \"consistency\": 1", "\"fluency\": 2", "consistency|fluency"),
        ("\"consistency\": 1", "\"consistency\": \"high\"", "`consistency`|number"),
        ("\"scores\": {", "\"scores\": [], \"old\": {", "`scores`"),
        ("\"doc_id\"", "\"dataset\": \"cnn\", \"doc_id\"", "`dataset`|arxiv"),
    ] {
        assert_refused(&FACTUALITY, "arxiv_benchmark.json", &arxiv().replacen(from, to, 1), 1, words);
    }
    assert_refused(&FACTUALITY, "rows.json", &arxiv(), 1, "arxiv|`dataset`|file's name");
    let same = arxiv().replace("\"consistency\": ", "\"consistency\": 5, \"old\": ");
    let reading = read_file(&FACTUALITY, "arxiv.json", same).unwrap();
    let error = FACTUALITY.check(&reading.cases).unwrap_err().to_string();
    assert_eq!(error, "arXiv: factuality of all 4 summaries is 5");
}
