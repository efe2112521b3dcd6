//! T5 on a GPU (or its emulation) against the network on the host, which tests/it/t5.rs, tests/it/t5_judges.rs and tests/it/t5_generation.rs
//! compare with Python's `transformers` on the same fixtures.

use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_kernels::cuda::{Cuda, Dtype};

use super::super::{T5, T5Config, T5JudgeConfig};
use super::{DecoderRow, T5OnCuda};
use crate::classifier::NetworkConfig;
use crate::device::Device;
use crate::generation::GenerationOptions;
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// Largest difference of a logit, relative to the largest one, that is attributed to f16.
const TOLERANCE: f32 = 6e-3;

const MODELS: [&str; 5] =
    ["v1_0_relu_tied", "v1_1_gated_gelu_untied", "gelu_tied", "gated_silu_untied_resaved", "splitter"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/t5").join(name)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn load(name: &str) -> (T5, T5OnCuda) {
    let folder = folder(name);
    let config = T5Config::parse(&std::fs::read(folder.join("config.json")).unwrap(), name).unwrap();
    let weights = || Weights::from_file(&folder.join("model.safetensors")).unwrap();
    let cuda = Cuda::open(0, Dtype::F16).expect("feature `cuda-emulation`, or a GPU");
    (T5::load(&config, &weights()).unwrap(), T5OnCuda::load(cuda, &config, &weights()).unwrap())
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// Logits at six positions, with the sequences of all cases encoded together.
#[test]
fn logits_agree_with_the_host() {
    for name in MODELS {
        let (host, cuda) = load(name);
        let expected = json(&folder(name).join("expected.json"));
        let cases: Vec<Vec<u32>> =
            expected["cases"].as_array().unwrap().iter().map(|case| ids(&case["input_ids"])).collect();
        let sequences: Vec<&[u32]> = cases.iter().map(Vec::as_slice).collect();
        let encoded = host.encode(&sequences).unwrap();
        let mut on_host = host.start(&encoded).unwrap();
        let mut on_cuda = cuda.decoder.start(&cuda.cuda, &cuda.encode(&sequences).unwrap()).unwrap();
        for position in 0..6 {
            let token = |row: usize| if position == 0 { 0 } else { 3 + (position * 7 + row) as u32 };
            // At the third step the rows are reversed; from the fourth on, a second row continues the first.
            let continues = |row: usize| if position == 2 { sequences.len() - 1 - row } else { row };
            let mut rows: Vec<DecoderRow> = (0..sequences.len())
                .map(|row| DecoderRow { token: token(row), continues: continues(row) })
                .collect();
            if position >= 3 {
                rows.push(DecoderRow {
                    token: 9,
                    continues: if position == 3 { 0 } else { sequences.len() },
                });
            }
            let a: Vec<Vec<f32>> = host.step(&mut on_host, &rows).unwrap().to_vec2().unwrap();
            let b = cuda.step(&mut on_cuda, &rows).unwrap();
            let largest = a.iter().flatten().fold(0f32, |largest, x| largest.max(x.abs()));
            let apart = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0f32, f32::max) / largest;
            assert!(apart < TOLERANCE, "{name}, position {position}: {apart}");
        }
    }
}

/// The trained fixture: greedy and beam search, batched and single.
#[test]
fn outputs_equal_those_of_the_host() {
    let (host, cuda) = load("splitter");
    let config = std::fs::read(folder("splitter").join("config.json")).unwrap();
    let cases = json(&folder("").join("generation.json"));
    let inputs: Vec<Vec<u32>> = cases["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["model"] == "splitter")
        .flat_map(|case| case["inputs"].as_array().unwrap().iter().map(ids))
        .take(3)
        .collect();
    assert_eq!(inputs.len(), 3);
    let sequences: Vec<&[u32]> = inputs.iter().map(Vec::as_slice).collect();
    for beams in [1, 3] {
        let given = format!("{{\"num_beams\":{beams},\"max_new_tokens\":40}}");
        let options = GenerationOptions::parse(Some((given.as_bytes(), "given")), (&config, "config.json"));
        let options = options.unwrap();
        let expected = host.generate(&options, &sequences).unwrap();
        let got = cuda.generate(&options, &sequences).unwrap();
        let tokens = |outputs: &[crate::generation::Output]| -> Vec<Vec<u32>> {
            outputs.iter().map(|output| output.tokens.clone()).collect()
        };
        assert!(expected.iter().any(|output| output.tokens.len() > 10), "{expected:?}");
        assert_eq!(tokens(&got), tokens(&expected), "{beams} beams");
        let alone = cuda.generate(&options, &sequences[1..2]).unwrap();
        assert_eq!(alone[0], got[1]);
    }
    assert!(
        cuda.generate(&GenerationOptions::parse(None, (&config, "config.json")).unwrap(), &[&[]]).is_err()
    );
}

/// What a head for unsupported words reads.
#[test]
fn states_before_the_last_layer_agree_with_the_host() {
    let folder = folder("").join("../t5_judges/tokens");
    let config = std::fs::read(folder.join("config.json")).unwrap();
    let config = T5JudgeConfig::parse(&config, "config.json", None).unwrap();
    let weights = Weights::from_file(&folder.join("model.safetensors")).unwrap();
    let sequences: [&[u32]; 3] = [&[5, 9, 7, 1], &[1], &[3; 70]];
    let batch = PackedBatch::from_sequences(sequences.map(|ids| (ids, &[0; 70][..ids.len()])));
    let [host, cuda] = [Device::Host, Device::cuda(0).unwrap()].map(|device| {
        let precision = device.usual_precision();
        config.classifier(&weights, &device, precision).unwrap().before_last(&batch).unwrap()
    });
    assert_eq!(host.len(), cuda.len());
    let largest = host.iter().fold(0f32, |largest, x| largest.max(x.abs()));
    let apart = host.iter().zip(&cuda).map(|(a, b)| (a - b).abs()).fold(0f32, f32::max) / largest;
    assert!(apart < TOLERANCE, "{apart}");
}
