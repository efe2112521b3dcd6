//! Errors on misspelt names suggest the nearest one.
use crate::common::Place;
use insta::assert_snapshot;

/// A place with the files that the command lines name.
fn place() -> Place {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    place.write("rows.txt", "{}");
    place.write("rows.jsonl", "[1]");
    place.write("other.jsonl", r#"{"text":"The cat sat.","score":0.5}"#);
    place
}

/// Also in errors of the argument parser and of other commands. Distant names get no suggestion.
#[test]
fn misspelt_name_suggests_the_nearest() {
    let scores = [
        "--model deberta-lage",
        "--model minny",
        "--model fenise",
        "--model gpt-4",
        "--claims t5=t5-claim",
        "--claims sentences",
        "--coref fcoref",
        "--coref rule",
        "--coref spacy",
        "--profile papr",
        "--dtype int-8",
    ];
    let mut commands = scores.map(|more| format!("score d.txt d.txt {more}")).to_vec();
    let others = [
        "models pull deberta-bse --offline",
        "models info factgc",
        "models check cross-smal",
        "calibrate scores.jsonl",
    ];
    commands.extend(others.map(str::to_owned));
    assert_snapshot!("suggestions", place().refusals(&commands));
}

/// Errors named arguments by their keys, such as `input_format`, which no command accepts.
#[test]
fn messages_name_flags_as_they_are_typed() {
    let commands = [
        "run rows.txt -o x.jsonl",
        "run other.jsonl -o x.jsonl --on-error fail",
        "run other.jsonl -o x.dat",
        "run rows.jsonl -o x.jsonl --on-error fail",
        "run rows.jsonl -o x.jsonl --shard 4/3",
    ];
    assert_snapshot!("flags", place().refusals(&commands));
}

/// Flags of other programs, and arguments that are missing.
#[test]
fn an_unknown_or_missing_argument_says_what_to_give_instead() {
    let commands = [
        "score d.txt",
        "score --source d.txt",
        "score d.txt d.txt --json",
        "score d.txt d.txt -o x.json",
        "score d.txt d.txt --output=x.json",
        "score d.txt d.txt --threshold 0.6",
        "run other.jsonl -o x.jsonl --threshold=0.6",
        "run other.jsonl -o x.jsonl --json",
        "serve --port 80",
        "serve --host localhost",
    ];
    assert_snapshot!("instead", place().refusals(&commands));
}

#[test]
fn a_summary_longer_than_the_document_is_noted() {
    let place = place();
    place.write("long.txt", "The cat sat on the mat. The dog did not like it at all.");
    let note = "the document comes first";
    assert!(place.run_tiny(&["score", "d.txt", "long.txt"]).stderr.contains(note));
    assert!(!place.run_tiny(&["score", "long.txt", "d.txt"]).stderr.contains(note));
}
