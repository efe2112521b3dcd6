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
fn unknown_device_is_an_error() {
    let place = Place::new();
    for device in ["gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:0:0", "cpu:0", "metal"] {
        let output = place.run(["nli", "--device", device].iter().chain(&PAIR));
        let known = ["known are cpu, cuda and cuda:N", "is no number of a GPU"];
        assert!(known.iter().any(|known| output.stderr.contains(known)), "{}", output.stderr);
        assert_eq!((output.code, &output.stdout[..]), (2, ""));
    }
}

#[test]
fn dtype_of_another_device_is_an_error() {
    let place = Place::new();
    let error = place.run(["nli", "--dtype", "f16"].iter().chain(&PAIR)).error();
    let computes = if Precision::Bf16.is_supported() { "f32, bf16 and int8" } else { "f32 and int8" };
    assert!(error.contains(&format!("--dtype f16: the device cpu computes in {computes}")), "{error}");
    let bf16 = place.run(["nli", "--dtype", "bf16"].iter().chain(&PAIR));
    if Precision::Bf16.is_supported() {
        bf16.ok();
    } else {
        let error = bf16.error();
        assert!(error.contains("the processor has no instructions for bf16"), "{error}");
    }
}

/// Commands that load a model report it before they do anything else.
#[cfg(not(feature = "cuda"))]
#[test]
fn build_without_cuda_reports_it() {
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
            assert!(error.contains("feature `cuda`"), "{error}");
        }
    }
}

/// The emulation counts as a GPU.
#[cfg(feature = "cuda-emulation")]
#[test]
fn results_name_their_device() {
    let place = Place::new();
    let tiny = tiny();
    place.write("document.txt", "The cat sat on the mat.");
    let result = |device: &[&str]| {
        let flags = ["score", "document.txt", "document.txt", "--model", &tiny, "--format", "json", "-q"];
        place.run(flags.iter().chain(device)).json()
    };
    let (host, cuda) = (result(&["--device", "cpu", "--dtype", "f32"]), result(&["--device", "cuda"]));
    assert_eq!(host["models"]["nli"]["dtype"], "f32");
    assert!(host["models"]["nli"].get("device").is_none());
    assert_eq!(
        (&cuda["models"]["nli"]["dtype"], &cuda["models"]["nli"]["device"]),
        (&"f16".into(), &"cuda".into())
    );
    let score = |result: &serde_json::Value| crate::common::number(&result["score"]);
    assert!((score(&host) - score(&cuda)).abs() < 5e-3);
}
