//! AlignScore's two heads with probabilities against Python's `transformers`: the fixture by scripts/fixtures/make_alignscore.py.

use std::fs;

use serde_json::Value;
use veridic_models::{
    AlignHead, LoadOptions, ModelError, ModelSource, NliModel, PackedBatch, Precision, TextEncoder,
};

use crate::common::{TOLERANCE, copied, fixture, floats, ids, json, largest_difference, list, pair};

fn source() -> ModelSource {
    ModelSource::Folder(fixture("alignscore"))
}

fn load(head: Option<AlignHead>) -> Result<NliModel, ModelError> {
    let options = LoadOptions { align_head: head, precision: Some(Precision::F32), ..LoadOptions::default() };
    NliModel::load(&source(), &options)
}

fn pairs() -> Vec<Value> {
    let pairs = list(&json(&fixture("alignscore").join("expected.json"))["pairs"]).to_vec();
    assert!(pairs.len() >= 5);
    pairs
}

#[test]
fn logits_of_the_heads_agree_with_transformers() {
    let pairs = pairs();
    let sequences: Vec<Vec<u32>> = pairs.iter().map(|pair| ids(&pair["ids"])).collect();
    for (head, name) in [(None, "nli"), (Some(AlignHead::ThreeWay), "nli"), (Some(AlignHead::Binary), "bin")]
    {
        let model = load(head).unwrap();
        for (pair, ours) in pairs
            .iter()
            .zip(model.logits(&PackedBatch::of_one_type(sequences.iter().map(Vec::as_slice))).unwrap())
        {
            let reference = floats(&pair[name]);
            let difference = largest_difference(&ours, &reference);
            assert!(difference <= TOLERANCE, "{name}, {pair}: {ours:?}");
        }
    }
}

#[test]
fn aligned_is_entailment_under_both_heads() {
    for (head, name, aligned) in [(AlignHead::ThreeWay, "nli", 0), (AlignHead::Binary, "bin", 1)] {
        let model = load(Some(head)).unwrap();
        assert_eq!((model.align_head(), model.token_limit()), (Some(head), 512));
        for row in pairs() {
            let tokens = pair(&model, row["premise"].as_str().unwrap(), row["hypothesis"].as_str().unwrap());
            assert_eq!(tokens.ids, ids(&row["ids"]));
            let exponentials: Vec<f32> = floats(&row[name]).iter().map(|logit| logit.exp()).collect();
            let share = exponentials[aligned] / exponentials.iter().sum::<f32>();
            let ours =
                model.probabilities(&PackedBatch::of_one_type([&tokens.ids[..]])).unwrap()[0].entailment;
            assert!((ours - share).abs() <= TOLERANCE, "{name}, {row}: {ours}");
        }
    }
    let digest = |head| load(Some(head)).unwrap().settings_sha256().to_owned();
    assert_ne!(digest(AlignHead::ThreeWay), digest(AlignHead::Binary), "a cache keeps the heads apart");
}

#[test]
fn a_head_that_a_model_lacks_is_refused() {
    let options = LoadOptions { align_head: Some(AlignHead::Binary), ..LoadOptions::default() };
    let source = ModelSource::Folder(fixture("roberta/published"));
    let error = NliModel::load(&source, &options).err().unwrap().to_string();
    for part in ["`align_head` bin: ", "not a checkpoint of AlignScore"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn two_checkpoints_in_a_folder_are_refused() {
    let folder = copied(&fixture("alignscore"), &["config.json", "tokenizer.json"]);
    let load = || NliModel::load(&ModelSource::Folder(folder.path().to_owned()), &LoadOptions::default());
    let message = || load().err().unwrap().to_string();
    assert!(message().contains("or one file *.ckpt"), "{}", message());
    for name in ["b.ckpt", "a.ckpt"] {
        fs::copy(fixture("alignscore").join("AlignScore-tiny.ckpt"), folder.path().join(name)).unwrap();
    }
    assert!(message().contains("single checkpoint (it has a.ckpt, b.ckpt)"), "{}", message());
    fs::remove_file(folder.path().join("b.ckpt")).unwrap();
    assert!(load().is_ok());
    // Its encoder has another prefix.
    assert!(TextEncoder::load(&source(), None).is_ok());
}
