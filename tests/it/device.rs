//! `--device`: its values, and the errors for devices that are not available.
use crate::common::runs::{corpus, json_lines, with_a_broken_row};
use crate::common::{Place, tiny};
use insta::assert_snapshot;
use veridic_models::Precision;

const PAIR: [&str; 4] = ["--premise", "The cat sat on the mat.", "--hypothesis", "The cat sat."];

#[test]
fn default_device_is_the_cpu() {
    let place = Place::new();
    let tiny = tiny();
    let nli = |more: &[&str]| place.run(["nli", "--model", &tiny].iter().chain(&PAIR).chain(more)).ok();
    assert_eq!(nli(&[]), nli(&["--device", "cpu"]));
}

#[test]
fn unsupported_dtypes_are_an_error() {
    let place = Place::new();
    let f16 = ["nli --premise A. --hypothesis B. --dtype f16"];
    assert_snapshot!(place.refusals(&f16), @"
    nli --premise A. --hypothesis B. --dtype f16
        --dtype f16: no dtype `f16` (did you mean `bf16`?): known are auto, f32, int8, bf16
    ");
    let bf16 = place.run(["nli", "--dtype", "bf16", "--model", &tiny()].iter().chain(&PAIR));
    if Precision::Bf16.is_supported() {
        bf16.ok();
    } else {
        bf16.clear_error(&["the processor has no instructions for bf16"]).unwrap();
    }
}

/// The GPUs' code on the processor gives the same probabilities, and verdicts, in f32.
#[test]
fn networks_on_candle_agree_with_the_fused_ones() {
    let place = Place::new();
    let tiny = tiny();
    let entailment = |device: &str| {
        let fixed = ["nli", "--model", &tiny, "--dtype", "f32", "--format", "json", "--device", device];
        place.run(fixed.iter().chain(&PAIR)).json()["entailment"].as_f64().unwrap()
    };
    assert!((entailment("cpu") - entailment("cpu-candle")).abs() < 1e-4);
    let int8 = ["nli --premise A. --hypothesis B. --dtype int8 --device cpu-candle"];
    assert_snapshot!(place.refusals(&int8), @"
    nli --premise A. --hypothesis B. --dtype int8 --device cpu-candle
        --dtype int8: cpu-candle computes in f32 or bf16
    ");
}

/// On a device several batches are judged at once; rows stay in order, and verdicts are those of the processor.
#[test]
fn a_run_on_a_device_writes_the_rows_of_a_run_on_the_processor() {
    let place = Place::new();
    place.write("rows.jsonl", with_a_broken_row(&corpus(31, 300, 2)) + &json_lines(&corpus(7, 40, 2)));
    let rows = |device: &str| {
        let output = format!("{device}.jsonl");
        place.judge("rows.jsonl", &output, &["--dtype", "f32", "--device", device, "--quiet"]);
        place.json_rows(&output)
    };
    let (cpu, candle) = (rows("cpu"), rows("cpu-candle"));
    assert_eq!((cpu.len(), candle.len()), (341, 341));
    for (cpu, candle) in cpu.iter().zip(&candle) {
        assert_eq!((&cpu["id"], &cpu["verdict"]), (&candle["id"], &candle["verdict"]));
        assert_eq!(cpu["error"].is_null(), candle["error"].is_null(), "{candle}");
        let score = |row: &serde_json::Value| row["score"].as_f64().unwrap_or(0.0);
        assert!((score(cpu) - score(candle)).abs() < 1e-4, "{candle}");
    }
}

/// Commands that load a model report the error before doing anything else.
#[test]
fn other_devices_are_refused() {
    let place = Place::new();
    let devices = ["cuda", "cuda:3", "metal", "gpu", "cpu:0", "CPU", "\"\""];
    let commands = devices.map(|device| format!("nli --premise A. --hypothesis B. --device {device}"));
    let told = place.refusals(&commands);
    assert_snapshot!("devices", told);
    let message = told.lines().find(|line| line.starts_with("    --device gpu")).unwrap();
    for command in ["score d.txt d.txt", "run rows.jsonl -o out.jsonl", "models check mini"] {
        place.write("d.txt", "The cat sat.");
        place.write("rows.jsonl", "{\"document\":\"The cat sat.\",\"summary\":\"The cat sat.\"}\n");
        let told = place.refusals(&[format!("{command} --device gpu")]);
        assert_eq!(told.lines().nth(1), Some(message), "{command}");
    }
}
