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
