//! BERTScore agrees with the Python package bert-score on every pair of models/tests/fixtures/bertscore, which
//! scripts/fixtures/make_bertscore.py makes and describes.
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use veridic::corpus::Fields;
use veridic::pipeline::Settings;
use veridic::schedule::{Event, ignore_events};
use veridic::{Error, Pair, Scorer};
use veridic_bench::metrics::{Evaluator, MetricSetup};
use veridic_bench::similarity::bertscore::{BertScore, Idf, Overlap, TokenizedPair};
use veridic_models::{LoadOptions, ModelError, ModelSource, NliModel, TextEncoder};

/// The largest difference that counts as rounding.
const TOLERANCE: f64 = 1e-5;

const MODELS: [&str; 2] = ["roberta", "deberta"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/bertscore")
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder().join(name)).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    list(value).iter().map(|text| text.as_str().unwrap()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|number| number.as_f64().unwrap()).collect()
}

fn encoder(name: &str, layer: Option<usize>) -> Result<TextEncoder, ModelError> {
    TextEncoder::load(&ModelSource::Folder(folder().join(name)), layer)
}

/// BERTScore with the settings that the package was run with.
fn bertscore(name: &str, layer: usize, weighs: bool) -> BertScore {
    let encoder = encoder(name, Some(layer)).unwrap();
    let cases = json("cases.json");
    let idf = weighs.then(|| Idf::of(texts(&cases["idf_sentences"]), &encoder).unwrap());
    BertScore::new(encoder, idf)
}

fn tokenized(bertscore: &BertScore) -> Vec<TokenizedPair> {
    let cases = json("cases.json");
    let pairs = list(&cases["pairs"]).iter().map(texts);
    pairs.map(|pair| bertscore.tokenize(pair[0], pair[1]).unwrap()).collect()
}

#[test]
fn scores_are_those_of_bert_score() {
    for name in MODELS {
        let expected = json(&format!("{name}/expected.json"));
        assert!(list(&expected["scores"]).len() >= 4, "{name}");
        for setting in list(&expected["scores"]) {
            let (layer, weighs) = (setting["layer"].as_u64().unwrap(), setting["idf"].as_bool().unwrap());
            let bertscore = bertscore(name, layer as usize, weighs);
            let pairs = tokenized(&bertscore);
            let ours = bertscore.overlaps(&pairs.iter().collect::<Vec<_>>()).unwrap();
            let rows = list(&setting["rows"]);
            assert_eq!(ours.len(), rows.len());
            for (index, (Overlap { precision, recall, f1 }, row)) in ours.iter().zip(rows).enumerate() {
                for (ours, theirs) in [precision, recall, f1].into_iter().zip(numbers(row)) {
                    let close = (ours - theirs).abs() <= TOLERANCE;
                    assert!(
                        close,
                        "{name} layer {layer} idf {weighs} pair {index}: {ours}, expected {theirs}"
                    );
                }
            }
        }
    }
}

#[test]
fn token_ids_are_those_of_bert_score() {
    for name in MODELS {
        let bertscore = bertscore(name, 1, false);
        let expected = json(&format!("{name}/expected.json"));
        let mut cut = 0;
        for (index, (pair, ids)) in tokenized(&bertscore).iter().zip(list(&expected["ids"])).enumerate() {
            for (ours, theirs) in [&pair.candidate, &pair.reference].into_iter().zip(list(ids)) {
                let ours_as_numbers: Vec<f64> = ours.ids.iter().map(|id| f64::from(*id)).collect();
                assert_eq!(ours_as_numbers, numbers(theirs), "{name} pair {index}");
                assert!(ours.cut == 0 || ours.ids.len() == bertscore.encoder().token_limit());
                cut += usize::from(ours.cut > 0);
            }
        }
        assert!(cut >= 5, "{name}: {cut} texts are cut");
    }
}

#[test]
fn a_pair_has_the_same_score_alone_and_in_a_batch() {
    for name in MODELS {
        let bertscore = bertscore(name, 2, true);
        let pairs = tokenized(&bertscore);
        let together: Vec<&TokenizedPair> = pairs.iter().rev().collect();
        let together = bertscore.overlaps(&together).unwrap();
        for (pair, among_others) in pairs.iter().zip(together.iter().rev()) {
            assert_eq!(bertscore.overlaps(&[pair]).unwrap(), [*among_others], "{name}");
        }
        assert!(bertscore.overlaps(&[]).unwrap().is_empty());
    }
}

#[test]
fn the_layer_is_part_of_the_settings_digest() {
    let (second, third) = (encoder("roberta", Some(2)).unwrap(), encoder("roberta", None).unwrap());
    assert_eq!((second.layer(), third.layer()), (2, 3));
    assert_eq!(second.identity().sha256, third.identity().sha256);
    assert_ne!(second.identity().settings_sha256, third.identity().settings_sha256);
    let stamp = BertScore::new(second, None).stamp();
    assert_ne!(stamp, BertScore::new(third, None).stamp());
    assert_ne!(stamp, bertscore("roberta", 2, true).stamp());
}

#[test]
fn models_that_cannot_be_loaded_are_errors_with_their_name() {
    let message = |error: Option<ModelError>| error.unwrap().to_string();
    let error = message(encoder("deberta", Some(4)).err());
    assert!(error.contains("config.json: has 3 layers; layer 4"), "{error}");
    let other = ModelSource::Folder(folder().join("../t5/splitter"));
    let error = message(TextEncoder::load(&other, None).err());
    assert!(error.contains("model_type is `t5`; encoders of type"), "{error}");
    let error = message(encoder("nothing_here", None).err());
    assert!(error.contains("has no config.json"), "{error}");
    let encoder = encoder("roberta", None).unwrap();
    let error = Idf::of(["", "  "], &encoder).err().unwrap().to_string();
    assert!(error.contains("no sentence"), "{error}");
}

#[test]
fn the_encoder_of_a_classifier_can_be_loaded() {
    // Tensor names with and without the network's prefix, heads of other tasks.
    for (name, layers) in [("roberta/published", 3), ("deberta/tiny_with_tokenizer", 1)] {
        let source = ModelSource::Folder(folder().join("..").join(name));
        let bertscore = BertScore::new(TextEncoder::load(&source, None).unwrap(), None);
        assert_eq!(bertscore.encoder().layer(), layers);
        let pair = bertscore.tokenize("The pool closes.", "The pool closes.").unwrap();
        let overlap = bertscore.overlaps(&[&pair]).unwrap()[0];
        assert!((overlap.f1 - 1.0).abs() < 1e-5, "{overlap:?}");
    }
}

fn evaluator(bertscore: Option<BertScore>) -> Evaluator {
    let tiny = ModelSource::Folder(folder().join("../deberta/tiny_with_tokenizer"));
    let scorer = Scorer::new(NliModel::load(&tiny, &LoadOptions::default()).unwrap(), Settings::default());
    let (metrics, bertscore) = (vec!["bertscore".parse().unwrap()], bertscore.map(Arc::new));
    Evaluator::with(scorer, MetricSetup { metrics, bertscore, ..MetricSetup::default() })
}

/// The fields of a row with a reference.
fn reference(text: &str) -> Fields {
    serde_json::from_value(serde_json::json!({ "reference": text })).unwrap()
}

#[test]
fn rows_after_an_early_end_are_stopped() {
    let evaluator = evaluator(Some(bertscore("roberta", 1, false)));
    let text = "The pool closes. ".repeat(20);
    let inputs = reference(&text);
    let pairs = vec![Pair { inputs: Some(&inputs), ..Pair::new(&text, &text) }; 40];
    let stop = |event| match event {
        Event::Computed { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let results = evaluator.evaluate(&pairs, &stop);
    let decided = results.iter().take_while(|result| result.is_ok()).count();
    assert!((1..40).contains(&decided), "{decided}");
    assert!(results[decided..].iter().all(|result| matches!(result, Err(Error::Stopped))));
    let all = evaluator.evaluate(&pairs, &ignore_events);
    assert!(all.iter().all(|result| result.as_ref().unwrap().measures.get("bertscore").is_some()));
}

#[test]
fn without_an_encoder_rows_are_errors() {
    let inputs = reference("A b.");
    let pair = Pair { inputs: Some(&inputs), ..Pair::new("A b.", "A b.") };
    let error = evaluator(None).evaluate(&[pair], &ignore_events).swap_remove(0).unwrap_err().to_string();
    assert!(error.contains("needs an encoder"), "{error}");
}
