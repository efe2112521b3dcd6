//! T5 against Python's `transformers`, on the fixtures of scripts/fixtures/make_t5.py.

use std::path::PathBuf;

use veridic_models::{DecoderRow, Encoded, T5, T5Config, Weights};

use crate::common::{TOLERANCE, fixture, floats, ids, json, largest_difference, list};

const MODELS: [&str; 7] = [
    "v1_0_relu_tied",
    "v1_0_relu_untied_f16",
    "v1_1_gated_gelu_untied",
    "v1_1_gated_gelu_tied_f16",
    "gelu_tied",
    "gated_silu_untied_resaved",
    "splitter",
];

fn folder(name: &str) -> PathBuf {
    fixture("t5").join(name)
}

pub(crate) fn load(name: &str, weights: &str) -> T5 {
    let folder = folder(name);
    let config = T5Config::parse(&std::fs::read(folder.join("config.json")).unwrap(), name).unwrap();
    T5::load(&config, &Weights::from_file(&folder.join(weights)).unwrap()).unwrap()
}

fn assert_close(got: &[f32], expected: &[f32], what: &str) {
    let difference = largest_difference(got, expected);
    assert!(difference < TOLERANCE, "{what}: {difference}");
}

/// Logits at each position of each sequence's decoder input, all sequences together.
pub(crate) fn logits(model: &T5, encoded: &Encoded, inputs: &[Vec<u32>]) -> Vec<Vec<Vec<f32>>> {
    let mut state = model.start(encoded).unwrap();
    let mut all = vec![Vec::new(); inputs.len()];
    let mut rows_of: Vec<usize> = (0..inputs.len()).collect();
    for position in 0..inputs.iter().map(Vec::len).max().unwrap() {
        // The rows of finished sequences are dropped.
        let unfinished: Vec<(usize, usize)> = rows_of
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, sequence)| inputs[*sequence].len() > position)
            .collect();
        let rows: Vec<DecoderRow> = unfinished
            .iter()
            .map(|(row, sequence)| DecoderRow { token: inputs[*sequence][position], continues: *row })
            .collect();
        rows_of = unfinished.iter().map(|(_, sequence)| *sequence).collect();
        let step = model.step(&mut state, &rows).unwrap().to_vec2::<f32>().unwrap();
        for (sequence, logits) in rows_of.iter().zip(step) {
            all[*sequence].push(logits);
        }
    }
    all
}

#[test]
fn states_and_logits_agree_with_transformers_single_and_batched() {
    for name in MODELS {
        let model = load(name, "model.safetensors");
        let expected = json(&folder(name).join("expected.json"));
        let cases = list(&expected["cases"]);
        let inputs: Vec<Vec<u32>> = cases.iter().map(|case| ids(&case["input_ids"])).collect();
        let decoder_inputs: Vec<Vec<u32>> =
            cases.iter().map(|case| ids(&case["decoder_input_ids"])).collect();
        let slices: Vec<&[u32]> = inputs.iter().map(Vec::as_slice).collect();
        let together = model.encode(&slices).unwrap();
        let states = together.states.to_vec2::<f32>().unwrap();
        let all_logits = logits(&model, &together, &decoder_inputs);
        for (index, case) in cases.iter().enumerate() {
            let what = format!("{name}, case {index}");
            let rows = ids(&case["encoder_rows"]);
            for (row, expected) in rows.iter().zip(list(&case["encoder_states"])) {
                let got = &states[together.offsets[index] + *row as usize];
                assert_close(got, &floats(expected), &format!("{what}, state {row}"));
            }
            let rows = ids(&case["logit_rows"]);
            for (row, expected) in rows.iter().zip(list(&case["logits"])) {
                let got = &all_logits[index][*row as usize];
                assert_close(got, &floats(expected), &format!("{what}, logits {row}"));
            }
            // A single sequence gives the same bits.
            let alone = model.encode(&slices[index..=index]).unwrap();
            let first = together.offsets[index];
            let same = &states[first..first + inputs[index].len()];
            assert_eq!(alone.states.to_vec2::<f32>().unwrap(), same, "{what}");
            let alone = logits(&model, &alone, &decoder_inputs[index..=index]);
            assert_eq!(alone[0], all_logits[index], "{what}");
        }
    }
}

#[test]
fn empty_sequences_unknown_ids_and_missing_rows_are_an_error() {
    let model = load("v1_0_relu_tied", "model.safetensors");
    assert!(model.encode(&[&[]]).is_err());
    assert!(model.encode(&[&[99_999]]).is_err());
    let encoded = model.encode(&[&[5, 6]]).unwrap();
    let mut state = model.start(&encoded).unwrap();
    assert!(model.step(&mut state, &[DecoderRow { token: 0, continues: 1 }]).is_err());
}
