//! Models on a GPU, or on its emulation (feature `cuda-emulation`), against the same models on the host in f32; results do
//! not depend on the other rows of a batch.

use serde_json::Value;
use veridic_models::{
    Device, FCoref, LoadOptions, MentionScores, MentionSpan, ModelSource, NliModel, PackedBatch, PairTokens,
    Precision, Probabilities, TextEncoder, TextToText, TokenClassifier, Truncation,
};

use crate::common::{batch, fixture, floats, ids, list, load, mini};
use crate::{judges, token_classifiers};

/// Largest difference of probabilities that is attributed to f16.
const TOLERANCE: f32 = 2e-3;

fn on_cuda(source: &ModelSource, precision: Precision) -> NliModel {
    let options = LoadOptions {
        precision: Some(precision),
        device: Device::cuda(0).unwrap(),
        ..LoadOptions::default()
    };
    NliModel::load(source, &options).unwrap()
}

fn on_host(source: &ModelSource) -> NliModel {
    load(source, Some(Precision::F32))
}

fn values(probabilities: &Probabilities) -> [f32; 3] {
    [probabilities.entailment, probabilities.neutral, probabilities.contradiction]
}

/// The largest difference between the probabilities of two models.
fn difference(a: &NliModel, b: &NliModel, batch: &PackedBatch) -> f32 {
    let (a, b) = (a.probabilities(batch).unwrap(), b.probabilities(batch).unwrap());
    let rows = a.iter().map(values).zip(b.iter().map(values));
    rows.flat_map(|(a, b)| a.into_iter().zip(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// The first pairs of examples/nli_pairs.jsonl, and one of 150 tokens.
fn pairs(model: &NliModel) -> Vec<PairTokens> {
    let rows = include_str!("../../../examples/nli_pairs.jsonl").lines();
    let rows: Vec<Value> = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    let pair = |premise: &str, hypothesis: &str| {
        let tokenizer = model.tokenizer();
        let (premise, hypothesis) = (tokenizer.text(premise).unwrap(), tokenizer.text(hypothesis).unwrap());
        tokenizer.pair(&premise, &hypothesis, 150, Truncation::Premise).unwrap()
    };
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let mut pairs: Vec<PairTokens> =
        rows[..6].iter().map(|row| pair(&text(row, "premise"), &text(row, "hypothesis"))).collect();
    let long: Vec<String> = rows[..20].iter().map(|row| text(row, "premise")).collect();
    pairs.push(pair(&long.join(" "), &text(&rows[0], "hypothesis")));
    pairs
}

#[test]
fn the_small_model_agrees_with_the_host() {
    let source = mini();
    let (host, cuda) = (on_host(&source), on_cuda(&source, Precision::F16));
    let pairs = pairs(&host);
    assert_eq!(pairs.last().unwrap().ids.len(), 150);
    let difference = difference(&host, &cuda, &batch(&pairs));
    println!("largest difference in f16: {difference}");
    assert!(difference < TOLERANCE, "{difference}");
    // A pair's result does not depend on the rest of its batch.
    let together = cuda.logits(&batch(&pairs)).unwrap();
    for (index, row) in together.iter().enumerate() {
        assert_eq!(cuda.logits(&batch([&pairs[index]])).unwrap()[0], *row, "pair {index}");
    }
    let reversed = cuda.logits(&batch(pairs.iter().rev())).unwrap();
    assert!(together.iter().eq(reversed.iter().rev()));
}

#[test]
fn two_batches_can_be_in_flight() {
    let cuda = on_cuda(&mini(), Precision::Bf16);
    let pairs = pairs(&cuda);
    let (first, second) = (batch(&pairs[..1]), batch(&pairs[1..3]));
    let pending = [cuda.begin(&first).unwrap(), cuda.begin(&second).unwrap()];
    let [a, b] = pending.map(|pending| pending.wait().unwrap());
    assert_eq!(a, cuda.probabilities(&first).unwrap());
    assert_eq!(b, cuda.probabilities(&second).unwrap());
}

#[test]
fn berts_family_modernbert_and_deberta_agree_with_the_host() {
    let names = [
        "roberta/published",
        "roberta/other_order",
        "bert/bert",
        "bert/bert_old",
        "bert/mpnet",
        "bert/mpnet_int8",
        "bert/mpnet_other",
        "modernbert/published",
        "modernbert/other",
        "encoders/albert",
        "encoders/albert_groups",
        "encoders/deberta",
        "encoders/deberta_types",
    ];
    for name in names {
        let source = ModelSource::Folder(fixture(name));
        let (host, cuda) = (on_host(&source), on_cuda(&source, Precision::F16));
        let pairs = pairs(&host);
        let difference = difference(&host, &cuda, &batch(&pairs));
        // The weights are random, of a larger scale than in trained models.
        assert!(difference < 2.0 * TOLERANCE, "{name}: {difference}");
    }
}

#[test]
fn t5_judges_agree_with_the_host() {
    for name in ["tokens", "hhem", "answers", "answers_tied"] {
        let folder = format!("t5_judges/{name}");
        let source = ModelSource::Folder(fixture(&folder));
        let (host, cuda) = (on_host(&source), on_cuda(&source, Precision::F16));
        let rows = judges::rows(&folder);
        let difference = difference(&host, &cuda, &judges::batch(&rows));
        // The weights are random, of a larger scale than in trained models.
        assert!(difference < 5.0 * TOLERANCE, "{name}: {difference}");
    }
}

#[test]
fn token_classifiers_agree_with_the_host() {
    for name in token_classifiers::MODELS {
        let source = ModelSource::Folder(fixture("token_classifiers").join(name));
        let [host, cuda] = [Device::Host, Device::cuda(0).unwrap()]
            .map(|device| TokenClassifier::load_on(&source, &device).unwrap());
        let batch = token_classifiers::batch(&token_classifiers::sequences(name));
        let (a, b) = (host.unsupported_tokens(&batch).unwrap(), cuda.unsupported_tokens(&batch).unwrap());
        let apart = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0f32, f32::max);
        // The weights are random, of a larger scale than in trained models.
        assert!(apart < 5.0 * TOLERANCE, "{name}: {apart}");
    }
}

/// An inner layer's states of ModernBERT as they are, and the last layer's with its norm.
#[test]
fn modernberts_states_agree_with_transformers() {
    for name in ["published", "other"] {
        let folder = format!("modernbert/{name}");
        let (rows, reference) = (judges::rows(&folder), judges::expected(&folder));
        for states in list(&reference["states"]) {
            let layer = states["layer"].as_u64().unwrap() as usize;
            let device = Device::cuda(0).unwrap();
            let encoder = TextEncoder::load_on(&judges::source(&folder), Some(layer), &device).unwrap();
            let row = rows.iter().find(|row| row.name == states["name"].as_str().unwrap()).unwrap();
            let ours = encoder.vectors(&[&row.ids]).unwrap();
            let ours: Vec<&[f32]> = ours[0].rows().collect();
            for (position, values) in ids(&states["rows"]).into_iter().zip(list(&states["values"])) {
                let apart = relative_distance(&floats(values), ours[position as usize]);
                assert!(apart < 5e-3, "{folder}, {}, layer {layer}, {position}: {apart}", row.name);
            }
        }
    }
}

/// The length of the difference of two vectors, relative to the first one's.
fn relative_distance(a: &[f32], b: &[f32]) -> f32 {
    let length = a.iter().map(|x| x * x).sum::<f32>().sqrt();
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt() / length
}

#[test]
fn vectors_agree_with_the_host() {
    for name in ["deberta", "roberta"] {
        let source = ModelSource::Folder(fixture("bertscore").join(name));
        let host = TextEncoder::load(&source, None).unwrap();
        let cuda = TextEncoder::load_on(&source, None, &Device::cuda(0).unwrap()).unwrap();
        assert_eq!((host.identity().dtype, cuda.identity().dtype), ("f32", "f16"));
        let texts = ["The cat sat.", "A longer text, which has more tokens than the other one."];
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| host.tokens(text).unwrap().ids).collect();
        let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
        let (a, b) = (host.vectors(&ids).unwrap(), cuda.vectors(&ids).unwrap());
        for (a, b) in a.iter().zip(&b).flat_map(|(a, b)| a.rows().zip(b.rows())) {
            let apart = relative_distance(a, b);
            assert!(apart < 5e-3, "{name}: {apart}");
        }
    }
}

#[test]
fn generated_texts_agree_with_the_host() {
    let source = ModelSource::Folder(fixture("t5").join("splitter"));
    let host = TextToText::load(&source).unwrap();
    let cuda = TextToText::load_on(&source, &Device::cuda(0).unwrap()).unwrap();
    let texts = ["Anna closed the shop and walked home.", "The mayor resigned."];
    assert_eq!(cuda.generate(&texts).unwrap(), host.generate(&texts).unwrap());
    assert_eq!((host.identity().device, cuda.identity().device), ("cpu", "cuda"));
    assert_eq!(cuda.identity().dtype, "f16");
}

/// Scores of spans and pairs agree within a tolerance, and most mentions are the same.
#[test]
fn coreference_agrees_with_the_host() {
    let source = ModelSource::Folder(fixture("fcoref").join("published"));
    let (host, cuda) =
        (FCoref::load(&source).unwrap(), FCoref::load_on(&source, &Device::cuda(0).unwrap()).unwrap());
    let ids = host
        .token_ids(&"Ann said that she saw her brother and his dog .".split(' ').collect::<Vec<_>>())
        .unwrap();
    let (a, b) = (host.score(&ids).unwrap(), cuda.score(&ids).unwrap());
    let score = |mention: &MentionSpan| mention.score;
    let largest = a.mentions.iter().map(score).fold(0f32, |largest, x| largest.max(x.abs()));
    let shared = a.mentions.iter().filter_map(|one| {
        let same = b.mentions.iter().find(|other| (other.start, other.end) == (one.start, one.end))?;
        Some((one.score - same.score).abs())
    });
    let differences: Vec<f32> = shared.collect();
    assert!(differences.len() * 10 >= a.mentions.len() * 8, "{} of {}", differences.len(), a.mentions.len());
    assert!(differences.iter().all(|difference| *difference < 2e-2 * largest), "{differences:?}, {largest}");
    // Scores of pairs of mentions that both devices kept.
    let index_in = |scores: &MentionScores, mention: &MentionSpan| {
        scores.mentions.iter().position(|other| (other.start, other.end) == (mention.start, mention.end))
    };
    let shared: Vec<(usize, usize)> =
        (0..a.mentions.len()).filter_map(|index| Some((index, index_in(&b, &a.mentions[index])?))).collect();
    let (mut largest, mut apart, mut pairs) = (0f32, 0f32, 0);
    for &(later, other) in &shared {
        let (one, two) = (a.antecedents.of(later).unwrap(), b.antecedents.of(other).unwrap());
        for &(earlier, other) in shared.iter().filter(|(earlier, _)| *earlier < later) {
            largest = largest.max(one[earlier].abs());
            apart = apart.max((one[earlier] - two[other]).abs());
            pairs += 1;
        }
    }
    assert!(pairs > 3 && apart < 2e-2 * largest, "{apart} of {largest} over {pairs} pairs");
}

/// A text of several segments: as many mentions as on the host, and the same ones in every run.
#[test]
fn long_texts_are_encoded_segment_by_segment() {
    let source = ModelSource::Folder(fixture("fcoref").join("published"));
    let (host, cuda) =
        (FCoref::load(&source).unwrap(), FCoref::load_on(&source, &Device::cuda(0).unwrap()).unwrap());
    let text = "Ann said that she saw her brother and his dog . ".repeat(30);
    let ids = host.token_ids(&text.split_whitespace().collect::<Vec<_>>()).unwrap();
    assert!(ids.len() > 512, "{} tokens are one segment", ids.len());
    let (a, b) = (host.score(&ids).unwrap(), cuda.score(&ids).unwrap());
    assert_eq!(a.mentions.len(), b.mentions.len());
    let again = cuda.score(&ids).unwrap();
    assert_eq!((&b.mentions, b.antecedents.best()), (&again.mentions, again.antecedents.best()));
}

#[test]
fn a_dtype_that_a_device_does_not_support_is_an_error() {
    let source = ModelSource::Folder(fixture("roberta").join("published"));
    let message = |precision: Precision, device: Device| {
        let options = LoadOptions { precision: Some(precision), device, ..LoadOptions::default() };
        NliModel::load(&source, &options).err().unwrap().to_string()
    };
    let cuda = message(Precision::Int8, Device::cuda(0).unwrap());
    assert_eq!(cuda, "`dtype` int8: the device cuda computes in f16 and bf16");
    let bf16 = if Precision::Bf16.is_supported() { ", bf16" } else { "" };
    assert_eq!(
        message(Precision::F16, Device::Host),
        format!("`dtype` f16: the device cpu computes in f32{bf16} and int8")
    );
    assert!(Device::cuda(99).err().unwrap().to_string().contains("there is no CUDA device 99"));
}
