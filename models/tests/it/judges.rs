//! Shared by the tests of several judges: rows of expected.json, and their comparison with a model's logits.

use serde_json::Value;
use veridic_models::{ModelSource, NliModel, PackedBatch, Precision, TextEncoder};

use crate::common::{self, TOLERANCE, fixture, floats, ids, json, largest_difference, list, strings};

/// An input and its reference logits.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) texts: Option<(String, String)>,
    pub(crate) ids: Vec<u32>,
    pub(crate) types: Vec<u32>,
    pub(crate) logits: Vec<f32>,
}

pub(crate) fn source(folder: &str) -> ModelSource {
    ModelSource::Folder(fixture(folder))
}

pub(crate) fn load(folder: &str) -> NliModel {
    common::load(&source(folder), Some(Precision::F32))
}

pub(crate) fn expected(folder: &str) -> Value {
    json(&fixture(folder).join("expected.json"))
}

/// The rows of a model; tokens before `first_type`, where the row has it, have type 0.
pub(crate) fn rows(folder: &str) -> Vec<Row> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let row = |row: &Value| {
        let ids = ids(&row["ids"]);
        let first = row["first_type"].as_u64().unwrap_or(ids.len() as u64) as usize;
        Row {
            name: text(&row["name"]).unwrap(),
            texts: text(&row["premise"]).zip(text(&row["hypothesis"])),
            types: (0..ids.len()).map(|position| u32::from(position >= first)).collect(),
            ids,
            logits: floats(&row["logits"]),
        }
    };
    list(&expected(folder)["rows"]).iter().map(row).collect()
}

pub(crate) fn batch<'a>(rows: impl IntoIterator<Item = &'a Row>) -> PackedBatch {
    PackedBatch::from_sequences(rows.into_iter().map(|row| (&row.ids[..], &row.types[..])))
}

/// Logits of all rows together are the reference's, and those of each row alone.
pub(crate) fn assert_logits(folder: &str) {
    let (model, rows) = (load(folder), rows(folder));
    assert!(rows.len() > 20, "{folder}: {}", rows.len());
    let together = model.logits(&batch(&rows)).unwrap();
    for (row, ours) in rows.iter().zip(&together) {
        let difference = largest_difference(ours, &row.logits);
        assert!(difference <= TOLERANCE, "{folder}, {}: {ours:?}, reference {:?}", row.name, row.logits);
        assert_eq!(&model.logits(&batch([row])).unwrap()[0], ours, "{folder}, {}", row.name);
    }
}

/// Pairs of texts have the reference's token ids and types.
pub(crate) fn assert_pairs(folder: &str) {
    let (model, mut pairs) = (load(folder), 0);
    for row in rows(folder) {
        let Some((premise, hypothesis)) = &row.texts else { continue };
        let pair = common::pair(&model, premise, hypothesis);
        assert_eq!((pair.ids, pair.types), (row.ids, row.types), "{folder}, {}", row.name);
        pairs += 1;
    }
    assert!(pairs > 15, "{folder}: {pairs}");
}

/// The labels are those of config.json, and the probability of entailment is that of the output `entailment`.
pub(crate) fn assert_labels(folder: &str, entailment: usize) {
    let (model, rows) = (load(folder), rows(folder));
    assert_eq!(model.info().labels, strings(&expected(folder)["labels"]), "{folder}");
    for (row, ours) in rows.iter().zip(model.probabilities(&batch(&rows)).unwrap()) {
        let exponentials: Vec<f32> = row.logits.iter().map(|logit| logit.exp()).collect();
        let share = exponentials[entailment] / exponentials.iter().sum::<f32>();
        assert!((ours.entailment - share).abs() <= TOLERANCE, "{folder}, {}: {ours:?}, {share}", row.name);
    }
}

/// In 8 bits the probabilities are close.
pub(crate) fn assert_int8_is_close(folder: &str) {
    let (wide, model) = (load(folder), common::load(&source(folder), Some(Precision::Int8)));
    let rows = rows(folder);
    let (ours, exact) =
        (model.probabilities(&batch(&rows)).unwrap(), wide.probabilities(&batch(&rows)).unwrap());
    let apart = ours.iter().zip(&exact).map(|(a, b)| (a.entailment - b.entailment).abs());
    let mean = apart.sum::<f32>() / rows.len() as f32;
    // The weights are random, of a larger scale than in trained models.
    assert!(mean > 0.0 && mean < 0.05, "{folder}: {mean}");
}

/// The states of tokens are the reference's, in this many layers and texts.
pub(crate) fn assert_states(folder: &str, count: usize) {
    let (rows, reference) = (rows(folder), expected(folder));
    let states = list(&reference["states"]);
    assert_eq!(states.len(), count, "{folder}");
    for states in states {
        let layer = states["layer"].as_u64().unwrap() as usize;
        let encoder = TextEncoder::load(&source(folder), Some(layer)).unwrap();
        let row = rows.iter().find(|row| row.name == states["name"].as_str().unwrap()).unwrap();
        let ours = encoder.vectors(&[&row.ids]).unwrap();
        let ours: Vec<&[f32]> = ours[0].rows().collect();
        for (position, values) in ids(&states["rows"]).into_iter().zip(list(&states["values"])) {
            let difference = largest_difference(ours[position as usize], &floats(values));
            assert!(difference <= TOLERANCE, "{folder}, {}, {layer}, {position}: {difference}", row.name);
        }
    }
}
