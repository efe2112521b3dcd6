//! Sequence classifiers of every architecture against Python's `transformers`: fixtures by
//! scripts/fixtures/make_classifiers.py. Those of DeBERTa's second version are in `deberta.rs`.

use serde_json::Value;
use veridic_models::{ModelError, ModelSource, NliModel, PackedBatch, Precision, TextEncoder};

use crate::common::{
    self, TOLERANCE, fixture, floats, ids, json, largest_difference, list, load_f32, strings,
};

/// A fixture.
struct Model {
    folder: &'static str,
    /// The output that means entailment.
    entailment: usize,
    /// The texts and layers of which it has the states of tokens.
    states: usize,
    /// Positions of its table, if it has one.
    limit: Option<usize>,
}

const fn model(folder: &'static str, entailment: usize, states: usize, limit: Option<usize>) -> Model {
    Model { folder, entailment, states, limit }
}

const MODELS: [Model; 19] = [
    model("bert/mpnet", 0, 6, Some(512)),
    model("bert/mpnet_int8", 0, 6, Some(512)),
    model("bert/mpnet_other", 2, 5, Some(256)),
    model("bert/bert", 0, 6, Some(512)),
    model("bert/bert_old", 2, 6, Some(512)),
    model("roberta/published", 0, 0, Some(512)),
    model("roberta/published_bin", 0, 0, Some(512)),
    model("roberta/other_order", 1, 0, Some(256)),
    model("roberta/published_f16", 0, 0, Some(512)),
    model("encoders/albert", 0, 6, Some(256)),
    model("encoders/albert_groups", 2, 6, Some(256)),
    model("encoders/deberta", 2, 6, None),
    model("encoders/deberta_types", 2, 6, Some(256)),
    model("modernbert/published", 0, 4, Some(512)),
    model("modernbert/other", 1, 4, Some(512)),
    model("t5_judges/tokens", 0, 0, None),
    model("t5_judges/hhem", 1, 0, None),
    model("t5_judges/answers", 1, 0, None),
    model("t5_judges/answers_tied", 1, 0, None),
];

/// An input and its reference logits.
struct Row {
    name: String,
    texts: Option<(String, String)>,
    ids: Vec<u32>,
    types: Vec<u32>,
    logits: Vec<f32>,
}

impl Model {
    fn source(&self) -> ModelSource {
        ModelSource::Folder(fixture(self.folder))
    }

    fn expected(&self) -> Value {
        json(&fixture(self.folder).join("expected.json"))
    }

    /// Its inputs, which RoBERTa's models share; tokens before `first_type`, where an input has it, have type 0.
    fn rows(&self) -> Vec<Row> {
        let cases = fixture(self.folder).with_file_name("cases.json");
        let shared = if cases.exists() { json(&cases)["cases"].take() } else { Value::Array(Vec::new()) };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let row = |row: &Value| {
            let input = list(&shared).iter().find(|case| case["name"] == row["name"]).unwrap_or(row);
            let ids = ids(&input["ids"]);
            let first = input["first_type"].as_u64().unwrap_or(ids.len() as u64) as usize;
            Row {
                name: format!("{}, {}", self.folder, row["name"]),
                texts: text(&input["premise"]).zip(text(&input["hypothesis"])),
                types: (0..ids.len()).map(|position| u32::from(position >= first)).collect(),
                ids,
                logits: floats(&row["logits"]),
            }
        };
        list(&self.expected()["rows"]).iter().map(row).collect()
    }
}

fn batch<'a>(rows: impl IntoIterator<Item = &'a Row>) -> PackedBatch {
    PackedBatch::from_sequences(rows.into_iter().map(|row| (&row.ids[..], &row.types[..])))
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    for fixture in MODELS {
        let (model, rows) = (load_f32(fixture.folder), fixture.rows());
        let lengths: Vec<usize> = rows.iter().map(|row| row.ids.len()).collect();
        let (shortest, longest) = (*lengths.iter().min().unwrap(), *lengths.iter().max().unwrap());
        let covers_the_limit = fixture.limit.is_none_or(|limit| longest + 4 >= limit);
        assert!(rows.len() > 20 && shortest <= 2 && covers_the_limit, "{}: {lengths:?}", fixture.folder);
        let together = model.logits(&batch(&rows)).unwrap();
        for (row, ours) in rows.iter().zip(&together) {
            let difference = largest_difference(ours, &row.logits);
            assert!(difference <= TOLERANCE, "{}: {ours:?}, reference {:?}", row.name, row.logits);
            assert_eq!(&model.logits(&batch([row])).unwrap()[0], ours, "{}", row.name);
        }
    }
}

#[test]
fn pair_layouts_agree_with_the_python_tokenizers() {
    for fixture in MODELS {
        let (model, mut pairs) = (load_f32(fixture.folder), 0);
        for row in fixture.rows() {
            let Some((premise, hypothesis)) = &row.texts else { continue };
            let pair = common::pair(&model, premise, hypothesis);
            assert_eq!((pair.ids, pair.types), (row.ids, row.types), "{}", row.name);
            pairs += 1;
        }
        assert!(pairs > 20, "{}: {pairs}", fixture.folder);
    }
}

/// The probabilities of all outputs are those of the reference's logits.
#[test]
fn labels_are_those_of_the_configuration() {
    for fixture in MODELS {
        let (model, rows) = (load_f32(fixture.folder), fixture.rows());
        assert_eq!(model.info().labels, strings(&fixture.expected()["labels"]), "{}", fixture.folder);
        for (row, ours) in rows.iter().zip(model.probabilities(&batch(&rows)).unwrap()) {
            let exponentials: Vec<f32> = row.logits.iter().map(|logit| logit.exp()).collect();
            let sum: f32 = exponentials.iter().sum();
            let shares: Vec<f32> = exponentials.iter().map(|exponential| exponential / sum).collect();
            let outputs = model.labels().outputs(&ours).unwrap();
            assert!(largest_difference(&outputs, &shares) <= TOLERANCE, "{}: {ours:?}, {shares:?}", row.name);
            assert_eq!(ours.entailment, outputs[fixture.entailment], "{}", row.name);
        }
    }
}

/// Also with weights that are stored in 8 bits, which lose nothing more.
#[test]
fn int8_is_close_and_rows_are_independent() {
    for fixture in MODELS {
        let (wide, model) =
            (load_f32(fixture.folder), common::load(&fixture.source(), Some(Precision::Int8)));
        let rows = fixture.rows();
        let together = model.probabilities(&batch(&rows)).unwrap();
        let exact = wide.probabilities(&batch(&rows)).unwrap();
        let apart = together.iter().zip(&exact).map(|(a, b)| (a.entailment - b.entailment).abs());
        let mean = apart.sum::<f32>() / rows.len() as f32;
        // The weights are random, of a larger scale than in trained models.
        assert!(mean > 0.0 && mean < 0.05, "{}: {mean}", fixture.folder);
        for (row, together) in rows.iter().zip(&together) {
            assert_eq!(&model.probabilities(&batch([row])).unwrap()[0], together, "{}", row.name);
        }
    }
}

/// Of the layers that the fixture names, else of the last, on single texts.
#[test]
fn token_states_agree_with_transformers() {
    for fixture in MODELS {
        let (rows, expected) = (fixture.rows(), fixture.expected());
        let states = expected["states"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(states.len(), fixture.states, "{}", fixture.folder);
        for states in states {
            let layer = states["layer"].as_u64().map(|layer| layer as usize);
            let encoder = TextEncoder::load(&fixture.source(), layer).unwrap();
            let name = format!("{}, {}", fixture.folder, states["name"]);
            let row = rows.iter().find(|row| row.name == name).unwrap();
            let ours = encoder.vectors(&[&row.ids]).unwrap();
            let ours: Vec<&[f32]> = ours[0].rows().collect();
            for (position, values) in ids(&states["rows"]).into_iter().zip(list(&states["values"])) {
                let difference = largest_difference(ours[position as usize], &floats(values));
                assert!(difference <= TOLERANCE, "{name}, {layer:?}, {position}: {difference}");
            }
        }
    }
}

/// DeBERTa's distances beyond its span share the last slots.
#[test]
fn only_a_position_table_is_a_limit() {
    for fixture in MODELS {
        let model = load_f32(fixture.folder);
        let logits = |tokens: usize| model.logits(&PackedBatch::of_one_type([&vec![5; tokens][..]]));
        let Some(limit) = fixture.limit else {
            assert!(model.token_limit() == 4096 && logits(600).is_ok(), "{}", fixture.folder);
            continue;
        };
        assert_eq!(model.token_limit(), limit, "{}", fixture.folder);
        assert!(logits(limit).is_ok(), "{}", fixture.folder);
        let beyond = logits(limit + 1);
        assert!(
            matches!(beyond, Err(ModelError::TooLong { tokens, limit: at }) if tokens == limit + 1 && at == limit),
            "{}",
            fixture.folder
        );
    }
}

#[test]
fn ids_and_types_outside_the_tables_are_refused() {
    for (folder, id, message) in [
        ("bert/mpnet", 60_000, "token id 60000"),
        ("bert/mpnet_int8", 60_000, "token id 60000"),
        ("bert/bert", 5, "token type 2"),
    ] {
        let batch = PackedBatch::from_sequences([(&[id][..], &[2][..])]);
        let error = load_f32(folder).logits(&batch).unwrap_err().to_string();
        assert!(error.contains(message), "{folder}: {error}");
    }
}

#[test]
fn the_networks_are_described() {
    for (folder, architecture) in [
        ("encoders/albert", "ALBERT, 4 layers, hidden size 32, 4 heads"),
        ("encoders/deberta", "DeBERTa, 3 layers, hidden size 32, 4 heads"),
        ("t5_judges/hhem", "T5, 3 layers, hidden size 32, 4 heads"),
    ] {
        let info = NliModel::describe(&ModelSource::Folder(fixture(folder))).unwrap();
        assert_eq!(info.architecture, architecture);
    }
}
