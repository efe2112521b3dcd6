//! `--device`: its values, and the errors for devices that are not available.
use crate::common::{Place, tiny};
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
    let error = place.run(["nli", "--dtype", "f16"].iter().chain(&PAIR)).error();
    assert!(error.contains("auto, f32, int8, bf16"), "{error}");
    let bf16 = place.run(["nli", "--dtype", "bf16"].iter().chain(&PAIR));
    if Precision::Bf16.is_supported() {
        bf16.ok();
    } else {
        let error = bf16.error();
        assert!(error.contains("the processor has no instructions for bf16"), "{error}");
    }
}

/// The GPUs' code on the processor gives the same probabilities, and verdicts, in f32.
#[test]
fn networks_on_candle_agree_with_the_fused_ones() {
    let place = Place::new();
    let tiny = tiny();
    let entailment = |device: &str| {
        let output = place
            .run(
                ["nli", "--model", &tiny, "--dtype", "f32", "--format", "json", "--device", device]
                    .iter()
                    .chain(&PAIR),
            )
            .ok();
        output.parse::<serde_json::Value>().unwrap()["entailment"].as_f64().unwrap()
    };
    assert!((entailment("cpu") - entailment("cpu-candle")).abs() < 1e-4);
    let error = place.run(["nli", "--dtype", "int8", "--device", "cpu-candle"].iter().chain(&PAIR)).error();
    assert!(error.contains("cpu-candle computes in f32 or bf16"), "{error}");
}

#[test]
fn a_gpu_that_the_program_was_not_built_for_names_the_feature() {
    let place = Place::new();
    for (device, feature) in [("cuda", "cuda"), ("cuda:3", "cuda"), ("metal", "metal")] {
        let error = place.run(["nli", "--device", device].iter().chain(&PAIR)).error();
        let expected = format!(
            "--device {device}: this program was built without it; build it with the feature `{feature}`, or use cpu"
        );
        assert!(error.contains(&expected), "{error}");
    }
}

/// Commands that load a model report the error before doing anything else.
#[test]
fn other_devices_are_refused() {
    let place = Place::new();
    place.write("document.txt", "The cat sat.");
    place.write("rows.jsonl", "{\"document\":\"The cat sat.\",\"summary\":\"The cat sat.\"}\n");
    let commands: [&[&str]; 4] = [
        &["nli", "--premise", "A cat.", "--hypothesis", "A cat."],
        &["score", "document.txt", "document.txt"],
        &["run", "rows.jsonl", "-o", "out.jsonl"],
        &["models", "check", "mini"],
    ];
    for command in commands {
        for device in ["gpu", "cpu:0", "CPU", ""] {
            let output = place.run(command.iter().copied().chain(["--device", device]));
            assert_eq!((output.code, &output.stdout[..]), (2, ""));
            let expected =
                format!("--device {device}: the devices are cpu, cpu-candle, cuda, cuda:N and metal");
            assert_eq!(output.stderr.matches(&expected).count(), 1, "{}", output.stderr);
            assert_eq!(output.stderr.trim().lines().count(), 1, "{}", output.stderr);
        }
    }
}
