//! Generates from a file of token sequences repeatedly on command: Veridic's side of `scripts/bench.py t5`. `t5_peer MODEL
//! SEQUENCES.json`, then on stdin a line `run` for each run, or `bandwidth` for the rate at which all threads together read
//! memory, in gigabytes per second.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde_json::{Value, json};
use veridic_models::{GenerationOptions, OptionsFile, T5, T5Config, Weights};

/// Larger than any cache.
const BANDWIDTH_BYTES: usize = 1 << 28;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, sequences] = &arguments[..] else { bail!("usage: t5_peer MODEL SEQUENCES.json") };
    let sequences: Vec<Vec<u32>> =
        serde_json::from_slice(&std::fs::read(sequences).with_context(|| sequences.clone())?)?;
    let (network, options) = load(Path::new(model))?;
    answer(&json!({ "versions": { "veridic": env!("CARGO_PKG_VERSION") } }))?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "run" => answer(&run(&network, &options, &sequences)?)?,
            "bandwidth" => answer(&json!({ "gigabytes_per_second": bandwidth() }))?,
            other => bail!("unknown command `{other}`"),
        }
    }
    Ok(())
}

fn load(folder: &Path) -> Result<(T5, GenerationOptions)> {
    let read = |name: &str| std::fs::read(folder.join(name)).with_context(|| name.to_owned());
    let (config, generation) = (read("config.json")?, read("generation_config.json")?);
    let network = T5::load(
        &T5Config::parse(&config, "config.json")?,
        &Weights::from_file(&folder.join("model.safetensors"))?,
    )?;
    let generation = OptionsFile { json: &generation, name: "generation_config.json" };
    let config = OptionsFile { json: &config, name: "config.json" };
    Ok((network, GenerationOptions::parse(Some(generation), config)?))
}

fn run(network: &T5, options: &GenerationOptions, sequences: &[Vec<u32>]) -> Result<Value> {
    let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
    let start = Instant::now();
    network.encode(&sequences)?;
    let encode_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let outputs = network.generate(options, &sequences)?;
    let seconds = start.elapsed().as_secs_f64();
    let tokens: Vec<Vec<u32>> = outputs.into_iter().map(|output| output.tokens).collect();
    Ok(json!({ "seconds": seconds, "encode_seconds": encode_seconds, "tokens": tokens }))
}

/// Returns the best rate of several reads of a large buffer.
fn bandwidth() -> f64 {
    let buffer = vec![1u64; BANDWIDTH_BYTES / 8];
    let mut best = f64::INFINITY;
    for _ in 0..4 {
        let start = Instant::now();
        let sum: u64 = buffer.par_chunks(1 << 16).map(|part| part.iter().fold(0, |a, b| a ^ b)).sum();
        std::hint::black_box(sum);
        best = best.min(start.elapsed().as_secs_f64());
    }
    BANDWIDTH_BYTES as f64 / best / 1e9
}

fn answer(value: &Value) -> Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}
