//! `--device`: what it takes, and what is said where the device is not there.
use crate::common::{Place, tiny};
use veridic_models::Precision;

const PAIR: [&str; 4] = ["--premise", "The cat sat on the mat.", "--hypothesis", "The cat sat."];

#[test]
fn the_cpu_is_what_is_taken_by_itself() {
    let place = Place::new();
    let tiny = tiny();
    let nli = |more: &[&str]| place.run(["nli", "--model", &tiny].iter().chain(&PAIR).chain(more)).ok();
    assert_eq!(nli(&[]), nli(&["--device", "cpu"]));
}

#[test]
fn an_unknown_device_is_refused() {
    let place = Place::new();
    for device in ["gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0:0", "cpu:0", "metal:1"] {
        let output = place.run(["nli", "--device", device].iter().chain(&PAIR));
        let known = ["known are cpu, cuda, cuda:N and metal", "is no number of a GPU"];
        assert!(known.iter().any(|known| output.stderr.contains(known)), "{}", output.stderr);
        assert_eq!((output.code, &output.stdout[..]), (2, ""));
    }
}

#[test]
fn numbers_of_another_device_are_refused() {
    let place = Place::new();
    let error = place.run(["nli", "--dtype", "f16"].iter().chain(&PAIR)).error();
    let computes = if Precision::Bf16.is_supported() { "f32, bf16 and int8" } else { "f32 and int8" };
    assert!(error.contains(&format!("--device cpu: it computes in {computes}, not in f16")), "{error}");
    let bf16 = place.run(["nli", "--dtype", "bf16"].iter().chain(&PAIR));
    if Precision::Bf16.is_supported() {
        bf16.ok();
    } else {
        let error = bf16.error();
        assert!(error.contains("not in bf16: its processor has"), "{error}");
    }
}

/// Commands that load a model say so before they do anything else.
#[cfg(not(feature = "cuda"))]
#[test]
fn a_build_without_cuda_says_so() {
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
        for (device, number) in [("cuda", "0"), ("cuda:3", "3")] {
            let error = place.run(command.iter().copied().chain(["--device", device])).error();
            assert!(error.contains(&format!("--device cuda:{number}: this build has no CUDA")), "{error}");
            assert!(error.contains("--features cuda"), "{error}");
        }
    }
}

#[cfg(not(feature = "metal"))]
#[test]
fn a_build_without_metal_says_so() {
    let error = Place::new().run(["nli", "--device", "metal"].iter().chain(&PAIR)).error();
    assert!(error.contains("--device metal: this build has no Metal"), "{error}");
    assert!(error.contains("--features metal"), "{error}");
}

/// The emulation is a GPU to everything around it.
#[cfg(feature = "cuda-emulation")]
#[test]
fn results_say_where_they_were_computed() {
    let place = Place::new();
    let tiny = tiny();
    place.write("document.txt", "The cat sat on the mat.");
    let result = |device: &str| {
        let flags = ["--model", &tiny, "--device", device, "--format", "json", "-q"];
        place.run(["score", "document.txt", "document.txt"].iter().chain(&flags)).json()
    };
    let (host, cuda) = (result("cpu"), result("cuda"));
    assert_eq!(host["models"]["nli"]["dtype"], "f32");
    assert!(host["models"]["nli"].get("device").is_none());
    assert_eq!(
        (&cuda["models"]["nli"]["dtype"], &cuda["models"]["nli"]["device"]),
        (&"f16".into(), &"cuda".into())
    );
    let score = |result: &serde_json::Value| common::number(&result["score"]);
    assert!((score(&host) - score(&cuda)).abs() < 5e-3);
}
