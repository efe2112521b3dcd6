//! Scores a file of pairs repeatedly on command: Veridic's side of `scripts/bench.py peers`. A run does the work of `veridic
//! nli --input FILE`, from texts to probabilities; reading the file, loading the model and printing are not timed.
//!
//! `nli_peer MODEL PAIRS.jsonl [f32|bf16|int8] [avx_vnni|avx2]`, then a line `run` on stdin for each run;
//! scripts/peers/protocol.py describes the replies.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde_json::{Value, json};
use veridic::find_model;
use veridic::schedule::{Executor, Job, ignore_events};
use veridic_kernels::Isa;
use veridic_models::{LoadOptions, NliModel, Precision, Truncation};

struct TextPair {
    premise: String,
    hypothesis: String,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, pairs, more @ ..] = &arguments[..] else {
        bail!("usage: nli_peer MODEL PAIRS.jsonl [f32|bf16|int8] [avx_vnni|avx2]")
    };
    let options = read_options(more)?;
    let pairs = read_pairs(Path::new(pairs)).with_context(|| pairs.clone())?;
    let model = NliModel::load(&find_model(model)?, &options)?;
    answer(&json!({ "versions": { "veridic": env!("CARGO_PKG_VERSION") }, "batch": "packed" }))?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "run" => answer(&run(&model, &pairs)?)?,
            other => bail!("unknown command `{other}`"),
        }
    }
    Ok(())
}

/// `f32`, `bf16` and `int8` set the dtype of the layers; `avx_vnni` and `avx2` exclude wider instruction sets.
fn read_options(words: &[String]) -> Result<LoadOptions> {
    let mut options = LoadOptions::default();
    for word in words {
        match word.as_str() {
            "f32" => options.precision = Some(Precision::F32),
            "bf16" => options.precision = Some(Precision::Bf16),
            "int8" => options.precision = Some(Precision::Int8),
            "avx_vnni" | "avx2" => {
                let name = if word == "avx2" { "Avx2" } else { "AvxVnni" };
                let isa = Isa::available().into_iter().find(|isa| format!("{isa:?}") == name);
                anyhow::ensure!(isa.is_some_and(Isa::prefer), "this machine has no {word}");
            }
            other => bail!("unknown option `{other}`"),
        }
    }
    Ok(options)
}

fn read_pairs(path: &Path) -> Result<Vec<TextPair>> {
    let field = |row: &Value, name: &str| {
        row[name].as_str().map(str::to_owned).with_context(|| format!("no text in field `{name}`"))
    };
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line)?;
        Ok(TextPair { premise: field(&row, "premise")?, hypothesis: field(&row, "hypothesis")? })
    };
    std::fs::read_to_string(path)?.lines().map(pair).collect()
}

fn run(model: &NliModel, pairs: &[TextPair]) -> Result<Value> {
    let start = Instant::now();
    let jobs: Vec<Job> = pairs.par_iter().map(|pair| tokenize(model, pair)).collect::<Result<_>>()?;
    let tokenize_seconds = start.elapsed().as_secs_f64();
    let outcomes = Executor::new(model, None)
        .run(&jobs.iter().collect::<Vec<_>>(), &ignore_events)?
        .expect("no event ends the work");
    let seconds = start.elapsed().as_secs_f64();

    let tokens: usize = jobs.iter().map(|job| job.ids.len()).sum();
    let operations: u64 = jobs.iter().map(|job| model.operations(job.ids.len())).sum();
    let row = |outcome: &veridic::schedule::Outcome| {
        outcome.map(|p| [p.entailment, p.neutral, p.contradiction]).context("an output is not a number")
    };
    let probabilities: Vec<[f32; 3]> = outcomes.iter().map(row).collect::<Result<_>>()?;
    Ok(json!({
        "seconds": seconds, "tokenize_seconds": tokenize_seconds,
        "tokens": tokens, "padded_tokens": tokens, "operations": operations, "probabilities": probabilities,
    }))
}

fn tokenize(model: &NliModel, pair: &TextPair) -> Result<Job> {
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (tokenizer.text(&pair.premise)?, tokenizer.text(&pair.hypothesis)?);
    Ok(tokenizer.pair(&premise.ids, &hypothesis.ids, model.token_limit(), Truncation::Refuse)?)
}

fn answer(value: &Value) -> Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}
