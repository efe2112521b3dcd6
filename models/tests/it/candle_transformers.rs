//! Our networks beside those of candle-transformers, a second reference of other authors than `transformers`. Where it
//! cannot compute a fixture, the test says why.

use std::fs;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, debertav2, modernbert, t5};
use serde_json::{Value, json};
use veridic_models::{
    DebertaConfig, ModelSource, PackedBatch, Precision, SequenceClassifier, TextEncoder, Weights,
};

use crate::common::{TOLERANCE, fixture, json, largest_difference, load_f32};

/// Token ids of a sequence.
fn ids(length: usize, vocabulary: usize) -> Vec<u32> {
    (0..length).map(|token| (3 + (token * token * 31 + token * 17) % (vocabulary - 3)) as u32).collect()
}

fn vocabulary(config: &Value) -> usize {
    config["vocab_size"].as_u64().unwrap() as usize
}

fn variables(folder: &Path) -> VarBuilder<'static> {
    let bytes = fs::read(folder.join("model.safetensors")).unwrap();
    VarBuilder::from_buffered_safetensors(bytes, DType::F32, &Device::Cpu).unwrap()
}

/// `(1, tokens)`
fn row(ids: &[u32]) -> Tensor {
    Tensor::new(ids, &Device::Cpu).unwrap().unsqueeze(0).unwrap()
}

fn values(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

#[track_caller]
fn assert_close(ours: &[f32], theirs: &[f32], what: &str) {
    let difference = largest_difference(ours, theirs);
    assert!(difference < TOLERANCE, "{what}: {difference}");
}

const LENGTHS: [usize; 5] = [1, 2, 7, 40, 200];

/// Not compared, because candle-transformers 0.11.1 lacks them: a convolution (`v2_conv_*`), tanh as an activation
/// (`absolute_512_scaled`, `c2p_only_clamped_64`), and a configuration without `type_vocab_size` (`absolute_4096_plain`).
#[test]
fn deberta_has_the_same_logits() {
    let names = [
        "relative_without_terms",
        "c2p_only_shared",
        "p2c_only_shared",
        "p2c_only_4096_distances",
        "v3_position_and_type_tables",
        "v3_string_pos_att",
        "bf16_narrow_embeddings",
    ];
    for name in names {
        for difference in deberta_differences(name) {
            assert!(difference < TOLERANCE, "{name}: {difference}");
        }
    }
}

/// With projections of their own for positions (`share_att_key` false), candle-transformers 0.11.1 differs from `transformers`,
/// with which we agree (`deberta.rs`). A version that agrees belongs into the test above.
#[test]
fn deberta_with_own_projections_of_positions_differs_from_candle_transformers() {
    let differences = deberta_differences("f16_own_projections");
    assert!(differences[0] < TOLERANCE && differences[1..].iter().all(|difference| *difference > 0.1));
}

/// The largest differences of our logits and theirs, for each of `LENGTHS`.
fn deberta_differences(name: &str) -> Vec<f32> {
    let folder = fixture("deberta").join(name);
    let config = json(&folder.join("config.json"));
    let theirs: debertav2::Config = serde_json::from_value(config.clone()).unwrap();
    let theirs = debertav2::DebertaV2SeqClassificationModel::load(
        variables(&folder).set_prefix("deberta"),
        &theirs,
        None,
    )
    .unwrap();
    let ours = DebertaConfig::parse(&serde_json::to_vec(&config).unwrap(), "config.json").unwrap();
    let weights = Weights::from_file(&folder.join("model.safetensors")).unwrap();
    let ours = SequenceClassifier::deberta(&ours, &weights, Precision::F32).unwrap();
    let difference = |length: usize| {
        let (ids, types) = (ids(length, vocabulary(&config)), vec![0; length]);
        let batch = PackedBatch::from_sequences([(&ids[..], &types[..])]);
        let theirs = theirs.forward(&row(&ids), Some(row(&types)), None).unwrap();
        largest_difference(&values(&ours.logits(&batch).unwrap()), &values(&theirs))
    };
    LENGTHS.map(difference).to_vec()
}

/// `other` is not compared: candle-transformers reads the kinds of layers only from `global_attn_every_n_layers`.
#[test]
fn modernbert_has_the_same_probabilities() {
    let folder = fixture("modernbert/published");
    let mut config = json(&folder.join("config.json"));
    // It has another name for the epsilon, and needs the labels both ways round.
    config["layer_norm_eps"] = config["norm_eps"].clone();
    let labels = config["id2label"].as_object().unwrap().iter();
    config["label2id"] = labels.map(|(id, label)| (label.as_str().unwrap().to_owned(), json!(id))).collect();
    let theirs: modernbert::Config = serde_json::from_value(config.clone()).unwrap();
    let theirs = modernbert::ModernBertForSequenceClassification::load(variables(&folder), &theirs).unwrap();
    let ours = load_f32("modernbert/published");
    for length in LENGTHS {
        let ids = ids(length, vocabulary(&config));
        let logits = ours.logits(&PackedBatch::of_one_type([&ids[..]])).unwrap().swap_remove(0);
        let logits = Tensor::new(&logits[..], &Device::Cpu).unwrap();
        let probabilities = candle_nn::ops::softmax(&logits, 0).unwrap();
        let theirs = theirs.forward(&row(&ids), &row(&vec![1; length])).unwrap();
        assert_close(&values(&probabilities), &values(&theirs), &format!("{length} tokens"));
    }
}

#[test]
fn bert_has_the_same_states() {
    let folder = fixture("bert/bert");
    let config = json(&folder.join("config.json"));
    let theirs: bert::Config = serde_json::from_value(config.clone()).unwrap();
    let theirs = bert::BertModel::load(variables(&folder), &theirs).unwrap();
    let ours = TextEncoder::load(&ModelSource::Folder(folder), None).unwrap();
    for length in LENGTHS {
        let ids = ids(length, vocabulary(&config));
        let states = ours.vectors(&[&ids]).unwrap().swap_remove(0);
        let theirs = theirs.forward(&row(&ids), &row(&vec![0; length]), None).unwrap();
        let ours: Vec<f32> = states.rows().flatten().copied().collect();
        assert_close(&ours, &values(&theirs), &format!("{length} tokens"));
    }
}

/// The steps that candle-transformers 0.11.1 computes as `transformers` does: its decoder has the encoder's buckets of distances,
/// which are others from a distance of 8 on.
const STEPS: usize = 8;

/// Two more differences: logits of tied embeddings are multiplied by the root of the width where `transformers` divides by it,
/// and embeddings that a configuration calls tied are tied even if the file has an output layer (`gated_silu_untied_resaved`, not
/// compared). It does not find the table of `gelu_tied`.
#[test]
fn t5_has_the_same_logits() {
    for name in ["v1_0_relu_tied", "v1_1_gated_gelu_untied", "splitter"] {
        let folder = fixture("t5").join(name);
        let config = json(&folder.join("config.json"));
        let theirs: t5::Config = serde_json::from_value(config.clone()).unwrap();
        let scale = if theirs.tie_word_embeddings { theirs.d_model as f32 } else { 1.0 };
        let mut theirs = t5::T5ForConditionalGeneration::load(variables(&folder), &theirs).unwrap();
        let ours = crate::t5::load(name, "model.safetensors");
        for length in LENGTHS {
            let ids = ids(length, vocabulary(&config));
            let written: Vec<u32> = ids.iter().rev().copied().cycle().take(STEPS).collect();
            let encoded = ours.encode(&[&ids]).unwrap();
            let ours = crate::t5::logits(&ours, &encoded, std::slice::from_ref(&written)).swap_remove(0);
            theirs.clear_kv_cache();
            let encoded = theirs.encode(&row(&ids)).unwrap();
            for (at, ours) in ours.iter().enumerate() {
                let logits = values(&theirs.decode(&row(&written[at..=at]), &encoded).unwrap());
                let logits: Vec<f32> = logits.iter().map(|logit| logit / scale).collect();
                assert_close(ours, &logits, &format!("{name}, {length} tokens, step {at}"));
            }
        }
    }
}
