//! Our BERT and MPNet against Python's `transformers`: fixtures by scripts/fixtures/make_bert.py.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_models::{
    LoadOptions, ModelError, ModelSource, NliModel, PackedBatch, Precision, TextEncoder, Truncation,
};

/// Largest difference to the reference's logits that is put down to rounding.
const TOLERANCE: f32 = 1e-4;

/// Their name, and the longest sequence that they take.
const MODELS: [(&str, usize); 5] =
    [("mpnet", 512), ("mpnet_int8", 512), ("mpnet_other", 256), ("bert", 512), ("bert_old", 512)];

fn source(name: &str) -> ModelSource {
    ModelSource::Folder(folder().join(name))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bert")
}

fn load(name: &str, precision: Precision) -> NliModel {
    NliModel::load(&source(name), &LoadOptions { precision: Some(precision), ..LoadOptions::default() })
        .unwrap()
}

fn expected(name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder().join(name).join("expected.json")).unwrap()).unwrap()
}

fn floats(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

/// An input and what the reference says of it.
struct Row {
    name: String,
    texts: Option<(String, String)>,
    ids: Vec<u32>,
    types: Vec<u32>,
    logits: Vec<f32>,
}

fn rows(name: &str) -> Vec<Row> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let row = |row: &Value| {
        let ids: Vec<u32> =
            row["ids"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as u32).collect();
        let first = row["first_type"].as_u64().unwrap() as usize;
        Row {
            name: text(&row["name"]).unwrap(),
            texts: text(&row["premise"]).zip(text(&row["hypothesis"])),
            types: (0..ids.len()).map(|place| u32::from(place >= first)).collect(),
            ids,
            logits: floats(&row["logits"]),
        }
    };
    expected(name)["rows"].as_array().unwrap().iter().map(row).collect()
}

fn batch<'a>(rows: impl IntoIterator<Item = &'a Row>) -> PackedBatch {
    PackedBatch::from_sequences(rows.into_iter().map(|row| (&row.ids[..], &row.types[..])))
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    for (name, limit) in MODELS {
        let model = load(name, Precision::F32);
        let rows = rows(name);
        let lengths: Vec<usize> = rows.iter().map(|row| row.ids.len()).collect();
        assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&1), Some(&limit)), "{name}");
        let together = model.logits(&batch(&rows)).unwrap();
        for (row, ours) in rows.iter().zip(&together) {
            let difference = largest_difference(ours, &row.logits);
            assert!(difference <= TOLERANCE, "{name}, {}: {ours:?}, reference {:?}", row.name, row.logits);
            assert_eq!(&model.logits(&batch([row])).unwrap()[0], ours, "{name}, {}", row.name);
        }
    }
}

#[test]
fn pairs_are_laid_out_as_the_python_tokenizer_does() {
    for (name, _) in MODELS {
        let model = load(name, Precision::F32);
        let mut pairs = 0;
        for row in rows(name) {
            let Some((premise, hypothesis)) = &row.texts else { continue };
            let text = |text: &str| model.tokenizer().text(text).unwrap();
            let pair =
                model.tokenizer().pair(&text(premise), &text(hypothesis), 4096, Truncation::Refuse).unwrap();
            assert_eq!((pair.ids, pair.types), (row.ids, row.types), "{name}, {}", row.name);
            pairs += 1;
        }
        assert!(pairs > 20, "{name}: {pairs}");
    }
}

/// Of MPNet, which has no token types, and of BERT's texts that stand alone.
#[test]
fn states_of_tokens_agree_with_transformers() {
    for (name, _) in MODELS {
        let encoder = TextEncoder::load(&source(name), None).unwrap();
        let rows = rows(name);
        let mut checked = 0;
        for states in expected(name)["states"].as_array().unwrap() {
            let row = rows.iter().find(|row| row.name == states["name"].as_str().unwrap()).unwrap();
            if name.starts_with("bert") && row.types.contains(&1) {
                continue;
            }
            let ours = encoder.vectors(&[&row.ids]).unwrap();
            let ours: Vec<&[f32]> = ours[0].rows().collect();
            let places =
                states["rows"].as_array().unwrap().iter().map(|place| place.as_u64().unwrap() as usize);
            for (place, values) in places.zip(states["values"].as_array().unwrap()) {
                let difference = largest_difference(ours[place], &floats(values));
                assert!(difference <= TOLERANCE, "{name}, {}, {place}: {difference}", row.name);
            }
            checked += 1;
        }
        assert!(checked >= 1, "{name}");
    }
}

#[test]
fn labels_are_the_models_own() {
    for (name, _) in MODELS {
        let model = load(name, Precision::F32);
        let labels = &expected(name)["labels"];
        let labels: Vec<&str> = labels.as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        assert_eq!(model.info().labels, labels, "{name}");
        let row = &rows(name)[10];
        let exponentials: Vec<f32> = row.logits.iter().map(|logit| logit.exp()).collect();
        let place = labels.iter().position(|label| label.to_lowercase() == "entailment").unwrap();
        let share = exponentials[place] / exponentials.iter().sum::<f32>();
        let ours = model.probabilities(&batch([row])).unwrap()[0].entailment;
        assert!((ours - share).abs() <= TOLERANCE, "{name}: {ours}, reference {share}");
    }
}

#[test]
fn the_position_table_is_the_limit() {
    for (name, limit) in MODELS {
        let model = load(name, Precision::F32);
        assert_eq!(model.token_limit(), limit, "{name}");
        let of = |tokens: usize| PackedBatch::from_sequences([(&vec![5; tokens][..], &vec![0; tokens][..])]);
        assert!(model.logits(&of(limit)).is_ok(), "{name}");
        let beyond = model.logits(&of(limit + 1));
        assert!(matches!(beyond, Err(ModelError::TooLong { tokens, .. }) if tokens == limit + 1), "{name}");
    }
}

#[test]
fn ids_and_types_outside_the_tables_are_refused() {
    for (name, message) in
        [("mpnet", "token id 60000"), ("mpnet_int8", "token id 60000"), ("bert", "token type 2")]
    {
        let ids = if name == "bert" { 5 } else { 60_000 };
        let batch = PackedBatch::from_sequences([(&[ids][..], &[2][..])]);
        let error = load(name, Precision::F32).logits(&batch).unwrap_err().to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
}

/// Weights that are in 8 bits already lose nothing more, so products in 8 bits are as near from them as from others.
#[test]
fn products_in_8_bits_are_near_and_rows_stand_alone() {
    for (name, _) in MODELS {
        let (wide, model) = (load(name, Precision::F32), load(name, Precision::Int8));
        let rows = rows(name);
        let together = model.probabilities(&batch(&rows)).unwrap();
        let exact = wide.probabilities(&batch(&rows)).unwrap();
        let mean = together.iter().zip(&exact).map(|(a, b)| (a.entailment - b.entailment).abs()).sum::<f32>()
            / rows.len() as f32;
        // Weights at random, of a scale that no trained model has.
        assert!(mean > 0.0 && mean < 0.05, "{name}: {mean}");
        for (row, together) in rows.iter().zip(&together) {
            assert_eq!(&model.probabilities(&batch([row])).unwrap()[0], together, "{name}, {}", row.name);
        }
    }
}
