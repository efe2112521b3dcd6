//! NLI models by candle's own operations, as a Mac's GPU computes them, on candle's host device: against our own networks.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use veridic_models::{
    Device, LoadOptions, ModelError, ModelSource, NliModel, PackedBatch, Precision, Truncation,
};

/// Two ways to sum in f32.
const TOLERANCE: f32 = 1e-4;

fn load(source: &ModelSource, device: Device) -> NliModel {
    NliModel::load(source, &LoadOptions { precision: Some(Precision::F32), device, ..LoadOptions::default() })
        .unwrap()
}

fn sources() -> Vec<ModelSource> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = [
        "deberta/tiny_with_tokenizer",
        "roberta/published",
        "roberta/other_order",
        "bert/bert",
        "bert/bert_old",
        "bert/mpnet",
        "bert/mpnet_int8",
        "bert/mpnet_other",
    ];
    let mut sources: Vec<ModelSource> =
        folders.iter().map(|folder| ModelSource::Folder(fixtures.join(folder))).collect();
    if cfg!(feature = "bundled") {
        sources.push(ModelSource::find("mini").unwrap());
    }
    sources
}

fn pairs(model: &NliModel) -> PackedBatch {
    let tokenizer = model.tokenizer();
    let texts = [
        ("The pool closed in March.", "The pool closed."),
        ("Ann, who lives in Paris, said on Monday that her brother had left.", "Ann lives in London."),
        ("Rain.", "It rained for three days, and nobody went out."),
    ];
    let pairs: Vec<_> = texts
        .iter()
        .map(|(premise, hypothesis)| {
            let premise = tokenizer.text(premise).unwrap();
            let hypothesis = tokenizer.text(hypothesis).unwrap();
            tokenizer.pair(&premise, &hypothesis, model.token_limit(), Truncation::Premise).unwrap()
        })
        .collect();
    PackedBatch::from_sequences(pairs.iter().map(|pair| (&pair.ids[..], &pair.types[..])))
}

#[test]
fn probabilities_are_those_of_the_host() {
    for source in sources() {
        let host = load(&source, Device::Host);
        let candle = load(&source, Device::Candle(candle_core::Device::Cpu));
        assert_ne!(host.device().arithmetic(), candle.device().arithmetic());
        let batch = pairs(&host);
        let (a, b) = (host.logits(&batch).unwrap(), candle.logits(&batch).unwrap());
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() < TOLERANCE * a.abs().max(1.0), "{}: {a} and {b}", source.id());
        }
    }
}

#[test]
fn other_numbers_than_f32_are_refused() {
    for precision in [Precision::Int8, Precision::F16] {
        let device = Device::Candle(candle_core::Device::Cpu);
        let options = LoadOptions { precision: Some(precision), device, ..LoadOptions::default() };
        match NliModel::load(&sources()[0], &options) {
            Err(ModelError::Device { reason, .. }) => assert!(reason.contains("f32"), "{reason}"),
            _ => panic!("{} was taken", precision.name()),
        }
    }
}
