//! BERT and MPNet against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use serde_json::Value;
use veridic_models::{ModelError, ModelSource, NliModel, PackedBatch, Precision, TextEncoder};

use crate::common::{self, TOLERANCE, fixture, floats, ids, json, largest_difference, list, strings};

/// Name and token limit.
const MODELS: [(&str, usize); 5] =
    [("mpnet", 512), ("mpnet_int8", 512), ("mpnet_other", 256), ("bert", 512), ("bert_old", 512)];

fn source(name: &str) -> ModelSource {
    ModelSource::Folder(fixture("bert").join(name))
}

fn load(name: &str, precision: Precision) -> NliModel {
    common::load(&source(name), Some(precision))
}

fn expected(name: &str) -> Value {
    json(&fixture("bert").join(name).join("expected.json"))
}

/// An input and its reference logits.
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
        let ids = ids(&row["ids"]);
        let first = row["first_type"].as_u64().unwrap() as usize;
        Row {
            name: text(&row["name"]).unwrap(),
            texts: text(&row["premise"]).zip(text(&row["hypothesis"])),
            types: (0..ids.len()).map(|position| u32::from(position >= first)).collect(),
            ids,
            logits: floats(&row["logits"]),
        }
    };
    list(&expected(name)["rows"]).iter().map(row).collect()
}

fn batch<'a>(rows: impl IntoIterator<Item = &'a Row>) -> PackedBatch {
    PackedBatch::from_sequences(rows.into_iter().map(|row| (&row.ids[..], &row.types[..])))
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
fn pair_layouts_agree_with_the_python_tokenizer() {
    for (name, _) in MODELS {
        let model = load(name, Precision::F32);
        let mut pairs = 0;
        for row in rows(name) {
            let Some((premise, hypothesis)) = &row.texts else { continue };
            let pair = common::pair(&model, premise, hypothesis);
            assert_eq!((pair.ids, pair.types), (row.ids, row.types), "{name}, {}", row.name);
            pairs += 1;
        }
        assert!(pairs > 20, "{name}: {pairs}");
    }
}

/// With types 0, as an encoder reads one text.
#[test]
fn token_states_agree_with_transformers() {
    for (name, _) in MODELS {
        let encoder = TextEncoder::load(&source(name), None).unwrap();
        let rows = rows(name);
        let mut checked = 0;
        for states in list(&expected(name)["states"]) {
            let row = rows.iter().find(|row| row.name == states["name"].as_str().unwrap()).unwrap();
            let ours = encoder.vectors(&[&row.ids]).unwrap();
            let ours: Vec<&[f32]> = ours[0].rows().collect();
            for (position, values) in ids(&states["rows"]).into_iter().zip(list(&states["values"])) {
                let difference = largest_difference(ours[position as usize], &floats(values));
                assert!(difference <= TOLERANCE, "{name}, {}, {position}: {difference}", row.name);
            }
            checked += 1;
        }
        assert!(checked >= 5, "{name}");
    }
}

#[test]
fn labels_are_those_of_the_configuration() {
    for (name, _) in MODELS {
        let model = load(name, Precision::F32);
        let expected = expected(name);
        let labels = strings(&expected["labels"]);
        assert_eq!(model.info().labels, labels, "{name}");
        let row = &rows(name)[10];
        let exponentials: Vec<f32> = row.logits.iter().map(|logit| logit.exp()).collect();
        let entailment = labels.iter().position(|label| label.to_lowercase() == "entailment").unwrap();
        let share = exponentials[entailment] / exponentials.iter().sum::<f32>();
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

/// Also with weights that are stored in 8 bits, which lose nothing more.
#[test]
fn int8_is_close_and_rows_are_independent() {
    for (name, _) in MODELS {
        let (wide, model) = (load(name, Precision::F32), load(name, Precision::Int8));
        let rows = rows(name);
        let together = model.probabilities(&batch(&rows)).unwrap();
        let exact = wide.probabilities(&batch(&rows)).unwrap();
        let mean = together.iter().zip(&exact).map(|(a, b)| (a.entailment - b.entailment).abs()).sum::<f32>()
            / rows.len() as f32;
        // The weights are random, of a larger scale than in trained models.
        assert!(mean > 0.0 && mean < 0.05, "{name}: {mean}");
        for (row, together) in rows.iter().zip(&together) {
            assert_eq!(&model.probabilities(&batch([row])).unwrap()[0], together, "{name}, {}", row.name);
        }
    }
}
