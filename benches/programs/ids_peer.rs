//! Scores pairs of token ids repeatedly on command: Veridic's side of `scripts/bench_gpu.py`. A run goes from ids
//! in the host's memory to probabilities there; tokenization, loading and printing are outside the measured time.
//!
//! `ids_peer MODEL IDS.jsonl DEVICE [bf16]`: rows with `ids` and `types`; DEVICE is `cpu` or `cuda`. Then a line `run`
//! on stdin for each run; scripts/peers/protocol.py describes the replies.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use veridic::internal::find_model;
use veridic::schedule::{Executor, Job, Outcome, ignore_events};
use veridic_models::{Device, LoadOptions, NliModel, Precision};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, ids, device, more @ ..] = &arguments[..] else {
        bail!("usage: ids_peer MODEL IDS.jsonl cpu|cuda [bf16]")
    };
    let device = match device.as_str() {
        "cpu" => Device::Host,
        "cuda" => Device::cuda(0)?,
        other => bail!("unknown device `{other}`"),
    };
    let precision = match more {
        [] => None,
        [numbers] if numbers == "bf16" => Some(Precision::Bf16),
        _ => bail!("unknown options {more:?}"),
    };
    let jobs = read(ids).with_context(|| ids.clone())?;
    let options = LoadOptions { precision, device, ..LoadOptions::default() };
    let model = NliModel::load(&find_model(model)?, &options)?;
    answer(&json!({ "versions": { "veridic": env!("CARGO_PKG_VERSION") }, "batch": "packed" }))?;
    for line in stdin().lock().lines() {
        match line?.trim() {
            "run" => answer(&run(&model, &jobs)?)?,
            other => bail!("unknown command `{other}`"),
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<Vec<Job>> {
    let numbers = |row: &Value, name: &str| -> Result<Vec<u32>> {
        let list = row[name].as_array().with_context(|| format!("no list in field `{name}`"))?;
        list.iter().map(|x| Ok(u32::try_from(x.as_u64().context("no whole number")?)?)).collect()
    };
    let job = |line: &str| {
        let row: Value = serde_json::from_str(line)?;
        Ok(Job { ids: numbers(&row, "ids")?, types: numbers(&row, "types")?, cut: false })
    };
    std::fs::read_to_string(path)?.lines().map(job).collect()
}

fn run(model: &NliModel, jobs: &[Job]) -> Result<Value> {
    let start = Instant::now();
    let outcomes = Executor::new(model, None)
        .run(&jobs.iter().collect::<Vec<_>>(), &ignore_events)?
        .expect("no event ends the work");
    let seconds = start.elapsed().as_secs_f64();
    let tokens: usize = jobs.iter().map(|job| job.ids.len()).sum();
    let operations: u64 = jobs.iter().map(|job| model.operations(job.ids.len())).sum();
    let row = |outcome: &Outcome| {
        outcome.map(|p| [p.entailment, p.neutral, p.contradiction]).context("an output is not a number")
    };
    let probabilities: Vec<[f32; 3]> = outcomes.iter().map(row).collect::<Result<_>>()?;
    Ok(json!({
        "seconds": seconds, "tokens": tokens, "padded_tokens": tokens, "operations": operations,
        "probabilities": probabilities,
    }))
}

fn answer(value: &Value) -> Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{value}")?;
    Ok(output.flush()?)
}
