//! `veridic models check NAME`: the model's answers to three unambiguous pairs, and whether its labels are in the order in which
//! they are read.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::pipeline::{ClaimExtractor, CorefResolver, Summary};
use veridic::plan::{ModelSettings, all_settings, nli_source};
use veridic::schedule::ignore_events;
use veridic::settings::{Given, known};
use veridic::text::{TextIndex, sentences};
use veridic_models::store::Task;
use veridic_models::{
    ComputeDevice, FCoref, LoadOptions, ModelSource, NliModel, PackedBatch, Probabilities, TextEncoder,
    TextToText, TokenClassifier, TokenVectors, Truncation,
};

use crate::args::ModelCheckArgs;
use veridic_program::output;

/// Premise, hypothesis, and the index of the expected relation.
const CANARIES: [(&str, &str, usize); 3] = [
    ("A man is playing a guitar on a stage.", "A man is playing an instrument.", 0),
    ("A woman is reading a book in the park.", "The woman is a famous doctor.", 1),
    ("The shop is open every day of the week.", "The shop is never open.", 2),
];

const RELATIONS: [&str; 3] = ["entailment", "neutral", "contradiction"];

/// The possible orders of three outputs.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// How many times more probable the answers must be under one order than under any other.
const CLEAR_RATIO: f32 = 10.0;

const STORY: &str = "Mayor Lena Okafor closed the town's pool in March. She said that its beams are rusty.";

pub(super) fn run(args: &ModelCheckArgs) -> Result<ExitCode> {
    let source = nli_source(&args.name)?;
    let device = device(&args.device)?;
    match source.entry().map(|entry| entry.task) {
        Some(Task::Claims) => claims(&source),
        Some(Task::Coref) => coref(&source),
        Some(Task::Encoder) => encoder(&source),
        Some(Task::TokenClassifier) => token_classifier(&source),
        _ => nli(&source, args, device),
    }
}

/// The device of the flag.
fn device(text: &str) -> Result<ComputeDevice> {
    let mut given = Given::default();
    given.add(known(all_settings(), "device")?, text, "--device")?;
    Ok(ModelSettings::of(&given)?.device)
}

fn nli(source: &ModelSource, args: &ModelCheckArgs, device: ComputeDevice) -> Result<ExitCode> {
    let options = LoadOptions { labels: args.labels.clone(), device, ..LoadOptions::default() };
    let model = NliModel::load(source, &options)?;
    let rows = CANARIES.iter().map(|(premise, hypothesis, _)| probabilities(&model, premise, hypothesis));
    let rows = rows.collect::<Result<Vec<Probabilities>>>()?;
    output::line(&format!("labels        {}", model.info().labels.join(", ")))?;
    for ((premise, hypothesis, expected), answer) in CANARIES.iter().zip(&rows) {
        output::line(&format!("\n{premise} / {hypothesis}"))?;
        output::line(&format!("expected      {}", RELATIONS[*expected]))?;
        let Probabilities { entailment, neutral, contradiction } = answer;
        output::line(&format!(
            "answer        entailment {entailment:.3}, neutral {neutral:.3}, contradiction {contradiction:.3}"
        ))?;
    }
    output::line("")?;
    let ways = model.info().labels.len();
    let rows: Vec<[f32; 3]> = rows.iter().map(|p| [p.entailment, p.neutral, p.contradiction]).collect();
    let verdict = if ways == 2 { of_two(&rows) } else { of_three(&rows) };
    match &verdict {
        Order::Right => output::line("The order of the labels looks right.")?,
        Order::Unclear => output::line(
            "The order of the labels is unclear: the model is unsure of these pairs. It may be right; try your own pairs with `veridic nli`.",
        )?,
        Order::Other(order) => {
            let relations = RELATIONS
                .iter()
                .zip(order)
                .map(|(label, &relation)| format!("{label} looks like {}", RELATIONS[relation]));
            output::line(&format!(
                "The order of the labels looks WRONG: {}. Give the labels in output order with --labels.",
                relations.collect::<Vec<_>>().join(", ")
            ))?;
        }
    }
    Ok(if matches!(verdict, Order::Right) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn probabilities(model: &NliModel, premise: &str, hypothesis: &str) -> Result<Probabilities> {
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (tokenizer.text(premise)?, tokenizer.hypothesis(hypothesis)?);
    let pair = tokenizer.pair(&premise.ids, &hypothesis.ids, model.token_limit(), Truncation::Refuse)?;
    Ok(model.probabilities(&PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])]))?[0])
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Order {
    Right,
    /// The relation that each label appears to stand for.
    Other(Vec<usize>),
    Unclear,
}

/// With two outputs, the first pair must be entailment and the others must not.
fn of_two(rows: &[[f32; 3]]) -> Order {
    let entailed: Vec<bool> = rows.iter().map(|row| row[0] > 0.5).collect();
    match entailed[..] {
        [true, false, false] => Order::Right,
        [false, true, true] => Order::Other(vec![1, 0]),
        _ => Order::Unclear,
    }
}

/// With three outputs, returns the order under which the three answers are jointly most probable, if it is clearly ahead. A
/// model that is unsure of one pair may still be sure of the others.
fn of_three(rows: &[[f32; 3]]) -> Order {
    // `order` holds the relation that each label stands for.
    let likelihood = |order: &[usize; 3]| (0..3).map(|name| rows[order[name]][name]).product::<f32>();
    let mut orders = ORDERS;
    orders.sort_by(|a, b| likelihood(b).total_cmp(&likelihood(a)));
    match orders[0] {
        best if likelihood(&best) < CLEAR_RATIO * likelihood(&orders[1]) => Order::Unclear,
        [0, 1, 2] => Order::Right,
        best => Order::Other(best.to_vec()),
    }
}

fn claims(source: &ModelSource) -> Result<ExitCode> {
    let extractor = ClaimExtractor::T5(std::sync::Arc::new(TextToText::load(source, ComputeDevice::Cpu)?));
    let claims = extractor.extract(&[Summary::new(STORY)])?.swap_remove(0);
    output::line(&format!("{STORY}\n"))?;
    claims.claims.iter().try_for_each(|claim| output::line(&format!("- {}", claim.text)))?;
    ensure!(!claims.claims.is_empty(), "{}: the model extracted no claim", source.id());
    Ok(ExitCode::SUCCESS)
}

fn coref(source: &ModelSource) -> Result<ExitCode> {
    let document = TextIndex::new(STORY);
    let resolver = CorefResolver::Model(std::sync::Arc::new(FCoref::load(source, ComputeDevice::Cpu)?));
    let clusters = resolver.clusters(&document, &sentences(STORY), &ignore_events)?;
    output::line(&format!("{STORY}\n"))?;
    for cluster in &clusters {
        let mentions = cluster.iter().map(|mention| document.slice(mention.span));
        output::line(&format!("- {}", mentions.collect::<Vec<_>>().join(" = ")))?;
    }
    ensure!(!clusters.is_empty(), "{}: the model found no cluster of mentions", source.id());
    Ok(ExitCode::SUCCESS)
}

/// Compares a sentence with a paraphrase and with an unrelated sentence.
fn encoder(source: &ModelSource) -> Result<ExitCode> {
    let [(premise, same, _), (other, ..), _] = CANARIES;
    let encoder = TextEncoder::load(source, None)?;
    let tokens = [premise, same, other].map(|text| encoder.tokens(text));
    let [premise_ids, same_ids, other_ids] = tokens.map(|tokens| tokens.map(|tokens| tokens.ids));
    let vectors = encoder.vectors(&[&premise_ids?, &same_ids?, &other_ids?])?;
    let means: Vec<Vec<f32>> = vectors.iter().map(mean).collect();
    let cosines = [cosine(&means[0], &means[1]), cosine(&means[0], &means[2])];
    for (text, cosine) in [same, other].iter().zip(&cosines) {
        output::line(&format!("{premise} / {text}\ncosine        {cosine:.3}\n"))?;
    }
    ensure!(cosines[0] > cosines[1], "{}: the unrelated sentence is closer than the paraphrase", source.id());
    Ok(ExitCode::SUCCESS)
}

/// Returns the mean of a text's vectors.
fn mean(vectors: &TokenVectors) -> Vec<f32> {
    let count = vectors.rows().len() as f32;
    let sum = |sum: Vec<f32>, row: Vec<f32>| sum.iter().zip(row).map(|(a, b)| a + b).collect();
    let mut rows = vectors.rows().map(<[f32]>::to_vec);
    let first = rows.next().unwrap_or_default();
    rows.fold(first, sum).into_iter().map(|value| value / count).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn token_classifier(source: &ModelSource) -> Result<ExitCode> {
    let model = TokenClassifier::load(source, ComputeDevice::Cpu)?;
    let highest = |claim: &str| -> Result<f32> {
        let tokenizer = model.tokenizer();
        let (premise, hypothesis) = (model.premise(STORY)?, tokenizer.hypothesis(claim)?);
        let pair = tokenizer.pair(&premise, &hypothesis.ids, model.token_limit(), Truncation::Refuse)?;
        let batch = PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])]);
        let probabilities = model.unsupported_tokens(&batch)?.swap_remove(0);
        let places = tokenizer.hypothesis_range(&pair, &hypothesis);
        let highest = probabilities[places].iter().copied().fold(0.0, f32::max);
        output::line(&format!("{claim}\nunsupported   {highest:.3} (the highest of its tokens)\n"))?;
        Ok(highest)
    };
    output::line(&format!("{STORY}\n"))?;
    let (right, wrong) =
        (highest("Lena Okafor closed the pool in March.")?, highest("Lena Okafor closed the pool in July.")?);
    ensure!(right < wrong, "{}: the right claim has the likelier unsupported token", source.id());
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_order_is_right_wrong_or_unclear() {
        let (e, n, t) = ([0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]);
        assert_eq!(of_three(&[e, n, t]), Order::Right);
        assert_eq!(of_three(&[e, e, t]), Order::Unclear);
        assert_eq!(of_three(&[e, [0.05, 0.45, 0.5], t]), Order::Right);
        assert_eq!(of_three(&[e, [0.05, 0.45, 0.5], [0.05, 0.4, 0.55]]), Order::Unclear);
        // The outputs are contradiction, entailment, neutral, but are read as entailment, neutral, contradiction.
        assert_eq!(of_three(&[n, t, e]), Order::Other(vec![2, 0, 1]));
        assert_eq!(of_two(&[e, n, n]), Order::Right);
        assert_eq!(of_two(&[n, e, e]), Order::Other(vec![1, 0]));
        assert_eq!(of_two(&[e, e, n]), Order::Unclear);
    }
}
