//! Errors on misspelt names suggest the nearest one.
use crate::common::{Place, tiny};

#[test]
fn misspelt_name_suggests_the_nearest() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    place.write("s.txt", "The cat sat.");
    let tiny = tiny();
    let cases: &[(&[&str], &str)] = &[
        (&["--model", "deberta-lage"], "deberta-large"),
        (&["--model", "minny"], "mini"),
        (&["--model", "fenise"], "fenice"),
        (&["--model", &tiny, "--claims", "t5=t5-claim"], "t5-claims"),
        (&["--model", &tiny, "--coref", "fcoref"], "f-coref"),
        (&["--model", &tiny, "--coref", "rule"], "rules"),
    ];
    for (more, name) in cases {
        let error = place.run(["score", "d.txt", "s.txt"].iter().chain(*more)).error();
        assert!(error.contains(&format!("(did you mean `{name}`?)")), "{more:?}: {error}");
    }
    // Errors of the argument parser and of other commands.
    let others: &[(&[&str], &str)] = &[
        (&["score", "d.txt", "s.txt", "--claims", "sentences"], "sentence"),
        (&["score", "d.txt", "s.txt", "--profile", "papr"], "paper"),
        (&["score", "d.txt", "s.txt", "--dtype", "int-8"], "int8"),
        (&["score", "d.txt", "s.txt", "--profile", "papr"], "paper"),
        (&["models", "pull", "deberta-bse", "--offline"], "deberta-base"),
        (&["models", "info", "factgc"], "factcg"),
        (&["models", "check", "cross-smal"], "cross-small"),
    ];
    for (command, name) in others {
        let output = place.run(*command);
        assert_eq!(output.code, 2, "{command:?}");
        let suggests = output.stderr.contains("did you mean") || output.stderr.contains("tip: ");
        assert!(suggests && output.stderr.contains(name), "{command:?}: {}", output.stderr);
    }
}

/// Errors named arguments by their keys, such as `input_format`, which no command accepts.
#[test]
fn messages_name_flags_as_they_are_typed() {
    let place = Place::new();
    place.write("rows.txt", "{}");
    place.write("rows.jsonl", "[1]");
    place.write("other.jsonl", r#"{"text":"The cat sat.","score":0.5}"#);
    place.write("d.txt", "The cat sat.");
    let tiny = tiny();
    let cases: &[(&[&str], &str)] = &[
        (&["run", "rows.txt", "-o", "x.jsonl"], "set --input-format (jsonl"),
        (
            &["run", "other.jsonl", "-o", "x.jsonl", "--model", &tiny, "--on-error", "fail"],
            "name it in --document-field",
        ),
        (&["run", "other.jsonl", "-o", "x.dat"], "or set --output-format"),
        (
            &["run", "rows.jsonl", "-o", "x.jsonl", "--model", &tiny, "--on-error", "fail"],
            "set --input-format to json",
        ),
    ];
    for (arguments, part) in cases {
        let error = place.run(*arguments).error();
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
}

#[test]
fn distant_names_get_no_suggestion() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    place.write("s.txt", "The cat sat.");
    for more in [["--model", "gpt-4"], ["--coref", "spacy"]] {
        let error = place.run(["score", "d.txt", "s.txt"].iter().chain(&more)).error();
        assert!(!error.contains("did you mean"), "{error}");
    }
}

#[test]
fn where_benchmarks_are_is_told() {
    let output = Place::new().run(["calibrate", "scores.jsonl"]);
    assert_eq!(output.code, 2);
    let (unknown, where_it_is) = ("unrecognized subcommand 'calibrate'", "are in the program veridic-bench");
    assert!(output.stderr.contains(unknown) && output.stderr.contains(where_it_is), "{}", output.stderr);
}
