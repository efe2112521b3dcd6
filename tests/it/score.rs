//! `score` for people and programs: text, JSON, exit codes, standard input, notes. The scores themselves are tested in
//! profiles.rs, long texts in limits.rs, bad input in bad_input.rs.
use crate::common;
use std::process::Command;

use crate::common::messages::rounded;
use crate::common::{
    Output, Place, article, assert_spans, binary, list, number, summary, test_each, tiny, with_tiny,
};
use insta::assert_snapshot;
use serde_json::Value;

const ESCAPE: char = '\u{1b}';

fn files(place: &Place) {
    place.write("document.txt", article());
    place.write("summary.txt", summary());
}

fn score_text(place: &Place, more: &[&str]) -> Output {
    files(place);
    place.run_tiny(&[&["score", "document.txt", "summary.txt"], more].concat())
}

fn score_json(place: &Place, more: &[&str]) -> Value {
    place.score_tiny(&article(), &summary(), more).json()
}

#[test]
fn text_shows_each_claim_with_verdict_score_level_and_evidence() {
    let place = Place::new();
    let text = score_text(&place, &["--dtype", "f32"]).ok();
    assert_snapshot!("text", place.plain(&text));
}

/// Runs a shell's command on a terminal of `columns`; `None` if util-linux's `script` is missing.
fn on_terminal(place: &Place, command: &str, columns: usize, environment: &[(&str, &str)]) -> Option<String> {
    files(place);
    let inner = format!("stty rows 40 cols {columns}; {command}");
    let mut script = Command::new("script");
    script.args(["-qec", &inner, "/dev/null"]).current_dir(place.folder.path());
    script.env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(environment.iter().copied());
    let Ok(output) = script.output() else {
        eprintln!("skipped: there is no `script` command that provides a terminal");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// `score` with the tiny model and further arguments, as a shell's command.
fn score_command(more: &str) -> String {
    format!("'{}' score --model '{}' {more} document.txt summary.txt", binary().display(), tiny())
}

const EXPLAINED: &str = "-q --explain --set screen=words:8";

#[test]
fn text_is_coloured_on_a_terminal_unless_no_color_is_set() {
    let (place, command) = (Place::new(), score_command(EXPLAINED));
    let Some(plain) = on_terminal(&place, &command, 80, &[]) else { return };
    assert!(plain.contains("\u{1b}["), "{plain:?}");
    let bare = on_terminal(&place, &command, 80, &[("NO_COLOR", "1")]).unwrap();
    assert!(!bare.contains(ESCAPE), "{bare:?}");
}

#[test]
fn lines_wrap_at_the_width_of_the_terminal_only() {
    let (place, command) = (Place::new(), score_command(EXPLAINED));
    let text = |columns| on_terminal(&place, &command, columns, &[("NO_COLOR", "1")]);
    let Some(narrow) = text(50) else { return };
    let widest = |text: &str| text.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
    let wide = text(120).unwrap();
    assert!(widest(&narrow) <= 50 && (51..=120).contains(&widest(&wide)), "{narrow}\n{wide}");
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&narrow), words(&wide), "wrapping loses nothing");
    let piped = score_text(&place, &["--explain"]).ok();
    assert_eq!(words(&piped), words(&narrow));
    let evidence = piped.lines().filter(|line| line.starts_with("    best "));
    assert_eq!(evidence.count(), 3, "a line each: {piped}");
    assert!(widest(&piped) > 120, "{piped}");
}

/// The middle of a window was omitted, and the deciding sentence with it.
#[test]
fn a_window_is_shown_by_the_sentences_that_hold_the_claims_words() {
    let place = Place::new();
    let filler = "Nobody who stood there that morning had anything to say about it at all. ".repeat(4);
    place.write("document.txt", format!("{filler}The bakery opened in 1962. {filler}"));
    place.write("summary.txt", "The bakery opened in 1962.");
    let more = ["--set", "levels=document", "--model", &tiny()];
    let text = place.run(["score", "document.txt", "summary.txt"].iter().chain(&more)).ok();
    assert!(text.contains("]: … The bakery opened in 1962. …\n"), "{text}");
}

/// "0/1 rows, 103 pairs" was shown and erased.
#[test]
fn score_shows_no_progress_of_a_corpus() {
    let place = Place::new();
    let command = score_command("--set screen=off >out.txt");
    let Some(output) = on_terminal(&place, &command, 80, &[]) else { return };
    assert_eq!(output, "", "stderr is a terminal");
    assert!(place.read("out.txt").starts_with("score "));
}

/// With numbers of two digits, which are the same on every machine.
#[test]
fn json_is_one_line_with_every_field_of_the_schema() {
    let place = Place::new();
    let stdout = place.score_tiny(&article(), &summary(), &["--dtype", "f32"]).ok();
    assert!(stdout.ends_with('\n') && stdout.lines().count() == 1, "{stdout:?}");
    let result = serde_json::from_str(&stdout).unwrap();
    assert_spans(&result, &article(), &summary());
    assert_snapshot!("json", place.plain(&rounded(&result)));
}

#[test]
fn spans_count_characters_of_the_files_as_given() {
    let place = Place::new();
    let document =
        "\r\n  Zoë’s café opened. 🙂 The cafe\u{301} closed at nine.\r\n\r\n猫坐在垫子上。 The dog sat.\r\n";
    let summary = "\t🎉 Zoë’s café\u{301} opened in 👩‍👩‍👧 1962.\r\nThe dog sat. \n";
    for window in ["1", "2", "5"] {
        let result = place.score_tiny(document, summary, &["--set", &format!("window={window}")]).json();
        assert_spans(&result, document, summary);
        for claim in list(&result["claims"]) {
            let text = claim["text"].as_str().unwrap();
            assert_eq!(text.trim(), text, "a claim has no space at its ends");
            let evidence = claim["evidence"]["text"].as_str().unwrap();
            assert_eq!(evidence.trim(), evidence, "evidence has no space at its ends");
        }
    }
}

#[test]
fn the_score_is_the_lowest_of_its_claims_or_their_mean() {
    let place = Place::new();
    let scores = |result: &Value| -> Vec<f64> {
        list(&result["claims"]).iter().map(|claim| number(&claim["score"])).collect()
    };
    let result = score_json(&place, &[]);
    assert_eq!(number(&result["score"]), scores(&result).into_iter().fold(1.0, f64::min), "{result}");
    for more in [["--set", "over_claims=mean"], ["--profile", "paper"], ["--profile", "released"]] {
        let result = score_json(&place, &more);
        let scores = scores(&result);
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!((number(&result["score"]) - mean).abs() < 1e-6, "{more:?}: {result}");
    }
}

#[test]
fn fail_under_exits_with_1_below_the_score_and_still_prints() {
    let place = Place::new();
    let score = score_json(&place, &[])["score"].to_string();
    for (limit, code) in [("1", 1), ("0.99", 1), ("0", 0), (score.as_str(), 0)] {
        let output = score_text(&place, &["--fail-under", limit]);
        assert_eq!(output.code, code, "--fail-under {limit}: {}", output.stderr);
        assert!(output.stdout.contains(common::CLAIMS[0]));
    }
}

#[test]
fn corrected_summary_is_the_only_thing_on_stdout_and_as_given_without_corrections() {
    let place = Place::new();
    place.write("document.txt", article());
    for text in ["\u{feff}The pool closes \u{1f309}.\r\n\n", "The pool closes."] {
        place.write("summary.txt", text);
        let score = |more: &[&str]| {
            place.run_tiny(
                &[&["score", "document.txt", "summary.txt", "--format", "corrected"], more].concat(),
            )
        };
        let output = score(&[]);
        assert!(
            output.stderr.contains("note: nothing corrected: 1 claim is not supported"),
            "{}",
            output.stderr
        );
        assert_eq!(output.ok(), text);
        let output = score(&["--quiet", "--fail-under", "1"]);
        assert_eq!((output.code, &*output.stdout, &*output.stderr), (1, text, ""));
    }
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let place = Place::new();
    let by_file = score_json(&place, &[]);
    for (document, summary, stdin) in [("-", "summary.txt", article()), ("document.txt", "-", summary())] {
        let arguments = with_tiny(&["score", document, summary, "--format", "json"]);
        assert_eq!(place.run_with_stdin(&arguments, stdin.as_bytes()).json(), by_file);
    }
    let error = place.run_with_stdin(&with_tiny(&["score", "-", "-"]), b"The cat sat.").error();
    assert_snapshot!(error, @"veridic: only one of document and summary can be read from standard input");
}

#[test]
fn only_the_given_level_is_computed() {
    let place = Place::new();
    for (level, premises) in [("sentence", 7), ("window", 5), ("document", 1)] {
        let result = score_json(
            &place,
            &[
                "--set",
                &format!("levels={level}"),
                "--set",
                "window=3",
                "--set",
                "epsilon=0",
                "--set",
                "screen=off",
            ],
        );
        assert_eq!(result["ledger"]["premises"], premises * 3, "{level}");
        for claim in list(&result["claims"]) {
            assert_eq!(claim["level"], level);
        }
    }
    let two = score_json(
        &place,
        &["--set", "levels=sentence,document", "--set", "epsilon=0", "--set", "screen=off"],
    );
    assert_eq!(two["ledger"]["premises"], (7 + 1) * 3);
}

#[cfg(feature = "bundled")]
mod bundled {
    use super::*;

    #[test]
    fn one_note_names_the_small_model_unless_quiet() {
        let place = Place::new();
        files(&place);
        place.write("rows.jsonl", "{\"document\":\"The cat sat.\",\"summary\":\"It sat.\"}\n");
        let nli = ["nli", "--premise", "The cat sat.", "--hypothesis", "It sat.", "--model", "mini"];
        let score = ["score", "document.txt", "summary.txt", "--set=levels=sentence", "--model", "mini"];
        let run = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", "mini"];
        test_each([&nli[..], &score, &run], |command| {
            let output = place.run(command);
            let notes: Vec<&str> = output.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
            assert_snapshot!("note_of_mini", notes.join("\n"));
            assert!(command[0] == "run" || output.stderr.lines().count() == 1, "{}", output.stderr);
            output.ok();
        });
        let quiet = place.run([&nli[..], &["--quiet"]].concat());
        assert_eq!((quiet.stderr.as_str(), quiet.stdout), ("", place.run(nli).stdout));
        assert_eq!(score_text(&place, &[]).stderr, "", "another model needs no note");
    }

    /// Every claim had a line "weighed: sentence entailment 0.88 (+0.2)".
    #[test]
    fn explain_shows_the_models_part_in_words() {
        let place = Place::new();
        files(&place);
        let score = ["score", "document.txt", "summary.txt", "-q", "--model", "mini", "--explain"];
        assert_snapshot!("explained", place.run(score).ok());
    }
}

#[test]
fn claims_have_the_judges_probability_unless_the_rules_are_changed() {
    let place = Place::new();
    let plain = score_json(&place, &[]);
    assert_eq!(
        (&plain["profile"]["over_claims"], &plain["limits"]["scale"]),
        (&"minimum".into(), &"probability".into())
    );
    for claim in list(&plain["claims"]) {
        assert!((0.0..=1.0).contains(&number(&claim["score"])), "{claim}");
        assert!(claim["support"]["not_found"].is_array() && claim["support"]["vetoes"].is_array(), "{claim}");
        let entailment = number(&claim["probabilities"]["entailment"]);
        let expected = claim["cap"].as_str().map_or(entailment, |cap| number(&plain["limits"][cap]));
        assert!((number(&claim["score"]) - expected).abs() < 1e-6 && expected <= entailment, "{claim}");
    }
    let caps = ["--set", "quantity_nowhere=off", "--set", "date_nowhere=off", "--set", "instead=off"];
    let rules = [("e", "none"), ("e-t", "contradiction"), ("e-n", "neutral")];
    test_each(rules, |(rule, by)| {
        let changed = score_json(&place, &[&caps[..], &["--set", &format!("score={rule}")]].concat());
        assert_ne!(changed["profile"]["digest"], plain["profile"]["digest"]);
        for claim in list(&changed["claims"]) {
            let probabilities = &claim["probabilities"];
            let less = if by == "none" { 0.0 } else { number(&probabilities[by]) };
            let expected = number(&probabilities["entailment"]) - less;
            assert!((number(&claim["score"]) - expected).abs() < 1e-6, "{claim}");
            assert_eq!(claim["cap"], Value::Null);
        }
    });
}

#[test]
fn results_have_the_dtype_of_the_model() {
    use veridic_models::Precision::{self, Bf16, F32, Int8};
    let fastest = if Bf16.is_supported() { Bf16 } else { F32 };
    let asked: [(&[&str], Precision); 4] =
        [(&[], fastest), (&["--dtype=auto"], fastest), (&["--dtype=f32"], F32), (&["--dtype=int8"], Int8)];
    for (more, expected) in asked {
        let result = Place::new().score_tiny("The cat sat.", "The cat sat.", more);
        let model = &result.json()["models"]["nli"];
        assert_eq!(model["dtype"], expected.name());
        assert_eq!(model["unit"].as_str(), expected.unit(), "{model}");
    }
}
