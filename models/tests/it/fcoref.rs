//! F-Coref against the Python package `fastcoref`: fixtures by scripts/fixtures/make_fcoref.py.

use std::path::PathBuf;

use serde_json::Value;
use veridic_models::{ComputeDevice, FCoref, ModelSource, words};

use crate::common::{self, TOLERANCE, devices, ids, json, list};

const MODELS: [&str; 2] = ["published", "short_segments"];

fn folder() -> PathBuf {
    common::fixture("fcoref")
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

/// (name, text, row of the fixture) of every document.
fn documents() -> Vec<(String, String, Value)> {
    let texts = json(&folder().join("texts.json"));
    let common: Vec<char> = texts["common"].as_str().unwrap().chars().collect();
    let text = |document: &Value| match document["text"].as_str() {
        Some(text) => text.to_owned(),
        None => {
            let slice = &document["slice"];
            common[number(&slice[0])..number(&slice[1])].iter().collect()
        }
    };
    let documents = list(&texts["documents"]);
    assert!(documents.len() >= 30);
    let name = |document: &Value| document["name"].as_str().unwrap().to_owned();
    documents.iter().map(|document| (name(document), text(document), document.clone())).collect()
}

fn load(name: &str) -> FCoref {
    load_on(name, ComputeDevice::Cpu)
}

fn load_on(name: &str, device: ComputeDevice) -> FCoref {
    FCoref::load(&ModelSource::Folder(folder().join(name)), device).unwrap()
}

/// Every model on every device.
fn models() -> impl Iterator<Item = (&'static str, FCoref)> {
    devices().flat_map(|device| MODELS.map(|name| (name, load_on(name, device))))
}

/// The documents, each with the expected results of a model.
fn expected(name: &str) -> Vec<(String, String, Value, Value)> {
    let expected = json(&folder().join(name).join("expected.json"));
    let row = |name: &str| list(&expected["documents"]).iter().find(|row| row["name"] == *name).cloned();
    let rows: Vec<_> = documents()
        .into_iter()
        .filter_map(|(name, text, document)| row(&name).map(|row| (name, text, document, row)))
        .collect();
    assert!(rows.len() >= 30, "{name}: {}", rows.len());
    rows
}

/// Character offsets of a byte range.
fn characters(text: &str, bytes: &std::ops::Range<usize>) -> (usize, usize) {
    let start = text[..bytes.start].chars().count();
    (start, start + text[bytes.clone()].chars().count())
}

#[test]
fn words_and_token_ids_agree() {
    for name in MODELS {
        let model = load(name);
        for (document_name, text, document) in documents() {
            let ours = words(&text);
            let offsets: Vec<usize> = ours
                .iter()
                .map(|word| characters(&text, word))
                .flat_map(|(start, end)| [start, end])
                .collect();
            let theirs: Vec<usize> = list(&document["words"]).iter().map(number).collect();
            assert_eq!(offsets, theirs, "{document_name}");
            let parts: Vec<&str> = ours.iter().map(|word| &text[word.clone()]).collect();
            assert_eq!(model.token_ids(&parts).unwrap(), ids(&document["ids"]), "{name}: {document_name}");
        }
    }
}

#[test]
fn mentions_and_their_scores_agree() {
    for (name, model) in models() {
        for (document_name, _, document, row) in expected(name) {
            let scores = model.score(&ids(&document["ids"])).unwrap();
            let ours: Vec<[usize; 2]> = scores.mentions.iter().map(|m| [m.start, m.end]).collect();
            let theirs: Vec<[usize; 2]> =
                list(&row["mentions"]).iter().map(|m| [number(&m[0]), number(&m[1])]).collect();
            assert_eq!(ours, theirs, "{name}: {document_name}");
            for (mention, score) in scores.mentions.iter().zip(list(&row["scores"])) {
                let theirs = float(score);
                assert!(
                    (mention.score - theirs).abs() <= TOLERANCE,
                    "{name}: {document_name}, {mention:?}, {theirs}"
                );
            }
        }
    }
}

#[test]
fn antecedents_and_their_scores_agree() {
    for name in MODELS {
        let model = load(name);
        let mut pairs = 0;
        for (document_name, _, document, row) in expected(name) {
            let scores = model.score(&ids(&document["ids"])).unwrap();
            let best = scores.antecedents.best();
            for (mention, theirs) in list(&row["antecedents"]).iter().enumerate() {
                let (index, score) = (number(&theirs[0]), float(&theirs[1]));
                let expected = (index < best.len()).then_some(index);
                assert_eq!(best[mention], expected, "{name}: {document_name}, mention {mention}");
                let Some(index) = expected else { continue };
                let ours = scores.antecedents.of(mention).unwrap()[index];
                assert!((ours - score).abs() <= TOLERANCE, "{name}: {document_name}, {ours}, {score}");
            }
            for (mention, theirs) in row["triangle"].as_array().into_iter().flatten().enumerate() {
                let ours = scores.antecedents.of(mention).unwrap();
                for (ours, theirs) in ours.iter().zip(list(theirs)) {
                    assert!((ours - float(theirs)).abs() <= TOLERANCE, "{name}: {document_name}, {mention}");
                    pairs += 1;
                }
            }
        }
        assert!(pairs > 1000, "{name}: {pairs}");
    }
}

#[test]
fn clusters_agree() {
    for (name, model) in models() {
        let mut found = 0;
        for (document_name, text, _, row) in expected(name) {
            let ours: Vec<Vec<(usize, usize)>> = model
                .clusters(&text)
                .unwrap()
                .iter()
                .map(|cluster| cluster.iter().map(|bytes| characters(&text, bytes)).collect())
                .collect();
            // The reference has null for mentions that begin or end with a special token.
            let spans = |cluster: &Value| -> Vec<(usize, usize)> {
                let mentions = list(cluster).iter().filter(|mention| !mention.is_null());
                mentions.map(|mention| (number(&mention[0]), number(&mention[1]))).collect()
            };
            let theirs: Vec<_> = list(&row["clusters"]).iter().map(spans).filter(|c| c.len() > 1).collect();
            assert_eq!(ours, theirs, "{name}: {document_name}");
            found += ours.len();
        }
        assert!(found > 60, "{name}: {found}");
    }
}

#[test]
fn long_and_empty_documents_have_clusters_inside_the_text() {
    let model = load("published");
    for text in ["", "   ", "Rain.", "\n\n"] {
        assert!(model.clusters(text).unwrap().is_empty(), "{text:?}");
    }
    let text = "Anna Ross met Paul in Leeds. She told him that it was late. ".repeat(1_000);
    let clusters = model.clusters(&text).unwrap();
    for bytes in clusters.iter().flatten() {
        assert!(text.get(bytes.clone()).is_some_and(|mention| !mention.is_empty()));
    }
}
