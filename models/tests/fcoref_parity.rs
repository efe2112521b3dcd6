//! Our F-Coref against the Python package `fastcoref`: fixtures by scripts/fixtures/make_fcoref.py.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_models::{FCoref, ModelSource, words};

/// Largest difference to the reference's scores that is put down to rounding.
const TOLERANCE: f32 = 1e-4;

const MODELS: [&str; 2] = ["published", "short_segments"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fcoref")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn float(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn ids(document: &Value) -> Vec<u32> {
    list(&document["ids"]).iter().map(|id| number(id) as u32).collect()
}

/// (name, text, the fixture's own row) of every document.
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
    FCoref::load(&ModelSource::Folder(folder().join(name))).unwrap()
}

/// The expected results of a model, beside the documents that they are of.
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
            assert_eq!(model.token_ids(&parts).unwrap(), ids(&document), "{name}: {document_name}");
        }
    }
}

#[test]
fn mentions_and_their_scores_agree() {
    for name in MODELS {
        let model = load(name);
        for (document_name, _, document, row) in expected(name) {
            let reading = model.read(&ids(&document)).unwrap();
            let ours: Vec<[usize; 2]> = reading.mentions.iter().map(|m| [m.start, m.end]).collect();
            let theirs: Vec<[usize; 2]> =
                list(&row["mentions"]).iter().map(|m| [number(&m[0]), number(&m[1])]).collect();
            assert_eq!(ours, theirs, "{name}: {document_name}");
            for (mention, score) in reading.mentions.iter().zip(list(&row["scores"])) {
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
            let reading = model.read(&ids(&document)).unwrap();
            let best = reading.antecedents.best();
            for (mention, theirs) in list(&row["antecedents"]).iter().enumerate() {
                let (index, score) = (number(&theirs[0]), float(&theirs[1]));
                let expected = (index < best.len()).then_some(index);
                assert_eq!(best[mention], expected, "{name}: {document_name}, mention {mention}");
                let Some(index) = expected else { continue };
                let ours = reading.antecedents.of(mention).unwrap()[index];
                assert!((ours - score).abs() <= TOLERANCE, "{name}: {document_name}, {ours}, {score}");
            }
            for (mention, theirs) in row["triangle"].as_array().into_iter().flatten().enumerate() {
                let ours = reading.antecedents.of(mention).unwrap();
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
    for name in MODELS {
        let model = load(name);
        let mut found = 0;
        for (document_name, text, _, row) in expected(name) {
            let ours: Vec<Vec<(usize, usize)>> = model
                .clusters(&text)
                .unwrap()
                .iter()
                .map(|cluster| cluster.iter().map(|bytes| characters(&text, bytes)).collect())
                .collect();
            // What begins or ends with a special token names nothing, alone neither.
            let named = |cluster: &Value| -> Vec<(usize, usize)> {
                let mentions = list(cluster).iter().filter(|mention| !mention.is_null());
                mentions.map(|mention| (number(&mention[0]), number(&mention[1]))).collect()
            };
            let theirs: Vec<_> = list(&row["clusters"]).iter().map(named).filter(|c| c.len() > 1).collect();
            assert_eq!(ours, theirs, "{name}: {document_name}");
            found += ours.len();
        }
        assert!(found > 60, "{name}: {found}");
    }
}

#[test]
fn long_and_empty_documents() {
    let model = load("published");
    for text in ["", "   ", "Rain.", "\n\n"] {
        assert!(model.clusters(text).unwrap().is_empty(), "{text:?}");
    }
    let text = "Anna Ross met Paul in Leeds. She told him that it was late. ".repeat(4_000);
    let clusters = model.clusters(&text).unwrap();
    for bytes in clusters.iter().flatten() {
        assert!(text.get(bytes.clone()).is_some_and(|mention| !mention.is_empty()));
    }
}
